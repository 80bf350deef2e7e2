"""How strong the levels are, each over the one below.

python bench/levels.py                     all that is not stored for the levels as they are now
python bench/levels.py gongzhu --games 500

The first is measured over the half-random player. Each pair is stored when it is done, so that a run that was
killed goes on where it was.
"""

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from results_folder import add_results, write

import fuda
from fuda.agents import agent_weights
from fuda.core.provenance import commit

LEVELS = ("beginner", "casual", "skilled", "best")  # as the page offers them
SEED = 1


def below(game: str, level: str) -> str:
    """Whom a level is measured over."""
    place = LEVELS.index(level)
    return f"{game}/{LEVELS[place - 1]}" if place else f"half_random:HalfRandom,game={game}"


def hashes(game: str, level: str) -> list[str | None]:
    """What both have learned, and how loosely they choose."""
    names = (f"{game}/{level}", below(game, level))
    return [agent_weights(name) if name.startswith(game) else None for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the levels of the page.")
    parser.add_argument("which", nargs="*", metavar="GAME", default=fuda.list_games())
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS)
    parser.add_argument("--games", type=int, default=2000, help="of each pair (default 2000)")
    add_results(parser)
    given = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))  # for the half-random player
    for game in given.which:
        path = given.results / f"levels-{game}.json"
        known = (
            json.loads(path.read_text()) if path.exists() else {"kind": "levels", "game": game, "rows": {}}
        )
        rows: dict[str, Any] = known["rows"]
        for level in given.levels:
            if rows.get(level, {}).get("weights") == hashes(game, level):
                continue
            began = time.perf_counter()
            result = fuda.duel(game, f"{game}/{level}", below(game, level), games=given.games, seed=SEED)
            rows[level] = {
                "win_rate": result.win_rate,
                "win_rate_stderr": result.win_rate_stderr,
                "games": result.games,
                "weights": hashes(game, level),
                "commit": commit(),
                "date": datetime.now(UTC).date().isoformat(),
                "seconds": round(time.perf_counter() - began, 1),
            }
            known["rows"] = {name: rows[name] for name in LEVELS if name in rows}
            write(path, known)
            print(f"{game}/{level}: {result.win_rate:.1%} ± {result.win_rate_stderr:.1%}", flush=True)


if __name__ == "__main__":
    main()
