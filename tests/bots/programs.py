"""Bots for tests: the commands that run them, and which of their processes are left."""

import os
import shlex
import sys
import time
import uuid
from pathlib import Path

import fuda

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples" / "bots"
PATIENCE = 60.0
PLAIN = f"{sys.executable} -I -S"  # starts quickly


def bad_bot(mode: str, mark: str) -> str:
    return f"{PLAIN} {HERE / 'bad_bot.py'} {mode} {mark}"


def first_bot() -> str:
    return f"{PLAIN} {EXAMPLES / 'first.py'}"


def our_agent(name: str) -> str:
    """`fuda bot serve` with the sources and games of these tests."""
    path = os.pathsep.join([str(Path(fuda.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    return f"env PYTHONPATH={shlex.quote(path)} {sys.executable} -m fuda bot serve {name}"


def new_mark() -> str:
    return uuid.uuid4().hex


def processes(mark: str) -> list[int]:
    """The processes with the mark on their command line; those that are dead already do not count."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if mark.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
    return found


def nothing_left(mark: str) -> bool:
    """Whether all its processes end, now or soon."""
    deadline = time.monotonic() + PATIENCE
    while processes(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
