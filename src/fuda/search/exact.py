"""The exact value of positions with open hands, to the end of the deal: for endings.

Every player maximises its own payoff: by alpha-beta where two sides play against each other, else by trying
everything (max^n). Without a table: the last four tricks of a trick-taking game take some milliseconds, a
whole deal would take for ever. A game may have a solver of its own (`solve_all` of its scenarios.py).

K positions, M legal actions of all of them, S seats.
"""

import functools
from typing import Any

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.core.ragged import Lists
from fuda.core.state import PLAYING
from fuda.core.threads import each, split

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = side = payoff = solve_position = unbound
MAX_LEGAL = MAX_DEPTH = NUM_SEATS = 0

MIN_SHARE = 64  # endings: a game's own solver knows again what it met in the same call
CHUNK = 8  # positions that one thread solves in a row


def solve_two_sided(scratch, payoffs):
    """Write the payoffs [S] of the state scratch[0]; `scratch` has room for MAX_DEPTH more."""
    moves = np.empty((MAX_DEPTH + 1, MAX_LEGAL), np.int64)
    num_moves = np.zeros(MAX_DEPTH + 1, np.int64)
    num_tried = np.zeros(MAX_DEPTH + 1, np.int64)
    best = np.empty(MAX_DEPTH + 1, np.float64)  # values are those of seat 0
    # What the side of seat 0 and the other side are sure of elsewhere.
    low = np.full(MAX_DEPTH + 1, -np.inf)
    high = np.full(MAX_DEPTH + 1, np.inf)
    depth = 0
    is_new = True
    value = 0.0
    while depth >= 0:
        state = scratch[depth]
        if is_new and state.status != PLAYING:
            payoff(state, payoffs)
            value = payoffs[0]
            is_new = False
            depth -= 1
            continue
        is_first = side(state, state.seat) == side(state, 0)
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
    for seat in range(NUM_SEATS):
        payoffs[seat] = value if side(scratch[0], seat) == side(scratch[0], 0) else -value


def solve_many_sided(scratch, payoffs):
    """The same where each side plays for itself: of actions that are equal to the mover the first counts."""
    moves = np.empty((MAX_DEPTH + 1, MAX_LEGAL), np.int64)
    num_moves = np.zeros(MAX_DEPTH + 1, np.int64)
    num_tried = np.zeros(MAX_DEPTH + 1, np.int64)
    best = np.empty((MAX_DEPTH + 1, NUM_SEATS), np.float64)
    depth = 0
    is_new = True
    while depth >= 0:
        state = scratch[depth]
        if is_new and state.status != PLAYING:
            payoff(state, payoffs)
            is_new = False
            depth -= 1
            continue
        if is_new:
            num_moves[depth] = legal(state, moves[depth])
            num_tried[depth] = 0
        elif num_tried[depth] == 1 or payoffs[state.seat] > best[depth, state.seat]:
            best[depth] = payoffs
        if num_tried[depth] == num_moves[depth]:
            payoffs[:] = best[depth]
            is_new = False
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        step(scratch[depth + 1], moves[depth, num_tried[depth]])
        num_tried[depth] += 1
        depth += 1
        is_new = True


def solve_actions(states, rows, actions, scratch, values, first, last):
    """Values [M] for the mover of actions first..last-1, each in the state of its row."""
    payoffs = np.empty(NUM_SEATS, np.float64)
    for m in range(first, last):
        scratch[0] = states[rows[m]]
        step(scratch[0], actions[m])
        solve_position(scratch, payoffs)
        values[m] = payoffs[states[rows[m]].seat]


def solve_states(states, scratch, payoffs, first, last):
    """Payoffs [K, S] of states first..last-1."""
    for k in range(first, last):
        scratch[0] = states[k]
        solve_position(scratch, payoffs[k])


@functools.cache
def _solver(spec: GameSpec) -> tuple[Any, Any]:
    names: dict[str, Any] = {"MAX_DEPTH": spec.max_deal_decisions}
    solver = solve_two_sided if spec.two_sided else solve_many_sided
    names["solve_position"] = spec.kernels.bind(solver, **names)
    return spec.kernels.bind(solve_actions, **names), spec.kernels.bind(solve_states, **names)


def solve(spec: GameSpec, states: np.recarray) -> Lists:
    """Exact values, for the mover, of the legal actions of `states` [K]: lists in the actions' order."""
    legal = spec.kernels.legal_lists(states)
    values = np.empty(len(legal.items))
    given = (states, legal.rows, legal.items.astype(np.int64))
    _on_all_cores(spec, _solver(spec)[0], given, values, legal.starts)
    return Lists(values, legal.starts)


def solved_payoffs(spec: GameSpec, states: np.recarray) -> np.ndarray:
    """What each seat gets [K, S] from `states` [K] if all play their best."""
    payoffs = np.empty((len(states), spec.seats))
    solve_all = getattr(spec.scenarios, "solve_all", None)
    if solve_all is not None:  # the game's own
        split(solve_all, states, payoffs, count=len(states), min_share=MIN_SHARE)
        return payoffs
    _on_all_cores(spec, _solver(spec)[1], (states,), payoffs, np.arange(len(states) + 1))
    return payoffs


def _on_all_cores(
    spec: GameSpec, loop: Any, given: tuple[np.ndarray, ...], out: np.ndarray, starts: np.ndarray
) -> None:
    """Fill `out`, in which position k is what lies between starts[k] and starts[k + 1]."""
    bounds = [*starts[:-1:CHUNK].tolist(), len(out)]

    def job(k: int) -> None:
        scratch = spec.new_states(spec.max_deal_decisions + 1)
        loop(*given, scratch, out, bounds[k], bounds[k + 1])

    each(job, len(bounds) - 1)
