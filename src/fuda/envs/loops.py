"""The compiled loops of the vector environment, bound to a game and an encoding before they are compiled.

B environments, K of them chosen by `index`, M legal actions in all, S seats.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.kernels import ALL_LEGAL, unbound
from fuda.core.state import OVER, PLAYING
from fuda.core.words import set_bits, unpack_runs

# Stand-ins for what a game or an encoding has, replaced when a loop is bound.
start = deal_from = legal = step = scores = side = payoff = hide = encode = encode_move = unbound
NUM_SEATS = NUM_ACTIONS = NUM_WORDS = NUM_PLACE_ROWS = NUM_PROGRESS = NUM_TOKENS = NUM_ATTRIBUTES = 0
ITEM = np.int64


def show(states, index, views, seats, starts, room, first, last):
    """Write the movers' views and seats of matches index[first..last-1]; their legal actions as one list.

    starts[k + 1] is how many view k has; `room` is for so many of each, at first.
    """
    moves = np.empty(NUM_ACTIONS, np.int64)  # room for all, whatever the game declares
    items = np.empty(room * (last - first), ITEM)
    used = 0
    for k in range(first, last):
        i = index[k]
        seats[k] = states[i].seat
        views[k] = states[i]
        hide(views[k], seats[k])
        count = legal(views[k], moves)
        if used + count > len(items):
            wider = np.empty(max(2 * len(items), used + count), ITEM)
            wider[:used] = items[:used]
            items = wider
        for m in range(count):
            items[used + m] = moves[m]
        used += count
        starts[k + 1] = count
    return items[:used]


@compiled
def first_illegal(ids, starts, actions, first, last):
    """The first k whose action is none of its legal ones, or ALL_LEGAL."""
    for k in range(first, last):
        found = False
        for m in range(starts[k], starts[k + 1]):
            if ids[m] == actions[k]:
                found = True
                break
        if not found:
            return k
    return ALL_LEGAL


def advance(
    states,
    index,
    actions,
    options,
    chance,
    next_chance,
    rewards,
    points,
    sides,
    deal_done,
    ended,
    first,
    last,
):
    """Play legal actions[k] in match index[k]; deal where a deal ended, and begin anew where a match did.

    deal_done [B] is told of matches, ended [K] of places in `index`.
    """
    worth = np.empty(NUM_SEATS, np.float64)
    for k in range(first, last):
        i = index[k]
        step(states[i], actions[k])
        if states[i].status == PLAYING:
            continue
        payoff(states[i], worth)
        deal_done[i] = True
        for seat in range(NUM_SEATS):
            rewards[i, seat] += worth[seat]
        if states[i].status == OVER:
            ended[k] = True
            scores(states[i], points[i])
            for seat in range(NUM_SEATS):
                sides[i, seat] = side(states[i], seat)
            chance[i] = next_chance[i]
            start(states[i], options, chance[i : i + 1])
        deal_from(states[i], chance[i : i + 1])


def write_words(views, seats, runs, out, first, last):
    """What the seats see as words, written out as numbers, out [B, C]."""
    words = np.empty(NUM_WORDS, np.int64)
    for k in range(first, last):
        encode(views[k], seats[k], words)
        unpack_runs(words, runs, out[k])


def write_move_words(views, ids, starts, runs, out, first, last):
    """What legal moves are as words, written out as numbers, out [M, D]."""
    words = np.empty(NUM_WORDS, np.int64)
    for k in range(first, last):
        for m in range(starts[k], starts[k + 1]):
            encode_move(views[k], ids[m], words)
            unpack_runs(words, runs, out[m])


def write_tokens(views, seats, scales, out, first, last):
    """Sets of tokens as ones and zeros, set by set, then progress divided by its scales, out [B, C]."""
    places, progress = np.empty(NUM_PLACE_ROWS, np.int64), np.empty(NUM_PROGRESS, np.int8)
    for k in range(first, last):
        encode(views[k], seats[k], places, progress)
        out[k] = 0
        column = 0
        for place in range(NUM_PLACE_ROWS):
            set_bits(places[place], out[k], column)
            column += NUM_TOKENS
        for number in range(NUM_PROGRESS):
            out[k, column + number] = progress[number] / scales[number]


def write_token_moves(views, seats, ids, starts, attributes, out, first, last):
    """The token of each legal move: its attributes, then the sets that it is in, out [M, D]."""
    places, progress = np.empty(NUM_PLACE_ROWS, np.int64), np.empty(NUM_PROGRESS, np.int8)
    for k in range(first, last):
        encode(views[k], seats[k], places, progress)
        for m in range(starts[k], starts[k + 1]):
            token = ids[m]
            for number in range(NUM_ATTRIBUTES):
                out[m, number] = attributes[token, number]
            for place in range(NUM_PLACE_ROWS):
                out[m, NUM_ATTRIBUTES + place] = places[place] >> token & 1
