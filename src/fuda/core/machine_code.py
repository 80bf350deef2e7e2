"""Machine code on disk, found by what it was made from.

Numba's own disk cache goes by a source file's path and time: it misses a change of a compiled helper in
another file, and compiles again what did not change when its file was touched or copied. So the code of a
function is kept under a hash of its own bytecode, of the bytecode of every compiled function that it can
call, and of the constants that they all use: an edit elsewhere, or another checkout, finds it again.
Processes that need the same code at the same time take turns: the first one compiles, the others read.
"""

import enum
import fcntl
import functools
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, _Cache

from fuda.core.files import replacing

KEPT_DAYS = 14  # machine code that was not used for so long is deleted
TURN_SECONDS = 120.0  # who waits longer for another process's code compiles it itself
LOOK_SECONDS = 0.02


class MachineCode(_Cache):  # type: ignore[misc]  # Numba is not typed
    """What Numba asks for the compiled code of one function: a file for each signature."""

    def __init__(self, function: types.FunctionType):
        self._function = function
        self._reduced = CompileResultCacheImpl.__new__(CompileResultCacheImpl)  # knows how to pickle, no more
        self._turns: dict[str, BinaryIO | None] = {}  # by the key of what this process is compiling

    @property
    def cache_path(self) -> str:
        """The folder of this function's code."""
        return str(self._folder)

    @functools.cached_property
    def _folder(self) -> Path:
        # Not before the first call: until then functions further down in the file are not there yet.
        return cache_root() / fingerprint(self._function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, None where there is none."""
        target_context.refresh()
        key = _key(sig, target_context.codegen())
        data = self._read(key)
        if data is None:
            for tell in tuple(_told_of_compiling):
                tell()
            self._turns[key] = _take_turn(_file(self._folder, key).with_suffix(".turn"))
            data = self._read(key)
            if data is None:
                return None  # Numba compiles now, and then saves
            self._end_turn(key)
        _mark_used(self._folder)
        return self._reduced.rebuild(target_context, data)

    def _read(self, key: str) -> Any:
        try:
            kept, data = pickle.loads(_file(self._folder, key).read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return data if kept == key else None

    def _end_turn(self, key: str) -> None:
        turn = self._turns.pop(key, None)
        if turn is not None:
            turn.close()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep new code; other processes may be doing the same."""
        key = _key(sig, data.codegen)
        try:
            if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            _forget_old(self._folder.parent)
            with replacing(_file(self._folder, key), sync=False, shared=True) as (file,):
                file.write(pickle.dumps((key, self._reduced.reduce(data))))
        except OSError:  # a full disk is no reason to stop: it is compiled again next time
            return
        finally:
            self._end_turn(key)

    def enable(self) -> None:
        """It is always on."""

    def disable(self) -> None:
        """It is always on."""

    def flush(self) -> None:
        """Forget the code of this function."""
        shutil.rmtree(self._folder, ignore_errors=True)


_told_of_compiling: list[Callable[[], None]] = []


@contextmanager
def telling_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` meanwhile, on any thread, whenever something has to be compiled that is not on disk."""
    _told_of_compiling.append(tell)
    try:
        yield
    finally:
        _told_of_compiling.remove(tell)


def _take_turn(path: Path) -> BinaryIO | None:
    """Wait until no other process holds this file; None where that takes too long or there can be none.

    The file is held until it is closed, or the process ends. No two processes wait for each other: while a
    function is compiled only those that it calls are waited for.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("wb")
    except OSError:
        return None
    until = time.monotonic() + TURN_SECONDS
    while time.monotonic() < until:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError:
            time.sleep(LOOK_SECONDS)
    file.close()
    return None


def _key(sig: Any, codegen: Any) -> str:
    """A signature and the processor, as text."""
    return f"{sig}|{codegen.magic_tuple()}"


def _file(folder: Path, key: str) -> Path:
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.code"


def fingerprint(function: types.FunctionType) -> str:
    """A hash of all that the machine code of a function is made from."""
    digest = hashlib.sha256()
    for flag in (numba.__version__, sys.version, numba.config.BOUNDSCHECK, numba.config.OPT):
        digest.update(repr(flag).encode())
    digest.update(_own_part(function))
    for part in sorted(_own_part(callee) for callee in _callees(function)):
        digest.update(part)
    return digest.hexdigest()[:24]


def _callees(function: types.FunctionType) -> set[types.FunctionType]:
    """All functions that `function` can come to call, itself included."""
    seen: set[types.FunctionType] = set()
    to_visit = [function]
    while to_visit:
        current = to_visit.pop()
        if current not in seen:
            seen.add(current)
            to_visit += [found for _, value in _named(current) if (found := _function_of(value)) is not None]
    return seen


_parts: dict[types.FunctionType, bytes] = {}  # of functions whose globals are complete


def _own_part(function: types.FunctionType) -> bytes:
    """A hash of one function: bytecode and constants; of other functions the names alone."""
    known = _parts.get(function)
    if known is not None:
        return known
    digest = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode())
    _add_code(digest, function.__code__, function.__doc__)
    digest.update(repr(function.__defaults__).encode())
    for name, value in _named(function):
        digest.update(f"{name}={_described(value)};".encode())
    _parts[function] = digest.digest()
    return _parts[function]


def _add_code(digest: Any, code: types.CodeType, doc: str | None) -> None:
    """Bytecode and what it names; neither line numbers nor the docstring change what it does."""
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_flags)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _add_code(digest, constant, None)
        elif doc is None or constant != doc:
            digest.update(repr(constant).encode())


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The global things that a function names, those inside modules and its closure included."""
    names = _names_in(function.__code__)
    for name in sorted(names):
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            for inner in sorted(names):
                if hasattr(value, inner):
                    yield f"{value.__name__}.{inner}", getattr(value, inner)
        elif value is not None:
            yield name, value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _names_in(code: types.CodeType) -> set[str]:
    inner = [_names_in(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*inner)


def _function_of(value: Any) -> types.FunctionType | None:
    """The Python function behind a compiled function or an intrinsic, None for anything else."""
    for attribute in ("py_func", "_defn"):
        function = getattr(value, attribute, None)
        if isinstance(function, types.FunctionType):
            return function
    return None


def _described(value: Any) -> str:
    """A constant by its value, a function by its name and whether it is inlined."""
    function = _function_of(value) or value
    if isinstance(value, np.ndarray):
        return f"{value.dtype.descr}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, enum.EnumType):
        return repr(list(value))
    if callable(function) and hasattr(function, "__qualname__"):
        is_inlined = getattr(value, "targetoptions", {}).get("forceinline", False)
        return f"{function.__module__}.{function.__qualname__}{' inlined' * is_inlined}"
    return repr(value)


@functools.cache
def cache_root() -> Path:
    """The user's cache folder, or a new temporary one where that cannot be written."""
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(base) / "fuda" / "machine-code"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.mkdtemp(prefix="fuda-machine-code-"))


def _mark_used(folder: Path) -> None:
    try:
        os.utime(folder)
    except OSError:  # it is another user's, or just being deleted
        return


@functools.cache
def _forget_old(root: Path) -> None:
    """Once in a process that compiles: delete what has not been used for long; others may do the same."""
    limit = time.time() - KEPT_DAYS * 24 * 3600
    for folder in root.iterdir():
        try:
            if folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
