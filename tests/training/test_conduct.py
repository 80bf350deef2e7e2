"""What every run does, whatever is trained."""

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fuda.training import conduct, monte_carlo, perfect_information, view_values
from fuda.training.device import GPU_GAMES
from fuda.training.recipes import RECIPES
from fuda.training.run_folder import CHECKPOINT, LOG, load_optimizer
from tests.training import test_monte_carlo, test_perfect_information, test_view_values

CPU = torch.device("cpu")
ALGORITHMS = {  # recipes, and after how many steps something is learned
    monte_carlo: (test_monte_carlo.TINY, 80),
    perfect_information: (test_perfect_information.TINY, 2),
    view_values: (test_view_values.TINY, 80),
}


def test_recipes_for_a_cpu_play_few_games_at_once():
    recipes = RECIPES | perfect_information.RECIPES | view_values.RECIPES
    few = {name for name, each in recipes.items() if each.groups * each.group_size < GPU_GAMES}
    assert {f"{each.game}-small" for each in recipes.values()} <= few
    assert few == {name for name in recipes if name.endswith(("-small", "-hour"))} | {"gongzhu-authors"}


class Killed(BaseException):
    """Nothing comes after it, as after SIGKILL."""


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.__name__)
def test_a_run_killed_long_before_its_next_checkpoint_goes_on(tmp_path, algorithm):
    recipe, steps = ALGORITHMS[algorithm]
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
RECIPE = replace(test_view_values.WITH_CRITIC, games=24)
STEPS = 120  # until the killed run has learned, and has games in its middle


def new_run(out: Path) -> conduct.TrainingRun:
    return view_values.Run(RECIPE, out, CPU, None)


def begin_and_be_killed(out: Path) -> None:
    """Begin a run and end this process without a warning, three steps after the first checkpoint."""
    run, calls = new_run(out), []
    advance = run.advance

    def counted() -> None:
        calls.append(1)
        conduct.CHECKPOINT_SECONDS = 0.0 if len(calls) == STEPS else math.inf
        if len(calls) == STEPS + 3:
            os.kill(os.getpid(), signal.SIGKILL)
        advance()

    run.advance = counted
    conduct.conduct(run)


def test_killed_and_resumed_equals_undisturbed(tmp_path, monkeypatch):
    monkeypatch.setattr(conduct, "LOG_SECONDS", 0.0)
    monkeypatch.setattr(conduct, "LAST_GAMES", 2)
    root = Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")], cwd=root, capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    kept = torch.load(tmp_path / "killed" / CHECKPOINT, weights_only=True)
    assert 0 < sum(kept["num_games"]) < RECIPE.games
    stored = []
    for name in ("killed", "undisturbed"):
        conduct.conduct(new_run(tmp_path / name), resume=name == "killed")
        stored.append(torch.load(tmp_path / name / CHECKPOINT, weights_only=True)["learner"])
    assert stored[0]["num_steps"] == stored[1]["num_steps"] > 10
    for part in ("net", "average", "critic"):
        assert all(torch.equal(stored[0][part][name], value) for name, value in stored[1][part].items())
    lines = [json.loads(line) for line in (tmp_path / "killed" / LOG).read_text().splitlines()]
    assert {"greed_points", "random_win_rate", "wall_seconds", "games", "minutes"} <= set(lines[-1])
    assert any({"games_per_second", "critic_error"} <= set(line) for line in lines)


def test_what_was_saved_before_the_first_step_goes_on_where_steps_are_recorded():
    """There the optimizer has its state from the recording, zeroed; elsewhere the first step makes it."""
    net, rate = torch.nn.Linear(2, 1), torch.zeros(())
    optimizer = torch.optim.AdamW(net.parameters(), rate)
    before = optimizer.state_dict()
    net(torch.ones(2)).backward()
    optimizer.step()
    for state in optimizer.state.values():
        for value in state.values():
            value.zero_()
    load_optimizer(optimizer, before, rate)
    assert len(optimizer.state) == 2
    assert not any(value.any() for state in optimizer.state.values() for value in state.values())


def weights(run: conduct.TrainingRun) -> list[torch.Tensor]:
    learner = run.learner
    nets = learner.nets if hasattr(learner, "nets") else [learner.net]
    return [value.clone() for net in nets for value in net.state_dict().values()]
