"""Moves in parts, as in the DeepRocket paper: a main group with the kind of its kickers, then the kickers.

There are 309 main groups, in the order of `moves.py`, and 28 kickers: 15 solos, then 13 pairs. The kickers of
a move stand in rising order, so each move has one name, and no two moves have the same.

G groups, M moves.
"""

from collections.abc import Sequence

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.games.doudizhu.moves import (
    BLACK,
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    KICKER_SIZE,
    KICKERS_PER_MAIN,
    MAIN_COPIES,
    MAX_KICKERS,
    MAX_LEGAL,
    MOVE_CARDS,
    MOVE_GROUP,
    NO_CARDS,
    NUM_RANKS,
    find,
    write_with_kickers,
)

NUM_KICKERS = NUM_RANKS + BLACK  # solos, then pairs
NO_KICKER = -1  # behind the last one of a move


def _main_ranks(kind: int, length: int, rank: int) -> int:
    if kind == NO_CARDS:
        return 0
    return sum(1 << (4 * main) for main in range(rank, rank + length))


# [G] the ranks of the main cards as a mask, the main cards, and how many kickers there are.
GROUP_MAINS = np.array(
    [_main_ranks(*map(int, group)) for group in zip(GROUP_KIND, GROUP_LENGTH, GROUP_RANK, strict=True)],
    np.int64,
)
GROUP_CARDS = GROUP_MAINS * MAIN_COPIES[GROUP_KIND]
GROUP_KICKERS = KICKERS_PER_MAIN[GROUP_KIND] * GROUP_LENGTH


def _kickers_of_all() -> np.ndarray:
    groups = MOVE_GROUP.astype(np.int64)
    cards, sizes = MOVE_CARDS - GROUP_CARDS[groups], KICKER_SIZE[GROUP_KIND[groups]]
    found = np.full((len(cards), MAX_KICKERS), NO_KICKER, np.int8)
    number = np.zeros(len(cards), np.int64)
    for rank in range(NUM_RANKS):
        for copy in range(1, MAX_KICKERS):
            has = np.flatnonzero((cards >> (4 * rank) & 15) >= copy * np.maximum(sizes, 1))
            found[has, number[has]] = rank + NUM_RANKS * (sizes[has] - 1)
            number[has] += 1
    return found


KICKERS = _kickers_of_all()  # [M, MAX_KICKERS] of each move, NO_KICKER behind the last


def move_of(group: int, kickers: Sequence[int]) -> int:
    """The move with these parts, or -1 where they make none; kickers in any order."""
    size = int(KICKER_SIZE[GROUP_KIND[group]])
    if len(kickers) != GROUP_KICKERS[group] or any(kicker // NUM_RANKS != size - 1 for kicker in kickers):
        return -1
    cards = int(GROUP_CARDS[group])
    for rank in (kicker % NUM_RANKS for kicker in kickers):
        if (cards >> (4 * rank) & 15) + size > 4:  # more than four of a rank would run into the next
            return -1
        cards += size << (4 * rank)
    move = int(find(np.int64(cards))) if cards else 0
    return move if move >= 0 and MOVE_GROUP[move] == group else -1


@compiled
def next_kickers(hand, move, done):
    """Which kickers may be the next, bit by bit, when a hand has chosen the first `done` ones of a move.

    Those that come later are never lower, and what is left of the hand can still complete the group.
    """
    group = MOVE_GROUP[move]
    moves = np.empty(MAX_LEGAL, np.int64)
    start = np.int64(1) << (4 * GROUP_RANK[group])
    count = write_with_kickers(start, GROUP_KIND[group], GROUP_LENGTH[group], hand, moves, 0)
    found = np.int64(0)
    for other in moves[:count]:
        is_like = True
        for place in range(done):
            if KICKERS[other, place] != KICKERS[move, place]:
                is_like = False
        if is_like:
            found |= np.int64(1) << np.int64(KICKERS[other, done])
    return found


@compiled
def packed_kickers(move, done):
    """The cards of a move's first `done` kickers."""
    cards = np.int64(0)
    for place in range(done):
        kicker = np.int64(KICKERS[move, place])
        size = 1 + kicker // NUM_RANKS
        cards += size << (4 * (kicker % NUM_RANKS))
    return cards


@compiled
def write_main_ranks(moves, out):
    """Write for each kind of moves [NUM_KINDS] the ranks, as a mask, that are main ranks in some of them."""
    out[:] = 0
    for move in moves:
        group = MOVE_GROUP[move]
        out[GROUP_KIND[group]] |= GROUP_MAINS[group]


@compiled
def long_runs(mask, shortest):
    """The ranks of a mask that stand in runs of at least so many."""
    found = np.int64(0)
    while mask:
        rank = lowest(mask) >> 2
        length = 1
        while mask >> (4 * (rank + length)) & 1:
            length += 1
        run = ((np.int64(1) << (4 * length)) - 1) << (4 * rank)
        if length >= shortest:
            found |= mask & run
        mask &= ~run
    return found
