"""The comparison of the CQL paper's Section 5.2 (Fig. 3): a landlord that learns against two RHCP peasants.

    python bench/doudizhu_landlord.py --out DIR                 on a GPU, four minutes a run
    python bench/doudizhu_landlord.py --out DIR --small         small networks on a CPU
    python bench/doudizhu_landlord.py --out DIR --only a2c --rates 1e-4 --seeds 1 2 --minutes 2

By Combinatorial Q-Learning, A3C in its synchronous form (A2C) and naive deep Q-learning; every learning rate
with every seed of training. Models are kept on the way and win, or lose, games on the deals for reporting. A
run that was stopped goes on if DIR is given again; models that were measured before are not measured again.
Writes doudizhu-landlord.json and doudizhu-landlord.svg, or -small.
"""

import argparse
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from results_folder import add_results, pictures, write
from strength import REPORT_SEED

import fuda
from fuda.arena.seats import games_won
from fuda.core.provenance import commit
from fuda.nets.folder import read_card
from fuda.training.conduct import MODEL, conduct
from fuda.training.device import choose_device, origin
from fuda.training.registry import find_recipe
from fuda.training.run_folder import CHECKPOINT
from fuda.training.torch_agent import model_on

GAME, GUEST, LANDLORD = "doudizhu", "doudizhu/rhcp", (0,)
ALGORITHMS = {"cql": "Combinatorial Q-Learning", "a2c": "A2C", "dqn": "naive deep Q-learning"}
RATES = (3e-5, 1e-4, 3e-4)
SMALL_RATES = (3e-4, 1e-3, 3e-3)  # small networks take larger steps
MINUTES, POINTS = 4.0, 12  # of a run, and of its curve


def main() -> None:
    parser = argparse.ArgumentParser(description="Train landlords against RHCP in three ways.")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--small", action="store_true", help="networks for a CPU")
    parser.add_argument("--only", nargs="+", choices=sorted(ALGORITHMS), default=list(ALGORITHMS))
    parser.add_argument("--rates", nargs="+", type=float, help="learning rates")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="of training")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="of each run")
    parser.add_argument("--games", type=int, help="let runs end after so many games instead")
    parser.add_argument("--report", type=int, default=1000, help="games of each model that was kept")
    parser.add_argument("--device", default="auto")
    add_results(parser)
    arguments = parser.parse_args()
    device = choose_device("cpu" if arguments.small else arguments.device)
    called = "doudizhu-landlord" + ("-small" if arguments.small else "")
    path = arguments.results / f"{called}.json"
    found = earlier(path)
    if "random" not in found:
        games = 10 * arguments.report  # it wins few
        won = games_won(fuda.game(GAME), fuda.agent(f"{GAME}/random"), GUEST, LANDLORD, games, REPORT_SEED)
        found["random"] = {"won": round(won[0], 4), "stderr": round(won[1], 4), "commit": commit()}
    for rate in arguments.rates or (SMALL_RATES if arguments.small else RATES):
        for algorithm in arguments.only:
            for seed in arguments.seeds:
                name = f"{algorithm}-{rate:g}-{seed}"
                folder = arguments.out / name
                train(folder, algorithm, rate, seed, arguments, device)
                before = found.get(name, {}).get("curve", [])
                found[name] = {
                    "algorithm": algorithm, "learning rate": rate, "training seed": seed,
                    "curve": curve(folder, arguments.report, device, before), **origin(),
                }  # fmt: skip
                print(name, found[name]["curve"][-1], flush=True)
                keep(path, found)


def train(
    folder: Path, algorithm: str, rate: float, seed: int, told: argparse.Namespace, device: torch.device
) -> None:
    """A run to its end, from where it was stopped."""
    name = f"{GAME}-landlord-{algorithm}" + ("-small" if told.small else "")
    kind, recipe = find_recipe(name)
    recipe = replace(recipe, learning_rate=rate, final_learning_rate=rate, seed=seed)
    minutes = None if told.games else told.minutes
    if told.games:
        recipe = replace(recipe, games=told.games)
    conduct(
        kind.Run(recipe, folder, device, minutes),
        resume=(folder / CHECKPOINT).exists(), evaluate=False, keep_minutes=told.minutes / POINTS, name=name,
    )  # fmt: skip


def curve(
    folder: Path, games: int, device: torch.device, before: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Games won by the models that were kept on the way and by the last, by games of training."""
    known = {(point["weights"], point["games"], point["of games"]): point for point in before}
    points = {}
    for model in [*folder.glob(f"at-*-*/{MODEL}"), folder / MODEL]:
        card = read_card(model)
        point = known.get((card.weights, card.made["games"], games))
        if point is None:
            player = model_on(device, model, f"{GAME}/{folder.name}")
            won, stderr = games_won(fuda.game(GAME), player, GUEST, LANDLORD, games, REPORT_SEED)
            point = {
                "games": card.made["games"], "minutes": card.made["minutes"], "won": round(won, 4),
                "stderr": round(stderr, 4), "of games": games, "seed": REPORT_SEED, "weights": card.weights,
                "commit": commit(),
            }  # fmt: skip
        points[point["games"]] = point
    return [points[number] for number in sorted(points)]


def earlier(path: Path) -> dict[str, Any]:
    """The runs that are stored there."""
    return dict(json.loads(path.read_text())["runs"]) if path.exists() else {}


def keep(path: Path, found: dict[str, Any]) -> None:
    """Write the figures and draw them; after each run, as the next may be cut off."""
    figures = {"kind": "doudizhu landlord", "name": path.stem, "runs": found}
    write(path, figures)
    (pictures(path.parent) / f"{path.stem}.svg").write_text(drawn(found))


def drawn(found: dict[str, Any]) -> str:
    """Games won at equal games and at equal minutes; the best learning rate of each algorithm is bold."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, PercentFormatter

    runs = {name: run for name, run in found.items() if name != "random"}
    best = {
        algorithm: max(mine, key=lambda run: run["curve"][-1]["won"])["learning rate"]
        for algorithm in ALGORITHMS
        if (mine := [run for run in runs.values() if run["algorithm"] == algorithm])
    }
    styles = dict(zip(sorted(rates_of(runs)), ("--", "-", ":"), strict=False))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "fuda", "axes.grid": True, "grid.alpha": 0.3}):
        figure = Figure(figsize=(10, 4.6), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        for panel, by in zip(panels, ("games", "minutes"), strict=True):
            for run in runs.values():
                name, rate = run["algorithm"], run["learning rate"]
                told = f"{ALGORITHMS[name]}, {rate:g}" if run["training seed"] == 1 else None
                panel.plot(
                    [point[by] for point in run["curve"]], [point["won"] for point in run["curve"]],
                    styles.get(rate, "-."), color=f"C{list(ALGORITHMS).index(name)}", label=told,
                    lw=2.4 if rate == best[name] else 1.0,
                )  # fmt: skip
            panel.axhline(found["random"]["won"], color="#888888", lw=0.8)
            panel.set_xlabel(f"{by} of training")
            panel.xaxis.set_major_formatter(EngFormatter(sep=""))
        panels[0].set_ylabel("games won by the landlord over RHCP")
        panels[0].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def rates_of(runs: dict[str, Any]) -> set[float]:
    """The learning rates that were tried."""
    return {run["learning rate"] for run in runs.values()}


if __name__ == "__main__":
    main()
