"""Self-play training, small: its labels, and that a killed run goes on as if nothing had happened."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.cli import main
from fuda.core.generator import SAMPLE, below, streams
from fuda.core.state import OVER, PLAYING
from fuda.games import game
from fuda.games.koikoi import winning
from fuda.nets.token_transformer import Shape
from fuda.training import monte_carlo
from fuda.training.lock_step import SelfPlay
from fuda.training.recipes import RECIPES

CPU = torch.device("cpu")
TINY = replace(
    RECIPES["koikoi-small"],
    shape=Shape(first=16, width=8, blocks=2, heads=2, hidden=16),
    group_size=8,
    batch=8,
    games=40,
)


NO_VALUES = np.zeros(64, np.float32)


def new_play(size: int, guest_share: float = 0.0) -> SelfPlay:
    return SelfPlay(
        game("koikoi"), size, rows=66, seed=3, reward_kernel=winning.points_reward,
        guest="classical", guest_share=guest_share,
    )  # fmt: skip


def weights(run: monte_carlo.Run) -> list[np.ndarray]:
    return [value.numpy().copy() for value in run.learner.average.state_dict().values()]


def test_every_decision_gets_the_outcome_of_its_deal():
    """Against a slow account of the same play, kept match by match."""
    table = winning.induce(winning.first_gains(), 60)
    play = new_play(size=6)
    luck = streams(9, SAMPLE, 0, 1)
    pending: list[list[tuple[int, int]]] = [[] for _ in range(6)]
    checked = 0
    for tick in range(400):
        seats = play.seats.copy()
        greedy = np.array([below(luck, count) for count in play.num_legal])
        play.play(greedy, NO_VALUES[:6], 0.0, 1.0, table)
        for b in range(6):
            pending[b].append((tick, int(seats[b])))
            if play.ended[b] == PLAYING:
                continue
            won = int(play.states[b].round_points[play.states[b].round_index])
            for decided, seat in pending[b]:
                assert play.targets[decided % 66, b] == np.float32((won if seat == 0 else -won) / 10)
                checked += 1
            pending[b] = []
        play.deal()
        play.observe()
    assert checked > 2000
    assert play.num_games > 0
    assert OVER not in play.states["status"]


def test_returns_are_drawn_towards_the_values_of_later_decisions():
    """Lambda returns against their definition, in deals whose values are made up."""
    table = winning.induce(winning.first_gains(), 60)
    play = new_play(size=4)
    luck = streams(9, SAMPLE, 0, 1)
    made_up = np.random.default_rng(5)
    began, signs, values, checked = [0] * 4, np.zeros((400, 4)), np.zeros((400, 4), np.float32), 0
    for tick in range(300):
        signs[tick] = np.where(play.seats == 0, 1, -1)
        values[tick] = made_up.normal(size=4)
        play.play(np.array([below(luck, count) for count in play.num_legal]), values[tick], 0.0, 0.7, table)
        for b in np.flatnonzero(play.ended != PLAYING):
            outcome = int(play.states[b].round_points[play.states[b].round_index]) / 10
            for t in range(began[b], tick + 1):
                later = np.arange(t + 1, tick + 1)
                powers = 0.7 ** (later - t - 1)
                expected = 0.3 * (powers * signs[later, b] * values[later, b]).sum()
                expected = signs[t, b] * (expected + 0.7 ** (tick - t) * outcome)
                assert play.targets[t % 66, b] == pytest.approx(expected, abs=1e-5)
                checked += 1
            began[b] = tick + 1
        play.deal()
        play.observe()
    assert checked > 800


def test_a_guest_plays_its_policy_and_is_not_learned_from():
    table = winning.induce(winning.first_gains(), 60)
    play = new_play(size=64, guest_share=0.25)
    classical = fuda.agent("koikoi/classical")
    guests = 0
    for _ in range(40):
        policy = classical.act(play.views, play.seats, play.luck.copy())
        seats = play.seats.copy()
        play.play(np.zeros(64, np.int64), NO_VALUES, 0.0, 1.0, table)
        row = (play.tick - 1) % 66
        is_guest = (np.arange(64) < 16) & (seats == (np.arange(64) & 1))
        assert (play.actions[row][is_guest] == policy[is_guest]).all()
        assert (play.weights[row] == np.where(is_guest, 0, 1)).all()
        guests += is_guest.sum()
        play.deal()
        play.observe()
    assert guests > 200


def test_exploration_takes_legal_actions_about_as_often_as_it_should():
    table = winning.induce(winning.first_gains(), 60)
    play = new_play(size=64)
    strayed = total = 0
    for _ in range(60):
        first, choices = play.legal_actions[:, 0].copy(), play.num_legal > 1
        play.play(np.zeros(64, np.int64), NO_VALUES, 0.3, 1.0, table)
        strayed += (play.actions[(play.tick - 1) % 66] != first)[choices].sum()
        total += choices.sum()
        play.deal()
        play.observe()
    assert 0.18 < strayed / total < 0.3  # a random move may be the first one


def test_a_resumed_run_ends_with_the_same_weights(tmp_path):
    whole = monte_carlo.Run(TINY, tmp_path, CPU, None)
    for _ in range(160):
        whole.tick()
    begun = monte_carlo.Run(TINY, tmp_path, CPU, None)
    for _ in range(90):
        begun.tick()
    begun.save()
    resumed = monte_carlo.Run(TINY, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(70):
        resumed.tick()
    assert resumed.num_games == whole.num_games
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)
    assert whole.learner.num_steps > 100


def test_training_changes_the_weights_and_lowers_the_loss_on_what_it_saw(tmp_path):
    run = monte_carlo.Run(replace(TINY, warmup_steps=1, learning_rate=3e-3), tmp_path, CPU, None)
    before = weights(run)
    for _ in range(120):
        run.tick()
    assert any(not np.array_equal(mine, old) for mine, old in zip(weights(run), before, strict=True))
    train = run.learner.train
    losses = [float(train()[0]) for _ in range(30)]
    assert losses[-1] < losses[0]


SCRIPT = """
import sys
from dataclasses import replace
from pathlib import Path
import torch
from fuda.training import monte_carlo
from tests.training.test_monte_carlo import CPU, TINY
torch.set_num_threads(1)
monte_carlo.CHECKPOINT_SECONDS = monte_carlo.LOG_SECONDS = 0.0
monte_carlo.EVALUATE_GAMES_ON_CPU = 2
monte_carlo.train(TINY, Path(sys.argv[1]), device=CPU, resume=sys.argv[2] == "resume")
"""


def run_script(out, how: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(out), how],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([".", *sys.path])},
    )


def final_weights(out):
    stored = torch.load(out / "checkpoint.pt", weights_only=True)
    assert sum(stored["num_games"]) >= TINY.games
    return stored["learner"]["average"]


def test_killed_and_resumed_equals_undisturbed(tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    assert run_script(undisturbed, "new").wait() == 0
    process = run_script(killed, "new")
    while (
        len(list(killed.glob("checkpoint.pt"))) == 0
        or len((killed / "log.jsonl").read_text().splitlines()) < 40
    ):
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert run_script(killed, "resume").wait() == 0
    assert fuda.agent(killed / "model").info.unit == "points"
    ours, theirs = final_weights(killed), final_weights(undisturbed)
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_resuming_something_else_is_refused(tmp_path):
    run = monte_carlo.Run(TINY, tmp_path / "none", CPU, None)
    with pytest.raises(ValueError, match="there is no checkpoint"):
        run.restore()
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="damaged"):
        monte_carlo.Run(TINY, tmp_path, CPU, None).restore()
    whole = monte_carlo.Run(TINY, tmp_path, CPU, None)
    whole.save()
    with pytest.raises(ValueError, match="another recipe"):
        monte_carlo.Run(replace(TINY, seed=2), tmp_path, CPU, None).restore()


@pytest.mark.parametrize("reward", ["points", "winning"])
def test_the_exported_model_plays_as_the_averaged_network(tmp_path, reward):
    run = monte_carlo.Run(replace(TINY, reward=reward), tmp_path, CPU, None)
    for _ in range(70):
        run.tick()
    monte_carlo.export(run)
    exported = fuda.agent(tmp_path / "model")
    assert exported.info.unit == {"points": "points", "winning": "probability"}[reward]
    inside = monte_carlo.torch_agent(run.learner.average, "koikoi", run.encoding, CPU)
    luck = fuda.agent("koikoi/random")
    match = fuda.game("koikoi").start(2)
    for _ in range(40):
        views, seats = match.view_record(match.seat), np.array([match.seat])
        ours, theirs = (agent.network_values(views, seats)[0] for agent in (exported, inside))
        assert ours == pytest.approx(theirs, abs=2e-3)
        match.play(luck.choose(match))
    card = json.loads((tmp_path / "model" / "model.json").read_text())
    assert card["made"]["recipe"]["reward"] == reward
    assert card["made"]["games"] == run.num_games


def test_fuda_train_ends_with_the_command_that_plays_its_agent(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", replace(TINY, games=1))
    monkeypatch.setattr(monte_carlo, "EVALUATE_GAMES_ON_CPU", 2)
    out = tmp_path / "a run"
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--out", str(out), "--device", "cpu"])
    assert ended.value.code == 0
    command = shlex.split(capsys.readouterr().err.splitlines()[-1].removeprefix("try it: "))
    assert command == ["fuda", "duel", "koikoi", str(out / "model"), "koikoi/random"]
    with pytest.raises(SystemExit) as ended:
        main([*command[1:], "--games", "4"])
    assert ended.value.code == 0
    assert "over koikoi/random" in capsys.readouterr().out
