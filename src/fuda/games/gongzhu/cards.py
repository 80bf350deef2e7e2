"""The cards that count, and what a pile is worth: RULES.md, sections 1 and 4."""

import numpy as np

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.games.tricks.french import HEARTS, NUM_CARDS, NUM_RANKS, WHOLE_SUIT, card_ids, card_set

PIG, SHEEP, TRANSFORMER = card_set("SQ"), card_set("DJ"), card_set("C10")
ALL_HEARTS = WHOLE_SUIT << (HEARTS * NUM_RANKS)
SCORING = ALL_HEARTS | PIG | SHEEP | TRANSFORMER
WORTHLESS = card_set("H2 H3 H4 C10")  # scoring cards that count only by what lies beside them

# What a card is worth by itself [card]; C10 counts 0 here, as it acts on the others (RULES 4.1).
RAW = np.zeros(NUM_CARDS, np.int64)
RAW[card_ids("H5 H6 H7 H8 H9 H10 HJ HQ HK HA")] = -10, -10, -10, -10, -10, -10, -20, -30, -40, -50
RAW[card_ids("SQ DJ")] = -100, 100
# The same for whole sets: a heart costs 10 for each of these that it is in.
FROM_5, FROM_JACK = card_set("H5 H6 H7 H8 H9 H10 HJ HQ HK HA"), card_set("HJ HQ HK HA")
FROM_QUEEN, FROM_KING, ACE = card_set("HQ HK HA"), card_set("HK HA"), card_set("HA")


@compiled
def raw_points(cards):
    """The points of the cards one by one, C10 as 0 (RULES 4.1)."""
    tens = popcount(cards & FROM_5) + popcount(cards & FROM_JACK) + popcount(cards & FROM_QUEEN)
    points = -10 * (tens + popcount(cards & FROM_KING) + popcount(cards & ACE))
    if cards & PIG:
        points -= 100
    if cards & SHEEP:
        points += 100
    return points


@compiled
def doubled_cards(shown):
    """The cards that count double where the cards of a set were shown (RULES 8.3); C10 apart."""
    cards = shown & (PIG | SHEEP)
    return cards | ALL_HEARTS if shown & ACE else cards


@compiled
def pile_points(pile, shown):
    """What a pile is worth to the player who took it (RULES 4.1 to 4.3), with the cards shown (8.3)."""
    if pile & SCORING == TRANSFORMER:
        return 100 if shown & TRANSFORMER else 50
    points = raw_points(pile)
    if pile & ALL_HEARTS == ALL_HEARTS:
        points += 400
    if shown:
        twice = pile & doubled_cards(shown)
        points += raw_points(twice)
        if twice & ALL_HEARTS == ALL_HEARTS:
            points += 400
    if pile & TRANSFORMER:
        points *= 4 if shown & TRANSFORMER else 2
    return points
