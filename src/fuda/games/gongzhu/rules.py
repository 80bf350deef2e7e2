"""Gongzhu: the rules of RULES.md, compiled.

All functions work in place on one record of `STATE`. A view is a copy of a state with `hide`
applied: the same record, with the other three hands blanked.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype
from fuda.games.gongzhu.cards import pile_points
from fuda.games.tricks.deals import NUM_OTHERS, NUM_POOLS, draw_deal
from fuda.games.tricks.french import NUM_CARDS
from fuda.games.tricks.play import (
    CARD_SETS,
    HAND_SIZE,
    NUM_SEATS,
    PLAYS,
    deal_hands,
    hide_hands,
    list_cards,
    play_card,
    playable,
    sort_unseen,
    take_trick,
)
from fuda.games.tricks.play import count_cards as count_cards

# Actions: the card that is played.
NUM_ACTIONS = NUM_CARDS
MAX_LEGAL = HAND_SIZE

STATE = state_dtype([*CARD_SETS, *PLAYS, ("seat", np.int8), ("status", np.int8)])


@compiled
def start(state, options, rng):
    """A match before its deal; the option is the first leader."""
    state.leaders[0] = options[0]
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Deal a permutation of the cards: 13 to seat 0, 13 to seat 1, and so on. Never dealt again."""
    deal_hands(state, deck)
    state.seat = state.leaders[0]
    state.status = PLAYING
    return True


@compiled
def legal(state, out):
    """Write the legal actions to `out` in rising order and return how many there are (RULES 3.1, 3.2)."""
    return list_cards(playable(state), out) if state.status == PLAYING else 0


@compiled
def step(state, action):
    """Apply a legal action; the highest card of the suit led takes the trick and leads (RULES 3.3)."""
    play_card(state, action)
    if state.num_plays & 3:
        state.seat = (state.seat + 1) & 3
        return
    winner = take_trick(state)
    if state.num_plays == NUM_CARDS:
        state.seat = NOBODY
        state.status = OVER
    else:
        state.seat = winner


@compiled
def scores(state, out):
    """Points of each seat for what it has taken so far (RULES 4)."""
    for seat in range(NUM_SEATS):
        out[seat] = pile_points(state.pile[seat])


@compiled
def side(state, seat):
    """Which side a seat plays for: its team."""
    return seat & 1


@compiled
def payoff(state, out):
    """By how much each seat's team leads the other, in points."""
    first = pile_points(state.pile[0]) + pile_points(state.pile[2])
    lead = float(first - pile_points(state.pile[1]) - pile_points(state.pile[3]))
    for seat in range(NUM_SEATS):
        out[seat] = -lead if seat & 1 else lead


@compiled
def hide(state, seat):
    """Make a copy of a state into the seat's view: the other hands are blanked (RULES 5.1)."""
    hide_hands(state, seat)


@compiled
def redeal(view, seat, rng):
    """Make a copy of a seat's view into a state, uniform over all deals that agree with it (RULES 5.2)."""
    pools = np.empty(NUM_POOLS, np.int64)
    sizes = np.empty(NUM_OTHERS, np.int64)
    hands = np.empty(NUM_OTHERS, np.int64)
    sort_unseen(view, seat, pools, sizes)
    draw_deal(pools, sizes, rng, hands)
    for other in range(NUM_OTHERS):
        view.hand[(seat + 1 + other) & 3] = hands[other]
