"""A worker whose agents misbehave: greed hangs, if kills its process, random cheats, uct raises.

Hints are slow, and right.
"""

import os
import time
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


values = worker.values


def dawdle(question: dict[str, Any]) -> Any:
    time.sleep(2)
    return values(question)


worker.JOBS["act"] = misbehave
worker.JOBS["values"] = dawdle
worker.main()
