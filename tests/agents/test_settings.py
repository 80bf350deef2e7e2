"""Players that a game gives as plain data: what is wrong with them is said in one sentence."""

import dataclasses
import re

import pytest

from fuda.agents.settings import RolloutSetting, ScenarioSetting, SearchSetting, settings
from fuda.games.gongzhu import SPEC

UCT = SPEC.players["search"]["uct"]


def test_names_and_numbers_are_those_of_the_data():
    (uct,) = settings(SPEC, SearchSetting).values()
    assert dataclasses.asdict(uct) == {"name": "uct", "rollout": "random", "information_set": False} | UCT
    assert list(settings(SPEC, ScenarioSetting)) == ["", "-raw", "-policy"]
    assert {name: found.close for name, found in settings(SPEC, RolloutSetting).items()} == {
        "": 60,
        "-raw": 15,
    }


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ({"chance": {}}, "gongzhu: players.py has 'chance'; the kinds are search, scenarios, views"),
        (
            {"search": {"uct": UCT | {"tree": 3}}},
            "gongzhu: the player 'uct' of the kind search in players.py has no setting 'tree'; it has title,",
        ),
        (
            {"search": {"uct": {key: UCT[key] for key in UCT if key != "exploration"}}},
            "gongzhu: the player 'uct' of the kind search in players.py lacks the setting exploration",
        ),
        (
            {"search": {"uct": UCT | {"rollout": "goose"}}},
            "gongzhu: the player 'uct' of the kind search in players.py has the rollout 'goose', "
            "which is one of random, if, greed",
        ),
    ],
)
def test_faults(players, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        settings(dataclasses.replace(SPEC, players=players), SearchSetting)
