"""One way to compile rules with Numba, and to keep what was compiled between runs.

Numba's own disk cache notices a change of the file that a function is written in, but not of a
compiled helper in another file. So the cache folder is keyed by a hash of all sources that a
function can call, of Numba's version and of the flags that change the code.

`NUMBA_DISABLE_JIT=1` and `NUMBA_BOUNDSCHECK=1` work as in Numba; the tests use both.
"""

import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

CORE = Path(__file__).parent
KEPT_DAYS = 14  # machine code that was not used for so long is deleted

_decorating = threading.Lock()


def compiled(function: F) -> F:
    """Compile `function`, which may call other compiled functions."""
    return _jit(function, {})


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
    return _jit(copy, names)


def _jit(function: Any, names: Mapping[str, Any]) -> Any:
    if numba.config.DISABLE_JIT:
        return function
    folder = cache_folder(frozenset(_sources(function)), _identity(names))
    # Numba picks the cache folder while it decorates: point it at ours just then, so that
    # other Numba code in the same process keeps its own.
    with _decorating:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            return numba.njit(cache=True, nogil=True)(function)
        finally:
            numba.config.CACHE_DIR = previous


def _sources(function: Any) -> set[Path]:
    """The folders of all compiled functions that `function` can call, and its own."""
    found, seen, to_visit = {CORE}, set(), [function]
    while to_visit:
        current = to_visit.pop()
        if current in seen:
            continue
        seen.add(current)
        found.add(Path(current.__code__.co_filename).parent)
        named = (current.__globals__.get(name) for name in current.__code__.co_names)
        to_visit += [callee.py_func for callee in named if hasattr(callee, "py_func")]
    return found


def _identity(names: Mapping[str, Any]) -> str:
    """What was bound, as text: functions by their full names, constants by their values."""
    parts = []
    for name, value in sorted(names.items()):
        function = getattr(value, "py_func", value)
        is_function = isinstance(function, types.FunctionType)
        said = f"{function.__module__}.{function.__qualname__}" if is_function else _constant(value)
        parts.append(f"{name}={said}")
    return ";".join(parts)


def _constant(value: Any) -> str:
    return str(value.tolist()) if isinstance(value, np.ndarray) else repr(value)


@functools.cache
def cache_folder(sources: frozenset[Path], identity: str = "") -> Path:
    """Where the machine code made from these folders, with these names bound, is kept."""
    digest = hashlib.sha256(identity.encode())
    for flag in (numba.__version__, sys.version, numba.config.BOUNDSCHECK, numba.config.OPT):
        digest.update(repr(flag).encode())
    for folder in sorted(sources):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    folder = cache_root() / digest.hexdigest()[:16]
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    if is_new:
        _forget_old(folder.parent)
    return folder


@functools.cache
def cache_root() -> Path:
    """The user's cache folder, or a new temporary one where that cannot be written."""
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(base) / "fuda" / "compiled"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.mkdtemp(prefix="fuda-compiled-"))


def _forget_old(root: Path) -> None:
    """Delete what has not been used for long; other processes may be doing the same."""
    limit = time.time() - KEPT_DAYS * 24 * 3600
    for folder in root.iterdir():
        try:
            if folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
