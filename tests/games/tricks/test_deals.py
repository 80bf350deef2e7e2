"""Deals of hidden hands in which some cards are known to lie in a certain hand, as after a pass."""

import itertools
import random

import numpy as np
import pytest

from fuda.core.generator import SAMPLE, streams
from fuda.games.tricks.deals import count_deals, draw_deal, fill_pools, fix_holder, nth_deal
from fuda.games.tricks.french import NUM_RANKS


def every_deal(cards, sizes, voids, known):
    """All hands of the three others, written out: each card to each seat that may hold it."""
    found = set()
    for holders in itertools.product(range(3), repeat=len(cards)):
        if tuple(holders.count(other) for other in range(3)) != tuple(sizes):
            continue
        if any(voids[other] >> (card // NUM_RANKS) & 1 for card, other in zip(cards, holders, strict=True)):
            continue
        if any(known.get(card, other) != other for card, other in zip(cards, holders, strict=True)):
            continue
        hands = [0, 0, 0]
        for card, other in zip(cards, holders, strict=True):
            hands[other] |= 1 << card
        found.add(tuple(hands))
    return found


def case(seed):
    """Eight cards of three suits, hands of 2 to 4, a void, and two or three cards whose place is known."""
    luck = random.Random(seed)
    cards = sorted(luck.sample(range(3 * NUM_RANKS), 8))
    sizes = luck.choice([(3, 3, 2), (2, 2, 4), (3, 2, 3)])
    voids = [0, 0, 0]
    voids[luck.randrange(3)] = 1 << luck.randrange(3)
    known = {}
    for card in luck.sample(cards, luck.randint(2, 3)):
        known[card] = luck.choice([k for k in range(3) if not voids[k] >> (card // NUM_RANKS) & 1])
    return cards, np.array(sizes), np.array(voids), known


def pools_of(cards, voids, known):
    pools = np.empty(8, np.int64)
    fill_pools(sum(1 << card for card in cards), voids, pools)
    for card, other in known.items():
        fix_holder(pools, np.int64(1 << card), other)
    return pools


@pytest.mark.parametrize("seed", range(8))
def test_the_numbered_deals_are_all_deals_each_once(seed):
    cards, sizes, voids, known = case(seed)
    pools, hands = pools_of(cards, voids, known), np.empty(3, np.int64)
    expected = every_deal(cards, sizes, voids, known)
    count = count_deals(pools, sizes)
    found = []
    for number in range(count):
        nth_deal(pools, sizes, number, hands)
        found.append(tuple(hands.tolist()))
    assert count == len(expected)
    assert set(found) == expected


def test_known_cards_leave_something_open_in_these_cases():
    """Else the test above would compare empty sets."""
    sizes = [len(every_deal(*case(seed))) for seed in range(8)]
    assert sum(size > 5 for size in sizes) >= 4
    assert all(len(every_deal(*case(seed)[:3], {})) > size for seed, size in enumerate(sizes))


def test_a_drawn_deal_has_the_known_cards_where_they_are():
    cards, sizes, voids = list(range(6)), np.array([2, 2, 2]), np.zeros(3, np.int64)
    known, rng, hands = {0: 1, 5: 2}, streams(1, SAMPLE, 0, 1), np.empty(3, np.int64)
    seen = set()
    for _ in range(300):
        draw_deal(pools_of(cards, voids, known), sizes, rng, hands)
        seen.add(tuple(hands.tolist()))
    assert seen == every_deal(cards, sizes, voids, known)  # 12 deals, each missed with chance 5e-12
