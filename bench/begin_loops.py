"""What it costs to begin a compiled loop on many threads, beside the loop's own work; into begin-loops.json.

    python bench/begin_loops.py [--threads 16]

The loop is that of Gongzhu's tree search in training, with its 29 arguments and nothing to do. A thread pool
of the standard library and Numba's own way to a loop's machine code are the baseline.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.core.entry import entry
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import Crew
from fuda.games.gongzhu import encoding
from fuda.search.network_tree import TreeSetting
from fuda.training import tree_play

CALLS, ROUNDS = 500, 7


def loop_of_training() -> tuple[Callable[..., None], tuple[object, ...]]:
    """The loop and its arguments, without the share."""
    found: list[tuple[Callable[..., None], tuple[object, ...]]] = []
    play = tree_play.TreePlay(fuda.game("gongzhu"), encoding, 64, 1, TreeSetting(30.0), sharpness=0.2)
    tree_play.split = lambda loop, *arguments, **_: found.append((loop, arguments))
    play.advance(np.zeros(64, np.float32))
    return found[0]


def microseconds(work: Callable[[], object]) -> float:
    """Of a call: the median of some rounds."""
    spent = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(CALLS):
            work()
        spent.append((time.perf_counter() - began) / CALLS * 1e6)
    return round(statistics.median(spent), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to begin a loop on many threads.")
    parser.add_argument("--threads", type=int, default=16)
    add_results(parser)
    arguments = parser.parse_args()
    count = arguments.threads
    loop, given = loop_of_training()
    passed = (*given, 0, 0)
    at_once = entry(loop, passed)
    crew, pool = Crew(count), ThreadPoolExecutor(count)

    def by_pool(function: Callable[..., None]) -> float:
        return microseconds(
            lambda: [job.result() for job in [pool.submit(function, *passed) for _ in range(count)]]
        )

    def by_crew(function: Callable[..., None]) -> float:
        return microseconds(lambda: crew.work([(function, passed)] * count))

    figures = {
        "kind": "begin loops", "threads": count, "unit": "microseconds until all have ended",
        "pool, Numba's dispatcher": by_pool(loop), "pool, entry": by_pool(at_once),
        "crew, Numba's dispatcher": by_crew(loop), "crew, entry": by_crew(at_once),
    }  # fmt: skip
    baseline = figures["pool, Numba's dispatcher"] / figures["crew, entry"]
    origin = {"commit": commit(), "machine": machine(), "versions": versions()}
    path = arguments.results / "begin-loops.json"
    write(path, figures | {"ratio": round(baseline, 1)} | origin)
    print(path.read_text())


if __name__ == "__main__":
    main()
