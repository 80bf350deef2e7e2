"""Koi-Koi by rule of thumb: a player that counts cards and weighs chances, and looks no further.

For each legal move it asks what the table would be worth after it, in four steps that are the four
parts of this file:

1. For each card, how likely is it to end in my pile, how likely in the other player's?
2. From the cards' chances, how likely is each player to score more, and how many points?
3. In the race of the two, what is that worth to me, in points and for the match?
4. The move worth the most is played; koi-koi is claimed when going on is worth more than stopping.

Everything is read from a view, in which the other hand and the stock are blank: cards that lie
nowhere else are "unseen", and each is as likely as any other to be in the other player's hand.
"""

import math
from typing import NamedTuple

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled
from fuda.core.game import Policy
from fuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLY,
    CURTAIN,
    DROSS,
    DRY_LIGHTS,
    MOON,
    NUM_CARDS,
    NUM_IN_MONTH,
    NUM_MONTHS,
    RAINMAN,
    RED_RIBBONS,
    RIBBONS,
    SAKE_CUP,
    SEEDS,
)
from fuda.games.koikoi.rules import (
    CLAIM,
    DISCARD,
    HAND_SIZE,
    KOIKOI,
    NOBODY_GETS_DRAWS,
    NOTHING,
    PICK_FOR_DRAW,
    STOCK_SIZE,
    STOP,
    begins_with_hand_yaku,
    matches,
)
from fuda.games.koikoi.yaku import (
    AS_BY_DEFAULT,
    NUM_YAKU,
    RED_AND_BLUE_RIBBONS,
    settled,
    sum_of,
    tally,
    tally_of_house,
    viewing_points,
)

# --- 1. The chance of a card ---------------------------------------------------------------------
#
# What matters is how the month's cards that nobody has taken are spread: on the field, in my hand,
# unseen. The constants below bring the chances near to what was counted in 6,000 rounds of the player
# against itself, none of them stopped (root mean square error over such spreads: 0.07).

NEVER_SURE = 0.97  # a card that only I can take is still not in my pile: the round may end before
THROWN = 0.65  # a lone card whose mate the other player holds: one of us must throw first, mostly I do
LAID_AND_LOST = 0.4  # of a pair in my hand I must lay one card down, where a mate of theirs may take it
PAIR_IS_SLOW = 0.9  # and taking it back costs a second turn
SECOND_TRY = 0.35  # if the field card is taken before my turn, one more card of the month may come
RIVALS = 0.8  # with four cards still out, another pair of the month may be made without this card
LANDS_FOR_THEM = 0.5  # a card that they draw to the field is theirs half the time, if they have a mate


class Odds(NamedTuple):
    """Where any one unseen card is, or will come from; the rest stays at the bottom of the stock."""

    held: float  # in the other player's hand
    mine: float  # I draw it before the round's end
    theirs: float  # they do


class Chances(NamedTuple):
    """For each card, the chance [NUM_CARDS] that it ends in a player's pile."""

    mine: np.ndarray
    theirs: np.ndarray


@compiled
def weigh_month(month, hand, field, pile, their_pile, odds, chances):
    """Fill in the chances of one month's cards; the other player moves next."""
    first = month * NUM_IN_MONTH
    whole = np.int64(15) << first
    num_held = popcount(hand & whole)
    on_field = popcount(field & whole)
    taken = popcount((pile | their_pile) & whole)
    unseen = NUM_IN_MONTH - num_held - on_field - taken
    field_mine, field_theirs = field_card(num_held, unseen, odds)
    hand_mine, hand_theirs = hand_card(num_held, on_field, unseen, field_mine, odds)
    unseen_mine, unseen_theirs = unseen_card(num_held, on_field, unseen, odds)
    for card in range(first, first + NUM_IN_MONTH):
        bit = np.int64(1) << card
        if (pile | their_pile) & bit:
            mine, theirs = (1.0, 0.0) if pile & bit else (0.0, 1.0)
        elif field & bit:
            mine, theirs = min(field_mine, NEVER_SURE), field_theirs
        elif hand & bit:
            mine, theirs = min(hand_mine, NEVER_SURE), hand_theirs
        else:
            mine, theirs = unseen_mine, unseen_theirs
        chances.mine[card] = mine
        chances.theirs[card] = theirs


@compiled
def any_of(chance, count):
    """The chance that at least one of `count` events happens."""
    none = 1.0
    for _ in range(count):
        none *= 1 - chance
    return 1 - none


@compiled
def field_card(num_held, unseen, odds):
    """A card on the field: they take it now if they hold a mate, else I do, else whoever draws one."""
    theirs_now = any_of(odds.held, unseen)
    if num_held > 0:
        return 1 - theirs_now, theirs_now
    drawn = odds.mine + odds.theirs
    if drawn == 0:
        return 0.0, theirs_now
    later = (1 - theirs_now) * any_of(drawn / (1 - odds.held), unseen)
    mine = later * odds.mine / drawn
    return mine, theirs_now + later - mine


@compiled
def hand_card(num_held, on_field, unseen, field_mine, odds):
    """A card in my hand: it needs a mate on the field when I play it."""
    if on_field >= 2 or unseen == 0:
        return 1.0, 0.0  # nobody can take away all its mates
    if on_field == 1:
        return field_mine + (1 - field_mine) * SECOND_TRY, 0.0
    if num_held >= 2:
        lost = any_of(odds.held, unseen) * LAID_AND_LOST
        return (1 - lost) * PAIR_IS_SLOW, lost
    return any_of(odds.mine + odds.theirs, unseen), odds.held * THROWN


@compiled
def unseen_card(num_held, on_field, unseen, odds):
    """A card that I have not seen: who holds or draws it, and is there a mate for it then?"""
    drawn = odds.mine + odds.theirs
    all_out = num_held + on_field + unseen == NUM_IN_MONTH
    if on_field > 0:
        rivals = RIVALS if all_out and on_field == 1 else 1.0
        return odds.mine * rivals, (odds.held + odds.theirs) * rivals
    if num_held > 0:  # whoever draws it, it lands on the field, where I have a mate for it
        if all_out and unseen > 1:
            return drawn * RIVALS, odds.held * THROWN + odds.theirs * LANDS_FOR_THEM
        return drawn, odds.held * THROWN
    mates = unseen - 1
    held_and_met = odds.held * any_of(odds.held + drawn, mates)
    drawn_and_taken = drawn * any_of(odds.held + odds.theirs * LANDS_FOR_THEM, mates)
    return drawn * any_of(odds.mine, mates), held_and_met + drawn_and_taken


# --- 2. The chance of a yaku ---------------------------------------------------------------------

SETS = ((BOAR_DEER_BUTTERFLY, 5), (RED_RIBBONS, 5), (BLUE_RIBBONS, 5))
VIEWINGS = (CURTAIN | SAKE_CUP, MOON | SAKE_CUP)
ROWS = ((SEEDS, 5), (RIBBONS, 5), (DROSS, 10))  # one point at so many cards, one more for each after

HALF_OF_THE_SURPLUS = 0.5  # cards expected beyond a row's first point come late, often after the end
MORE_TO_COME = 0.5  # how much the other open yaku add to the one that is scored first
SURE = 1e-9  # the chance of failure that stands for none, whose logarithm would be infinite


@compiled
def prospects(pile, viewing, multiple, chance):
    """The rate at which a player scores more than now, and the points then gained on average.

    `pile` is what the player was last paid for, `chance` [NUM_CARDS] what the pile may become. `viewing` is
    what a Viewing Sake is worth, and `multiple` what all points are multiplied by.
    The rate is minus the logarithm of the chance that nothing is scored until the round's end, so
    that the rates of independent yaku, and of the two players, can be added up.
    """
    scored, gain = lights(pile, chance)
    nothing = 1 - scored
    total = scored
    for cards, points in SETS:
        if pile & cards != cards:
            scored = all_of(cards, chance)
            nothing *= 1 - scored
            total += scored
            gain += scored * points
    if pile & RED_AND_BLUE_RIBBONS != RED_AND_BLUE_RIBBONS:
        gain += 10 * all_of(RED_AND_BLUE_RIBBONS, chance)
    for cards in VIEWINGS:
        if viewing > 0 and pile & cards != cards:
            scored = all_of(cards, chance)
            nothing *= 1 - scored
            total += scored
            gain += scored * viewing
    for cards, enough in ROWS:
        scored, points = row(cards, enough, pile, chance)
        nothing *= 1 - scored
        total += scored
        gain += scored * points
    if total < SURE:
        return 0.0, 0.0
    return -math.log(max(nothing, SURE)), multiple * gain * (1 / total + MORE_TO_COME)


@compiled
def all_of(cards, chance):
    """The chance of a whole set."""
    product = 1.0
    while cards:
        product *= chance[lowest(cards)]
        cards &= cards - 1
    return product


@compiled
def lights(pile, chance):
    """The chance of a better yaku of lights than now, and the points expected from it."""
    ones, pairs, triples, four = 0.0, 0.0, 0.0, 0.0  # sums over products of one, two, ... chances
    cards = DRY_LIGHTS
    while cards:
        one = chance[lowest(cards)]
        four += triples * one
        triples += pairs * one
        pairs += ones * one
        ones += one
        cards &= cards - 1
    three = triples - 4 * four  # exactly three: each way to have all four was counted four times
    rain = chance[lowest(RAINMAN)]
    expected = three * (5 + 2 * rain) + four * (8 + 2 * rain)
    dry = popcount(pile & DRY_LIGHTS)
    if dry < 3:
        return three + four, expected
    has_rain = pile & RAINMAN != 0
    now = (8 if dry == 4 else 5) + (2 if has_rain else 0)
    unchanged = (four if dry == 4 else three) * (1.0 if has_rain else 1 - rain)
    return 1 - unchanged, expected - now


@compiled
def row(cards, enough, pile, chance):
    """The chance that Tane, Tan or Kasu pays more than now, and how many points more it pays then."""
    have = popcount(pile & cards)
    paid = max(have, enough - 1)
    sure = 0
    mean = variance = 0.0
    while cards:
        one = chance[lowest(cards)]
        sure += one == 1
        mean += one
        variance += one * (1 - one)
        cards &= cards - 1
    surplus = max(mean - paid - 1, 0.0) * HALF_OF_THE_SURPLUS
    if sure > paid:
        return 1.0, sure - paid + surplus
    if variance == 0:
        return 0.0, 0.0
    return normal((mean - paid - 0.5) / math.sqrt(variance)), 1 + surplus


@compiled
def normal(deviations):
    """The chance that a normal variable is below its mean plus so many standard deviations."""
    return 0.5 + 0.5 * math.erf(deviations / math.sqrt(2))


# --- 3. The worth of a position ------------------------------------------------------------------

THEY_MOVE_NEXT = 1.3  # their rate counts for more in the race: it is always their turn after mine
MATCH_WORTH = 40.0  # points that a match won is worth: more than rounds pay, so that none is gambled away
ROUND_SWING = 13.0  # standard deviation of what one round does to the gap between the players
LAST_ROUND = 0.002  # rounds' worth of doubt once the last is over: one point ahead has won, level is a tie


@compiled
def future(view, seat, chance, claims, their_claims, now):
    """The rate at which a seat scores more, and the points that it has then, if it has claimed so often.

    `now` is what its pile is worth without that.
    """
    viewing = viewing_points(view.pile[seat], claims, view.scoring)
    if view.scoring != AS_BY_DEFAULT:
        rate, gain = prospects(view.pile[seat], viewing, 1, chance)
        # The yaku grow first; bonus and doublings follow from all of them.
        return rate, settled(yaku_alone(view, seat, claims) + gain, claims, their_claims, view.scoring)
    multiple = claims - 2 if claims >= 4 else 1  # RULES 4.4
    rate, gain = prospects(view.pile[seat], viewing, multiple, chance)
    return rate, now + gain


@compiled
def yaku_alone(view, seat, claims):
    """The points of a seat's yaku alone, if it has claimed so often."""
    yaku = np.empty(NUM_YAKU, np.int8)
    tally_of_house(view.pile[seat], claims, 0, view.scoring, yaku)
    return sum_of(yaku)


@compiled
def position_worth(view, seat, chances, claims, points):
    """What a position is worth in which I have claimed so often and hold so many points.

    Whoever scores first takes the round: a race of two rates. If nobody does, the dealer may win one.
    """
    other = 1 - seat
    theirs = view.claims[other]
    my_rate, mine_then = future(view, seat, chances.mine, claims, theirs, points)
    their_rate, theirs_then = future(view, other, chances.theirs, theirs, claims, view.yaku_points[other])
    their_rate *= THEY_MOVE_NEXT
    rate = my_rate + their_rate
    nobody = math.exp(-rate)
    i_score = (1 - nobody) * my_rate / rate if rate > 0 else 0.0
    they_score = 1 - nobody - i_score
    return (
        i_score * round_worth(view, seat, mine_then)
        + they_score * round_worth(view, seat, -theirs_then)
        + nobody * round_worth(view, seat, last_point(view, seat))
    )


@compiled
def last_point(view, seat):
    """What a seat gets if nobody stops (RULES 5.2, 6.8)."""
    if view.house & NOBODY_GETS_DRAWS:
        return 0
    return 1 if view.dealer == seat else -1


@compiled
def round_worth(view, seat, points):
    """A round's points, and the chance that they leave me to win the match."""
    lead = view.points[seat] - view.points[1 - seat] + 2 * points
    rounds_left = view.rounds - 1 - view.round_index
    doubt = ROUND_SWING * math.sqrt(rounds_left + LAST_ROUND)
    return points + MATCH_WORTH * normal(lead / doubt)


@compiled
def worth_of_playing(view, seat, odds, chances, card):
    """What it is worth to discard a card, with the better of two matches."""
    found = matches(view, card)
    if popcount(found) != 2:
        return worth_of_taking(view, seat, odds, chances, card, found)
    one = found & -found
    return max(
        worth_of_taking(view, seat, odds, chances, card, one),
        worth_of_taking(view, seat, odds, chances, card, found ^ one),
    )


@compiled
def worth_of_taking(view, seat, odds, chances, card, found):
    """What it is worth that a card comes to the field and takes `found`, or stays there."""
    bit = np.int64(1) << card
    month = card // NUM_IN_MONTH
    hand, field, pile, their_pile = view.hand[seat], view.field, view.pile[seat], view.pile[1 - seat]
    if found:
        weigh_month(month, hand & ~bit, field & ~found, pile | found | bit, their_pile, odds, chances)
    else:
        weigh_month(month, hand & ~bit, field | bit, pile, their_pile, odds, chances)
    worth = position_worth(view, seat, chances, view.claims[seat], view.yaku_points[seat])
    weigh_month(month, hand, field, pile, their_pile, odds, chances)  # as it was, for the next move
    return worth


# --- 4. The choice -------------------------------------------------------------------------------


@compiled
def odds_after_move(view, seat):
    """Where unseen cards are once the move that is due is made."""
    hand_left = popcount(view.hand[seat]) - (view.phase == DISCARD)
    draws = hand_left + (view.phase < PICK_FOR_DRAW)
    their_turns = HAND_SIZE - (view.turn + 1) // 2  # cards in their hand, and draws that they have
    unseen = their_turns + STOCK_SIZE - view.drawn
    return Odds(their_turns / unseen, draws / unseen, their_turns / unseen)


@compiled
def wants_koikoi(view, seat, chances):
    """Whether going on is worth more than the points that I can take now."""
    claims = view.claims[seat] + 1
    points = tally(view.pile[seat], claims, np.empty(NUM_YAKU, np.int8))  # counted anew under other options
    stop = round_worth(view, seat, view.yaku_points[seat])
    return position_worth(view, seat, chances, claims, points) > stop


@compiled
def choose(view, seat, rng):
    """The move worth the most; of equal ones the lowest card."""
    odds = odds_after_move(view, seat)
    chances = Chances(np.empty(NUM_CARDS), np.empty(NUM_CARDS))
    for month in range(NUM_MONTHS):
        weigh_month(
            month, view.hand[seat], view.field, view.pile[seat], view.pile[1 - seat], odds, chances
        )  # fmt: skip
    if view.phase == CLAIM:
        if begins_with_hand_yaku(view):
            return STOP
        return KOIKOI if wants_koikoi(view, seat, chances) else STOP
    best, most = NOTHING, -math.inf
    cards = view.hand[seat] if view.phase == DISCARD else matches(view, view.shown)
    while cards:
        card = lowest(cards)
        if view.phase == DISCARD:
            worth = worth_of_playing(view, seat, odds, chances, card)
        else:
            worth = worth_of_taking(view, seat, odds, chances, view.shown, np.int64(1) << card)
        if worth > most:
            best, most = card, worth
        cards &= cards - 1
    return best


POLICIES = (
    Policy(
        "classical",
        "Classical",
        "Counts cards, weighs both players' chances of each yaku, and claims koi-koi when it pays.",
        choose,
    ),
)
