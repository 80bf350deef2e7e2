"""The rules of RULES.md, compiled. Sets of cards are bits; card = rank * 4 + suit: a higher number wins."""

import itertools

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled
from fuda.core.generator import shuffle
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype

NUM_SEATS = 4
NUM_CARDS = 48
HAND_SIZE = NUM_CARDS // NUM_SEATS
GIFT_SIZE = 3
GREEDY_TRICKS, GREEDY_POINTS = 4, -3
MAX_DEALS = 4

# Actions: the cards one by one, then the gifts in the order of their sets as numbers.
GIFTS = np.array(
    sorted(sum(1 << card for card in cards) for cards in itertools.combinations(range(NUM_CARDS), GIFT_SIZE)),
    np.int64,
)
FIRST_GIFT = NUM_CARDS
NUM_ACTIONS = FIRST_GIFT + len(GIFTS)
MAX_LEGAL = 220  # gifts of three out of twelve

STATE = state_dtype(
    [
        ("hand", np.int64, NUM_SEATS),
        ("gift", np.int64, NUM_SEATS),  # by giver; 0 where it is not known, or not given yet
        ("played", np.int64, NUM_SEATS),
        ("points", np.int32, NUM_SEATS),  # of the deals that have ended
        ("table", np.int8, NUM_SEATS),  # the trick in order of play
        ("tricks", np.int8, NUM_SEATS),
        ("num_gifts", np.int8),
        ("on_table", np.int8),
        ("leader", np.int8),  # of the trick
        ("first", np.int8),  # the leader of the deal
        ("deal_number", np.int8),
        ("deals", np.int8),
        ("seat", np.int8),
        ("status", np.int8),
    ]
)


@compiled
def start(state, options, rng):
    """A match before its first deal; the option is how many there are."""
    state.deals = options[0]
    state.deal_number = 0
    state.first = NUM_SEATS - 1
    for seat in range(NUM_SEATS):
        state.points[seat] = 0
        state.tricks[seat] = 0
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Twelve cards each (1.2); the lead moves on (4.2)."""
    points = np.empty(NUM_SEATS, np.float64)
    payoff(state, points)
    for seat in range(NUM_SEATS):
        state.points[seat] += int(points[seat])
        cards = np.int64(0)
        for index in range(HAND_SIZE * seat, HAND_SIZE * (seat + 1)):
            cards |= np.int64(1) << deck[index]
        state.hand[seat] = cards
        state.gift[seat] = 0
        state.played[seat] = 0
        state.tricks[seat] = 0
        state.table[seat] = 0
    state.num_gifts = 0
    state.on_table = 0
    state.deal_number += 1
    state.first = left_of(state.first)
    state.leader = state.first
    state.seat = state.first
    state.status = PLAYING
    return True


@compiled
def legal(state, out):
    """Gifts of three cards (2.1), then any card (3.1)."""
    if state.status != PLAYING:
        return 0
    cards = state.hand[state.seat]
    count = 0
    if state.num_gifts == NUM_SEATS:
        while cards:
            out[count] = lowest(cards)
            cards &= cards - 1
            count += 1
        return count
    # The highest card is the outermost, so that the sets rise as numbers.
    high = cards
    while high:
        middle = cards & ((high & -high) - 1)
        while middle:
            low = cards & ((middle & -middle) - 1)
            while low:
                gift = (high & -high) | (middle & -middle) | (low & -low)
                out[count] = FIRST_GIFT + np.searchsorted(GIFTS, gift)
                low &= low - 1
                count += 1
            middle &= middle - 1
        high &= high - 1
    return count


@compiled
def step(state, action):
    """Apply a legal action."""
    seat = state.seat
    if action >= FIRST_GIFT:
        state.gift[seat] = GIFTS[action - FIRST_GIFT]
        state.hand[seat] &= ~state.gift[seat]
        state.num_gifts += 1
        state.seat = left_of(seat)
        if state.num_gifts == NUM_SEATS:
            for giver in range(NUM_SEATS):
                state.hand[left_of(giver)] |= state.gift[giver]
        return
    state.hand[seat] ^= np.int64(1) << action
    state.played[seat] |= np.int64(1) << action
    state.table[state.on_table] = action
    state.on_table += 1
    state.seat = left_of(seat)
    if state.on_table == NUM_SEATS:
        _end_trick(state)


@compiled
def _end_trick(state):
    best = 0
    for index in range(1, NUM_SEATS):
        if state.table[index] > state.table[best]:
            best = index
    winner = (state.leader + best) % NUM_SEATS
    state.tricks[winner] += 1
    state.leader = winner
    state.on_table = 0
    state.seat = winner
    if state.tricks[winner] == GREEDY_TRICKS or state.hand[winner] == 0:  # 3.2
        state.seat = NOBODY
        state.status = OVER if state.deal_number == state.deals else AWAITING_DEAL


@compiled
def payoff(state, out):
    """The points of the deal that is played, or that just ended (4.1)."""
    for seat in range(NUM_SEATS):
        greedy = state.tricks[seat] == GREEDY_TRICKS
        out[seat] = GREEDY_POINTS if greedy else state.tricks[seat]


@compiled
def scores(state, out):
    """The points of all deals."""
    points = np.empty(NUM_SEATS, np.float64)
    payoff(state, points)
    for seat in range(NUM_SEATS):
        out[seat] = state.points[seat] + int(points[seat])


@compiled
def side(state, seat):
    """Everybody plays alone."""
    return seat


@compiled
def sees_move(state, seat, mover, number):
    """Whether a seat knows move `number` of the deal (2.3)."""
    if number >= NUM_SEATS or state.status != PLAYING:
        return True
    return seat == mover or (state.num_gifts == NUM_SEATS and seat == left_of(mover))


@compiled
def hide(state, seat):
    """Other hands, and the gifts that the seat does not know."""
    over = state.status != PLAYING
    taken_up = state.num_gifts == NUM_SEATS
    for other in range(NUM_SEATS):
        if other != seat:
            state.hand[other] = 0
            if not over and not (taken_up and seat == left_of(other)):
                state.gift[other] = 0


@compiled
def redeal(view, seat, rng):
    """Uniform over all deals and gifts that agree with the view."""
    known = view.hand[seat]
    for other in range(NUM_SEATS):
        known |= view.played[other]
    own_gift = view.gift[seat] & ~known  # not played by its receiver yet, or still aside
    cards = np.empty(NUM_CARDS, np.int64)
    unseen = ((np.int64(1) << NUM_CARDS) - 1) & ~known & ~own_gift
    count = _list(unseen, cards)
    shuffle(rng, cards, count)
    taken_up = view.num_gifts == NUM_SEATS
    at = 0
    for other in range(NUM_SEATS):
        if other == seat:
            continue
        wanted = hand_size(view, other)
        if taken_up and other == left_of(seat):
            view.hand[other] = own_gift
            wanted -= popcount(own_gift)
        for _ in range(wanted):
            view.hand[other] |= np.int64(1) << cards[at]
            at += 1
        if has_given(view, other) and not taken_up:
            for _ in range(GIFT_SIZE):
                view.gift[other] |= np.int64(1) << cards[at]
                at += 1
    if taken_up and view.status == PLAYING:
        # Any three of the cards that a receiver has, or had, can be the gift.
        for giver in range(NUM_SEATS):
            receiver = left_of(giver)
            if giver == seat or receiver == seat:
                continue
            count = _list(view.hand[receiver] | view.played[receiver], cards)
            shuffle(rng, cards, count)
            for index in range(GIFT_SIZE):
                view.gift[giver] |= np.int64(1) << cards[index]


@compiled
def _list(cards, out):
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def count_cards(state, out):
    """Add to `out` [NUM_CARDS] how often each card lies anywhere."""
    for seat in range(NUM_SEATS):
        zone = state.hand[seat] | state.played[seat]
        if state.num_gifts < NUM_SEATS:
            zone |= state.gift[seat]
        while zone:
            out[lowest(zone)] += 1
            zone &= zone - 1


@compiled
def left_of(seat):
    """The seat that moves after this one."""
    return (seat + 1) % NUM_SEATS


@compiled
def has_given(state, seat):
    """Whether a seat has made its gift in this deal."""
    return (seat - state.first) % NUM_SEATS < state.num_gifts


@compiled
def hand_size(state, seat):
    """How many cards a seat holds; also known where the hand is not."""
    if state.num_gifts < NUM_SEATS:
        return HAND_SIZE - (GIFT_SIZE if has_given(state, seat) else 0)
    return HAND_SIZE - popcount(state.played[seat])
