"""DeepRocket's outputs, kickers, planes and bids, against plain accounts from text."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

import fuda
from fuda.core.generator import AGENT, streams
from fuda.games.doudizhu import bidding, flat_encoding
from fuda.games.doudizhu import deeprocket_encoding as encoding
from fuda.games.doudizhu.kickers import GROUP_KICKERS, KICKERS, NO_KICKER, NUM_KICKERS, move_of
from fuda.games.doudizhu.moves import (
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    KIND_NAMES,
    MAIN_COPIES,
    MAX_KICKERS,
    MOVE_GROUP,
    NUM_GROUPS,
    NUM_MOVES,
    RANKS,
)
from fuda.games.doudizhu.text import cards_text, move_text, read_cards, read_move

OUTPUTS = {  # of the paper's Figure 5, as the categories' sizes add up to 309
    "pass": 1, "solo": 15, "pair": 13, "trio": 13, "trio and solo": 13, "trio and pair": 13, "solo chain": 36,
    "pair chain": 52, "trio chain": 45, "trio chain and solos": 38, "trio chain and pairs": 30,
    "quad and two solos": 13, "quad and two pairs": 13, "bomb": 13, "rocket": 1,
}  # fmt: skip


def test_the_outputs_are_those_of_the_paper():
    assert sum(OUTPUTS.values()) == encoding.NUM_OUTPUTS == NUM_GROUPS == 309
    assert Counter(KIND_NAMES[kind] for kind in GROUP_KIND) == OUTPUTS
    assert encoding.NUM_FURTHER_OUTPUTS == NUM_KICKERS == 28


def main_text(group: int) -> str:
    """The main cards of an output, read off its name and rank."""
    kind, rank, length = KIND_NAMES[GROUP_KIND[group]], GROUP_RANK[group], GROUP_LENGTH[group]
    if kind == "pass":
        return ""
    if kind == "rocket":
        return "BR"
    return "".join(card * int(MAIN_COPIES[GROUP_KIND[group]]) for card in RANKS[rank : rank + length])


def kicker_text(kicker: int) -> str:
    return RANKS[kicker] if kicker < len(RANKS) else 2 * RANKS[kicker - len(RANKS)]


def test_every_move_is_an_output_and_its_kickers_and_back():
    named = set()
    for move in range(NUM_MOVES):
        group, kickers = int(MOVE_GROUP[move]), [int(each) for each in KICKERS[move] if each != NO_KICKER]
        assert kickers == sorted(kickers)
        assert len(kickers) == GROUP_KICKERS[group]
        cards = main_text(group) + "".join(map(kicker_text, kickers))
        assert "".join(sorted(cards, key=RANKS.index)) == (move_text(move) if move else "")
        assert move_of(group, kickers) == move
        assert move_of(group, kickers[::-1]) == move
        named.add((group, *kickers))
    assert len(named) == NUM_MOVES == 27_472


def test_parts_that_make_no_move_are_none():
    """All of an output and some kickers: those that name a move are as many as there are moves of it."""
    for cards in ("33344456", "3334", "333344", "33", "333444"):
        group = int(MOVE_GROUP[read_move(cards)])
        most = min(MAX_KICKERS, int(GROUP_KICKERS[group]) + 1)
        found = [
            move_of(group, parts)
            for count in range(most + 1)
            for parts in itertools.combinations_with_replacement(range(NUM_KICKERS), count)
        ]
        assert sorted(move for move in found if move >= 0) == np.flatnonzero(group == MOVE_GROUP).tolist()


def played(seed: int, seed_of_moves: int = 0) -> list[fuda.Match]:
    """The positions of a game of random moves."""
    luck, match, found = random.Random(seed_of_moves), fuda.game("doudizhu").start(seed), []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def planes_of(match: fuda.Match) -> np.ndarray:
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
    return encoding.LAYOUT.planes(words)[0]


def counts(cards: str) -> list[list[int]]:
    return [[int(cards.count(rank) > copy) for rank in RANKS] for copy in range(4)]


def main_ranks(move: str) -> str:
    return "" if move == "pass" else main_text(int(MOVE_GROUP[read_move(move)]))


def category(move: str) -> int:
    return 0 if move == "pass" else int(GROUP_KIND[MOVE_GROUP[read_move(move)]])


def expected_planes(match: fuda.Match) -> np.ndarray:
    """The planes of the seat to move, from its view as text."""
    seat, view = match.seat, match.view(match.seat)
    found = np.zeros((21, 19, 15), int)

    def mark(plane: int, row: int, ranks: str) -> None:
        for rank in ranks:
            found[plane, row, RANKS.index(rank)] = 1

    found[0, :4] = counts(view["hand"])
    for move in fuda.games.doudizhu.moves(view["hand"]):
        mark(0, 4 + category(move), main_ranks(move))
    everything = "".join(4 * rank for rank in RANKS[:13]) + "BR"
    seen = Counter(view["hand"] + "".join(view["played"]))
    found[1, :4] = counts("".join((Counter(everything) - seen).elements()))
    for other, row in ((1, 4), (2, 6)):
        size = view["hand_sizes"][(seat + other) % 3]
        found[1, row : row + 2].reshape(-1)[:size] = 1
    found[1, 8 + seat] = 1  # seat 0 is the landlord
    found[2, :4] = counts(view["bottom"])
    if view["beat"] is not None:
        mark(2, 4 + category(view["beat"]), main_ranks(view["beat"]))
    for ago, (_, move) in enumerate(reversed(match.moves[-18:])):
        if move == "pass":
            found[3 + ago, 4] = 1
        else:
            found[3 + ago, :4] = counts(move)
            mark(3 + ago, 4 + category(move), main_ranks(move))
    return found


def test_planes_are_what_a_person_sees():
    seen = Counter()
    for seed in range(3):
        for match in played(seed):
            assert np.array_equal(planes_of(match), expected_planes(match))
            seen[match.seat] += 1
    assert set(seen) == {0, 1, 2}
    assert encoding.LAYOUT.shape == (21, 19, 15) == (sum(b.planes for b in encoding.PLANES), 19, 15)
    assert encoding.FURTHER_LAYOUT.shape == (3, 9, 15)


def test_the_flat_form_has_the_same_planes_and_an_output_for_each_legal_move():
    for match in played(2)[::3]:
        words = np.zeros((1, flat_encoding.NUM_WORDS), np.int64)
        flat_encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
        assert np.array_equal(flat_encoding.LAYOUT.planes(words)[0], planes_of(match))
        legal = np.flatnonzero(flat_encoding.LAYOUT.legal(words)[0])
        assert legal.tolist() == list(match.legal_actions().values())
        assert flat_encoding.decision_kinds(words) == [match.seat]


def kicker_planes(hand: str, move: str, done: int) -> np.ndarray:
    view = fuda.game("doudizhu").spec.new_states(1)
    view["hand"][0, 0] = read_cards("a hand", hand, 1, 20)
    words = np.zeros((1, encoding.NUM_FURTHER_WORDS), np.int64)
    row, moves = np.zeros(1, np.int64), np.array([read_move(move)])
    encoding.encode_further_all(view, row, row, moves, done, words, 0, 1)
    assert np.array_equal(
        encoding.FURTHER_LAYOUT.legal(words)[0],
        encoding.FURTHER_LAYOUT.planes(words)[0, 0, 7:].reshape(-1)[:28].astype(bool),
    )
    return encoding.FURTHER_LAYOUT.planes(words)[0].astype(int)


def ranks_in(row: np.ndarray) -> str:
    return "".join(rank for rank, cell in zip(RANKS, row, strict=True) if cell)


@pytest.mark.parametrize(
    ("hand", "move", "done", "left", "solos", "pairs"),
    [
        # The lower of two comes first, so it is no 9; after a 5 comes a 5 or more.
        ("333444556789", "33344456", 0, "556789", "5678", ""),
        ("333444556789", "33344456", 1, "56789", "56789", ""),
        ("333444556789", "33344478", 1, "55689", "89", ""),
        # A pair is one kicker.
        ("3334445566JJ", "3334445566", 0, "5566JJ", "", "56"),
        ("3334445566JJ", "3334445566", 1, "66JJ", "", "6J"),
        # RULES 3.4: never both jokers, and not four of a rank.
        ("3333456BR", "33335B", 1, "46BR", "6BR", ""),
        ("3333456BR", "33335B", 0, "456BR", "456", ""),
        ("333444555777TTTT9", "33344455579T", 2, "77TTTT", "T", ""),
    ],
)
def test_kickers_are_told_apart_and_may_be_what_the_rules_allow(hand, move, done, left, solos, pairs):
    planes = kicker_planes(hand, move, done)
    assert planes[0, :4].tolist() == counts(left)
    assert (ranks_in(planes[0, 7]), ranks_in(planes[0, 8])) == (solos, pairs)
    group = int(MOVE_GROUP[read_move(move)])
    chosen = "".join(kicker_text(int(kicker)) for kicker in KICKERS[read_move(move)][:done])
    assert planes[1, :4].tolist() == counts(main_text(group))
    assert planes[2, :4].tolist() == counts(chosen)
    is_pair = bool(chosen) and len(chosen) == 2 * done
    assert ranks_in(planes[2, 8 if is_pair else 7]) == "".join(dict.fromkeys(chosen))


def test_trios_chains_and_quads_that_are_left_are_marked():
    planes = kicker_planes("333444555777TTTT9", "3339", 0)
    assert [ranks_in(row) for row in planes[0, 4:7]] == ["457T", "45", "T"]
    assert [ranks_in(row) for row in planes[1, 4:9]] == ["3", "", "", "3", ""]


def test_next_kickers_are_those_of_the_legal_moves():
    """Random hands: what may come next is what the hand's moves with the same beginning have there."""
    luck, num_asked = random.Random(3), 0
    deck = [rank for rank in RANKS[:6] for _ in range(4)] + ["K", "K", "2", "2", "2", "2", "B", "R"]
    for _ in range(40):
        hand = "".join(sorted(luck.sample(deck, 16), key=RANKS.index))
        moves = [read_move(move) for move in fuda.games.doudizhu.moves(hand)]
        with_kickers = [move for move in moves if KICKERS[move, 0] != NO_KICKER]
        for move in luck.sample(with_kickers, min(4, len(with_kickers))):
            for done in range(int(GROUP_KICKERS[MOVE_GROUP[move]])):
                expected = {
                    int(KICKERS[other, done])
                    for other in moves
                    if MOVE_GROUP[other] == MOVE_GROUP[move]
                    and (KICKERS[other, :done] == KICKERS[move, :done]).all()
                }
                planes = kicker_planes(hand, move_text(move), done)
                assert set(np.flatnonzero(planes[0, 7:].reshape(-1))) == expected
                num_asked += 1
    assert num_asked > 150


@pytest.mark.parametrize(
    ("hand", "control"),
    [
        ("34567789TJQQKK345", 0),
        ("3456789TJQKA2BR34", 1 + 2 + 3 + 4),
        ("3333789TJQKAA22R4", 2 + 4 + 4 + 3),
        ("AAAA2222BR3456789", 4 + 8 + 7 + 6),
    ],
)
def test_control_cards_are_counted(hand, control):
    cards = read_cards("a hand", "".join(sorted(hand, key=RANKS.index)), 17, 17)
    assert bidding.control(np.int64(cards)) == control


@pytest.mark.parametrize(
    ("hand", "stake", "by_both", "by_control"),
    [
        ("3456789TJQKAA2222", 0, 3, 3),  # 13 of control, three moves
        ("3456789TJQKKKA223", 0, 2, 0),  # 5 of control in four moves: tidy
        ("34567789TJQQKK345", 0, 0, 0),
        ("3456789TJQKKKA223", 2, 0, 0),  # no more than what was bid
        ("34678TJQKKAA2B557", 0, 0, 1),  # 7 of control in many moves
    ],
)
def test_bids(hand, stake, by_both, by_control):
    match = fuda.game("doudizhu", bidding="on").start(1)
    if stake:
        match.play(f"bid{stake}")
    view = match.view_record(match.seat)
    view["hand"][0, match.seat] = read_cards("a hand", hand, 17, 17)
    chosen = [
        move_text(int(policy.choose(view[0], match.seat, streams(1, AGENT, 0, 1))))
        for policy in bidding.BIDDERS
    ]
    assert chosen == [f"bid{by_both}", f"bid{by_control}"]


def test_the_mover_s_cards_are_read_in_any_seat():
    for match in played(5)[:6]:
        hand = cards_text(match.view_record(match.seat)[0].hand[match.seat])
        assert planes_of(match)[0, :4].astype(int).tolist() == counts(hand)
