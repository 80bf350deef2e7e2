"""Dou Dizhu: the rules of RULES.md, compiled.

All functions work in place on one record of `STATE`. A view is a copy of a state with `hide`
applied: the same record, with the cards that a seat has not seen blanked.
Cards are packed as in `moves.py`: four bits for the number of cards of each rank.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.generator import below_wide, shuffle
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype
from fuda.games.doudizhu.moves import (
    FIRST_BOMB,
    FULL_DECK,
    MOVE_CARDS,
    MOVE_SIZE,
    NUM_MOVES,
    NUM_RANKS,
    PASS,
    count_of,
    legal_follows,
    legal_leads,
)

NUM_SEATS = 3
NUM_CARDS = 54
HAND_SIZE, BOTTOM_SIZE = 17, 3
MAX_BID = 3
MAX_DEALS = 100  # RULES 2.5
# At most 52 plays have cards (the winner's all, of the others all but one), and each of them but
# the last is followed by at most two passes.
MAX_PLAYS = 3 * 51 + 1

# Actions: the moves, then the bids, then the other decisions before play.
BID = NUM_MOVES  # BID + n bids n
NO_CALL, CALL, NO_ROB, ROB, NO_SHOW, SHOW = range(BID + MAX_BID + 1, BID + MAX_BID + 7)
NUM_ACTIONS = SHOW + 1
MAX_CLAIMS, MAX_SHOWS = NUM_SEATS + 1, 1  # decisions before play: calling and robbing, or bids; showing

WP, ADP = range(2)  # the option `score`
ROBBING = 2  # of the option `bidding`
NO_BID = -1
CALLED, ROBBED, ROBBED_BACK = 1, 2, 3  # what `bids` has with robbing; 0 for who declined
UNDECIDED, KEPT, SHOWN = range(3)  # the landlord's hand, where it may be shown

STATE = state_dtype(
    [
        ("hand", np.int64, NUM_SEATS),  # packed; the other hands are 0 in a view
        ("played", np.int64, NUM_SEATS),  # packed
        ("bottom", np.int64),  # packed, as dealt; 0 in a view while there is no landlord
        ("plays", np.int16, MAX_PLAYS),  # moves of this deal in order, passes too; PASS beyond
        ("num_plays", np.int16),
        ("beat", np.int16),  # the move to beat; PASS when the mover leads
        ("beat_seat", np.int8),  # whose it is, else NOBODY
        ("passes", np.int8),  # passes since then
        ("bombs", np.int8),  # bombs and rockets so far
        ("landlord", np.int8),  # NOBODY while bidding
        ("bids", np.int8, NUM_SEATS),  # NO_BID until the seat has bid
        ("stake", np.int8),  # highest bid so far; 1 without bidding
        ("sizes", np.int8, NUM_SEATS),  # cards in each hand
        ("num_deals", np.int8),
        ("bidding", np.int8),  # the options
        ("scoring", np.int8),
        ("spring", np.int8),
        ("showing", np.int8),
        ("shown", np.int8),  # UNDECIDED, KEPT or SHOWN
        ("doublings", np.int8),  # by robbing and by showing
        ("seat", np.int8),
        ("status", np.int8),
    ]
)

BINOMIAL = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]])


@compiled
def start(state, options, _rng):
    """A match before its first deal; `options` are the codes of `bidding`, `score`, `spring`, `showing`."""
    state.bidding = options[0]
    state.scoring = options[1]
    state.spring = options[2]
    state.showing = options[3]
    state.num_deals = 0
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Deal from a permutation of the cards: 17 to each seat, then the bottom. Never refused."""
    for seat in range(NUM_SEATS):
        state.hand[seat] = _cards_of(deck, seat * HAND_SIZE, HAND_SIZE)
        state.played[seat] = 0
        state.bids[seat] = NO_BID
        state.sizes[seat] = HAND_SIZE
    state.bottom = _cards_of(deck, NUM_SEATS * HAND_SIZE, BOTTOM_SIZE)
    for index in range(MAX_PLAYS):
        state.plays[index] = PASS
    state.num_plays = 0
    state.beat = PASS
    state.beat_seat = NOBODY
    state.passes = 0
    state.bombs = 0
    state.landlord = NOBODY
    state.stake = 0
    state.shown = UNDECIDED
    state.doublings = 0
    state.num_deals += 1
    state.seat = 0
    state.status = PLAYING
    if not state.bidding:  # RULES 2.2
        state.stake = 1
        _make_landlord(state, 0)
    return True


@compiled
def is_bidding(state):
    """Whether the play has not begun: the landlord is still to be found (RULES 2.3, 9), or may show (10)."""
    return state.landlord == NOBODY or may_show(state)


@compiled
def is_ruled(state):
    """Whether what is due before play is no bid in points: the only one that networks make."""
    return state.bidding == ROBBING or state.landlord != NOBODY


@compiled
def may_show(state):
    """Whether the landlord is to say whether it shows its hand (RULES 10.1)."""
    return state.showing != 0 and state.landlord != NOBODY and state.shown == UNDECIDED


@compiled
def legal(state, out):
    """Write the legal actions to `out` in rising order and return how many there are."""
    if state.status != PLAYING:
        return 0
    if state.landlord == NOBODY:
        if state.bidding == ROBBING:
            out[0] = NO_ROB if state.stake else NO_CALL
            out[1] = ROB if state.stake else CALL
            return 2
        out[0] = BID
        count = 1
        for bid in range(state.stake + 1, MAX_BID + 1):  # RULES 2.3
            out[count] = BID + bid
            count += 1
        return count
    if may_show(state):
        out[0], out[1] = NO_SHOW, SHOW
        return 2
    hand = state.hand[state.seat]
    if state.beat == PASS:
        return legal_leads(hand, out)
    return legal_follows(hand, np.int64(state.beat), out)


@compiled
def step(state, action):
    """Apply a legal action."""
    seat = state.seat
    if action >= BID:
        if action >= NO_SHOW:
            state.shown = SHOWN if action == SHOW else KEPT
            state.doublings += action - NO_SHOW
        elif action >= NO_CALL:
            _claim(state, action)
        else:
            _bid(state, action - BID)
        return
    state.plays[state.num_plays] = action
    state.num_plays += 1
    if action == PASS:
        state.passes += 1
        if state.passes == NUM_SEATS - 1:  # RULES 4.5
            state.passes = 0
            state.beat = PASS
            state.beat_seat = NOBODY
    else:
        cards = MOVE_CARDS[action]
        state.hand[seat] -= cards
        state.played[seat] += cards
        state.sizes[seat] -= MOVE_SIZE[action]
        state.passes = 0
        state.beat = action
        state.beat_seat = seat
        if action >= FIRST_BOMB:
            state.bombs += 1
        if state.sizes[seat] == 0:  # RULES 5.1
            state.seat = NOBODY
            state.status = OVER
            return
    state.seat = next_seat(seat)


@compiled
def scores(state, out):
    """Points of the three seats (RULES 5.2 to 5.4, 9 to 11); 0 before the end."""
    for seat in range(NUM_SEATS):
        out[seat] = 0
    if state.status != OVER or state.landlord == NOBODY:
        return
    landlord = np.int64(state.landlord)
    stake = np.int64(state.stake) << np.int64(state.doublings)
    if state.scoring == ADP:
        stake <<= np.int64(state.bombs)
    if state.spring and is_spring(state):
        stake *= 2
    if state.sizes[landlord] != 0:
        stake = -stake
    for seat in range(NUM_SEATS):
        out[seat] = -stake
    out[landlord] = 2 * stake if state.scoring == ADP else stake


@compiled
def is_spring(state):
    """Whether a finished deal was a spring, or the peasants' answer to it (RULES 11)."""
    landlord = state.landlord
    if state.sizes[landlord] == 0:
        return state.played[0] + state.played[1] + state.played[2] == state.played[landlord]
    return state.played[landlord] == MOVE_CARDS[state.plays[0]]


@compiled
def side(state, seat):
    """Which side a seat plays for: 0 the landlord's, 1 the peasants'.

    While bidding there are no sides yet: all seats count as peasants, and a search over bids
    means nothing.
    """
    return 0 if seat == state.landlord else 1


@compiled
def payoff(state, out):
    """The landlord's points at the end; a peasant's are counted for both peasants together."""
    points = np.empty(NUM_SEATS, np.int64)
    scores(state, points)
    won = float(points[state.landlord]) if state.landlord != NOBODY else 0.0
    for seat in range(NUM_SEATS):
        out[seat] = won if seat == state.landlord else -won


@compiled
def hide(state, seat):
    """Make a copy of a state into the seat's view: other hands, and the bottom until it is shown."""
    for other in range(NUM_SEATS):
        if other != seat and not (state.shown == SHOWN and other == state.landlord):
            state.hand[other] = 0
    if state.landlord == NOBODY:
        state.bottom = 0


@compiled
def redeal(view, seat, rng):
    """Make a copy of a seat's view into a state, uniform over all deals that agree with it.

    A deal is one of the 54 physical cards, suits and all: players see and choose ranks only, so
    every physical deal whose ranks fit the view is equally likely, whatever they play with.
    """
    first, second = next_seat(seat), next_seat(next_seat(seat))
    unseen = FULL_DECK - view.hand[seat] - view.played[0] - view.played[1] - view.played[2]
    if view.landlord == NOBODY:
        cards = np.empty(NUM_CARDS, np.int8)
        shuffle(rng, cards, _list_cards(unseen, cards))
        view.hand[first] = _cards_of(cards, 0, HAND_SIZE)
        view.hand[second] = _cards_of(cards, HAND_SIZE, HAND_SIZE)
        view.bottom = _cards_of(cards, 2 * HAND_SIZE, BOTTOM_SIZE)
    elif view.shown == SHOWN and seat != view.landlord:  # so nothing is hidden (RULES 10.2)
        other = second if first == view.landlord else first
        view.hand[other] = unseen - view.hand[view.landlord]
    else:
        view.hand[first] = _draw_hand(view, first, second, unseen, rng)
        view.hand[second] = unseen - view.hand[first]


@compiled
def count_cards(state, out):
    """Add to `out` [NUM_RANKS] how many cards of each rank lie anywhere."""
    for rank in range(NUM_RANKS):
        for seat in range(NUM_SEATS):
            out[rank] += count_of(state.hand[seat], rank) + count_of(state.played[seat], rank)
        if state.landlord == NOBODY:  # else they are in the landlord's hand
            out[rank] += count_of(state.bottom, rank)


@compiled
def next_seat(seat):
    """The seat that moves after this one."""
    return seat + 1 if seat < NUM_SEATS - 1 else seat - (NUM_SEATS - 1)


@compiled
def is_peasants_partner(state, seat, other):
    """Whether two different seats play against the landlord together."""
    return seat != other and seat != state.landlord and other != state.landlord


@compiled
def _cards_of(deck, first, count):
    cards = np.int64(0)
    for index in range(first, first + count):
        cards += np.int64(1) << (4 * np.int64(deck[index]))
    return cards


@compiled
def _list_cards(packed, out):
    """Write each card's rank to `out`; returns how many there are."""
    count = 0
    for rank in range(NUM_RANKS):
        for _ in range(count_of(packed, rank)):
            out[count] = rank
            count += 1
    return count


@compiled
def _bid(state, bid):
    """RULES 2.3 to 2.5."""
    seat = state.seat
    state.bids[seat] = bid
    if bid > state.stake:
        state.stake = bid
    if bid < MAX_BID and seat < NUM_SEATS - 1:
        state.seat = next_seat(seat)
    elif state.stake > 0:
        for bidder in range(NUM_SEATS):
            if state.bids[bidder] == state.stake:
                _make_landlord(state, bidder)
                return
    else:
        _nobody_wants(state)


@compiled
def _claim(state, action):
    """Calling and robbing (RULES 9)."""
    seat = state.seat
    has_last_word = state.bids[seat] == CALLED
    if action == CALL:
        state.bids[seat] = CALLED
        state.stake = 1
    elif action == ROB:
        state.bids[seat] = ROBBED_BACK if has_last_word else ROBBED
        state.doublings += 1
    elif not has_last_word:
        state.bids[seat] = 0
    if not has_last_word and seat < NUM_SEATS - 1:
        state.seat = next_seat(seat)
    elif state.stake == 0:
        _nobody_wants(state)
    elif not has_last_word and state.doublings:
        for caller in range(NUM_SEATS):
            if state.bids[caller] == CALLED:
                state.seat = caller
    else:
        # Who claimed it last: the caller's own second claim counts most, of two robbers the later one.
        claimer = 0
        for other in range(NUM_SEATS):
            if state.bids[other] >= max(state.bids[claimer], 1):
                claimer = other
        _make_landlord(state, claimer)


@compiled
def _nobody_wants(state):
    """RULES 2.5."""
    state.seat = NOBODY
    state.status = OVER if state.num_deals == MAX_DEALS else AWAITING_DEAL


@compiled
def _make_landlord(state, seat):
    state.landlord = seat
    state.hand[seat] += state.bottom
    state.sizes[seat] += BOTTOM_SIZE
    state.seat = seat


@compiled
def _draw_hand(view, first, second, unseen, rng):
    """What `first` holds of the unseen cards, if `second` holds the others.

    Say a rank has T cards that are neither in the viewer's hand nor played by the viewer, of
    which `first` had a, played and held together, and `second` T - a. In physical cards that is
    C(T, a) ways, times C(a, b) ways to pick the b bottom cards of the rank from all that the
    landlord had, played or not (C(T - a, b) if `second` is the landlord). So bottom cards that
    were not played yet are always in the landlord's hand: otherwise there is no way.
    `ways[rank][n]` counts the deals of n cards from this rank upwards to `first`. One random
    number below their total, at most C(37, 17) C(20, 3) < 2^45, picks one of them.
    """
    size = np.int64(view.sizes[first])
    weight = np.zeros((NUM_RANKS, 5), np.int64)
    ways = np.zeros((NUM_RANKS + 1, size + 1), np.int64)
    ways[NUM_RANKS, 0] = 1
    for rank in range(NUM_RANKS - 1, -1, -1):
        free = count_of(unseen, rank)
        played = count_of(view.played[first], rank)
        total = played + count_of(view.played[second], rank) + free
        bottom = count_of(view.bottom, rank)
        for held in range(free + 1):
            had = played + held
            weight[rank, held] = BINOMIAL[total, had]
            if view.landlord == first:
                weight[rank, held] *= BINOMIAL[had, bottom]
            elif view.landlord == second:
                weight[rank, held] *= BINOMIAL[total - had, bottom]
            for n in range(held, size + 1):
                ways[rank, n] += weight[rank, held] * ways[rank + 1, n - held]
    choice = below_wide(rng, ways[0, size])
    hand = np.int64(0)
    for rank in range(NUM_RANKS):
        held = 0
        while choice >= weight[rank, held] * ways[rank + 1, size - held]:
            choice -= weight[rank, held] * ways[rank + 1, size - held]
            held += 1
        choice %= ways[rank + 1, size - held]
        hand += np.int64(held) << (4 * rank)
        size -= held
    return hand
