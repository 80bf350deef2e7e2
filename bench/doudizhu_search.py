"""Which play-outs pay: settings of Dou Dizhu's searching player against its network alone.

    python bench/doudizhu_search.py [--deals 1000] [--device cuda] [--only NAME ...]

Played on deals that are for choosing, never for reporting; the settings in games/doudizhu/players.py are to
follow what is found here. Writes doudizhu-search.json after each row: games won, and gains over
the first row on the same deals.
"""

import argparse
import json
import time
from typing import Any

import numpy as np
from koikoi_search import figure, won
from results_folder import add_results, write

import fuda
from fuda.agents import model_of
from fuda.agents.model import model_agent
from fuda.arena.duel import play_deals
from fuda.core.provenance import commit, machine, versions
from fuda.training.conduct import CHOOSING_SEED
from fuda.training.torch_agent import model_on

CHUNK = 1024  # deals that advance together
SETTINGS: dict[str, dict[str, Any]] = {
    "as it ships": {},
    "weighed by plays": {"weighting": "bayes"},
    "weighed by plays, beta 10": {"weighting": "bayes", "beta": 10.0},
    "weighed by plays, beta 60": {"weighting": "bayes", "beta": 60.0},
    "to the end": {"plies": 0},
    "three plies": {"plies": 3},
    "nine plies": {"plies": 9},
    "no exact endings": {"exact": 0},
    "16 scenarios": {"scenarios": 16},
    "64 scenarios": {"scenarios": 64},
    "2% behind": {"close": 0.02},
    "10% behind, five moves": {"close": 0.1, "candidates": 5},
    "doubt 1.5%": {"doubt": 0.015},
    "doubt 6%": {"doubt": 0.06},
}


def player(name: str, device: str, **parameters: Any) -> Any:
    found = model_of(name)
    assert found is not None
    folder, suffix = found
    if device == "cpu":
        return model_agent(folder, name, 0, parameters, suffix)
    return model_on(device, folder, name, suffix, parameters)


def main() -> None:
    parser = argparse.ArgumentParser(description="Settings of play-outs against the network alone.")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--only", nargs="+", choices=sorted(SETTINGS), default=list(SETTINGS))
    add_results(parser)
    arguments = parser.parse_args()
    table, alone = fuda.game("doudizhu"), player("doudizhu/best-raw", arguments.device)
    rows: dict[str, Any] = {}
    first = None
    for name in arguments.only:
        began = time.perf_counter()
        searching = player("doudizhu/best", arguments.device, **SETTINGS[name])
        margins = np.concatenate([
            play_deals(
                table, [searching, alone], CHOOSING_SEED, start, min(start + CHUNK, arguments.deals)
            )
            for start in range(0, arguments.deals, CHUNK)
        ])  # fmt: skip
        first = margins if first is None else first
        rows[name] = {
            "settings": SETTINGS[name],
            "win rate": figure(won(margins)),
            "as landlord": figure(won(margins[:, :1])),
            "as peasants": figure(won(margins[:, 1:])),
            "gain in win rate": figure(won(margins) - won(first)),
            "seconds": round(time.perf_counter() - began, 1),
        }
        print(name, json.dumps(rows[name]), flush=True)
        found = {
            "kind": "doudizhu search", "rows": rows, "deals": arguments.deals, "seed": CHOOSING_SEED,
            "weights": alone.weights, "device": arguments.device, "machine": machine(),
            "versions": versions(), "commit": commit(),
        }  # fmt: skip
        write(arguments.results / "doudizhu-search.json", found)


if __name__ == "__main__":
    main()
