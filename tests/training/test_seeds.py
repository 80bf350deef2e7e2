"""Deals of training are never those of a duel: not those that are reported, nor those for choosing."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fuda.cli import main
from fuda.core.generator import CHANCE, TRAINING_CHANCE, streams, training_streams
from fuda.core.runner import LockStep
from fuda.games import game
from fuda.training import conduct, deals, trees, values
from fuda.training.card import REPORTING_SEED
from fuda.training.registry import find_recipe, recipe_names
from tests.training import test_koikoi, test_trees, test_views

CPU = torch.device("cpu")
ALGORITHMS = [
    (values, test_koikoi.TINY),
    (values, replace(test_views.TINY, groups=2)),
    (trees, replace(test_trees.TINY, groups=2)),
]


def dealt(states: np.recarray) -> set[bytes]:
    """The hands of each match."""
    return {hands.tobytes() for hands in states["hand"]}


def not_scattered(games, options, num_moves, first, last):
    """The first deals of games stay whole."""


@pytest.mark.parametrize(("algorithm", "recipe"), ALGORITHMS, ids=["koikoi", "views", "trees"])
def test_what_is_trained_on_is_in_no_duel(tmp_path, monkeypatch, algorithm, recipe):
    """`--seed 0` trained its second group on the deals of seed 1 once, and seed 1 on those of 1000."""
    monkeypatch.setattr(deals, "scatter", not_scattered)
    trained: set[bytes] = set()
    num_games = 0
    for seed in (0, 1, 2):
        run = algorithm.Run(replace(recipe, seed=seed), tmp_path, CPU, None)
        for group in run.groups:
            play = group.deals if algorithm is values else group.play
            trained |= dealt(play.games.states)
            num_games += recipe.group_size
    assert len(trained) == num_games  # each group of each seed has its own
    table = game(recipe.game)
    numbers, seatings = np.arange(200), np.tile(np.array(table.seatings[0]), (200, 1))
    for seed in (0, 1, 2, 3, 1000, 1001, 2000, 2001, conduct.CHOOSING_SEED):
        assert not trained & dealt(LockStep(table, seed, numbers, seatings).states)


def test_no_file_of_training_takes_streams_of_duels():
    """Whatever plays there: it is the names that lead to them."""
    folder = Path(conduct.__file__).parent
    taken = [
        f"{file.name} imports {name.name}"
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "fuda.core.generator"
        for name in node.names
        if name.name in ("streams", "CHANCE", "AGENT", "SAMPLE")
    ]
    assert not taken, taken


def test_seeds_for_choosing_and_reporting_have_deals_of_their_own():
    choosing, reporting = (
        streams(seed, CHANCE, 0, 100_000) for seed in (conduct.CHOOSING_SEED, REPORTING_SEED)
    )
    trained = [
        training_streams(seed, TRAINING_CHANCE, group, 0, 20_000)
        for seed in (0, REPORTING_SEED, 2, conduct.CHOOSING_SEED)
        for group in (0, 1, 7, values.MATCHES_GROUP)
    ]
    everything = np.concatenate([choosing, reporting, *trained])
    assert len(np.unique(everything)) == len(everything)


def test_no_group_that_learns_has_the_number_of_the_matches_that_only_winning_chances_are_fitted_to():
    assert all(find_recipe(name).recipe.groups < values.MATCHES_GROUP for name in recipe_names())


def test_a_training_seed_that_is_too_large_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["train", "koikoi-small", "--out", str(tmp_path / "run"), "--seed", str(2**32)])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "run").exists()
