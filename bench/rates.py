"""Decisions a second, for scripts that other interpreters start too: nothing but the standard library."""

import statistics
import time
from collections.abc import Callable

REPEATS = 3


def rate(play: Callable[[], int], seconds: float) -> int:
    """Decisions a second of processor time, the median of some runs; `play` says how many it made."""
    play()  # compile, load
    found = []
    for _ in range(REPEATS):
        done, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            done += play()
        found.append(done / spent)
    return round(statistics.median(found))
