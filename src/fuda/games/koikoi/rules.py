"""Koi-Koi: the rules of RULES.md, compiled.

All functions work in place on one record of `STATE`. A view is a copy of a state with `hide`
applied: the same record, with the cards that a seat has not seen blanked.
"""

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled
from fuda.core.generator import below, shuffle
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype
from fuda.games.koikoi.cards import ALL_CARDS, NUM_CARDS
from fuda.games.koikoi.yaku import (
    AS_BY_DEFAULT,
    HAND_YAKU_POINTS,
    NUM_YAKU,
    has_whole_month,
    is_four_pairs,
    is_hand_yaku,
    packed_scoring,
    sum_of,
    tally,
    tally_of_house,
)

HAND_SIZE = FIELD_SIZE = 8
STOCK_SIZE = NUM_CARDS - 2 * HAND_SIZE - FIELD_SIZE
NUM_TURNS = 2 * HAND_SIZE
LAST_TURNS = NUM_TURNS - 2  # from here on it is the mover's own 8th turn
MAX_ROUNDS = 12

# Actions: a card, to discard or to pick, or one of the two answers to "koi-koi?".
KOIKOI, STOP = NUM_CARDS, NUM_CARDS + 1
NUM_ACTIONS = NUM_CARDS + 2
MAX_LEGAL = HAND_SIZE

# What the seat to move decides.
DISCARD, PICK_FOR_DISCARD, PICK_FOR_DRAW, CLAIM = range(4)

# Columns of `turns`: the card, what it was paired with, and the answer to "koi-koi?".
DISCARDED, DISCARD_TOOK, DRAWN, DRAW_TOOK, ANSWER = range(5)
NOTHING = -1  # no card, no pair, not asked
ALL_THREE = NUM_CARDS  # in the two "took" columns: all three matching cards
ANSWERED_STOP, ANSWERED_KOIKOI = 0, 1

# All options, in the descriptor's order.
ROUNDS, POINTS, VIEWING, RAIN, BONUS, SEVEN, AGAINST, HAND_YAKU, DRAW = range(9)

# Bits of `house`: what else is played otherwise than by default (RULES 6.7, 6.8).
HAND_YAKU_WIN, NOBODY_GETS_DRAWS = 1, 2

STATE = state_dtype(
    [
        ("hand", np.int64, 2),  # sets of cards as bits; the other hand is 0 in a view
        ("pile", np.int64, 2),
        ("field", np.int64),
        ("points", np.int16, 2),
        ("round_points", np.int16, MAX_ROUNDS),  # what seat 0 won in each finished round
        ("yaku_points", np.int16, 2),  # of the yaku when last checked, with the koi-koi bonus
        ("yaku", np.int8, (2, NUM_YAKU)),  # the points of each
        ("claims", np.int8, 2),  # koi-koi claims in this round
        ("stock", np.int8, STOCK_SIZE),  # in draw order; NOTHING where not yet drawn in a view
        ("turns", np.int8, (NUM_TURNS, 5)),  # this round's history
        ("scoring", np.uint8),  # the options by which points are counted, as yaku.py packs them
        ("house", np.int8),
        ("rounds", np.int8),
        ("round_index", np.int8),  # from 0
        ("dealer", np.int8),
        ("turn", np.int8),  # from 0, both players' turns counted
        ("drawn", np.int8),  # cards drawn from the stock
        ("shown", np.int8),  # the card on its way that has two matches, else NOTHING
        ("phase", np.int8),
        ("seat", np.int8),
        ("status", np.int8),
    ]
)


@compiled
def start(state, options, rng):
    """A match before its first deal; `options` are rounds, starting points, and those of RULES 6."""
    state.rounds = options[ROUNDS]
    state.points[0] = state.points[1] = options[POINTS]
    state.scoring = packed_scoring(
        options[VIEWING], options[RAIN], options[BONUS], options[SEVEN], options[AGAINST]
    )
    state.house = HAND_YAKU_WIN * options[HAND_YAKU] + NOBODY_GETS_DRAWS * options[DRAW]
    for index in range(MAX_ROUNDS):
        state.round_points[index] = 0
    state.round_index = -1
    state.dealer = below(rng, 2)  # RULES 2.1: drawing for the earlier month is a fair lot
    state.seat = NOBODY
    state.status = AWAITING_DEAL


@compiled
def deal(state, deck):
    """Deal a round from a permutation of the cards: seat 0, seat 1, field, stock in draw order.

    Returns False, with nothing changed, where the rules deal again (RULES 2.3, 6.7).
    """
    first, second = _cards_of(deck, 0, HAND_SIZE), _cards_of(deck, HAND_SIZE, HAND_SIZE)
    field = _cards_of(deck, 2 * HAND_SIZE, FIELD_SIZE)
    hand_yaku_win = state.house & HAND_YAKU_WIN != 0
    if not hand_yaku_win:
        again = has_whole_month(first) or has_whole_month(second) or has_whole_month(field)
    else:
        again = is_hand_yaku(field) or (is_hand_yaku(first) and is_hand_yaku(second))
    if again:
        return False
    state.dealer = next_dealer(state)
    state.round_index += 1
    state.hand[0] = first
    state.hand[1] = second
    state.field = field
    for index in range(STOCK_SIZE):
        state.stock[index] = deck[NUM_CARDS - STOCK_SIZE + index]
    for turn in range(NUM_TURNS):
        for column in range(5):
            state.turns[turn, column] = NOTHING
    for seat in range(2):
        state.pile[seat] = 0
        state.claims[seat] = 0
        state.yaku_points[seat] = tally(0, 0, state.yaku[seat])
    state.turn = 0
    state.drawn = 0
    state.shown = NOTHING
    state.phase = DISCARD
    state.seat = state.dealer
    state.status = PLAYING
    if hand_yaku_win:
        for seat in range(2):
            if is_hand_yaku(state.hand[seat]):
                # RULES 6.7: its owner can only stop, which ends the round as after a turn.
                state.yaku_points[seat] = HAND_YAKU_POINTS
                state.phase = CLAIM
                state.seat = seat
    return True


@compiled
def next_dealer(state):
    """Who deals the next round (RULES 2.1, 5.3, 6.8): who won points in the last, or the same as in that."""
    if state.round_index < 0:
        return state.dealer
    won = state.round_points[state.round_index]
    return state.dealer if won == 0 else 0 if won > 0 else 1


@compiled
def begins_with_hand_yaku(state):
    """Whether a hand yaku has been dealt in this round: its owner is asked before a card was played."""
    if state.house & HAND_YAKU_WIN == 0:
        return False
    return state.phase == CLAIM and state.turns[0, DISCARDED] == NOTHING


@compiled
def shows_hand(state, seat):
    """Whether the seat has shown its hand, which is a hand yaku (RULES 6.7)."""
    return begins_with_hand_yaku(state) and state.yaku_points[seat] > 0


@compiled
def legal(state, out):
    """Write the legal actions to `out` in rising order and return how many there are."""
    if state.status != PLAYING:
        return 0
    if state.phase == CLAIM:
        if begins_with_hand_yaku(state):
            out[0] = STOP
            return 1
        out[0] = KOIKOI
        out[1] = STOP
        return 2
    cards = state.hand[state.seat] if state.phase == DISCARD else matches(state, state.shown)
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def step(state, action):
    """Apply a legal action."""
    if state.phase == DISCARD:
        state.hand[state.seat] ^= np.int64(1) << action
        state.turns[state.turn, DISCARDED] = action
        if _meet(state, action, DISCARD_TOOK):
            _draw(state)
        else:
            state.phase = PICK_FOR_DISCARD
    elif state.phase == PICK_FOR_DISCARD:
        _take(state, state.shown, np.int64(1) << action)
        state.turns[state.turn, DISCARD_TOOK] = action
        _draw(state)
    elif state.phase == PICK_FOR_DRAW:
        _take(state, state.shown, np.int64(1) << action)
        state.turns[state.turn, DRAW_TOOK] = action
        _check_yaku(state)
    elif action == KOIKOI:
        seat = state.seat
        state.turns[state.turn, ANSWER] = ANSWERED_KOIKOI
        state.claims[seat] += 1
        if state.scoring == AS_BY_DEFAULT:
            state.yaku_points[seat] = tally(state.pile[seat], state.claims[seat], state.yaku[seat])
        else:
            _count_by_options(state, seat)
            _count_by_options(state, 1 - seat)  # RULES 6.5
        _end_turn(state)
    else:
        state.turns[state.turn, ANSWER] = ANSWERED_STOP
        _end_round(state, state.seat, state.yaku_points[state.seat])


@compiled
def scores(state, out):
    """Final points of both seats."""
    out[0] = state.points[0]
    out[1] = state.points[1]


@compiled
def side(state, seat):
    """Which side a seat plays for: its own."""
    return seat


@compiled
def payoff(state, out):
    """What each seat won in the round that just ended, in points."""
    out[0] = float(state.round_points[state.round_index])
    out[1] = -out[0]


@compiled
def hide(state, seat):
    """Make a copy of a state into the seat's view: the other hand and the stock are blanked."""
    if not shows_hand(state, 1 - seat):
        state.hand[1 - seat] = 0
    for index in range(state.drawn, STOCK_SIZE):
        state.stock[index] = NOTHING


@compiled
def redeal(view, seat, rng):
    """Make a copy of a seat's view into a state, uniform over all deals that agree with it."""
    other = 1 - seat
    unseen = ALL_CARDS & ~(view.hand[0] | view.hand[1] | view.pile[0] | view.pile[1] | view.field)
    if view.shown != NOTHING:
        unseen &= ~(np.int64(1) << view.shown)
    cards = np.empty(NUM_CARDS, np.int8)
    num_unseen = 0
    while unseen:
        cards[num_unseen] = lowest(unseen)
        unseen &= unseen - 1
        num_unseen += 1
    known = played_by(view, other) | view.hand[other]  # of the first hand; it is held only where it is shown
    num_held = HAND_SIZE - popcount(known)
    # RULES 2.3, 6.7: the other player's first hand, held or played, was none that is dealt again or shown.
    # Rejection keeps the rest uniform, and nearly every shuffle passes.
    shuffle(rng, cards, num_unseen)
    hand = _cards_of(cards, 0, num_held)
    while num_held > 0 and _is_known_not_to_be(view, hand | known):
        shuffle(rng, cards, num_unseen)
        hand = _cards_of(cards, 0, num_held)
    view.hand[other] |= hand
    for index in range(num_unseen - num_held):
        view.stock[view.drawn + index] = cards[num_held + index]


@compiled
def count_cards(state, out):
    """Add to `out` [NUM_CARDS] how often each card lies anywhere."""
    zones = (state.hand[0], state.hand[1], state.pile[0], state.pile[1], state.field)
    for zone in zones:
        while zone:
            out[lowest(zone)] += 1
            zone &= zone - 1
    for index in range(state.drawn, STOCK_SIZE):
        out[state.stock[index]] += 1
    if state.shown != NOTHING:
        out[state.shown] += 1


@compiled
def matches(state, card):
    """The field's cards of the same month."""
    return state.field & (np.int64(15) << (card & ~3))


@compiled
def _is_known_not_to_be(view, hand):
    """Whether a hidden hand cannot have been dealt like this, as the round would not be played so."""
    return has_whole_month(hand) or (view.house & HAND_YAKU_WIN != 0 and is_four_pairs(hand))


@compiled
def mover_of_turn(state, turn):
    """Whose turn number `turn` of this round is: the dealer has the even ones (RULES 3.1)."""
    return state.dealer ^ (turn & 1)


@compiled
def played_by(state, seat):
    """The cards that the seat has discarded in this round."""
    cards = np.int64(0)
    for turn in range(state.dealer ^ seat, state.turn + 1, 2):
        if state.turns[turn, DISCARDED] != NOTHING:
            cards |= np.int64(1) << state.turns[turn, DISCARDED]
    return cards


@compiled
def _cards_of(deck, first, count):
    cards = np.int64(0)
    for index in range(first, first + count):
        cards |= np.int64(1) << deck[index]
    return cards


@compiled
def _meet(state, card, column):
    """Put a card to the field (RULES 3.2); False if the player must choose between two matches."""
    found = matches(state, card)
    count = popcount(found)
    if count == 2:
        state.shown = card
        return False
    if count == 0:
        state.field |= np.int64(1) << card
    else:
        _take(state, card, found)
        state.turns[state.turn, column] = lowest(found) if count == 1 else ALL_THREE
    return True


@compiled
def _take(state, card, found):
    state.field ^= found
    state.pile[state.seat] |= found | np.int64(1) << card
    state.shown = NOTHING


@compiled
def _draw(state):
    card = state.stock[state.drawn]
    state.drawn += 1
    state.turns[state.turn, DRAWN] = card
    if _meet(state, card, DRAW_TOOK):
        _check_yaku(state)
    else:
        state.phase = PICK_FOR_DRAW


@compiled
def _check_yaku(state):
    """After the draw (RULES 3.3): did this turn raise the player's points?"""
    seat = state.seat
    if state.scoring == AS_BY_DEFAULT:
        before = state.yaku_points[seat]
        state.yaku_points[seat] = tally(state.pile[seat], state.claims[seat], state.yaku[seat])
        is_higher = state.yaku_points[seat] > before
    else:
        is_higher = _count_by_options(state, seat)
    if not is_higher:
        _end_turn(state)
    elif state.turn >= LAST_TURNS:  # RULES 3.4
        _end_round(state, seat, state.yaku_points[seat])
    else:
        state.phase = CLAIM


@compiled
def _count_by_options(state, seat):
    """Count what a seat's pile is worth under RULES 6; whether its yaku alone are worth more now (6.6)."""
    before = sum_of(state.yaku[seat])
    state.yaku_points[seat] = tally_of_house(
        state.pile[seat], state.claims[seat], state.claims[1 - seat], state.scoring, state.yaku[seat]
    )
    return sum_of(state.yaku[seat]) > before


@compiled
def _end_turn(state):
    if state.turn == NUM_TURNS - 1:
        nobody_gets = state.house & NOBODY_GETS_DRAWS != 0
        _end_round(state, state.dealer, 0 if nobody_gets else 1)  # RULES 5.2, 6.8: nobody stopped
        return
    state.turn += 1
    state.seat = 1 - state.seat
    state.phase = DISCARD


@compiled
def _end_round(state, winner, points):
    state.points[winner] += points
    state.points[1 - winner] -= points
    state.round_points[state.round_index] = points if winner == 0 else -points
    state.seat = NOBODY
    broke = state.points[1 - winner] <= 0  # RULES 5.5
    last = state.round_index == state.rounds - 1
    state.status = OVER if broke or last else AWAITING_DEAL
