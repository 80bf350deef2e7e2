"""What networks of decompositions are told, against a plain account; the wide form adds `encoding.py`."""

import random

import numpy as np

import fuda
from fuda.core.words import unpack_bits
from fuda.games.doudizhu import (
    action_encoding,
    cooperation_encoding,
    encoding,
    group_encoding,
    rules,
    wide_group_encoding,
)
from fuda.games.doudizhu.moves import MOVE_CARDS, PASS, RANKS
from fuda.games.doudizhu.text import read_move


def positions(seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = fuda.game("doudizhu").start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def words_of(module, match: fuda.Match) -> np.ndarray:
    words = np.full((1, module.NUM_WORDS), -1, np.int64)
    module.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
    return words


def numbers_of(module, words: np.ndarray) -> np.ndarray:
    """As a network is given them."""
    numbers = np.zeros((1, module.NUM_COLUMNS))
    unpack_bits(words, module.COLUMN_WORDS, module.COLUMN_SHIFTS, numbers, 0, 1)
    return (numbers * np.stack(module.shares(words), axis=1)[:, module.COLUMN_SHARES])[0]


def played(match: fuda.Match) -> list[str]:
    return [move for _, move in match.moves]


def test_the_paper_s_input():
    for match in [*positions(1), *positions(2)]:
        words, seat = words_of(group_encoding, match), match.seat
        state = np.frombuffer(match.state_bytes(), rules.STATE).view(np.recarray)[0]
        following, before = (seat + 1) % 3, (seat + 2) % 3
        hands = [[int(state.hand[other]) >> 4 * rank & 15 for rank in range(15)] for other in range(3)]
        right = []
        total = sum(hands[following]) + sum(hands[before])
        for other in (following, before):
            share = sum(hands[other]) / total
            for rank in range(15):
                held = hands[following][rank] + hands[before][rank]
                right += [share * (held > copy) for copy in range(4)]
        np.testing.assert_allclose(numbers_of(group_encoding, words), right, atol=1e-6)
        last = [PASS if move == "pass" else read_move(move) for move in reversed(played(match)[-2:])]
        last += [PASS] * (2 - len(last))
        assert words[0, list(group_encoding.LAST_GROUPS)].tolist() == last
        assert group_encoding.decision_kinds(words).tolist() == [seat]  # the landlord is seat 0
        found = group_encoding.decompose(words, 50, np.ones(1, np.uint64))
        legal = set(match.legal_actions().values())
        assert set(found.groups[found.playable].tolist()) <= legal
        for groups in found.of(0):
            mine = sum(int(MOVE_CARDS[group]) for group in groups)
            assert mine == int(state.hand[seat])


def test_bits_of_groups():
    bits = int(group_encoding.GROUP_BITS[read_move("4445")])
    held = {rank: [bits >> 4 * place + copy & 1 for copy in range(4)] for place, rank in enumerate(RANKS)}
    assert {rank: row for rank, row in held.items() if any(row)} == {"4": [1, 1, 1, 0], "5": [1, 0, 0, 0]}


def test_the_wide_form_is_both():
    for match in positions(3)[::5]:
        words = words_of(wide_group_encoding, match)
        mine, others = words_of(group_encoding, match), words_of(encoding, match)
        assert words.tolist() == np.concatenate([mine, others], axis=1).tolist()
        columns = (encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)
        told = np.zeros((1, encoding.NUM_COLUMNS))
        unpack_bits(others, *columns, told, 0, 1)
        expected = np.concatenate([numbers_of(group_encoding, mine), told[0]])
        np.testing.assert_allclose(numbers_of(wide_group_encoding, words), expected)
        assert wide_group_encoding.decision_kinds(words).tolist() == [match.seat]


def test_peasants_are_told_of_their_partner():
    tricks = 0
    for match in [*positions(4), *positions(5)]:
        words, seat = words_of(cooperation_encoding, match), match.seat
        assert words[:, : group_encoding.NUM_WORDS].tolist() == words_of(group_encoding, match).tolist()
        told = numbers_of(cooperation_encoding, words)[group_encoding.NUM_COLUMNS :]
        right = np.zeros(60 + 20 + 20 + 1)
        if seat != 0:
            partner = 3 - seat
            moves = [(who, move) for who, move in match.moves if move != "pass"]
            gone = "".join(move for who, move in moves if who == partner)
            for place, rank in enumerate(RANKS):
                right[4 * place : 4 * place + gone.count(rank)] = 1
            right[60 + 17 - len(gone) - 1] = 1
            right[80 + 20 - sum(len(move) for who, move in moves if who == 0) - 1] = 1
            if "pass" in match.legal():
                right[100] = moves[-1][0] == partner
        assert told.tolist() == right.tolist()
        tricks += right[100]
    assert tricks > 3


def test_legal_moves_from_words_alone_and_the_hand_as_a_group():
    found = [*positions(6), *positions(7)]
    words = np.concatenate([words_of(action_encoding, match) for match in found])
    table = action_encoding.legal_table(words)
    for match, row, word in zip(found, table, words[:, action_encoding.HAND_BITS], strict=True):
        assert row[row >= 0].tolist() == sorted(match.legal_actions().values())
        assert (row[len(match.legal()) :] == -1).all()
        hand = match.view(match.seat)["hand"]
        held = [int(word) >> 4 * place + copy & 1 for place in range(15) for copy in range(4)]
        assert held == [int("".join(hand).count(rank) > copy) for rank in RANKS for copy in range(4)]
