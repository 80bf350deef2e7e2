"""How fast Gongzhu's recipes train here, and where the time goes; into train-rate-RECIPE.json.

    python bench/gongzhu_rate.py gongzhu-views [--seconds 15] [--out bench/results]

The whole loop is measured first: games a second of self-play and learning together. Then its parts alone:
the CPU's work for a group, the GPU's values for it, and a step of learning with its costliest kernels.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from training_rate import RESULTS, kernels, timed, wait

from fuda.games.gongzhu.recipes import RECIPES
from fuda.training import trees, view_values
from fuda.training.device import choose_device, origin
from fuda.training.registry import find_recipe

WARM_UP_ROUNDS = 2  # of views, until every tick has something to learn from


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a Gongzhu recipe's training rate and its parts.")
    parser.add_argument("recipe", choices=sorted(RECIPES))
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    if device.type == "cpu":
        torch.set_num_threads(1)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        algorithm, recipe = find_recipe(arguments.recipe)
        run = algorithm.Run(recipe, Path(folder), device, None)
        start = time.perf_counter() - began
        found = (of_trees if algorithm is trees else of_views)(run, arguments.seconds)
    found = {
        "kind": "gongzhu training rate", "recipe": arguments.recipe, "start, s": round(start, 1), **found,
        **origin(),
    }  # fmt: skip
    path = arguments.out / f"train-rate-{arguments.recipe}.json"
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(path.read_text())


def whole_loop(run: Any, learner: Any, seconds: float) -> tuple[int, int, float]:
    """How often the run advanced in about so many seconds, and its steps of learning."""
    wait(run)
    advances, steps, began = 0, learner.num_steps, time.perf_counter()
    while time.perf_counter() - began < seconds:
        run.advance()
        advances += 1
    wait(run)
    return advances, learner.num_steps - steps, time.perf_counter() - began


def of_views(run: view_values.Run, seconds: float) -> dict[str, Any]:
    recipe, group = run.recipe, run.groups[0]
    ticks = group.play.num_ticks
    for _ in range(WARM_UP_ROUNDS * ticks):
        run.advance()
    advances, steps, passed = whole_loop(run, run.learner, seconds)
    decisions = advances * recipe.groups * recipe.group_size
    a_tick = passed / (advances * recipe.groups) * 1000  # of one group
    act, learn = timed(run, run.learner.act), timed(run, run.learner.train)
    by_cpu = timed(run, group.play.observe)
    return {
        "games per second": round(decisions / ticks / passed),
        "decisions per second": round(decisions / passed),
        "samples learned per second": round(steps * recipe.batch / passed),
        "parts of a group's tick": {
            "a tick, ms": round(a_tick, 3),
            "values on the GPU": round(act / a_tick, 3),
            "learning on the GPU": round(steps / passed * learn / 1000, 3),
            "encoding on the CPU, at the same time": round(by_cpu / a_tick, 3),
        },
        "values for a group, ms": round(act, 3),
        "a step of learning, ms": round(learn, 3),
        "kernels of values": kernels(run, run.learner.act),
        "kernels of a step": kernels(run, run.learner.train),
    }


def the_rest(run: trees.Run, early: float, seconds: float) -> dict[str, float]:
    """The rate of the late part of a run, if it has one, and how long all games of the recipe take."""
    recipe = run.recipe
    late, num_early = early, recipe.late_after * recipe.games
    if recipe.late_after < 1:
        run.num_games = round(num_early)
        _, _, passed = whole_loop(run, run.trainer, seconds)
        late = (run.num_games - round(num_early)) / passed
    minutes = (num_early / early + (recipe.games - num_early) / late) / 60
    found = {"minutes for all games": round(minutes, 1)}
    return found if late == early else {"games per second, late in the run": round(late)} | found


def of_trees(run: trees.Run, seconds: float) -> dict[str, Any]:
    recipe, group = run.recipe, run.groups[0]
    run.advance()
    games, decisions = run.num_games, run.num_decisions
    _, steps, passed = whole_loop(run, run.trainer, seconds)
    games, decisions = run.num_games - games, run.num_decisions - decisions
    whole = {"games per second": round(games / passed), **the_rest(run, games / passed, seconds)}
    index = run.window.index()[: recipe.batch].contiguous()

    def step() -> None:
        run.trainer.step(index, 0.0)

    value, learn = timed(run, run.value), timed(run, step)
    group.valued.wait()

    def by_cpu() -> None:
        group.play.advance(group.values.numpy())
        group.play.harvest()

    walk = timed(run, by_cpu)
    return {
        **whole,
        "decisions per second": round(decisions / passed),
        "samples learned per second": round(steps * recipe.batch / passed),
        "learning on the GPU, part of the time": round(steps / passed * learn / 1000, 3),
        "a walk to the next leaves of a group on the CPU, ms": round(walk, 3),
        "values for a group, ms": round(value, 3),
        "a step of learning, ms": round(learn, 3),
        "leaves per second, at most": round(recipe.group_size / max(walk, value) * 1000),
        "kernels of values": kernels(run, run.value),
        "kernels of a step": kernels(run, step),
    }


if __name__ == "__main__":
    main()
