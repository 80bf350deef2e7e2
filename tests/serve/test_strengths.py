"""Where agents start in a person's account: on a stored ladder, else by stored duels and levels."""

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fuda.agents import agent_weights
from fuda.games import spec
from fuda.serve.strengths import newcomer, strengths
from tests.serve.test_catalog import CLASSICAL, NETWORK, OTHER_NETWORK, RANDOM, folder, rate, store

__all__ = ("folder", "rate", "store")  # fixtures


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    strengths.cache_clear()
    yield
    strengths.cache_clear()


def elo(win_rate: float) -> float:
    return 400 * math.log10(win_rate / (1 - win_rate))


def test_with_nothing_stored_nothing_is_known(folder: Path):
    assert strengths("koikoi") == {}
    assert newcomer("koikoi") == 0


def test_duels_that_reach_the_random_player_count(store: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.9)
    store(NETWORK, CLASSICAL, 0.6)
    store(OTHER_NETWORK, OTHER_NETWORK, 0.5)
    found = strengths("koikoi")
    assert set(found) == {RANDOM, CLASSICAL, NETWORK}
    assert found[RANDOM] == 0
    assert found[CLASSICAL] == pytest.approx(elo(0.9), abs=5)
    assert found[NETWORK] - found[CLASSICAL] == pytest.approx(elo(0.6), abs=5)
    assert newcomer("koikoi") == found[CLASSICAL]


def test_a_ladder_goes_before_duels(store: Callable[..., None], rate: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.9)
    store(NETWORK, CLASSICAL, 0.6)
    rate({CLASSICAL: 500, RANDOM: 0})
    found = strengths("koikoi")
    assert found[CLASSICAL] == 500
    assert found[NETWORK] == pytest.approx(elo(0.9) + elo(0.6), abs=8)


def test_levels_are_reached_by_the_level_above(folder: Path, store: Callable[..., None]):
    beginner, casual, best = (f"koikoi/{name}" for name in ("beginner", "casual", "best"))
    pairs = {"beginner": (beginner, None), "casual": (casual, beginner), "best": (best, casual)}
    rows = {
        level: {
            "win_rate": 0.75, "games": 2000,
            "weights": [agent_weights(name), below and agent_weights(below)],
        }
        for level, (name, below) in pairs.items()
    }  # fmt: skip
    store(best, RANDOM, 0.99)
    (folder / "levels-koikoi.json").write_text(json.dumps({"kind": "levels", "rows": rows}))
    found = strengths("koikoi")
    assert found[best] - found[beginner] == pytest.approx(2 * elo(0.75), abs=5)
    rows["casual"]["weights"][0] = "of another day"
    (folder / "levels-koikoi.json").write_text(json.dumps({"kind": "levels", "rows": rows}))
    strengths.cache_clear()
    assert beginner not in strengths("koikoi")


@pytest.mark.parametrize("game", ["koikoi", "gongzhu", "doudizhu"])
def test_with_what_ships_the_order_is_that_of_the_duels(game: str):
    found = strengths(game)
    assert found[f"{game}/random"] == min(found.values()) == 0
    assert newcomer(game) == found[f"{game}/{spec(game).fallback}"] > 200
