"""The fewest moves that empty a hand, against trying all moves."""

import random
from functools import cache

import numpy as np
import pytest

from fuda.games.doudizhu.fewest import RELAXED, STRICT, UNKNOWN, bounds, by_runs, fewest_all, fewest_moves
from fuda.games.doudizhu.moves import MAX_LEGAL, MOVE_CARDS, RANKS, legal_leads

DECK = "".join(rank * (1 if rank in "BR" else 4) for rank in RANKS)


def packed(cards: str) -> np.int64:
    return np.int64(sum(1 << (4 * RANKS.index(card)) for card in cards))


def tried(hand: int) -> int:
    """By trying every move that has the lowest card: one of the moves must have it."""
    out = np.empty(MAX_LEGAL, np.int64)

    @cache
    def fewest(cards: int) -> int:
        if cards == 0:
            return 0
        lowest = ((cards & -cards).bit_length() - 1) // 4 * 4
        moves = MOVE_CARDS[out[: legal_leads(np.int64(cards), out)]].tolist()
        return 1 + min(fewest(cards - move) for move in moves if move >> lowest & 15)

    return fewest(hand)


def crowded(luck: random.Random) -> str:
    """Many cards of few ranks: trio chains, quads and what they take for kickers."""
    ranks = RANKS[(low := luck.randrange(8)) : low + luck.randint(4, 8)]
    ranks += "BR" * luck.randrange(2) + "2" * luck.randrange(2)
    cards = [card for card in DECK if card in ranks]
    return "".join(luck.sample(cards, min(len(cards), luck.randint(4, 20))))


@pytest.mark.parametrize(
    ("cards", "moves"),
    [
        ("", 0),
        ("3", 1),
        ("34567", 1),
        ("3456", 4),
        ("333444TJ", 1),
        ("33344455", 1),  # a pair as two solos
        ("3334444TJ", 2),
        ("33334445", 2),  # a 3 is no kicker of its own trio
        ("333444BR", 2),  # nor both jokers
        ("3333BR", 2),
        ("333444555666", 1),
        ("3334445556667778", 2),  # nor a trio beside the chain
        ("33344455566688889", 2),
        ("33444455", 1),  # a quad and two pairs
        ("34567893456789TJQKA2", 3),
        ("345678934567", 2),
    ],
)
def test_hands_that_can_be_counted_by_hand(cards, moves):
    assert tried(int(packed(cards))) == moves
    assert fewest_moves(packed(cards)) == moves


def test_no_more_and_no_fewer_than_trying_all_moves():
    luck = random.Random(3)
    hands = [packed("".join(luck.sample(DECK, luck.randint(1, 14)))) for _ in range(150)]
    hands += [packed(crowded(luck)) for _ in range(250)]
    num_searched = 0
    for hand in hands:
        right = tried(int(hand))
        least, most = bounds(hand)
        assert least <= right <= most
        assert fewest_moves(hand) == right
        num_searched += least < most
    assert num_searched > 10  # the rare hands are among them


def test_many_hands_at_once():
    luck = random.Random(4)
    hands = np.array([packed("".join(luck.sample(DECK, 20))) for _ in range(50)])
    out = np.full(50, -1)
    fewest_all(hands, out, 10, 50)
    assert out[:10].tolist() == [-1] * 10
    assert out[10:].tolist() == [fewest_moves(hand) for hand in hands[10:]]


def test_runs_know_most_hands_and_say_what_a_search_says():
    luck = random.Random(5)
    hands = [packed("".join(luck.sample(DECK, luck.randint(1, 20)))) for _ in range(4000)]
    known = [(hand, found) for hand in hands if (found := by_runs(hand)) != UNKNOWN]
    assert len(known) > 2000
    assert all(bounds(hand) == (found, found) for hand, found in known)


def test_every_trio_with_a_kicker_is_one_move_with_it():
    """What the runs take for granted, in the tables without chains and quads: [solos, pairs, trios]."""
    least, most = RELAXED[:, :, :, 0, 0], STRICT[:, :, :, 0, 0]
    solos, pairs, trios = np.indices(least.shape)
    fits = solos + 2 * pairs + 3 * trios <= 20
    kickers = solos + pairs
    enough = fits & (kickers >= trios - 1)
    assert (least[enough] == np.maximum(kickers, trios)[enough]).all()
    assert (most[enough] == np.maximum(kickers, trios)[enough]).all()
    assert (least[fits] >= (kickers + (kickers < trios))[fits]).all()
