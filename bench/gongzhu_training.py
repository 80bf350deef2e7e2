"""Keeps the figures of Gongzhu's training runs and draws their curves: Fig. 2 of the ScrofaZero paper.

    python bench/gongzhu_training.py RUN [RUN ...]
    python bench/gongzhu_training.py RUN --games 2048    duel the model of a run without evaluations

A RUN is a folder of `fuda train` with a Gongzhu recipe. Writes gongzhu-training.json, which
keeps the runs of earlier calls, and gongzhu-training.svg with those that began with nothing. The rate is
the median over the run, without evaluations; seconds by the clock have them, and the time to compile.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

from results_folder import add_results, pictures, write

import fuda
from fuda.agents.model import model_agent
from fuda.core.provenance import commit
from fuda.nets.folder import read_card
from fuda.training.conduct import CHOOSING_SEED, MODEL

# Over Mr. Greed, from the paper's Table 2 and the facts about its raw network: games and points.
AUTHORS = [(0, -265), (25_600, -64), (102_400, -3), (256_000, 37)]


def figures(run: Path, games: int | None) -> dict[str, Any]:
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    rates = [line["games_per_second"] for line in lines if "games_per_second" in line]
    wanted = ("games", "minutes", "random_points", "if_points", "greed_points", "greed_stderr")
    curve = [{name: line[name] for name in wanted} for line in lines if "greed_points" in line]
    if games is not None:
        curve.append({name: lines[-1][name] for name in wanted[:2]} | duelled(run / MODEL, games))
    return {
        "games per second": round(statistics.median(rates)) if rates else None,
        "seconds by the clock": lines[-1].get("wall_seconds"),  # only an ended run tells
        "curve": curve,
        "start": read_card(run / MODEL).made.get("start", {}) if (run / MODEL).exists() else {},
        **json.loads((run / "run.json").read_text()),
    }


def duelled(model: Path, games: int) -> dict[str, Any]:
    """What an evaluation in training would tell of a model."""
    player = model_agent(model, "gongzhu/in-training", suffix="-raw")
    found: dict[str, Any] = {"duels": {"games": games, "seed": CHOOSING_SEED, "commit": commit()}}
    for opponent in ("random", "if", "greed"):
        result = fuda.duel("gongzhu", player, f"gongzhu/{opponent}", games, CHOOSING_SEED)
        found |= {f"{opponent}_points": result.mean_diff, f"{opponent}_stderr": result.stderr}
    return found


def draw(runs: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "fuda"  # the same picture for the same figures
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
    for name, run in runs.items():
        if run.get("start"):
            continue
        points = [each["greed_points"] for each in run["curve"]]
        for axis, what in zip(axes, ("games", "minutes"), strict=True):
            axis.plot([each[what] for each in run["curve"]], points, "o-", markersize=3, label=name)
    axes[0].plot(*zip(*AUTHORS, strict=True), "k--", label="the authors")
    axes[0].set_xscale("symlog", linthresh=10_000)
    axes[1].set_xscale("symlog", linthresh=0.1, linscale=0.3)
    axes[1].set_xticks([0, 0.1, 0.3, 1, 3, 10, 30], ["0", "0.1", "0.3", "1", "3", "10", "30"])
    axes[0].set_ylabel("points over Mr. Greed")
    for axis, what in zip(axes, ("games", "minutes"), strict=True):
        axis.set_xlabel(what)
        axis.axhline(0, color="grey", linewidth=0.8)
        axis.grid(alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep the figures of Gongzhu's training runs.")
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--games", type=int, help="duel the models at the end, so many games each")
    add_results(parser)
    arguments = parser.parse_args()
    path = arguments.results / "gongzhu-training.json"
    kept = json.loads(path.read_text()) if path.exists() else {"kind": "gongzhu training", "runs": {}}
    kept["runs"] |= {run.resolve().name: figures(run, arguments.games) for run in arguments.runs}
    write(path, kept)
    draw(kept["runs"], pictures(arguments.results) / "gongzhu-training.svg")


if __name__ == "__main__":
    main()
