"""How fast a recipe trains here, and where the time goes; into bench/results/train-rate-RECIPE.json.

    python bench/training_rate.py koikoi [--seconds 20] [--all] [--paper-network]

The whole loop is measured first: games a second of self-play and learning together. Then its parts alone:
the CPU's work for a tick, the GPU's choice of actions and a step of learning, with their costliest kernels.
With --all every decision that has a choice is learned from, not the recipe's share of them; --paper-network
has the paper's network to the letter, but one for all kinds of decisions: no suits, nothing normalized before
the blocks, one value a token, and so one aim, and nobody who waits.
"""

import argparse
import dataclasses
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

from fuda.training.conduct import TrainingRun
from fuda.training.device import choose_device, origin
from fuda.training.monte_carlo import Run
from fuda.training.recipes import RECIPES, SelfPlayRecipe

RESULTS = Path(__file__).parent / "results"
KERNELS = 12  # of a call, the costliest


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a recipe's training rate and its parts.")
    parser.add_argument("recipe", choices=sorted(RECIPES))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--all", action="store_true", help="learn from every decision that has a choice")
    parser.add_argument("--paper-network", action="store_true", help="the paper's network to the letter")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    recipe, name = RECIPES[arguments.recipe], arguments.recipe
    if arguments.paper_network:
        recipe, name = with_paper_network(recipe), name + "-paper-network"
    if arguments.all:
        recipe, name = dataclasses.replace(recipe, learn_share=1.0), name + "-all"
    device = choose_device(arguments.device)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(recipe, Path(folder), device, None)
        found = measure(run, arguments.seconds)
    found = {
        "kind": "training rate", "recipe": name, **found, "learn share": recipe.learn_share,
        **origin(),
    }  # fmt: skip
    path = arguments.out / f"train-rate-{name}.json"
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(path.read_text())


def with_paper_network(recipe: SelfPlayRecipe) -> SelfPlayRecipe:
    """A recipe with a network of its sizes that is told and tells what the paper's is and does."""
    shape = dataclasses.replace(recipe.shape, suits=0, contrast=False)
    return dataclasses.replace(recipe, shape=shape, aims=recipe.aims[:1], classes=False, waiting_share=0.0)


def measure(run: Run, seconds: float) -> dict[str, object]:
    for _ in range(2 * run.rows):  # until every tick has something to learn from
        run.advance()
    wait(run)
    games, steps, ticks, began = run.num_games, run.learner.num_steps, run.ticks, time.perf_counter()
    while time.perf_counter() - began < seconds:
        run.advance()
    wait(run)
    passed = time.perf_counter() - began
    ticks, steps, recipe, group = run.ticks - ticks, run.learner.num_steps - steps, run.recipe, run.groups[0]

    def by_cpu() -> None:
        group.play.observe()
        group.encode(run)

    a_tick = passed / ticks * 1000
    act, learn = timed(run, run.act), timed(run, run.learner.steps[0])
    return {
        "games per second": round((run.num_games - games) / passed),
        "decisions per second": round(ticks * recipe.groups * recipe.group_size / passed),
        "samples learned per second": round(steps * recipe.batch / passed),
        "parameters": run.num_parameters,
        "parts of a tick's time": {
            "a tick, ms": round(a_tick, 3),
            "choosing actions on the GPU": round(recipe.groups * act / a_tick, 3),
            "learning on the GPU": round(steps / ticks * learn / a_tick, 3),
            "views and encoding on the CPU, mostly at the same time": round(
                recipe.groups * timed(run, by_cpu) / a_tick, 3
            ),
        },
        "a call for all matches of a group, ms": round(act, 3),
        "a step of learning, ms": round(learn, 3),
        "kernels of a call": kernels(run, run.act),
        "kernels of a step": kernels(run, run.learner.steps[0]),
    }


def wait(run: TrainingRun) -> None:
    if run.device.type == "cuda":
        torch.cuda.synchronize()


def timed(run: TrainingRun, work: Callable[[], object], repeat: int = 30) -> float:
    """Milliseconds of one call."""
    work()
    wait(run)
    began = time.perf_counter()
    for _ in range(repeat):
        work()
    wait(run)
    return (time.perf_counter() - began) / repeat * 1000


def kernels(run: TrainingRun, work: Callable[[], object]) -> dict[str, float]:
    """The costliest kernels of a call, with their part of its time; none where there is no GPU."""
    if run.device.type != "cuda":
        return {}
    with profile(activities=[ProfilerActivity.CUDA]) as found:
        for _ in range(5):
            work()
        torch.cuda.synchronize()
    events = sorted(found.key_averages(), key=lambda event: -event.self_device_time_total)
    total = sum(event.self_device_time_total for event in events)
    return {event.key[:100]: round(event.self_device_time_total / total, 3) for event in events[:KERNELS]}


if __name__ == "__main__":
    main()
