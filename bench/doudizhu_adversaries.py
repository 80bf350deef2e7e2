"""Curves of three Dou Dizhu agents that learn against each other (Fig. 4 of the CQL paper).

    fuda train doudizhu-cql --out RUN --keep 1
    python bench/doudizhu_adversaries.py RUN NAME [--games 1000]     RUN: with the models that were kept

Each kept model: how often each of its seats wins with RHCP in the two others, and how often its landlord wins
over its own peasants; on the deals for reporting. Writes doudizhu-adversaries-NAME.json and
doudizhu-adversaries-NAME.svg. Models that were measured before are not measured again.
"""

import argparse
import io
import json
from pathlib import Path
from typing import Any

from results_folder import add_results, pictures, write
from strength import REPORT_SEED

import fuda
from fuda.agents import Agent
from fuda.arena.seats import games_won
from fuda.core.provenance import commit, machine, versions
from fuda.nets.folder import read_card
from fuda.training.conduct import MODEL
from fuda.training.device import choose_device
from fuda.training.torch_agent import model_on

GAME = "doudizhu"
SEATS = ("landlord", "down", "up")
ITSELF = "landlord over its own peasants"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the models that a run has kept, seat by seat.")
    parser.add_argument("run", type=Path)
    parser.add_argument("name", help="of the figures")
    parser.add_argument("--games", type=int, default=1000, help="of each seat of each model")
    parser.add_argument("--device", default="auto")
    add_results(parser)
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    path = arguments.results / f"doudizhu-adversaries-{arguments.name}.json"
    known = json.loads(path.read_text())["curve"] if path.exists() else []
    models = [*arguments.run.glob(f"at-*-*/{MODEL}"), arguments.run / MODEL]
    if not all(model.is_dir() for model in models):
        parser.error(f"{arguments.run} has no models of fuda train")
    points = {(point["weights"], point["games"], point["of games"]): point for point in known}
    curve = {}
    for model in models:
        card = read_card(model)
        point = points.get((card.weights, card.made["games"], arguments.games))
        if point is None:
            player = model_on(device, model, f"{GAME}/{arguments.name}")
            point = {
                "games": card.made["games"], "minutes": card.made["minutes"], "weights": card.weights,
                "of games": arguments.games, "seed": REPORT_SEED, "commit": commit(),
                **measured(player, arguments.games),
            }  # fmt: skip
            print(point, flush=True)
        curve[point["games"]] = point
        figures = {
            "kind": "doudizhu adversaries", "name": arguments.name, "recipe": card.made["recipe"]["line"],
            "curve": [curve[games] for games in sorted(curve)], "machine": machine(), "versions": versions(),
        }  # fmt: skip
        write(path, figures)
    (pictures(arguments.results) / f"{path.stem}.svg").write_text(drawn(figures["curve"]))


def measured(player: Agent, games: int) -> dict[str, Any]:
    """Games won, with their standard errors."""
    game, rhcp = fuda.game(GAME), fuda.agent(f"{GAME}/rhcp")
    cells = {name: (rhcp, [seat]) for seat, name in enumerate(SEATS)} | {ITSELF: (player, [0])}
    found = {
        name: games_won(game, player, others, seats, games, REPORT_SEED)
        for name, (others, seats) in cells.items()
    }
    return {name: {"won": round(won, 4), "stderr": round(stderr, 4)} for name, (won, stderr) in found.items()}


def drawn(curve: list[dict[str, Any]]) -> str:
    """Above the seats against RHCP, below the landlord and the peasants against each other."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, PercentFormatter

    games = [point["games"] for point in curve]
    lines = {name: [point[name]["won"] for point in curve] for name in SEATS}
    landlord = [point[ITSELF]["won"] for point in curve]
    sides = {"landlord": landlord, "peasants": [1 - won for won in landlord]}
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "fuda", "axes.grid": True, "grid.alpha": 0.3}):
        figure = Figure(figsize=(8, 6.4), layout="constrained")
        panels = figure.subplots(2, 1, sharex=True)
        titles = ("one seat, RHCP in the two others", "the sides of one model against each other")
        for panel, told, title in zip(panels, (lines, sides), titles, strict=True):
            for name, won in told.items():
                panel.plot(games, won, marker="o", ms=4, label=name)
            panel.set_title(title, fontsize=10)
            panel.set_ylabel("games won")
            panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
            panel.legend(fontsize=8)
        panels[1].set_xlabel("games of training")
        panels[1].xaxis.set_major_formatter(EngFormatter(sep=""))
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


if __name__ == "__main__":
    main()
