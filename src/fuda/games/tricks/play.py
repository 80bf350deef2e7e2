"""Following suit and taking tricks: compiled functions over states that have the fields below.

There are no trumps: the highest card of the suit led takes a trick. All cards of a game's deck are dealt, as
many to each seat; the deck may leave cards of the French deck out, and then states have room to spare.
"""

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled
from fuda.core.state import NOBODY
from fuda.games.tricks.deals import NUM_OTHERS, fill_pools
from fuda.games.tricks.french import NUM_CARDS, of_suit, suit_of

NUM_SEATS = 4
MAX_TRICKS = NUM_CARDS // NUM_SEATS  # with the whole deck
NOTHING = -1  # no card

# Fields of a state: the wide ones come first (`core/state.py`).
CARD_SETS = [
    ("hand", np.int64, NUM_SEATS),  # sets of cards as bits; the other hands are 0 in a view
    ("pile", np.int64, NUM_SEATS),  # the cards taken
]
PLAYS = [
    ("plays", np.int8, NUM_CARDS),  # the cards in order of play; play 4 t + i is the i-th of trick t
    ("leaders", np.int8, MAX_TRICKS + 1),  # who leads trick t, and so took trick t - 1
    ("voids", np.int8, NUM_SEATS),  # suits that a seat did not follow, as bits
    ("num_plays", np.int8),
]


@compiled
def deal_hands(state, deck):
    """Deal a permutation of the cards, the first part of it to seat 0, and so on; nothing has been played."""
    num_each = len(deck) // NUM_SEATS
    for seat in range(NUM_SEATS):
        cards = np.int64(0)
        for index in range(num_each * seat, num_each * (seat + 1)):
            cards |= np.int64(1) << deck[index]
        state.hand[seat] = cards
    clear_table(state)


@compiled
def clear_table(state):
    """Nothing has been played yet; who leads the first trick stays."""
    for seat in range(NUM_SEATS):
        state.pile[seat] = 0
        state.voids[seat] = 0
    for index in range(NUM_CARDS):
        state.plays[index] = NOTHING
    for trick in range(1, MAX_TRICKS + 1):
        state.leaders[trick] = NOBODY
    state.num_plays = 0


@compiled
def playable(state):
    """The cards that the seat to move may play: of the suit led, if it has some."""
    cards = state.hand[state.seat]
    if state.num_plays & 3:
        following = of_suit(cards, lead_suit(state))
        if following:
            return following
    return cards


@compiled
def list_cards(cards, out):
    """Write a set of cards to `out` in rising order and return how many there are."""
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def play_card(state, card):
    """The seat to move plays a card. Who is to move then, `state.seat`, is left to the caller."""
    seat = state.seat
    state.hand[seat] ^= np.int64(1) << card
    if state.num_plays & 3:
        suit = lead_suit(state)
        if suit_of(card) != suit:
            state.voids[seat] |= 1 << suit
    state.plays[state.num_plays] = card
    state.num_plays += 1


@compiled
def take_trick(state):
    """Give the trick that is complete to the highest card of the suit led; the seat that leads the next."""
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
    return winner


@compiled
def hide_hands(state, seat):
    """Blank the hands of all seats but one."""
    for other in range(NUM_SEATS):
        if other != seat:
            state.hand[other] = 0


@compiled
def sort_unseen(view, seat, deck, pools, sizes):
    """What `deals.py` needs to know: the unseen cards by who may hold them, the other hands' sizes.

    `deck` is the set of all cards of the game.
    """
    num_each = popcount(deck) // NUM_SEATS
    voids = np.empty(NUM_OTHERS, np.int64)
    for other in range(NUM_OTHERS):
        voids[other] = view.voids[(seat + 1 + other) & 3]
        sizes[other] = hand_size(view, (seat + 1 + other) & 3, num_each)
    fill_pools(deck & ~(view.hand[seat] | taken(view) | on_table(view)), voids, pools)


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
def hand_size(state, seat, num_each):
    """How many of the `num_each` cards that it was dealt a seat holds; also known where the hand is not."""
    trick = state.num_plays >> 2
    has_played = ((seat - state.leaders[trick]) & 3) < (state.num_plays & 3)
    return num_each - trick - (1 if has_played else 0)
