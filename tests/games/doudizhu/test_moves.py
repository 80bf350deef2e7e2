"""The move table and the legal moves: RULES.md, sections 3 and 4."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuda.games import doudizhu
from fuda.games.doudizhu.moves import (
    GROUP_KIND,
    GROUP_LENGTH,
    KIND_NAMES,
    KIND_SIZES,
    MAX_LEGAL,
    MOVE_CARDS,
    MOVE_GROUP,
    MOVE_SIZE,
    NUM_GROUPS,
    NUM_MOVES,
    RANKS,
    ROCKET_MOVE,
    beats,
    find,
    legal_follows,
    legal_leads,
    num_cards,
)
from fuda.games.doudizhu.text import move_text, read_move

TABLE = {
    "pass": 1, "solo": 15, "pair": 13, "trio": 13, "solo chain": 36, "pair chain": 52,
    "trio chain": 45, "trio and solo": 182, "trio and pair": 156,
    "trio chain and solos": 968 + 3_282 + 7_184 + 10_388,
    "trio chain and pairs": 605 + 1_200 + 1_134,
    "quad and two solos": 1_326, "quad and two pairs": 858, "bomb": 13, "rocket": 1,
}  # fmt: skip
COUNTS = MOVE_CARDS[:, None] >> (4 * np.arange(15)) & 15  # [M, 15]
DECK = "".join(rank * (1 if rank in "BR" else 4) for rank in RANKS)


def test_every_kind_has_as_many_moves_as_the_table_says():
    assert KIND_SIZES == TABLE
    assert NUM_MOVES == sum(TABLE.values()) == 27_472
    assert NUM_GROUPS == 309
    assert len(set(MOVE_CARDS.tolist())) == NUM_MOVES  # RULES 3.1: no two readings


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        ("trio chain and solos", {2: 968, 3: 3_282, 4: 7_184, 5: 10_388}),
        ("trio chain and pairs", {2: 605, 3: 1_200, 4: 1_134}),
    ],
)
def test_chains_with_kickers_of_each_length(kind, sizes):
    groups = MOVE_GROUP[GROUP_KIND[MOVE_GROUP] == KIND_NAMES.index(kind)]
    assert Counter(GROUP_LENGTH[groups].tolist()) == sizes


def test_every_move_reads_back_from_its_cards_and_its_text():
    for move in range(1, NUM_MOVES):
        text = move_text(move)
        assert len(text) == MOVE_SIZE[move] == num_cards(MOVE_CARDS[move])
        assert read_move(text[::-1]) == move
    assert find(np.int64(0)) == 0
    assert move_text(0) == "pass"
    assert move_text(ROCKET_MOVE) == "BR"


def obeys_section_3(text: str) -> bool:
    """A slow second opinion on what a move is, from the words of RULES 3."""
    count = Counter(text)

    def chain(ranks: list[str], shortest: int) -> bool:
        places = sorted(RANKS.index(rank) for rank in ranks)
        follow = all(b == a + 1 for a, b in pairwise(places))
        return len(ranks) >= shortest and follow and places[-1] < RANKS.index("2")

    for copies, shortest in ((1, 5), (2, 3), (3, 2)):
        if set(count.values()) == {copies} and (len(count) == 1 or chain(list(count), shortest)):
            return True
    if (set(count.values()) == {4} and len(count) == 1) or sorted(text) == ["B", "R"]:
        return True
    readings = [([rank], 2, 4) for rank in count if count[rank] == 4]
    trios = sorted((rank for rank in count if count[rank] == 3), key=RANKS.index)
    for low in range(len(trios)):
        for high in range(low + 1, len(trios) + 1):
            run = trios[low:high]
            if len(run) == 1 or chain(run, 2):
                readings.append((run, len(run), 3))
    return any(_kickers_fit(count, *reading) for reading in readings)


def _kickers_fit(count: Counter, mains: list[str], kickers: int, copies: int) -> bool:
    rest = {rank: n for rank, n in count.items() if rank not in mains}
    if set(rest.values()) == {2} and len(rest) == kickers:
        return True  # RULES 3.3
    if sum(rest.values()) != kickers or {"B", "R"} <= set(rest) or 4 in rest.values():
        return False
    places = [RANKS.index(rank) for rank in mains]
    beside = {min(places) - 1, max(places) + 1} if copies == 3 else set()
    return not any(n == 3 and RANKS.index(rank) in beside and rank != "2" for rank, n in rest.items())


# Hands of few ranks have chains and kickers; those from the whole deck hardly ever do.
@st.composite
def hands(draw):
    low = draw(st.integers(0, 12))
    high = draw(st.integers(low + 1, 14))
    pool = [card for card in DECK if low <= RANKS.index(card) <= high]
    size = draw(st.integers(1, min(20, len(pool))))
    return "".join(draw(st.permutations(pool))[:size])


def packed(hand: str) -> np.int64:
    return np.int64(sum(1 << (4 * RANKS.index(card)) for card in hand))


@settings(max_examples=300, deadline=None)
@given(hand=hands(), beat=st.integers(1, NUM_MOVES - 1))
def test_generated_moves_are_those_of_the_table(hand, beat):
    out = np.empty(MAX_LEGAL, np.int64)
    held = [hand.count(rank) for rank in RANKS]
    fitting = np.flatnonzero((held >= COUNTS).all(axis=1))[1:]
    count = legal_leads(packed(hand), out)
    assert out[:count].tolist() == fitting.tolist()
    for to_beat in {beat, int(fitting[beat % len(fitting)])}:
        count = legal_follows(packed(hand), to_beat, out)
        assert out[:count].tolist() == [0, *(move for move in fitting.tolist() if beats(move, to_beat))]
    assert doudizhu.moves(hand) == sorted(move_text(int(move)) for move in fitting)


@settings(max_examples=300, deadline=None)
@given(cards=hands())
def test_what_is_a_move_agrees_with_a_second_opinion(cards):
    assert (find(packed(cards)) >= 0) == obeys_section_3(cards)


def test_the_table_agrees_with_a_second_opinion():
    sample = np.random.default_rng(0).permutation(np.arange(1, NUM_MOVES))[:3000]
    assert all(obeys_section_3(move_text(int(move))) for move in sample)


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        ("3456", "3.1: a chain has five cards"), ("TJQKA2", "3.2"), ("AA22", "3.1"), ("QQKKAA22", "3.2"),
        ("AAA222", "3.2"), ("333BR", "3.3: jokers are no pair"), ("33334", "6: a quad has two kickers"),
        ("3333BR", "3.4"), ("33344455", "ok"), ("333444BR", "3.4"), ("3334443", "3.3"),
        ("333344445555", "3.4"), ("3334445556666777", "3.4"), ("444555666333", "ok"),
        ("QQQKKKAAA222", "ok"), ("333444555777", "ok"), ("33334455", "ok"), ("33334444", "3.3"),
        ("333444555666777888999", "21 cards"),
    ],
)  # fmt: skip
def test_sets_at_the_edge_of_the_rules(cards, rule):
    assert (find(packed(cards)) >= 0) == (rule == "ok")


@pytest.mark.parametrize(
    ("hand", "beat", "legal"),
    [
        ("3344", None, ["3", "33", "4", "44"]),
        ("33344", None, ["3", "33", "333", "3334", "33344", "4", "44"]),
        ("34567", "3", ["4", "5", "6", "7", "pass"]),
        ("BR", "22", ["BR", "pass"]),
        ("R2", "B", ["R", "pass"]),
        ("45678", "34567", ["45678", "pass"]),
        ("456789", "34567", ["45678", "56789", "pass"]),
        ("4444", "33", ["44", "4444", "pass"]),  # RULES 4.4
        ("4444BR", "5555", ["BR", "pass"]),
        ("44446666BR", "5555", ["6666", "BR", "pass"]),
        ("444455", "33334455", ["4444", "pass"]),  # quads with solos are another kind
        ("555533", "333344", ["335555", "5555", "pass"]),  # a quad with kickers is no bomb
        ("555567", "4444", ["5555", "pass"]),
        ("4445", "333R", ["4445", "pass"]),  # RULES 4.3: kickers do not count
        ("2222", "BR", ["pass"]),
    ],
)
def test_legal_moves_in_small_positions(hand, beat, legal):
    assert doudizhu.moves(hand[::-1], beat=beat) == sorted(legal)
