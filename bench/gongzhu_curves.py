"""Curves of training with open hands, one thing changed at a time: each run has 64,000 games.

    python bench/gongzhu_curves.py --out DIR [--only NAME ...] [--games 64000] [--device cuda]

Runs that are already in DIR are not repeated, one that was stopped goes on. Writes
bench/results/gongzhu-curves.json and docs/gongzhu-curves.svg: the network one ply deep over Mr. Greed, on
deals that are for choosing; how often a player takes all hearts in games of the network against itself.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import fuda
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.games.gongzhu.cards import ALL_HEARTS
from fuda.nets.policy_value import FC16, FC24, MlpShape, ResNetShape
from fuda.training import perfect_information as perfect
from fuda.training.conduct import CHOOSING_SEED, MODEL
from fuda.training.device import choose_device
from fuda.training.run_folder import CHECKPOINT, LOG

RESULTS = Path(__file__).parent / "results"
DOCS = Path(__file__).parent.parent / "docs"
BASE = replace(perfect.AUTHORS, late_after=1.0)
ALL_HEARTS_GAMES = 512


def variants(games: int) -> dict[str, perfect.OpenHandsRecipe]:
    base = replace(BASE, games=games)
    plain: MlpShape = replace(FC24, diffuse=0)
    return {
        "authors": base,
        "not diffused": replace(base, shape=plain),
        "mask after softmax": replace(base, mask="after"),
        "legal cards only": replace(base, mask="legal"),
        "1 x legal": replace(base, per_legal=1),
        "4 x legal": replace(base, per_legal=4),
        "8 x legal": replace(base, per_legal=8),
        "hidden hands": replace(base, hidden=True),
        "window 1": replace(base, window=1),
        "FC 16": replace(base, shape=FC16),
        "ResNet 18": replace(base, shape=ResNetShape()),
    }


def all_hearts(run: Path) -> float:
    """How often one player takes all hearts when the run's network plays one ply deep against itself."""
    agent = fuda.agent(run / MODEL, scenarios=5, sampling="uniform", weighting="none", per_legal=1, extra=0)
    seatings = np.zeros((ALL_HEARTS_GAMES, 4), np.int64)
    table = LockStep(fuda.game("gongzhu"), CHOOSING_SEED, np.arange(ALL_HEARTS_GAMES), seatings)
    table.play([agent.act])
    return float(((table.states["pile"] & ALL_HEARTS) == ALL_HEARTS).any(axis=1).mean())


def curve(run: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    wanted = ("games", "minutes", "greed_points", "greed_stderr", "random_points")
    return [{name: line[name] for name in wanted} for line in lines if "greed_points" in line]


def draw(found: dict[str, Any]) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "fuda"  # the same picture for the same figures
    figure, axis = plt.subplots(figsize=(9, 5), layout="constrained")
    for name, run in found.items():
        points = run["curve"]
        axis.plot([each["games"] for each in points], [each["greed_points"] for each in points], label=name)
    axis.set_xlabel("games")
    axis.set_ylabel("points over Mr. Greed, one ply deep")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(DOCS / "gongzhu-curves.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="Curves of training with open hands.")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--only", nargs="+", help="names of runs; else all")
    parser.add_argument("--games", type=int, default=64_000)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    found = {}
    for name, recipe in variants(arguments.games).items():
        run = arguments.out / name.replace(" ", "-")
        if arguments.only is None or name in arguments.only:
            perfect.train(recipe, run, resume=(run / CHECKPOINT).exists(), device=device)
        if (run / LOG).exists() and (run / MODEL).exists():
            found[name] = {"curve": curve(run), "all hearts": all_hearts(run)}
            print(name, found[name]["curve"][-1], found[name]["all hearts"], flush=True)
    origin = {"machine": machine(), "versions": versions(), "commit": commit()}
    figures = {"kind": "gongzhu curves", "games": arguments.games, "runs": found}
    (RESULTS / "gongzhu-curves.json").write_text(json.dumps(figures | origin, indent=1) + "\n")
    draw(found)


if __name__ == "__main__":
    main()
