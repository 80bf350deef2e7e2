"""Monte-Carlo learning for any number of legal moves, small: choosing, lanes, steps, and that it learns."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.arena import duel
from fuda.nets.folder import read_card
from fuda.nets.move_values import MoveShape
from fuda.training import values
from fuda.training.card import card_text
from fuda.training.chooser import choose
from fuda.training.conduct import CHOOSING_SEED
from fuda.training.deals import BY_VALUE
from fuda.training.muon import orthogonal
from fuda.training.registry import find_recipe, recipe_names, small_recipe
from fuda.training.rewards import find_reward
from fuda.training.store import Store
from fuda.training.torch_agent import model_on

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
TINY = replace(
    find_recipe("doudizhu-small").recipe,
    shape=MoveShape(width=16, blocks=1, move_width=8, move_blocks=1),
    group_size=16,
    batch=32,
    shuffled=2,
    games=48,
    opponents=("random", "rhcp"),
)


def test_the_first_of_the_best_is_chosen_unless_one_is_given():
    worth = torch.tensor([1.0, 3.0, 3.0, -2.0, -1.0, 5.0])
    owners, starts = torch.tensor([0, 0, 0, 1, 1, 2]), torch.tensor([0, 3, 5])
    rows, best = choose(worth, owners, starts, torch.full((3,), BY_VALUE))
    assert rows.tolist() == best.tolist() == [1, 4, 5]
    rows, best = choose(worth, owners, starts, torch.tensor([2, BY_VALUE, 0]))
    assert rows.tolist() == [2, 4, 5]
    assert best.tolist() == [1, 4, 5]  # what is expected does not depend on exploring


def batches_of(num_ranks: int, num_batches: int = 7) -> list[set[int]]:
    """The decisions of each batch, by their number, however many ranks share the lanes."""
    lanes, lane_batch, batches = 4, 3, 2
    part = lanes // num_ranks
    stores = [
        Store([torch.zeros((), dtype=torch.int64)], part, rank * part, lane_batch, batches, 50, 7)
        for rank in range(num_ranks)
    ]
    arrivals, number = np.random.default_rng(1), 0
    found: list[set[int]] = []
    while len(found) < num_batches:
        came = arrivals.integers(0, lanes, 9)
        numbers = np.arange(number, number + len(came))
        number += len(came)
        for rank, store in enumerate(stores):
            mine = came // part == rank
            store.columns[0][torch.from_numpy(store.places(came[mine] - rank * part))] = torch.from_numpy(
                numbers[mine]
            )
        while min(store.num_ready for store in stores):
            parts = [store.columns[0][store.take()] for store in stores]
            found.append(set(torch.cat(parts).tolist()))
    return found


def test_batches_do_not_depend_on_the_number_of_ranks_and_none_is_learned_twice():
    alone = batches_of(1)
    assert alone == batches_of(2) == batches_of(4)
    every = [number for batch in alone for number in batch]
    assert len(every) == len(set(every)) == len(alone) * 12


def test_a_rounds_batches_are_due_one_by_one_as_decisions_arrive():
    """From the first whole round on; and a checkpoint in the middle of one goes on there."""

    def new_store() -> Store:
        return Store([torch.zeros((), dtype=torch.int64)], 1, 0, 2, 3, 50, 7)

    store, due = new_store(), []
    for number in range(12):
        store.columns[0][torch.from_numpy(store.places(np.array([0])))] = number
        due.append(store.num_ready)
        if store.num_ready:
            other = new_store()
            other.load(store.state())
            taken, again = (each.columns[0][each.take()] for each in (store, other))
            assert torch.equal(taken, again)
            assert (taken < 6).all() == (number < 10)  # those of the first round, then of the second
    assert due == [0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1]


def test_a_lane_far_ahead_drops_its_oldest():
    store = Store([torch.zeros(())], 2, 0, 2, 1, 3, 1)  # room for ten decisions of each lane
    for number in range(14):
        store.columns[0][torch.from_numpy(store.places(np.array([1])))] = float(number)
    store.columns[0][torch.from_numpy(store.places(np.array([0, 0])))] = 99.0
    assert store.num_ready == 1
    taken = store.columns[0][store.take()]
    assert sorted(taken.tolist()) == [4, 5, 99, 99]


def test_muon_makes_singular_values_about_one():
    for shape in ((3, 8, 8), (2, 5, 9), (2, 9, 5)):
        found = orthogonal(torch.randn(shape, generator=torch.Generator().manual_seed(1)))
        singular = torch.linalg.svdvals(found)
        assert found.shape == shape
        assert singular.min() > 0.5  # as far as five iterations take them
        assert singular.max() < 1.3


def test_a_step_follows_the_gradient_of_the_mean_error(tmp_path):
    """Found in shares by several cores, then clipped: the first step of plain AdamW by autograd."""
    run = values.Run(replace(TINY, optimizer="adamw", warmup_steps=1), tmp_path, CPU, None)
    (trainer,), (store,) = run.trainers, run.stores
    while not store.num_ready:
        for group in run.groups:
            group.play()
            group.value()
    index = store.take()
    net = copy.deepcopy(trainer.net)
    plain = torch.optim.AdamW(net.parameters(), TINY.learning_rate, weight_decay=TINY.weight_decay)
    plain.zero_grad()  # the copy's gradients were views of the trainer's
    rows = [column[index] for column in store.columns]
    run.find_errors(net, *rows)["error"].mean().backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), TINY.clip)
    plain.step()
    trainer.step(index, 0.0)
    for mine, theirs in zip(trainer.net.parameters(), net.parameters(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6)
    average, net = trainer.average.state_dict(), trainer.net.state_dict()
    assert all(torch.equal(average[name], net[name]) for name in net)  # it begins with what it first follows


def test_an_encoding_that_nobody_plays_is_refused():
    with pytest.raises(ValueError, match="gongzhu has its encoding for players by scenarios; values are"):
        values.Run(replace(TINY, game="gongzhu", options={}), None, CPU, None)


def test_points_are_expected_by_the_chance_and_both_outcomes():
    reward = find_reward("win-and-points", fuda.game("doudizhu").spec, 4.0, ())
    found, no_aim = torch.tensor([[0.0, 1.0, -0.5], [100.0, 2.0, -1.0]]), torch.zeros(2, dtype=torch.int64)
    expected = reward.expected(found, no_aim)
    assert reward.worth(expected, torch.zeros(2, 0)).tolist() == pytest.approx([1.0, 8.0])
    won, lost = (reward.errors(found[:1], torch.tensor([[points]]), no_aim[:1]) for points in (4.0, -4.0))
    assert won.item() == pytest.approx(np.log(2))
    assert lost.item() == pytest.approx(np.log(2) + 0.25)


def test_classes_are_read_for_the_aim_of_each_game():
    reward = find_reward("classes", fuda.game("koikoi").spec, 1.0, ("points", "probability"))
    assert (reward.outputs, reward.width, reward.num_worths) == (96, 48, 48)
    found = torch.randn(3, 96, generator=torch.Generator().manual_seed(1))
    aims, worths = torch.tensor([0, 1, 1]), torch.arange(48.0).expand(3, -1)
    chances = torch.stack([found[0, :48], found[1, 48:], found[2, 48:]]).softmax(dim=1)
    expected = reward.expected(found, aims)
    assert torch.allclose(expected, chances)
    assert torch.allclose(reward.worth(expected, worths), chances @ torch.arange(48.0))
    targets = torch.eye(48)[[3, 47, 0]]
    errors = reward.errors(found, targets, aims)
    assert torch.allclose(errors, -chances[torch.arange(3), [3, 47, 0]].log(), atol=1e-5)


@pytest.mark.parametrize(
    ("game", "name", "aims"),
    [
        ("doudizhu", "classes", ("points",)),
        ("doudizhu", "win", ("points",)),
        ("koikoi", "classes", ()),
        ("koikoi", "gain", ("points", "probability")),
        ("koikoi", "fame", ()),
    ],
)
def test_a_reward_that_a_game_does_not_have_is_refused(game, name, aims):
    with pytest.raises(ValueError, match=f"{game} has no reward '{name}' for "):
        find_reward(name, fuda.game(game).spec, 1.0, aims)


def test_a_model_plays_by_onnxruntime_as_its_run_does(tmp_path):
    run = values.Run(replace(TINY, games=8), tmp_path / "run", CPU, None)
    while run.done < 1:
        run.advance()
    run.export()
    alone = {"scenarios": 0}
    played = fuda.agent(tmp_path / "run" / "model", **alone)
    trained = model_on(CPU, tmp_path / "run" / "model", "doudizhu/in-training", parameters=alone)
    assert played.info.unit == "probability"
    match = fuda.game("doudizhu").start(4)
    for _ in range(25):
        if match.over:
            break
        mine, theirs = played.values(match), trained.values(match)
        assert list(mine) == list(theirs)
        assert list(mine.values()) == pytest.approx(list(theirs.values()), abs=2e-3)
        assert all(0 <= chance <= 1 for chance in mine.values())
        match.play(played.choose(match))


def test_bids_are_left_to_the_game():
    agent = fuda.agent("doudizhu/best", bids="rule")
    match = fuda.game("doudizhu", bidding="on").start(2)
    other = fuda.agent("doudizhu/rhcp-partner")
    assert agent.values(match) is None
    assert agent.choose(match) == other.choose(match)
    while match.view(0)["phase"] == "bid":
        match.play("bid3" if "bid3" in match.legal() else match.legal()[0])
    assert agent.values(match)


def test_every_recipe_is_found_by_its_name():
    for name in recipe_names():
        algorithm = find_recipe(name).algorithm
        assert issubclass(algorithm.Run, values.TrainingRun)
        assert small_recipe(name).endswith("-small")
    with pytest.raises(ValueError, match="there is no recipe 'doudizhu-tiny'; there are doudizhu"):
        find_recipe("doudizhu-tiny")


def test_what_cannot_be_shared_evenly_is_refused(tmp_path):
    with pytest.raises(ValueError, match="shared by 8 lanes evenly"):
        values.Run(replace(TINY, batch=36), tmp_path, CPU, None)
    with pytest.raises(ValueError, match="learns from outcomes alone"):
        values.Run(replace(TINY, reward="win-and-points", lambda_return=0.9), tmp_path, CPU, None)


def test_the_planted_game_is_learned_by_declaration_alone(tmp_path):
    """Every seat for itself, hundreds of legal moves: half of the games are enough to beat random."""
    algorithm, recipe = find_recipe("planted-small")
    run = algorithm.Run(recipe, tmp_path, CPU, None)
    while run.done < 0.5:
        run.advance()
    run.export()
    result = duel(run.game, fuda.agent(tmp_path / "model"), "planted/random", 400, 5)
    assert result.mean_diff > 0.4 + 3 * result.stderr


@pytest.mark.parametrize(("seat", "landlord"), [(0, 0), (1, 0), (0, 2)])
def test_a_bidder_learns_from_its_own_points(seat, landlord):
    """A peasant's payoff counts its partner's points too; nobody has any of a deal that all pass."""
    match = fuda.game("doudizhu", bidding="on", score="adp").start(3)
    judge, own = find_reward("win-and-scores", match.game.spec, 8.0, ()).judge, np.zeros(1)
    for bidder in range(3):
        match.play("bid2" if bidder == landlord else "bid0")
    while not match.over:
        match.play(match.legal()[0])
    judge(match._state[0], seat, np.zeros((0, 0)), own)
    assert own[0] == match.scores[seat] != 0
    assert abs(own[0]) >= (4 if seat == landlord else 2)
    passed = fuda.game("doudizhu", bidding="on", score="adp").start(3)
    for _ in range(3):
        passed.play("bid0")
    judge(passed._stepped[0], seat, np.zeros((0, 0)), own)
    assert own[0] == 0


def test_what_a_network_of_three_heads_foresees_is_a_mean_of_points():
    """Fitted to outcomes of one decision, also those of deals that all pass, its value is their mean."""
    reward = find_reward("win-and-scores", fuda.game("doudizhu").spec, 8.0, ())
    outcomes = torch.tensor([[6.0], [12.0], [-3.0], [0.0], [0.0], [-6.0]])
    heads = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([heads], max_iter=200)

    def loss():
        optimizer.zero_grad()
        found = reward.errors(heads.expand(len(outcomes), 3), outcomes, torch.zeros(6, dtype=torch.long))
        found.mean().backward()
        return found.mean()

    optimizer.step(loss)
    assert reward.expected(heads[None], torch.zeros(1)).item() == pytest.approx(
        outcomes.mean().item(), abs=1e-3
    )


BIDS = replace(
    find_recipe("doudizhu-auction").recipe, shape=TINY.shape, groups=1, group_size=16, batch=8, shuffled=1,
    games=100,
)  # fmt: skip


def test_a_run_of_bids_alone_goes_on_as_if_undisturbed(tmp_path):
    run = values.Run(BIDS, tmp_path, CPU, None)
    for _ in range(80):
        run.advance()
    run.save()
    resumed = values.Run(BIDS, tmp_path, CPU, None)
    resumed.restore()
    before = resumed.trainers[0].num_steps
    for _ in range(20):
        run.advance()
        resumed.advance()
    assert run.trainers[0].num_steps == resumed.trainers[0].num_steps > before > 0
    for mine, theirs in zip(run.nets.nets, resumed.nets.nets, strict=True):
        theirs = theirs.state_dict()
        assert all(torch.equal(weights, theirs[name]) for name, weights in mine.state_dict().items())


def test_bids_alone_are_learned_where_a_model_that_ships_plays_the_cards(tmp_path, monkeypatch):
    """Its moves are those that it makes as a player, without exploring; a model for bids comes out."""
    run = values.Run(replace(BIDS, epsilon=0.5, final_epsilon=0.5), tmp_path / "run", CPU, None)
    fixed = copy.deepcopy(run.nets.nets[1].state_dict())
    player, group = fuda.agent("doudizhu/best-point", bids="rule"), run.groups[0]
    spec, num_same, num_cards, num_given = run.game.spec, 0, 0, 0
    learned = []
    monkeypatch.setattr(run.trainers[0], "step", lambda index, done: learned.append(kinds_of(run, index)))
    for _ in range(60):
        group.play()
        views = group.deals.games.states.copy().view(np.recarray)
        seats = views["seat"].astype(np.int64)
        for view, seat in zip(views, seats, strict=True):
            spec.rules.hide(view, seat)
        group.value()
        choices = group.deals.choices
        chosen = choices.actions[choices.starts[:-1] + group.places.numpy()]
        cards = ~np.array([spec.is_bid(view) for view in views])
        theirs = player.act(views[cards].view(np.recarray), seats[cards], np.zeros(cards.sum(), np.uint64))
        num_same += int((theirs == chosen[cards]).sum())
        num_cards += int(cards.sum())
        num_given += int((group.given.numpy() != BY_VALUE)[~cards].sum())
        run._learn(run.trainers[0], run.stores[0])
    assert num_cards > 400
    assert num_given > 10
    assert num_same > 0.99 * num_cards  # both backends round differently
    assert learned
    assert set(np.concatenate(learned)) == {run.encoding.DECISION_KINDS.index("bid")}
    assert all(torch.equal(weights, fixed[name]) for name, weights in run.nets.nets[1].state_dict().items())
    run.export()
    with pytest.raises(ValueError, match="is for bids alone"):
        fuda.agent(tmp_path / "run" / "model")
    bidder = fuda.agent("doudizhu/best-point", bids=tmp_path / "run" / "model")
    match = run.game.start(3)
    assert sorted(bidder.values(match)) == match.legal()
    assert run._player(tmp_path / "run" / "model").bid_weights == bidder.bid_weights
    card = read_card(tmp_path / "run" / "model")
    text = card_text("run/model", card, {}, [], "it", CHOOSING_SEED, 1.0)
    assert "Bids, and nothing else, in Dou Dizhu" in text
    assert 'fuda.agent("doudizhu/best-point", bids="run/model")' in text


def kinds_of(run: values.Run, index: torch.Tensor) -> np.ndarray:
    """The kinds of decisions of a batch."""
    return run.reader.kinds(run.stores[0].columns[2][index]).numpy()
