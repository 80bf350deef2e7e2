"""RULES 5.3: the points are called settled only when nothing can change them any more."""

import random

import pytest

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.gongzhu import rules
from fuda.games.gongzhu.claim import _changes_nothing
from fuda.games.gongzhu.text import points
from fuda.games.tricks.french import card_set

from .reference import DECK, HEARTS, SUITS

GAME = fuda.game("gongzhu")
ONE_SUIT_EACH = {"hands": [[card for card in DECK if card[0] == suit] for suit in SUITS]}
ENDINGS = 4  # tried from each position that is called settled


def settled(match, seat):
    return match.view(seat)["settled"]


def ends(match, seat, luck):
    """Points at the end of a random way on, with random cards in the hands that the seat cannot see."""
    state = match.view_record(seat)
    rules.redeal(state[0], seat, streams(luck.getrandbits(32), SAMPLE, 0, 1))
    again = match.copy()
    again._stand(state, state, state, dealt=False)
    while not again.over:
        again.play(luck.choice(again.legal()))
    return again.scores


def test_what_is_settled_never_changes():
    """However the unseen cards lie and whatever is played; and it happens well before the end."""
    luck = random.Random(3)
    early = {"nothing left": 0, "all the rest": 0}
    for number in range(60):
        match = GAME.start(seed=number)
        told = {}
        while not match.over:
            for seat in range(4):
                final = settled(match, seat)
                if final is None:
                    continue
                told[seat] = final
                early["nothing left" if final == match.view(seat)["points"] else "all the rest"] += 1
                assert all(ends(match, seat, luck) == final for _ in range(ENDINGS))
            match.play(luck.choice(match.legal()))
        assert all(final == match.scores for final in told.values())
    assert min(early.values()) > 20, early


def test_a_claim_stays_one_at_every_turn_of_the_seat():
    """The page plays on by itself as long as the server calls it settled: that must not stop halfway."""
    luck = random.Random(4)
    for number in range(60):
        match = GAME.start(seed=1000 + number)
        claimed = set()
        while not match.over:
            seat = match.seat
            if settled(match, seat) is not None:
                claimed.add(seat)
            assert seat not in claimed or settled(match, seat) is not None
            match.play(luck.choice(match.legal()))


def test_who_leads_with_the_highest_cards_takes_all_the_rest():
    match = GAME.start(seed=0, deal=ONE_SUIT_EACH)
    assert settled(match, 0) == [points(DECK), 0, 0, 0]
    assert [settled(match, seat) for seat in (1, 2, 3)] == [None] * 3  # they do not know that
    swapped = [list(hand) for hand in ONE_SUIT_EACH["hands"]]
    swapped[0][0], swapped[3][12] = swapped[3][12], swapped[0][0]  # CA for S2: still the highest of its suit
    assert settled(GAME.start(seed=0, deal={"hands": swapped}), 0) == [points(DECK), 0, 0, 0]
    swapped[0][12], swapped[3][12] = swapped[3][12], swapped[0][12]  # SA for S2: another has it now
    assert settled(GAME.start(seed=0, deal={"hands": swapped}), 0) is None


def test_in_the_middle_of_a_trick_nothing_is_claimed_by_high_cards():
    match = GAME.start(seed=0, deal=ONE_SUIT_EACH)
    match.play("SA")
    assert settled(match, 0) is None


OTHERS = " ".join(card for card in HEARTS if card not in ("H2", "H3", "H4"))


@pytest.mark.parametrize(
    ("left", "piles", "nothing"),
    [
        ("", ("SQ", "DJ", "C10", OTHERS), True),
        ("H2 H3 H4", ("SQ C10", "DJ H5 H6", "H7 H8 H9", "H10 HJ HQ HK HA"), True),
        ("H2", ("SQ", "DJ", "C10", OTHERS + " H3 H4"), False),  # all hearts count +200
        ("H2 H3", ("SQ", "DJ H4", "", OTHERS + " C10"), True),
        ("H2 H3 H4", ("SQ", "DJ", "", OTHERS + " C10"), False),  # the three may all go to the last seat
        ("H4", ("SQ H2", "DJ H3", "C10", OTHERS), False),  # C10 alone counts 50, with H4 0
        ("C10", ("SQ H2", "DJ H3", "H4", OTHERS), False),  # doubles
        ("C10", ("H2", "H3", "H4", "SQ DJ"), True),  # nothing to double
        ("C10", ("H2", "", "H4", "SQ DJ"), False),  # +50 for an empty pile
        ("H5", ("", "", "", ""), False),
        ("SQ", ("", "", "", ""), False),
        ("DJ H2", ("", "", "", ""), False),
    ],
)
def test_what_the_cards_that_are_left_can_change(left, piles, nothing):
    assert _changes_nothing(card_set(left), [card_set(pile) for pile in piles]) is nothing
