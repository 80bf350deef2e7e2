"""Where the machine code of a compiled loop begins, for arguments of certain types.

Numba finds that out at every call, which takes some microseconds for each array of records, with Python's
lock held: 16 threads that begin the same loop would wait for each other. Found once, it is called at once.
"""

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

NUMBER_BITS = 62  # a larger whole number may be of another type
_found: WeakKeyDictionary[Any, dict[Any, Callable[..., Any]]] = WeakKeyDictionary()  # by loop and kinds


def entry(loop: Any, arguments: Sequence[object]) -> Callable[..., Any]:
    """What does the same as `loop` for arguments of exactly these types, without asking for them again.

    That is the loop itself where it is not compiled for them yet.
    """
    kinds = _kind(tuple(arguments))
    if kinds is None or not hasattr(loop, "overloads"):
        return loop
    known = _found.setdefault(loop, {})
    found = known.get(kinds)
    if found is None:
        signature = tuple(loop.typeof_pyval(argument) for argument in arguments)
        compiled = loop.overloads.get(signature)
        if compiled is None:
            return loop
        found = known[kinds] = compiled.entry_point
    return found


class Entered:
    """A loop whose arguments are always of the same types: its machine code is found once and for all.

    Where they were not, they would be taken for something else: only for arrays that the caller makes.
    """

    def __init__(self, loop: Any):
        self._loop = loop
        self._begin: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the loop."""
        if self._begin is not None:
            return self._begin(*arguments)
        result = self._loop(*arguments)
        self._begin = entry(self._loop, arguments)
        return result


def _kind(argument: object) -> Any:
    """What Numba's type of an argument depends on; None for what is too rare to be worth it."""
    kind = type(argument)
    if isinstance(argument, np.ndarray):
        dtype, flags = argument.dtype, argument.flags
        layout = (flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned)
        return (kind, dtype, dtype.isalignedstruct, argument.ndim, layout)
    if isinstance(argument, tuple):
        kinds = tuple(_kind(each) for each in argument)
        return None if None in kinds else (kind, kinds)
    if isinstance(argument, int) and argument.bit_length() > NUMBER_BITS:
        return None
    return kind if isinstance(argument, int | float | np.number | np.bool_) else None
