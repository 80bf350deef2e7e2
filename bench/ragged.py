"""Legal moves as lists and padded: time and memory. Writes ragged.json.

    python bench/ragged.py

Time: the legal moves of 8,192 positions of random play, one core, lists against rows of `max_legal` that are
filled up. Memory: 8,192 games in lock-step by a player that values every legal move, in a process of its own:
the most that it held beyond what it had before the first deal.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.agents.agent import AgentInfo
from fuda.agents.values import ValueAgent
from fuda.core.game import GameSpec
from fuda.core.generator import CHANCE, streams
from fuda.core.kernels import unbound
from fuda.core.provenance import commit, machine, versions
from fuda.core.ragged import Lists
from fuda.core.runner import LockStep
from fuda.core.threads import limited_to

GAMES = 8192
REPEATS = 15
STATUS = Path("/proc/self/status")
legal = unbound


def pad_all(views, actions, counts):
    """What lists took the place of."""
    for k in range(len(views)):
        counts[k] = legal(views[k], actions[k])
        for m in range(counts[k], actions.shape[1]):
            actions[k, m] = actions[k, 0]


class Highest(ValueAgent):
    """Values each move by its number, so that all that a player by values keeps is there."""

    def __init__(self, spec: GameSpec):
        super().__init__(f"{spec.id}/highest", spec, AgentInfo("Highest", "Plays the highest number."))

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        return legal.items.astype(np.float32)


def positions(game_id: str) -> np.recarray:
    """Positions of games that have gone on for 0, 1, 2, ... moves."""
    table = fuda.game(game_id)
    spec = table.spec
    states, rngs = spec.new_states(GAMES), streams(1, CHANCE, 0, GAMES)
    spec.kernels.start_all(states, table.option_codes, rngs, 0, GAMES)
    moves = np.empty(spec.max_legal, np.int64)
    longest = spec.max_deal_decisions // 2
    for k in range(GAMES):
        spec.kernels.run_random(
            states[k : k + 1], table.option_codes, rngs[k : k + 1], k * longest // GAMES, moves
        )
    return states


def milliseconds(work: Callable[[], object]) -> float:
    work()
    spent = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return 1000 * statistics.median(spent)


def padded(spec: GameSpec, views: np.recarray) -> Callable[[], object]:
    pad = spec.kernels.bind(pad_all)

    def work() -> np.ndarray:
        actions, counts = np.zeros((len(views), spec.max_legal), np.int64), np.zeros(len(views), np.int64)
        pad(views, actions, counts)
        return actions

    return work


def measure(game_id: str) -> dict[str, Any]:
    spec, views = fuda.game(game_id).spec, positions(game_id)
    with limited_to(1):
        lists = spec.kernels.legal_lists(views)
        times = [milliseconds(lambda: spec.kernels.legal_lists(views)), milliseconds(padded(spec, views))]
    command = [sys.executable, __file__, "--memory-of", game_id]
    peak = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {
        "game": game_id,
        "positions": GAMES,
        "most legal moves": spec.max_legal,
        "mean legal moves": len(lists.items) / GAMES,
        "lists, ms": times[0],
        "padded, ms": times[1],
        "lists, MiB": sum(array.nbytes for array in lists) / 2**20,
        "padded, MiB": GAMES * (spec.max_legal + 1) * 8 / 2**20,
        "lock-step by values, MiB": peak,
    }


def most_held() -> float:
    """MiB of this process at its largest."""
    for line in STATUS.read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise OSError("this system does not tell a process's memory")


def lock_step_memory(game_id: str, games: int = GAMES) -> float:
    """MiB that so many games in lock-step take beyond what this process has held before."""
    table = fuda.game(game_id)
    player = Highest(table.spec)
    seatings = np.zeros((games, table.spec.seats), np.int64)
    LockStep(table, 1, np.arange(2), seatings[:2]).play([player.act])  # all code is there
    before = most_held()
    LockStep(table, 2, np.arange(games), seatings).play([player.act])
    return most_held() - before


def main() -> None:
    parser = argparse.ArgumentParser(description="Legal moves as lists and padded: time and memory.")
    parser.add_argument("--memory-of", metavar="GAME", help="only the memory of a game, in this process")
    add_results(parser)
    arguments = parser.parse_args()
    if arguments.memory_of:
        print(json.dumps(lock_step_memory(arguments.memory_of)))
        return
    rows = []
    for game_id in fuda.list_games():
        rows.append(measure(game_id))
        print(rows[-1], flush=True)
    figures = {
        "kind": "ragged lists",
        "games": rows,
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    write(arguments.results / "ragged.json", figures)


if __name__ == "__main__":
    main()
