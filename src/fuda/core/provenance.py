"""Where a figure comes from: commit, versions, machine. Stored beside every result."""

import functools
import hashlib
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

from fuda.core.errors import DISTRIBUTION
from fuda.core.threads import num_cores

PACKAGES = {"fuda": DISTRIBUTION, "numpy": "numpy", "numba": "numba"}  # what pip calls them


NOTE = ".commit"  # beside `src`: where a copy without git was taken from, written by this module


@functools.cache
def commit() -> str | None:
    """The git commit of the sources, marked if they were changed since; None if not in git.

    A copy of a working tree may bring a note of it (`python -m fuda.core.provenance > .commit`), which
    counts as long as the sources are those that it was written for.
    """
    here = Path(__file__).parent.parent  # the whole package
    noted = _noted(here.parent.parent / NOTE)
    if noted is not None:
        return noted
    try:
        _git(here, "ls-files", "--error-unmatch", __file__)  # not a copy inside another repository
        head = _git(here, "rev-parse", "--short=12", "HEAD")
        changed = _git(here, "status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.CalledProcessError):
        return None
    return head + ("-changed" if changed else "")


def _noted(note: Path) -> str | None:
    """What the note says, if it was written for these sources."""
    try:
        head, written_for = note.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return None
    return head if written_for == sources() else None


@functools.cache
def sources() -> str:
    """A hash of all of fuda's sources: what was run, whether or not it was committed."""
    here = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for file in sorted(here.rglob("*.py")):
        digest.update(str(file.relative_to(here)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _git(folder: Path, *arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return run.stdout.strip()


def versions() -> dict[str, str]:
    """Python's and the packages' versions."""
    found = {"python": platform.python_version()}
    for package, name in PACKAGES.items():
        try:
            found[package] = metadata.version(name)
        except metadata.PackageNotFoundError:  # run from a bare source tree
            found[package] = "source"
    return found


def machine() -> dict[str, Any]:
    """The processor and the cores that this process may use."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return {"processor": model, "cores": num_cores(), "system": platform.system()}


if __name__ == "__main__":
    print(commit(), sources())
