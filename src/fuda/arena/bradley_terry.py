"""Strengths from games: Bradley-Terry with a term for each role, and how sure they are.

The log of the odds that one player wins from another is the difference of their strengths, and what the role
that it plays is worth. Games on one deal are not independent, neither within a pair nor between pairs that
play the same deals, so errors come from weighing whole deals anew, the same in all pairs (a Bayesian
bootstrap: weights with the exponential distribution). Each player has about two virtual games, half won,
against those it met; they are weighed anew too, so that who never lost has a finite strength with a wide
error.

N players, M series of deals between two of them, K seatings, R role terms, U deals in all, B samples, and P =
N + R - 1 unknowns: the strength of player 0 is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

VIRTUAL_GAMES = 2.0  # of a player, about
MAX_STEP, TOLERANCE, MAX_STEPS = 2.0, 1e-7, 200
SAMPLES_AT_ONCE = 100


@dataclass(frozen=True)
class Series:
    """Deals that two players have played in all seatings."""

    first: int
    second: int
    deals: np.ndarray  # [d] their numbers, from 0 to U-1
    points: np.ndarray  # [d, K] of the first: 1 won, 0.5 drawn, 0 lost


@dataclass(frozen=True)
class Model:
    """The likelihood of some series, all of whose players are connected by games."""

    num_players: int
    series: Sequence[Series]
    signs: (
        np.ndarray
    )  # [K, R] whether the first player has the role of a term (1), the second (-1), or neither
    design: np.ndarray = field(init=False)  # [M K, P]
    virtual: np.ndarray = field(init=False)  # [M, 1] virtual games in each seating of each series

    def __post_init__(self) -> None:
        """The rows of the logistic regression, and the weights of the virtual games."""
        num_seatings, num_roles = self.signs.shape
        design = np.zeros((len(self.series), num_seatings, self.num_players + num_roles))
        games = np.zeros(self.num_players)
        for number, one in enumerate(self.series):
            design[number, :, one.first] = 1
            design[number, :, one.second] = -1
            design[number, :, self.num_players :] = self.signs
            games[[one.first, one.second]] += one.points.size
        virtual = [
            VIRTUAL_GAMES / 2 * one.points.size * (1 / games[one.first] + 1 / games[one.second])
            for one in self.series
        ]
        object.__setattr__(self, "design", design.reshape(-1, design.shape[2])[:, 1:])
        object.__setattr__(self, "virtual", np.array(virtual)[:, None] / num_seatings)

    def fit(self) -> np.ndarray:
        """The unknowns [P] that are likeliest."""
        won = np.array([one.points.sum(axis=0) for one in self.series])
        lost = np.array([(1 - one.points).sum(axis=0) for one in self.series])
        return self._maximize((won + self.virtual / 2)[None], (lost + self.virtual / 2)[None])[0]

    def samples(self, num_samples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """With deals weighed anew: unknowns [B, P], and the shares that the first players won [B, M]."""
        luck = np.random.default_rng(seed)
        sizes = [SAMPLES_AT_ONCE] * (num_samples // SAMPLES_AT_ONCE) + [num_samples % SAMPLES_AT_ONCE]
        parts = [self._sample(size, luck) for size in sizes if size]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def chances(self, unknowns: np.ndarray) -> np.ndarray:
        """Of the first player to win, [B, M, K], by the unknowns [B, P]."""
        return _logistic(unknowns @ self.design.T).reshape(len(unknowns), len(self.series), -1)

    def _sample(self, size: int, luck: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        num_deals = 1 + max(int(one.deals.max()) for one in self.series)
        weights = luck.standard_exponential((size, num_deals))
        won = np.empty((size, len(self.series), len(self.signs)))
        lost = np.empty_like(won)
        for number, one in enumerate(self.series):
            mine = weights[:, _as_slice(one.deals)]
            won[:, number] = mine @ one.points
            lost[:, number] = mine @ (1 - one.points)
        shares = won.sum(axis=2) / (won + lost).sum(axis=2)
        halves = np.broadcast_to(self.virtual / 2, won.shape)
        won += luck.standard_gamma(halves)
        lost += luck.standard_gamma(halves)
        return self._maximize(won, lost), shares

    def _maximize(self, won: np.ndarray, lost: np.ndarray) -> np.ndarray:
        """The unknowns [B, P] for games won and lost [B, M, K], by Newton's method."""
        won, lost = won.reshape(len(won), -1), lost.reshape(len(lost), -1)
        squares = (self.design[:, :, None] * self.design[:, None, :]).reshape(len(self.design), -1)
        num_unknowns = self.design.shape[1]
        unknowns = np.zeros((len(won), num_unknowns))
        for _ in range(MAX_STEPS):
            odds = unknowns @ self.design.T
            win, lose = _logistic(odds), _logistic(-odds)  # 1 - win would be inexact where it is small
            slopes = (won * lose - lost * win) @ self.design
            curves = ((won + lost) * win * lose @ squares).reshape(-1, num_unknowns, num_unknowns)
            steps = np.linalg.solve(curves, slopes[:, :, None])[:, :, 0]
            largest = np.abs(steps).max(axis=1, initial=0.0, keepdims=True)
            unknowns += steps * np.minimum(1.0, MAX_STEP / np.maximum(largest, TOLERANCE))
            if largest.max() < TOLERANCE:
                return unknowns
        raise ValueError("the ratings do not settle; are all players connected by games?")


def connected(pairs: Sequence[tuple[int, int]], num_players: int) -> list[list[int]]:
    """The players in groups that games connect, largest first."""
    group = list(range(num_players))
    for one, other in pairs:
        old, new = group[one], group[other]
        group = [new if number == old else number for number in group]
    found: dict[int, list[int]] = {}
    for player, number in enumerate(group):
        found.setdefault(number, []).append(player)
    return sorted(found.values(), key=lambda players: (-len(players), players))


def role_signs(seatings: Sequence[Sequence[int]]) -> np.ndarray:
    """For each seating [K] and each two seatings that change the sides [R]: which of the two it is.

    What a seating is worth to the first player, the other one loses where the two change chairs.
    """
    signs = []
    for number, seating in enumerate(seatings):
        changed = tuple(1 - entrant for entrant in seating)
        if changed in seatings[number + 1 :]:
            signs.append(np.zeros(len(seatings)))
            signs[-1][number], signs[-1][list(seatings).index(changed)] = 1, -1
    return np.array(signs).reshape(-1, len(seatings)).T


def _logistic(odds: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-odds)))


def _as_slice(numbers: np.ndarray) -> slice | np.ndarray:
    """Numbers that follow each other as a slice: those columns need no copy."""
    first, count = int(numbers[0]), len(numbers)
    return slice(first, first + count) if (numbers == np.arange(first, first + count)).all() else numbers
