"""What a choice of lock-step self-play costs the CPU; into bench/results/deals-GAME.json.

    python bench/deals.py [doudizhu] [--games 1024] [--ticks 120]

A policy of the game makes the choices, now and then one is random. Timed are the moves with all that is
forced after them, and the writing down of the next choice and its legal moves for a network. Processor time
of one core, the least of some rounds.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import fuda
from fuda.core.provenance import commit, machine, versions
from fuda.core.ragged import segment_argmax
from fuda.core.threads import limited_to
from fuda.games import part
from fuda.nets.readers import READERS
from fuda.training.deals import Deals
from fuda.training.rewards import judge_win

RESULTS = Path(__file__).parent / "results"
SEED = 5
EPSILON = 0.05
WARM_UP = 40  # ticks, until games are at all stages
ROUNDS = 3


class Timed:
    """Games of a policy against itself, and how long the CPU was busy with them."""

    def __init__(self, game_id: str, size: int):
        game = fuda.game(game_id)
        self.spec = game.spec
        judge = self.spec.kernels.bind(judge_win)
        encoding = part(game_id, "encoding")
        reader = READERS[encoding.PLAYED_BY](encoding, self.spec, "cpu")
        self.deals = Deals(game, reader, judge, 1, size, SEED)
        policy = self.spec.policy(self.spec.fallback)
        self.choose_all = self.spec.kernels.chooser(policy.name, policy.choose)
        self.rngs = np.arange(size, dtype=np.uint64)

    def rows(self) -> np.ndarray:
        """The move of each game [B], as its row of `choices`."""
        deals, size = self.deals, self.deals.size
        seats, chosen = deals.games.states["seat"].astype(np.int64), np.empty(size, np.int64)
        self.choose_all(deals.games.states, seats, self.rngs, chosen, 0, size)
        starts, given = deals.choices.starts, deals.games.given
        by_policy = segment_argmax(deals.choices.actions == np.repeat(chosen, np.diff(starts)), starts)
        return np.where(given < 0, by_policy, starts[:-1] + given)

    def tick(self) -> tuple[float, float, int]:
        """Seconds of a tick and of its second half, the observation; and how many moves that had."""
        rows = self.rows()
        began = time.process_time()
        self.deals.play(rows, np.zeros((self.deals.size, 1), np.float32), EPSILON, 1.0)
        played = time.process_time()
        self.deals.observe()
        return played - began, time.process_time() - played, len(self.deals.choices.actions)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the CPU's half of self-play on one core.")
    parser.add_argument("game", nargs="?", default="doudizhu")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--ticks", type=int, default=120)
    arguments = parser.parse_args()
    with limited_to(1):
        timed = Timed(arguments.game, arguments.games)
        for _ in range(WARM_UP):
            timed.tick()
        # The median of a round: now and then the system takes the core away.
        found = [[timed.tick() for _ in range(arguments.ticks)] for _ in range(ROUNDS)]
    tick, observe = np.median(found, axis=1)[:, :2].min(axis=0) / arguments.games
    moves = np.mean(found, axis=(0, 1))[2] / arguments.games
    figures = {
        "kind": "deals", "game": arguments.game, "policy": timed.spec.fallback, "epsilon": EPSILON,
        "choices per second of a core": round(1 / tick),
        "microseconds of a choice": round(1e6 * tick, 2),
        "of these to write it down with its moves": round(1e6 * observe, 2),
        "legal moves of a choice": round(moves, 1),
        "games together": arguments.games, "ticks": ROUNDS * arguments.ticks,
        "commit": commit(), "machine": machine(), "versions": versions(),
    }  # fmt: skip
    (RESULTS / f"deals-{arguments.game}.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
