"""Training from views, small: its labels, the critic, and that a killed run goes on as it was."""

import copy
import signal
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.cli import main
from fuda.core.generator import SAMPLE, TRAINING_CHANCE, below, streams, training_streams
from fuda.games.gongzhu import encoding, recipes, view_encoding
from fuda.nets.policy_value import MlpShape
from fuda.nets.words import WordInput
from fuda.training import conduct
from fuda.training import view_values as views
from fuda.training.registry import find_recipe
from fuda.training.view_play import Told, ViewPlay
from tests.payoffs import payoff_of

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
SPEC = fuda.game("gongzhu").spec
TINY = replace(
    find_recipe("gongzhu-views-small").recipe,
    shape=MlpShape(first=16, second=16, width=8, blocks=1, norm=1, value_scale=1, diffuse=0, owners=3),
    group_size=4,
    batch=32,
    games=48,
)
WITH_CRITIC = replace(
    TINY, critic=MlpShape(first=16, second=16, width=8, blocks=1, norm=1, value_scale=1), keep=0.8
)


def new_play(size: int = 6) -> ViewPlay:
    told = Told(*(np.zeros((size, words), np.int64) for words in (view_encoding.NUM_WORDS, 0, 3)))
    return ViewPlay(fuda.game("gongzhu"), view_encoding, None, size, 3, told)


def test_every_decision_is_labelled_by_what_its_side_gained():
    """Against the definition, on lists, with made-up values."""
    play, luck, made_up = new_play(), streams(9, SAMPLE, 0, 1), np.random.default_rng(5)
    moves, words, hidden = np.zeros(13, np.int64), play.told.views, play.told.hidden
    for round_ in range(3):
        seats, leads, values = np.zeros((52, 6), int), np.zeros((52, 6)), made_up.normal(size=(52, 6))
        choices = np.zeros((52, 6), bool)
        for tick in range(52):
            chosen = np.zeros(6, np.int64)
            for b in range(6):
                expected = np.zeros((1, view_encoding.NUM_WORDS), np.int64)
                view = play.states[b : b + 1].copy()
                seats[tick, b] = seat = view[0].seat
                assert hidden[b].tolist() == [view[0].hand[(seat + other) % 4] for other in (1, 2, 3)]
                SPEC.rules.hide(view[0], view[0].seat)
                view_encoding.encode_all(view, seats[tick, b : b + 1], expected, 0, 1)
                assert words[b].tolist() == expected[0].tolist()
                leads[tick, b] = payoff_of(SPEC, view[0], 0)
                count = SPEC.rules.legal(view[0], moves)
                choices[tick, b] = count > 1
                chosen[b] = moves[below(luck, count)]
            play.play(chosen, values[tick], 0.0)
            assert play.actions[tick].tolist() == chosen.tolist()
        finals = [payoff_of(SPEC, state, 0) for state in play.states]
        play.end_round(keep=0.7, scale=100.0)
        signs = np.where(seats % 2 == 0, 1, -1)
        for b in range(6):
            for t in range(52):
                # Lambda return of team 0's final lead, from the decision after t on, but for forced ones.
                later = t + 1 + np.flatnonzero(choices[t + 1 :, b])
                worths = leads[later, b] + 100 * signs[later, b] * values[later, b]
                powers = 0.7 ** np.arange(len(later))
                worth = 0.3 * (powers * worths).sum() + 0.7 ** len(later) * finals[b]
                gained = signs[t, b] * (finals[b] - leads[t, b]) / 100
                assert play.returns[t, b] == pytest.approx(gained, abs=1e-4)
                expected = signs[t, b] * (worth - leads[t, b]) / 100
                assert play.targets[t, b] == pytest.approx(expected, abs=1e-4)
        assert play.num_games == 6 * (round_ + 1)
        assert play.tick == 0


def test_rounds_deal_the_games_that_the_seed_says():
    play = new_play()
    states = SPEC.new_states(6)
    chance = training_streams(3, TRAINING_CHANCE, 0, 0, 6)
    SPEC.kernels.start_all(states, fuda.game("gongzhu").option_codes, chance, 0, 6)
    assert play.states.tobytes() == states.tobytes()


def test_exploration_takes_legal_cards_about_as_often_as_it_should():
    play = new_play(200)
    moves, strayed, total = np.zeros(13, np.int64), 0, 0
    for tick in range(52):
        firsts, counts = [], []
        for state in play.states:
            counts.append(SPEC.rules.legal(state, moves))
            firsts.append(int(moves[0]))
        play.play(np.array(firsts), np.zeros(200, np.float32), 0.3)
        choice = np.array(counts) > 1
        strayed += (play.actions[tick] != firsts)[choice].sum()
        total += choice.sum()
        assert play.counts[tick].tolist() == counts
    assert 0.18 < strayed / total < 0.3  # a random card may be the first one


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    return all(torch.equal(value, other.state_dict()[name]) for name, value in one.state_dict().items())


def weights(run: views.Run) -> list[np.ndarray]:
    return [each.numpy().copy() for each in run.learner.average.state_dict().values()]


@pytest.mark.parametrize("recipe", [TINY, WITH_CRITIC], ids=["alone", "critic"])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path, recipe):
    whole = views.Run(recipe, tmp_path, CPU, None)
    for _ in range(180):
        whole.advance()
    begun = views.Run(recipe, tmp_path, CPU, None)
    for _ in range(125):
        begun.advance()
    begun.save()
    resumed = views.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(55):
        resumed.advance()
    assert resumed.figures() == whole.figures()
    assert resumed.num_games == whole.num_games == 24
    assert whole.learner.num_steps > 15
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)


def test_each_decision_with_a_choice_is_learned_from_once():
    run = views.Run(replace(TINY, groups=1, batch=1), None, CPU, None)
    seen = []
    learn = run.learner.learn

    def watched(index, done):
        group = run.groups[0]
        seen.append((group.rounds, int(index[0]) - run.learner.room_of(0, 1 - group.half).start))
        learn(index, done)

    run.learner.learn = watched
    choices = []
    for _ in range(2):
        for _ in range(52):
            run.advance()
        choices.append(set(np.flatnonzero(run.groups[0].play.counts > 1).tolist()))
    for _ in range(51):
        run.advance()
    for round_, expected in enumerate(choices):
        found = [index for number, index in seen if number == round_ + 1]
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_the_critic_sees_all_hands_and_draws_the_targets(tmp_path):
    run = views.Run(WITH_CRITIC, tmp_path, CPU, None)
    for _ in range(20):
        run.advance()
    group = run.groups[0]
    words = np.zeros((4, encoding.NUM_WORDS), np.int64)
    states = group.play.states
    encoding.encode_all(states, states["seat"].astype(np.int64), words, 0, 4)
    assert np.array_equal(group.open_words.numpy(), words)
    assert (words[:, encoding.UNSEEN] == 0).all()
    with torch.no_grad():
        values = run.learner.critic(torch.from_numpy(words))
    assert torch.allclose(group.values, values)


def test_the_luck_that_the_critic_finds_is_taken_off_the_targets():
    """What states are worth beyond what their views tell, against a slow account."""
    learner = views.Learner(WITH_CRITIC, CPU)
    luck = np.random.default_rng(8)
    play = new_play(5)
    words, states = torch.from_numpy(play.told.views), np.zeros((5, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(play.states, play.states["seat"].astype(np.int64), states, 0, 5)
    taken = torch.tensor([int(each[view_encoding.HAND]).bit_length() - 1 for each in play.told.views])
    targets, returns = (torch.from_numpy(luck.normal(size=5).astype(np.float32)) for _ in range(2))
    errors = learner._errors(
        words, torch.from_numpy(states), torch.from_numpy(play.told.hidden), taken, targets, returns
    )
    with torch.no_grad():
        features, values, _ = learner._outputs(words)
        seen = learner.critic(torch.from_numpy(states))
        guessed = learner.critic.guess(features)[:, 0]
    off = [float(values[k, taken[k]] - (targets[k] - (seen[k] - guessed[k]))) ** 2 for k in range(5)]
    assert errors[0].item() == pytest.approx(np.mean(off), rel=1e-4)
    wrong = [float(seen[k] - returns[k]) ** 2 + float(guessed[k] - seen[k]) ** 2 for k in range(5)]
    assert errors[1].item() == pytest.approx(np.mean(wrong), rel=1e-4)
    errors[1].backward(retain_graph=True)  # the guess teaches the player's layers
    assert learner.net.layers[0].weight.grad.any()
    for weights in learner.critic.parameters():
        weights.grad = None
    errors[0].backward()  # the player does not learn to be lucky, nor the critic from the player
    assert not any(weights.grad.any() for weights in learner.critic.parameters() if weights.grad is not None)


@pytest.mark.parametrize("recipe", [TINY, WITH_CRITIC], ids=["alone", "critic"])
def test_training_lowers_the_error_on_what_it_saw(tmp_path, recipe):
    run = views.Run(replace(recipe, warmup_steps=1, learning_rate=3e-3), tmp_path, CPU, None)
    for _ in range(52 * 3):
        run.advance()
    index = run.groups[0].order[:32]
    run.learner.errors()
    found = []
    for _ in range(150):
        run.learner.learn(index, 0.0)
        found.append(sum(run.learner.errors().values()))
    assert found[-1] < 0.7 * found[0]


def test_the_exported_model_plays_as_the_averaged_network(tmp_path):
    run = views.Run(TINY, tmp_path, CPU, None)
    for _ in range(120):
        run.advance()
    run.export()
    exported, inside = fuda.agent(tmp_path / "model", scenarios=0), run.player()
    match = fuda.game("gongzhu").start(2)
    while not match.over:
        assert exported.values(match) == pytest.approx(inside.values(match), abs=0.5)
        match.play(inside.choose(match))
    assert exported.info.unit == "points"


def test_the_guess_who_holds_what_against_a_slow_account():
    luck = np.random.default_rng(6)
    logits, cannot = luck.normal(size=(4, 3, 52)), luck.random((4, 3, 52)) < 0.2
    hidden, total, count = np.zeros((4, 3), np.int64), 0.0, 0
    for k in range(4):
        for card in range(0, 52, k + 1):
            able = [seat for seat in range(3) if not cannot[k, seat, card]]
            if able:
                holder = luck.choice(able)
                hidden[k, holder] |= 1 << card
                powers = np.exp(logits[k, able, card])
                total -= np.log(np.exp(logits[k, holder, card]) / powers.sum())
                count += 1
    given = (torch.from_numpy(each) for each in (logits, hidden, cannot))
    assert float(views.owners_error(*given)) == pytest.approx(total / count, abs=1e-5)


def test_suits_that_a_seat_does_not_have_are_known_from_the_view():
    """The masks of the guess, from a view's words, against the state."""
    match = fuda.game("gongzhu").start(5)
    words, seen = np.zeros((1, view_encoding.NUM_WORDS), np.int64), 0
    while not match.over:
        seat, view = match.seat, match.view_record(match.seat)
        view_encoding.encode_all(view, np.array([seat]), words, 0, 1)
        found = words[0, view_encoding.PROGRESS] >> view_encoding.CANNOT_HOLD & 1
        for other in range(3):
            voids = view[0].voids[(seat + 1 + other) % 4]
            assert found[other].tolist() == [voids >> card // 13 & 1 for card in range(52)]
            seen += voids > 0
        match.play(match.legal()[0])
    assert seen > 10


@pytest.mark.parametrize("recipe", [TINY, WITH_CRITIC], ids=["alone", "critic"])
def test_what_is_recorded_on_a_gpu_compiles_whole_and_leaves_no_trace(recipe):
    """As far as a CPU can tell: no break in what is compiled, and recording's steps are undone."""
    learner = views.Learner(recipe, CPU)
    before = copy.deepcopy([learner.net.state_dict(), learner.critic.state_dict() if learner.critic else {}])
    rows = [getattr(learner, room)[:5] for room in views.ROOMS]
    for function, given in ((learner._best, rows[:2]), (learner._errors, rows)):
        whole = torch.compile(function, fullgraph=True, dynamic=False, backend="aot_eager")
        for ours, theirs in zip(whole(*given), function(*given), strict=True):
            assert torch.allclose(ours, theirs)
    learner._learning_rate.fill_(1e-3)
    for _ in range(3):
        learner.train()
    fresh = views.Learner(recipe, CPU)
    pairs = [(learner.net, fresh.net), (learner.average, fresh.average)]
    pairs += [(learner.critic, fresh.critic)] if recipe.critic else []
    assert not any(same_weights(*pair) for pair in pairs)
    learner._forget(*before)
    assert all(same_weights(*pair) for pair in pairs)
    assert all(not value.any() for state in learner.optimizer.state.values() for value in state.values())


def test_wider_rows_of_zeros_change_nothing():
    """On a GPU the input has some columns more, where the fast kernels want them."""
    learner = views.Learner(TINY, CPU)
    run = new_play()
    words = torch.from_numpy(run.told.views)
    wide = WordInput(view_encoding.COLUMN_WORDS, view_encoding.COLUMN_SHIFTS, multiple=32)
    assert wide(words).shape[1] % 32 == 0
    assert not wide(words)[:, view_encoding.NUM_COLUMNS :].any()
    for ours, theirs in zip(learner.net(wide(words)), learner.net(learner.input(words)), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_a_run_may_begin_with_the_network_of_a_model(tmp_path):
    first = views.Run(TINY, tmp_path / "first", CPU, None)
    for _ in range(120):
        first.advance()
    first.export()
    second = views.Run(replace(TINY, seed=7), tmp_path / "second", CPU, None)
    second.start_from(tmp_path / "first" / "model")
    for mine, theirs in zip(weights(second), weights(first), strict=True):
        assert np.allclose(mine, theirs, atol=2e-3)  # half precision
    assert second.made()["start"] == {"name": "model", "games": first.num_games}
    third = views.Run(TINY, tmp_path / "third", CPU, None)
    third.start_from(tmp_path / "first")  # the folder of the run will do too
    assert third.start == {"name": "first", "games": first.num_games}
    other = views.Run(replace(TINY, shape=replace(TINY.shape, width=16)), tmp_path, CPU, None)
    with pytest.raises(ValueError, match="another shape"):
        other.start_from(tmp_path / "first" / "model")


def test_a_checkpoint_without_its_games_goes_on_with_new_ones(tmp_path):
    run = views.Run(TINY, tmp_path, CPU, None)
    for _ in range(110):
        run.advance()
    run.save()
    (games,) = tmp_path.glob("games-*.pt")
    games.unlink()
    resumed = views.Run(TINY, tmp_path, CPU, None)
    resumed.restore()
    assert resumed.num_games == run.num_games == 16
    for mine, theirs in zip(weights(resumed), weights(run), strict=True):
        assert np.array_equal(mine, theirs)
    for _ in range(110):
        resumed.advance()
    assert resumed.num_games == 32


def test_a_polite_kill_leaves_a_checkpoint_and_a_model(tmp_path):
    """The wish is heard between two steps, wherever it comes."""
    recipe = replace(TINY, games=10**9)
    run = views.Run(recipe, tmp_path, CPU, None)
    advance, calls, handler = run.advance, [], signal.getsignal(signal.SIGTERM)

    def interrupted() -> None:
        calls.append(1)
        if len(calls) == 70:
            signal.raise_signal(signal.SIGTERM)
        advance()

    run.advance = interrupted
    with pytest.raises(KeyboardInterrupt):
        conduct.conduct(run)
    assert signal.getsignal(signal.SIGTERM) is handler
    assert fuda.agent(tmp_path / "model", scenarios=0).info.unit == "points"
    whole = views.Run(recipe, None, CPU, None)
    for _ in range(100):
        whole.advance()
    resumed = views.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(30):
        resumed.advance()
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_network_alone_is_evaluated_by_many_games_on_a_cpu_too(tmp_path, monkeypatch):
    run = views.Run(replace(TINY, games=8), tmp_path, CPU, None)
    asked = []
    monkeypatch.setattr(run, "evaluate", lambda games: asked.append(games) or {})
    conduct.conduct(run)
    assert asked == [conduct.LAST_GAMES]


def test_on_a_cpu_it_tells_of_the_small_recipe_of_views(tmp_path, monkeypatch, capsys):
    big = {"algorithm": "view_values", **vars(TINY), "group_size": 2048, "groups": 2}
    monkeypatch.setitem(recipes.RECIPES, "gongzhu-views", big)
    how = ["--minutes", "0.0001", "--no-evaluate", "--device", "cpu"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "gongzhu-views", "--out", str(tmp_path / "run"), *how])
    assert ended.value.code == 0
    assert "gongzhu-views-small is for a CPU" in capsys.readouterr().err
