"""RULES 5.2: a view is dealt anew uniformly over all deals that agree with it."""

import itertools
import math

import numpy as np
import pytest

from fuda.core.generator import below_wide, streams
from fuda.games import gongzhu
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.deals import count_deals, fill_pools, nth_deal
from fuda.games.tricks.french import ALL_CARDS, NUM_SUITS
from fuda.games.tricks.play import sort_unseen

from .reference import DECK, SUITS, bits, deals, position, view_of
from .test_rules import random_match

RULES = gongzhu.SPEC.rules
MAX_BRUTE = 1000  # deals that are written out


def unseen_of(view, seat):
    pools, sizes = np.empty(8, np.int64), np.empty(3, np.int64)
    sort_unseen(view[0], seat, ALL_CARDS, pools, sizes)
    return pools, sizes


def void_texts(view, seat):
    found = []
    for other in range(1, 4):
        suits = int(view[0].voids[(seat + other) % 4])
        found.append([suit for number, suit in enumerate(SUITS) if suits >> number & 1])
    return found


def count_by_suits(view, seat):
    """The number of deals by another road: suit by suit, over how many cards go to whom."""
    pools, sizes = unseen_of(view, seat)
    unseen = card_texts(np.bitwise_or.reduce(pools))
    ways = {(0, 0, 0): 1}
    for suit in SUITS:
        length = sum(card[0] == suit for card in unseen)
        after = {}
        able = [suit not in voids for voids in void_texts(view, seat)]
        for split in itertools.product(range(length + 1), repeat=3):
            if sum(split) != length or any(n and not can for n, can in zip(split, able, strict=True)):
                continue
            number = math.factorial(length) // math.prod(math.factorial(n) for n in split)
            for held, count in ways.items():
                key = tuple(a + b for a, b in zip(held, split, strict=True))
                after[key] = after.get(key, 0) + count * number
        ways = after
    return ways.get(tuple(int(size) for size in sizes), 0)


def chi_square(counts, expected):
    """Whether the counts look uniform: the statistic against its mean and four deviations."""
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    free = len(counts) - 1
    return statistic < free + 4 * math.sqrt(2 * free)


def test_the_number_of_deals_at_the_start():
    view = view_of(random_match(0)[0], 0)
    assert count_deals(*unseen_of(view, 0)) == math.factorial(39) // math.factorial(13) ** 3


def test_counts_agree_with_another_way_of_counting():
    for seed in range(3):
        for state in random_match(seed)[seed::9]:
            for seat in range(4):
                view = view_of(state, seat)
                assert count_deals(*unseen_of(view, seat)) == count_by_suits(view, seat)


def test_the_numbered_deals_are_all_deals_each_once():
    tried = 0
    for seed in range(4):
        for state in random_match(seed)[28:]:
            for seat in range(4):
                view = view_of(state, seat)
                pools, sizes = unseen_of(view, seat)
                count = count_deals(pools, sizes)
                if count > MAX_BRUTE:
                    continue
                hands = np.empty(3, np.int64)
                found = set()
                for number in range(count):
                    nth_deal(pools, sizes, number, hands)
                    found.add(tuple(frozenset(card_texts(hand)) for hand in hands))
                unseen = card_texts(np.bitwise_or.reduce(pools))
                assert len(found) == count
                assert found == set(deals(unseen, [int(size) for size in sizes], void_texts(view, seat)))
                tried += count > 1
    assert tried > 50


def test_random_pools_with_all_kinds_of_holders():
    """Reachable positions seldom have all seven pools: here they are drawn."""
    rng = np.random.default_rng(5)
    pools, hands, kinds = np.empty(8, np.int64), np.empty(3, np.int64), set()
    for _ in range(300):
        voids = np.array([bits_of(rng.random(NUM_SUITS) < 0.4) for _ in range(3)], np.int64)
        cards = rng.permutation(DECK)
        held = [[] for _ in range(3)]
        for card in cards:
            other = int(rng.integers(3))
            if len(held[other]) < 3 and not voids[other] >> SUITS.index(card[0]) & 1:
                held[other].append(str(card))
        sizes = np.array([len(hand) for hand in held], np.int64)
        unseen = [card for hand in held for card in hand]
        fill_pools(bits(unseen), voids, pools)
        kinds |= {kind for kind in range(8) if pools[kind]}
        count = count_deals(pools, sizes)
        found = set()
        for number in range(count):
            nth_deal(pools, sizes, number, hands)
            found.add(tuple(frozenset(card_texts(hand)) for hand in hands))
        suits = [[suit for number, suit in enumerate(SUITS) if void >> number & 1] for void in voids]
        assert len(found) == count
        assert found == set(deals(unseen, sizes.tolist(), suits))
    assert kinds == set(range(1, 8))


def bits_of(flags):
    return sum(1 << int(place) for place in np.flatnonzero(flags))


def test_a_view_of_a_redeal_is_the_view():
    rng = streams(1, 0, 0, 1)
    for state in random_match(6):
        for seat in range(4):
            view = view_of(state, seat)
            full = view.copy()
            RULES.redeal(full[0], seat, rng)
            assert view_of(full, seat).tobytes() == view.tobytes()
            count = np.zeros(52, np.int64)
            RULES.count_cards(full[0], count)
            assert (count == 1).all()
            for other in range(4):
                assert int(full[0].hand[other]).bit_count() == int(state[0].hand[other]).bit_count()
                held = {card[0] for card in card_texts(full[0].hand[other])}
                suits = int(view[0].voids[other])
                assert not held & {suit for number, suit in enumerate(SUITS) if suits >> number & 1}


# Small endings, seen from seat 0, with the voids that make naive dealing unfair.
ENDINGS = {
    "one void": (["SA S2 S3", "H2 H3 C2", "D2 D3 H4", "C3 C4 H5"], ("", "D", "", "")),
    "two voids": (["SA S2 S3", "H2 H3 H4", "D2 D3 H5", "C3 C4 H6"], ("", "C", "H", "")),
    "in a ring": (["SA S2 S3", "H2 H3 C2", "D2 D3 H4", "C3 C4 D4"], ("", "D", "C", "H")),
    "mid trick": (["SA S2 S3", "H2 H3", "D2 D3 H4", "C3 C4 H5"], ("", "SC", "", "")),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_small_endings_are_dealt_uniformly(name):
    hands, voids = ENDINGS[name]
    leader, table = (1, "C5") if name == "mid trick" else (0, "")
    held = " ".join([*hands, table]).split()
    gone = [card for card in DECK if card not in held]
    state = position(hands, table, leader, (gone, "", "", ""), voids)
    view = view_of(state, 0)
    _, sizes = unseen_of(view, 0)
    unseen = [card for hand in hands[1:] for card in hand.split()]
    every = dict.fromkeys(deals(unseen, sizes.tolist(), void_texts(view, 0)), 0)
    rng = streams(7, 0, 0, 1)
    per_deal = 40
    for _ in range(per_deal * len(every)):
        full = view.copy()
        RULES.redeal(full[0], 0, rng)
        every[tuple(frozenset(card_texts(hand)) for hand in full[0].hand[1:])] += 1
    assert len(every) > 20
    assert chi_square(every.values(), per_deal)


def test_the_first_deal_is_uniform_for_each_card():
    view = view_of(random_match(0)[0], 0)
    rng = streams(8, 0, 0, 1)
    unseen = [card for card in range(52) if not int(view[0].hand[0]) >> card & 1]
    counts = np.zeros((3, 39))
    rounds = 900
    for _ in range(rounds):
        full = view.copy()
        RULES.redeal(full[0], 0, rng)
        for other in range(3):
            counts[other] += [int(full[0].hand[1 + other]) >> card & 1 for card in unseen]
    assert chi_square(counts.ravel(), rounds / 3)


def test_a_corner_where_hardly_a_shuffle_would_pass():
    """One suit each: of 39!/13!^3 shuffles one agrees with the voids."""
    hands = [[card for card in DECK if card[0] == suit] for suit in SUITS]
    state = position(hands, voids=("", "SDC", "SHC", "SHD"))
    view = view_of(state, 0)
    assert count_deals(*unseen_of(view, 0)) == 1
    full = view.copy()
    RULES.redeal(full[0], 0, streams(1, 0, 0, 1))
    assert full.tobytes() == state.tobytes()


def test_wide_random_numbers_are_uniform():
    n = 3 << 40
    rng = streams(9, 0, 0, 1)
    counts = np.zeros(96)
    draws = 9600
    for _ in range(draws):
        counts[below_wide(rng, n) * 32 >> 40] += 1
    assert chi_square(counts, draws / 96)
