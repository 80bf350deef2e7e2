"""Margins as text: what comes back is what was put in, in few bytes, and damage is refused."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.arena.margins import pack, unpack

WHOLE = st.integers(-(2**29), 2**29).map(lambda quarter: quarter / 4)
ANY = st.floats(allow_nan=False, allow_infinity=False)


@settings(deadline=None)
@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1) | st.lists(st.tuples(ANY, ANY), min_size=1))
def test_what_comes_back_is_what_was_put_in(rows):
    margins = np.array(rows, float)
    stored = json.loads(json.dumps(pack(margins)))
    assert (unpack(stored, margins.shape[1]) == margins).all()


@pytest.mark.parametrize(
    ("margins", "limit"),
    [
        (np.random.default_rng(1).choice([-1.0, 1.0], (10_000, 2)), 6 << 10),
        (np.random.default_rng(1).normal(0, 300, (10_000, 2)).round(-1), 24 << 10),
        (np.random.default_rng(1).normal(0, 8, (10_000, 2)).round(), 18 << 10),
    ],
)
def test_20_000_games_take_few_bytes(margins, limit):
    assert len(json.dumps(pack(margins))) < limit


def test_a_duel_keeps_the_margin_of_every_deal(tmp_path):
    out = tmp_path / "duel.json"
    result = fuda.duel("gongzhu", "gongzhu/if", "gongzhu/random", games=60, seed=3, out=out)
    stored = json.loads(out.read_text())
    margins = unpack(stored["margins"], stored["seatings"])
    assert margins.shape == (30, 2)
    assert fuda.Result.from_margins(margins, fuda.game("gongzhu").spec.roles({})) == result


GOOD = pack(np.array([[1.0, -2.0], [300.0, 0.5]]))


@pytest.mark.parametrize(
    "change",
    [
        {"deals": 3},
        {"deals": 1},
        {"deals": 0},
        {"deals": -2},
        {"deals": 10**15},
        {"deals": None},
        {"type": "int8"},
        {"type": "int64"},
        {"type": "int16x"},
        {"type": 5},
        {"unit": None},
        {"unit": "nan"},
        {"data": "?"},
        {"data": ""},
        {"data": GOOD["data"][:-8]},
        {"data": 3},
    ],
    ids=str,
)
def test_damage_is_refused(change):
    with pytest.raises(ValueError, match="the margins cannot be read"):
        unpack(GOOD | change, 2)


@pytest.mark.parametrize("stored", [None, 3, [], {}, "x"])
def test_something_else_is_refused(stored):
    with pytest.raises(ValueError, match="the margins cannot be read"):
        unpack(stored, 2)
