"""Yaku and their points: section 4 of RULES.md."""

from typing import NamedTuple

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLY,
    CURTAIN,
    DROSS,
    DRY_LIGHTS,
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

    total = 0
    for index in range(NUM_YAKU):
        total += out[index]
    if total == 0 or claims == 0:
        return total
    return total + claims if claims <= 3 else total * (claims - 2)  # RULES 4.4


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
