"""How strong players are when each was measured against a few others only.

A level is the logarithm of the odds to win against the anchor; the difference of two levels that
to win against each other. The levels are those that fit all duels best, each weighed by its error.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Measured:
    """One duel: the first player's share of the games won, and its error."""

    first: str
    second: str
    win_rate: float
    stderr: float
    games: int


class Levels:
    """The levels of all players that duels connect with the anchor, whose level is 0."""

    def __init__(self, duels: Iterable[Measured], anchor: str):
        duels = list(duels)
        others = sorted(_connected(duels, anchor) - {anchor})
        self._numbers = {anchor: 0} | {name: number for number, name in enumerate(others, 1)}
        size = len(self._numbers)
        weights, sums = np.zeros((size, size)), np.zeros(size)  # of the normal equations
        for duel in duels:
            if duel.first not in self._numbers or duel.first == duel.second:
                continue
            ends = [self._numbers[duel.first], self._numbers[duel.second]]
            odds, variance = _log_odds(duel)
            weights[np.ix_(ends, ends)] += np.array([[1, -1], [-1, 1]]) / variance
            sums[ends] += np.array([1, -1]) * odds / variance
        # The anchor's level is known: its row and column are left out, and it has no error.
        self._errors = np.zeros((size, size))
        self._errors[1:, 1:] = np.linalg.inv(weights[1:, 1:])
        self._levels = self._errors @ sums

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def __getitem__(self, name: str) -> float:
        return float(self._levels[self._numbers[name]])

    def stderr(self, first: str, second: str) -> float:
        """The error of the difference of two levels."""
        a, b = self._numbers[first], self._numbers[second]
        return float(np.sqrt(self._errors[a, a] + self._errors[b, b] - 2 * self._errors[a, b]))


def _log_odds(duel: Measured) -> tuple[float, float]:
    """The logarithm of the odds and its variance; a duel won to the last game is not sure for ever."""
    least = 0.5 / duel.games
    rate = min(max(duel.win_rate, least), 1 - least)
    slope = 1 / (rate * (1 - rate))
    return float(np.log(rate / (1 - rate))), (slope * max(duel.stderr, least)) ** 2


def _connected(duels: list[Measured], anchor: str) -> set[str]:
    found, news = {anchor}, {anchor}
    while news:
        pairs = [{duel.first, duel.second} for duel in duels]
        news = {name for pair in pairs if pair & found for name in pair} - found
        found |= news
    return found
