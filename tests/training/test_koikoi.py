"""Koi-Koi by the values of moves, small: aims, guests, tables, and that a killed run goes on as it was."""

import json
import shlex
import shutil
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import MODELS, model_folders
from fuda.cli import main
from fuda.games.koikoi import encoding, turn, winning
from fuda.games.koikoi.recipes import RECIPES
from fuda.nets.token_transformer import TokenShape
from fuda.training import conduct, trainer, values
from fuda.training.guests import PAST
from fuda.training.registry import find_recipe
from fuda.training.run_folder import game_of
from fuda.training.torch_agent import model_on

torch.set_num_threads(1)  # test processes share the cores
CPU = torch.device("cpu")
TINY = replace(
    find_recipe("koikoi-small").recipe,
    aims=("points", "probability"),
    table="induced",
    shape=TokenShape(first=16, width=8, blocks=2, heads=2, hidden=16, suits=12),
    groups=2,
    group_size=8,
    batch=8,
    lanes=2,
    shuffled=2,
    games=40,
    waiting_share=0.5,
    learn_share=0.5,
    learning_rate=1e-3,
    guests={"classical": 0.25, PAST: 0.25},
)
# The same as the paper learns: rewards, a network for each kind of decision, no averages.
PLAIN = replace(
    TINY,
    aims=("probability",),
    reward="gain",
    table="fitted",
    shared=False,
    average=0.0,
    batch=4,
    learn_share=1.0,
    forced=True,
    symmetries=False,
    waiting_share=0.0,
    guests={},
)
# As a game's file has it, for one game.
PLAIN_DATA = RECIPES["koikoi-small"] | {
    "shape": {"first": 16, "width": 8, "blocks": 1, "heads": 2, "hidden": 16, "suits": 12},
    "group_size": 8, "batch": 8, "shuffled": 2, "games": 1,
}  # fmt: skip


def new_run(recipe: values.ValuesRecipe, out: Any) -> values.Run:
    return values.Run(recipe, out, CPU, None)


def weights(run: values.Run) -> list[np.ndarray]:
    return [value.numpy().copy() for net in run.nets.nets for value in net.state_dict().values()]


@pytest.mark.parametrize("recipe", [TINY, PLAIN])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path, monkeypatch, recipe):
    monkeypatch.setattr(trainer, "MIN_ROWS", 2)
    monkeypatch.setattr(winning.InducedChances, "refit_ticks", 12)
    monkeypatch.setattr(winning.FittedChances, "refit_ticks", 24)
    monkeypatch.setattr(winning.FittedChances, "num_matches", 10)
    monkeypatch.setattr(values, "PAST_TICKS", 18)
    whole = new_run(recipe, tmp_path)
    first = whole.table.copy()
    for _ in range(60):
        whole.advance()
    begun = new_run(recipe, tmp_path)
    for _ in range(42):
        begun.advance()
    begun.save()
    resumed = new_run(recipe, tmp_path)
    resumed.restore()
    for _ in range(18):
        resumed.advance()
    assert resumed.num_games == whole.num_games
    for mine, theirs in zip(weights(resumed), weights(whole), strict=True):
        assert np.array_equal(mine, theirs)
    assert np.array_equal(resumed.table, whole.table)
    assert not np.array_equal(first, whole.table)
    assert 0 < begun.figures()["steps"] < whole.figures()["steps"] - 3


def test_each_decision_is_learned_from_once_by_the_network_of_its_kind(tmp_path, monkeypatch):
    run = new_run(PLAIN, tmp_path)
    learned = [0, 0, 0]
    for number, (each, store) in enumerate(zip(run.trainers, run.stores, strict=True)):

        def remember(index, done, number=number, store=store, step=each.step):
            targets, _, words, moves = (column[index] for column in store.columns)
            assert (run.reader.kinds(words) == number).all()
            assert (targets.abs() <= 1).all()
            assert ((moves[:, 0] >= 48) == (number == 2)).all()  # koi-koi and stop
            learned[number] += len(index)
            step(index, done)

        monkeypatch.setattr(each, "step", remember)
    offered = []
    for group in run.groups:

        def count(*given, play=group.deals.play):
            slots, targets = play(*given)
            offered.append(len(slots))
            return slots, targets

        monkeypatch.setattr(group.deals, "play", count)
    for _ in range(150):
        run.advance()
    waiting = 0
    for state in (store.state() for store in run.stores):
        taken = int(state["rounds"][1]) * state["order"].shape[1]  # they stay until their round ends
        waiting += int(state["queues"][1].sum()) - taken
    assert all(learned)
    assert sum(learned) + waiting == sum(offered)


def test_slots_of_who_waits_are_learned_as_its_token(tmp_path):
    run = new_run(TINY, tmp_path)
    group, seen = run.groups[0], 0
    for _ in range(60):
        run.advance()
        index, words = group.deals.waiting()
        at = group.deals.tick % group.deals.num_ticks
        others = np.setdiff1d(np.arange(group.size), index)
        assert (group.words[at][index].numpy() == words).all()
        assert (group.move_words[at][index] == turn.WAIT_ACTION).all()
        assert (group.words[at][others].numpy() == group.deals.choices.words[others]).all()
        seen += len(index)
    assert seen > 20


def test_a_guest_that_ships_plays_its_best_moves(tmp_path):
    """`sl` tells one number of a move: it is not weighed by what classes of outcomes are worth."""
    recipe = replace(TINY, aims=("points",), guests={"sl": 0.5}, groups=1)
    run = new_run(recipe, tmp_path)
    group, agent, seen = run.groups[0], fuda.agent("koikoi/sl"), 0
    for _ in range(6):
        games, choices = group.deals.games, group.deals.choices
        for b in np.flatnonzero(games.marks == 0):
            view = games.states[b : b + 1].copy().view(np.recarray)
            seat = view.seat.astype(np.int64)
            run.game.spec.rules.hide(view[0], seat[0])
            told = agent.network_values(view, seat)[0]
            chosen = choices.actions[choices.starts[b] + group.places[b]]
            assert told[chosen] == pytest.approx(max(told.values()), abs=1e-3)
            seen += 1
        run.advance()
    assert seen > 5
    for guests, sentence in (
        ({"best": 0.5}, "best tells more than one number"),
        ({"nobody": 0.5}, "guest nobody is no policy and no model"),
    ):
        with pytest.raises(ValueError, match=sentence):
            new_run(replace(recipe, guests=guests), tmp_path)


def test_guests_leave(tmp_path):
    run = new_run(replace(TINY, guests_until=0.1, games=20), tmp_path)
    assert (run.groups[0].deals.games.guest_sides >= 0).sum() == 4
    while run.done < 0.1:
        run.advance()
    run.advance()
    assert (run.groups[0].deals.games.guest_sides >= 0).sum() == 0


def test_training_lowers_the_error(tmp_path):
    run = new_run(replace(TINY, warmup_steps=1, learning_rate=3e-3), tmp_path)
    errors = []
    for _ in range(6):
        for _ in range(50):
            run.advance()
        errors.append(run.errors()["error"])
    assert errors[-1] < errors[1] < np.log(48)


# For a few seconds: fewer games at once are learned from more often, by weights of a short average.
FEW_GAMES = {
    "games": 256, "group_size": 128, "batch": 64, "shuffled": 16, "warmup_steps": 20, "average": 0.98,
}  # fmt: skip


def test_koikoi_small_soon_beats_random(tmp_path, soak):
    """In a minute of one core if it has that (make soak), else by less."""
    recipe = replace(find_recipe("koikoi-small").recipe, **({"games": 2500} if soak else FEW_GAMES))
    run = new_run(recipe, tmp_path)
    while run.done < 1:
        run.advance()
    run.export()
    player = fuda.agent(tmp_path / "model")
    result = fuda.duel(run.game, player, "koikoi/random", 1000 if soak else 120, conduct.CHOOSING_SEED)
    assert result.win_rate > (0.9 if soak else 0.7)


def test_fitted_chances_follow_the_matches(tmp_path):
    run = new_run(PLAIN, tmp_path)
    starts = winning.RoundStarts(60)
    run.play_matches(starts, 60)
    rounds = starts.rounds()
    assert (rounds.left == 8).sum() == 60  # each match has a first round,
    assert (rounds.lead[rounds.left == 8] == 0).all()  # which nobody leads
    table = winning.fit_logistic(rounds)
    assert table.shape == run.table.shape
    assert (np.diff(table[1:9], axis=1) >= 0).all()  # who leads wins more often
    known = winning.Rounds(np.repeat(1, 200), np.tile([-5, 5], 100), np.tile([0.0, 1.0], 100))
    planted = winning.fit_logistic(known)
    assert planted[1, winning.MAX_LEAD - 5] < 0.1 < 0.9 < planted[1, winning.MAX_LEAD + 5]
    assert planted[1, winning.MAX_LEAD] == pytest.approx(0.5, abs=0.01)


def test_a_run_can_go_on_from_a_model(tmp_path):
    first = new_run(replace(TINY, aims=("points",)), tmp_path / "first")
    for _ in range(100):
        first.advance()
    first.export()
    for start in (tmp_path / "first" / "model", tmp_path / "first"):
        for aims in (("points",), ("points", "probability")):
            second = new_run(replace(TINY, aims=aims), tmp_path / "second")
            second.start_from(start)
            for mine, theirs in zip(second.trainers[0].net.blocks.parameters(),
                                    first.nets.nets[0].blocks.parameters(), strict=True):  # fmt: skip
                assert mine.detach().numpy() == pytest.approx(theirs.detach().numpy(), abs=1e-3)
            assert second.start == {"name": start.name, "games": first.num_games}


def test_a_run_can_go_on_from_one_with_several_aims(tmp_path):
    """Its models for the aims are together its network, but for rounding."""
    first = new_run(TINY, tmp_path / "first")
    for _ in range(100):
        first.advance()
    first.table[:] = 0.25
    first.export()
    assert game_of(first.out) == "koikoi"
    second = new_run(replace(TINY, epsilon=0.3), tmp_path / "second")
    second.start_from(first.out)
    for nets in ([second.trainers[0].net], second.nets.nets, second.guests.past):
        for name, weights in first.nets.nets[0].state_dict().items():
            assert torch.equal(nets[0].state_dict()[name], weights.half().float()), name
    assert second.table == pytest.approx(0.25)
    assert second.made()["start"] == {"name": "first", "games": first.num_games}
    one_aim = new_run(replace(TINY, aims=("probability",)), tmp_path / "third")
    one_aim.start_from(first.out)
    value, width = first.nets.nets[0].value.weight, first.reward.width
    assert torch.equal(one_aim.trainers[0].net.value.weight, value[width:].half().float())
    wider = new_run(replace(TINY, shape=replace(TINY.shape, width=16)), tmp_path / "other")
    with pytest.raises(ValueError, match="other shapes"):
        wider.start_from(first.out)
    other = new_run(replace(TINY, seed=2), tmp_path / "other")
    other.export()
    shutil.copytree(other.out / "model-points", first.out / "model-points", dirs_exist_ok=True)
    with pytest.raises(ValueError, match="not of one run"):
        second.start_from(first.out)
    shutil.rmtree(first.out / "model-points")
    with pytest.raises(ValueError, match="has no model-points, which"):
        second.start_from(first.out)


def test_a_run_that_is_told_its_suits_goes_on_from_one_that_is_not(tmp_path):
    first = new_run(replace(TINY, shape=replace(TINY.shape, suits=0)), tmp_path / "first")
    first.export()
    second = new_run(TINY, tmp_path / "second")
    second.start_from(first.out)
    before, after = first.nets.nets[0], second.trainers[0].net
    example = before.example(4)
    assert torch.allclose(before(*example), after(*example), atol=5e-3)
    assert not after.from_suits.weight.any()
    for _ in range(100):
        second.advance()
    assert after.from_suits.weight.abs().max() > 0


def test_resuming_something_else_is_refused(tmp_path):
    run = new_run(TINY, tmp_path / "none")
    with pytest.raises(ValueError, match="there is no checkpoint"):
        run.restore()
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="damaged"):
        new_run(TINY, tmp_path).restore()
    new_run(TINY, tmp_path).save()
    with pytest.raises(ValueError, match="another recipe"):
        new_run(replace(TINY, seed=2), tmp_path).restore()


@pytest.mark.parametrize("recipe", [TINY, PLAIN])
def test_the_exported_models_play_as_the_averaged_networks(tmp_path, recipe):
    """By onnxruntime and in half precision, from views: as choosers value what they are given."""
    run = new_run(replace(recipe, guests={}, waiting_share=0.25 * bool(recipe.waiting_share)), tmp_path)
    for _ in range(80):
        run.advance()
    run.export()
    rounding = {"points": 2e-2, "probability": 2e-3}  # a round may be worth 64 points
    group = run.groups[0]
    views, seats = group.deals.games.states.copy(), group.deals.games.states["seat"].astype(np.int64)
    for b, seat in enumerate(seats):
        run.game.spec.rules.hide(views[b], seat)
    for number, aim in enumerate(recipe.aims):
        folder = tmp_path / ("model" if len(recipe.aims) == 1 else f"model-{aim}")
        exported = fuda.agent(folder)
        assert exported.info.unit == aim
        told = exported.network_values(views, seats)
        for b in np.flatnonzero(run.seating.aims == number):
            choices = group.deals.choices
            action = choices.actions[choices.starts[b] + group.places[b]]
            if group.given[b] < 0:  # not explored
                assert told[b][action] == pytest.approx(max(told[b].values()), abs=rounding[aim])
        card = json.loads((folder / "model.json").read_text())
        assert card["made"]["games"] == run.num_games
    if recipe.waiting_share:
        search = fuda.agent(tmp_path / "model-probability-search")
        by_torch = model_on(CPU, tmp_path / "model-probability-search", "searcher")
        match = fuda.game("koikoi").start(3)
        for _ in range(12):
            found = search.values(match)
            assert by_torch.values(match) == pytest.approx(found, abs=2e-3)
            assert sorted(found) == match.legal()
            assert all(0 <= value <= 1 for value in found.values())
            match.play(search.choose(match))


def test_a_model_plays_the_same_by_pytorch():
    by_torch = model_on(CPU, model_folders("koikoi")["rl-wp"], "koikoi/rl-wp")
    by_onnx = fuda.agent("koikoi/rl-wp")
    assert (by_torch.name, by_torch.weights, by_torch.info) == (by_onnx.name, by_onnx.weights, by_onnx.info)
    match = fuda.game("koikoi").start(4)
    for _ in range(30):
        assert by_torch.values(match) == pytest.approx(by_onnx.values(match), abs=1e-4)
        match.play(by_onnx.choose(match))


def test_the_recipes_are_those_of_the_documents():
    """What the paper says, and that ours differ from each other where they say so."""
    paper, match = (find_recipe(f"koikoi-paper-{name}").recipe for name in ("point", "wp"))
    assert (paper.forced, paper.symmetries, paper.shared, paper.reward) == (True, False, False, "gain")
    assert (paper.batch, paper.learning_rate, paper.optimizer, paper.lambda_return) == (256, 1e-4, "adam", 1)
    assert (paper.guests, paper.guests_until) == ({"sl": 1.0}, 0.5)
    assert match == replace(paper, aims=("probability",), table="fitted")
    ours, further = find_recipe("koikoi").recipe, find_recipe("koikoi-further").recipe
    assert (ours.aims, ours.lambda_return, ours.learn_share) == (("points", "probability"), 0.85, 0.35)
    assert further.guests == {"classical": 0.05, "sl": 0.15, PAST: 0.05}
    assert further.further


def test_the_deck_is_turned_for_who_learns_alone(tmp_path, monkeypatch):
    run = new_run(TINY, tmp_path)
    decks = []
    monkeypatch.setattr(
        run.trainers[0], "step", lambda index, done: decks.append(run.trainers[0].net.attributes.clone())
    )
    for number in range(4):
        monkeypatch.setattr(run.trainers[0], "num_steps", number)
        store = run.stores[0]
        store._counts[:] = (store._batches + store._num_taken) * store._lane_batch  # one batch is due
        run._learn(run.trainers[0], run.stores[0])
        assert np.array_equal(decks[-1], encoding.EQUAL_ATTRIBUTES[number])
        assert np.array_equal(run.nets.nets[0].attributes, encoding.ATTRIBUTES)


def test_fuda_train_ends_with_the_command_that_plays_its_agent(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", PLAIN_DATA)
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
    monkeypatch.setitem(RECIPES, "koikoi-small", PLAIN_DATA)
    out, how = tmp_path / "a run", ["--device", "cpu", "--no-evaluate"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--out", str(out), "--minutes", "0.0001", *how])
    assert ended.value.code == 0
    told = capsys.readouterr().err
    assert "not one game was finished" in told
    assert f"train longer, with --resume '{out}'" in told
    assert fuda.agent(out / "model").info.unit == "points"


@pytest.mark.parametrize("group_size", [4096, 4088])
def test_on_a_cpu_a_recipe_for_a_gpu_tells_of_the_small_one(tmp_path, monkeypatch, capsys, group_size):
    monkeypatch.setitem(RECIPES, "koikoi", PLAIN_DATA | {"group_size": group_size})
    how = ["--minutes", "0.0001", "--no-evaluate", "--device", "cpu"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi", "--out", str(tmp_path / "run"), *how])
    assert ended.value.code == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert ("for a GPU" in first and "koikoi-small is for a CPU" in first) == (group_size == 4096)


def test_a_run_has_its_seed_and_need_not_be_evaluated(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", PLAIN_DATA)
    monkeypatch.setattr(values.Run, "evaluate", lambda run, games: pytest.fail("evaluated"))
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


def test_a_run_learns_under_chosen_rules_which_its_model_keeps(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(RECIPES, "koikoi-small", PLAIN_DATA)
    out = tmp_path / "run"
    how = ["--device", "cpu", "--no-evaluate"]
    chosen = ["-o", "viewing=1", "-o", "draw=nobody"]
    for arguments in (["--out", str(out), *chosen], ["--resume", str(out)], ["--resume", str(out), *chosen]):
        with pytest.raises(SystemExit) as ended:
            main(["train", "koikoi-small", *arguments, *how])
        assert ended.value.code == 0
    command = shlex.split(capsys.readouterr().err.splitlines()[-1].removeprefix("try it: "))
    assert command[-2:] == ["-oviewing=1", "-odraw=nobody"]
    card = json.loads((out / "model" / "model.json").read_text())
    assert card["options"] == {"rounds": 8, "points": 30, "viewing": "1", "draw": "nobody"}
    info = fuda.agent(out / "model").info
    assert info.other_options(fuda.game("koikoi", viewing=1, draw="nobody", rounds=3)) == {}
    assert info.other_options(fuda.game("koikoi")) == {"viewing": "rising", "draw": "dealer"}
    assert "It learned under `-oviewing=1 -odraw=nobody`." in (out / "model" / "CARD.md").read_text()
    for wrong, sentence in (
        (
            ["--resume", str(out), "-o", "viewing=5"],
            f"the run in {out} learns other rules; leave --option out",
        ),
        (["--out", str(tmp_path / "b"), "-o", "viewing=2"], "option viewing is one of rising, off, 1, 3, 5"),
        (["--out", str(tmp_path / "b"), "-o", "preset=x"], "koikoi has no preset 'x'; it has paper, app"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["train", "koikoi-small", *wrong, *how])
        assert ended.value.code == 2
        assert sentence in capsys.readouterr().err


def test_a_model_of_rules_that_are_not_here_is_refused(tmp_path):
    run = new_run(TINY, tmp_path)
    run.export()
    path = tmp_path / run.models[0] / "model.json"
    card = json.loads(path.read_text())
    path.write_text(json.dumps(card | {"options": {"fog": "on"}}))
    with pytest.raises(ValueError, match="was trained under other rules: koikoi has no option 'fog'"):
        fuda.agent(path.parent)


def test_a_run_that_goes_on_knows_its_minutes(tmp_path, monkeypatch):
    def stop(run: values.Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(values.Run, "advance", stop)
    for minutes, resume in ((5.0, False), (None, True)):
        run = values.Run(TINY, tmp_path, CPU, minutes)
        with pytest.raises(KeyboardInterrupt):
            conduct.conduct(run, resume=resume)
        assert run.minutes == 5.0
        assert json.loads((tmp_path / "run.json").read_text())["minutes"] == 5.0


def test_a_run_that_is_done_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setitem(RECIPES, "koikoi-small", PLAIN_DATA)
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


def test_models_of_the_way_are_kept(tmp_path, monkeypatch):
    run = new_run(replace(TINY, aims=("points",)), tmp_path)
    while not run.num_games:
        run.advance()
    last = run.num_ticks + 2
    monkeypatch.setattr(values.Run, "done", property(lambda run: run.num_ticks / last))
    conduct.conduct(run, evaluate=False, keep_minutes=1e-6)
    kept = sorted(tmp_path.glob("at-*"))
    assert kept
    for folder in kept:
        games, _ = map(int, folder.name.split("-")[1:])
        assert json.loads((folder / "model" / "model.json").read_text())["made"]["games"] == games > 0
    match = fuda.game("koikoi").start(1)
    assert fuda.agent(kept[0] / "model").choose(match) in match.legal()
