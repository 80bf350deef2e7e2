"""A training run killed by SIGKILL and resumed, beside one that nobody disturbed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from fuda.training.run_folder import LOG, read_checkpoint

SCRIPT = """
import sys
from importlib import import_module
from pathlib import Path
import torch
from fuda.training import conduct
torch.set_num_threads(1)
conduct.CHECKPOINT_SECONDS, conduct.LOG_SECONDS = 0.1, 0.0
conduct.EVALUATE_GAMES_ON_CPU = conduct.EVALUATE_GAMES = conduct.LAST_GAMES = 2
algorithm, tests, recipe, out, how = sys.argv[1:]
recipe = getattr(import_module(tests), recipe)
run = import_module(f"fuda.training.{algorithm}").Run(recipe, Path(out), torch.device("cpu"), None)
conduct.conduct(run, resume=how == "resume")
"""


def undisturbed_and_killed(
    folder: Path, algorithm: str, tests: str, recipe: str, num_lines: int
) -> tuple[Path, Path]:
    """Two folders of one recipe of the module `tests`; the second run was killed after so many log lines."""
    undisturbed, killed = folder / "undisturbed", folder / "killed"

    def run(out: Path, how: str) -> subprocess.Popen:
        arguments = [sys.executable, "-c", SCRIPT, algorithm, tests, recipe, str(out), how]
        return subprocess.Popen(arguments, env=os.environ | {"PYTHONPATH": os.pathsep.join([".", *sys.path])})

    assert run(undisturbed, "new").wait() == 0
    for _ in range(5):  # on a busy machine a run may be over before it is killed
        process = run(killed, "new")
        while process.poll() is None and not is_under_way(killed, num_lines):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            break
        shutil.rmtree(killed)
    assert process.returncode == -signal.SIGKILL, "no run could be killed in its middle"
    assert run(killed, "resume").wait() == 0
    return undisturbed, killed


def is_under_way(run: Path, num_lines: int) -> bool:
    """Whether a run has so many lines in its log, and a checkpoint that is not of its start."""
    log = run / LOG
    if not log.exists() or len(log.read_text().splitlines()) < num_lines:
        return False
    return bool(read_checkpoint(run)["seconds"] > 0)
