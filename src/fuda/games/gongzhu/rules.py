"""Gongzhu: the rules of RULES.md, compiled.

All functions work in place on one record of `STATE`. A view is a copy of a state with `hide`
applied: the same record, with the other three hands blanked.
"""

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.generator import below_wide
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype
from fuda.games.gongzhu.cards import ALL_CARDS, NUM_CARDS, of_suit, pile_points, suit_of
from fuda.games.gongzhu.deals import (
    NUM_OTHERS,
    NUM_POOLS,
    count_deals,
    fill_pools,
    nth_deal,
)

NUM_SEATS = 4
HAND_SIZE = NUM_TRICKS = NUM_CARDS // NUM_SEATS

# Actions: the card that is played.
NUM_ACTIONS = NUM_CARDS
MAX_LEGAL = HAND_SIZE
NOTHING = -1  # no card

STATE = state_dtype(
    [
        ("hand", np.int64, NUM_SEATS),  # sets of cards as bits; the other hands are 0 in a view
        ("pile", np.int64, NUM_SEATS),  # the cards taken
        ("plays", np.int8, NUM_CARDS),  # the cards in order of play; play 4 t + i is the i-th of trick t
        ("leaders", np.int8, NUM_TRICKS + 1),  # who leads trick t, and so took trick t - 1
        ("voids", np.int8, NUM_SEATS),  # suits that a seat did not follow, as bits
        ("num_plays", np.int8),
        ("seat", np.int8),
        ("status", np.int8),
    ]
)


@compiled
def start(state, options, rng):
    """A match before its deal; the option is the first leader."""
    state.leaders[0] = options[0]
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Deal a permutation of the cards: 13 to seat 0, 13 to seat 1, and so on. Never dealt again."""
    for seat in range(NUM_SEATS):
        cards = np.int64(0)
        for index in range(HAND_SIZE * seat, HAND_SIZE * (seat + 1)):
            cards |= np.int64(1) << deck[index]
        state.hand[seat] = cards
        state.pile[seat] = 0
        state.voids[seat] = 0
    for index in range(NUM_CARDS):
        state.plays[index] = NOTHING
    for trick in range(1, NUM_TRICKS + 1):
        state.leaders[trick] = NOBODY
    state.num_plays = 0
    state.seat = state.leaders[0]
    state.status = PLAYING
    return True


@compiled
def legal(state, out):
    """Write the legal actions to `out` in rising order and return how many there are."""
    if state.status != PLAYING:
        return 0
    cards = playable(state)
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def playable(state):
    """The cards that the seat to move may play (RULES 3.1, 3.2)."""
    cards = state.hand[state.seat]
    if state.num_plays & 3:
        following = of_suit(cards, lead_suit(state))
        if following:
            return following
    return cards


@compiled
def step(state, action):
    """Apply a legal action."""
    seat = state.seat
    state.hand[seat] ^= np.int64(1) << action
    if state.num_plays & 3:
        suit = lead_suit(state)
        if suit_of(action) != suit:
            state.voids[seat] |= 1 << suit
    state.plays[state.num_plays] = action
    state.num_plays += 1
    if state.num_plays & 3:
        state.seat = (seat + 1) & 3
    else:
        _end_trick(state)


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
    for other in range(NUM_SEATS):
        if other != seat:
            state.hand[other] = 0


@compiled
def redeal(view, seat, rng):
    """Make a copy of a seat's view into a state, uniform over all deals that agree with it (RULES 5.2)."""
    pools = np.empty(NUM_POOLS, np.int64)
    sizes = np.empty(NUM_OTHERS, np.int64)
    hands = np.empty(NUM_OTHERS, np.int64)
    sort_unseen(view, seat, pools, sizes)
    nth_deal(pools, sizes, below_wide(rng, count_deals(pools, sizes)), hands)
    for other in range(NUM_OTHERS):
        view.hand[(seat + 1 + other) & 3] = hands[other]


@compiled
def sort_unseen(view, seat, pools, sizes):
    """What `deals.py` needs to know: the unseen cards by who may hold them, the other hands' sizes."""
    voids = np.empty(NUM_OTHERS, np.int64)
    for other in range(NUM_OTHERS):
        voids[other] = view.voids[(seat + 1 + other) & 3]
        sizes[other] = hand_size(view, (seat + 1 + other) & 3)
    fill_pools(ALL_CARDS & ~(view.hand[seat] | taken(view) | on_table(view)), voids, pools)


@compiled
def count_cards(state, out):
    """Add to `out` [NUM_CARDS] how often each card lies anywhere."""
    for seat in range(NUM_SEATS):
        for zone in (state.hand[seat], state.pile[seat]):
            while zone:
                out[lowest(zone)] += 1
                zone &= zone - 1
    for index in range(first_of_trick(state), state.num_plays):
        out[state.plays[index]] += 1


@compiled
def first_of_trick(state):
    """The number of the play that led the trick on the table (of the next play if there is none)."""
    return state.num_plays & ~3


@compiled
def lead_suit(state):
    """The suit that was led, while a trick is on the table."""
    return suit_of(state.plays[first_of_trick(state)])


@compiled
def seat_of_play(state, index):
    """Who made play number `index`."""
    return (state.leaders[index >> 2] + index) & 3  # a trick's first play has a multiple of 4


@compiled
def on_table(state):
    """The cards of the unfinished trick, as a set."""
    cards = np.int64(0)
    for index in range(first_of_trick(state), state.num_plays):
        cards |= np.int64(1) << state.plays[index]
    return cards


@compiled
def taken(state):
    """The cards of all finished tricks."""
    return state.pile[0] | state.pile[1] | state.pile[2] | state.pile[3]


@compiled
def hand_size(state, seat):
    """How many cards a seat holds; also known where the hand is not."""
    trick = state.num_plays >> 2
    if trick == NUM_TRICKS:
        return 0
    has_played = ((seat - state.leaders[trick]) & 3) < (state.num_plays & 3)
    return HAND_SIZE - trick - (1 if has_played else 0)


@compiled
def _end_trick(state):
    """The highest card of the suit led takes the trick and leads the next (RULES 3.3)."""
    first = state.num_plays - NUM_SEATS
    best = state.plays[first]
    suit = suit_of(best)
    winner = 0
    cards = np.int64(0)
    for index in range(NUM_SEATS):
        card = state.plays[first + index]
        cards |= np.int64(1) << card
        if card > best and suit_of(card) == suit:
            best = card
            winner = index
    winner = (state.leaders[first >> 2] + winner) & 3
    state.pile[winner] |= cards
    state.leaders[state.num_plays >> 2] = winner
    if state.num_plays == NUM_CARDS:
        state.seat = NOBODY
        state.status = OVER
    else:
        state.seat = winner
