"""Showing the pig, the sheep, the transformer and the ace of hearts before play: RULES.md, section 8."""

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.state import NOBODY
from fuda.games.tricks.deals import NUM_POOLS, fix_holder
from fuda.games.tricks.french import ALL_CARDS, NUM_CARDS, card_ids, of_suit, suit_of
from fuda.games.tricks.play import NUM_SEATS, first_of_trick, lead_suit, playable, sort_unseen

SHOWABLE = card_ids("SQ HA DJ C10")
NUM_SHOWABLE = len(SHOWABLE)
PIG_PLACE, SHEEP_PLACE = 0, 2

# Actions beyond the cards: SHOW + place shows card SHOWABLE[place]; NO_SHOW ends the seat's showing.
SHOW = NUM_CARDS
NO_SHOW = SHOW + NUM_SHOWABLE

# Fields of a state. Where cards are not shown the others mean nothing.
FIELDS = [
    ("showing", np.int8),  # the option
    ("num_ready", np.int8),  # seats that have shown what they want to
    ("shown_by", np.int8, NUM_SHOWABLE),  # who showed the card, NOBODY if it was not shown
]


@compiled
def is_showing(state):
    """Whether cards may still be shown: nothing has been played (RULES 8.1)."""
    return state.showing != 0 and state.num_ready < NUM_SEATS


@compiled
def begin_showing(state):
    """After a deal: nobody has shown a card; without the option all seats are ready to play."""
    state.num_ready = 0 if state.showing else NUM_SEATS
    for place in range(NUM_SHOWABLE):
        state.shown_by[place] = NOBODY


@compiled
def list_shows(state, out):
    """Write what the seat to move may do before play to `out`; how many actions that are."""
    count = 0
    for place in range(NUM_SHOWABLE):
        if state.hand[state.seat] >> SHOWABLE[place] & 1 and state.shown_by[place] == NOBODY:
            out[count] = SHOW + place
            count += 1
    out[count] = NO_SHOW
    return count + 1


@compiled
def show(state, action):
    """Show a card, or leave it to the next seat; after all seats the first leader leads (RULES 8.1)."""
    if action == NO_SHOW:
        state.num_ready += 1
        state.seat = (state.seat + 1) & 3
    else:
        state.shown_by[action - SHOW] = state.seat


@compiled
def shown_cards(state):
    """The cards that were shown, as a set."""
    cards = np.int64(0)
    if state.showing:
        for place in range(NUM_SHOWABLE):
            if state.shown_by[place] != NOBODY:
                cards |= np.int64(1) << SHOWABLE[place]
    return cards


@compiled
def was_led(state, suit):
    """Whether a finished trick was led in the suit."""
    for first in range(0, first_of_trick(state), NUM_SEATS):  # noqa: SIM110 - Numba compiles no generators
        if suit_of(state.plays[first]) == suit:
            return True
    return False


@compiled
def held_back_of(state, hand):
    """The shown cards in `hand` whose suit was not led yet and that are not its only ones of it."""
    cards, held = shown_cards(state) & hand, np.int64(0)
    while cards:
        suit = suit_of(lowest(cards))
        card = cards & -cards
        if of_suit(hand, suit) != card and not was_led(state, suit):
            held |= card
        cards ^= card
    return held


@compiled
def held_back(state, hands):
    """The same of all `hands` [S]."""
    cards = np.int64(0)
    for seat in range(NUM_SEATS):
        cards |= held_back_of(state, hands[seat])
    return cards


@compiled
def barred(state, seat):
    """The cards that the seat to move may not play the first time that their suit is led (RULES 8.4)."""
    cards = held_back_of(state, state.hand[seat])
    return of_suit(cards, lead_suit(state)) if state.num_plays & 3 else cards


@compiled
def cards_to_play(state):
    """The cards that the seat to move may play (RULES 3.1, 3.2, 8.4)."""
    return playable(state) & ~barred(state, state.seat)


@compiled
def sort_hidden(view, seat, pools, sizes):
    """The unseen cards by who may hold them, for `tricks/deals.py`; of shown cards that is known."""
    sort_unseen(view, seat, ALL_CARDS, pools, sizes)
    if view.showing:
        unseen = np.int64(0)
        for pool in range(NUM_POOLS):
            unseen |= pools[pool]
        for place in range(NUM_SHOWABLE):
            card = np.int64(1) << SHOWABLE[place]
            if view.shown_by[place] != NOBODY and unseen & card:
                fix_holder(pools, card, (view.shown_by[place] - seat - 1) & 3)
