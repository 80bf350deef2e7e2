"""How far ratings can be trusted: tournaments simulated from planted strengths, and how often 95% intervals
hold.

    python bench/simulated_ladders.py [--tournaments N]     writes simulated-ladders.json

Each tournament has players of planted strengths and a role with a planted worth, on deals that all pairs
share. The cards of a deal favour a role in all its games at once, so games on a deal are not independent,
neither of a pair nor of different pairs, while each game alone is won with exactly the planted chance.
"""

import argparse
import itertools
import time
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.arena.ratings import ELO, Played, Ratings, rate
from fuda.core.game import Game
from fuda.core.provenance import commit, machine, versions

PLAYERS, DEALS, TOURNAMENTS = 6, 256, 500
GAME = "doudizhu"  # it has roles; nothing else of it counts here
ROLE, SPREAD = 0.3, 1.0  # log odds: the landlord's over the peasants is twice the first
SHARED = 0.6  # of what decides a game, in variance: the cards


def simulated(
    game: Game, strengths: Sequence[float], role: float, num_deals: int, luck: np.random.Generator
) -> list[Played]:
    """All pairs on the same deals, of which a game is won by a normal number that its deal has a share in."""
    cards = luck.normal(size=num_deals)
    found = []
    for one, other in itertools.combinations(range(len(strengths)), 2):
        margins = np.empty((num_deals, 2))
        for seating, side in enumerate((1, -1)):  # whether the first player is the landlord
            odds = strengths[one] - strengths[other] + side * role
            bound = NormalDist().inv_cdf(1 / (1 + np.exp(-odds)))
            own = luck.normal(size=num_deals)
            number = side * np.sqrt(SHARED) * cards + np.sqrt(1 - SHARED) * own
            margins[:, seating] = np.where(number < bound, 1.0, -1.0)
        found.append(Played(name(game, one), name(game, other), 1, margins))
    return found


def name(game: Game, player: int) -> str:
    return f"{game.id}/{'random' if player == 0 else player}"


def covered(found: Ratings, strengths: Sequence[float], role: float) -> tuple[list[bool], bool]:
    """Whether the intervals hold the planted strengths, of all but the anchor, and of the role."""
    planted = {name(fuda.game(GAME), player): ELO * strength for player, strength in enumerate(strengths)}
    low_high = {row.agent: row.interval for row in found if row.agent != found.anchor}
    [term] = found.roles
    return (
        [low <= planted[agent] <= high for agent, (low, high) in low_high.items()],
        term.interval[0] <= 2 * ELO * role <= term.interval[1],
    )


def coverage(tournaments: int, seed: int, samples: int = 1000, num_deals: int = DEALS) -> dict[str, Any]:
    """How often intervals hold over so many tournaments."""
    game, luck = fuda.game(GAME), np.random.default_rng(seed)
    ratings, roles, rated = [], [], 0.0
    for _ in range(tournaments):
        strengths = np.concatenate([[0.0], luck.normal(SPREAD, SPREAD, PLAYERS - 1)])
        played = simulated(game, strengths, ROLE, num_deals, luck)
        began = time.perf_counter()
        found = rate(game, played, samples=samples)
        rated += time.perf_counter() - began
        of_ratings, of_role = covered(found, strengths, ROLE)
        ratings.append(of_ratings)
        roles.append(of_role)
    return {
        "tournaments": tournaments,
        "players": PLAYERS,
        "deals of a pair": num_deals,
        "ratings covered": float(np.mean(ratings)),
        "stderr": float(np.mean(ratings, axis=1).std() / np.sqrt(tournaments)),
        "roles covered": float(np.mean(roles)),
        "seconds a ladder": rated / tournaments,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulate tournaments and see how often the intervals hold.")
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS)
    add_results(parser)
    arguments = parser.parse_args()
    found = coverage(arguments.tournaments, seed=1)
    print(found)
    game = fuda.game(GAME)
    twelve = simulated(game, np.linspace(0, 3, 12).tolist(), ROLE, 1024, np.random.default_rng(2))
    began = time.perf_counter()
    rate(game, twelve, samples=1000)
    found["seconds, 1,000 samples, 12 players, 1,024 deals"] = time.perf_counter() - began
    found |= {"kind": "simulated ladders", "machine": machine(), "versions": versions(), "commit": commit()}
    write(arguments.results / "simulated-ladders.json", found)


if __name__ == "__main__":
    main()
