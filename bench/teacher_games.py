"""A teacher's games as one file, the same that training by imitation makes for itself.

    python bench/teacher_games.py doudizhu best-raw --games 8000000 --out games.npz [--seed 1] [--device cuda]

`fuda train RECIPE --records FILE` learns from it. Games follow from the seed and the teacher's weights, so
the file can be made again; about 120 bytes a game.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import fuda
from fuda.core.provenance import commit
from fuda.training.device import choose_device
from fuda.training.imitation import teacher_on
from fuda.training.played import Teacher, joined, write_games

TOGETHER, TOGETHER_ON_CPU = 131_072, 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="Let a teacher play games to learn from.")
    parser.add_argument("game", choices=fuda.list_games())
    parser.add_argument("teacher", help="an agent of the game")
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    device, table = choose_device(arguments.device), fuda.game(arguments.game)
    if table.spec.max_deals(table.options) != 1:
        parser.error(f"a game of {table.id} has several deals; games to learn from have one")
    player = teacher_on(device, table.id, arguments.teacher)
    teacher = Teacher(table, player, arguments.seed)
    together, began = TOGETHER if device.type == "cuda" else TOGETHER_ON_CPU, time.perf_counter()
    parts = []
    for first in range(0, arguments.games, together):
        parts.append(teacher.games(first, min(together, arguments.games - first)))
        rate = (first + len(parts[-1].decks)) / (time.perf_counter() - began)
        print(f"{first + len(parts[-1].decks):,} games, {rate:,.0f}/s", flush=True)
    games = joined(parts)
    made = {
        "teacher": arguments.teacher, "weights": player.weights, "seed": arguments.seed, "commit": commit()
    }  # fmt: skip
    write_games(arguments.out, table, games, made)
    told = {"games": len(games.decks), "plays": len(games.actions), "bytes": arguments.out.stat().st_size}
    print(json.dumps(made | told | {"plays a game": round(float(np.diff(games.starts).mean()), 2)}))


if __name__ == "__main__":
    main()
