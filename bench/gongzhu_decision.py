"""How long a Gongzhu model thinks on one CPU core, without torch.

    python bench/gongzhu_decision.py MODEL           writes gongzhu-decision-PLAYER.json
    python bench/gongzhu_decision.py --recipe gongzhu-open     a fresh network of a recipe that ships

Decisions with a choice are timed one by one; then a game with the player at all four seats.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from positions import positions, timed
from results_folder import add_results, write

import fuda
from fuda.agents.model import model_agent
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import limited_to

MATCHES, GAMES = 8, 3


def fresh_model(recipe: str, folder: Path) -> None:
    """A network of a recipe's shape with random weights, which takes as long as a trained one.

    To a network of views all cards are about the same then: every decision is close, and looked at.
    """
    import torch

    from fuda.nets.export import write_model
    from fuda.nets.folder import ModelCard
    from fuda.training.registry import find_recipe
    from fuda.training.trees import new_network

    torch.manual_seed(1)
    found = find_recipe(recipe).recipe
    spec, encoding = fuda.game("gongzhu").spec, found.encoding
    card = ModelCard(
        spec.id, spec.rules_version, encoding.__name__.rpartition(".")[2], encoding.ENCODING_VERSION,
        "Fresh", "Random weights.", "points", getattr(found, "scale", 1.0),
    )  # fmt: skip
    net = new_network(found.shape, encoding, spec.num_outputs(encoding))
    write_model(folder, card, [(net, encoding.DECISION_KINDS)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Time ScrofaZero's decisions on one core.")
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--suffix", default="", help="which of the model's players, e.g. --suffix=-raw")
    parser.add_argument("--recipe", default="gongzhu-open", help="of a fresh network, without a model")
    parser.add_argument("--matches", type=int, default=MATCHES, help="whose decisions are timed")
    add_results(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, limited_to(1):
        if arguments.model is None:
            fresh_model(arguments.recipe, Path(folder))
        model = arguments.model or Path(folder)
        agent = model_agent(model, f"{model.name}{arguments.suffix}", suffix=arguments.suffix)
        spent = timed(agent, positions("gongzhu", "gongzhu/greed", arguments.matches))
        games = []
        for seed in range(GAMES):
            match = fuda.game("gongzhu").start(seed)
            began = time.perf_counter()
            while not match.over:
                match.play(agent.choose(match))
            games.append(time.perf_counter() - began)
        size = sum(file.stat().st_size for file in model.glob("*.onnx"))
    figures = {
        "kind": "gongzhu decision",
        "game": "gongzhu",
        "player": agent.name,
        "weights": agent.weights,
        "model MiB": round(size / 2**20, 2),
        "decisions": len(spent),
        "mean seconds": sum(spent) / len(spent),
        "slowest, seconds": max(spent),
        "seconds of a game at all four seats": sum(games) / len(games),
        "cores": 1,
        "others at work (load)": round(os.getloadavg()[0], 1),
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    print(json.dumps(figures, indent=1))
    if arguments.model is not None:
        write(arguments.results / f"gongzhu-decision-{agent.name}.json", figures)


if __name__ == "__main__":
    main()
