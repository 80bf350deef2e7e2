"""Curves of training, one thing changed at a time.

    python bench/gongzhu_curves.py --out DIR [--base ours] [--only NAME ...] [--games 64000] [--device cuda]
    python bench/gongzhu_curves.py --out DIR --base views-small     from views, two seeds each

Runs that are already in DIR are not repeated, one that was stopped goes on, and what is stored of others
stays. Writes gongzhu-curves-BASE.json and gongzhu-curves-BASE.svg: the network over
Mr. Greed, one ply deep if it sees all hands, on deals that are for choosing; how often a player takes all
hearts in games of the network against itself. Curves of other --games have their number in the names of both
files.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gongzhu_players import player
from results_folder import add_results, pictures, write

import fuda
from fuda.agents import Agent
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.games.gongzhu.cards import ALL_HEARTS
from fuda.nets.policy_value import FC16, FC24, MlpShape, ResNetShape
from fuda.training import trees, values
from fuda.training.conduct import CHOOSING_SEED, MODEL, TrainingRun, conduct
from fuda.training.device import choose_device
from fuda.training.registry import find_recipe
from fuda.training.run_folder import CHECKPOINT, LOG

Recipe = trees.TreesRecipe | values.ValuesRecipe
BASES: dict[str, Recipe] = {
    "authors": replace(
        find_recipe("gongzhu-authors").recipe, late_after=1.0
    ),  # minutes of a GPU for each curve
    # Seconds. Fewer games at once, so that these few are of many generations.
    "ours": replace(
        find_recipe("gongzhu-open").recipe, group_size=1024, epoch_games=512, warmup_steps=100, average=0.99
    ),
    "small": find_recipe("gongzhu-small").recipe,  # ten minutes of two CPU cores
    "views-small": find_recipe("gongzhu-views-small").recipe,  # three minutes of one
}
SMALL_CRITIC = MlpShape(first=256, second=128, width=128, blocks=2, norm=1, value_scale=1)
SEEDS = (1, 2)  # of training, where a run takes little
NETWORKS = {"FC 24": FC24, "FC 16": FC16, "ResNet 18": ResNetShape()}  # of Table 5
GAMES = 64_000  # of a run in the tables
ALL_HEARTS_GAMES, END_GAMES = 512, 2048


def variants(name: str, games: int) -> dict[str, Recipe]:
    base = replace(BASES[name], games=games)
    if isinstance(base, values.ValuesRecipe):
        return view_variants(name, base)
    masks = {"mask before softmax": "zero", "mask after softmax": "after", "legal cards only": "legal"}
    return {
        name: base,
        "not diffused": replace(base, shape=replace(base.shape, diffuse=0)),
        **{line: replace(base, mask=mask) for line, mask in masks.items() if mask != base.mask},
        "1 x legal": replace(base, per_legal=1),
        "4 x legal": replace(base, per_legal=4),
        "8 x legal": replace(base, per_legal=8),
        "hidden hands": replace(base, hidden=True),
        **{f"window {count}": replace(base, window=count) for count in (1, 3) if count != base.window},
        **{line: replace(base, shape=shape) for line, shape in NETWORKS.items() if shape != base.shape},
    }


def view_variants(name: str, base: values.ValuesRecipe) -> dict[str, Recipe]:
    changed = {
        name: base,
        "outcomes alone": replace(base, lambda_return=1.0),
        **{f"lambda {share}": replace(base, lambda_return=share) for share in (0.95, 0.8)},
        "critic": replace(base, critic=SMALL_CRITIC),
    }
    return {
        f"{line}, seed {seed}": replace(recipe, seed=seed)
        for line, recipe in changed.items()
        for seed in SEEDS
    }


def new_run(recipe: Recipe, run: Path, device: torch.device) -> TrainingRun:
    """A run of a recipe to its last game."""
    if isinstance(recipe, values.ValuesRecipe):
        return values.Run(recipe, run, device, None)
    return trees.Run(recipe, run, device, None)


def all_hearts(agent: Agent) -> float:
    """How often one player takes all hearts when the agent plays against itself."""
    seatings = np.zeros((ALL_HEARTS_GAMES, 4), np.int64)
    table = LockStep(fuda.game("gongzhu"), CHOOSING_SEED, np.arange(ALL_HEARTS_GAMES), seatings)
    table.play([agent.act])
    return float(((table.states["pile"] & ALL_HEARTS) == ALL_HEARTS).any(axis=1).mean())


def over_greed(agent: Agent) -> dict[str, float]:
    """Its points over Mr. Greed, of more games than are played on the way."""
    result = fuda.duel("gongzhu", agent, "gongzhu/greed", END_GAMES, CHOOSING_SEED)
    return {"games": result.games, "points": result.mean_diff, "stderr": result.stderr}


def curve(run: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    wanted = ("games", "minutes", "greed_points", "greed_stderr", "random_points")
    return [{name: line[name] for name in wanted} for line in lines if "greed_points" in line]


def draw(found: dict[str, Any], to: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "fuda"  # the same picture for the same figures
    figure, axis = plt.subplots(figsize=(9, 5), layout="constrained")
    colours: dict[str, str] = {}
    for name, run in found.items():
        what, _, seed = name.partition(", seed ")  # seeds of one thing have one colour
        colour = colours.setdefault(what, f"C{len(colours)}")
        games, points = ([each[figure] for each in run["curve"]] for figure in ("games", "greed_points"))
        axis.plot(games, points, "--" if seed == "2" else "-", color=colour, label=name)
    axis.set_xlabel("games")
    axis.set_ylabel("points over Mr. Greed, by the network alone")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(to, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="Curves of training Gongzhu.")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--base", choices=sorted(BASES), default="authors", help="what is changed")
    parser.add_argument("--only", nargs="+", help="names of runs; else all")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--device", default="auto")
    add_results(parser)
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    path = arguments.results / f"{name_of(arguments.base, arguments.games)}.json"
    found = earlier(path)
    for name, recipe in variants(arguments.base, arguments.games).items():
        run = arguments.out / name.replace(" ", "-").replace(",", "")
        if arguments.only is None or name in arguments.only:
            conduct(new_run(recipe, run, device), resume=(run / CHECKPOINT).exists())
        if (run / LOG).exists() and (run / MODEL).exists():
            agent = player(run / MODEL, device.type, "-raw")
            found[name] = {
                "curve": curve(run), "over greed": over_greed(agent), "all hearts": all_hearts(agent),
                "commit": commit(),
            }  # fmt: skip
            print(name, found[name]["over greed"], found[name]["all hearts"], flush=True)
            keep(path, arguments.base, arguments.games, found)


def name_of(base: str, games: int) -> str:
    """What the figures and the picture are called: those of runs of another length are others."""
    return f"gongzhu-curves-{base}" + ("" if games == GAMES else f"-{games}")


def earlier(path: Path) -> dict[str, Any]:
    """The runs that are stored there."""
    return dict(json.loads(path.read_text())["runs"]) if path.exists() else {}


def keep(path: Path, base: str, games: int, found: dict[str, Any]) -> None:
    """Write the figures and draw them; after each run, as the next may be cut off."""
    origin = {"machine": machine(), "versions": versions()}
    figures = {"kind": "gongzhu curves", "base": base, "games": games, "runs": found}
    write(path, figures | origin)
    draw(found, pictures(path.parent) / f"{path.stem}.svg")


if __name__ == "__main__":
    main()
