"""Weaker players: drawn by their values as they say, and as listed agents."""

import numpy as np
import pytest

import fuda
from fuda.agents import agent_info, agent_weights
from fuda.agents.settings import SoftenedSetting, settings
from fuda.agents.softened import draw
from fuda.core.ragged import Lists, starts_of
from fuda.games import spec

GAMES = [game for game in fuda.list_games() if settings(spec(game), SoftenedSetting)]
LEVELS = ("beginner", "casual", "skilled")
GRID = 3000  # as many numbers, evenly from 0 to 1


def shares(values: list[float], temperature: float, among: int) -> dict[int, float]:
    """How often each action is drawn; action k has value number k. Other lists stand beside it."""
    beside = [0.5, 9.0]
    actions = np.concatenate([[100, 101], np.arange(len(values)), [200]])
    numbers = [*beside, *values, 7.0]
    legal = Lists(np.tile(actions, GRID), starts_of(np.tile([2, len(values), 1], GRID)))
    grid = np.repeat((np.arange(GRID) + 0.5) / GRID, 3)
    drawn = draw(legal, np.tile(numbers, GRID), temperature, among, grid).reshape(GRID, 3)
    assert set(drawn[:, 0]) <= {100, 101}
    assert set(drawn[:, 2]) == {200}
    found, counts = np.unique(drawn[:, 1], return_counts=True)
    return dict(zip(found.tolist(), (counts / GRID).tolist(), strict=True))


def test_odds_are_those_of_the_temperature() -> None:
    found = shares([1.0, 3.0, 2.0], temperature=2.0, among=3)
    odds = np.exp(np.array([1.0, 3.0, 2.0]) / 2)
    for action, expected in enumerate(odds / odds.sum()):
        assert found[action] == pytest.approx(expected, abs=2 / GRID)


def test_only_the_best_few_are_thought_of() -> None:
    assert set(shares([5.0, 1.0, 4.0, 3.0], temperature=100.0, among=2)) == {0, 2}
    assert set(shares([5.0, 5.0, 5.0], temperature=1.0, among=1)) == {0}  # of equal ones the first


def test_without_warmth_the_best_is_played() -> None:
    assert shares([0.2, 0.9, 0.1], temperature=1e-6, among=8) == {1: 1.0}


@pytest.mark.parametrize("game", GAMES)
def test_levels_are_listed_with_what_they_are(game: str) -> None:
    hashes = {agent_weights(f"{game}/{level}") for level in LEVELS}
    assert len(hashes) == len(LEVELS)  # each loosens the same network otherwise
    for level in LEVELS:
        name = f"{game}/{level}"
        assert name in fuda.list_agents(game)
        agent = fuda.agent(name)
        assert agent_info(name) == agent.info
        assert agent_weights(name) == agent.weights
        assert agent.info.unit is None  # it gives no hints
        warmer = fuda.agent(name, temperature=7.5)
        assert warmer.name == f"{name},temperature=7.5"
        assert warmer.weights != agent.weights


def test_the_same_luck_gives_the_same_move() -> None:
    match = fuda.game("gongzhu").start(seed=3)
    once, again = (fuda.agent("gongzhu/casual", seed=5).choose(match) for _ in range(2))
    assert once == again
    drawn = {fuda.agent("gongzhu/beginner,temperature=1000", seed=seed).choose(match) for seed in range(12)}
    assert len(drawn) > 2
