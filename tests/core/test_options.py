"""Rule options: their values, presets, and what records and agents say of them."""

import dataclasses

import pytest

import fuda
from fuda.agents import AgentInfo
from fuda.core.game import Game, Option, Preset
from fuda.games import koikoi

RAIN = Option("rain", "off", "whether it rains", words=("off", "on"), implied=True)
SAKE = Option("sake", "grows", "what sake is worth", words=("grows", "off", "5"), implied=True)
WET = Preset("wet", "Wet", "It rains.", {"rain": "on", "rounds": 12})
SPEC = dataclasses.replace(
    koikoi.SPEC, options=(*koikoi.SPEC.options[:2], RAIN, SAKE), presets=(Preset("dry", "Dry", "Sun."), WET)
)


def game(**options: object) -> Game:
    return Game(SPEC, options)


def test_an_implied_option_is_named_only_where_it_is_not_as_by_default():
    assert game().all_options == {"rounds": 8, "points": 30, "rain": "off", "sake": "grows"}
    assert game().options == {"rounds": 8, "points": 30}
    assert game(rain="off").options == {"rounds": 8, "points": 30}
    assert game(rain=True).options == {"rounds": 8, "points": 30, "rain": "on"}
    assert game(rain="off") == game() != game(rain="on")
    match = game(sake=5).start(seed=1)
    assert match.record()["options"] == match.view(0)["options"] == {"rounds": 8, "points": 30, "sake": "5"}


def test_a_word_that_is_a_number_may_be_given_as_one():
    assert game(sake=5) == game(sake="5")
    assert list(game(sake=5).option_codes) == [8, 30, 0, 2]
    for bad in (3, 5.0, True, None, "5 "):
        with pytest.raises(ValueError, match=r"^option sake is one of grows, off, 5, not "):
            game(sake=bad)


def test_a_preset_stands_for_its_options():
    assert game(preset="wet") == game(rain="on", rounds=12)
    assert game(preset="dry") == game()
    assert game(preset="wet", rounds=3) == game(rounds=3, preset="wet") == game(rain="on", rounds=3)
    for bad in ("snow", None, 1, ["wet"]):
        with pytest.raises(ValueError, match=r"^koikoi has no preset .*; it has dry, wet$"):
            game(preset=bad)


def test_who_learned_says_under_which_options_and_where_they_differ():
    assert game(rounds=2, rain=True).learned_options == {"rain": "on", "sake": "grows"}
    learned = AgentInfo("Learned", "Learned.", learned_options=game().learned_options)
    assert learned.other_options(game(rounds=2)) == {}
    assert learned.other_options(game(rain=True, sake=5)) == {"rain": "on", "sake": "5"}
    assert AgentInfo("Reads", "Reads the rules.").other_options(game(rain=True)) == {}


@pytest.mark.parametrize("name", fuda.list_agents())
def test_models_know_the_default_rules_unless_their_cards_say_more(name):
    info, table = fuda.agents.agent_info(name), fuda.game(name.partition("/")[0])
    is_model = fuda.agents.agent_weights(name) is not None
    assert (info.learned_options is not None) == is_model
    assert info.other_options(table) == ({"score": "wp"} if name == "doudizhu/best-point" else {})


def test_who_learned_what_points_are_worth_says_so_where_they_are_worth_something_else():
    """`best-point` has fewer games than `best-raw` under `score=adp`, and more points."""
    doubled = fuda.game("doudizhu", score="adp", bidding="on")
    other = {
        name: fuda.agents.agent_info(f"doudizhu/{name}").other_options(doubled)
        for name in ("best-raw", "best", "skilled", "best-point", "rhcp")
    }
    learned_wins = {"score": "adp"}
    assert other == {
        "best-raw": learned_wins, "best": learned_wins, "skilled": learned_wins, "best-point": {}, "rhcp": {},
    }  # fmt: skip
