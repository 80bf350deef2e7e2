"""Scenarios by a guess who holds which card: scores and draws against plain accounts."""

import numpy as np
import pytest

from fuda.core.generator import SAMPLE, streams
from fuda.search.belief import resample_all, score_owners_all


def test_scores_add_up_what_is_guessed_of_each_card():
    luck = np.random.default_rng(1)
    logits = luck.normal(size=(2, 3, 52)).astype(np.float32)
    hidden = np.zeros((2, 4, 3), np.int64)
    expected = np.zeros((2, 4))
    for v in range(2):
        for p in range(4):
            for card in range(52):
                holder = luck.integers(4)
                if holder < 3:
                    hidden[v, p, holder] |= 1 << card
                    expected[v, p] += logits[v, holder, card]
    scores = np.zeros((2, 4))
    score_owners_all(logits, hidden, scores, 0, 2)
    assert scores == pytest.approx(expected, abs=1e-3)


def test_scenarios_are_drawn_as_often_as_their_chances_say():
    scores = np.log(np.array([[0.5, 0.001, 0.3, 0.199], [1, 1, 1, 1]])) + np.array([[700.0], [-700.0]])
    chances = np.array([[0.5, 0.001, 0.3, 0.199], [0.25] * 4])
    rngs, totals = streams(3, SAMPLE, 0, 2), np.zeros((2, 4))
    for _ in range(300):
        chosen = np.zeros((2, 10), np.int64)
        resample_all(scores, rngs, chosen, 0, 2)
        for v in range(2):
            counts = np.bincount(chosen[v], minlength=4)
            assert (np.abs(counts - 10 * chances[v]) < 1).all()  # never more than rounding away
            totals[v] += counts
    assert totals / 3000 == pytest.approx(chances, abs=0.01)
