"""Yaku and their points: section 4 of RULES.md, and the options for them of section 6."""

from typing import NamedTuple

import numpy as np

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLY,
    CURTAIN,
    DROSS,
    DRY_LIGHTS,
    FIRST_OF_EACH_MONTH,
    MOON,
    RAINMAN,
    RED_RIBBONS,
    RIBBONS,
    SAKE_CUP,
    SEEDS,
)

YAKU_NAMES = (
    "Five Lights",
    "Four Lights",
    "Rainy Four Lights",
    "Three Lights",
    "Boar-Deer-Butterfly",
    "Flower Viewing Sake",
    "Moon Viewing Sake",
    "Tane",
    "Red & Blue Ribbons",
    "Red Ribbons",
    "Blue Ribbons",
    "Tan",
    "Kasu",
)
NUM_YAKU = len(YAKU_NAMES)
(
    FIVE_LIGHTS, FOUR_LIGHTS, RAINY_FOUR_LIGHTS, THREE_LIGHTS, BOAR_DEER, FLOWER_SAKE, MOON_SAKE,
    TANE, RED_AND_BLUE, RED, BLUE, TAN, KASU,
) = range(NUM_YAKU)  # fmt: skip

MAX_CLAIMS = 7  # koi-koi decisions of one player in a round: turns 1 to 7
RED_AND_BLUE_RIBBONS = RED_RIBBONS | BLUE_RIBBONS


@compiled
def tally(pile, claims, out):
    """Write the points of each yaku in the pile to `out` [NUM_YAKU]; return the player's points.

    `claims` is how often this player has claimed koi-koi in this round.
    """
    for index in range(NUM_YAKU):
        out[index] = 0
    # RULES 4.2: of the lights only the highest counts, and the Rainman needs three others.
    dry = popcount(pile & DRY_LIGHTS)
    if dry == 4:
        out[FIVE_LIGHTS if pile & RAINMAN else FOUR_LIGHTS] = 10 if pile & RAINMAN else 8
    elif dry == 3:
        out[RAINY_FOUR_LIGHTS if pile & RAINMAN else THREE_LIGHTS] = 7 if pile & RAINMAN else 5
    if pile & BOAR_DEER_BUTTERFLY == BOAR_DEER_BUTTERFLY:
        out[BOAR_DEER] = 5
    if pile & SAKE_CUP:  # RULES 4.3
        viewing = 3 if claims > 0 else 1
        if pile & CURTAIN:
            out[FLOWER_SAKE] = viewing
        if pile & MOON:
            out[MOON_SAKE] = viewing
    out[TANE] = max(popcount(pile & SEEDS) - 4, 0)
    if pile & RED_AND_BLUE_RIBBONS == RED_AND_BLUE_RIBBONS:
        out[RED_AND_BLUE] = 10
    if pile & RED_RIBBONS == RED_RIBBONS:
        out[RED] = 5
    if pile & BLUE_RIBBONS == BLUE_RIBBONS:
        out[BLUE] = 5
    out[TAN] = max(popcount(pile & RIBBONS) - 4, 0)
    out[KASU] = max(popcount(pile & DROSS) - 9, 0)

    return with_rising_bonus(sum_of(out), claims)


@compiled
def sum_of(yaku):
    """The points of the yaku alone, from those of each [NUM_YAKU]."""
    total = 0
    for index in range(NUM_YAKU):
        total += yaku[index]
    return total


@compiled
def with_rising_bonus(total, claims):
    """Points with the koi-koi bonus of the paper (RULES 4.4)."""
    if total == 0 or claims == 0:
        return total
    return total + claims if claims <= 3 else total * (claims - 2)


# The options of section 6 for what a pile is worth, packed into one number that is 0 by default: three bits
# for switches, above them the place of the bonus' word plus five times that of the viewings'.
VIEWING_WORDS = ("rising", "off", "1", "3", "5")
BONUS_WORDS = ("rising", "off", "1", "2", "3")
RAIN, SEVEN, AGAINST = 1, 2, 4
SWITCHES = 8
AS_BY_DEFAULT = RISING = 0
VIEWING_POINTS = np.array([[1, 3], [0, 0], [1, 1], [3, 3], [5, 5]], np.int64)  # before and after a claim
BONUS_POINTS = np.array([0, 0, 1, 2, 3], np.int64)
ENOUGH_TO_DOUBLE = 7


@compiled
def packed_scoring(viewing, rain, bonus, seven, against):
    """Those options as one number, from the places of their words."""
    words = viewing * len(BONUS_WORDS) + bonus
    return words * SWITCHES + RAIN * rain + SEVEN * seven + AGAINST * against


@compiled
def viewing_points(pile, claims, scoring):
    """What each Viewing Sake is worth (RULES 4.3, 6.1, 6.2)."""
    if scoring & RAIN and pile & RAINMAN:
        return 0
    return VIEWING_POINTS[scoring // (SWITCHES * len(BONUS_WORDS)), min(claims, 1)]


@compiled
def tally_of_house(pile, claims, their_claims, scoring, out):
    """`tally` under other options."""
    tally(pile, claims, out)
    viewing = viewing_points(pile, claims, scoring)
    for index in (FLOWER_SAKE, MOON_SAKE):
        if out[index] > 0:
            out[index] = viewing
    return settled(sum_of(out), claims, their_claims, scoring)


@compiled
def settled(total, claims, their_claims, scoring):
    """What yaku of so many points are worth: with the bonus, and doubled where the options say so."""
    total = doubled_from_seven(with_bonus(total, claims, scoring), scoring)
    return doubled_against(total, their_claims, scoring)


@compiled
def with_bonus(total, claims, scoring):
    """Points with the koi-koi bonus (RULES 6.3)."""
    word = scoring // SWITCHES % len(BONUS_WORDS)
    if word == RISING:
        return with_rising_bonus(total, claims)
    return total + BONUS_POINTS[word] * claims if total > 0 else total


@compiled
def doubled_from_seven(total, scoring):
    """Points, doubled if there are enough (RULES 6.4)."""
    return total * 2 if scoring & SEVEN and total >= ENOUGH_TO_DOUBLE else total


@compiled
def doubled_against(total, their_claims, scoring):
    """Points, doubled if the opponent has claimed koi-koi (RULES 6.5)."""
    return total * 2 if scoring & AGAINST and their_claims > 0 else total


HAND_YAKU_NAMES = ("Four of a Month", "Four Pairs")
HAND_YAKU_POINTS = 6


@compiled
def has_whole_month(cards):
    """Whether the set holds all four cards of some month."""
    return cards & (cards >> 1) & (cards >> 2) & (cards >> 3) & FIRST_OF_EACH_MONTH != 0


@compiled
def is_four_pairs(cards):
    """Whether eight cards are two each of four months."""
    counts = np.int64(0)  # of each month, in four bits
    for index in range(4):
        counts += (cards >> index) & FIRST_OF_EACH_MONTH
    return counts & ~(FIRST_OF_EACH_MONTH << 1) == 0


@compiled
def is_hand_yaku(cards):
    """Whether eight cards, as they were dealt, are a hand yaku (RULES 6.7)."""
    return has_whole_month(cards) or is_four_pairs(cards)


class Progress(NamedTuple):
    """How far a player is towards a yaku."""

    name: str
    have: int
    need: int
    possible: bool  # the opponent has not taken too many of its cards


GOALS = (
    ("Three Lights", DRY_LIGHTS, 3),
    ("Boar-Deer-Butterfly", BOAR_DEER_BUTTERFLY, 3),
    ("Flower Viewing Sake", CURTAIN | SAKE_CUP, 2),
    ("Moon Viewing Sake", MOON | SAKE_CUP, 2),
    ("Tane", SEEDS, 5),
    ("Red Ribbons", RED_RIBBONS, 3),
    ("Blue Ribbons", BLUE_RIBBONS, 3),
    ("Tan", RIBBONS, 5),
    ("Kasu", DROSS, 10),
)


def progress(pile: int, other_pile: int) -> list[Progress]:
    """Progress towards each yaku that a player can make from few cards."""
    return [
        Progress(name, (pile & group).bit_count(), need, (group & ~other_pile).bit_count() >= need)
        for name, group, need in GOALS
    ]
