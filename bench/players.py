"""How long the players without learning think: their slowest decision, and games a second, on one core.

    python bench/players.py           writes players.json

Decisions are timed one by one over the positions of some matches; games a second are those of a duel
against the game's first policy, both players on the same core.
"""

import argparse
import time
from typing import Any

from positions import positions, timed
from results_folder import add_results, write

import fuda
from fuda.core.match import Match
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import limited_to

MATCHES = 20
DUEL_SEED, GAMES = 2, 512


def measure(game_id: str, name: str, where: list[Match]) -> dict[str, Any]:
    player = fuda.agent(f"{game_id}/{name}")
    opponent = f"{game_id}/{fuda.game(game_id).spec.policies[0].name}"
    spent = timed(player, where)
    fuda.duel(game_id, player, opponent, games=2, seed=DUEL_SEED)
    began = time.perf_counter()
    fuda.duel(game_id, player, opponent, games=GAMES, seed=DUEL_SEED)
    rate = GAMES / (time.perf_counter() - began)
    return {
        "agent": player.name, "opponent": opponent, "games per second": round(rate),
        "decisions": len(spent), "mean seconds": sum(spent) / len(spent), "slowest, seconds": max(spent),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="How long the players without learning think.")
    add_results(parser)
    arguments = parser.parse_args()
    rows = []
    with limited_to(1):
        for game_id in fuda.list_games():
            where = positions(game_id, f"{game_id}/{fuda.game(game_id).spec.fallback}", MATCHES)
            for policy in fuda.game(game_id).spec.policies:
                rows.append(measure(game_id, policy.name, where))
                print(rows[-1], flush=True)
    figures = {
        "kind": "players",
        "players": rows,
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    write(arguments.results / "players.json", figures)


if __name__ == "__main__":
    main()
