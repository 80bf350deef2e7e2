"""Gongzhu: the rules of RULES.md, compiled.

All functions work in place on one record of `STATE`. A view is a copy of a state with `hide`
applied: the same record, with the other three hands blanked.
"""

import numpy as np

from fuda.core.compile import compiled, inlined
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype
from fuda.games.gongzhu import showing
from fuda.games.gongzhu.cards import PIG, pile_points
from fuda.games.gongzhu.showing import (
    NO_SHOW,
    NUM_SHOWABLE,
    SHOW,
    begin_showing,
    cards_to_play,
    is_showing,
    list_shows,
    show,
    shown_cards,
    sort_hidden,
)
from fuda.games.tricks.deals import NUM_OTHERS, NUM_POOLS, draw_deal
from fuda.games.tricks.french import NUM_CARDS
from fuda.games.tricks.play import (
    CARD_SETS,
    NUM_SEATS,
    PLAYS,
    deal_hands,
    hide_hands,
    list_cards,
    play_card,
    playable,
    take_trick,
)
from fuda.games.tricks.play import count_cards as count_cards

DECK = tuple(range(NUM_CARDS))
HAND_SIZE = NUM_TRICKS = NUM_CARDS // NUM_SEATS

# Actions: the card that is played; before play, the cards that can be shown, and enough of it.
NUM_ACTIONS = NO_SHOW + 1
MAX_LEGAL = HAND_SIZE
MAX_SHOWS = NUM_SHOWABLE + NUM_SEATS  # decisions before play

MAX_DEALS = 100  # RULES 9.3

STATE = state_dtype(
    [
        *CARD_SETS,
        ("totals", np.int32, NUM_SEATS),  # points of the deals before this one
        ("target", np.int16),  # the option
        *PLAYS,
        *showing.FIELDS,
        ("num_deals", np.int8),
        ("next_leader", np.int8),  # who leads the first trick of the next deal
        ("seat", np.int8),
        ("status", np.int8),
    ]
)


@compiled
def start(state, options, rng):
    """A match before its first deal; `options` are the codes of `leader`, `showing` and `target`."""
    state.next_leader = options[0]
    state.showing = options[1]
    state.target = options[2]
    state.num_deals = 0
    for seat in range(NUM_SEATS):
        state.totals[seat] = 0
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Deal a permutation of the cards: 13 to seat 0, 13 to seat 1, and so on. Never dealt again."""
    if state.num_deals:
        shown = shown_cards(state)
        for seat in range(NUM_SEATS):
            state.totals[seat] += pile_points(state.pile[seat], shown)
    deal_hands(state, deck)
    begin_showing(state)
    state.num_deals += 1
    state.leaders[0] = state.next_leader
    state.seat = state.leaders[0]
    state.status = PLAYING
    return True


@inlined
def legal(state, out):
    """Write the legal actions to `out` in rising order and return how many there are (RULES 3.1, 3.2, 8)."""
    if state.status != PLAYING:
        return 0
    if state.showing:
        return _legal_with_shows(state, out)
    return list_cards(playable(state), out)


@compiled
def _legal_with_shows(state, out):
    """The same where cards may be shown: a function of its own, so that games without it take no longer."""
    return list_shows(state, out) if is_showing(state) else list_cards(cards_to_play(state), out)


@compiled
def scores(state, out):
    """Points of each seat for what it has taken so far, and for the deals before (RULES 4, 8.3, 9.1)."""
    shown = shown_cards(state)
    for seat in range(NUM_SEATS):
        out[seat] = state.totals[seat] + pile_points(state.pile[seat], shown)


@compiled
def _goes_on(state):
    """Whether another deal follows the one that is over: then who took the pig leads (RULES 9.1 to 9.3)."""
    if state.target == 0 or state.num_deals == MAX_DEALS:
        return False
    points = np.empty(NUM_SEATS, np.int64)
    scores(state, points)
    if min(points[0] + points[2], points[1] + points[3]) <= -np.int64(state.target):
        return False
    for seat in range(NUM_SEATS):
        if state.pile[seat] & PIG:
            state.next_leader = seat
    return True


@compiled
def step(state, action):
    """Apply a legal action; the highest card of the suit led takes the trick and leads (RULES 3.3)."""
    if action >= SHOW:
        show(state, action)
        return
    play_card(state, action)
    if state.num_plays & 3:
        state.seat = (state.seat + 1) & 3
        return
    winner = take_trick(state)
    if state.num_plays == NUM_CARDS:
        state.seat = NOBODY
        state.status = AWAITING_DEAL if _goes_on(state) else OVER
    else:
        state.seat = winner


@compiled
def side(state, seat):
    """Which side a seat plays for: its team."""
    return seat & 1


@compiled
def payoff(state, out):
    """By how much each seat's team leads the other, in points."""
    shown = shown_cards(state)
    first = pile_points(state.pile[0], shown) + pile_points(state.pile[2], shown)
    lead = float(first - pile_points(state.pile[1], shown) - pile_points(state.pile[3], shown))
    for seat in range(NUM_SEATS):
        out[seat] = -lead if seat & 1 else lead


@compiled
def hide(state, seat):
    """Make a copy of a state into the seat's view: the other hands are blanked (RULES 5.1)."""
    hide_hands(state, seat)


@compiled
def redeal(view, seat, rng):
    """Make a seat's view into a state, uniform over all deals that agree with it (RULES 5.2, 8.5)."""
    pools = np.empty(NUM_POOLS, np.int64)
    sizes = np.empty(NUM_OTHERS, np.int64)
    hands = np.empty(NUM_OTHERS, np.int64)
    sort_hidden(view, seat, pools, sizes)
    draw_deal(pools, sizes, rng, hands)
    for other in range(NUM_OTHERS):
        view.hand[(seat + 1 + other) & 3] = hands[other]
