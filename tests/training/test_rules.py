"""Training under rule options: every preset is learned; what a network does not decide follows the rule."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.core.protocols import BID
from fuda.games import list_games, part, spec
from fuda.games.doudizhu import rules
from fuda.nets.move_values import MoveShape
from fuda.nets.policy_value import MlpShape
from fuda.nets.token_transformer import TokenShape
from fuda.training.conduct import MODEL
from fuda.training.registry import find_recipe
from tests.training.test_deals import GREEDY, first_moves, new_deals

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
TICKS_BEFORE, TICKS_AFTER = 60, 20
# By game: the recipe that makes all decisions, and a network that is quick.
RECIPES: dict[str, tuple[str, Any]] = {
    "doudizhu": ("doudizhu-table-small", MoveShape(width=16, blocks=1, move_width=8, move_blocks=1)),
    "gongzhu": (
        "gongzhu-showing-small",
        MlpShape(first=0, second=0, width=8, blocks=1, norm=1, value_scale=1, diffuse=0, owners=3),
    ),
    "koikoi": ("koikoi-small", TokenShape(first=16, width=8, blocks=1, heads=2, hidden=8, suits=12)),
}
PRESETS = [(game_id, preset.id) for game_id in RECIPES for preset in spec(game_id).presets]


def new_run(tmp_path, game_id: str, preset: str):
    name, shape = RECIPES[game_id]
    found = find_recipe(name)
    recipe = replace(
        found.recipe, options={"preset": preset}, shape=shape, group_size=16, batch=16, shuffled=2, games=200
    )
    return found.algorithm.Run(recipe, tmp_path, CPU, None)


def test_every_game_with_presets_is_trained_here():
    assert set(RECIPES) == {game_id for game_id in list_games() if spec(game_id).presets}


@pytest.mark.parametrize(("game_id", "preset"), PRESETS)
def test_a_run_under_a_preset_learns_and_goes_on_as_if_undisturbed(tmp_path, game_id, preset):
    run = new_run(tmp_path, game_id, preset)
    assert run.game == fuda.game(game_id, preset=preset)
    for _ in range(TICKS_BEFORE):
        run.advance()
    run.save()
    resumed = new_run(tmp_path, game_id, preset)
    resumed.restore()
    before = resumed.trainers[0].num_steps
    for _ in range(TICKS_AFTER):
        run.advance()
        resumed.advance()
    assert run.trainers[0].num_steps == resumed.trainers[0].num_steps > before > 0
    theirs = resumed.nets.nets[0].state_dict()
    assert all(torch.equal(mine, theirs[name]) for name, mine in run.nets.nets[0].state_dict().items())
    run.export()
    player, match = fuda.agent(tmp_path / MODEL), run.game.start(3)
    assert player.info.learned_options == run.game.learned_options
    for _ in range(6):
        move = player.choose(match)
        values = player.values(match)
        if len(match.legal()) > 1 and match.awaits_bid:
            assert set(values) == set(match.legal())  # it makes these decisions, too
            assert len(set(values.values())) > 1
        match.play(move)


@pytest.mark.parametrize("options", [{"bidding": "on"}, {"bidding": "robbing", "spring": "on"}])
def test_what_a_network_does_not_decide_before_play_follows_the_rule(options):
    deals = new_deals("doudizhu", 16, GREEDY, "payoff", (), "encoding", score="adp", **options)
    rule, states = spec("doudizhu").policy(spec("doudizhu").fallback).choose, deals.games.states
    nothing, seen = np.zeros((16, 1), np.float32), set()
    for _ in range(120):
        for state in states:
            assert state["landlord"] >= 0  # the play has begun
            seen.add(tuple(state["bids"].tolist()))
        deals.play(first_moves(deals), nothing, GREEDY)
    assert len(seen) > 5
    for state in states:  # the bids again, from hands without the bottom
        again = fuda.game("doudizhu", score="adp", **options).spec.new_states(1)
        again[0] = state
        first = again[0]
        for seat in range(3):
            first.hand[seat] += first.played[seat]
        first.hand[first.landlord] -= first.bottom
        wanted = first.bids.tolist()
        first.landlord, first.stake, first.doublings, first.seat = -1, 0, 0, 0
        first.bids[:], first.num_plays = rules.NO_BID, 0
        while first.landlord < 0:
            view = again.copy()
            rules.hide(view[0], first.seat)
            rules.step(first, rule(view[0], first.seat, streams(1, SAMPLE, 0, 1)))
        assert first.bids.tolist() == wanted


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("gongzhu-views-small", {"showing": "on"}, "not told of showing=on: those of gongzhu-showing, "),
        ("doudizhu-small", {"showing": "on"}, "not told of showing=on: those of doudizhu-table, doudizhu-"),
        ("doudizhu-cql-small", {"showing": "on"}, "not told of showing=on: those of doudizhu-table, "),
        (
            "doudizhu-auction-small",
            {"bidding": "robbing", "showing": "on"},
            "not told of bidding=robbing and showing=on: those of doudizhu-table, doudizhu-table-small are",
        ),
        ("doudizhu-deeprocket-small", {"bidding": "on"}, "a teacher's games have one deal each"),
    ],
)
def test_a_recipe_says_what_its_networks_are_not_told_of(tmp_path, name, options, why):
    algorithm, recipe = find_recipe(name)
    with pytest.raises(ValueError, match=why):
        algorithm.Run(replace(recipe, options=options), tmp_path, CPU, None)


def test_encodings_that_make_all_decisions_tell_of_all_options():
    for game_id, (name, _) in RECIPES.items():
        encoding = part(game_id, find_recipe(name).recipe.encoding)
        assert not getattr(encoding, "UNTOLD", {})
        assert spec(game_id).is_bidding is None or BID in encoding.DECISION_KINDS
