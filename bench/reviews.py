"""What players give away in a game by the agent that reviews it, and whether the accounts hold.

    python bench/reviews.py                    every game's players, weakest first
    python bench/reviews.py koikoi --games 50  one game, fewer matches

Each player plays itself; the seats take turns to be reviewed, without second looks. Writes
reviews-GAME.json: the mean cost of a game for each player, how much luck there was, and in how
many reviews result = luck - cost + others_cost holds exactly, over the match and at each decision.
"""

import argparse
import time
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.agents import Agent
from fuda.core.provenance import commit, machine, versions
from fuda.explain.review import Review, reviewer_of
from fuda.explain.walk import walk

PLAYERS = {
    "koikoi": ("random", "classical", "rl-wp"),
    "doudizhu": ("random", "rhcp", "best-raw"),
    "gongzhu": ("random", "greed", "best-raw"),
}
SEED = 40_000


def played(game_id: str, player: Agent, games: int) -> list[fuda.Match]:
    """Matches of a player against itself, to their ends."""
    found: dict[int, fuda.Match] = {}
    for numbers, matches in walk(fuda.game(game_id), player, games, SEED):
        found |= dict(zip(numbers.tolist(), matches, strict=True))
    return [match for _, match in sorted(found.items())]


def holds(review: Review) -> bool:
    """Whether the account of the match and those of all its decisions are exact."""
    return all(
        one.result == one.luck - one.cost + one.others_cost
        for one in (review, review.opening, *review.decisions)
    )


def measure(game_id: str, name: str, judge: Agent, games: int) -> dict[str, Any]:
    matches = played(game_id, fuda.agent(f"{game_id}/{name}"), games)
    began = time.perf_counter()
    seats = fuda.game(game_id).spec.seats
    reviews = [fuda.review(match, number % seats, judge, scenarios=0) for number, match in enumerate(matches)]
    spent = time.perf_counter() - began
    row: dict[str, Any] = {"player": f"{game_id}/{name}", "games": len(reviews)}
    for figure in ("cost", "others_cost", "luck", "result"):
        values = np.array([getattr(review, figure) for review in reviews])
        row[figure] = float(values.mean())
        row[f"{figure}_stderr"] = float(values.std(ddof=1) / len(values) ** 0.5)
        row[f"{figure}_deviation"] = float(values.std(ddof=1))
    row["decisions"] = sum(len(review.decisions) for review in reviews)
    row["exact"] = sum(map(holds, reviews))
    row["seconds a review"] = spent / len(reviews)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description="Costs of players by reviews.")
    parser.add_argument("game", nargs="*", help=f"of {', '.join(PLAYERS)}; else all")
    parser.add_argument("--games", type=int, default=1000, help="matches of each player")
    add_results(parser)
    arguments = parser.parse_args()
    for game_id in arguments.game or PLAYERS:
        judge = fuda.agent(reviewer_of(game_id))
        rows = []
        for name in PLAYERS[game_id]:
            rows.append(measure(game_id, name, judge, arguments.games))
            print(rows[-1], flush=True)
        figures = {
            "kind": "reviews", "game": game_id, "judge": judge.name, "weights": judge.weights,
            "unit": judge.info.unit, "seed": SEED, "rows": rows, "machine": machine(),
            "versions": versions(), "commit": commit(),
        }  # fmt: skip
        write(arguments.results / f"reviews-{game_id}.json", figures)


if __name__ == "__main__":
    main()
