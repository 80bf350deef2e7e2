"""How fast a recipe trains here, and where the time goes; into train-rate-RECIPE.json.

    python bench/training_rate.py koikoi [--seconds 20] [--all] [--paper-network]

Any recipe will do. The whole loop is measured first: games a second of self-play and learning together. Then
its parts alone: the CPU's work for a tick, the GPU's choice of actions and a step of learning, with their
costliest kernels; for trees the walk to the next leaves of a group and their values; for agents of roles how
long hands take that are taken apart.
With --all every decision that has a choice is learned from, not the recipe's share of them; --paper-network
has the paper's network to the letter, but one for all kinds of decisions: no suits, nothing normalized before
the blocks, one value a token, and so one aim, and nobody who waits.
"""

import argparse
import dataclasses
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from results_folder import add_results, write
from torch.profiler import ProfilerActivity, profile

from fuda.training import imitation, trees, values
from fuda.training.conduct import TrainingRun
from fuda.training.device import choose_device, origin
from fuda.training.registry import find_recipe, recipe_names
from fuda.training.roles import RoleRun

KERNELS = 12  # of a call, the costliest


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a recipe's training rate and its parts.")
    parser.add_argument("recipe", choices=sorted(recipe_names()))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--all", action="store_true", help="learn from every decision that has a choice")
    parser.add_argument("--paper-network", action="store_true", help="the paper's network to the letter")
    add_results(parser, "--out")
    arguments = parser.parse_args()
    (algorithm, recipe), name = find_recipe(arguments.recipe), arguments.recipe
    if algorithm is not values and (arguments.paper_network or arguments.all):
        parser.error("--all and --paper-network are for recipes of values")
    if arguments.paper_network:
        recipe, name = with_paper_network(recipe), name + "-paper-network"
    if arguments.all:
        recipe, name = dataclasses.replace(recipe, learn_share=1.0), name + "-all"
    device = choose_device(arguments.device)
    if device.type == "cpu":
        torch.set_num_threads(1)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        run = algorithm.Run(recipe, Path(folder), device, None)
        start = time.perf_counter() - began
        measures = {trees: of_trees, values: of_values, imitation: of_imitation}
        measure = measures.get(algorithm, of_roles)
        found = measure(run, arguments.seconds)
    found = {
        "kind": "training rate", "recipe": name, "start, s": round(start, 1), **found, **origin(),
    }  # fmt: skip
    path = arguments.out / f"train-rate-{name}.json"
    write(path, found)
    print(path.read_text())


def with_paper_network(recipe: values.ValuesRecipe) -> values.ValuesRecipe:
    """A recipe with a network of its sizes that is told and tells what the paper's is and does."""
    shape = dataclasses.replace(recipe.shape, suits=0, contrast=False)
    return dataclasses.replace(recipe, shape=shape, aims=recipe.aims[:1], reward="gain", waiting_share=0.0)


def of_values(run: values.Run, seconds: float) -> dict[str, Any]:
    group, trainer, store = run.groups[0], run.trainers[0], run.stores[0]
    for _ in range(2 * group.deals.num_ticks):  # until every tick has something to learn from
        run.advance()
    wait(run)
    games, ticks, recipe = run.num_games, run.num_ticks, run.recipe
    steps, passed = whole_loop(run, seconds)
    ticks = run.num_ticks - ticks
    index = torch.arange(recipe.batch, device=run.device) % len(store.columns[0])

    def learn_once() -> None:
        trainer.step(index, run.done)

    def by_cpu() -> None:
        """A tick of the games, by the first moves where none are given."""
        group.deals.play(group.deals.games.given.clip(0), group.values.numpy(), run.play)

    a_tick = passed / ticks * 1000
    act, learn = timed(run, group.value), timed(run, learn_once)
    return {
        "games per second": round((run.num_games - games) / passed),
        "decisions per second": round(ticks * recipe.groups * recipe.group_size / passed),
        "samples learned per second": round(steps * recipe.batch / passed),
        "parameters": run.num_parameters,
        "learn share": recipe.learn_share,
        "parts of a tick's time": {
            "a tick, ms": round(a_tick, 3),
            "choosing actions on the GPU": round(recipe.groups * act / a_tick, 3),
            "learning on the GPU": round(steps / ticks * learn / a_tick, 3),
            "games and encoding on the CPU, mostly at the same time": round(
                recipe.groups * timed(run, by_cpu) / a_tick, 3
            ),
        },
        "a call for all matches of a group, ms": round(act, 3),
        "a step of learning, ms": round(learn, 3),
        "kernels of a call": kernels(run, group.value),
        "kernels of a step": kernels(run, learn_once),
    }


def whole_loop(run: TrainingRun, seconds: float) -> tuple[float, float]:
    """Let the run advance for about so many seconds: its steps of learning, and how long it was."""
    wait(run)
    steps, began = run.figures()["steps"], time.perf_counter()
    while time.perf_counter() - began < seconds:
        run.advance()
    wait(run)
    return run.figures()["steps"] - steps, time.perf_counter() - began


def of_trees(run: trees.Run, seconds: float) -> dict[str, Any]:
    recipe, group = run.recipe, run.groups[0]
    run.advance()
    games, decisions = run.num_games, run.num_decisions
    steps, passed = whole_loop(run, seconds)
    games, decisions = run.num_games - games, run.num_decisions - decisions
    index = run.window.index()[: recipe.batch].contiguous()

    def learn_once() -> None:
        run.trainer.step(index, 0.0)

    value, learn = timed(run, run.value), timed(run, learn_once)
    group.valued.wait()

    def by_cpu() -> None:
        group.play.advance(group.values.numpy())
        group.play.harvest()

    walk = timed(run, by_cpu)
    return {
        "games per second": round(games / passed),
        **the_rest(run, games / passed, seconds),
        "decisions per second": round(decisions / passed),
        "samples learned per second": round(steps * recipe.batch / passed),
        "learning on the GPU, part of the time": round(steps / passed * learn / 1000, 3),
        "a walk to the next leaves of a group on the CPU, ms": round(walk, 3),
        "values for a group, ms": round(value, 3),
        "a step of learning, ms": round(learn, 3),
        "leaves per second, at most": round(recipe.group_size / max(walk, value) * 1000),
        "kernels of values": kernels(run, run.value),
        "kernels of a step": kernels(run, learn_once),
    }


def of_roles(run: RoleRun, seconds: float) -> dict[str, Any]:
    for _ in range(2 * run.deals.num_ticks):  # until deals end, and all agents learn
        run.advance()
    games, ticks, size = run.num_games, run.num_ticks, run.recipe.group_size
    steps, passed = whole_loop(run, seconds)
    ticks = run.num_ticks - ticks
    a_tick = passed / ticks * 1000
    agent = run.agents[0]
    batch = torch.arange(run.recipe.batch, device=run.device)

    def learn_once() -> None:
        agent.trainer.step(batch, run.done)

    parts = {
        "choosing, with hands taken apart": timed(run, run.choose) / a_tick,
        "steps of learning on the GPU": steps / ticks * timed(run, learn_once) / a_tick,
    }
    if hasattr(run.encoding, "decompose"):
        words, seeds = run.slots.words[:size], run.slots.seeds[:size]

        def take_apart() -> None:
            run.encoding.decompose(words, run.recipe.decompositions, seeds.copy())

        parts["hands taken apart on the CPU, of choosing"] = timed(run, take_apart) / a_tick
    return {
        "games per second": round((run.num_games - games) / passed),
        "decisions per second": round(ticks * size / passed),
        "samples learned per second": round(steps * run.recipe.batch / passed),
        "parameters": run.num_parameters,
        "games together": size,
        "parts of a tick's time": {"a tick, ms": round(a_tick, 3)}
        | {name: round(part, 3) for name, part in parts.items()},
        "kernels of a choice": kernels(run, run.choose),
        "kernels of a step": kernels(run, learn_once),
    }


def of_imitation(run: imitation.Run, seconds: float) -> dict[str, Any]:
    run.advance()
    games, choices, rounds = run.num_games, run.num_choices, run.num_rounds
    steps, passed = whole_loop(run, seconds)
    a_round = passed / (run.num_rounds - rounds)
    began = time.perf_counter()
    run.choices(imitation.LEARNED, run.num_games, run.recipe.group_size)
    playing = (time.perf_counter() - began) / a_round
    return {
        "games per second": round((run.num_games - games) / passed),
        "decisions per second": round((run.num_choices - choices) / passed),
        "samples learned per second": round(steps * run.recipe.batch / passed),
        "parameters": run.num_parameters,
        "games together": run.recipe.group_size,
        "parts of a round's time": {
            "a round, ms": round(1000 * a_round),
            "the teacher's games, and what was seen in them": round(playing, 3),
            "learning": round(1 - playing, 3),
        },
    }


def the_rest(run: trees.Run, early: float, seconds: float) -> dict[str, float]:
    """The rate of the late part of a run, if it has one, and how long all games of the recipe take."""
    recipe = run.recipe
    late, num_early = early, recipe.late_after * recipe.games
    if recipe.late_after < 1:
        run.num_games = round(num_early)
        _, passed = whole_loop(run, seconds)
        late = (run.num_games - round(num_early)) / passed
    minutes = (num_early / early + (recipe.games - num_early) / late) / 60
    found = {"minutes for all games": round(minutes, 1)}
    return found if late == early else {"games per second, late in the run": round(late)} | found


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
