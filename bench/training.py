"""Keeps the figures of a training run: its rate and its curve, with their origin.

    python bench/training.py RUN NAME                  writes bench/results/train-NAME.json
    python bench/training.py RUN NAME --games 400      the curve from models that were kept on the way

RUN is a folder of `fuda train`. The rate is the median over the run, evaluation left out. Models on the way
(`fuda train --keep`) are folders `at-GAMES-SECONDS/model-AIM` in RUN; they are duelled here, on the seed
for choosing.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import fuda
from fuda.core.provenance import commit
from fuda.training.conduct import CHOOSING_SEED

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep the figures of a training run.")
    parser.add_argument("run", type=Path)
    parser.add_argument("name")
    parser.add_argument("--games", type=int, help="duel the models that were kept, so many games each")
    arguments = parser.parse_args()
    run: Path = arguments.run
    try:
        lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        told = json.loads((run / "run.json").read_text())
    except OSError as error:
        parser.error(f"{run} is no folder of fuda train: {error.filename}: {error.strerror}")
    rates = [line["games_per_second"] for line in lines if "games_per_second" in line]
    if not rates:
        parser.error(f"{run} is too short a run: its log does not tell games per second")
    curve = [line for line in lines if any(name.endswith("_win_rate") for name in line)]
    if arguments.games is not None:
        curve = duelled(run, told["recipe"], arguments.games)
    kept = {
        "kind": "training",
        "name": arguments.name,
        "games per second": round(statistics.median(rates)),
        "curve": curve,
        **told,
    }
    (RESULTS / f"train-{arguments.name}.json").write_text(json.dumps(kept, indent=1) + "\n")


def duelled(run: Path, recipe: dict[str, Any], games: int) -> list[dict[str, Any]]:
    """A point of the curve for each time at which models were kept."""
    curve = []
    for folder in sorted(run.glob("at-*-*"), key=lambda folder: int(folder.name.split("-")[1])):
        if not folder.is_dir():
            continue
        _, num_games, seconds = folder.name.split("-")
        point: dict[str, Any] = {
            "games": int(num_games), "minutes": round(int(seconds) / 60, 2),
            "duels": {"games": games, "seed": CHOOSING_SEED, "commit": commit()},
        }  # fmt: skip
        for aim in recipe["aims"]:
            model = folder / (f"model-{aim}" if len(recipe["aims"]) > 1 else "model")
            if not model.is_dir():  # it was not brought here
                continue
            for opponent in recipe["opponents"]:
                other = f"{recipe['game']}/{opponent}"
                result = fuda.duel(recipe["game"], str(model), other, games, CHOOSING_SEED)
                point[f"{aim}_{opponent}_win_rate"] = result.win_rate
                point[f"{aim}_{opponent}_points"] = result.mean_diff
        print(json.dumps(point), flush=True)
        curve.append(point)
    return curve


if __name__ == "__main__":
    main()
