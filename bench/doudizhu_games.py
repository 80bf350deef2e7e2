"""What games of Dou Dizhu are like when a player sits in all seats: the landlord's share, bombs, choices.

    python bench/doudizhu_games.py [--games 10000]     all players that do not search

On the deals for reporting; writes doudizhu-games.json.
"""

import argparse
import json
from typing import Any

import numpy as np
from results_folder import add_results, write
from strength import REPORT_SEED

import fuda
from fuda.core.provenance import commit
from fuda.core.runner import LockStep

GAME = "doudizhu"


def main() -> None:
    parser = argparse.ArgumentParser(description="Look at games of each player with itself.")
    parser.add_argument("--games", type=int, default=10_000)
    add_results(parser)
    arguments = parser.parse_args()
    players = [name for name in fuda.list_agents(GAME) if not fuda.agent(name).info.searches]
    figures = {
        "kind": "doudizhu games", "games": arguments.games, "seed": REPORT_SEED,
        "players": [looked_at(name, arguments.games, REPORT_SEED) for name in players], "commit": commit(),
    }  # fmt: skip
    write(arguments.results / "doudizhu-games.json", figures)
    print(json.dumps(figures, indent=1))


def looked_at(name: str, num_games: int, seed: int) -> dict[str, Any]:
    """The figures of a player; a choice is a position with two or more legal moves."""
    game, player = fuda.game(GAME), fuda.agent(name)
    counts: list[np.ndarray] = []

    def act(views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        counts.append(game.spec.kernels.legal_lists(views).counts)
        return player.act(views, seats, rngs)

    games = LockStep(game, seed, np.arange(num_games), np.zeros((num_games, game.spec.seats), np.int64))
    landlord_won = games.play([act])[:, 0] > 0
    legal = np.concatenate(counts)
    choices = legal[legal > 1]
    share = landlord_won.mean()
    return {
        "player": name,
        "landlord wins": round(float(share), 4),
        "landlord wins, stderr": round(float(np.sqrt(share * (1 - share) / num_games)), 4),
        "bombs a game": round(float(games.states["bombs"].mean()), 3),
        "plays a game": round(len(legal) / num_games, 2),
        "forced plays": round(1 - len(choices) / len(legal), 3),
        "choices a game": round(len(choices) / num_games, 2),
        "legal moves of a choice": round(float(choices.mean()), 2),
    }


if __name__ == "__main__":
    main()
