"""Trains `koikoi/sl` and `koikoi/sl-heldout` on all human games and duels what was written.

    python bench/koikoi_sl.py --data DIR          into src/fuda/models/koikoi

DIR holds the paper's 200 human games. The two differ in their seed alone; `sl-heldout` is never trained
against. No self-play is in them: they stand for a person's play. Each is one network for all decisions.
The number of epochs is what `bench/koikoi_table1.py --ways shared` found best over all folds, if it was run.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

from results_folder import PUBLISHED, add_results

import fuda
from fuda.agents.model import MODELS, model_agent
from fuda.training.classifier import export, fit_all
from fuda.training.device import choose_device
from fuda.training.registry import find_classifier
from fuda.training.samples import read_folder, samples_of

SHARED = find_classifier("koikoi", "shared")
REPORT_SEED = 1  # of the duels: for reported figures only
SEEDS = {"sl": 1, "sl-heldout": 2}
DUELS = (("sl", "random"), ("sl-heldout", "random"), ("sl", "sl-heldout"))


def best_epochs(*folders: Path) -> int:
    """The number of epochs by cross-validation, or the recipe's where there was none."""
    for table in (folder / "koikoi-table1-shared.json" for folder in folders):
        if table.exists():
            return int(json.loads(table.read_text())["epochs"]["shared"]["all"])
    return SHARED.epochs[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Train sl and sl-heldout and measure them.")
    parser.add_argument("--data", required=True, help="the folder of the human games")
    parser.add_argument("--models", type=Path, default=MODELS / SHARED.game, help="the folder for the models")
    add_results(parser, "--out")
    parser.add_argument("--games", type=int, default=2000, help="single games of each duel")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--epochs", type=int, help="another number of epochs")
    parser.add_argument("--commit", help="the commit of the sources, where there is no git to ask")
    arguments = parser.parse_args()
    game, epochs = SHARED.game, arguments.epochs or best_epochs(arguments.out, PUBLISHED)
    matches = read_folder(game, arguments.data)
    samples = samples_of(matches, SHARED.encoding).to(choose_device(arguments.device))
    for name, seed in SEEDS.items():
        began = time.perf_counter()
        recipe = replace(SHARED, seed=seed, epochs=(epochs,))
        nets = fit_all(recipe, samples)
        seconds = round(time.perf_counter() - began, 1)
        figures = {"games": len(matches), "samples": len(samples), "seconds": seconds}
        export(arguments.models / name, recipe, nets, figures, arguments.commit)
        print(f"{name}: {epochs} epochs in {seconds} s, {arguments.models / name}", flush=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for first, second in DUELS:
        sides = [
            model_agent(arguments.models / name, f"{game}/{name}") if name in SEEDS else f"{game}/{name}"
            for name in (first, second)
        ]
        path = arguments.out / f"duel-{game}-{first}-{second}.json"
        result = fuda.duel(game, *sides, arguments.games, REPORT_SEED, out=path)
        print(
            f"{first} over {second}: {result.win_rate:.1%} ± {result.win_rate_stderr:.1%}, "
            f"{result.mean_diff:+.2f} ± {result.stderr:.2f}, {result.games} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
