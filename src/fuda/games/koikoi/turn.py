"""What can become of the turn that is played: every move of the player and every card that may be drawn.

A tree of positions in one array, in order of depth: its root is a view, a node's children lie together.
Leaves are the ends of the turn, where the other player is to move, and the ends of the round.
"""

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.state import PLAYING
from fuda.games.koikoi.cards import ALL_CARDS, NUM_CARDS
from fuda.games.koikoi.rules import DISCARD, MAX_LEGAL, NOTHING, PICK_FOR_DISCARD, STOP, legal, matches, step

# A discard with two picks, a draw of any unseen card with two picks, koi-koi or stop: at most.
MAX_UNSEEN = NUM_CARDS - 16
MAX_NODES = 1 + 8 * (1 + 2 * (1 + MAX_UNSEEN * (1 + 2 * (1 + 2))))

# Kinds of nodes: my choice, a draw, the end of my turn, the end of the round.
CHOICE, DRAW, WAITING, ENDED = range(4)

WAIT_ACTION = STOP  # the token that tells what a position is worth to the player who waits


@compiled
def grow(view, seat, wanted, states, kinds, parents, gains):
    """Write the tree of a view in which the seat is to move; returns the number of nodes.

    At its root only those legal moves grow that are `wanted`. `gains` are the seat's points where the round
    has ended.
    """
    moves = np.empty(MAX_LEGAL, np.int64)
    unseen = ALL_CARDS & ~(view.hand[seat] | view.field | view.pile[0] | view.pile[1])
    if view.shown != NOTHING:
        unseen &= ~(np.int64(1) << view.shown)
    states[0] = view
    kinds[0], parents[0], count, node = CHOICE, -1, 1, 0
    while node < count:
        state = states[node]
        if kinds[node] == DRAW:  # the state before the move that draws, whose action is kept in `gains`
            action = gains[node]
            cards = unseen
            while cards:
                states[count] = state
                states[count].stock[state.drawn] = lowest(cards)
                cards &= cards - 1
                step(states[count], action)
                kinds[count], parents[count] = _kind(states[count], seat), node
                count += 1
        elif kinds[node] == CHOICE:
            for m in range(legal(state, moves)):
                if node == 0 and not wanted[m]:
                    continue
                states[count] = state
                parents[count] = node
                if _draws(state, moves[m]):
                    kinds[count] = DRAW
                    gains[count] = moves[m]
                else:
                    step(states[count], moves[m])
                    kinds[count] = _kind(states[count], seat)
                count += 1
        elif kinds[node] == ENDED:
            won = state.round_points[state.round_index]
            gains[node] = won if seat == 0 else -won
        node += 1
    return count


@compiled
def grow_all(views, seats, wanted, starts, states, kinds, parents, gains, counts, first, last):
    """The trees of many views, each in its row, with their numbers of nodes.

    `wanted` are lists of the views' legal moves, from `starts` on.
    """
    for k in range(first, last):
        mine = wanted[starts[k] : starts[k + 1]]
        counts[k] = grow(views[k], seats[k], mine, states[k], kinds[k], parents[k], gains[k])


@compiled
def _kind(state, seat):
    if state.status != PLAYING:
        return ENDED
    return CHOICE if state.seat == seat else WAITING


@compiled
def _draws(state, action):
    """Whether a card is drawn after the action, before anything else is decided."""
    if state.phase == DISCARD:
        found = matches(state, action)
        one = found & -found
        two = found ^ one
        return two == 0 or two & (two - 1) != 0  # not exactly two matches
    return state.phase == PICK_FOR_DISCARD


@compiled
def back_up(kinds, parents, values, count):
    """From the values of the leaves those of all nodes: the best of a choice, the mean of a draw."""
    children = np.zeros(count, np.int64)
    for node in range(count):
        if kinds[node] == CHOICE:
            values[node] = -np.inf
        elif kinds[node] == DRAW:
            values[node] = 0.0
    for node in range(count - 1, 0, -1):
        if kinds[node] == DRAW:
            values[node] /= children[node]
        parent = parents[node]
        children[parent] += 1
        if kinds[parent] == DRAW:
            values[parent] += values[node]
        else:
            values[parent] = max(values[parent], values[node])


@compiled
def back_up_all(kinds, parents, values, counts, first, last):
    """The same for the trees in all rows."""
    for k in range(first, last):
        back_up(kinds[k], parents[k], values[k], counts[k])


@compiled
def turn_begins(state):
    """Whether the mover is about to discard: the other player's turn has just ended, or the deal."""
    return state.phase == DISCARD


@compiled
def waiting_seat(state):
    """The seat that is not to move."""
    return 1 - state.seat
