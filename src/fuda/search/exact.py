"""The exact value of positions with open hands, to the end of the deal: for endings.

Every player maximises its own payoff: by alpha-beta where two sides play against each other, else by trying
everything (max^n). Without a table: the last four tricks of a trick-taking game take some milliseconds, a
whole deal would take for ever.

K positions, M legal actions of all of them, S seats.
"""

import functools
from typing import Any

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.core.ragged import Lists
from fuda.core.state import PLAYING
from fuda.core.threads import each

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = side = payoff = solve_position = with_room = unbound
MAX_LEGAL = MAX_DEPTH = NUM_SEATS = 0

CHUNK = 8  # positions, or actions, that one thread solves in a row


def with_room_for(moves, used):
    """The moves of a line of play, with room for those of one more position after the first `used`."""
    if used + MAX_LEGAL <= len(moves):
        return moves
    wider = np.empty(2 * len(moves) + MAX_LEGAL, np.int64)
    wider[:used] = moves[:used]
    return wider


def solve_two_sided(scratch, payoffs):
    """Write the payoffs [S] of the state scratch[0]; `scratch` has room for MAX_DEPTH more."""
    moves = np.empty(2 * MAX_LEGAL, np.int64)  # of all positions on the way, one list after the other
    starts = np.zeros(MAX_DEPTH + 2, np.int64)
    next_move = np.zeros(MAX_DEPTH + 1, np.int64)
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
            next_move[depth] = starts[depth]
            moves = with_room(moves, starts[depth])
            starts[depth + 1] = starts[depth] + legal(state, moves[starts[depth] :])
            best[depth] = -np.inf if is_first else np.inf
        elif is_first:
            best[depth] = max(best[depth], value)
            low[depth] = max(low[depth], value)
        else:
            best[depth] = min(best[depth], value)
            high[depth] = min(high[depth], value)
        if next_move[depth] == starts[depth + 1] or low[depth] >= high[depth]:
            value = best[depth]
            is_new = False
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        step(scratch[depth + 1], moves[next_move[depth]])
        next_move[depth] += 1
        low[depth + 1], high[depth + 1] = low[depth], high[depth]
        depth += 1
        is_new = True
    for seat in range(NUM_SEATS):
        payoffs[seat] = value if side(scratch[0], seat) == side(scratch[0], 0) else -value


def solve_many_sided(scratch, payoffs):
    """The same where each side plays for itself: of actions that are equal to the mover the first counts."""
    moves = np.empty(2 * MAX_LEGAL, np.int64)
    starts = np.zeros(MAX_DEPTH + 2, np.int64)
    next_move = np.zeros(MAX_DEPTH + 1, np.int64)
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
            next_move[depth] = starts[depth]
            moves = with_room(moves, starts[depth])
            starts[depth + 1] = starts[depth] + legal(state, moves[starts[depth] :])
        elif next_move[depth] == starts[depth] + 1 or payoffs[state.seat] > best[depth, state.seat]:
            best[depth] = payoffs
        if next_move[depth] == starts[depth + 1]:
            payoffs[:] = best[depth]
            is_new = False
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        step(scratch[depth + 1], moves[next_move[depth]])
        next_move[depth] += 1
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
    names["with_room"] = spec.kernels.bind(with_room_for)
    solver = solve_two_sided if spec.two_sided else solve_many_sided
    names["solve_position"] = spec.kernels.bind(solver, **names)
    return spec.kernels.bind(solve_actions, **names), spec.kernels.bind(solve_states, **names)


def solve(spec: GameSpec, states: np.recarray) -> Lists:
    """Exact values, for the mover, of the legal actions of `states` [K]: lists in the actions' order."""
    legal = spec.kernels.legal_lists(states)
    values = np.empty(len(legal.items))
    _on_all_cores(spec, _solver(spec)[0], (states, legal.rows, legal.items.astype(np.int64)), values)
    return Lists(values, legal.starts)


def solved_payoffs(spec: GameSpec, states: np.recarray) -> np.ndarray:
    """What each seat gets [K, S] from `states` [K] if all play their best."""
    payoffs = np.empty((len(states), spec.seats))
    _on_all_cores(spec, _solver(spec)[1], (states,), payoffs)
    return payoffs


def _on_all_cores(spec: GameSpec, loop: Any, given: tuple[np.ndarray, ...], out: np.ndarray) -> None:
    def job(k: int) -> None:
        scratch = spec.new_states(spec.max_deal_decisions + 1)
        loop(*given, scratch, out, k * CHUNK, min(len(out), (k + 1) * CHUNK))

    each(job, -(-len(out) // CHUNK))
