"""Files that appear whole or not at all, whatever happens while they are written."""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO


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
