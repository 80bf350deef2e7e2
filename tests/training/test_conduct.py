"""What every run does, whatever is trained."""

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from fuda.training import conduct, imitation, trees, values
from fuda.training.device import GPU_GAMES
from fuda.training.registry import find_recipe, recipe_names
from fuda.training.run_folder import CHECKPOINT, LOG, drop_lost
from tests.training import test_imitation, test_koikoi, test_trees, test_values, test_views

CPU = torch.device("cpu")
ALGORITHMS = {  # recipes, and after how many steps something is learned
    "koikoi": (values, test_koikoi.TINY, 80),
    "trees": (trees, test_trees.TINY, 2),
    "views": (values, test_views.TINY, 60),
    "doudizhu": (values, test_values.TINY, 60),
    "imitation": (imitation, test_imitation.TINY, 2),
}


def test_recipes_for_a_cpu_play_few_games_at_once():
    recipes = {name: find_recipe(name).recipe for name in recipe_names()}
    few = {name for name, each in recipes.items() if each.groups * each.group_size < GPU_GAMES}
    assert {f"{each.game}-small" for each in recipes.values()} <= few
    small = {name for name in recipes if name.endswith(("-small", "-hour"))}
    by_role = {name for name, each in recipes.items() if hasattr(each, "guest_seats")}  # they learn in steps
    assert few == small | {"gongzhu-authors"} | by_role


class Killed(BaseException):
    """Nothing comes after it, as after SIGKILL."""


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_run_killed_long_before_its_next_checkpoint_goes_on(tmp_path, name):
    algorithm, recipe, steps = ALGORITHMS[name]
    other = algorithm.Run(replace(recipe, seed=7), tmp_path / "other", CPU, None)
    other.out.mkdir()
    other.export()
    other.save()
    killed = algorithm.Run(recipe, tmp_path / "killed", CPU, None)
    advance, calls = killed.advance, []

    def interrupted() -> None:
        calls.append(1)
        if len(calls) == steps:
            raise Killed
        advance()

    killed.advance = interrupted
    with pytest.raises(Killed):
        conduct.conduct(killed, start=other.out)
    resumed = algorithm.Run(recipe, killed.out, CPU, None)
    resumed.restore()
    undisturbed = algorithm.Run(recipe, tmp_path / "undisturbed", CPU, None)
    undisturbed.start_from(other.out)
    assert resumed.start == undisturbed.start
    before = weights(undisturbed)
    for _ in range(steps):
        resumed.advance()
        undisturbed.advance()
    assert all(map(torch.equal, weights(resumed), weights(undisturbed)))
    assert not all(map(torch.equal, weights(resumed), before))


KILLED = """
import sys
from pathlib import Path
from tests.training import test_conduct
test_conduct.begin_and_be_killed(Path(sys.argv[1]))
"""
RECIPE = replace(test_views.WITH_CRITIC, games=40)
STEPS = 70  # until the killed run has learned, and has games in its middle


def new_run(out: Path) -> conduct.TrainingRun:
    return values.Run(RECIPE, out, CPU, None)


def begin_and_be_killed(out: Path) -> None:
    """Begin a run and end this process without a warning, three steps after the first checkpoint."""
    conduct.LOG_SECONDS = 0.0
    run = new_run(out)
    end_after_checkpoint(run, STEPS, lambda: os.kill(os.getpid(), signal.SIGKILL))
    conduct.conduct(run)


def end_after_checkpoint(run: conduct.TrainingRun, steps: int, end: Callable[[], None]) -> None:
    """Let a run be ended by `end` three steps after a checkpoint, which it writes after `steps`."""
    advance, calls = run.advance, []

    def counted() -> None:
        calls.append(1)
        conduct.CHECKPOINT_SECONDS = 0.0 if len(calls) == steps else math.inf
        if len(calls) == steps + 3:
            end()
        advance()

    run.advance = counted


def test_killed_and_resumed_equals_undisturbed(tmp_path, monkeypatch):
    monkeypatch.setattr(conduct, "LOG_SECONDS", 0.0)
    monkeypatch.setattr(conduct, "LAST_GAMES", 2)
    root = Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")], cwd=root, capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    kept = torch.load(tmp_path / "killed" / CHECKPOINT, weights_only=True)
    assert 0 < kept["num_games"] < RECIPE.games
    stored = []
    for name in ("killed", "undisturbed"):
        conduct.conduct(new_run(tmp_path / name), resume=name == "killed")
        stored += torch.load(tmp_path / name / CHECKPOINT, weights_only=True)["trainers"]
    assert stored[0]["num_steps"] == stored[1]["num_steps"] > 10
    for ours, theirs in zip(*(each["beside"] for each in stored), strict=True):
        assert all(torch.equal(ours[name], value) for name, value in theirs.items())
    for part in ("net", "average"):
        assert all(torch.equal(stored[0][part][name], value) for name, value in stored[1][part].items())
    lines, others = (
        [json.loads(line) for line in (tmp_path / name / LOG).read_text().splitlines()]
        for name in ("killed", "undisturbed")
    )
    told = ("games", "steps", "epsilon", "error", "critic_error")  # each tick once: the lost ones are dropped
    assert [[line.get(name) for name in told] for line in lines] == [
        [line.get(name) for name in told] for line in others
    ]
    assert {"greed_points", "random_win_rate", "wall_seconds", "games", "minutes"} <= set(lines[-1])
    assert any({"games_per_second", "critic_error"} <= set(line) for line in lines)


def test_a_resumed_run_shows_each_tick_once_in_tensorboard(tmp_path, monkeypatch):
    monkeypatch.setattr(conduct, "CHECKPOINT_SECONDS", math.inf)
    monkeypatch.setattr(conduct, "LOG_SECONDS", 0.0)
    recipe = replace(test_views.TINY, games=48)

    def kill() -> None:
        raise Killed

    runs = [values.Run(recipe, tmp_path / name, CPU, None) for name in ("killed", "undisturbed")]
    end_after_checkpoint(runs[0], 80, kill)
    with pytest.raises(Killed):
        conduct.conduct(runs[0], evaluate=False)
    runs[0] = values.Run(recipe, tmp_path / "killed", CPU, None)
    for run in runs:
        conduct.conduct(run, resume=run is runs[0], evaluate=False)
    shown = []
    for run in runs:
        # In the order of time: TensorBoard goes by names, and those of one second are in none.
        files = sorted(run.out.glob("events.*"), key=lambda file: file.stat().st_mtime_ns)
        whole = tmp_path / f"events.out.tfevents.{run.out.name}"
        whole.write_bytes(b"".join(file.read_bytes() for file in files))
        events = EventAccumulator(str(whole))
        events.Reload()
        shown.append([(event.step, event.value) for event in events.Scalars("steps")])
    assert shown[0] == shown[1]
    assert len(shown[0]) > 100


def test_the_figures_of_a_runs_end_stay_when_it_goes_on(tmp_path, monkeypatch):
    """The line comes after the last checkpoint, but what it tells is of that one."""
    recipe, ends = replace(test_views.TINY, games=8), []
    for length in (8, 16):  # the second time longer than it was
        monkeypatch.setattr(values.Run, "done", property(lambda run, length=length: run.num_games / length))
        run = values.Run(recipe, tmp_path, CPU, None)
        conduct.conduct(run, resume=length == 16, evaluate=False)
        ends.append(run.num_games)
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [line["games"] for line in lines if "wall_seconds" in line] == ends
    assert 8 <= ends[0] < 16 <= ends[1]


def test_figures_after_the_checkpoint_are_dropped_and_no_others(tmp_path):
    run = values.Run(test_views.TINY, tmp_path, CPU, None)
    log, rows = tmp_path / LOG, [{"games": games} for games in range(5)]
    text = [json.dumps(row) + "\n" for row in rows]
    log.write_text("".join(text[:3]))
    run.save(with_games=False)
    log.write_text("".join(text) + '{"games": 5, "st')  # and then it was killed while it wrote
    assert drop_lost(tmp_path) == rows[:3]
    assert log.read_text() == "".join(text[:3])
    log.write_text(text[0])  # a log that is shorter, as after a crash of the machine, stays as it is
    assert drop_lost(tmp_path) == rows[:1]
    assert log.read_text() == text[0]
    log.unlink()
    assert drop_lost(tmp_path) == []


def weights(run: conduct.TrainingRun) -> list[torch.Tensor]:
    trainers = run.trainers if isinstance(run, values.Run | imitation.Run) else [run.trainer]
    return [value.clone() for trainer in trainers for value in trainer.net.state_dict().values()]
