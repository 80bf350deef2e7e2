"""The exact value of positions with open hands, to the end of the deal: for endings.

Every player maximises the outcome for its own side (alpha-beta, without a table). The last four tricks
of a trick-taking game take some milliseconds; a whole deal would take for ever.
"""

import functools
from typing import Any

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING
from fuda.core.threads import each

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = side = outcome = exact_value = unbound
MAX_LEGAL = MAX_DEPTH = 0

CHUNK = 8  # positions that one thread solves in a row


def exact_value_of(scratch):
    """The value for side 0 of the state scratch[0]; `scratch` has room for MAX_DEPTH more."""
    moves = np.empty((MAX_DEPTH + 1, MAX_LEGAL), np.int64)
    num_moves = np.zeros(MAX_DEPTH + 1, np.int64)
    num_tried = np.zeros(MAX_DEPTH + 1, np.int64)
    best = np.empty(MAX_DEPTH + 1, np.float64)
    # What side 0 and side 1 are sure of elsewhere.
    low = np.full(MAX_DEPTH + 1, -np.inf)
    high = np.full(MAX_DEPTH + 1, np.inf)
    depth = 0
    is_new = True
    value = 0.0
    while depth >= 0:
        state = scratch[depth]
        if is_new and state.status != PLAYING:
            value = outcome(state)
            is_new = False
            depth -= 1
            continue
        is_first = side(state, state.seat) == 0
        if is_new:
            num_moves[depth] = legal(state, moves[depth])
            num_tried[depth] = 0
            best[depth] = -np.inf if is_first else np.inf
        elif is_first:
            best[depth] = max(best[depth], value)
            low[depth] = max(low[depth], value)
        else:
            best[depth] = min(best[depth], value)
            high[depth] = min(high[depth], value)
        if num_tried[depth] == num_moves[depth] or low[depth] >= high[depth]:
            value = best[depth]
            is_new = False
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        step(scratch[depth + 1], moves[depth, num_tried[depth]])
        num_tried[depth] += 1
        low[depth + 1], high[depth + 1] = low[depth], high[depth]
        depth += 1
        is_new = True
    return value


def solve_some(states, scratch, values, first, last):
    """Values [K, A] for the mover's side of the legal actions of states first..last-1."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        sign = 1.0 if side(states[k], states[k].seat) == 0 else -1.0
        for m in range(legal(states[k], moves)):
            scratch[0] = states[k]
            step(scratch[0], moves[m])
            values[k, m] = sign * exact_value(scratch)


@functools.cache
def _solver(spec: GameSpec) -> Any:
    names: dict[str, Any] = {
        "side": spec.rules.side,
        "outcome": spec.rules.outcome,
        "MAX_DEPTH": spec.max_deal_decisions,
    }
    names["exact_value"] = spec.kernels.bind(exact_value_of, **names)
    return spec.kernels.bind(solve_some, **names)


def solve(spec: GameSpec, states: np.recarray) -> np.ndarray:
    """Exact values [K, A] of the legal actions of `states` [K], in their order, for the mover's side.

    What is beyond the number of legal actions is minus infinity.
    """
    values = np.full((len(states), spec.max_legal), -np.inf)
    loop = _solver(spec)

    def job(k: int) -> None:
        scratch = spec.new_states(spec.max_deal_decisions + 1)
        loop(states, scratch, values, k * CHUNK, min(len(states), (k + 1) * CHUNK))

    each(job, -(-len(states) // CHUNK))
    return values
