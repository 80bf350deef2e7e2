"""What "train your own" gives: a run of a small recipe on this machine's CPU, and its agent's games.

    python bench/own_agent.py koikoi-small --out DIR             trains ten minutes, then 1,000 games
                                                                 over each opponent
    python bench/own_agent.py gongzhu-small --out DIR --seed 2   with another luck of training

Writes own-RECIPE-SEED.json. A run that was stopped goes on if DIR is given again. How
much of the cores the run had is kept too: beside other programs fewer games are played in the same time.
"""

import argparse
import dataclasses
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from results_folder import add_results, write
from strength import REPORT_SEED

import fuda
from fuda.core.provenance import commit, machine, sources, versions
from fuda.training.conduct import conduct
from fuda.training.registry import find_recipe
from fuda.training.run_folder import CHECKPOINT

RECIPES = (
    "doudizhu-cql-small",
    "doudizhu-deeprocket-small",
    "doudizhu-small",
    "gongzhu-small",
    "gongzhu-views-small",
    "koikoi-small",
)
OPPONENTS = {
    "doudizhu": ("random", "rhcp", "rhcp-partner"),
    "koikoi": ("random", "classical"),
    "gongzhu": ("random", "if", "greed"),
}
NETWORK_ALONE = {"doudizhu-small": {"scenarios": 0}}  # where a small network's play-outs take their time


def main() -> None:
    parser = argparse.ArgumentParser(description="Train an agent of one's own, and see how it plays.")
    parser.add_argument("recipe", choices=RECIPES)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the run")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the training")
    parser.add_argument("--games", type=int, default=1000)
    add_results(parser)
    arguments = parser.parse_args()
    out, name = arguments.out, arguments.recipe
    algorithm, recipe = find_recipe(name)
    recipe = dataclasses.replace(recipe, seed=arguments.seed)
    origin = {"commit": commit(), "sources": sources()}  # of what is loaded: the run takes a while
    loads: list[float] = []
    began, busy = time.perf_counter(), time.process_time()
    conduct(
        algorithm.Run(recipe, out, torch.device("cpu"), arguments.minutes),
        resume=(out / CHECKPOINT).exists(),
        progress=lambda done, text: loads.append(os.getloadavg()[0]),
    )  # fmt: skip
    passed, busy = time.perf_counter() - began, time.process_time() - busy
    if not loads:
        parser.error(
            f"the run in {out} was done before, and what it had of the cores is not known: remove it"
        )
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    kept = {
        "kind": "own agent", "recipe": name, "training seed": arguments.seed,
        "minutes": arguments.minutes, "games": lines[-1]["games"],
        "games per second": round(statistics.median(
            line["games_per_second"] for line in lines if "games_per_second" in line)),
        "seconds with evaluations": round(passed), "cores used": round(busy / passed, 2),
        "load of the machine": round(statistics.mean(loads), 1),
        "over": {other: played(recipe.game, name, out, other, arguments.games)
                 for other in OPPONENTS[recipe.game]},
        **origin, "machine": machine(), "versions": versions() | {"torch": torch.__version__},
    }  # fmt: skip
    path = arguments.results / f"own-{name}-{arguments.seed}.json"
    write(path, kept)
    print(path.read_text())


def played(game: str, recipe: str, out: Path, opponent: str, games: int) -> dict[str, Any]:
    """The agent's games over an opponent, on the seed for reporting."""
    player = fuda.agent(out / "model", **NETWORK_ALONE.get(recipe, {}))
    result = fuda.duel(game, player, f"{game}/{opponent}", games, REPORT_SEED)
    return {"seed": REPORT_SEED, **result.as_dict()}


if __name__ == "__main__":
    main()
