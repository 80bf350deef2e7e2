"""How far a set of players is from a ladder: the intransitivity of the ScrofaZero paper (Eq. 17).

N players, D deals.
"""

import itertools

import numpy as np


def intransitivity(won: np.ndarray) -> float:
    """0 where what players win from each other adds up, 1 where it goes round in a ring.

    `won` [N, N] is what the row's player wins from the column's, on average.
    """
    above = below = 0.0
    for i, j, k in itertools.combinations(range(len(won)), 3):
        gap = abs(won[i, j] + won[j, k] - won[i, k])
        above += gap**2
        below += gap * (abs(won[i, j]) + abs(won[j, k]) + abs(won[i, k]))
    return above / below if below else 0.0


def bootstrap(margins: np.ndarray, seed: int, rounds: int = 1000) -> tuple[float, float]:
    """The intransitivity of margins [N, N, D] on common deals, and its error over resampled deals."""
    luck = np.random.default_rng(seed)
    num_deals = margins.shape[2]
    found = [
        intransitivity(margins[:, :, luck.integers(num_deals, size=num_deals)].mean(axis=2))
        for _ in range(rounds)
    ]
    return intransitivity(margins.mean(axis=2)), float(np.std(found, ddof=1))


def by_chance(won: np.ndarray, stderr: np.ndarray, seed: int, rounds: int = 1000) -> np.ndarray:
    """The intransitivities [rounds], rising, of the ladder nearest to `won` [N, N], so measured.

    The measure cannot be negative, so it is not 0 then. Errors `stderr` [N, N] are taken as independent.
    """
    strengths = won.mean(axis=1)  # by least squares, as every pair is measured
    ladder = strengths[:, None] - strengths
    noise = np.triu(np.random.default_rng(seed).normal(size=(rounds, *won.shape)) * stderr, 1)
    return np.sort([intransitivity(ladder + one - one.T) for one in noise])
