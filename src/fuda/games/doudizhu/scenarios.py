"""Scenarios are deals that agree with a view, all as likely (`redeal`); their endings are solved exactly."""

import numpy as np

from fuda.games.doudizhu.endings import solve_all
from fuda.games.doudizhu.moves import PASS
from fuda.games.doudizhu.rules import NUM_CARDS, NUM_SEATS

__all__ = ["MOST_TO_SOLVE", "left_to_solve", "solve_all"]

MOST_TO_SOLVE = 20  # cards in all hands


def left_to_solve(states: np.recarray) -> np.ndarray:
    """How many cards are still in the hands [K].

    All where the peasants may still answer a spring (RULES 11.2): the solver does not know about that.
    """
    left = np.asarray(states["sizes"].sum(axis=1))
    if not states["spring"].any():
        return left
    led_again = (states["plays"][:, NUM_SEATS::NUM_SEATS] != PASS).any(axis=1)  # the landlord began
    return np.where((states["spring"] != 0) & ~led_again, NUM_CARDS, left)
