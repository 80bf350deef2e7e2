"""An attack on seeded Koi-Koi matches: from the draws that a seat saw to the deals to come.

The generator multiplies its state by a constant modulo a prime, and gives the exclusive or of the
state's two halves. A shuffle fixes the places of the deck from the last to the first, each by one such
number; a card that comes to lie before its first place was still there, so it tells in which part of the
range that number was. If that is close to a quarter of the range, it nearly tells, but for a sign, the
difference or the sum of the halves. The low half is nearly the next state's high half: so a known
multiple of the secret state is known but for an error. Which state fits is a closest vector problem of
a lattice with few dimensions, solved by LLL and Babai's method for each choice of the signs.

It takes about six rounds, and fails now and then: where a round was dealt again, or Babai's vector
is not the closest. A better one needs fewer.
"""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fuda.core.generator import MULTIPLIER
from fuda.games.koikoi import SPEC
from fuda.games.koikoi.text import CARD_IDS

ROUNDS = 6
LONG_MATCH = {"rounds": ROUNDS + 2, "points": 1000}  # so many points that no round ends it
FACTOR, HALF = int(MULTIPLIER), 2**32
MODULUS = FACTOR * HALF - 1
NUM_CARDS, STOCK = 48, 24  # in the deck; the place of the first card of the stock in it
MAX_SAMPLES, MAX_SIGNS = 28, 12
LOVASZ = 0.99


class Draw(NamedTuple):
    """The generator's number `index` was in part `part` of `num_parts` equal parts of its range."""

    index: int
    part: int
    num_parts: int


class Sample(NamedTuple):
    """`factor` times the first state, as a part of the modulus, is within `radius` of a centre."""

    radius: float
    factor: int
    centres: tuple[float, ...]


def long_move(legal: Sequence[str], luck: random.Random) -> str:
    """A move of somebody who never stops a round, so that many cards are drawn."""
    return "koikoi" if "koikoi" in legal else luck.choice(legal)


def drawn(events: Sequence[dict[str, Any]]) -> list[str]:
    """The cards that a seat saw drawn from the stock."""
    return [event["card"] for event in events if event["type"] == "draw"]


def foretell(rounds: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    """The deal that follows these rounds, given the cards drawn in each; its dealer means nothing."""
    state = first_state(draws_of(rounds))
    if state is None:
        return None
    now = state * pow(FACTOR, index_of(len(rounds), NUM_CARDS - 1), MODULUS) % MODULUS
    table = SPEC.new_states(1)
    SPEC.kernels.deal_from(table[0], np.array([now], np.uint64))
    return dict(SPEC.text.write_deal(table[0]))


def is_deal(told: dict[str, Any] | None, deal: dict[str, Any]) -> bool:
    """Whether all cards were foretold."""
    return told is not None and all(told[zone] == deal[zone] for zone in ("hands", "field", "stock"))


def index_of(number: int, place: int) -> int:
    """Which of the generator's numbers fixes a place of a round's deck: the first is for the dealer."""
    return 1 + (NUM_CARDS - 1) * number + (NUM_CARDS - 1 - place)


def draws_of(rounds: Sequence[Sequence[str]]) -> list[Draw]:
    """What cards drawn from the stock tell of the generator."""
    return [
        Draw(index_of(number, place), CARD_IDS[card], place + 1)
        for number, cards in enumerate(rounds)
        for place, card in enumerate(cards, STOCK)
        if CARD_IDS[card] <= place  # else it had been moved before, nobody knows where
    ]


def first_state(draws: Sequence[Draw]) -> int | None:
    """The state before the first number that gives all these draws, if one is found."""
    samples = best_samples(draws)
    factors = [sample.factor for sample in samples]
    weights = np.array([1 / sample.radius for sample in samples]) / MODULUS
    targets = np.array(list(product(*(sample.centres for sample in samples)))) * MODULUS
    inverse = pow(factors[0], -1, MODULUS)
    for multiple in closest(reduced(factors, weights), targets, weights):
        state = multiple * inverse % MODULUS
        if all(agrees(state, draw) for draw in draws):
            return int(state)
    return None


def agrees(state: int, draw: Draw) -> bool:
    """Whether a first state gives a draw."""
    now = state * pow(FACTOR, draw.index, MODULUS) % MODULUS
    return (now // HALF ^ now % HALF) * draw.num_parts // HALF == draw.part


def best_samples(draws: Sequence[Draw]) -> list[Sample]:
    """The most exact ones; of those with an unknown sign as many as all choices can be tried of."""
    samples = sorted(sample for draw in draws if (sample := sample_of(draw)) is not None)
    signed = [sample for sample in samples if len(sample.centres) == 2][:MAX_SIGNS]
    sure = [sample for sample in samples if len(sample.centres) == 1]
    return sure[: MAX_SAMPLES - len(signed)] + signed


def sample_of(draw: Draw) -> Sample | None:
    """The halves' difference above a quarter of the range, their sum below; none across it."""
    low, high = draw.part / draw.num_parts, (draw.part + 1) / draw.num_parts
    quarter = round(2 * (low + high)) / 4
    if low < quarter < high:
        return None
    sign, radius = (-1, high - quarter) if low >= quarter else (1, quarter - low)
    factor = (FACTOR + sign) * pow(FACTOR, draw.index, MODULUS) % MODULUS
    return Sample(radius, factor, (0.25, 0.75) if quarter in (0.25, 0.75) else (quarter,))


def reduced(factors: Sequence[int], weights: np.ndarray) -> np.ndarray:
    """An LLL-reduced basis [D, D] of the multiples of the factors, modulo the modulus."""
    inverse = pow(factors[0], -1, MODULUS)
    basis = np.diag(np.array([1] + [MODULUS] * (len(factors) - 1), object))
    basis[0] = [factor * inverse % MODULUS for factor in factors]
    scaled = (basis * weights).astype(float)
    k = 1
    while k < len(basis):
        r = np.linalg.qr(scaled[: k + 1].T, mode="r")
        for j in range(k - 1, -1, -1):
            if times := round(r[j, k] / r[j, j]):
                basis[k] -= times * basis[j]
                r[:, k] -= times * r[:, j]
        scaled[k] = basis[k] * weights
        if r[k, k] ** 2 + r[k - 1, k] ** 2 >= LOVASZ * r[k - 1, k - 1] ** 2:
            k += 1
        else:
            for rows in (basis, scaled):
                rows[[k - 1, k]] = rows[[k, k - 1]]
            k = max(k - 1, 1)
    return basis


def closest(basis: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> list[int]:
    """The first coordinate of a lattice vector near each target [T, D], by Babai's nearest planes."""
    q, r = np.linalg.qr((basis * weights).astype(float).T)
    rest = targets * weights @ q
    found = np.zeros(len(targets), object)
    for k in range(len(basis) - 1, -1, -1):
        times = np.rint(rest[:, k] / r[k, k])
        rest -= times[:, None] * r[:, k]
        found += times.astype(np.int64).astype(object) * basis[k, 0]
    return found.tolist()
