"""One way to compile rules with Numba.

What was compiled is kept between runs by `core/machine_code.py`, under a hash of what it was made from.
`NUMBA_DISABLE_JIT=1` and `NUMBA_BOUNDSCHECK=1` work as in Numba; the tests use both.
"""

import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numba

from fuda.core.machine_code import MachineCode

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function`, which may call other compiled functions."""
    return _jit(function)


def inlined(function: F) -> F:
    """Compile `function` into each of its callers, however large it is: for what every decision calls."""
    return _jit(function, forceinline=True)


def bind(function: F, owner: str, names: Mapping[str, Any]) -> F:
    """Compile a loop that is written once for all games with other functions in its globals.

    `owner` tells the copies apart for people. A function that is passed as an argument would be
    compiled again in every process: this is not.
    """
    copy = types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__
    )
    copy.__qualname__ = f"{owner}.{function.__qualname__}"
    copy.__module__ = function.__module__
    return _jit(copy)


def _jit(function: Any, **options: bool) -> Any:
    if numba.config.DISABLE_JIT:
        return function
    # Nobody passes a pointer to these functions to C: its wrapper takes a twentieth of the compile time.
    dispatcher = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    dispatcher._cache = MachineCode(function)
    return dispatcher
