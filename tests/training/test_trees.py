"""Training with open hands, small: its decisions and losses, and that a killed run goes on as it was."""

import json
import shlex
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import model_agent
from fuda.cli import main
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, training_streams
from fuda.core.state import OVER
from fuda.games.gongzhu import encoding, recipes
from fuda.nets.export import read_policy_value
from fuda.nets.policy_value import MlpShape, ResNetShape
from fuda.search.network_tree import TreeSetting
from fuda.training import conduct, trees
from fuda.training.registry import find_recipe
from fuda.training.run_folder import CHECKPOINT
from fuda.training.torch_agent import model_on
from fuda.training.tree_play import TreePlay
from tests.payoffs import payoff_of
from tests.search.test_network_tree import GONGZHU, SlowTree, made_up

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
TINY_SHAPE = MlpShape(first=16, second=16, width=8, blocks=1, norm=1)
TINY = replace(
    find_recipe("gongzhu-small").recipe,
    shape=TINY_SHAPE,
    group_size=6,
    epoch_games=4,
    batch=32,
    games=40,
)
TINY_AUTHORS = replace(
    find_recipe("gongzhu-authors").recipe,
    shape=replace(TINY_SHAPE, norm=0),
    group_size=4,
    epoch_games=4,
    late_epoch_games=8,
    games=32,
)


def new_play(size: int, **given) -> TreePlay:
    setting = TreeSetting(20.0, skip_forced=given.pop("skip_forced", False))
    return TreePlay(fuda.game("gongzhu"), encoding, size, 3, setting, **({"sharpness": 0.2} | given))


def value(play: TreePlay) -> np.ndarray:
    leaves = play.trees.leaves
    return made_up(leaves, leaves["seat"])[0].astype(np.float32)


def slow_decisions(number: int, skip_forced: bool, per_legal: int):
    """The decisions of game `number`, searched one leaf at a time: positions, gains, cards."""
    state = GONGZHU.new_states(1)
    chance, luck = (
        training_streams(3, purpose, 0, number, 1) for purpose in (TRAINING_CHANCE, TRAINING_SAMPLE)
    )
    GONGZHU.kernels.start_all(state, fuda.game("gongzhu").option_codes, chance, 0, 1)
    moves = np.zeros(13, np.int64)
    found = []

    def evaluate(leaf, seat):
        gain, logits = made_up(leaf, seat)
        return gain.astype(np.float32), logits

    while True:
        while skip_forced and GONGZHU.rules.legal(state[0], moves) == 1:
            GONGZHU.rules.step(state[0], moves[0])
        count = GONGZHU.rules.legal(state[0], moves)
        if count == 0:
            return found, state
        actions = moves[:count].copy()
        tree = SlowTree(state.copy(), TreeSetting(20.0, skip_forced=skip_forced), luck, evaluate)
        for _ in range(per_legal * count):
            tree.iterate()
        sign = 1 if state[0].seat % 2 == 0 else -1
        lead = payoff_of(GONGZHU, state[0], 0)
        means = [tree.root["children"][m]["total"] / tree.root["children"][m]["visits"] for m in range(count)]
        gains = [sign * (mean - lead) for mean in means]
        found.append((state.copy(), actions.tolist(), gains))
        GONGZHU.rules.step(state[0], actions[int(np.argmax(np.array(gains, np.float32)))])


@pytest.mark.parametrize(("skip_forced", "per_legal"), [(False, 2), (True, 3)])
def test_games_are_those_of_a_slow_search(skip_forced, per_legal):
    play = new_play(3, skip_forced=skip_forced, per_legal=per_legal, refill=False)
    harvested = {}
    while not play.is_idle:
        play.advance(value(play))
        rest = play.harvest()
        for b in np.flatnonzero(play.games.ended):
            one, rest = rest.cut(1)
            harvested[int(b)] = one
        assert not len(rest.words)
    assert play.num_games == 3
    for b in range(3):
        expected, final = slow_decisions(b, skip_forced, per_legal)
        _, words, actions, counts, gains = harvested[b]
        assert len(words) == len(expected)
        assert len(words) < 52 if skip_forced else len(words) == 52
        assert play.games.finals[b].tobytes() == final[0].tobytes()
        for row, (state, legal, gained) in enumerate(expected):
            slow_words = np.zeros((1, encoding.NUM_WORDS), np.int64)
            encoding.encode_all(state, np.array([state[0].seat]), slow_words, 0, 1)
            assert words[row].tolist() == slow_words[0].tolist()
            assert actions[row, : counts[row]].tolist() == legal
            assert gains[row, : counts[row]] == pytest.approx(gained, abs=1e-3)


def test_games_go_on_without_end_where_they_refill():
    play = new_play(5)
    harvested = 0
    for _ in range(1500):
        play.advance(value(play))
        found = play.harvest()
        assert (found.lengths == 52).all()
        assert len(found.words) == 52 * len(found.lengths)
        assert (found.counts >= 1).all()
        harvested += len(found.lengths)
    assert harvested == play.num_games > 10
    assert not play.games.idle.any()
    assert OVER not in play.games.states["status"]


def test_a_search_of_hidden_hands_does_not_see_them():
    play = new_play(20, hidden=True)
    different = 0
    for _ in range(100):
        play.advance(value(play))
        for game, root in zip(play.games.states, play.trees.roots, strict=True):
            seat = game.seat
            views = np.array([game, root]).view(np.recarray)
            different += views[0].hand.tolist() != views[1].hand.tolist()
            for view in views:
                GONGZHU.rules.hide(view, seat)
            assert views[0].tobytes() == views[1].tobytes()
    assert different > 1000


def test_exploration_draws_cards_by_their_gains():
    greedy, drawn = new_play(40), new_play(40, explore=1.0, sharpness=0.05)
    for play in (greedy, drawn):
        for _ in range(60):
            play.advance(value(play))
    best = greedy.games.gains[:, 0].argmax(axis=1)
    chosen = np.array([game.plays[0] for game in drawn.games.states])
    first = drawn.games.actions[np.arange(40), 0, best]
    assert 3 < (chosen == first).sum() < 37
    assert [game.plays[0] for game in greedy.games.states] == greedy.games.actions[
        np.arange(40), 0, best
    ].tolist()


@pytest.mark.parametrize("mask", ["zero", "after", "legal"])
def test_losses_against_a_slow_account(mask):
    luck = np.random.default_rng(2)
    logits, values = luck.normal(size=(5, 52)), luck.normal(size=5) * 30
    counts = np.array([1, 2, 13, 4, 7])
    actions, gains = np.zeros((5, 13), np.int64), luck.normal(size=(5, 13)) * 20
    expected, errors = 0.0, 0.0
    for k in range(5):
        legal = luck.choice(52, counts[k], replace=False)
        actions[k, : counts[k]] = legal
        target = np.exp(0.2 * gains[k, : counts[k]])
        target /= target.sum()
        if mask == "zero":
            chances = np.exp([logits[k, card] if card in legal else 0.0 for card in range(52)])
            chances = chances[legal] / chances.sum()
        elif mask == "after":
            chances = np.exp(logits[k])[legal] / np.exp(logits[k]).sum()
        else:
            chances = np.exp(logits[k, legal]) / np.exp(logits[k, legal]).sum()
        expected += (target * np.log(target / chances)).sum() / 5
        errors += (values[k] - gains[k, : counts[k]].max()) ** 2 / 5
    given = (torch.from_numpy(each) for each in (logits, values, actions, counts, gains))
    found = trees.errors_of(mask, 0.2, *given)
    assert float(found["policy_loss"].mean()) == pytest.approx(expected)
    assert float(found["value_error"].mean()) == pytest.approx(errors)


def weights(run: trees.Run) -> list[np.ndarray]:
    return [each.numpy().copy() for each in run.trainer.average.state_dict().values()]


def test_the_authors_games_are_played_by_the_weights_of_an_epoch_before(tmp_path):
    """While the newest are learned; what was played together is learned from in epochs of its own."""
    run = trees.Run(replace(TINY_AUTHORS, group_size=8), tmp_path, CPU, None)
    for epoch in range(1, 4):
        before = [each.clone() for each in run.network.state_dict().values()]
        run.advance()
        assert run.num_games == 4 * epoch
        played = run.playing.state_dict().values()
        assert all((now == then).all() for now, then in zip(played, before, strict=True))
        newest = run.network.state_dict().values()
        assert any((now != then).any() for now, then in zip(newest, before, strict=True))


@pytest.mark.parametrize("recipe", [TINY, TINY_AUTHORS], ids=["ours", "authors"])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path, recipe):
    whole = trees.Run(recipe, tmp_path, CPU, None)
    for _ in range(7):
        whole.advance()
    begun = trees.Run(recipe, tmp_path, CPU, None)
    for _ in range(4):
        begun.advance()
    begun.save()
    resumed = trees.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    for _ in range(3):
        resumed.advance()
    assert resumed.num_games == whole.num_games > 20
    assert resumed.figures() == whole.figures()
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)


def test_leaves_that_wait_while_an_epoch_is_only_learned_are_resumed(tmp_path):
    """Games of two epochs ended in one step: the second epoch plays none, and asks for all leaves again."""
    recipe = replace(TINY_AUTHORS, group_size=32, epoch_games=1, late_epoch_games=1, games=10**6)
    whole = trees.Run(recipe, tmp_path, CPU, None)
    while not (whole.epochs and sum(len(found.lengths) for found in whole.pending)):
        whole.advance()
    whole.save()
    resumed = trees.Run(recipe, tmp_path, CPU, None)
    resumed.restore()
    played = whole.groups[0].play.num_games
    for run in (whole, resumed):
        run.advance()
    assert whole.groups[0].play.num_games == played
    (ours,), (theirs,) = resumed.groups, whole.groups
    assert torch.equal(ours.values, theirs.values)
    assert torch.equal(ours.words, theirs.words)
    for run in (whole, resumed):
        run.advance()
    assert np.array_equal(ours.play.games.gains, theirs.play.games.gains)


def test_a_run_that_has_begun_can_go_back_to_its_checkpoint(tmp_path):
    """Its optimizer's state is then overwritten in place, as on a GPU, where steps are recorded."""
    run = trees.Run(TINY, tmp_path, CPU, None)
    for _ in range(3):
        run.advance()
    run.save()
    state = next(iter(run.trainer.optimizers[0].state.values()))["exp_avg"]
    for _ in range(2):
        run.advance()
    once = weights(run)
    run.restore()
    assert next(iter(run.trainer.optimizers[0].state.values()))["exp_avg"] is state
    for _ in range(2):
        run.advance()
    for mine, theirs in zip(weights(run), once, strict=True):
        assert np.array_equal(mine, theirs)


def test_the_authors_epochs():
    """Sixty-four games of 52 decisions, the last three epochs three times; later other sizes."""
    recipe = find_recipe("gongzhu-authors").recipe
    assert (recipe.epoch_games, recipe.window, recipe.passes, recipe.batch) == (64, 3, 3, 64)
    run = trees.Run(TINY_AUTHORS, None, CPU, None)
    steps, sizes = [], []
    while run.done < 1:
        before = run.trainer.num_steps
        run.advance()
        steps.append(run.trainer.num_steps - before)
        sizes.append(list(run.window.sizes))
    four, eight = 4 * 52, 8 * 52
    assert sizes == [[four], [four] * 2, [four] * 3, [four] * 3, [four] * 3, [eight], [eight]]
    assert steps == [3 * (sum(each) // 64) for each in sizes]


def test_training_lowers_the_losses_on_what_it_saw(tmp_path):
    run = trees.Run(replace(TINY, warmup_steps=1, learning_rate=3e-3), tmp_path, CPU, None)
    for _ in range(6):
        run.advance()
    run.window.leave(1)
    found = []
    run.errors()
    for _ in range(60):
        run._learn()
        found.append(run.errors())
    for name in ("policy_loss", "value_error"):
        assert found[-1][name] < 0.9 * found[0][name]


def test_evaluations_are_often_at_first(tmp_path):
    run = trees.Run(TINY, tmp_path, CPU, None)
    run.device = torch.device("cuda")  # on a GPU curves rise within seconds
    due = []
    for _ in range(12):
        due.append(conduct.next_evaluation(run))
        run.seconds = due[-1] + 0.01
    assert due[:3] == [5.0, 7.5, 11.25]
    assert due[-1] - due[-2] == 60
    assert due == sorted(due)


def test_what_is_recorded_on_a_gpu_compiles_whole_and_leaves_no_trace(tmp_path):
    run = trees.Run(TINY, tmp_path, CPU, None)
    trainer, rows = run.trainer, run._decisions(torch.arange(5))
    before = {name: value.clone() for name, value in trainer.modules.state_dict().items()}
    for function, given in ((run._expected, rows[:1]), (lambda *rows: run._errors(trainer.net, *rows), rows)):
        whole = torch.compile(function, fullgraph=True, dynamic=False, backend="aot_eager")
        for ours, theirs in zip(as_tuple(whole(*given)), as_tuple(function(*given)), strict=True):
            assert torch.allclose(ours, theirs)
    for _ in range(3):
        trainer.step(torch.arange(32), 0.0)
    trainer.restart(before)
    for net in (trainer.net, trainer.average):
        fresh = trees.Run(TINY, tmp_path, CPU, None).trainer.net.state_dict()
        assert all(torch.equal(value, fresh[name]) for name, value in net.state_dict().items())
    states = trainer.optimizers[0].state.values()
    assert all(not value.any() for state in states for value in state.values())


def as_tuple(found):
    return tuple(found.values()) if isinstance(found, dict) else (found,)


def test_a_run_may_begin_with_the_network_of_a_model(tmp_path):
    first = trees.Run(TINY, tmp_path / "first", CPU, None)
    first.advance()
    first.export()
    second = trees.Run(replace(TINY, seed=7), tmp_path / "second", CPU, None)
    second.start_from(tmp_path / "first" / "model")
    for mine, theirs in zip(weights(second), weights(first), strict=True):
        assert np.allclose(mine, theirs, atol=2e-3)  # half precision
    other = trees.Run(replace(TINY, shape=replace(TINY_SHAPE, width=16)), tmp_path, CPU, None)
    with pytest.raises(ValueError, match="another shape"):
        other.start_from(tmp_path / "first" / "model")


def test_a_checkpoint_without_its_games_goes_on_with_new_ones(tmp_path):
    run = trees.Run(TINY, tmp_path, CPU, None)
    for _ in range(3):
        run.advance()
    run.save()
    (games,) = tmp_path.glob("games-*.pt")
    games.unlink()
    resumed = trees.Run(TINY, tmp_path, CPU, None)
    resumed.restore()
    assert (resumed.num_games, resumed.epochs) == (run.num_games, run.epochs)
    for mine, theirs in zip(weights(resumed), weights(run), strict=True):
        assert np.array_equal(mine, theirs)
    resumed.advance()
    assert resumed.num_games > run.num_games


def test_more_than_two_sides_are_refused():
    with pytest.raises(ValueError, match="planted has more than two sides"):
        trees.Run(replace(TINY, game="planted"), None, CPU, None)


def test_resuming_something_else_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no checkpoint"):
        trees.Run(TINY, tmp_path, CPU, None).restore()
    (tmp_path / CHECKPOINT).write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="damaged"):
        trees.Run(TINY, tmp_path, CPU, None).restore()
    trees.Run(TINY, tmp_path, CPU, None).save()
    with pytest.raises(ValueError, match="another recipe"):
        trees.Run(replace(TINY, seed=2), tmp_path, CPU, None).restore()


def test_the_exported_model_plays_as_the_averaged_network(tmp_path):
    run = trees.Run(TINY, tmp_path, CPU, None)
    run.advance()
    run.export()
    exported = fuda.agent(tmp_path / "model", seed=4)
    inside = model_on(CPU, tmp_path / "model", "gongzhu/in-training")
    inside._rng[:] = exported._rng
    match = fuda.game("gongzhu").start(2)
    while not match.over:
        ours, theirs = exported.values(match), inside.values(match)
        assert ours == pytest.approx(theirs, abs=3)  # half precision, and trees that follow it
        match.play(exported.choose(match))
        inside._rng[:] = exported._rng
    card = json.loads((tmp_path / "model" / "model.json").read_text())
    assert card["made"]["games"] == run.num_games
    stored = read_policy_value(tmp_path / "model", encoding).state_dict()
    for name, value in run.network.state_dict().items():
        assert torch.equal(stored[name], value.half().float())


def test_a_convolutional_network_trains_too(tmp_path):
    shape = ResNetShape(channels=8, stages=2, blocks=1, diffuse=0)
    run = trees.Run(replace(TINY, shape=shape, group_size=2, epoch_games=1), tmp_path, CPU, None)
    before = weights(run)
    run.advance()
    assert any(not np.array_equal(mine, old) for mine, old in zip(weights(run), before, strict=True))


def test_fuda_train_ends_with_the_command_that_plays_its_agent(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(recipes.RECIPES, "gongzhu-small", {"algorithm": "trees", **vars(TINY), "games": 4})
    monkeypatch.setattr(conduct, "EVALUATE_GAMES_ON_CPU", 2)
    out = tmp_path / "a run"
    with pytest.raises(SystemExit) as ended:
        main(["train", "gongzhu-small", "--out", str(out), "--device", "cpu"])
    assert ended.value.code == 0
    command = shlex.split(capsys.readouterr().err.splitlines()[-1].removeprefix("try it: "))
    assert command == ["fuda", "duel", "gongzhu", str(out / "model"), "gongzhu/random"]
    last = json.loads((out / "log.jsonl").read_text().splitlines()[-1])
    assert {"greed_points", "random_win_rate", "wall_seconds", "games", "minutes"} <= set(last)
    with pytest.raises(SystemExit) as ended:
        main([*command[1:], "--games", "4"])
    assert ended.value.code == 0


@pytest.mark.parametrize("suffix", ["", "-raw", "-policy"])
def test_a_model_played_by_pytorch_plays_the_same(tmp_path, suffix):
    run = trees.Run(TINY, tmp_path, CPU, None)
    run.export()
    inside = model_on("cpu", tmp_path / "model", "gongzhu/test", suffix, {"exploration": 20.0})
    outside = model_agent(tmp_path / "model", "gongzhu/test", 0, {"exploration": 20.0}, suffix)
    assert inside.name == outside.name
    assert inside.weights == outside.weights
    match = fuda.game("gongzhu").start(3)
    same = 0
    while not match.over:
        move = outside.choose(match)
        same += inside.choose(match) == move
        match.play(move)
    assert same > 48  # the last bits of half precision may decide a tie
