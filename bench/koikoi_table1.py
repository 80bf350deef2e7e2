"""Table I of the Koi-Koi paper: how often the choices of people are foreseen, by 5-fold cross-validation.

    python bench/koikoi_table1.py --data DIR              three networks, as in the paper
    python bench/koikoi_table1.py --data DIR --shared     one network for all decisions

DIR holds the paper's 200 human games. The folds are of whole games and the number of epochs is chosen
without the fold that is tested; the authors' way, the best epoch on that very fold, stands beside it.
Writes bench/results/koikoi-table1.json (koikoi-table1-shared.json).
"""

import argparse
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuda.training.device import choose_device
from fuda.training.samples import read_folder, samples_of
from fuda.training.supervised import (
    PAPER,
    SHARED,
    Classifier,
    CrossValidation,
    SupervisedRecipe,
    cross_validate,
    origin,
)

RESULTS = Path(__file__).parent / "results"
PAPERS = {"discard": 0.740, "pick": 0.903, "koikoi": 0.802, "overall": 0.759}


def rate(hits: np.ndarray, samples: np.ndarray) -> dict[str, float]:
    """Accuracy from hits [F] among samples [F], with its error over folds and by counting alone."""
    accuracy = hits.sum() / samples.sum()
    by_fold = (hits / samples).std(ddof=1) / len(hits) ** 0.5
    by_count = (accuracy * (1 - accuracy) / samples.sum()) ** 0.5
    return {"accuracy": float(accuracy), "stderr": float(by_fold), "binomial_stderr": float(by_count)}


def rows(recipe: SupervisedRecipe, found: dict[str, CrossValidation]) -> dict[str, dict[str, Any]]:
    """The table's rows: for each kind, and overall."""
    columns = {}
    for one in found.values():
        for place, kind in enumerate(one.kinds):
            columns[recipe.encoding.DECISION_KINDS[kind]] = (
                one.num_samples[:, place], one.hits[:, place], one.best_hits[:, place],
            )  # fmt: skip
    columns["overall"] = tuple(sum(each) for each in zip(*columns.values(), strict=True))
    return {
        name: {
            "samples": int(samples.sum()),
            "paper": PAPERS[name],
            "chosen without the fold": rate(hits[:, 0], samples),
            "the same, an equal card counted": rate(hits[:, 1], samples),
            "best epoch on the fold": rate(best[:, 0], samples),
            "the same, an equal card counted too": rate(best[:, 1], samples),
        }
        for name, (samples, hits, best) in columns.items()
    }


def show(table: dict[str, dict[str, Any]]) -> None:
    head = ["chosen without the fold", "the same, an equal card counted"]
    head += ["best epoch on the fold", "the same, an equal card counted too"]
    print(f"{'':8} {'samples':>8} {'paper':>6}  ours ± error   equal cards    authors' way   equal cards")
    for name, row in table.items():
        cells = [f"{row[key]['accuracy']:.3f} ± {row[key]['stderr']:.3f}" for key in head]
        print(f"{name:8} {row['samples']:8} {row['paper']:6.3f}  {'  '.join(cells)}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Table I of the Koi-Koi paper.")
    parser.add_argument("--data", required=True, help="the folder of the human games")
    parser.add_argument("--shared", action="store_true", help="one network for all kinds of decisions")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--seed", type=int, default=PAPER.seed)
    parser.add_argument("--dropout", type=float, default=PAPER.dropout)
    parser.add_argument("--weight-decay", type=float, default=PAPER.weight_decay)
    parser.add_argument("--learning-rate", type=float, default=PAPER.learning_rate)
    parser.add_argument("--batch", type=int, default=PAPER.batch)
    parser.add_argument("--max-epochs", help="for each network, e.g. 24,80,80")
    parser.add_argument("--no-symmetries", action="store_true", help="without the exchange of months")
    parser.add_argument("--out", type=Path, help="another file for the figures")
    arguments = parser.parse_args()
    recipe = replace(
        SHARED if arguments.shared else PAPER,
        seed=arguments.seed,
        dropout=arguments.dropout,
        weight_decay=arguments.weight_decay,
        learning_rate=arguments.learning_rate,
        batch=arguments.batch,
        symmetries=not arguments.no_symmetries,
    )
    if arguments.max_epochs:
        epochs = tuple(int(number) for number in arguments.max_epochs.split(","))
        recipe = replace(recipe, epochs=epochs, max_epochs=epochs)
    began = time.perf_counter()

    def say(line: str) -> None:
        print(f"{time.perf_counter() - began:4.0f} s  {line}", flush=True)

    matches = read_folder(recipe.game, arguments.data)
    samples = samples_of(matches, recipe.encoding).to(choose_device(arguments.device))
    say(f"{len(matches)} games, {len(samples)} samples")
    learner = Classifier(recipe, samples)
    found = {}
    for name in recipe.networks:
        found[name] = cross_validate(
            learner, name,
            report=lambda line, name=name: say(f"{name} {line}"),
        )  # fmt: skip
    table = rows(recipe, found)
    show(table)
    figures = {
        "kind": "table1",
        "table": table,
        "epochs": {
            name: {"chosen": one.chosen.tolist(), "all": one.epochs, "of": one.curves.shape[1]}
            for name, one in found.items()
        },
        "curves": {name: one.curves.sum(axis=0).tolist() for name, one in found.items()},
        "recipe": asdict(recipe),
        "games": len(matches),
        "folds": 5,
        "seed": recipe.seed,
        "seconds": round(time.perf_counter() - began, 1),
    }
    path = arguments.out or RESULTS / f"koikoi-table1{'-shared' if arguments.shared else ''}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures | origin(), indent=1) + "\n")
    print(f"{path}: written after {figures['seconds']} s")


if __name__ == "__main__":
    main()
