"""The input of the CQL paper for networks with an output for every move: the own hand is read as a group.

K positions, L the most legal moves of one.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.threads import split
from fuda.core.words import WordBlock
from fuda.games.doudizhu import group_encoding
from fuda.games.doudizhu.group_encoding import (
    BEAT,
    COLUMN_SHARES,
    COLUMN_SHIFTS,
    COLUMN_WORDS,
    DECISION_KINDS,
    GROUP_BITS,
    GROUP_SHAPE,
    HAND,
    LAST_GROUPS,
    NUM_COLUMNS,
    UNTOLD,
    decision_kinds,
    group_bits,
    shares,
)
from fuda.games.doudizhu.moves import MAX_LEGAL, NUM_MOVES, PASS, legal_follows, legal_leads

__all__ = [
    "BLOCKS", "COLUMN_SHARES", "COLUMN_SHIFTS", "COLUMN_WORDS", "DECISION_KINDS", "ENCODING_VERSION",
    "GROUP_BITS", "GROUP_SHAPE", "HAND_BITS", "LAST_GROUPS", "MAX_GROUPS", "MAX_LEGAL", "NUM_COLUMNS",
    "NUM_OUTPUTS", "NUM_WORDS", "PLAYED_BY", "UNTOLD", "decision_kinds", "encode", "encode_all",
    "legal_table", "shares",
]  # fmt: skip

ENCODING_VERSION = 1
PLAYED_BY = "actions"  # its networks have an output for each action
MAX_GROUPS = 1  # the move itself: hands are not taken apart
NUM_OUTPUTS = NUM_MOVES
NO_MOVE = -1  # behind the last legal one
MIN_SHARE = 64

BLOCKS = (
    *group_encoding.BLOCKS,
    WordBlock("own", 1, 0, "the own cards: n bits of a rank for n cards, read as a group"),
)
HAND_BITS = group_encoding.NUM_WORDS
NUM_WORDS = HAND_BITS + 1


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    group_encoding.encode(view, seat, words[:HAND_BITS])
    words[HAND_BITS] = group_bits(view.hand[seat])


encode_all = over_positions(encode)


@compiled
def write_legal(words, table, counts, first, last):
    """Write the legal moves of positions first..last-1 to `table` [K, MAX_LEGAL], and how many."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        if words[k, BEAT] == PASS:
            counts[k] = legal_leads(words[k, HAND], moves)
        else:
            counts[k] = legal_follows(words[k, HAND], words[k, BEAT], moves)
        for place in range(counts[k]):
            table[k, place] = moves[place]


def legal_table(words: np.ndarray) -> np.ndarray:
    """The legal moves of positions [K, L], NO_MOVE behind the last of each."""
    table, counts = np.full((len(words), MAX_LEGAL), NO_MOVE, np.int16), np.zeros(len(words), np.int64)
    split(write_legal, words, table, counts, count=len(words), min_share=MIN_SHARE)
    return table[:, : counts.max(initial=1)]
