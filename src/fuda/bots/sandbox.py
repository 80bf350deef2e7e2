"""Bubblewrap around a bot, where it works: no network, nothing to write to but its own folder."""

import functools
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "bwrap"
TRIAL_SECONDS = 5.0
# All of the system can be read, nothing be written; no network, no other processes to be seen.
SHUT = (
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent",
)  # fmt: skip


@functools.cache
def why_not() -> str | None:
    """Why bots run without bubblewrap here, None if they run in it: tried once."""
    program = shutil.which(PROGRAM)
    if program is None:
        return "bubblewrap is not installed"
    try:
        trial = subprocess.run(
            [program, *SHUT, "--", "true"], capture_output=True, text=True, timeout=TRIAL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    if trial.returncode:
        return f"bubblewrap is not allowed here: {' '.join(trial.stderr.split())[:200]}"
    return None


def sandboxed(command: Sequence[str], folder: str) -> list[str]:
    """The command within bubblewrap, where it works; it may write to the folder."""
    if why_not() is not None:
        return list(command)
    here = str(Path.cwd())
    return [PROGRAM, *SHUT, "--bind", folder, folder, "--chdir", here, "--", *command]
