"""Self-play training, small: its labels, and that a killed run goes on as if nothing had happened."""

import json
import shlex
import shutil
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import MODELS, model_folders
from fuda.cli import main
from fuda.core.generator import SAMPLE, below, streams
from fuda.core.state import OVER, PLAYING
from fuda.games import game
from fuda.games.koikoi import encoding, outcomes, turn, winning
from fuda.nets.token_transformer import TokenShape
from fuda.training import conduct, device, logistic, monte_carlo
from fuda.training.group import SPARE_ROWS
from fuda.training.lock_step import NO_SIDE, SelfPlay
from fuda.training.recipes import PAST, RECIPES, Guest
from fuda.training.report import agent_for, export
from fuda.training.run_folder import game_of
from fuda.training.torch_agent import model_on

torch.set_num_threads(1)  # test processes share the cores
CPU = torch.device("cpu")
TINY = replace(
    RECIPES["koikoi-small"],
    aims=("points", "probability"),
    shape=TokenShape(first=16, width=8, blocks=2, heads=2, hidden=16, suits=12),
    groups=2,
    group_size=8,
    batch=8,
    games=40,
    waiting_share=0.5,
    learn_share=0.5,
    learning_rate=1e-3,
    guests=(Guest("classical", 0.25), Guest(PAST, 0.25)),
)
# The same as the paper learns: rewards, a network for each kind of decision, no averages.
PLAIN = replace(
    TINY,
    aims=("probability",),
    classes=False,
    shared=False,
    average=0.0,
    batch=4,
    learn_share=1.0,
    forced=True,
    symmetries=False,
    waiting_share=0.0,
    guests=(),
    logistic=True,
)

NO_VALUES = np.zeros((64, 1), np.float32)


def new_play(
    size: int, num_guests: int = 0, judge=winning.points_reward, width: int = 1, forced: bool = False
) -> SelfPlay:
    everyone = np.arange(size)
    guest_sides = np.where(everyone < num_guests, everyone & 1, NO_SIDE)
    by_policy = everyone < num_guests
    return SelfPlay(game("koikoi"), 66, 3, judge, width, guest_sides, by_policy, "classical", forced)


def weights(run: monte_carlo.Run) -> list[np.ndarray]:
    return [value.numpy().copy() for net in run.learner.averages for value in net.state_dict().values()]


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
                assert play.targets[decided % 66, b, 0] == np.float32((won if seat == 0 else -won) / 10)
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
    choices = np.zeros((400, 4), bool)
    for tick in range(300):
        choices[tick] = play.num_legal > 1
        signs[tick] = np.where(play.seats == 0, 1, -1)
        values[tick] = made_up.normal(size=4)
        play.play(
            np.array([below(luck, count) for count in play.num_legal]), values[tick, :, None], 0.0, 0.7, table
        )
        for b in np.flatnonzero(play.ended != PLAYING):
            outcome = int(play.states[b].round_points[play.states[b].round_index]) / 10
            for t in range(began[b], tick + 1):
                later = t + 1 + np.flatnonzero(choices[t + 1 : tick + 1, b])  # but for forced ones
                powers = 0.7 ** np.arange(len(later))
                expected = 0.3 * (powers * signs[later, b] * values[later, b]).sum()
                expected = signs[t, b] * (expected + 0.7 ** len(later) * outcome)
                assert play.targets[t % 66, b, 0] == pytest.approx(expected, abs=1e-5)
                checked += 1
            began[b] = tick + 1
        play.deal()
        play.observe()
    assert checked > 800


@pytest.mark.parametrize("forced", [False, True])
def test_a_guest_plays_its_policy_and_is_not_learned_from(forced):
    table = winning.induce(winning.first_gains(), 60)
    play = new_play(size=64, num_guests=16, forced=forced)
    classical = fuda.agent("koikoi/classical")
    guests = 0
    for _ in range(40):
        policy = classical.act(play.views, play.seats, play.luck.copy())
        seats, num_legal = play.seats.copy(), play.num_legal.copy()
        assert (play.guest_moves == ((np.arange(64) < 16) & (seats == (np.arange(64) & 1)))).all()
        play.play(np.zeros(64, np.int64), NO_VALUES, 0.0, 1.0, table)
        row = (play.tick - 1) % 66
        is_guest = (np.arange(64) < 16) & (seats == (np.arange(64) & 1))
        assert (play.actions[row][is_guest] == policy[is_guest]).all()
        assert (play.learned[row] == (~is_guest & (forced | (num_legal > 1)))).all()
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


def test_chances_of_outcomes_are_drawn_towards_those_of_later_decisions():
    """The same for classes, whose order is reversed for the other side."""
    table, width = winning.induce(winning.first_gains(), 60), outcomes.NUM_CLASSES
    play = new_play(size=2, judge=outcomes.outcome, width=width)
    made_up = np.random.default_rng(5)
    rows: list[list[tuple[int, int, bool, np.ndarray]]] = [[], []]
    checked = 0
    for tick in range(120):
        chances = made_up.dirichlet(np.ones(width), size=2).astype(np.float32)
        for b in range(2):
            rows[b].append((tick, int(play.seats[b]), play.num_legal[b] > 1, chances[b]))
        play.play(np.zeros(2, np.int64), chances, 0.0, 0.6, table)
        for b in np.flatnonzero(play.ended != PLAYING):
            points = int(play.states[b].round_points[play.states[b].round_index])
            worth = np.zeros(width)
            worth[outcomes.CLASS_OF[points + winning.MAX_GAIN]] = 1
            for t, seat, is_choice, said in reversed(rows[b]):
                expected = worth if seat == 0 else worth[::-1]
                assert play.targets[t % 66, b] == pytest.approx(expected, abs=1e-5)
                assert play.targets[t % 66, b].sum() == pytest.approx(1)
                if is_choice:
                    worth = 0.6 * worth + 0.4 * (said if seat == 0 else said[::-1])
                checked += 1
            rows[b] = []
        play.deal()
        play.observe()
    assert checked > 100


@pytest.mark.parametrize("recipe", [TINY, PLAIN])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path, monkeypatch, recipe):
    monkeypatch.setattr(device, "MIN_ROWS", 2)
    monkeypatch.setattr(monte_carlo, "REFIT_TICKS", 20)
    monkeypatch.setattr(monte_carlo, "greedy_rounds", partial(logistic.greedy_rounds, num_matches=10))
    whole = monte_carlo.Run(recipe, tmp_path, CPU, None)
    for _ in range(100):
        whole.advance()
    begun = monte_carlo.Run(recipe, tmp_path, CPU, None)
    for _ in range(80):
        begun.advance()
    begun.save()
    resumed = monte_carlo.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(20):
        resumed.advance()
    assert resumed.num_games == whole.num_games
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)
    assert 0 < begun.learner.num_steps < whole.learner.num_steps - 3


def test_each_decision_is_learned_from_once_by_the_network_of_its_kind(tmp_path, monkeypatch):
    run = monte_carlo.Run(PLAIN, tmp_path, CPU, None)
    group = run.groups[0]
    learned: list[tuple[int, int]] = []
    steps = run.learner.step

    def remember(number: int, done: float) -> None:
        kinds = run.encoding.decision_kinds(run.learner.steps[number].inputs[1])
        assert (kinds == number).all()
        learned.append((number, len(kinds)))
        steps(number, done)

    monkeypatch.setattr(run.learner, "step", remember)
    offered = 0
    for _ in range(200):
        before = group.pending[:, 0].tolist()
        monkeypatch.setattr(run, "groups", [group])
        run.advance()
        row = (group.play.tick + 1 + SPARE_ROWS) % run.rows
        if group.play.tick + 1 + SPARE_ROWS >= run.rows:
            offered += int(group.play.learned[row].sum())
        assert len(set(group.pending[:, 0].tolist())) == len(group.pending)
        assert len(before) < 4 * 8 * SPARE_ROWS
    used = sum(count for _, count in learned)
    assert {number for number, _ in learned} == {0, 1, 2}
    assert 0.8 * offered < used <= offered  # what waited too long is lost
    assert set(np.unique(run.learner.losses[1].numpy()) > 0) == {True}


def test_some_slots_tell_what_the_player_who_waits_sees(tmp_path):
    """Its view, not the mover's, and the outcome from its side; never in matches with guests."""
    run = monte_carlo.Run(TINY, tmp_path, CPU, None)
    group, encoding = run.groups[0], run.encoding
    places, progress = (
        np.zeros((1, encoding.NUM_PLACE_ROWS), np.int64),
        np.zeros((1, encoding.NUM_PROGRESS), np.int8),
    )
    seen = 0
    for _ in range(60):
        run.advance()
        row = group.play.tick % run.rows
        for b in np.flatnonzero(group.waits[row]):
            assert group.play.guest_sides[b] == NO_SIDE
            state = group.play.states[b : b + 1].copy().view(np.recarray)
            assert state.phase[0] == 0
            seat = 1 - state.seat[0]
            run.game.spec.rules.hide(state[0], seat)
            encoding.encode_waiting_all(state, np.array([seat]), places, progress, 0, 1)
            assert (group.old_places[row, b].numpy() == places[0]).all()
            assert (group.old_progress[row, b].numpy() == progress[0]).all()
            seen += 1
    assert seen > 40
    slots = np.flatnonzero(group.waits.reshape(-1))[:20]
    actions, targets = group.labels(slots, run)
    assert (actions == turn.WAIT_ACTION).all()
    assert (targets == group.play.targets.reshape(-1, run.width)[slots][:, ::-1]).all()
    others = np.flatnonzero(~group.waits.reshape(-1))[:20]
    assert (group.labels(others, run)[1] == group.play.targets.reshape(-1, run.width)[others]).all()


def test_training_changes_the_weights_and_lowers_the_loss_on_what_it_saw(tmp_path):
    run = monte_carlo.Run(replace(TINY, warmup_steps=1, learning_rate=3e-3), tmp_path, CPU, None)
    before = weights(run)
    for _ in range(120):
        run.advance()
    assert any(not np.array_equal(mine, old) for mine, old in zip(weights(run), before, strict=True))
    losses = [float(run.learner.steps[0]()[0]) for _ in range(30)]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("recipe", [TINY, PLAIN])
def test_cores_share_a_step_of_learning(tmp_path, monkeypatch, recipe):
    run = monte_carlo.Run(recipe, tmp_path, CPU, None)
    for _ in range(100):
        run.advance()
    learner, slopes = run.learner, []
    learner._learning_rate.fill_(0)  # only to see where it would go
    for min_rows in (recipe.batch, 2):
        monkeypatch.setattr(device, "MIN_ROWS", min_rows)
        learner.steps[0]()
        slopes.append(torch.cat([weights.grad.flatten() for weights in learner.nets[0].parameters()]))
    assert slopes[0].abs().max() > 1e-3
    assert torch.allclose(*slopes, atol=1e-6)


# For a few seconds: fewer games at once are learned from more often, by weights of a short average.
FEW_GAMES = {"games": 256, "group_size": 128, "batch": 64, "warmup_steps": 20, "average": 0.98}


def test_koikoi_small_soon_beats_random(tmp_path, soak):
    """In a minute of one core if it has that (make soak), else by less."""
    recipe = replace(RECIPES["koikoi-small"], **({"games": 2500} if soak else FEW_GAMES))
    run = monte_carlo.Run(recipe, tmp_path, CPU, None)
    while run.done < 1:
        run.advance()
    player = agent_for(run, "points")
    result = fuda.duel(run.game, player, "koikoi/random", 1000 if soak else 120, conduct.CHOOSING_SEED)
    assert result.win_rate > (0.9 if soak else 0.7)


def test_logistic_chances_follow_the_matches(tmp_path):
    run = monte_carlo.Run(PLAIN, tmp_path, CPU, None)
    rounds = logistic.greedy_rounds(run, num_matches=60)
    assert (rounds.left == 8).sum() == 60  # each match has a first round,
    assert (rounds.lead[rounds.left == 8] == 0).all()  # which nobody leads
    table = logistic.fit_logistic(winning, rounds)
    assert table.shape == run.table.shape
    assert (np.diff(table[1:9], axis=1) >= 0).all()  # who leads wins more often
    known = winning.Rounds(np.repeat(1, 200), np.tile([-5, 5], 100), np.tile([0.0, 1.0], 100))
    planted = logistic.fit_logistic(winning, known)
    assert planted[1, winning.MAX_LEAD - 5] < 0.1 < 0.9 < planted[1, winning.MAX_LEAD + 5]
    assert planted[1, winning.MAX_LEAD] == pytest.approx(0.5, abs=0.01)


def test_a_run_can_go_on_from_a_model(tmp_path):
    first = monte_carlo.Run(replace(TINY, aims=("points",)), tmp_path / "first", CPU, None)
    for _ in range(100):
        first.advance()
    export(first)
    start = tmp_path / "first" / "model"
    for aims in (("points",), ("points", "probability")):
        second = monte_carlo.Run(replace(TINY, aims=aims), tmp_path / "second", CPU, None)
        second.start_from(start)
        for mine, theirs in zip(second.learner.nets[0].blocks.parameters(),
                                first.learner.averages[0].blocks.parameters(), strict=True):  # fmt: skip
            assert mine.detach().numpy() == pytest.approx(theirs.detach().numpy(), abs=1e-3)
        assert second.start == {"name": "model", "games": first.num_games}


def test_a_run_can_go_on_from_its_models_alone(tmp_path):
    """A run ships as the models for its aims; together they are its network, but for rounding."""
    first = monte_carlo.Run(TINY, tmp_path / "first", CPU, None)
    for _ in range(100):
        first.advance()
    export(first)
    assert game_of(first.out) == "koikoi"
    second = monte_carlo.Run(TINY, tmp_path / "second", CPU, None)
    second.start_from(first.out)
    for ours, theirs in zip(second.learner.nets, first.learner.averages, strict=True):
        for name, weights in theirs.state_dict().items():
            assert torch.equal(ours.state_dict()[name], weights.half().float()), name
    assert second.start == {"name": "first", "games": first.num_games}
    other = monte_carlo.Run(replace(TINY, seed=2), tmp_path / "other", CPU, None)
    export(other)
    shutil.copytree(other.out / "model-points", first.out / "model-points", dirs_exist_ok=True)
    with pytest.raises(ValueError, match="not of one run"):
        second.start_from(first.out)
    shutil.rmtree(first.out / "model-points")
    with pytest.raises(ValueError, match="has no model-points, which"):
        second.start_from(first.out)


def test_a_run_can_go_on_from_a_run_of_another_recipe(tmp_path):
    first = monte_carlo.Run(TINY, tmp_path / "first", CPU, None)
    for _ in range(100):
        first.advance()
    first.out.mkdir()
    first.save()
    second = monte_carlo.Run(replace(TINY, epsilon=0.3), tmp_path / "second", CPU, None)
    second.start_from(first.out)
    for mine in (second.learner.nets, second.learner.averages, second.past):
        for ours, theirs in zip(mine[0].parameters(), first.learner.averages[0].parameters(), strict=True):
            assert torch.equal(ours, theirs)
    assert np.array_equal(second.table, first.table)
    assert second.made()["start"] == {"name": "first", "games": first.num_games}
    other = monte_carlo.Run(replace(TINY, shape=replace(TINY.shape, width=16)), tmp_path / "other", CPU, None)
    with pytest.raises(ValueError, match="other shapes"):
        other.start_from(first.out)


def test_a_run_that_is_told_its_suits_goes_on_from_one_that_is_not(tmp_path):
    untold = replace(TINY, shape=replace(TINY.shape, suits=0))
    first = monte_carlo.Run(untold, tmp_path / "first", CPU, None)
    first.out.mkdir()
    first.save()
    second = monte_carlo.Run(TINY, tmp_path / "second", CPU, None)
    second.start_from(first.out)
    before, after = first.learner.averages[0], second.learner.nets[0]
    example = before.example(4)
    assert torch.equal(before(*example), after(*example))
    for _ in range(100):
        second.advance()
    assert after.from_suits.weight.abs().max() > 0


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


@pytest.mark.parametrize("recipe", [TINY, PLAIN])
def test_the_exported_models_play_as_the_averaged_networks(tmp_path, recipe):
    run = monte_carlo.Run(recipe, tmp_path, CPU, None)
    for _ in range(80):
        run.advance()
    export(run)
    rounding = {
        "points": 1e-2,
        "probability": 2e-3,
    }  # of weights in half precision: a round may be worth 64 points
    for aim in recipe.aims:
        folder = tmp_path / ("model" if len(recipe.aims) == 1 else f"model-{aim}")
        exported = fuda.agent(folder)
        assert exported.info.unit == aim
        inside = agent_for(run, aim)
        luck = fuda.agent("koikoi/random")
        match = fuda.game("koikoi").start(2)
        for _ in range(40):
            views, seats = match.view_record(match.seat), np.array([match.seat])
            ours, theirs = (agent.network_values(views, seats)[0] for agent in (exported, inside))
            assert ours == pytest.approx(theirs, abs=rounding[aim])
            match.play(luck.choose(match))
        card = json.loads((folder / "model.json").read_text())
        assert card["made"]["games"] == run.num_games
    if recipe.waiting_share:
        search = fuda.agent(tmp_path / "model-probability-search")
        by_torch = model_on(CPU, tmp_path / "model-probability-search", "searcher")
        match = fuda.game("koikoi").start(3)
        for _ in range(12):
            values = search.values(match)
            assert by_torch.values(match) == pytest.approx(values, abs=2e-3)
            assert sorted(values) == match.legal()
            assert all(0 <= value <= 1 for value in values.values())
            match.play(search.choose(match))


def test_a_model_plays_the_same_by_pytorch():
    by_torch = model_on(CPU, model_folders("koikoi")["rl-wp"], "koikoi/rl-wp")
    by_onnx = fuda.agent("koikoi/rl-wp")
    assert (by_torch.name, by_torch.weights, by_torch.info) == (by_onnx.name, by_onnx.weights, by_onnx.info)
    match = fuda.game("koikoi").start(4)
    for _ in range(30):
        assert by_torch.values(match) == pytest.approx(by_onnx.values(match), abs=1e-4)
        match.play(by_onnx.choose(match))


def test_fuda_train_ends_with_the_command_that_plays_its_agent(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", replace(TINY, aims=("points",), games=1))
    monkeypatch.setattr(conduct, "EVALUATE_GAMES_ON_CPU", 2)
    out = tmp_path / "a run"
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--out", str(out), "--device", "cpu"])
    assert ended.value.code == 0
    told = capsys.readouterr().err
    assert "train longer" not in told
    command = shlex.split(told.splitlines()[-1].removeprefix("try it: "))
    assert command == ["fuda", "duel", "koikoi", str(out / "model"), "koikoi/random"]
    with pytest.raises(SystemExit) as ended:
        main([*command[1:], "--games", "4"])
    assert ended.value.code == 0
    assert "over koikoi/random" in capsys.readouterr().out


def test_a_run_too_short_for_one_game_says_so(tmp_path, monkeypatch, capsys):
    """As where its minutes are over before all is compiled."""
    monkeypatch.setitem(RECIPES, "koikoi-small", replace(TINY, aims=("points",)))
    out, how = tmp_path / "a run", ["--device", "cpu", "--no-evaluate"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--out", str(out), "--minutes", "0.0001", *how])
    assert ended.value.code == 0
    told = capsys.readouterr().err
    assert "not one game was finished" in told
    assert f"train longer, with --resume '{out}'" in told
    assert fuda.agent(out / "model").info.unit == "points"


@pytest.mark.parametrize("group_size", [2048, 2040])
def test_on_a_cpu_a_recipe_for_a_gpu_tells_of_the_small_one(tmp_path, monkeypatch, capsys, group_size):
    monkeypatch.setitem(RECIPES, "koikoi", replace(TINY, aims=("points",), group_size=group_size))
    how = ["--minutes", "0.0001", "--no-evaluate", "--device", "cpu"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi", "--out", str(tmp_path / "run"), *how])
    assert ended.value.code == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert ("for a GPU" in first and "koikoi-small is for a CPU" in first) == (group_size == 2048)


def test_a_run_has_its_seed_and_need_not_be_evaluated(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", replace(TINY, aims=("points",), games=1))
    monkeypatch.setattr(monte_carlo.Run, "evaluate", lambda run, games: pytest.fail("evaluated"))
    out = tmp_path / "run"
    how = ["--device", "cpu", "--no-evaluate"]
    for arguments in (["--out", str(out), "--seed", "5", *how], ["--resume", str(out), *how]):
        with pytest.raises(SystemExit) as ended:
            main(["train", "koikoi-small", *arguments])
        assert ended.value.code == 0
        assert json.loads((out / "run.json").read_text())["recipe"]["seed"] == 5
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--resume", str(out), "--seed", "6", *how])
    assert ended.value.code == 2
    assert f"the run in {out} has the seed 5; leave --seed out" in capsys.readouterr().err


def test_a_run_that_goes_on_knows_its_minutes(tmp_path, monkeypatch):
    def stop(run: monte_carlo.Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(monte_carlo.Run, "advance", stop)
    recipe = replace(TINY, aims=("points",))
    for minutes, resume in ((5.0, False), (None, True)):
        run = monte_carlo.Run(recipe, tmp_path, CPU, minutes)
        with pytest.raises(KeyboardInterrupt):
            conduct.conduct(run, resume=resume)
        assert run.minutes == 5.0
        assert json.loads((tmp_path / "run.json").read_text())["minutes"] == 5.0


def test_a_run_that_is_done_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setitem(RECIPES, "koikoi-small", replace(TINY, aims=("points",), games=1))
    monkeypatch.setattr(conduct, "EVALUATE_GAMES_ON_CPU", 2)
    out = tmp_path / "run"
    seen = []
    for arguments in (
        ["--out", str(out)],
        ["--resume", str(out)],
        ["--resume", str(out), "--minutes", "1e-6"],
    ):
        with pytest.raises(SystemExit) as ended:
            main(["train", "koikoi-small", *arguments, "--device", "cpu"])
        assert ended.value.code == 0
        seen.append({file: file.read_bytes() for file in out.rglob("*") if file.is_file()})
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(
    ("recipe", "start", "sentence"),
    [
        ("koikoi-small", "gongzhu/best", "plays 'gongzhu', and koikoi-small trains koikoi"),
        ("gongzhu-views-small", "koikoi/best", "plays 'koikoi', and gongzhu-views-small trains gongzhu"),
        ("koikoi-small", "", "there is no model and no run in"),
        ("koikoi-further", None, "koikoi-further goes on from a model or a run: give it with --start"),
    ],
)
def test_what_cannot_be_started_from_is_said_and_nothing_is_left(tmp_path, capsys, recipe, start, sentence):
    folder = MODELS / start if start else tmp_path
    given = [] if start is None else ["--start", str(folder)]
    with pytest.raises(SystemExit) as ended:
        main(["train", recipe, "--out", str(tmp_path / "run"), "--device", "cpu", *given])
    assert ended.value.code == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "run").exists()


def test_the_papers_recipe_learns_from_each_decision_as_it_was(tmp_path):
    """Ours learns from its choices alone, and in turn from the four decks that are equal."""
    paper = RECIPES["koikoi-paper-point"]
    assert (paper.forced, paper.symmetries) == (True, False)
    decks = [
        monte_carlo.Run(recipe, tmp_path / name, CPU, None).learner
        for name, recipe in (("ours", TINY), ("plain", PLAIN))
    ]
    assert [len(learner._symmetries) for learner in decks] == [4, 1]
    assert np.array_equal(decks[1]._symmetries[0], encoding.ATTRIBUTES)


def test_models_of_the_way_are_kept(tmp_path, monkeypatch):
    run = monte_carlo.Run(replace(TINY, aims=("points",)), tmp_path, CPU, None)
    while not run.num_games:
        run.advance()
    last = run.ticks + 2
    monkeypatch.setattr(monte_carlo.Run, "done", property(lambda run: run.ticks / last))
    conduct.conduct(run, evaluate=False, keep_minutes=1e-6)
    kept = sorted(tmp_path.glob("at-*"))
    assert kept
    for folder in kept:
        games, _ = map(int, folder.name.split("-")[1:])
        assert json.loads((folder / "model" / "model.json").read_text())["made"]["games"] == games > 0
    match = fuda.game("koikoi").start(1)
    assert fuda.agent(kept[0] / "model").choose(match) in match.legal()
