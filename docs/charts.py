"""Curves of the documents: chances to win by lead (the paper's Fig. 5), training runs (its Fig. 6).

    python docs/charts.py winning MODEL --out FILE.svg       MODEL: a model folder with a table of chances
    python docs/charts.py training RUN... --out FILE.svg     RUN: a folder of fuda train, or a train-*.json
    python docs/charts.py training RUN... --by minutes --out FILE.svg

`python docs/pictures.py` draws those of the shipped models and of bench/results/.
"""

import argparse
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, PercentFormatter

import fuda
from fuda.agents.model import model_folders
from fuda.games.koikoi.outcomes import AIMS
from fuda.games.koikoi.winning import MAX_LEAD
from fuda.nets.folder import read_card

ROOT = Path(__file__).parent.parent
SHOWN_LEAD = 40
AIM_STARTS = tuple(f"{aim}_" for aim in AIMS)
WON = "_win_rate"  # ends the names of evaluations in a log
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "fuda",
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
}


def winning(folder: Path) -> str:
    """The chance to win before each round of a Koi-Koi match, by lead and by who deals."""
    folder = folder.resolve()
    card = read_card(folder)
    table = card.table(folder)
    if table is None:
        raise ValueError(f"{folder} has no table of chances to win")
    rounds = int(fuda.game("koikoi").options["rounds"])
    leads = np.arange(-SHOWN_LEAD, SHOWN_LEAD + 1, 2)  # the points of both add up to an even number
    with rc_context(STYLE):
        figure = Figure(figsize=(10, 4.6), layout="constrained")
        figure.suptitle(f"Chances by the table of {folder.parent.name}/{folder.name}", fontsize=11)
        axes = figure.subplots(1, 2, sharey=True)
        for number in range(1, rounds + 1):
            left = rounds + 1 - number
            colour = colormaps["viridis"](0.9 * (1 - (number - 1) / max(rounds - 1, 1)))
            deals = table[left, leads + MAX_LEAD]
            waits = 1 - table[left, MAX_LEAD - leads]
            for panel, chances in zip(axes, (deals, waits), strict=True):
                panel.plot(leads, chances, color=colour, label=f"round {number}")
        for panel, who in zip(axes, ("I deal", "the other player deals"), strict=True):
            panel.set_title(who)
            panel.set_xlabel("my points minus theirs, before the round")
            panel.axvline(0, color="#888888", lw=0.8)
            panel.axhline(0.5, color="#888888", lw=0.8)
        axes[0].set_ylabel("chance to win the match")
        axes[0].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes[0].legend(fontsize=8, loc="upper left")
        return _svg(figure, f"table {card.table_sha256}")


def training(runs: list[Path], by: str = "games") -> str:
    """Games won and points a game against each opponent, by the games or the minutes of training."""
    curves = {name: curve for run in runs for name, curve in _by_aim(*_curve(run)).items()}
    keys = {key for curve in curves.values() for point in curve for key in point}
    opponents = sorted(
        key.removesuffix(WON) for key in keys if key.endswith(WON) and not key.startswith(AIM_STARTS)
    )
    with rc_context(STYLE):
        figure = Figure(figsize=(10, 3.2 * len(opponents) + 0.6), layout="constrained")
        panels = figure.subplots(len(opponents), 2, sharex=True, squeeze=False)
        for row, opponent in zip(panels, opponents, strict=True):
            for panel, what in zip(row, (WON, "_points"), strict=True):
                _plot(panel, curves, by, opponent + what)
            row[0].set_ylabel(f"games won over {opponent}")
            row[0].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))
            row[1].set_ylabel(f"points a game over {opponent}")
        for panel in panels[-1]:
            panel.set_xlabel(f"{by} of training")
            panel.xaxis.set_major_formatter(EngFormatter(sep=""))
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        return _svg(figure)


def _plot(panel: Axes, curves: dict[str, list[dict[str, Any]]], by: str, key: str) -> None:
    for name, curve in curves.items():
        points = [(point[by], point[key]) for point in curve if key in point]
        if points:
            panel.plot(*zip(*points, strict=True), marker="o", ms=4, label=name)


def _curve(run: Path) -> tuple[str, list[dict[str, Any]]]:
    """The name of a run and the evaluations in it."""
    if run.is_dir():
        lines = (run / "log.jsonl").read_text().splitlines()
        name, curve = run.name, [json.loads(line) for line in lines]
    else:
        try:
            stored = json.loads(run.read_text())
        except json.JSONDecodeError:
            stored = {}
        if "curve" not in stored:
            raise ValueError(f"{run} does not have the curve of a training run")
        name, curve = stored["name"], stored["curve"]
    if not any(key.endswith(WON) for point in curve for key in point):
        raise ValueError(f"{run} has no evaluations to draw")
    return name, curve


def _by_aim(name: str, curve: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """A curve for each aim of a run that has several: there `points_random_win_rate` is for points."""
    keys = {key for point in curve for key in point}
    aims = [aim for aim in AIMS if any(key.startswith(f"{aim}_") for key in keys)]
    if not aims:
        return {name: curve}
    return {
        f"{name}, for {aim}": [
            {key.removeprefix(f"{aim}_"): value for key, value in point.items()} for point in curve
        ]
        for aim in aims
    }


def _svg(figure: Figure, source: str | None = None) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Source": source})
    return file.getvalue()


def shipped_winning() -> str:
    """The chances of the first shipped model that has them."""
    folders = [
        folder for _, folder in sorted(model_folders("koikoi").items()) if read_card(folder).table_sha256
    ]
    return winning(folders[0])


def stored_training(by: str) -> str:
    """The stored runs."""
    return training(sorted((ROOT / "bench" / "results").glob("train-koikoi*.json")), by)


CHARTS = {
    "winning-chance": shipped_winning,
    "training-curves": partial(stored_training, "games"),
    "training-minutes": partial(stored_training, "minutes"),
}


def main() -> None:
    """Draw a chart of models or runs that are named."""
    parser = argparse.ArgumentParser(description="Draw chances to win, or training runs.")
    parser.add_argument("chart", choices=["winning", "training"])
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--by", choices=["games", "minutes"], default="games", help="of training runs")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        if arguments.chart == "winning":
            arguments.out.write_text(winning(arguments.sources[0]))
        else:
            arguments.out.write_text(training(arguments.sources, arguments.by))
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
