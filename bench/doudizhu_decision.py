"""How long a Dou Dizhu player thinks on one CPU core, without torch.

    python bench/doudizhu_decision.py [best-raw] [--games 1000]    into results/doudizhu-decision-PLAYER.json

Decisions with a choice are timed one by one, as at a table, over games of the player against itself; then one
with as many legal moves as a search over hands found; then decisions of games that advance together. Beside
the time that a player waits stands the processor's own, which other programs at work do not lengthen.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import fuda
from fuda.agents import Agent
from fuda.core.match import Match
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.core.threads import limited_to
from fuda.games.doudizhu.moves import BLACK, RANKS

RESULTS = Path(__file__).parent / "results"
SEED = 300
REPEATS = 20
TOGETHER, SEARCHING = 256, 16  # games that advance together; of a player that searches
MOST_MOVES = "345556667778889TJQKA"  # no hand was found that may lead more: 519


class Seconds(NamedTuple):
    """How long something took."""

    waited: float
    worked: float  # by the processor


def seconds_of(agent: Agent, match: Match) -> tuple[str, Seconds]:
    """A move, and how long it took."""
    waited, worked = time.perf_counter(), time.process_time()
    move = agent.choose(match)
    return move, Seconds(time.perf_counter() - waited, time.process_time() - worked)


def alone(agent: Agent, games: int) -> tuple[list[Seconds], int]:
    """How long each decision with a choice took, and the most legal moves of one."""
    spent, most = [], 0
    for seed in range(SEED, SEED + games):
        match = fuda.game("doudizhu").start(seed)
        while not match.over:
            count = len(match.legal())
            move, seconds = seconds_of(agent, match)
            if count > 1:
                spent.append(seconds)
                most = max(most, count)
            match.play(move)
    return spent, most


def with_most_moves() -> Match:
    """A landlord with that hand to lead; the others have the cards that are left."""
    left = "".join(4 * rank for rank in RANKS[:BLACK]) + RANKS[BLACK:]
    for card in MOST_MOVES:
        left = left.replace(card, "", 1)
    return fuda.game("doudizhu").start(deal={"hands": [MOST_MOVES, left[::2], left[1::2]]})


def together(agent: Agent, games: int) -> tuple[int, Seconds]:
    """How many decisions with a choice games have that advance together, and how long all of it took."""
    asked = 0

    def act(views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += int((agent.spec.kernels.legal_lists(views).counts > 1).sum())
        return agent.act(views, seats, rngs)

    seating = np.zeros((games, agent.spec.seats), np.int64)
    runner = LockStep(fuda.game("doudizhu"), SEED, np.arange(games), seating)
    waited, worked = time.perf_counter(), time.process_time()
    runner.play([act])
    return asked, Seconds(time.perf_counter() - waited, time.process_time() - worked)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time a Dou Dizhu player's decisions on one core.")
    parser.add_argument("player", nargs="?", default="best-raw")
    parser.add_argument("--games", type=int, default=1000)
    arguments = parser.parse_args()
    with limited_to(1):
        agent = fuda.agent(f"doudizhu/{arguments.player}")
        agent.warm_up()
        spent, most = alone(agent, arguments.games)
        crowded = with_most_moves()
        slow = [seconds_of(agent, crowded)[1] for _ in range(REPEATS)]
        at_once = SEARCHING if agent.info.searches else TOGETHER
        asked, whole = together(agent, at_once)

    def by(clock: str) -> dict[str, float]:
        each, crowd = ([1e3 * getattr(seconds, clock) for seconds in some] for some in (spent, slow))
        return {
            "mean ms": round(float(np.mean(each)), 2),
            "99 of 100 below, ms": round(float(np.quantile(each, 0.99)), 2),
            "slowest, ms": round(max(each), 2),
            f"slowest of {REPEATS} with the most moves, ms": round(max(crowd), 2),
            "decisions per second, games together": round(asked / getattr(whole, clock)),
        }  # fmt: skip

    figures = {
        "kind": "doudizhu decision", "game": "doudizhu", "player": arguments.player, "weights": agent.weights,
        "games": arguments.games, "decisions": len(spent), "most legal moves": most,
        "most moves": len(crowded.legal()), "games together": at_once, "cores": 1,
        **{clock: by(clock) for clock in Seconds._fields},
        "others at work (load)": round(os.getloadavg()[0], 1),
        "machine": machine(), "versions": versions(), "commit": commit(),
    }  # fmt: skip
    (RESULTS / f"doudizhu-decision-{arguments.player}.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
