"""What a choice of lock-step self-play costs the CPU; into deals-RECIPE.json.

    python bench/deals.py [doudizhu] [--games 1024] [--ticks 120]

Any recipe of `values` will do. A policy of the game makes the choices, now and then one is random. Timed are
the moves with all that is forced after them and the writing down of the next choice for a network, with its
legal moves where the network reads these. Processor time of one core, the least of some rounds.
"""

import argparse
import json
import time
from dataclasses import replace

import numpy as np
import torch
from results_folder import OWN, add_results, write

from fuda.core.generator import SAMPLE, streams
from fuda.core.provenance import commit, machine, versions
from fuda.core.ragged import segment_argmax
from fuda.core.threads import limited_to
from fuda.training.deals import BY_VALUE
from fuda.training.registry import find_recipe
from fuda.training.values import Run

SEED = 5
EPSILON = 0.05
WARM_UP = 40  # ticks, until games are at all stages
ROUNDS = 3


class Timed:
    """Games of a policy against itself, and how long the CPU was busy with them."""

    def __init__(self, recipe: str, size: int):
        found = replace(find_recipe(recipe).recipe, groups=1, group_size=size, seed=SEED, guests={})
        run = Run(found, OWN, torch.device("cpu"), None)
        self.spec, self.deals = run.game.spec, run.groups[0].deals
        self.play = run.play._replace(epsilon=EPSILON)
        policy = self.spec.policy(self.spec.fallback)
        self.choose_all = self.spec.kernels.chooser(policy.name, policy.choose)
        self.rngs = streams(SEED, SAMPLE, 0, size)
        self.values = np.zeros((size, run.reward.width), np.float32)

    def places(self) -> np.ndarray:
        """The move of each game [B], as its place among the legal ones."""
        games, size = self.deals.games, self.deals.size
        seats, chosen = games.states["seat"].astype(np.int64), np.empty(size, np.int64)
        self.choose_all(games.states, seats, self.rngs, chosen, 0, size)
        legal = self.spec.kernels.legal_lists(games.states)
        rows = segment_argmax(legal.items == np.repeat(chosen, games.counts), legal.starts)
        return np.where(games.given == BY_VALUE, rows - legal.starts[:-1], games.given)

    def tick(self) -> tuple[float, float, int, int]:
        """Seconds of a tick and of listing its moves; how many these are, and the games that ended."""
        places, before = self.places(), self.deals.num_games
        began = time.process_time()
        self.deals.play(places, self.values, self.play)
        played = time.process_time()
        self.deals.list_moves()
        listed = time.process_time() - played
        return played - began, listed, self.deals.games.counts.sum(), self.deals.num_games - before


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the CPU's half of self-play on one core.")
    parser.add_argument("recipe", nargs="?", default="doudizhu")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--ticks", type=int, default=120)
    add_results(parser)
    arguments = parser.parse_args()
    with limited_to(1):
        timed = Timed(arguments.recipe, arguments.games)
        for _ in range(WARM_UP):
            timed.tick()
        # The median of a round: now and then the system takes the core away.
        found = [[timed.tick() for _ in range(arguments.ticks)] for _ in range(ROUNDS)]
    tick, listed = np.median(found, axis=1)[:, :2].min(axis=0) / arguments.games
    moves, games = np.mean(found, axis=(0, 1))[2:] / arguments.games
    figures = {
        "kind": "deals", "game": timed.spec.id, "recipe": arguments.recipe, "policy": timed.spec.fallback,
        "epsilon": EPSILON,
        "choices per second of a core": round(1 / tick),
        "games per second of a core": round(games / tick),
        "microseconds of a choice": round(1e6 * tick, 2),
        "of these to list its moves": round(1e6 * listed, 2),
        "legal moves of a choice": round(moves, 1),
        "choices of a game": round(1 / games, 1),
        "games together": arguments.games, "ticks": ROUNDS * arguments.ticks,
        "commit": commit(), "machine": machine(), "versions": versions(),
    }  # fmt: skip
    write(arguments.results / f"deals-{arguments.recipe}.json", figures)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
