"""Many games of Dou Dizhu in lock-step, in a process of their own: memory follows the moves there are."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "bench" / "ragged.py"
MOST = 64  # MiB; rows of max_legal took 209


def test_8192_games_of_dou_dizhu_take_less_than_64_mib():
    run = subprocess.run(
        [sys.executable, str(SCRIPT), "--memory-of", "doudizhu"], check=True, capture_output=True, text=True
    )
    assert 1 < json.loads(run.stdout) < MOST
