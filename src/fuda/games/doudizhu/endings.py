"""The exact worth of a position with open hands, to the end of the deal: for endings.

By alpha-beta with a table of positions that were met before, which the endings of one call share: those of a
decision have much in common. Worths are the landlord's, in stakes: 1 and -1 where a deal counts as won or
lost, and doubled by each bomb to come where bombs double.

Seats are counted from the landlord on: 0 the landlord, 1 and 2 the peasants.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.games.doudizhu.moves import (
    FIRST_BOMB,
    MAX_LEGAL,
    MOVE_CARDS,
    PASS,
    legal_follows,
    legal_leads,
)
from fuda.games.doudizhu.rules import ADP, MAX_PLAYS, NUM_SEATS

TABLE_BITS = 16
TABLE_SIZE = 1 << TABLE_BITS
BEYOND = float(1 << 20)  # more than any worth
MAX_DEPTH = MAX_PLAYS + 1
# A position on the way. Limits are the landlord's, others those of the mover's side.
LEVEL = np.dtype(
    [
        ("key", np.int64),
        ("seat", np.int64),
        ("beat", np.int64),
        ("passes", np.int64),
        ("low", np.float64),  # what the landlord is sure of elsewhere
        ("high", np.float64),  # what the peasants are
        ("floor", np.float64),  # the same for the mover's side
        ("ceiling", np.float64),
        ("limit", np.float64),  # what the mover's side is sure of by now
        ("best", np.float64),
        ("first", np.int64),  # where its moves lie
        ("left", np.int64),  # how many of them were not tried
        ("move", np.int64),  # the one that is tried
        ("factor", np.float64),  # what it multiplies worths by
    ]
)
NO_LEVELS = np.zeros(MAX_DEPTH, LEVEL).view(np.recarray)
# Odd constants that spread a position over 64 bits (the first three from the SplitMix generator).
MIX = np.array([-7046029254386353131, -4658895280553007687, -7723592293110705685], np.int64)


@compiled
def _key(hands, seat, beat, passes, doubles):
    """A hash of a position, never 0."""
    found = ((np.int64(beat) << 4) | (passes << 3) | (doubles << 2) | seat) + np.int64(1)
    for number in range(NUM_SEATS):
        found = (found ^ hands[number]) * MIX[number]
        found ^= (found >> 29) & np.int64(0x7FFFFFFFF)
    return found | 1


@compiled
def new_stack():
    """Room for lists of moves, and for a record at each depth."""
    return np.empty(MAX_LEGAL * MAX_DEPTH, np.int64), NO_LEVELS.copy()


@compiled
def worth(hands, seat, beat, passes, doubles, keys, bounds, stack):
    """What a position is worth if all play their best.

    `hands` [3] are as before after the call. `beat` is the move to beat (PASS: the mover leads), and `passes`
    how many have passed since it. `keys` [T] and `bounds` [T, 2] are the table. On the stack (a loop instead
    of recursion, whose machine code cannot be kept) lies a record for each depth.
    """
    depth, is_new, top = 0, True, 0
    moves, levels = stack
    value = 0.0
    root = levels[0]
    root.seat, root.beat, root.passes = seat, beat, passes
    root.high = BEYOND if doubles else 1.0
    root.low = -root.high
    while depth >= 0:
        at = levels[depth]
        sign = 1.0 if at.seat == 0 else -1.0
        if is_new:
            at.key = _key(hands, at.seat, at.beat, at.passes, doubles)
            place = (at.key >> 20) & (TABLE_SIZE - 1)
            if keys[place] == at.key:
                least, most = bounds[place, 0], bounds[place, 1]
                if least >= at.high or least == most or most <= at.low:
                    value = most if most <= at.low else least
                    is_new = False
                    depth -= 1
                    continue
            out = moves[top : top + MAX_LEGAL]
            if at.beat == PASS:
                at.left = legal_leads(hands[at.seat], out)
            else:
                at.left = legal_follows(hands[at.seat], at.beat, out)
            at.first = top
            at.best = -BEYOND  # as the mover's side counts, and so are the limits
            at.floor = at.low if at.seat == 0 else -at.high
            at.ceiling = at.high if at.seat == 0 else -at.low
            at.limit = at.floor
            top += at.left
        else:  # the move was tried
            if at.move != PASS:
                hands[at.seat] += MOVE_CARDS[at.move]
            at.best = max(at.best, sign * value * at.factor)
            at.limit = max(at.limit, at.best)
        if at.left == 0 or at.limit >= at.ceiling:
            top = at.first
            value = sign * at.best
            _note(at, keys, bounds)
            is_new = False
            depth -= 1
            continue
        at.left -= 1  # many cards first; to pass comes last
        at.move = moves[at.first + at.left]
        at.factor = 2.0 if doubles and at.move >= FIRST_BOMB else 1.0
        is_new = True
        if at.move != PASS:
            hands[at.seat] -= MOVE_CARDS[at.move]
            if hands[at.seat] == 0:
                value, is_new = sign, False
                continue
        depth += 1
        below = levels[depth]
        below.seat = at.seat + 1 if at.seat < NUM_SEATS - 1 else 0
        if at.move != PASS:
            below.beat, below.passes = at.move, 0
        elif at.passes == NUM_SEATS - 2:
            below.beat, below.passes = PASS, 0
        else:
            below.beat, below.passes = at.beat, at.passes + 1
        below.low = (at.limit if at.seat == 0 else -at.ceiling) / at.factor
        below.high = (at.ceiling if at.seat == 0 else -at.limit) / at.factor
    return value


@compiled
def _note(at, keys, bounds):
    """Keep what a level has found: its worth, or a bound of it."""
    place = (at.key >> 20) & (TABLE_SIZE - 1)
    if keys[place] != at.key:
        keys[place] = at.key
        bounds[place, 0], bounds[place, 1] = -BEYOND, BEYOND
    if at.best < at.ceiling:  # nothing is better
        bounds[place, 1 if at.seat == 0 else 0] = at.best if at.seat == 0 else -at.best
    if at.best > at.floor:  # it can be had
        bounds[place, 0 if at.seat == 0 else 1] = at.best if at.seat == 0 else -at.best


@compiled
def solve_all(states, payoffs, first, last):
    """Write what each seat gets [K, 3], as `rules.payoff` has it, from states first..last-1."""
    keys = np.zeros(TABLE_SIZE, np.int64)
    bounds = np.empty((TABLE_SIZE, 2), np.float64)
    stack = new_stack()
    hands = np.empty(NUM_SEATS, np.int64)
    for k in range(first, last):
        state = states[k]
        for seat in range(NUM_SEATS):
            hands[seat] = state.hand[(state.landlord + seat) % NUM_SEATS]
        mover = (state.seat - state.landlord) % NUM_SEATS
        is_doubled = state.scoring == ADP
        stake = np.int64(state.stake) << np.int64(state.doublings)
        found = stake * worth(hands, mover, state.beat, state.passes, is_doubled, keys, bounds, stack)
        if is_doubled:
            found *= 2.0 * (1 << state.bombs)
        for seat in range(NUM_SEATS):
            payoffs[k, seat] = found if seat == state.landlord else -found
