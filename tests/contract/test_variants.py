"""What seats are told under random combinations of rule options; the walk has the rules themselves."""

import random
from typing import Any

import pytest

import fuda
from fuda.core.game import GameSpec

GAMES = fuda.list_games()
COMBINATIONS = {False: 4, True: 200}  # small, soak
MOST_MOVES = 150
NAMES = ["You", "Ann", "Bob", "Cid"]


def random_options(spec: GameSpec, luck: random.Random) -> dict[str, Any]:
    return {
        option.name: luck.choice(option.words) if option.words else luck.randint(option.low, option.high)
        for option in spec.options
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_matches_are_told_drawn_and_replayed_under_any_options(game_id, soak):
    spec, luck = fuda.game(game_id).spec, random.Random(11)
    names = NAMES[: spec.seats]
    for _ in range(COMBINATIONS[soak]):
        match = fuda.game(game_id, **random_options(spec, luck)).start(luck.getrandbits(32))
        while not match.over and len(match.moves) < MOST_MOVES:
            match.play(luck.choice(match.legal()))
            for event in match.events(luck.randrange(spec.seats)):
                assert spec.screen.say(event, names)
            assert spec.screen.draw(match.view(luck.randrange(spec.seats)), names, {})
        assert fuda.replay(match.record()) == match
