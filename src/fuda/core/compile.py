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
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

CORE = Path(__file__).parent
KEPT_FOLDERS = 24  # a few versions of each game's code; older ones are deleted


def compiled(function: F) -> F:
    """Compile `function`, which may call compiled functions of its own folder and of `core`."""
    return _jit(function, (Path(function.__code__.co_filename).parent,))


def bind(function: F, owner: str, sources: tuple[Path, ...], names: Mapping[str, Any]) -> F:
    """Compile a loop that is written once for all games with one game's functions in its globals.

    `owner` tells the copies apart in the cache; `sources` are the folders that `names` come from.
    A function passed as an argument would be compiled again in every process: this is not.
    """
    copy = types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__
    )
    copy.__qualname__ = f"{owner}.{function.__qualname__}"
    copy.__module__ = function.__module__
    return _jit(copy, (Path(function.__code__.co_filename).parent, *sources))


def _jit(function: Any, sources: tuple[Path, ...]) -> Any:
    if numba.config.DISABLE_JIT:
        return function
    # Numba picks the cache folder while it decorates: point it at ours just then, so that
    # other Numba code in the same process keeps its own.
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(frozenset(sources)))
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = previous


@functools.cache
def cache_folder(sources: frozenset[Path]) -> Path:
    """Where the machine code made from these folders (and `core`) is kept."""
    digest = hashlib.sha256()
    for flag in (numba.__version__, sys.version, numba.config.BOUNDSCHECK, numba.config.OPT):
        digest.update(repr(flag).encode())
    for folder in sorted({CORE, *sources}):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    folder = cache_root() / digest.hexdigest()[:16]
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder.parent)
    return folder


@functools.cache
def cache_root() -> Path:
    """The user's cache folder, or a temporary one where that cannot be written."""
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(base) / "fuda" / "compiled"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"fuda-compiled-{os.getuid()}"


def _forget_old(root: Path) -> None:
    folders = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)
