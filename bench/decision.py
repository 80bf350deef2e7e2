"""How fast networks decide on a CPU without torch.

    python bench/decision.py                    a network alone and one that searches its turn, as they ship
    python bench/decision.py --model FOLDER     a model of your own

Alone: `agent.choose` for one position after the other, as at a table. Many games: decisions of matches
that advance together, as in a duel. All on one core. Writes decision-koikoi-PLAYER.json.
"""

import argparse
import json
import os
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.agents import Agent
from fuda.agents.model import model_folders
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.core.threads import limited_to

GAME = "koikoi"
SEED = 300
PLAYERS = ("rl-wp", "best")
ALONE = 300
MATCHES, REPEATS = 64, 5
SEARCHED_MATCHES = 8  # of players that search: they take so much longer, and gain little by company


def alone(agent: Agent) -> list[float]:
    """Seconds of each decision with a choice, in matches against chance."""
    other = fuda.agent(f"{GAME}/random", seed=SEED)
    spent: list[float] = []
    match = fuda.game(GAME).start(SEED)
    while len(spent) < ALONE:
        if match.over:
            match = fuda.game(GAME).start(SEED + len(spent))
        if match.seat == 0 and len(match.legal()) > 1:
            began = time.perf_counter()
            move = agent.choose(match)
            spent.append(time.perf_counter() - began)
        else:
            move = other.choose(match)
        match.play(move)
    return spent


def together(agent: Agent, matches: int) -> dict[str, float]:
    """Decisions a second of the agent against itself, from views to moves played."""
    decisions, asked = 0, 0

    def act(views: np.recarray, seats: np.ndarray, luck: np.ndarray) -> np.ndarray:
        nonlocal decisions, asked
        actions = agent.act(views, seats, luck)
        decisions += len(views)
        asked += int((agent.spec.kernels.legal_lists(views).counts > 1).sum())
        return actions

    runner = LockStep(fuda.game(GAME), SEED, np.arange(matches), np.zeros((matches, 2), np.int64))
    began, used = time.perf_counter(), time.process_time()
    runner.play([act])
    wall, used = time.perf_counter() - began, time.process_time() - used
    return {"wall": decisions / wall, "processor": decisions / used, "share": asked / decisions}


def measure(model: Path) -> dict[str, Any]:
    with limited_to(1):
        agent = fuda.agent(model)
        began = time.perf_counter()
        agent.choose(fuda.game(GAME).start(0))
        first = time.perf_counter() - began
        # The best of some runs: what disturbs a run is not the agent.
        spent = sorted(min((alone(agent) for _ in range(REPEATS)), key=sum))
        matches, repeats = (SEARCHED_MATCHES, 1) if agent.info.searches else (MATCHES, REPEATS)
        rates = max((together(agent, matches) for _ in range(repeats)), key=lambda found: found["wall"])
    size = sum(file.stat().st_size for file in model.glob("*.onnx"))
    return {
        "kind": "decision speed",
        "game": GAME,
        "player": model.name,
        "weights": agent.weights,
        "model MiB": round(size / 2**20, 2),
        "the first decision, ms": round(1000 * first, 2),
        "alone, ms": round(1000 * spent[len(spent) // 2], 2),
        "alone, ms, 99 of 100 below": round(1000 * spent[len(spent) * 99 // 100], 2),
        "alone, ms, the slowest": round(1000 * spent[-1], 2),
        "decisions per second": round(rates["wall"]),
        "decisions per second of processor time": round(rates["processor"]),
        "share of decisions with a choice": round(rates["share"], 3),
        "matches together": matches,
        "cores": 1,
        "others at work (load)": round(os.getloadavg()[0], 1),
        "machine": machine(),
        "versions": versions() | {"onnxruntime": metadata.version("onnxruntime")},
        "commit": commit(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a network's decisions on one CPU core.")
    parser.add_argument("--model", type=Path, help="a model folder; else those that ship")
    add_results(parser)
    arguments = parser.parse_args()
    shipped = [model_folders(GAME)[name] for name in PLAYERS]
    for model in shipped if arguments.model is None else [arguments.model]:
        figures = measure(model)
        print(json.dumps(figures, indent=1))
        if arguments.model is None:
            write(arguments.results / f"decision-{GAME}-{model.name}.json", figures)


if __name__ == "__main__":
    main()
