"""How likely a scenario is by what the other seats played, if they play as a policy does.

A policy's logits are its actions' values in points, times a sharpness; the regret of an action is what it
gives away against the best of those that it is compared with. R rows (one play in one scenario each), M legal
actions of all of them: those of row r are number starts[r] to starts[r + 1] - 1 of a flat list.

Or by what a network says outright of who holds which card. V views, P scenarios of each, H hidden hands.
"""

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.game import GameSpec
from fuda.core.generator import bits

SHARPNESS = 20.0  # a policy is trained to softmax(20 x value), values in parts of the game's point scale
LEAST = 0.1  # the least factor of the linear form

WEIGHTINGS = ("none", "iec", "iec-linear", "bayes", "belief")
WORD = float(2**32)


def sharpness_of(spec: GameSpec) -> float:
    """What values in points are multiplied by to be a policy's logits."""
    return SHARPNESS / spec.point_scale


@compiled
def _regrets(logits, starts, played, compared, sharpness, regrets):
    """The regret in points of the actions at `played` [R] among those that are `compared` [M]."""
    for row in range(len(played)):
        best = -np.inf
        for m in range(starts[row], starts[row + 1]):
            if compared[m]:
                best = max(best, logits[m])
        regrets[row] = (best - logits[played[row]]) / sharpness


@compiled
def _log_chances(logits, starts, played, sharpness, beta, floor, chances):
    """The logarithm of Eq. 13's factor: of the action's chance among the legal ones."""
    for row in range(len(played)):
        total = 0.0
        for m in range(starts[row], starts[row + 1]):
            total += np.exp(beta / sharpness * (logits[m] - logits[played[row]]))
        chances[row] = -np.log(total)
        if floor > 0.0:
            by_chance = floor / (starts[row + 1] - starts[row])
            chances[row] = np.log((1.0 - floor) / total + by_chance)


def log_factors(
    weighting: str,
    logits: np.ndarray,
    starts: np.ndarray,
    played: np.ndarray,
    compared: np.ndarray,
    sharpness: float,
    beta: float,
    floor: float,
) -> np.ndarray:
    """The logarithm of each play's factor [R]; a scenario's score is the product of its plays' factors.

    `logits` [M] are the policy's, `played` [R] the places of what was played; `beta` is how much a point of
    regret tells, and `floor`, in `bayes`, the chance that a play is a random one.

    `iec` is the paper's exp(-beta regret), Eq. 12; `iec-linear` what its authors ran, 1 - beta regret but at
    least 0.1; `bayes` divides the first by its sum over all legal actions, Eq. 13.
    """
    found = np.zeros(len(played))
    if weighting == "bayes":
        _log_chances(logits, starts, played, sharpness, beta, floor, found)
        return found
    _regrets(logits, starts, played, compared, sharpness, found)
    if weighting == "iec":
        return -beta * found
    return np.log(np.maximum(LEAST, 1 - beta * found))


def weigh(priors: np.ndarray, logarithms: np.ndarray) -> np.ndarray:
    """Weights [V, S] that sum to one for each view: priors times scores, given as logarithms [V, S]."""
    scores = priors * np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


@compiled
def score_owners_all(logits, hidden, scores, first, last):
    """How well hands fit a guess: scores [V, P] of hidden [V, P, H] by logits [V, H, A] of who holds what.

    A score is the logarithm of the scenario's chance, but for a constant of its view, if the guess holds
    for each card by itself.
    """
    for v in range(first, last):
        for p in range(hidden.shape[1]):
            scores[v, p] = 0.0
            for h in range(hidden.shape[2]):
                cards = hidden[v, p, h]
                while cards:
                    scores[v, p] += logits[v, h, lowest(cards)]
                    cards &= cards - 1


@compiled
def resample_all(scores, rngs, chosen, first, last):
    """Draw chosen [V, S] of P scenarios with chances exp(scores [V, P]), by systematic resampling."""
    num_chosen = chosen.shape[1]
    for v in range(first, last):
        top = scores[v].max()
        total = np.exp(scores[v] - top).sum()
        at = bits(rngs[v : v + 1]) / WORD  # in parts of one drawn scenario
        p = 0
        passed = np.exp(scores[v, 0] - top) / total * num_chosen
        for s in range(num_chosen):
            while passed <= at + s and p < scores.shape[1] - 1:
                p += 1
                passed += np.exp(scores[v, p] - top) / total * num_chosen
            chosen[v, s] = p
