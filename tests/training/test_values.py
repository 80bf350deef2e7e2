"""Monte-Carlo learning for any number of legal moves, small: choosing, lanes, steps, and that it learns."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.arena import duel
from fuda.nets.move_values import MoveShape
from fuda.training import values
from fuda.training.chooser import choose
from fuda.training.deals import BY_VALUE
from fuda.training.muon import orthogonal
from fuda.training.registry import find_recipe, recipe_names, small_recipe
from fuda.training.rewards import WinAndPoints
from fuda.training.store import Store

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
    assert rows.tolist() == [1, 4, 5]
    assert best.tolist() == [3.0, -1.0, 5.0]
    rows, best = choose(worth, owners, starts, torch.tensor([2, BY_VALUE, 0]))
    assert rows.tolist() == [2, 4, 5]
    assert best.tolist() == [3.0, -1.0, 5.0]  # what is expected does not depend on exploring


def rounds_of(num_ranks: int, num_rounds: int = 3) -> list[list[set[int]]]:
    """The decisions of each batch, by their number, however many ranks share the lanes."""
    lanes, lane_batch, batches = 4, 3, 2
    part = lanes // num_ranks
    stores = [
        Store([torch.zeros((), dtype=torch.int64)], part, rank * part, lane_batch, batches, 50, 7)
        for rank in range(num_ranks)
    ]
    arrivals, number = np.random.default_rng(1), 0
    found: list[list[set[int]]] = []
    while len(found) < num_rounds:
        came = np.sort(arrivals.integers(0, lanes, 9))
        numbers = np.arange(number, number + len(came))
        number += len(came)
        for rank, store in enumerate(stores):
            mine = came // part == rank
            store.columns[0][torch.from_numpy(store.places(came[mine] - rank * part))] = torch.from_numpy(
                numbers[mine]
            )
        while min(store.num_ready for store in stores):
            parts = [store.columns[0][store.take()] for store in stores]
            found.append([set(torch.cat(rows).tolist()) for rows in zip(*parts, strict=True)])
    return found


def test_batches_do_not_depend_on_the_number_of_ranks_and_none_is_learned_twice():
    alone = rounds_of(1)
    assert alone == rounds_of(2) == rounds_of(4)
    every = [number for batches in alone for batch in batches for number in batch]
    assert len(every) == len(set(every)) == len(alone) * 2 * 12


def test_a_lane_far_ahead_is_an_error_and_not_a_loss():
    store = Store([torch.zeros(())], 2, 0, 2, 1, 3, 1)
    with pytest.raises(RuntimeError, match="overflows"):
        store.places(np.zeros(100, np.int64))


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
    while not run.store.num_ready:
        for group in run.groups:
            group.play(0.1, 1.0, run.store)
            group.value(run.chooser)
    index = run.store.take()[0]
    net = copy.deepcopy(run.trainer.net)
    plain = torch.optim.AdamW(net.parameters(), TINY.learning_rate, weight_decay=TINY.weight_decay)
    plain.zero_grad()  # the copy's gradients were views of the trainer's
    rows = [column[index] for column in run.store.columns]
    run._errors(net, *rows)["error"].mean().backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), TINY.clip)
    plain.step()
    run.trainer.step(index, 0.0)
    for mine, theirs in zip(run.trainer.net.parameters(), net.parameters(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6)
    average, net = run.trainer.average.state_dict(), run.trainer.net.state_dict()
    assert all(torch.equal(average[name], net[name]) for name in net)  # it begins with what it first follows


def test_an_encoding_that_nobody_plays_is_refused():
    with pytest.raises(ValueError, match="gongzhu has its encoding for players by scenarios; values are"):
        values.Run(replace(TINY, game="gongzhu", options={}), None, CPU, None)


def test_points_are_expected_by_the_chance_and_both_outcomes():
    reward = WinAndPoints(fuda.game("doudizhu").spec, scale=4.0)
    found = torch.tensor([[0.0, 1.0, -0.5], [100.0, 2.0, -1.0]])
    assert reward.values(found).tolist() == pytest.approx([1.0, 8.0])
    won, lost = reward.errors(found[:1], torch.tensor([4.0])), reward.errors(found[:1], torch.tensor([-4.0]))
    assert won.item() == pytest.approx(np.log(2))
    assert lost.item() == pytest.approx(np.log(2) + 0.25)


def test_a_model_plays_by_onnxruntime_as_its_run_does(tmp_path):
    run = values.Run(replace(TINY, games=8), tmp_path / "run", CPU, None)
    while run.done < 1:
        run.advance()
    run.export()
    played, trained = fuda.agent(tmp_path / "run" / "model"), run.player()
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
    agent = fuda.agent("doudizhu/best")
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
    with pytest.raises(ValueError, match="there is no recipe 'doudizhu-tiny'; there are koikoi"):
        find_recipe("doudizhu-tiny")


def test_what_cannot_be_shared_evenly_is_refused(tmp_path):
    with pytest.raises(ValueError, match="shared by 8 lanes evenly"):
        values.Run(replace(TINY, batch=36), tmp_path, CPU, None)
    with pytest.raises(ValueError, match="learns from outcomes alone"):
        values.Run(replace(TINY, reward="win-and-points", lambda_return=0.9), tmp_path, CPU, None)


def test_the_planted_game_is_learned_by_declaration_alone(tmp_path):
    """Every seat for itself, hundreds of legal moves: after so many games most deals are won over random."""
    algorithm, recipe = find_recipe("planted-small")
    run = algorithm.Run(recipe, tmp_path, CPU, None)
    while run.done < 1:
        run.advance()
    result = duel(run.game, run.player(), "planted/random", 400, 5)
    assert result.mean_diff > 0.4 + 3 * result.stderr
