"""Which search of a turn pays: settings of a model that searches its turn against its network alone.

    python bench/koikoi_search.py MODEL ALONE [--games 2000] [--device cuda] [--only NAME ...]

ALONE is the model of the same network that does not search. Played on deals that are for choosing, never for
reporting; the defaults in agents/turn_search.py are to follow what is found here. Writes
koikoi-search.json: chances to win, points, and gains over the first row on the same deals.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.agents.model import model_agent
from fuda.arena.duel import play_deals
from fuda.core.provenance import commit, machine, versions
from fuda.nets.folder import read_card
from fuda.training.conduct import CHOOSING_SEED
from fuda.training.torch_agent import model_on

SETTINGS: dict[str, dict[str, Any]] = {
    "two moves": {"candidates": 2},
    "four moves": {"candidates": 4},
    "all moves": {"candidates": 8},
}


def player(folder: Path, device: str) -> Any:
    name = f"koikoi/{folder.name}"
    return model_agent(folder, name) if device == "cpu" else model_on(device, folder, name)


def won(margins: np.ndarray) -> np.ndarray:
    """The part of its two games that was won, of each deal."""
    return ((margins > 0) + (margins == 0) / 2).mean(axis=1)


def figure(of_deals: np.ndarray) -> list[float]:
    """The mean and its error."""
    return [float(of_deals.mean()), float(of_deals.std(ddof=1) / len(of_deals) ** 0.5)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Settings of the search of a turn against none.")
    parser.add_argument("model", type=Path)
    parser.add_argument("alone", type=Path)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--only", nargs="+", choices=sorted(SETTINGS), default=list(SETTINGS))
    add_results(parser)
    arguments = parser.parse_args()
    table, alone = fuda.game("koikoi"), player(arguments.alone, arguments.device)
    rows: dict[str, Any] = {}
    first = None
    for name in arguments.only:
        began = time.perf_counter()
        searching = player(arguments.model, arguments.device)
        for setting, value in SETTINGS[name].items():
            setattr(searching, setting, value)
        margins = play_deals(table, [searching, alone], CHOOSING_SEED, 0, arguments.games // 2)
        first = margins if first is None else first
        rows[name] = {
            "win rate": figure(won(margins)),
            "points": figure(margins.mean(axis=1)),
            "gain in win rate": figure(won(margins) - won(first)),
            "seconds": round(time.perf_counter() - began, 1),
        }
        print(name, json.dumps(rows[name]), flush=True)
        found = {
            "kind": "koikoi search", "rows": rows, "games": arguments.games, "seed": CHOOSING_SEED,
            "weights": {each.name: read_card(each).weights for each in (arguments.model, arguments.alone)},
            "machine": machine(), "versions": versions(), "commit": commit(),
        }  # fmt: skip
        write(arguments.results / "koikoi-search.json", found)


if __name__ == "__main__":
    main()
