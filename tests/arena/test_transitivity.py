"""The intransitivity of players, where it is known."""

import numpy as np
import pytest

from fuda.arena.transitivity import bootstrap, intransitivity


def test_a_ladder_is_transitive_and_a_ring_is_not():
    strengths = np.array([3.0, 10.0, -4.0, 0.5])
    assert intransitivity(strengths[:, None] - strengths) == pytest.approx(0)
    ring = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)
    assert intransitivity(ring) == pytest.approx(1)
    assert intransitivity(7 * ring) == pytest.approx(1)


def test_three_players_by_hand():
    won = np.array([[0, 80, 127], [-80, 0, 60], [-127, -60, 0]], float)
    assert intransitivity(won) == pytest.approx(13 / 267)


def test_the_order_of_players_does_not_matter():
    luck = np.random.default_rng(1)
    won = luck.normal(size=(5, 5))
    won -= won.T
    order = luck.permutation(5)
    assert intransitivity(won[np.ix_(order, order)]) == pytest.approx(intransitivity(won))


def test_more_deals_give_a_smaller_error():
    luck = np.random.default_rng(2)
    strengths = np.array([0.0, 80.0, 140.0, 200.0])
    errors = []
    for deals in (100, 10_000):
        noise = luck.normal(size=(4, 4, deals)) * 155
        margins = (strengths[:, None] - strengths)[:, :, None] + noise - noise.transpose(1, 0, 2)
        found, error = bootstrap(margins, seed=1, rounds=100)
        assert 0 <= found < 0.3
        errors.append(error)
    assert errors[1] < errors[0] / 3
