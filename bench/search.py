"""Tree search: rollouts a second, seconds a decision, and which variant is stronger at equal time.

    python bench/search.py            writes search-GAME.json for each game

For each game: the rate on one core over positions of games by the strongest policy, the slowest
decision at the default setting, and a duel of the information-set variant against the determinized
one, given as many iterations as it makes in the same time (measured here, in the same run).
"""

import argparse
import json
from typing import Any

from positions import positions, timed
from results_folder import add_results, write

import fuda
from fuda.agents.settings import SearchSetting, settings
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import limited_to

DUEL_SEED = 1
MATCHES = 6


def measure(game_id: str, games: int) -> dict[str, Any]:
    spec = fuda.game(game_id).spec
    (setting, *_) = settings(spec, SearchSetting).values()
    name = f"{game_id}/{setting.name}"
    where = positions(game_id, f"{game_id}/{spec.policies[-1].name}", MATCHES)
    where = where[:: max(1, len(where) // 150)]
    with limited_to(1):
        trees, shared = fuda.agent(name), fuda.agent(name, information_set=True)
        spent, spent_shared = timed(trees, where), timed(shared, where)
    ratio = sum(spent) / sum(spent_shared)
    equal = max(1, round(setting.iterations * ratio))
    shared = fuda.agent(name, information_set=True, iterations=equal)
    with limited_to(1):
        spent_equal = timed(shared, where)
    result = fuda.duel(game_id, shared, name, games, DUEL_SEED)
    return {
        "kind": "search",
        "game": game_id,
        "agent": name,
        "trees": setting.trees,
        "iterations": setting.iterations,
        "positions": len(where),
        "rollouts per second, one core": round(len(where) * setting.trees * setting.iterations / sum(spent)),
        "mean seconds a decision": sum(spent) / len(spent),
        "slowest decision, seconds": max(spent),
        "information set at equal time: iterations": setting.trees * equal,
        "information set at equal time: ratio of times": sum(spent_equal) / sum(spent),
        "information set over determinized": result.as_dict(),
        "seed": DUEL_SEED,
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure tree search in each game.")
    parser.add_argument("games", nargs="*", default=fuda.list_games())
    parser.add_argument("--duel-games", type=int, default=512, help="single games of each duel")
    add_results(parser)
    arguments = parser.parse_args()
    for game_id in arguments.games:
        figures = measure(game_id, arguments.duel_games)
        write(arguments.results / f"search-{game_id}.json", figures)
        print(json.dumps(figures, indent=1), flush=True)


if __name__ == "__main__":
    main()
