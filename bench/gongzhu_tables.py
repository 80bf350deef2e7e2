"""Tables 2, 3, 5 and 8 of the ScrofaZero paper, and its intransitivity (Eq. 17 and 20), for models of ours.

    python bench/gongzhu_tables.py table3 MODEL                all ways to draw and to weigh scenarios
    python bench/gongzhu_tables.py table2 MODEL                all pairs of players, with the intransitivity
    python bench/gongzhu_tables.py table8 MODEL                the policy alone, its input one-hot or averaged
    python bench/gongzhu_tables.py table5 RUN/model ...        networks, one ply deep, over Mr. Greed
    ... --deals 2048 --device cuda

MODEL is a folder that `fuda train` wrote, or a shipped one. Every deal is played in both seatings; all rows
of a table are on the same deals, and gains are paired differences. A table that was
stopped goes on. Writes bench/results/gongzhu-TABLE.json.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gongzhu_players import REPORT_SEED, Played, keep, label, need_open_hands, player, row
from results_folder import add_results

import fuda
from fuda.agents import Agent
from fuda.arena.transitivity import bootstrap

# Table 3: its five rows with the paper's figures, and the ways that it does not show.
TABLE3: dict[str, dict[str, Any]] = {
    "US": {"sampling": "uniform", "weighting": "none"},
    "SS": {"sampling": "stratified", "weighting": "none"},
    "US with IEC": {"sampling": "uniform", "weighting": "iec"},
    "SS with IEC": {"sampling": "stratified", "weighting": "iec"},
    "SS, counted strata": {"sampling": "stratified", "counted": True, "weighting": "none"},
    "SS, counted strata, with IEC": {"sampling": "stratified", "counted": True, "weighting": "iec"},
    "US with linear IEC": {"sampling": "uniform", "weighting": "iec-linear"},
    "SS with linear IEC": {"sampling": "stratified", "weighting": "iec-linear"},
    "US with plain Bayes": {"sampling": "uniform", "weighting": "bayes"},
    "SS with plain Bayes": {"sampling": "stratified", "weighting": "bayes"},
}
PAPERS3 = {
    "US": [59.6, 3.3],
    "SS": [59.7, 3.3],
    "US with IEC": [54.5, 4.7],
    "SS with IEC": [73.9, 3.3],
    "SS with IEC (against US)": [15.5, 4.1],
}
PAPERS2 = {
    "if": {"random": 194},
    "greed": {"random": 275, "if": 80},
    "SS": {"random": 319, "if": 127, "greed": 60},
}
PAPERS5 = {"FC-24": [32, 5], "FC-16": [0, 8], "ResNet-18": [-66, 8]}  # as gongzhu_curves.py names its runs
PAPERS8 = {"one-hot": [1, 16], "averaged": [7, 4.6]}


def table3(models: Sequence[Path], played: Played, device: str) -> dict[str, Any]:
    greed = fuda.agent("gongzhu/greed")
    players = {name: player(models[0], device, **given) for name, given in TABLE3.items()}
    found = {name: played.margins(name, one, greed) for name, one in players.items()}
    rows = {name: row(each, None if name == "US" else found["US"]) for name, each in found.items()}
    against = "SS with IEC (against US)"
    rows[against] = row(played.margins(against, players["SS with IEC"], players["US"]))
    for name, figures in PAPERS3.items():
        rows[name]["paper"] = figures
    return {"rows": rows, "gains are over": "US"}


def table2(models: Sequence[Path], played: Played, device: str) -> dict[str, Any]:
    players: dict[str, Agent] = {name: fuda.agent(f"gongzhu/{name}") for name in ("random", "if", "greed")}
    players["SS"] = player(models[0], device, weighting="none")
    names = list(players)
    per_deal = np.zeros((len(names), len(names), played.deals))
    rows: dict[str, Any] = {}
    for i, first in enumerate(names):
        for j, second in enumerate(names[:i]):
            pair = f"{first} over {second}"
            found = played.margins(pair, players[first], players[second])
            per_deal[i, j] = found.mean(axis=1)
            per_deal[j, i] = -per_deal[i, j]
            rows[pair] = row(found) | {"paper": PAPERS2[first][second]}
    value, error = bootstrap(per_deal, REPORT_SEED)
    return {"rows": rows, "intransitivity": {"value": value, "stderr": error, "paper": [0.03, 0.02]}}


def table8(models: Sequence[Path], played: Played, device: str) -> dict[str, Any]:
    greed = fuda.agent("gongzhu/greed")
    inputs: dict[str, dict[str, Any]] = {
        "one-hot": {"scenarios": 1, "sampling": "uniform"},
        "one-hot, nine deals": {"scenarios": 9, "sampling": "uniform"},
        "averaged": {},
    }
    found = {
        name: played.margins(name, player(models[0], device, "-policy", **given), greed)
        for name, given in inputs.items()
    }
    rows = {name: row(each, found["one-hot"]) for name, each in found.items()}
    for name, figures in PAPERS8.items():
        rows[name]["paper"] = figures
    return {"rows": rows, "gains are over": "one-hot"}


def table5(models: Sequence[Path], played: Played, device: str) -> dict[str, Any]:
    greed = fuda.agent("gongzhu/greed")
    found = {
        label(model): played.margins(label(model), player(model, device, "-raw"), greed) for model in models
    }
    first = next(iter(found))
    rows = {name: row(each, found[first]) for name, each in found.items()}
    for name in rows.keys() & PAPERS5.keys():
        rows[name]["paper"] = PAPERS5[name]
    return {"rows": rows, "gains are over": first}


TABLES = {"table2": table2, "table3": table3, "table5": table5, "table8": table8}


def main() -> None:
    parser = argparse.ArgumentParser(description="Tables of the ScrofaZero paper.")
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--deals", type=int, default=1024)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--name", help="of the file with the figures, if not the table's")
    add_results(parser)
    arguments = parser.parse_args()
    if arguments.table != "table5":
        if len(arguments.models) > 1:
            parser.error("this table is of one model")
        need_open_hands(parser, arguments.models[0])
    name = arguments.name or arguments.table
    played = Played(arguments.results, name, arguments.models, arguments.deals, arguments.device)
    figures = TABLES[arguments.table](arguments.models, played, arguments.device)
    kind = f"gongzhu {arguments.table}"
    keep(
        arguments.results, name, kind, figures, arguments.models, arguments.deals, played.seconds,
        arguments.device,
    )  # fmt: skip
    played.forget()


if __name__ == "__main__":
    main()
