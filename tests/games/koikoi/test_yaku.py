"""Section 4 of RULES.md, by hand and against a slow reference."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fuda.games import koikoi
from fuda.games.koikoi import cards as deck
from fuda.games.koikoi.text import CARD_TEXTS

LIGHTS = ["1-1", "3-1", "8-1", "12-1"]
RAINMAN = "11-1"
SEEDS = ["2-1", "4-1", "5-1", "6-1", "7-1", "8-2", "9-1", "10-1", "11-2"]
RED, BLUE, PLAIN = ["1-2", "2-2", "3-2"], ["6-2", "9-2", "10-2"], ["4-2", "5-2", "7-2", "11-3"]
DROSS = [card for card in CARD_TEXTS if card not in [*LIGHTS, RAINMAN, *SEEDS, *RED, *BLUE, *PLAIN]]


@pytest.mark.parametrize(
    ("pile", "claims", "expected"),
    [
        ([], 0, []),
        ([*LIGHTS, RAINMAN], 0, [("Five Lights", 10)]),
        (LIGHTS, 0, [("Four Lights", 8)]),
        ([*LIGHTS[:3], RAINMAN], 0, [("Rainy Four Lights", 7)]),
        (LIGHTS[:3], 0, [("Three Lights", 5)]),
        ([*LIGHTS[:2], RAINMAN], 0, []),  # 4.2
        (["7-1", "10-1", "6-1"], 0, [("Boar-Deer-Butterfly", 5)]),
        (["3-1", "9-1"], 0, [("Flower Viewing Sake", 1)]),
        (["3-1", "9-1"], 1, [("Flower Viewing Sake", 3), ("Koi-Koi", 1)]),  # 4.3, 4.4
        (["8-1", "9-1"], 2, [("Moon Viewing Sake", 3), ("Koi-Koi", 2)]),
        (["3-1", "8-1", "9-1"], 4, [("Flower Viewing Sake", 3), ("Moon Viewing Sake", 3), ("Koi-Koi", 6)]),
        (SEEDS[:5], 0, [("Tane", 1)]),
        (RED, 3, [("Red Ribbons", 5), ("Koi-Koi", 3)]),
        (RED, 4, [("Red Ribbons", 5), ("Koi-Koi", 5)]),  # 4.4: times 2, nothing added
        (RED, 7, [("Red Ribbons", 5), ("Koi-Koi", 20)]),
        ([*RED, *BLUE], 0, [("Red & Blue Ribbons", 10), ("Red Ribbons", 5), ("Blue Ribbons", 5), ("Tan", 2)]),
        ([*RED[:2], *BLUE[:2], PLAIN[0]], 0, [("Tan", 1)]),
        ([*DROSS[:9], "9-1"], 0, [("Kasu", 1)]),  # 1.2
        (DROSS, 0, [("Kasu", 15)]),
        (DROSS[:9], 5, []),  # 4.4: no yaku, no points
    ],
)
def test_a_pile_has_these_yaku(pile, claims, expected):
    assert koikoi.yaku(pile, koikoi=claims) == expected
    assert koikoi.points(pile, koikoi=claims) == sum(points for _, points in expected)


def test_the_whole_deck_has_every_yaku_that_can_stand_together():
    names = [name for name, _ in koikoi.yaku(list(CARD_TEXTS))]
    assert names == [
        "Five Lights", "Boar-Deer-Butterfly", "Flower Viewing Sake", "Moon Viewing Sake", "Tane",
        "Red & Blue Ribbons", "Red Ribbons", "Blue Ribbons", "Tan", "Kasu",
    ]  # fmt: skip


def reference(pile: set[str], claims: int) -> int:
    """The points of a pile, written down a second time and slowly."""
    dry = sum(card in pile for card in LIGHTS)
    rain = RAINMAN in pile
    total = {(4, True): 10, (4, False): 8, (3, True): 7, (3, False): 5}.get((dry, rain), 0)
    total += 5 * ({"7-1", "10-1", "6-1"} <= pile)
    total += (1 if claims == 0 else 3) * (({"3-1", "9-1"} <= pile) + ({"8-1", "9-1"} <= pile))
    red, blue = set(RED) <= pile, set(BLUE) <= pile
    total += 5 * red + 5 * blue + 10 * (red and blue)
    for group, first in ((SEEDS, 5), ([*RED, *BLUE, *PLAIN], 5), ([*DROSS, "9-1"], 10)):
        total += max(0, sum(card in pile for card in group) - first + 1)
    if not total:
        return 0
    return total + claims if claims < 4 else total * (claims - 2)


@given(st.sets(st.sampled_from(CARD_TEXTS)), st.integers(0, 7))
@example(set(CARD_TEXTS), 7)
def test_points_equal_a_slow_reference(pile, claims):
    assert koikoi.points(sorted(pile), koikoi=claims) == reference(pile, claims)


@given(st.sets(st.sampled_from(CARD_TEXTS)), st.sampled_from(CARD_TEXTS), st.integers(0, 7))
def test_another_card_never_costs_points(pile, card, claims):
    more = koikoi.points(sorted(pile | {card}), koikoi=claims)
    assert more >= koikoi.points(sorted(pile), koikoi=claims)


def test_the_deck_has_the_kinds_of_section_1():
    counts = [group.bit_count() for group in (deck.LIGHTS, deck.SEEDS, deck.RIBBONS, deck.DROSS)]
    assert counts == [5, 9, 10, 25]  # the Sake Cup is seed and dross


@pytest.mark.parametrize(
    "cards", [None, "3-1", 7, ["3-1", "3-1"], ["13-1"], ["3-5"], [31], ["3-1 "], [None], {"3-1": 1}]
)
def test_a_bad_pile_is_a_value_error(cards):
    with pytest.raises(ValueError, match="card"):
        koikoi.points(cards)


@pytest.mark.parametrize("claims", [-1, 8, 1.0, "1", None, True])
def test_a_bad_number_of_claims_is_a_value_error(claims):
    with pytest.raises(ValueError, match="koikoi is a number of claims from 0 to 7"):
        koikoi.yaku(["3-1", "9-1"], koikoi=claims)
