"""What a network is told of views and of moves: against a slow account in texts."""

import random
from collections import Counter

import numpy as np
import pytest

import fuda
from fuda.core.words import WordBlock, unpack_bits
from fuda.games.doudizhu import encoding, plain_encoding
from fuda.games.doudizhu.fewest import fewest_moves
from fuda.games.doudizhu.moves import (
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    KIND_NAMES,
    MOVE_GROUP,
    PASS,
    RANKS,
)
from fuda.games.doudizhu.text import read_move

DECK = "".join(rank * (1 if rank in "BR" else 4) for rank in RANKS)


def played(seed: int, **options: object) -> list[fuda.Match]:
    """Every position of a random match in which cards are played."""
    luck = random.Random(seed)
    match = fuda.game("doudizhu", **options).start(seed)
    found = []
    while not match.over:
        if match.view(match.seat)["phase"] == "play":
            found.append(match.copy())
        match.play(luck.choice([move for move in match.legal() if move != "bid0"]))
    return found


def blocks_of(blocks: tuple[WordBlock, ...], words: np.ndarray, *columns: np.ndarray) -> dict[str, list]:
    """The bits of each block, a list for each word."""
    obs = np.full((1, len(columns[0])), 7, np.int8)  # what is there before must not matter
    unpack_bits(words[None], *columns, obs, 0, 1)
    found, first = {}, 0
    for block in blocks:
        found[block.name] = obs[0, first : first + block.width].reshape(block.words, block.bits).tolist()
        first += block.width
    assert first == obs.shape[1]
    return found


def told_of_position(match: fuda.Match) -> dict[str, list]:
    words = np.full((1, encoding.NUM_WORDS), -1, np.int64)
    encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
    return blocks_of(encoding.BLOCKS, words[0], encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)


def told_of_moves(match: fuda.Match, moves: list[str]) -> list[dict[str, list]]:
    """Written into a flat list behind another position's moves."""
    views = np.repeat(match.view_record(match.seat), 2).view(np.recarray)
    actions = np.array([action_of(move) for move in (moves[0], *moves)])
    words = np.full((len(actions), encoding.NUM_MOVE_WORDS), -1, np.int64)
    encoding.encode_moves_all(views, actions, np.array([0, 1, len(actions)]), words, 0, 2)
    assert (words[0] == words[1]).all()
    columns = encoding.MOVE_COLUMN_WORDS, encoding.MOVE_COLUMN_SHIFTS
    return [blocks_of(encoding.MOVE_BLOCKS, row, *columns) for row in words[1:]]


def bits(cards: str | None) -> list[int]:
    """One for each card of the deck: of a rank the first as many as there are."""
    have = Counter("" if cards in (None, "pass") else cards)
    return [int(place - DECK.index(card) < have[card]) for place, card in enumerate(DECK)]


def action_of(move: str | None) -> int:
    return PASS if move in (None, "pass") else read_move(move)


def one_hot(width: int, place: int) -> list[int]:
    return [int(place == other) for other in range(width)]


def without(cards: str, *others: str) -> str:
    left = Counter(cards)
    for other in others:
        left -= Counter(other)
    return "".join(left.elements())


def fewest(cards: str) -> list[int]:
    packed = sum(1 << (4 * RANKS.index(card)) for card in cards)
    return one_hot(encoding.MOST_MOVES + 1, int(fewest_moves(np.int64(packed))))


def shape(move: str | None) -> list[int]:
    """Kind, lowest main rank and length; a pass has only a kind."""
    group = MOVE_GROUP[action_of(move)]
    rank, length = (-1, -1) if GROUP_KIND[group] == 0 else (GROUP_RANK[group], GROUP_LENGTH[group] - 1)
    return [*one_hot(len(KIND_NAMES), GROUP_KIND[group]), *one_hot(len(RANKS), rank), *one_hot(12, length)]


def slow_position(view: dict) -> dict[str, list]:
    """The blocks by what a person sees."""
    seats = [(view["seat"] + other) % 3 for other in range(3)]
    moves = [move for _, move in view["history"] if not move.startswith("bid")]
    newest = [*reversed(moves), *["pass"] * encoding.NUM_HISTORY][: encoding.NUM_HISTORY]
    whose = [int(view["beat_seat"] == seat) for seat in seats[1:]]
    progress = [
        *one_hot(3, (view["seat"] - view["landlord"]) % 3),
        *whose,
        *one_hot(encoding.MOST_BOMBS + 1, min(view["bombs"], encoding.MOST_BOMBS)),
        *fewest(view["hand"]),
    ]
    return {
        "hand": [bits(view["hand"])],
        "unseen": [bits(without(DECK, view["hand"], *view["played"]))],
        "played": [bits(view["played"][seat]) for seat in seats],
        "bottom": [bits(view["bottom"])],
        "beat": [bits(view["beat"])],
        "shape": [shape(view["beat"])],
        "sizes": [[bit for seat in seats for bit in one_hot(20, view["hand_sizes"][seat] - 1)]],
        "progress": [progress],
        "history": [bits(move) for move in newest],
    }


@pytest.mark.parametrize("bidding", ["off", "on"])
def test_positions_are_told_as_a_person_sees_them(bidding):
    num_told = 0
    for seed in range(12):
        for match in played(seed, bidding=bidding):
            assert told_of_position(match) == slow_position(match.view(match.seat))
            num_told += 1
    assert num_told > 300


def test_moves_are_told_by_their_cards_and_what_they_leave():
    num_told = 0
    for seed in range(3):
        for match in played(seed):
            hand, moves = match.view(match.seat)["hand"], match.legal()
            for move, told in zip(moves, told_of_moves(match, moves), strict=True):
                rest = hand if move == "pass" else without(hand, move)
                assert told == {
                    "cards": [bits(move)],
                    "rest": [bits(rest)],
                    "shape": [shape(move)],
                    "left": [one_hot(21, len(rest)) + fewest(rest)],
                }
                num_told += 1
    assert num_told > 300


@pytest.mark.parametrize(
    ("move", "kind", "rank", "length"),
    [
        ("3", "solo", "3", 1),
        ("R", "solo", "R", 1),
        ("34567", "solo chain", "3", 5),
        ("333444TJ", "trio chain and solos", "3", 2),
        ("33888", "trio and pair", "8", 1),
        ("3344AAAA", "quad and two pairs", "A", 1),
        ("BR", "rocket", "B", 2),
    ],
)
def test_shapes(move, kind, rank, length):
    word = int(encoding.SHAPE_BITS[read_move(move)])
    places = [place for place in range(encoding.NUM_SHAPE_BITS) if word >> place & 1]
    assert places == [KIND_NAMES.index(kind), 15 + RANKS.index(rank), 30 + length - 1]


def test_a_position_of_the_bidding_can_be_told_too():
    match = fuda.game("doudizhu", bidding="on").start(1)
    told = told_of_position(match)
    assert told["bottom"] == [bits("")]
    assert told["progress"][0][:3] == [0, 0, 0]  # nobody is the landlord yet


def test_the_plain_encoding_lacks_the_fewest_moves_alone():
    match = played(3)[4]
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    plain_encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
    told = blocks_of(
        plain_encoding.BLOCKS, words[0], plain_encoding.COLUMN_WORDS, plain_encoding.COLUMN_SHIFTS
    )
    whole = told_of_position(match)
    progress, known = whole.pop("progress")[0], told.pop("progress")[0]
    assert told == whole
    assert progress[: len(known)] == known
    assert sum(progress[len(known) :]) == 1  # the one bit that says how many moves
    assert len(progress) - len(known) == encoding.MOST_MOVES + 1
    fewer = plain_encoding.NUM_MOVE_COLUMNS - encoding.NUM_MOVE_COLUMNS
    assert fewer == -(encoding.MOST_MOVES + 1)
