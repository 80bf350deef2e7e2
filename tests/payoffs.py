"""What a deal is worth, as plain numbers."""

from typing import Any

import numpy as np

from fuda.core.game import GameSpec


def payoff_of(spec: GameSpec, state: Any, seat: int) -> float:
    """What the state has been worth to a seat so far."""
    out = np.zeros(spec.seats)
    spec.rules.payoff(state, out)
    return float(out[seat])
