"""When values count as equal: the one rule of all who play, explain, hint and review by them.

Equal cards must not be told apart by a processor's last bits: values that agree to some digits are a tie,
which the order of the legal actions decides.

V views, M legal actions of all of them.
"""

import math
from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.ragged import Lists, segment_argmax

DIGITS = 5  # decimals of a probability, or of points where the game's point scale is 1

Move = TypeVar("Move", str, int)


def tie_digits(spec: GameSpec, unit: str | None) -> int:
    """To how many decimals values in a unit are compared."""
    return DIGITS - round(math.log10(spec.point_scale)) if unit == "points" else DIGITS


def best_actions(legal: Lists, values: np.ndarray, spec: GameSpec, unit: str | None) -> np.ndarray:
    """The best legal action [V] of each view by the actions' values [M]."""
    compared = np.round(values, tie_digits(spec, unit))
    return np.asarray(legal.items[segment_argmax(compared, legal.starts)])


def best_first(values: Mapping[Move, float], spec: GameSpec, unit: str | None) -> list[Move]:
    """Moves, given in the order of the legal actions, by their values."""
    moves, compared = list(values), np.round(list(values.values()), tie_digits(spec, unit))
    return [moves[place] for place in np.argsort(-compared, kind="stable")]


def best_move(values: Mapping[Move, float], spec: GameSpec, unit: str | None) -> Move:
    """The first of these."""
    return best_first(values, spec, unit)[0]


def loss(values: Mapping[Move, float], move: Move, spec: GameSpec, unit: str | None) -> float:
    """What a move gives away against the best one: nothing where they tie."""
    best, given = values[best_move(values, spec, unit)], values[move]
    digits = tie_digits(spec, unit)
    return best - given if np.round(best, digits) > np.round(given, digits) else 0.0
