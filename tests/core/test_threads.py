"""Loops that are split among the cores, and where their machine code begins."""

import threading
import time
from collections import namedtuple

import numba
import numpy as np
import pytest

from fuda.core import threads
from fuda.core.entry import entry


@numba.njit(nogil=True)
def fill(out, value, first, last):
    for k in range(first, last):
        out[k] = value + k
    return last - first


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    monkeypatch.setattr(threads, "num_cores", lambda: 4)


def test_shares_cover_everything_once_and_in_order():
    found = threads.split(lambda first, last: (first, last), count=10, min_share=2)
    assert found == [(0, 2), (2, 5), (5, 7), (7, 10)]


@pytest.mark.parametrize("dtype", [np.int64, np.float32])
@pytest.mark.parametrize("value", [3, 2.5, True])
def test_a_compiled_loop_does_the_same_whatever_the_types(dtype, value):
    for _ in range(3):  # at first it is not compiled, then its entry is known
        out = np.zeros(1001, dtype)
        assert sum(threads.split(fill, out, value, count=1001, min_share=10)) == 1001
        expected = np.zeros(1001, dtype)
        fill.py_func(expected, value, 0, 1001)
        np.testing.assert_array_equal(out, expected)


def test_an_entry_is_of_its_types_alone():
    wide, narrow = np.zeros(8, np.int64), np.zeros(8, np.int8)
    strided = np.zeros(16, np.int64)[::2]
    for out in (wide, narrow, strided):
        fill(out, 1, 0, 8)
    entries = [entry(fill, (out, 1, 0, 8)) for out in (wide, narrow, strided)]
    assert len({id(each) for each in entries}) == 3
    for out, begin in zip((wide, narrow, strided), entries, strict=True):
        out[:] = 0
        assert begin(out, 1, 0, 8) == 8
        assert out.tolist() == list(range(1, 9))


def test_a_number_too_large_for_an_entry_is_asked_for():
    fill(np.zeros(8), 1, 0, 8)
    assert entry(fill, (np.zeros(8), 1, 0, 8)) is not fill
    assert entry(fill, (np.zeros(8), 2**63, 0, 8)) is fill


@numba.njit(nogil=True)
def first_field(record, first, last):
    return record.a


def test_records_of_other_fields_have_no_entry_in_common():
    """Nor have tuples whose fields have names."""
    one = np.array([(1, 2)], [("a", np.int64), ("b", np.int64)])[0]
    other = np.array([(1, 2)], [("b", np.int64), ("a", np.int64)])[0]
    pair = namedtuple("pair", "a b")
    riap = namedtuple("riap", "b a")
    for record, expected in ((one, 1), (other, 2), (pair(1, 2), 1), (riap(1, 2), 2)):
        for _ in range(2):
            assert entry(first_field, (record, 0, 1))(record, 0, 1) == expected
            first_field(record, 0, 1)


def test_what_may_not_be_written_has_an_entry_of_its_own():
    out = np.zeros(8, np.int64)
    fill(out, 1, 0, 8)
    assert entry(fill, (out, 1, 0, 8)) is not fill
    out.flags.writeable = False
    assert entry(fill, (out, 1, 0, 8)) is fill


def test_a_share_that_is_split_again_does_not_wait_for_itself():
    def outer(first, last):
        return threads.split(lambda inner, end: end - inner, count=100, min_share=1)

    assert threads.split(outer, count=8, min_share=1) == [[100]] * 4


def test_an_interrupt_does_not_wait_for_shares_that_have_not_begun():
    """The first share is that of the main thread, which alone is interrupted."""
    begun = []
    held = threading.Event()

    def work(first, last):
        if first == 0:
            while len(begun) < 3:
                time.sleep(0.001)
            raise KeyboardInterrupt
        begun.append(first)
        held.wait(10)

    try:
        with pytest.raises(KeyboardInterrupt):
            threads.Crew(4).work([(work, (first, first + 1)) for first in range(8)])
        assert sorted(begun) == [1, 2, 3]
    finally:
        held.set()
    time.sleep(0.05)
    assert sorted(begun) == [1, 2, 3]


def test_a_failure_is_raised_after_all_have_ended():
    ended = []

    def work(first, last):
        if first == 0:
            raise ValueError("the first share")
        time.sleep(0.05)
        ended.append(first)

    with pytest.raises(ValueError, match="the first share"):
        threads.split(work, count=8, min_share=2)
    assert sorted(ended) == [2, 4, 6]


def test_several_threads_may_ask_at_once():
    def ask(number):
        out = np.zeros(4000, np.int64)
        for _ in range(50):
            threads.split(fill, out, number, count=4000, min_share=100)
            assert (out == number + np.arange(4000)).all()
        agreed.append(number)

    agreed = []
    askers = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for each in askers:
        each.start()
    for each in askers:
        each.join()
    assert sorted(agreed) == list(range(6))
