"""Lists of different lengths as one array, against Python's own lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.core import threads
from fuda.core.compile import compiled
from fuda.core.generator import CHANCE, streams
from fuda.core.kernels import list_legal
from fuda.core.ragged import (
    Lists,
    item_type,
    segment_argmax,
    segment_max,
    segment_mean,
    segment_min,
    starts_of,
)

SPECS = {name: fuda.game(name).spec for name in [*fuda.list_games(), "planted"]}
numbers = st.integers(-5, 5)  # few, so that many are equal
tables = st.lists(st.lists(numbers, max_size=6), max_size=8)
full_tables = st.lists(st.lists(numbers, min_size=1, max_size=6), max_size=8)


def ragged(table: list[list[int]], dtype=np.int64) -> Lists:
    starts = starts_of(np.array([len(row) for row in table], np.int64))
    return Lists(np.array([number for row in table for number in row], dtype), starts)


def plain(lists: Lists) -> list[list[int]]:
    return [lists.row(k).tolist() for k in range(len(lists.starts) - 1)]


@given(table=tables, data=st.data())
def test_lists_are_those_of_python(table, data):
    lists = ragged(table)
    assert plain(lists) == table
    assert lists.starts[0] == 0
    assert lists.starts[-1] == len(lists.items)
    assert lists.counts.tolist() == [len(row) for row in table]
    assert lists.rows.tolist() == [k for k, row in enumerate(table) for _ in row]
    index = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=9)) if table else []
    taken = lists.take(np.array(index, np.int64))
    assert plain(taken) == [table[k] for k in index]
    assert lists.items[lists.places(np.array(index, np.int64))].tolist() == taken.items.tolist()


@given(table=tables, dtype=st.sampled_from([np.int64, np.float32, np.float64]))
def test_segments_are_those_of_python(table, dtype):
    values, starts = ragged(table, dtype)
    assert segment_max(values, starts).tolist() == [max(row, default=-np.inf) for row in table]
    assert segment_min(values, starts).tolist() == [min(row, default=np.inf) for row in table]
    means = [sum(row) / len(row) if row else 0 for row in table]
    assert segment_mean(values, starts).tolist() == pytest.approx(means)
    two = segment_mean(np.stack([values, -values], axis=1), starts)
    assert two.tolist() == [pytest.approx([mean, -mean]) for mean in means]


@given(table=full_tables)
def test_the_first_of_the_highest(table):
    values, starts = ragged(table)
    found = segment_argmax(values, starts) - starts[:-1]
    assert found.tolist() == [row.index(max(row)) for row in table]


@given(table=full_tables)
def test_padded_and_back(table):
    lists = ragged(table)
    filled, is_item = lists.padded()
    longest = max(map(len, table), default=0)
    assert filled.tolist() == [row + row[:1] * (longest - len(row)) for row in table]
    assert filled[is_item].tolist() == lists.items.tolist()


def test_no_list_at_all_and_one():
    none, one = ragged([]), ragged([[4, 7, 7]])
    assert segment_argmax(*none).tolist() == segment_max(*none).tolist() == []
    assert none.padded()[0].shape == (0, 0)
    assert segment_argmax(*one).tolist() == [1]
    assert plain(none.take(np.zeros(0, np.int64))) == []


@pytest.mark.parametrize("table", [[[]], [[], [3]], [[3], []], [[3], [], [2]]])
def test_an_empty_list_has_no_highest_and_no_filling(table):
    for refused in (lambda: segment_argmax(*ragged(table)), ragged(table).padded):
        with pytest.raises(ValueError, match="an empty list"):
            refused()


@pytest.mark.parametrize(
    ("num_actions", "wanted"),
    [(1, np.int8), (128, np.int8), (129, np.int16), (32768, np.int16), (32769, np.int32)],
)
def test_identifiers_take_the_smallest_type_that_holds_them(num_actions, wanted):
    assert item_type(num_actions) is wanted
    assert np.array([num_actions - 1]).astype(wanted)[0] == num_actions - 1


def test_more_actions_than_any_type_holds_are_refused():
    with pytest.raises(ValueError, match="32 bits"):
        item_type(2**31 + 1)


# ---- The legal moves of a game ----


def played(name: str, count: int, decisions: int) -> np.recarray:
    """States of random play at all stages, some of them over."""
    spec = SPECS[name]
    table = fuda.game(name)
    states, rngs = spec.new_states(count), streams(3, CHANCE, 0, count)
    spec.kernels.start_all(states, table.option_codes, rngs, 0, count)
    moves = np.empty(spec.max_legal, np.int64)
    for k in range(count):
        for _ in range(k * decisions // count):
            num_legal = spec.rules.legal(states[k], moves)
            if num_legal == 0:
                break
            spec.rules.step(states[k], moves[k % num_legal])
    return states


def slow_legal(name: str, states: np.recarray) -> list[list[int]]:
    spec = SPECS[name]
    moves = np.empty(spec.max_legal, np.int64)
    return [moves[: spec.rules.legal(state, moves)].tolist() for state in states]


@pytest.mark.parametrize("name", SPECS)
def test_legal_moves_of_many_positions(name):
    spec = SPECS[name]
    states = played(name, 300, spec.max_deal_decisions + 40)
    expected = slow_legal(name, states)
    assert [] in expected
    legal = spec.kernels.legal_lists(states)
    assert plain(legal) == expected
    assert legal.items.dtype == item_type(spec.num_actions)
    assert legal.starts.dtype == np.int64
    assert plain(spec.kernels.legal_lists(states[:1])) == expected[:1]
    assert plain(spec.kernels.legal_lists(states[:0])) == []


@pytest.mark.parametrize("room", [0, 1, 1000])
def test_a_pool_that_overflows_grows(room):
    spec = SPECS["doudizhu"]
    states = played("doudizhu", 60, 60)
    starts = np.zeros(61, np.int64)
    items = spec.kernels.list_legal(states, starts, room, 0, 60)
    expected = slow_legal("doudizhu", states)
    assert max(map(len, expected)) > 20  # more than one list's room, and some have less
    assert plain(Lists(items, np.cumsum(starts))) == expected


def test_shares_of_several_cores_join(monkeypatch):
    spec = SPECS["koikoi"]
    states = played("koikoi", 90, 30)
    whole = spec.kernels.legal_lists(states)
    monkeypatch.setattr(threads, "num_cores", lambda: 4)
    split = threads.split
    monkeypatch.setattr("fuda.core.kernels.split", lambda *a, **k: split(*a, **k, min_share=10))
    for _ in range(2):  # at first the loop may not be compiled, then its entry is known
        parts = spec.kernels.legal_lists(states)
        assert parts.items.tolist() == whole.items.tolist()
        assert parts.starts.tolist() == whole.starts.tolist()


@pytest.mark.parametrize("fault", ["too narrow", "drops one"])
def test_a_planted_fault_is_found(fault):
    """Identifiers that do not fit, and rules that are cut short: the comparison above would fail."""
    spec = SPECS["doudizhu"]
    states, starts = played("doudizhu", 20, 40), np.zeros(21, np.int64)
    legal = spec.rules.legal
    names = (
        {"ITEM": np.int8} if fault == "too narrow" else {"legal": compiled(lambda s, out: legal(s, out) - 1)}
    )
    items = spec.kernels.bind(list_legal, fault, **names)(states[:-1], starts, 8, 0, 19)
    assert plain(Lists(items, np.cumsum(starts)))[:19] != slow_legal("doudizhu", states)[:19]
