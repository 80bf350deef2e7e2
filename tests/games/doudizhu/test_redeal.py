"""Redeals against all physical deals that agree with a view, counted one by one."""

from collections import Counter
from itertools import product
from math import prod, sqrt

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu.moves import RANKS
from fuda.games.doudizhu.text import cards_text, read_cards

SAMPLES = 10_000


def ending(deal: dict, left: list[str], **options: str) -> np.recarray:
    """A state in which each seat has played all but the cards `left`; seat 0 is the landlord."""
    state = SPEC.new_states(1)
    rng = streams(0, SAMPLE, 0, 1)
    SPEC.rules.start(state[0], fuda.game("doudizhu", **options).option_codes, rng)
    assert SPEC.rules.deal(state[0], SPEC.text.read_deal(state[0], deal, rng))
    for seat, cards in enumerate(left):
        held = read_cards("hand", cards, 1, 20)
        state[0].played[seat] = state[0].hand[seat] - held
        state[0].hand[seat] = held
        state[0].sizes[seat] = len(cards)
    return state


def sampled(state: np.recarray, seat: int, count: int = SAMPLES) -> Counter:
    """How often each pair of hands of the two others came out."""
    view = state.copy()
    SPEC.rules.hide(view[0], seat)
    rng = streams(11, SAMPLE, 0, 1)
    others = [(seat + 1) % 3, (seat + 2) % 3]
    found: Counter = Counter()
    for _ in range(count):
        full = view.copy()
        SPEC.rules.redeal(full[0], seat, rng)
        found[tuple(int(full[0].hand[other]) for other in others)] += 1
    return found


def physical_deals(state: np.recarray, seat: int) -> dict[tuple[int, int], int]:
    """The number of deals of 54 different cards behind each pair of hands, from the definition.

    For each rank, every card is given to a seat, and to the bottom or not, in all possible ways;
    those whose ranks agree with what the seat saw are counted.
    """
    row = state[0]
    others = [(seat + 1) % 3, (seat + 2) % 3]
    per_rank = []
    for rank in range(15):
        played = [int(row.played[player]) >> (4 * rank) & 15 for player in range(3)]
        mine = played[seat] + (int(row.hand[seat]) >> (4 * rank) & 15)
        bottom = int(row.bottom) >> (4 * rank) & 15
        ways: Counter = Counter()
        places = [
            (player, shown) for player in range(3) for shown in ((0, 1) if player == row.landlord else (0,))
        ]
        for cards in product(places, repeat=4 if rank < 13 else 1):
            had = Counter(player for player, _ in cards)
            agrees = had[seat] == mine and all(had[other] >= played[other] for other in others)
            if agrees and sum(shown for _, shown in cards) == bottom:
                ways[tuple(had[other] - played[other] for other in others)] += 1
        per_rank.append(ways)
    deals: Counter = Counter()
    for choice in product(*(ways.items() for ways in per_rank)):
        held = [counts for counts, _ in choice]
        if [sum(column) for column in zip(*held, strict=True)] == [int(row.sizes[other]) for other in others]:
            hands = tuple(sum(counts[i] << (4 * rank) for rank, counts in enumerate(held)) for i in (0, 1))
            deals[hands] += prod(number for _, number in choice)
    return deals


def check_uniform(state: np.recarray, seat: int) -> None:
    expected, found = physical_deals(state, seat), sampled(state, seat)
    assert set(found) <= set(expected)
    total = sum(expected.values())
    rare = [hands for hands in expected if expected[hands] * SAMPLES < 5 * total]
    cells = [(found[hands], expected[hands]) for hands in expected if hands not in rare]
    cells.append((sum(found[hands] for hands in rare), sum(expected[hands] for hands in rare)))
    cells = [(seen, weight * SAMPLES / total) for seen, weight in cells if weight]
    chi_square = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    freedom = len(cells) - 1
    # Four standard deviations above the mean of a chi-square.
    assert chi_square <= freedom + 4 * sqrt(2 * freedom)


DEAL = {"hands": ["33445566778899TTJJQQ", "334455667788KKAA2", "99TTJJQQKKAA222BR"], "bottom": "339"}


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("bottom", ["339", "3TQ", "446"])
@pytest.mark.parametrize(
    "left",
    [["39TQ", "368K", "9KB"], ["3", "3", "9"], ["334499", "3344", "99TT2B"], ["56", "5678KA2", "R2"]],
    ids=",".join,
)
def test_redeals_are_uniform_over_physical_deals(seat, bottom, left):
    check_uniform(ending(DEAL | {"bottom": bottom}, left), seat)


def test_the_landlord_holds_the_bottom_cards_that_it_has_not_played():
    """Two 3 lay at the bottom and the landlord played none: both are in its hand."""
    state = ending(DEAL | {"bottom": "33Q"}, ["3399", "3378", "99TT"])
    for landlords, _ in sampled(state, 2, 500):
        assert cards_text(landlords).startswith("33")


def test_a_played_card_may_or_may_not_be_the_one_from_the_bottom():
    """Seat 2 had neither 3 nor 4; one of each is unseen, one each for the landlord and seat 1.

    The landlord, who got a 3 from the bottom, played one 3 and two 4. Had it two of the 3, that
    is C(4, 2) C(2, 1) C(4, 2) = 72 deals; had it one, C(4, 1) C(1, 1) C(4, 3) = 16.
    """
    state = ending(DEAL | {"bottom": "3TQ"}, ["3", "4", "99"])
    found = sampled(state, 2, 8800)
    threes = found[read_cards("hand", "3", 1, 1), read_cards("hand", "4", 1, 1)]
    assert abs(threes - 7200) <= 4 * sqrt(8800 * 72 * 16 / 88**2)
    assert sum(found.values()) == 8800


def test_bidding_hides_the_bottom_from_redeals():
    game = fuda.game("doudizhu", bidding="on")
    match = game.start(seed=5)
    seen: Counter = Counter()
    rng = streams(3, SAMPLE, 0, 1)
    for _ in range(3000):
        full = match.view_record(0)
        SPEC.rules.redeal(full[0], 0, rng)
        assert [len(cards_text(hand)) for hand in full[0].hand] == [17, 17, 17]
        seen.update(cards_text(full[0].bottom))
    own = match.view(0)["hand"]
    for rank in RANKS:  # each unseen card is at the bottom in 3 of 37 deals
        unseen = (1 if rank in "BR" else 4) - own.count(rank)
        mean = 3000 * unseen * 3 / 37
        assert abs(seen[rank] - mean) <= 5 * sqrt(mean)
