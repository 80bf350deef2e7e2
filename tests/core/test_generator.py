"""The kit's generator: uniform, one stream for each purpose, the same with compilation off."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuda.core import generator
from fuda.core.generator import (
    AGENT,
    CHANCE,
    MAX_GROUP,
    MAX_SEED,
    SAMPLE,
    TRAINING,
    TRAINING_CHANCE,
    TRAINING_SAMPLE,
    below,
    bits,
    fork_all,
    shuffle,
    streams,
    training_streams,
)

# Upper 0.1 % points of the chi-square distribution, by degrees of freedom.
CHI_SQUARE = {1: 10.83, 2: 13.82, 5: 20.52, 7: 24.32, 23: 49.73, 47: 82.72}


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("n", [2, 3, 6, 8, 48])
def test_below_is_uniform(n):
    rng = streams(1, CHANCE, 0, 1)
    drawn = np.array([below(rng, n) for _ in range(20_000)])
    assert set(drawn) == set(range(n))
    assert chi_square(np.bincount(drawn, minlength=n)) < CHI_SQUARE[n - 1]


@pytest.mark.parametrize("n", [2, 8, 48])
def test_first_numbers_of_neighbouring_streams_are_uniform(n):
    """A match takes its first number from its own stream: those must not resemble each other."""
    states = streams(1, CHANCE, 0, 20_000)
    drawn = np.array([below(states[i : i + 1], n) for i in range(len(states))])
    assert chi_square(np.bincount(drawn, minlength=n)) < CHI_SQUARE[n - 1]


def test_below_one_is_zero():
    rng = streams(1, CHANCE, 0, 1)
    assert {below(rng, 1) for _ in range(100)} == {0}


@settings(deadline=None)
@given(seed=st.integers(0, 2**128 - 1), n=st.integers(1, 2**31))
def test_below_stays_below(seed, n):
    rng = streams(seed, SAMPLE, 0, 1)
    assert all(0 <= below(rng, n) < n for _ in range(20))


def test_every_order_of_a_shuffle_is_equally_likely():
    rng = streams(2, CHANCE, 0, 1)
    counts = np.zeros(24)
    for _ in range(24_000):
        items = np.arange(4)
        shuffle(rng, items, 4)
        counts[code(items)] += 1
    assert counts.all()
    assert chi_square(counts) < CHI_SQUARE[23]


def code(items: np.ndarray) -> int:
    """The number of an order of four."""
    left, number = [0, 1, 2, 3], 0
    for item in items:
        number = number * len(left) + left.index(item)
        left.remove(item)
    return number


def test_shuffle_leaves_the_rest_alone():
    items = np.arange(10)
    shuffle(streams(3, CHANCE, 0, 1), items, 4)
    assert sorted(items[:4]) == [0, 1, 2, 3]
    assert items[4:].tolist() == [4, 5, 6, 7, 8, 9]


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**128 - 1), purpose=st.sampled_from([CHANCE, AGENT, SAMPLE]),
    first=st.integers(0, 10**12), count=st.integers(1, 30), data=st.data(),
)  # fmt: skip
def test_a_stream_depends_on_its_number_alone(seed, purpose, first, count, data):
    whole = streams(seed, purpose, first, count)
    place = data.draw(st.integers(0, count - 1))
    assert whole[place] == streams(seed, purpose, first + place, 1)[0]
    assert whole[: place + 1].tolist() == streams(seed, purpose, first, place + 1).tolist()


def test_streams_differ_by_seed_purpose_and_number():
    seeds = [0, 1, 2, 2**64, 2**64 + 1]
    states = [streams(seed, purpose, 0, 1000) for seed in seeds for purpose in (CHANCE, AGENT, SAMPLE)]
    assert len(np.unique(np.concatenate(states))) == 15 * 1000


WORD = st.one_of(st.integers(0, 5), st.integers(0, 2**32 - 1))
SEED = st.lists(WORD, min_size=1, max_size=4).map(
    lambda words: sum(word << 32 * place for place, word in enumerate(words))
)


def hashed(make, *key: int) -> tuple[int, ...]:
    """The 128 bits that NumPy makes of a key."""
    found = []
    states = generator._states

    def keep(words, numbers):
        found.append(tuple(np.random.SeedSequence(words).pool.tolist()))
        return states(words, numbers)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(generator, "_states", keep)
        make(*key, 0, 1)
    return found[0]


@settings(deadline=None, max_examples=500)
@given(
    duel=st.tuples(SEED, st.sampled_from([CHANCE, AGENT, SAMPLE])),
    training=st.tuples(SEED, st.sampled_from(TRAINING), WORD),
    other=st.tuples(SEED, st.sampled_from(TRAINING), WORD),
)
def test_no_key_of_training_is_that_of_a_duel_or_another(duel, training, other):
    """Whatever the seeds, also such as end in the other's purpose or group."""
    mine = hashed(training_streams, *training)
    assert mine != hashed(streams, *duel)
    assert (mine == hashed(training_streams, *other)) == (training == other)
    states = training_streams(*training, 0, 50)
    assert not np.isin(states, streams(*duel, 0, 50)).any()
    assert states[7] == training_streams(*training, 7, 1)[0]


def test_seeds_that_are_made_to_meet_training_do_not():
    """Words written one after the other could be those of another seed, were their number not fixed."""
    for purpose in TRAINING:
        trained = training_streams(5, purpose, 2, 0, 1000)
        words = (5, 0, 0, 0, purpose, 2)
        for length in range(1, 5):
            for last in (CHANCE, AGENT, SAMPLE):
                for chosen in (words[:length], words[-length:], (5, *words[-length + 1 :])):
                    seed = sum(word << 32 * place for place, word in enumerate(chosen[:4]))
                    assert not np.isin(trained, streams(seed, last, 0, 1000)).any()


@pytest.mark.parametrize(
    "wrong",
    [
        (-1, TRAINING_CHANCE, 0), (MAX_SEED + 1, TRAINING_CHANCE, 0), (0, CHANCE, 0),
        (0, TRAINING_CHANCE, -1), (0, TRAINING_SAMPLE, MAX_GROUP + 1),
    ],
)  # fmt: skip
def test_training_has_no_other_keys(wrong):
    with pytest.raises(ValueError, match=r"a seed is|there is no purpose"):
        training_streams(*wrong, 0, 1)


NUMBERS = """
import fuda
from fuda.core.generator import *
rng = streams(12345, SAMPLE, 3, 1)
print([int(bits(rng)) for _ in range(50)], [int(below(rng, n)) for n in range(1, 50)], int(rng[0]))
items = np.arange(48)
shuffle(rng, items, 48)
print(items.tolist(), fuda.game("koikoi").start(9).deals)
"""


def test_same_numbers_with_compilation_off():
    def run(**extra: str) -> str:
        command = [sys.executable, "-W", "error", "-c", NUMBERS]
        return subprocess.run(
            command, env=os.environ | extra, check=True, capture_output=True, text=True
        ).stdout

    plain = run(NUMBA_DISABLE_JIT="1")
    assert len(plain) > 1000
    assert plain == run(NUMBA_DISABLE_JIT="0")


def test_the_numbers_never_change():
    """Saved seeds and figures depend on them."""
    rng = streams(7, CHANCE, 0, 1)
    assert [int(bits(rng)) for _ in range(4)] == [3914476019, 2091799600, 2939275532, 3094459312]
    assert [int(below(rng, 48)) for _ in range(8)] == [30, 21, 12, 12, 13, 16, 7, 43]


def test_forked_generators_are_new_and_depend_on_their_origin_alone():
    def forked(first: int, count: int) -> np.ndarray:
        out = np.zeros((count, 5), np.uint64)
        fork_all(streams(3, SAMPLE, first, count), out, 0, count)
        return out

    whole = forked(0, 400)
    assert len(set(whole.ravel().tolist())) == whole.size
    assert np.array_equal(forked(7, 1)[0], whole[7])
    draws = np.array([below(whole.ravel()[k : k + 1].copy(), 2) for k in range(whole.size)])
    assert abs(draws.mean() - 0.5) < 0.05
