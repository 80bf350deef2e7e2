"""Width, depth and kind of DeepRocket's policy network: how often each does as its teacher does.

    python bench/doudizhu_deeprocket_sweep.py --out DIR --minutes 5                    on a GPU
    python bench/doudizhu_deeprocket_sweep.py --out DIR --minutes 5 --small            on two CPU cores

Every variant learns for the same minutes from the same games, as many as it gets through; with --games from
so many. `connected` has fully connected layers with as many weights as the convolutions of the recipe, `an
output for each move` needs no kickers. Accuracies are of games that are held out. Writes
doudizhu-deeprocket-sweep.json after each; a run that was stopped goes on if DIR is given again.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from doudizhu_deeprocket import watch
from results_folder import add_results, write

from fuda.core.provenance import commit, machine
from fuda.nets.policy_value import parameters
from fuda.training.conduct import MODEL, conduct
from fuda.training.device import choose_device
from fuda.training.imitation import ImitationRecipe, Run
from fuda.training.registry import find_recipe
from fuda.training.run_folder import CHECKPOINT
from fuda.training.torch_agent import model_on

RECIPE, TEACHER = "doudizhu-deeprocket", "best-raw"
NARROW = 96  # before 27,472 outputs: so there are about as many weights


def variants(recipe: ImitationRecipe) -> dict[str, ImitationRecipe]:
    """The recipe; half and twice as wide, half and one and a half times as deep, connected, and flat."""
    shape = recipe.shape
    shapes = {
        "as in the recipe": shape,
        "half as wide": replace(shape, filters=shape.filters // 2),
        "twice as wide": replace(shape, filters=2 * shape.filters),
        "half as deep": replace(shape, layers=shape.layers // 2),
        "half as deep again": replace(shape, layers=3 * shape.layers // 2),
        "connected": replace(shape, convolved=False),
    }
    found = {title: replace(recipe, shape=each) for title, each in shapes.items()}
    flat = replace(recipe, encoding="flat_encoding", shape=replace(shape, narrow=NARROW))
    return found | {"an output for each move": flat}


def same_moves(folder: Path, device: torch.device, games: int) -> float:
    """The share of choices in held-out games that are the teacher's, kickers and all."""
    player, hits = model_on(device, folder, "the variant"), []

    def tell(views: np.recarray, seats: np.ndarray, rngs: np.ndarray, actions: np.ndarray) -> None:
        hits.append(player.act(views, seats, rngs.copy()) == actions)

    watch(argparse.Namespace(teacher=TEACHER, games=games), tell)
    return round(float(np.concatenate(hits).mean()), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare DeepRocket's networks.")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--games", type=int, help="instead of minutes")
    parser.add_argument("--small", action="store_true", help="the recipe for a CPU")
    parser.add_argument("--held-out", type=int, default=1000, help="games of the teacher to compare on")
    parser.add_argument("--device", default="auto")
    add_results(parser)
    arguments = parser.parse_args()
    if (arguments.minutes is None) == (arguments.games is None):
        parser.error("give either --minutes or --games")
    name = f"{RECIPE}-small" if arguments.small else RECIPE
    recipe = find_recipe(name).recipe
    if arguments.games is not None:
        recipe = replace(recipe, games=arguments.games)
    found: dict[str, Any] = {}
    device = choose_device(arguments.device)
    for title, variant in variants(recipe).items():
        shape, out = variant.shape, arguments.out / title.replace(" ", "-")
        run = Run(variant, out, device, arguments.minutes)
        conduct(run, resume=(out / CHECKPOINT).exists(), evaluate=False, name=name)
        found[title] = {
            "filters": shape.filters, "layers": shape.layers, "convolved": shape.convolved,
            "weights of a policy network": parameters(run.learners[0].net), "games": run.num_games,
            "choices": run.num_choices, "agreement": run.agreement(),
            "same moves": same_moves(out / MODEL, device, arguments.held_out),
        }  # fmt: skip
        figures = {
            "kind": "deeprocket sweep", "recipe": name, "minutes": arguments.minutes, "variants": found,
            "machine": machine(), "commit": commit(),
        }  # fmt: skip
        write(arguments.results / "doudizhu-deeprocket-sweep.json", figures)
        print(title, json.dumps(found[title]), flush=True)


if __name__ == "__main__":
    main()
