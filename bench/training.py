"""Keeps the figures of a training run: its rate and its curve, with their origin.

    python bench/training.py RUN NAME                  writes train-NAME.json
    python bench/training.py RUN NAME --games 400      the curve from the models of the run

RUN is a folder of `fuda train`. The rate is the median over the run, evaluation left out. Models of a run are
those that were kept on the way (`fuda train --keep`), in folders `at-GAMES-SECONDS`, and the last, in RUN
itself; they are duelled here, on the seed for choosing, over the recipe's opponents and over the last one.
"""

import argparse
import itertools
import json
import statistics
from pathlib import Path
from typing import Any

from results_folder import add_results, write

import fuda
from fuda.core.provenance import commit
from fuda.nets.folder import read_card
from fuda.training.conduct import CHOOSING_SEED, MODEL


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep the figures of a training run.")
    parser.add_argument("run", type=Path)
    parser.add_argument("name")
    parser.add_argument("--games", type=int, help="duel the models of the run, so many games each")
    add_results(parser)
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
        try:
            models = written_models(run, list(told["recipe"].get("aims", ())))
        except (OSError, ValueError) as error:
            parser.error(str(error))
        if not models:
            parser.error(f"{run} has no models to duel")
        curve = duelled(models, told["recipe"], arguments.games)
    kept = {
        "kind": "training",
        "name": arguments.name,
        "games per second": round(statistics.median(rates)),
        "curve": curve,
        **{name: value for name, value in told.items() if name != "name"},
    }
    write(arguments.results / f"train-{arguments.name}.json", kept)


def written_models(run: Path, aims: list[str]) -> dict[tuple[int, str], Path]:
    """The models that were brought here, by games learned from and by aim; copies of the last count once.

    A recipe that does not say what it plays for has one model, and "" for its aim.
    """
    found = {}
    folders = [*run.glob("at-*-*"), run]
    for folder, aim in itertools.product(folders, aims or [""]):
        model = folder / (MODEL if len(aims) < 2 else f"{MODEL}-{aim}")
        if model.is_dir():
            found[read_card(model).made["games"], aim] = model
    return found


def duelled(
    models: dict[tuple[int, str], Path], recipe: dict[str, Any], duel_games: int
) -> list[dict[str, Any]]:
    """A point of the curve for each time at which models were written."""
    curve: dict[int, dict[str, Any]] = {}
    last = max(games for games, _ in models)
    for (games, aim), model in sorted(models.items()):
        point = curve.setdefault(games, {
            "games": games, "minutes": read_card(model).made["minutes"],
            "evaluation_games": duel_games,
            "duels": {"games": duel_games, "seed": CHOOSING_SEED, "commit": commit()},
        })  # fmt: skip
        others = {name: f"{recipe['game']}/{name}" for name in recipe["opponents"]}
        if games < last:
            others["last"] = str(models[last, aim])
        for opponent, other in others.items():
            result = fuda.duel(
                recipe["game"], str(model), other, duel_games, CHOOSING_SEED, **recipe.get("options", {})
            )
            figures, name = result.as_dict(), f"{aim}_{opponent}" if aim else opponent
            point |= {
                f"{name}_win_rate": figures["win_rate"],
                f"{name}_win_rate_stderr": figures["win_rate_stderr"],
                f"{name}_points": figures["mean_diff"],
                f"{name}_stderr": figures["stderr"],
            }
            print(f"{games} games{aim and ', '}{aim}, over {opponent}: {result}", flush=True)
    return list(curve.values())


if __name__ == "__main__":
    main()
