"""How fast a game's engine is: decisions a second, by random play."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from fuda.agents import agent
from fuda.core.game import Game
from fuda.core.generator import CHANCE, streams
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.core.threads import limited_to, num_cores
from fuda.games import game as find_game

NUM_STATES = 1024  # enough to leave the first cache, as real play does
REPEATS = 5
LARGE_BATCH = 16_384
PLAIN_DECISIONS = 2_000


def measure(game_id: str, seconds: float = 0.4) -> dict[str, Any]:
    """All figures of one game, with their origin. Each is the median of some repeats."""
    table = find_game(game_id)
    bare = _rate(table, seconds, with_views=False)
    plain = _plain_rate(game_id)
    return {
        "kind": "engine speed",
        "game": game_id,
        "rules_version": table.spec.rules_version,
        "unit": "decisions per second, random play",
        "one core: legal + choice + step": round(bare),
        "one core: with views": round(_rate(table, seconds, with_views=True)),
        "two cores: legal + choice + step": round(_rate_on_cores(table, seconds, 2)),
        "one core: lock-step, agents' batch interface": round(_lock_step_rate(table, 1)),
        f"{num_cores()} cores: lock-step, agents' batch interface": round(
            _lock_step_rate(table, num_cores())
        ),
        "baseline: the same rules in plain Python": round(plain),
        "ratio to the baseline": round(bare / plain),
        "bytes of a state": table.spec.rules.STATE.itemsize,
        f"MiB of {LARGE_BATCH} matches": round(_batch_bytes(table) / 2**20, 2),
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }


def _rate(table: Game, seconds: float, *, with_views: bool, seed: int = 1) -> float:
    """Decisions a second on this thread."""
    run = _random_player(table, seed, with_views=with_views)
    run(1000)  # compile, or load what was compiled
    decisions = 100_000
    return statistics.median(_timed(run, decisions, seconds) for _ in range(REPEATS))


def _timed(run: Callable[[int], None], decisions: int, seconds: float) -> float:
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        run(decisions)
        done += decisions
    return done / spent


def _random_player(table: Game, seed: int, *, with_views: bool) -> Callable[[int], None]:
    spec = table.spec
    states, views = spec.new_states(NUM_STATES), spec.new_states(NUM_STATES)
    rngs = streams(seed, CHANCE, 0, NUM_STATES)
    moves = np.empty(spec.max_legal, np.int64)
    spec.kernels.start_all(states, table.option_codes, rngs, 0, NUM_STATES)
    if with_views:
        return lambda count: spec.kernels.run_random_on_views(
            states, table.option_codes, rngs, count, moves, views
        )
    return lambda count: spec.kernels.run_random(states, table.option_codes, rngs, count, moves)


def _rate_on_cores(table: Game, seconds: float, cores: int) -> float:
    players = [_random_player(table, seed, with_views=False) for seed in range(cores)]

    def once() -> float:
        with ThreadPoolExecutor(cores) as pool:
            return sum(pool.map(lambda run: _timed(run, 100_000, seconds), players))

    return statistics.median(once() for _ in range(REPEATS))


def _lock_step_rate(table: Game, cores: int) -> float:
    """Decisions a second through views, an agent's `act` and the legality check."""
    player = agent(f"{table.id}/random")
    deals = np.arange(4096)
    seatings = np.zeros((len(deals), table.spec.seats), np.int64)
    rates = []
    with limited_to(cores):
        for _ in range(REPEATS):
            runner = LockStep(table, 1, deals, seatings)
            decisions: list[int] = []
            began = time.perf_counter()
            runner.play([player.act], on_move=decisions.append)
            rates.append(sum(decisions) / (time.perf_counter() - began))
    return statistics.median(rates)


def _batch_bytes(table: Game) -> int:
    runner = LockStep(table, 1, np.arange(LARGE_BATCH), np.zeros((LARGE_BATCH, table.spec.seats), np.int64))
    arrays = (runner.states, runner.chance, runner.luck, runner.seatings)
    return sum(array.nbytes for array in arrays) + runner.states.nbytes  # and a view of each match


def _plain_rate(game_id: str) -> float:
    """The same rules with compilation off, in a process of their own."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "fuda.arena.speed", game_id]
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(json.loads(run.stdout))


if __name__ == "__main__":
    player = _random_player(find_game(sys.argv[1]), 1, with_views=False)
    start = time.perf_counter()
    player(PLAIN_DECISIONS)
    print(json.dumps(PLAIN_DECISIONS / (time.perf_counter() - start)))
