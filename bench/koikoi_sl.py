"""Trains `sl` and `sl-heldout` on all human games and duels them with the players without learning.

    python bench/koikoi_sl.py --data DIR --out runs            three networks each
    python bench/koikoi_sl.py --data DIR --out runs --shared   one network each

The two differ in their seed alone; `sl-heldout` is never trained against. The number of epochs is what
Table I found best over all folds (bench/results/koikoi-table1.json), if it is there, else the recipe's.
Weights go to OUT/sl and OUT/sl-heldout, figures to bench/results/koikoi-sl.json (koikoi-sl-shared.json).
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import fuda
from fuda.training.device import choose_device
from fuda.training.samples import read_folder, samples_of
from fuda.training.supervised import PAPER, SHARED, SupervisedRecipe, fit_all, origin, player, save

RESULTS = Path(__file__).parent / "results"
REPORT_SEED = 1  # of the duels: for reported figures only
SEEDS = {"sl": 1, "sl-heldout": 2}
OPPONENTS = ("random", "classical")


def with_epochs(recipe: SupervisedRecipe, table: Path) -> SupervisedRecipe:
    """The recipe with the numbers of epochs, and all else, that Table I was made with."""
    if not table.exists():
        return recipe
    told = json.loads(table.read_text())
    settings = {
        name: told["recipe"][name]
        for name in ("batch", "learning_rate", "weight_decay", "gain", "dropout", "average", "symmetries")
    }
    return replace(recipe, epochs=tuple(told["epochs"][name]["all"] for name in recipe.networks), **settings)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train sl and sl-heldout and measure them.")
    parser.add_argument("--data", required=True, help="the folder of the human games")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the weights")
    parser.add_argument("--shared", action="store_true", help="one network for all kinds of decisions")
    parser.add_argument("--games", type=int, default=2000, help="single games of each duel")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--epochs", help="for each network, e.g. 10,40,30")
    arguments = parser.parse_args()
    ending = "-shared" if arguments.shared else ""
    recipe = with_epochs(SHARED if arguments.shared else PAPER, RESULTS / f"koikoi-table1{ending}.json")
    if arguments.epochs:
        recipe = replace(recipe, epochs=tuple(int(number) for number in arguments.epochs.split(",")))
    matches = read_folder(recipe.game, arguments.data)
    samples = samples_of(matches, recipe.encoding).to(choose_device(arguments.device))
    agents, seconds = {}, {}
    for name, seed in SEEDS.items():
        began = time.perf_counter()
        seeded = replace(recipe, seed=seed)
        nets = fit_all(seeded, samples)
        seconds[name] = round(time.perf_counter() - began, 1)
        figures = {"games": len(matches), "samples": len(samples), "seconds": seconds[name]}
        save(arguments.out / name, seeded, nets, figures)
        agents[name] = player(f"{recipe.game}/{name}", seeded, nets)
        print(f"{name}: {recipe.epochs} epochs in {seconds[name]} s, {arguments.out / name}", flush=True)
    duels = []
    for name, opponent in [*((name, other) for name in SEEDS for other in OPPONENTS), tuple(SEEDS)]:
        against = agents.get(opponent, f"{recipe.game}/{opponent}")
        result = fuda.duel(recipe.game, agents[name], against, arguments.games, REPORT_SEED)
        duels.append({"agents": [name, opponent], "seed": REPORT_SEED, "result": result.as_dict()})
        print(
            f"{name} over {opponent}: {result.win_rate:.1%} ± {result.win_rate_stderr:.1%}, "
            f"{result.mean_diff:+.2f} ± {result.stderr:.2f}, {result.games} games",
            flush=True,
        )
    described = {"kind": "supervised agents", "duels": duels, "epochs": recipe.epochs, "seconds": seconds}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"koikoi-sl{ending}.json").write_text(json.dumps(described | origin(), indent=1) + "\n")


if __name__ == "__main__":
    main()
