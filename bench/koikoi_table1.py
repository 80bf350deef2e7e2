"""Table I of the Koi-Koi paper: how often the choices of a person are foreseen, by 5-fold cross-validation.

    python bench/koikoi_table1.py --data DIR                   all ways, one after the other
    python bench/koikoi_table1.py --data DIR --ways scratch    some of them, by name (WAYS below)

DIR holds the paper's 200 human games. The folds are of whole games and the number of epochs is chosen
without the fold that is tested; the authors' way, the best epoch on that very fold, stands beside it.
Each way is written as soon as it is done, to koikoi-table1-WAY.json.
"""

import argparse
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import add_results

from fuda.nets.folder import read_card
from fuda.training.classifier import Classifier, ClassifierRecipe, Samples, start_folder
from fuda.training.cross_validation import CrossValidation, cross_validate
from fuda.training.device import choose_device, origin
from fuda.training.registry import find_classifier
from fuda.training.samples import read_folder, samples_of

GAME = "koikoi"
WAYS = {way: find_classifier(GAME, way) for way in ("self-play", "scratch", "self-play-shared", "shared")}
PAPERS = {"discard": 0.740, "pick": 0.903, "koikoi": 0.802, "overall": 0.759}
# Settings were chosen on this fold (of seed 1), so the others are shown by themselves too.
TUNED_ON = 1
# Columns of the table. Equal cards are counted as the authors count them, except in "the very card".
OURS = "chosen without the fold"
OTHERS = "the same, other folds than settings were chosen on"
VERY = "the same, the very card"
AUTHORS = "best epoch on the fold"
SHOWN = (OURS, OTHERS, VERY, AUTHORS)


def rate(hits: np.ndarray, samples: np.ndarray) -> dict[str, float]:
    """Accuracy from hits [M] among samples [M] of matches; decisions of a match are not independent."""
    accuracy = hits.sum() / samples.sum()
    spread = ((hits - accuracy * samples) ** 2).sum() * len(hits) / (len(hits) - 1)
    return {"accuracy": float(accuracy), "stderr": float(spread**0.5 / samples.sum())}


def rows(recipe: ClassifierRecipe, found: dict[str, CrossValidation]) -> dict[str, dict[str, Any]]:
    """The table's rows: for each kind, and overall."""
    columns = {}
    for one in found.values():
        for place, kind in enumerate(one.kinds):
            columns[recipe.encoding.DECISION_KINDS[kind]] = (
                one.num_samples[:, place], one.hits[:, place], one.best_hits[:, place],
            )  # fmt: skip
    columns["overall"] = tuple(sum(each) for each in zip(*columns.values(), strict=True))
    others = next(iter(found.values())).folds != TUNED_ON
    return {
        name: {
            "samples": int(samples.sum()),
            "paper": PAPERS[name],
            OURS: rate(hits[:, 1], samples),
            OTHERS: rate(hits[others, 1], samples[others]),
            VERY: rate(hits[:, 0], samples),
            AUTHORS: rate(best[:, 1], samples),
        }
        for name, (samples, hits, best) in columns.items()
    }


def show(way: str, table: dict[str, dict[str, Any]]) -> None:
    print(f"{way:8} {'samples':>8} {'paper':>6}  ours ± error   other folds    the very card  authors' way")
    for name, row in table.items():
        cells = [f"{row[key]['accuracy']:.3f} ± {row[key]['stderr']:.3f}" for key in SHOWN]
        print(f"{name:8} {row['samples']:8} {row['paper']:6.3f}  {'  '.join(cells)}", flush=True)


def first_sha256(recipe: ClassifierRecipe) -> str | None:
    """What tells the first network apart, if it is not fresh."""
    return read_card(start_folder(recipe)).networks[0].sha256 if recipe.start else None


def measure(way: str, recipe: ClassifierRecipe, samples: Samples, out: Path, at: str | None) -> None:
    """Cross-validate every network of a way and write its figures, made `at` a commit."""
    began = time.perf_counter()

    def say(line: str) -> None:
        print(f"{time.perf_counter() - began:4.0f} s  {way}: {line}", flush=True)

    learner = Classifier(recipe, samples)
    found = {}
    for name in recipe.networks:
        found[name] = cross_validate(
            learner, name,
            report=lambda line, name=name: say(f"{name} {line}"),
        )  # fmt: skip
    table = rows(recipe, found)
    show(way, table)
    figures = {
        "kind": "table1",
        "way": way,
        "table": table,
        "epochs": {
            name: {"chosen": one.chosen.tolist(), "all": one.epochs, "of": len(one.curves)}
            for name, one in found.items()
        },
        "curves": {name: one.curves.sum(axis=1).tolist() for name, one in found.items()},
        "recipe": asdict(recipe),
        "start": first_sha256(recipe),
        "games": int(samples.match.max()) + 1,
        "folds": len(found[name].chosen),
        "seed": recipe.seed,
        "seconds": round(time.perf_counter() - began, 1),
    }
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"koikoi-table1-{way}.json"
    path.write_text(json.dumps(figures | origin(at)) + "\n")
    say(f"{path} written")


def main() -> None:
    parser = argparse.ArgumentParser(description="Table I of the Koi-Koi paper.")
    parser.add_argument("--data", required=True, help="the folder of the human games")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"some of {','.join(WAYS)}")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--max-epochs", type=int, help="fewer for every network, for a trial")
    add_results(parser, "--out")
    parser.add_argument("--commit", help="the commit of the sources, where there is no git to ask")
    arguments = parser.parse_args()
    ways = arguments.ways.split(",")
    for way in ways:
        if way not in WAYS:
            parser.error(f"there is no way {way!r}; there are {', '.join(WAYS)}")
    try:
        device = choose_device(arguments.device)
        samples = samples_of(read_folder(GAME, arguments.data), WAYS["shared"].encoding).to(device)
    except ValueError as error:
        parser.error(str(error))
    for way in ways:
        recipe = WAYS[way]
        if arguments.max_epochs:
            few = tuple(min(arguments.max_epochs, most) for most in recipe.max_epochs)
            recipe = replace(recipe, max_epochs=few)
        measure(way, recipe, samples, arguments.out, arguments.commit)


if __name__ == "__main__":
    main()
