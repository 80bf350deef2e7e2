"""The intransitivity of players, where it is known."""

import numpy as np
import pytest

from fuda.arena.transitivity import bootstrap, by_chance, intransitivity


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


def test_by_chance_a_measured_ladder_is_not_quite_transitive():
    strengths = np.array([0.0, 10.0, 30.0, 35.0])
    won, errors = strengths[:, None] - strengths, np.full((4, 4), 2.0)
    found = by_chance(won, errors, seed=1)
    assert (found > 0).all()
    assert (found[:-1] <= found[1:]).all()
    assert np.quantile(found, 0.95) < 0.2
    assert (by_chance(won, errors / 10, seed=1) < found).mean() > 0.99
    ring = np.array([[0, 10.0, -10], [-10, 0, 10], [10, -10, 0]])
    assert intransitivity(ring) > by_chance(ring + won[:3, :3], errors[:3, :3], seed=1)[-1]
