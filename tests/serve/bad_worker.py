"""A worker whose agents misbehave: greed hangs, if kills its process, random cheats, uct raises.

Hints and records are right, but wait while the file that HELD names is there.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuda.serve import worker

act = worker.act


def misbehave(question: dict[str, Any]) -> Any:
    match question["agent"]:
        case "gongzhu/greed":
            time.sleep(1000)
        case "gongzhu/if":
            os._exit(3)
        case "gongzhu/random":
            return 99
        case "gongzhu/uct":
            raise RuntimeError("no idea")
    return act(question)


def held(job: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    def dawdle(question: dict[str, Any]) -> Any:
        while Path(os.environ["HELD"]).exists():
            time.sleep(0.02)
        return job(question)

    return dawdle


worker.JOBS["act"] = misbehave
for name in ("values", "check"):
    worker.JOBS[name] = held(worker.JOBS[name])
worker.main()
