"""One player in one seat of Dou Dizhu, another in the two others (Fig. 5 of the CQL paper).

    python bench/doudizhu_seats.py --cql FOLDER          CQL, RHCP, MCTS and random, each against each
    python bench/doudizhu_seats.py --cql FOLDER --only rhcp random cql    in the order of the environments

10 x 100 deals for reporting, 10 x 10 where MCTS is the player or in the other seats; a peasant's partner is
of the environment. Standard deviations are those over the ten blocks. Writes
bench/results/doudizhu-seats.json after each cell; cells of the same players are not played again.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from strength import REPORT_SEED

import fuda
from fuda.agents import Agent
from fuda.arena.seats import wins
from fuda.core.provenance import commit, machine, versions
from fuda.training.device import choose_device
from fuda.training.torch_agent import model_on

RESULTS = Path(__file__).parent / "results"
GAME = "doudizhu"
SEATS = ("landlord", "down", "up")
CQL, SLOW = "cql", "mcts"
PLAYERS = (CQL, "rhcp", SLOW, "random")
BLOCKS, BLOCK_GAMES, SLOW_BLOCK_GAMES = 10, 100, 10


def main() -> None:
    parser = argparse.ArgumentParser(description="One player in a seat, another in the two others.")
    parser.add_argument("--cql", help="the folder of a model, or an agent's name")
    parser.add_argument("--only", nargs="+", choices=PLAYERS, default=PLAYERS, help="players")
    parser.add_argument("--block", type=int, default=BLOCK_GAMES, help="games of each of the ten blocks")
    parser.add_argument("--slow-block", type=int, default=SLOW_BLOCK_GAMES, help="the same with MCTS")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    if CQL in arguments.only and not arguments.cql:
        parser.error("say with --cql which player by decompositions, or leave it out with --only")
    path = RESULTS / "doudizhu-seats.json"
    cells = json.loads(path.read_text())["cells"] if path.exists() else {}
    players = {name: player(name, arguments.cql, arguments.device) for name in arguments.only}
    for environment in arguments.only:
        for agent in arguments.only:
            games = arguments.slow_block if SLOW in (agent, environment) else arguments.block
            name = f"{agent} among {environment}"
            who = [players[each].weights for each in (agent, environment)]
            if (cells.get(name, {}).get("games"), cells.get(name, {}).get("weights")) == (
                BLOCKS * games,
                who,
            ):
                continue
            cells[name] = {
                "agent": agent, "environment": environment, "games": BLOCKS * games, "blocks": BLOCKS,
                "weights": who, "seed": REPORT_SEED, "commit": commit(),
                "seats": cell(players[agent], players[environment], games),
            }  # fmt: skip
            print(name, cells[name]["seats"], flush=True)
            figures = {"kind": "doudizhu seats", "cells": cells, "machine": machine(), "versions": versions()}
            path.write_text(json.dumps(figures, indent=1) + "\n")


def player(name: str, cql: str | None, device: str) -> Agent:
    """A player by name; a model by its folder is played where the device is."""
    if name != CQL:
        return fuda.agent(f"{GAME}/{name}")
    if cql is not None and Path(cql).is_dir():
        return model_on(choose_device(device), Path(cql), f"{GAME}/{CQL}")
    return fuda.agent(str(cql))


def cell(agent: Agent, environment: Agent, games: int) -> dict[str, Any]:
    """For each seat the part of the games won, and its standard deviation over blocks of so many games."""
    found = {}
    for seat, name in enumerate(SEATS):
        won = wins(fuda.game(GAME), agent, environment, [seat], BLOCKS * games, REPORT_SEED)
        blocks = won.reshape(BLOCKS, games).mean(axis=1)
        found[name] = {
            "won": round(float(won.mean()), 4),
            "deviation": round(float(np.std(blocks, ddof=1)), 4),
        }
    return found


if __name__ == "__main__":
    main()
