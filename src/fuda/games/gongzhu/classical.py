"""Players without learning: two of the "human experience" players that ScrofaZero was measured by.

Mr. If looks at its hand and the table. Mr. Greed searches one trick over sampled hidden hands.
Mr. Random, the third, is the player that every game has.
"""

import numpy as np

from fuda.core.bits import highest, lowest, popcount
from fuda.core.compile import compiled
from fuda.core.game import Policy
from fuda.core.generator import below, below_wide
from fuda.core.state import NOBODY
from fuda.games.gongzhu.cards import PIG, RAW, SHEEP, TRANSFORMER, doubled_cards, raw_points
from fuda.games.gongzhu.rules import MAX_LEGAL, legal
from fuda.games.gongzhu.showing import (
    NO_SHOW,
    PIG_PLACE,
    SHEEP_PLACE,
    SHOW,
    barred,
    cards_to_play,
    held_back,
    is_showing,
    shown_cards,
    sort_hidden,
)
from fuda.games.tricks.deals import NUM_OTHERS, NUM_POOLS, count_deals, nth_deal
from fuda.games.tricks.french import (
    ALL_CARDS,
    CLUBS,
    DIAMONDS,
    NUM_CARDS,
    NUM_SUITS,
    SPADES,
    card_ids,
    card_set,
    of_suit,
    suit_of,
)
from fuda.games.tricks.play import (
    NOTHING,
    NUM_SEATS,
    first_of_trick,
    lead_suit,
    on_table,
    seat_of_play,
    taken,
)

# ---- What both show before play (RULES 8.6) ----

PIG_BESIDE, SHEEP_ABOVE = 4, 2
OTHER_SPADES, ABOVE_SHEEP = card_set("S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SK SA"), card_set("DQ DK DA")


@compiled
def choose_shown(view, seat):
    """The pig with enough other spades, the sheep with enough cards above it, then no more."""
    hand = view.hand[seat]
    if hand & PIG and view.shown_by[PIG_PLACE] == NOBODY and popcount(hand & OTHER_SPADES) >= PIG_BESIDE:
        return SHOW + PIG_PLACE
    if hand & SHEEP and view.shown_by[SHEEP_PLACE] == NOBODY and popcount(hand & ABOVE_SHEEP) >= SHEEP_ABOVE:
        return SHOW + SHEEP_PLACE
    return NO_SHOW


# ---- Mr. If ----

# A suit is safe to lead without these cards [suit].
UNSAFE = np.array(
    [card_set("SQ SK SA"), card_set("HQ HK HA"), card_set("DJ"), card_set("C10 CJ CQ CK CA")], np.int64
)
BAD_LEADS = card_set("SQ SK SA HA HK C10 CJ CQ CK CA DJ")
NUM_DRAWS = 5
FIRST_DISCARDS = card_ids("SQ HA SA SK HK C10 CA HQ HJ CK CQ CJ H10 H9 H8 H7 H6 H5")
OVER_PIG, OVER_SHEEP, OVER_TRANSFORMER = card_set("SK SA"), card_set("DQ DK DA"), card_set("CJ CQ CK CA")


@compiled
def choose_if(view, seat, rng):
    """Mr. If's card."""
    if is_showing(view):
        return choose_shown(view, seat)
    hand = view.hand[seat] & ~barred(view, seat)
    if view.num_plays & 3 == 0:
        return _if_leads(hand, rng)
    suit = lead_suit(view)
    cards = of_suit(hand, suit)
    if cards == 0:
        return _if_discards(hand)
    if popcount(cards) == 1:
        return lowest(cards)
    on_suit = of_suit(on_table(view), suit)
    is_last = view.num_plays & 3 == 3
    if suit == SPADES:
        return _if_avoids(cards, on_suit, PIG, OVER_PIG, is_last)
    if suit == CLUBS:
        return _if_avoids(cards, on_suit, TRANSFORMER, OVER_TRANSFORMER, is_last)
    if suit == DIAMONDS:
        if is_last and cards & SHEEP and not on_suit & OVER_SHEEP:
            return lowest(SHEEP)
        return highest(cards & ~SHEEP)
    under = cards & ((np.int64(1) << highest(on_suit)) - 1)
    return highest(under) if under else _draw(cards, rng)


@compiled
def _if_leads(hand, rng):
    """The highest card of the shortest safe suit, else a card that does not look bad."""
    safe = np.int64(0)
    for suit in range(NUM_SUITS):
        cards = of_suit(hand, suit)
        if not cards & UNSAFE[suit]:
            safe |= cards
    if safe:
        return _highest_of_shortest(safe)
    for _ in range(NUM_DRAWS):
        card = _draw(hand, rng)
        if not BAD_LEADS >> card & 1:
            return card
    return _draw(hand, rng)


@compiled
def _if_discards(hand):
    """The first card of a list, else the highest of the shortest suit."""
    for card in FIRST_DISCARDS:
        if hand >> card & 1:
            return card
    return _highest_of_shortest(hand)


@compiled
def _highest_of_shortest(cards):
    """The highest card of the shortest suit that is there; of equal ones the first of S, H, D, C."""
    shortest = cards
    found = False
    for suit in range(NUM_SUITS):
        same = of_suit(cards, suit)
        if same and (not found or popcount(same) < popcount(shortest)):
            shortest, found = same, True
    return highest(shortest)


@compiled
def _if_avoids(cards, on_suit, dreaded, over, is_last):
    """Follow in the suit of the pig or the transformer: give it away, or stay below what takes it."""
    if cards & dreaded and on_suit & over:
        return lowest(dreaded)
    if is_last and not on_suit & dreaded:
        return highest(cards & ~dreaded)
    limit = highest(on_suit & over) if on_suit & over else lowest(dreaded)
    under = cards & ((np.int64(1) << limit) - 1)
    return highest(under if under else cards)


@compiled
def _draw(cards, rng):
    """A random card of a set."""
    for _ in range(below(rng, popcount(cards))):
        cards &= cards - 1
    return lowest(cards)


# ---- Mr. Greed ----
# All its values are whole numbers of tenths of a point, so that equal cards tie exactly.

POINT = 10
NUM_SAMPLES, MAX_ENUMERATED = 20, 40
NUM_EARLY_TRICKS, LEAD_FACTOR = 3, 30  # where the length of the suit led counts, and how much

# What it is worth to be rid of a card, whatever the trick brings: by rank, but nothing for high hearts.
RELIEF = POINT * np.tile(np.array([0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11], np.int64), NUM_SUITS)
RELIEF[card_ids("HJ HQ HK HA")] = 0
# While the card that it waits for is unseen, a card has this relief more: a fixed part, and tenths
# of what the transformer would double.
WAITS_FOR, WAITING, DOUBLING = (np.zeros(NUM_CARDS, np.int64) for _ in range(3))
WAITS_FOR[card_ids("SA SK")] = PIG
WAITING[card_ids("SA SK")] = POINT * 50, POINT * 30
WAITS_FOR[card_ids("DA DK DQ")] = SHEEP
WAITING[card_ids("DA DK DQ")] = POINT * -30, POINT * -20, POINT * -10
WAITS_FOR[card_ids("CA CK CQ CJ")] = TRANSFORMER
DOUBLING[card_ids("CA CK CQ CJ")] = -4, -3, -2, -1
RAW_OF_DECK = int(RAW.sum())

# What all players know at the table, as an array: the points of each seat's pile without the
# transformer, what is still to come for each, who owns the transformer, the cards taken; and of the cards
# that were shown: which count double, what the transformer multiplies by, which cannot follow suit yet.
RAW_OF_SEAT = 0
TO_COME, OWNER, TAKEN, DOUBLED, FACTOR, HELD_BACK = range(NUM_SEATS, NUM_SEATS + 6)
NUM_KNOWN = NUM_SEATS + 6


@compiled
def choose_greed(view, seat, rng):
    """Mr. Greed's card."""
    if is_showing(view):
        return choose_shown(view, seat)
    moves = np.empty(MAX_LEGAL, np.int64)
    count = legal(view, moves)
    if count == 1:
        return moves[0]
    totals = np.zeros(MAX_LEGAL, np.int64)
    weigh_cards(view, seat, rng, totals)
    best = totals[:count].max()
    num_best = 0
    for index in range(count):
        if totals[index] == best:
            moves[num_best] = moves[index]
            num_best += 1
    return moves[below(rng, num_best)]


@compiled
def weigh_cards(view, seat, rng, totals):
    """Write the value of each legal card, summed over deals, to `totals`; return how many deals."""
    known = np.empty(NUM_KNOWN, np.int64)
    hands = np.zeros(NUM_SEATS, np.int64)
    look(view, known)
    hands[seat] = view.hand[seat]
    totals[:] = 0
    if view.num_plays & 3 == 3:  # nothing hidden matters any more
        _weigh_in_deal(view, seat, known, hands, totals)
        return 1
    pools = np.empty(NUM_POOLS, np.int64)
    sizes = np.empty(NUM_OTHERS, np.int64)
    others = np.empty(NUM_OTHERS, np.int64)
    sort_hidden(view, seat, pools, sizes)
    num_deals = count_deals(pools, sizes)
    num_tried = num_deals if num_deals <= MAX_ENUMERATED else NUM_SAMPLES
    for index in range(num_tried):
        number = index if num_tried == num_deals else below_wide(rng, num_deals)
        nth_deal(pools, sizes, number, others)
        for other in range(NUM_OTHERS):
            hands[(seat + 1 + other) & 3] = others[other]
        _weigh_in_deal(view, seat, known, hands, totals)
    if view.num_plays < NUM_EARLY_TRICKS * NUM_SEATS and view.num_plays & 3 == 0:
        _favour_short_suits(view, seat, num_tried, totals)
    return num_tried


@compiled
def look(view, known):
    """Fill in what all players know at the table."""
    shown = shown_cards(view)
    doubled = doubled_cards(shown)
    owner = -1
    total = 0
    for seat in range(NUM_SEATS):
        known[RAW_OF_SEAT + seat] = raw_points(view.pile[seat]) + raw_points(view.pile[seat] & doubled)
        total += known[RAW_OF_SEAT + seat]
        if view.pile[seat] & TRANSFORMER:
            owner = seat
    known[TO_COME] = (RAW_OF_DECK + raw_points(doubled) - total) // NUM_SEATS
    known[OWNER] = owner
    known[TAKEN] = taken(view)
    known[DOUBLED] = doubled
    known[FACTOR] = 4 if shown & TRANSFORMER else 2
    known[HELD_BACK] = 0


@compiled
def _weigh_in_deal(view, seat, known, hands, totals):
    """Add to `totals` what each legal card brings if the hands are these."""
    if view.showing:
        known[HELD_BACK] = held_back(view, hands)
    table = np.int64(0)
    worth = np.int64(0)
    best = np.int64(NOTHING)
    winner = np.int64(seat)
    for index in range(first_of_trick(view), view.num_plays):
        card = np.int64(view.plays[index])
        table |= np.int64(1) << card
        worth += _raw(card, known)
        if beats(card, best):
            best = card
            winner = np.int64(seat_of_play(view, index))
    num_left = np.int64(3 - (view.num_plays & 3))
    unseen = ALL_CARDS & ~(known[TAKEN] | table | hands[seat])
    stake = known[TO_COME] + known[RAW_OF_SEAT + seat]
    me, after = np.int64(seat), np.int64((seat + 1) & 3)
    cards = cards_to_play(view)
    index = 0
    while cards:
        card = np.int64(lowest(cards))
        wins = beats(card, best)
        value = finish_trick(
            hands, after, num_left, card if wins else best, me if wins else winner,
            table | np.int64(1) << card, worth + _raw(card, known), known,
        )  # fmt: skip
        totals[index] += (value if seat & 1 == 0 else -value) + relief(card, unseen, stake, known[DOUBLED])
        cards &= cards - 1
        index += 1


@compiled
def finish_trick(hands, seat, num_left, best, winner, table, worth, known):
    """The trick's value for team 0 when `seat` and those after it, `num_left` in all, answer best.

    `best` is the card that takes the trick so far, `winner` who played it, `worth` the raw points
    of the cards on the table. Each player wants its team's value and its own relief.
    """
    if num_left == 0:
        return trick_value(winner, table, worth, known)
    hand = hands[seat]
    cards = of_suit(hand, suit_of(best)) & ~known[HELD_BACK]
    if cards == 0:
        cards = hand
    unseen = ALL_CARDS & ~(known[TAKEN] | table | hand)
    stake = known[TO_COME] + known[RAW_OF_SEAT + seat]
    top = np.int64(0)
    top_value = np.int64(0)
    first = True
    while cards:
        card = np.int64(lowest(cards))
        wins = beats(card, best)
        value = finish_trick(
            hands, (seat + 1) & 3, num_left - 1, card if wins else best, seat if wins else winner,
            table | np.int64(1) << card, worth + _raw(card, known), known,
        )  # fmt: skip
        score = (value if seat & 1 == 0 else -value) + relief(card, unseen, stake, known[DOUBLED])
        if first or score > top:
            top, top_value, first = score, value, False
        cards &= cards - 1
    return top_value


@compiled
def beats(card, best):
    """Whether a card takes the trick from the best one so far, if there is one."""
    return best == NOTHING or (card > best and suit_of(card) == suit_of(best))


@compiled
def trick_value(winner, table, worth, known):
    """What a finished trick is worth to team 0, in tenths of a point."""
    factor = known[FACTOR]
    value = worth
    if table & TRANSFORMER:
        value = factor * worth + (factor - 1) * (known[RAW_OF_SEAT + winner] + known[TO_COME])
    elif known[OWNER] == winner:
        value = factor * worth
    return POINT * (value if winner & 1 == 0 else -value)


@compiled
def relief(card, unseen, stake, doubled):
    """What it is worth to be rid of a card, in tenths; `stake` is what the transformer would double.

    Where the card that it waits for is among the `doubled`, the fixed part counts twice.
    """
    waits_for = WAITS_FOR[card]
    if unseen & waits_for:
        fixed = 2 * WAITING[card] if doubled & waits_for else WAITING[card]
        return RELIEF[card] + fixed + DOUBLING[card] * stake
    return RELIEF[card]


@compiled
def _raw(card, known):
    """The points of a card, C10 as 0, twice if it counts double."""
    return RAW[card] << (known[DOUBLED] >> card & 1)


@compiled
def _favour_short_suits(view, seat, num_deals, totals):
    """Early leads: 30 points for each card that the others hold more of a suit, on average, than I."""
    hand = view.hand[seat]
    unseen = ALL_CARDS & ~(hand | taken(view))
    cards = hand
    index = 0
    while cards:
        suit = suit_of(lowest(cards))
        theirs, mine = popcount(of_suit(unseen, suit)), popcount(of_suit(hand, suit))
        # A third of theirs: 30 points are 300 tenths, so nothing is lost by dividing.
        totals[index] += num_deals * (POINT * LEAD_FACTOR // NUM_OTHERS * theirs - POINT * LEAD_FACTOR * mine)
        cards &= cards - 1
        index += 1


POLICIES = (
    Policy("if", "Mr. If", "Plays by a list of rules from its hand and the table.", choose_if),
    Policy(
        "greed",
        "Mr. Greed",
        "Searches the trick on the table over 20 sampled deals of the hidden hands.",
        choose_greed,
    ),
)
