"""Files that appear whole or not at all, whatever happens while they are written."""

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO


class IrregularFileError(OSError):
    """Not a file of a disk, or one that is longer than it may be; the text says which."""


def read_regular(path: Path, limit: int) -> bytes:
    """The content of a regular file that has at most `limit` bytes; an `OSError` says why not.

    A pipe would keep its reader waiting for ever, and some devices never end.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise IrregularFileError(errno.EINVAL, "it is no regular file")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise IrregularFileError(errno.EFBIG, f"the file is larger than {limit // 2**20} MiB")
    return content


@contextmanager
def replacing(*paths: Path, sync: bool = True, shared: bool = False) -> Iterator[tuple[BinaryIO, ...]]:
    """Files to write beside those at `paths`, which they replace, in this order, when all are written.

    If something goes wrong before, the old files stay and nothing is left of the new ones. `sync`: they are
    on the disk, not only on their way there, before they replace anything. `shared`: other processes or
    threads may be writing the same files.
    """
    own = f".{os.getpid()}-{threading.get_ident()}" if shared else ""
    parts = [path.with_name(f".{path.name}{own}.part") for path in paths]
    try:
        with ExitStack() as stack:
            files = tuple(stack.enter_context(part.open("wb")) for part in parts)
            yield files
            for file in files if sync else ():
                file.flush()
                os.fsync(file.fileno())
        for part, path in zip(parts, paths, strict=True):
            part.replace(path)
    except BaseException:
        for part in parts:
            with contextlib.suppress(OSError):  # it may be that its very folder is not there
                part.unlink()
        raise
