"""Levels from duels: planted strengths are found again, and what was never measured has none."""

import math

import numpy as np
import pytest

from fuda.arena.levels import Levels, Measured


def duel(first: str, second: str, gap: float, games: int = 4000, luck: np.random.Generator | None = None):
    rate = 1 / (1 + math.exp(-gap))
    stderr = math.sqrt(rate * (1 - rate) / games)
    won = rate if luck is None else luck.binomial(games, rate) / games
    return Measured(first, second, won, stderr, games)


def test_planted_levels_are_found_within_their_error():
    planted = {"random": 0.0, "a": 2.0, "b": 2.5, "c": 3.5, "d": 1.0}
    luck = np.random.default_rng(2)
    pairs = [("a", "random"), ("b", "a"), ("c", "b"), ("c", "a"), ("d", "random"), ("d", "c")]
    off = []
    for _ in range(200):
        duels = [duel(one, two, planted[one] - planted[two], luck=luck) for one, two in pairs]
        levels = Levels(duels, "random")
        off.append([(levels[name] - planted[name]) / levels.stderr(name, "random") for name in "abcd"])
    assert np.abs(np.mean(off, axis=0)).max() < 0.3
    assert np.std(off, axis=0) == pytest.approx([1.0] * 4, abs=0.2)


def test_a_chain_adds_up_and_its_errors_too():
    levels = Levels([duel("a", "random", 1.0), duel("b", "a", 0.5)], "random")
    assert (levels["random"], levels["a"], levels["b"]) == pytest.approx((0.0, 1.0, 1.5))
    parts = levels.stderr("a", "random") ** 2 + levels.stderr("b", "a") ** 2
    assert levels.stderr("b", "random") ** 2 == pytest.approx(parts)


def test_what_no_duel_connects_has_no_level():
    levels = Levels([duel("a", "random", 1.0), duel("x", "y", 1.0), duel("a", "a", 0.0)], "random")
    assert "a" in levels
    assert "x" not in levels
    assert "y" not in levels
    assert Levels([], "random")["random"] == 0


def test_a_duel_won_to_the_last_game_has_an_end():
    levels = Levels([Measured("a", "random", 1.0, 0.0, 100)], "random")
    assert 4 < levels["a"] < 7
    assert levels.stderr("a", "random") > 0.5
