"""Gongzhu from views by Monte-Carlo learning, small: its labels, the critic, the belief, columns."""

import signal
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.cli import main
from fuda.games import part
from fuda.games.gongzhu import encoding, recipes, view_encoding
from fuda.nets.policy_value import MlpShape
from fuda.nets.readers import READERS
from fuda.nets.words import WordInput
from fuda.training import conduct, values
from fuda.training.auxiliary import Belief, Critic, holders_error
from fuda.training.chooser import ListChooser, new_chooser
from fuda.training.deals import BY_VALUE, Choices, Deals, Play, alone
from fuda.training.registry import find_recipe
from fuda.training.rewards import find_reward
from tests.payoffs import payoff_of

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
SPEC = fuda.game("gongzhu").spec
TINY = replace(
    find_recipe("gongzhu-views-small").recipe,
    shape=MlpShape(first=16, second=16, width=8, blocks=1, norm=1, value_scale=1, diffuse=0, owners=3),
    group_size=8,
    batch=32,
    shuffled=2,
    games=48,
)
SMALL = MlpShape(first=16, second=16, width=8, blocks=1, norm=1, value_scale=1)
WITH_CRITIC = replace(TINY, critic=SMALL, lambda_return=0.8)


def new_deals(size: int, *, outcomes: bool = False) -> Deals:
    """Games whose training is told all hands, and those of the others."""
    reader = READERS["views"](view_encoding, SPEC, "cpu")
    reward = find_reward("gain-to-come", SPEC, 100.0, ())
    net = reader.new(TINY.shape, 1)
    beside = [Critic(encoding, SMALL, reader, net, reward), Belief(view_encoding, 1.0, 3, CPU)]
    return Deals(
        fuda.game("gongzhu"), reader, reward, alone(size), Play(), 3, outcomes=outcomes, beside=beside
    )


@pytest.mark.parametrize("outcomes", [False, True])
def test_every_decision_is_labelled_by_what_its_side_gains_from_then_on(outcomes):
    """Against the definition, on lists, with made-up values; and what training is told beside the view."""
    size, made_up = 6, np.random.default_rng(5)
    deals = new_deals(size, outcomes=outcomes)
    plain = SPEC.new_states(size)  # the same games, move by move
    plain[:] = deals.games.states
    chance = deals.games.chance.copy()
    taken: list[list[tuple[int, int, float, float]]] = [[] for _ in range(size)]
    num_labelled, moves = 0, np.zeros(13, np.int64)
    for tick in range(90):
        games, places = deals.games, np.zeros(size, np.int64)
        expected = made_up.normal(size=(size, 1)).astype(np.float32) * 100
        for b in range(size):
            assert plain[b].tobytes() == games.states[b].tobytes()
            seat, hands = int(plain[b].seat), np.zeros((1, encoding.NUM_WORDS), np.int64)
            encoding.encode(plain[b], seat, hands[0])
            others = [plain[b].hand[(seat + other) % 4] for other in (1, 2, 3)]
            assert games.beside[b].tolist() == [*hands[0], *others]
            places[b] = made_up.integers(games.counts[b])
            taken[b].append((tick, seat, payoff_of(SPEC, plain[b], 0), float(expected[b, 0])))
        legal = SPEC.kernels.legal_lists(plain)
        actions = legal.items[legal.starts[:-1] + places]
        slots, targets = deals.play(places, expected, Play(lambda_return=0.7))
        found = dict(zip(slots.tolist(), targets.tolist(), strict=True))
        for b in range(size):
            SPEC.rules.step(plain[b], actions[b])
            while plain[b].status == 0 and SPEC.rules.legal(plain[b], moves) == 1:
                SPEC.rules.step(plain[b], moves[0])
            if plain[b].status == 0:
                continue
            final = payoff_of(SPEC, plain[b], 0)
            for place, (when, seat, lead, _) in enumerate(taken[b]):
                # Lambda return of team 0's final lead, from the decision after on.
                worth = final
                for _, later, later_lead, value in reversed(taken[b][place + 1 :]):
                    worth = 0.7 * worth + 0.3 * (later_lead + (value if later % 2 == 0 else -value))
                sign = 1 if seat % 2 == 0 else -1
                wanted = [sign * (worth - lead), *[sign * (final - lead)] * outcomes]
                assert found.pop(when % deals.num_ticks * size + b) == pytest.approx(wanted, abs=0.01)
                num_labelled += 1
            taken[b] = []
            SPEC.kernels.settle(plain[b], fuda.game("gongzhu").option_codes, chance[b : b + 1])
        assert not found
    assert num_labelled > 300


def test_columns_are_chosen_as_rows_are(tmp_path):
    """The position alone tells the same row, its action and its value as the list of moves does."""
    run = values.Run(TINY, tmp_path, CPU, None)
    listed = ListChooser(run.chooser._nets, run.aims)
    for tick in range(30):
        deals, given = run.groups[0].deals, torch.full((8,), BY_VALUE)
        assert len(deals.choices.actions) == 0  # nobody asks for them
        legal = SPEC.kernels.legal_lists(deals.games.states)
        positions = np.repeat(np.arange(8, dtype=np.int32), deals.games.counts)
        moves = legal.items[:, None].astype(np.int64)
        choices = Choices(*deals.choices[:2], legal.starts, legal.items, positions, moves)
        given[tick % 8] = int(deals.games.counts[tick % 8]) - 1
        ours, theirs = run.chooser(choices, given), listed(choices, given)
        assert type(run.chooser) is type(new_chooser(run.nets, run.aims)) is not ListChooser
        assert torch.equal(ours[0], theirs[0])
        assert torch.equal(ours[1], theirs[1])
        assert ours[1][:, 0].tolist() == legal.items[legal.starts[:-1] + ours[0].numpy()].tolist()
        assert torch.allclose(ours[2], theirs[2])
        run.advance()
    for weights in run.trainers[0].net.parameters():
        weights.detach().fill_(torch.nan)
    for chooser in (run.chooser, listed):
        places, _, _ = chooser(choices, torch.full((8,), BY_VALUE))
        assert (places.numpy() >= deals.games.counts)[:-1].all()  # no moves: the run stops


def test_games_of_training_are_at_all_stages_from_the_start(tmp_path):
    run = values.Run(replace(TINY, group_size=64, groups=1), tmp_path, CPU, None)
    plays = run.groups[0].deals.games.states["num_plays"]
    assert len(set(plays.tolist())) > 20
    assert 18 < plays.mean() < 36
    found = []
    for _ in range(60):
        run.advance()
        found.append(run.num_games)
    assert np.diff(found)[20:].max() < 16  # they do not end together either


def first_batch(run: values.Run) -> torch.Tensor:
    """Play until there is one; nothing is learned meanwhile."""
    while not run.stores[0].num_ready:
        for group in run.groups:
            group.play()
            group.value()
    return run.stores[0].take()


def weights(run: values.Run) -> list[np.ndarray]:
    return [each.numpy().copy() for each in run.trainers[0].average.state_dict().values()]


@pytest.mark.parametrize("recipe", [TINY, WITH_CRITIC], ids=["alone", "critic"])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path, recipe):
    """Also where a round of batches is half learned from."""
    whole = values.Run(replace(recipe, shuffled=6), tmp_path, CPU, None)
    for _ in range(100):
        whole.advance()
    begun = values.Run(replace(recipe, shuffled=6), tmp_path, CPU, None)
    for _ in range(65):
        begun.advance()
    while begun.stores[0].state()["rounds"][1] == 0:
        begun.advance()
    ticks = begun.num_ticks
    begun.save()
    resumed = values.Run(replace(recipe, shuffled=6), tmp_path, CPU, None)
    resumed.restore()
    for _ in range(100 - ticks):
        resumed.advance()
    assert resumed.figures() == whole.figures()
    assert resumed.num_games == whole.num_games > 24
    assert whole.trainers[0].num_steps > 15
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)


def test_the_critic_sees_all_hands_and_says_what_is_expected(tmp_path):
    run = values.Run(WITH_CRITIC, tmp_path, CPU, None)
    for _ in range(20):
        run.advance()
    group, words = run.groups[0], np.zeros((8, encoding.NUM_WORDS), np.int64)
    states = group.deals.games.states
    encoding.encode_all(states, states["seat"].astype(np.int64), words, 0, 8)
    assert (words[:, encoding.UNSEEN] == 0).all()
    with torch.no_grad():
        expected = 100 * run.auxiliaries[0].values(torch.from_numpy(words))
    assert torch.allclose(group.values[:, 0], expected)


def test_the_luck_that_the_critic_finds_is_taken_off_the_targets(tmp_path):
    """What states are worth beyond what their views tell, against a slow account."""
    run = values.Run(WITH_CRITIC, tmp_path, CPU, None)
    (trainer,), (store,) = run.trainers, run.stores
    index = first_batch(run)[:5]
    targets, aims, words, actions, told = (column[index] for column in store.columns)
    critic, net = run.auxiliaries[0], trainer.net
    found = run.find_errors(net, targets, aims, words, actions, told)
    with torch.no_grad():
        all_values, features, _ = run.reader.position(net, words)
        seen = critic.values(told[:, : encoding.NUM_WORDS])
        guessed = critic.guess(features)[:, 0]
    for k in range(5):
        value, luck = all_values[k, actions[k, 0]], seen[k] - guessed[k]
        off = float(value - (targets[k, 0] / 100 - luck)) ** 2
        assert found["error"][k].item() == pytest.approx(off, rel=1e-3)
        wrong = float(seen[k] - targets[k, 1] / 100) ** 2 + float(guessed[k] - seen[k]) ** 2
        assert found["critic_error"][k].item() == pytest.approx(wrong, rel=1e-3)
    of_net, of_critic = list(net.parameters()), list(critic.modules[0].parameters())
    taught = torch.autograd.grad(
        found["critic_error"].sum(), of_net, retain_graph=True, materialize_grads=True
    )
    assert taught[0].any()  # the guess teaches the player's layers
    taught = torch.autograd.grad(found["error"].sum(), of_critic, allow_unused=True)
    assert taught == (None,) * len(of_critic)  # the player does not learn to be lucky


@pytest.mark.parametrize("recipe", [TINY, WITH_CRITIC], ids=["alone", "critic"])
def test_training_lowers_the_error_on_what_it_saw(tmp_path, recipe):
    run = values.Run(replace(recipe, warmup_steps=1, learning_rate=3e-3), tmp_path, CPU, None)
    index, found = first_batch(run), []
    for _ in range(100):
        run.trainers[0].step(index, 0.0)
        found.append(run.errors())
    assert set(found[0]) == {"error", "belief_error"} | ({"critic_error"} if recipe.critic else set())
    assert sum(found[-1].values()) < 0.7 * sum(found[0].values())


def test_the_exported_model_plays_as_the_averaged_network(tmp_path):
    run = values.Run(TINY, tmp_path, CPU, None)
    for _ in range(60):
        run.advance()
    run.export()
    exported, match = fuda.agent(tmp_path / "model", scenarios=0), fuda.game("gongzhu").start(2)
    words, moves = np.zeros((1, view_encoding.NUM_WORDS), np.int64), np.zeros(13, np.int64)
    while not match.over:
        view = match.view_record(match.seat)
        view_encoding.encode_all(view, np.array([match.seat]), words, 0, 1)
        told = run.reader.position(run.nets.nets[0], torch.from_numpy(words))
        legal = moves[: SPEC.rules.legal(view[0], moves)]
        lead = payoff_of(SPEC, view[0], match.seat)  # a player tells what the deal will be worth in all
        inside = {SPEC.text.move_text(move): lead + 100 * float(told[0][0, move]) for move in legal}
        assert exported.values(match) == pytest.approx(inside, abs=0.5)
        match.play(exported.choose(match))
    assert exported.info.unit == "points"


def test_the_guess_who_holds_what_against_a_slow_account():
    luck = np.random.default_rng(6)
    logits, cannot = luck.normal(size=(4, 3, 52)), luck.random((4, 3, 52)) < 0.2
    hidden = np.zeros((4, 3), np.int64)
    total, count = np.zeros(4), np.zeros(4)
    for k in range(4):
        for card in range(0, 52, k + 1):
            able = [seat for seat in range(3) if not cannot[k, seat, card]]
            if able:
                holder = luck.choice(able)
                hidden[k, holder] |= 1 << card
                powers = np.exp(logits[k, able, card])
                total[k] -= np.log(np.exp(logits[k, holder, card]) / powers.sum())
                count[k] += 1
    given = (torch.from_numpy(each) for each in (logits, hidden, cannot))
    assert holders_error(*given).tolist() == pytest.approx((total / count).tolist(), abs=1e-5)


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
def test_what_is_recorded_on_a_gpu_compiles_whole_and_leaves_no_trace(tmp_path, recipe):
    """As far as a CPU can tell: no break in what is compiled, and recording's steps are undone."""
    run = values.Run(recipe, tmp_path, CPU, None)
    (trainer,), deals = run.trainers, run.groups[0].deals
    before = {name: value.clone() for name, value in trainer.modules.state_dict().items()}
    words = torch.from_numpy(deals.choices.words[:5])
    rows = [column[:5] for column in run.stores[0].columns]
    rows[2].copy_(words)
    rows[3][:, 0] = torch.from_numpy(SPEC.kernels.legal_lists(deals.games.states[:5]).padded()[0][:, 0])
    steps = [
        (run.chooser._best, (words, run.aims[:5], torch.full((5,), BY_VALUE))),
        (lambda *given: tuple(run.find_errors(trainer.net, *given).values()), rows),
    ]
    if recipe.critic:
        steps.append((run._expected, (rows[4],)))
    for function, given in steps:
        whole = torch.compile(function, fullgraph=True, dynamic=False, backend="aot_eager")
        for ours, theirs in zip(whole(*given), function(*given), strict=True):
            assert torch.allclose(ours, theirs)
    for _ in range(3):
        trainer.step(torch.arange(32), 0.0)
    assert not all(torch.equal(value, before[name]) for name, value in trainer.modules.state_dict().items())
    trainer.restart(before)
    assert all(torch.equal(value, before[name]) for name, value in trainer.modules.state_dict().items())
    states = [state for optimizer in trainer.optimizers for state in optimizer.state.values()]
    assert states
    assert not any(value.any() for state in states for value in state.values())


def test_wider_rows_of_zeros_change_nothing():
    """On a GPU the input has some columns more, where the fast kernels want them."""
    words = torch.from_numpy(new_deals(6).choices.words)
    net = READERS["views"](view_encoding, SPEC, "cpu").new(TINY.shape, 1)
    columns = (view_encoding.COLUMN_WORDS, view_encoding.COLUMN_SHIFTS)
    narrow, wide = WordInput(*columns), WordInput(*columns, multiple=32)
    assert wide(words).shape[1] % 32 == 0
    assert not wide(words)[:, view_encoding.NUM_COLUMNS :].any()
    for ours, theirs in zip(net(wide(words)), net(narrow(words)), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_a_run_may_begin_with_the_network_of_a_model(tmp_path):
    first = values.Run(TINY, tmp_path / "first", CPU, None)
    for _ in range(60):
        first.advance()
    first.export()
    second = values.Run(replace(TINY, seed=7), tmp_path / "second", CPU, None)
    second.start_from(tmp_path / "first" / "model")
    for mine, theirs in zip(weights(second), weights(first), strict=True):
        assert np.allclose(mine, theirs, atol=2e-3)  # half precision
    assert second.made()["start"] == {"name": "model", "games": first.num_games}
    third = values.Run(TINY, tmp_path / "third", CPU, None)
    third.start_from(tmp_path / "first")  # the folder of the run will do too
    assert third.start == {"name": "first", "games": first.num_games}
    other = values.Run(replace(TINY, shape=replace(TINY.shape, width=16)), tmp_path, CPU, None)
    with pytest.raises(ValueError, match="networks of other shapes"):
        other.start_from(tmp_path / "first" / "model")


def test_the_shipped_network_can_be_gone_on_with(tmp_path):
    recipe = find_recipe("gongzhu-views-further").recipe
    run = values.Run(replace(recipe, group_size=8, groups=1, batch=8, shuffled=1), tmp_path, CPU, None)
    run.start_from(conduct.model_folders("gongzhu")["best"])
    assert run.start["games"] > 40_000_000


def test_a_checkpoint_without_its_games_goes_on_with_new_ones(tmp_path):
    run = values.Run(TINY, tmp_path, CPU, None)
    for _ in range(60):
        run.advance()
    run.save()
    (games,) = tmp_path.glob("games-*.pt")
    games.unlink()
    resumed = values.Run(TINY, tmp_path, CPU, None)
    resumed.restore()
    assert resumed.num_games == run.num_games > 10
    for mine, theirs in zip(weights(resumed), weights(run), strict=True):
        assert np.array_equal(mine, theirs)
    for _ in range(50):
        resumed.advance()
    assert resumed.num_games > run.num_games + 10


def test_a_polite_kill_leaves_a_checkpoint_and_a_model(tmp_path):
    """The wish is heard between two steps, wherever it comes."""
    recipe = replace(TINY, games=10**9)
    run = values.Run(recipe, tmp_path, CPU, None)
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
    whole = values.Run(recipe, None, CPU, None)
    for _ in range(90):
        whole.advance()
    resumed = values.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(20):
        resumed.advance()
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_network_alone_is_evaluated_by_many_games_on_a_cpu_too(tmp_path, monkeypatch):
    run = values.Run(replace(TINY, games=8), tmp_path, CPU, None)
    asked = []
    monkeypatch.setattr(run, "evaluate", lambda games: asked.append(games) or {})
    conduct.conduct(run)
    assert asked == [conduct.LAST_GAMES]


def test_the_network_alone_plays_in_evaluations(tmp_path, monkeypatch):
    """Though the first player of such a model plays its cards out."""
    run, seen = values.Run(TINY, tmp_path, CPU, None), []
    monkeypatch.setattr(run, "against", lambda player, *_: seen.append(player) or {})
    run.evaluate(2)
    assert [player.info.searches for player in seen] == [False]


def test_on_a_cpu_it_tells_of_the_small_recipe_of_views(tmp_path, monkeypatch, capsys):
    big = {"algorithm": "values", **vars(TINY), "group_size": 2048, "groups": 2}
    monkeypatch.setitem(recipes.RECIPES, "gongzhu-views", big)
    how = ["--minutes", "0.0001", "--no-evaluate", "--device", "cpu"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "gongzhu-views", "--out", str(tmp_path / "run"), *how])
    assert ended.value.code == 0
    assert "gongzhu-views-small is for a CPU" in capsys.readouterr().err


def test_a_critic_is_for_any_network_and_any_game_that_can_tell_it_more(tmp_path):
    """Here it is told no more than the mover, and learns with a network of rows, every seat for itself."""
    recipe = replace(find_recipe("planted-small").recipe, critic=replace(SMALL, diffuse=0), lambda_return=0.9)
    run = values.Run(replace(recipe, group_size=8, batch=8, shuffled=1), tmp_path, CPU, None)
    critic = run.auxiliaries[0].net
    before = critic.value.weight.clone()
    while not run.trainers[0].num_steps:
        run.advance()
    assert run.groups[0].extra_words[0].shape[2] == part("planted", recipe.critic_encoding).NUM_WORDS
    assert not torch.equal(critic.value.weight, before)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"critic": SMALL, "reward": "win"}, "a critic is for rewards that are the mean of a number"),
        ({"shape": replace(TINY.shape, owners=0)}, "a belief is for a network that tells of 3 other hands"),
        ({"waiting_share": 0.5}, "are for one network"),
    ],
)
def test_what_cannot_help_is_refused(tmp_path, changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        values.Run(replace(TINY, **changes), tmp_path, CPU, None)
