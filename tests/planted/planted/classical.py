"""One player: gives its highest cards away, and plays its lowest."""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.game import Policy
from planted.rules import MAX_LEGAL, legal


@compiled
def choose_modest(view, seat, rng):
    """The last gift in order is the highest, the first card the lowest."""
    moves = np.empty(MAX_LEGAL, np.int64)
    count = legal(view, moves)
    if view.num_gifts < 4:
        return moves[count - 1]
    return moves[0]


POLICIES = (Policy("modest", "Modest", "Gives high cards away and plays low ones.", choose_modest),)
