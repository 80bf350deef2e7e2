"""DeepRocket's planes with an output for each of the 27,472 moves and no kickers: to compare with.

K positions.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.planes import layout
from fuda.games.doudizhu import deeprocket_encoding
from fuda.games.doudizhu.deeprocket_encoding import (
    BIDDER,
    FURTHER_KIND,
    FURTHER_LAYOUT,
    FURTHER_PLANES,
    FURTHER_ROWS,
    LEGAL,
    LEGAL_BITS,
    NUM_FURTHER_OUTPUTS,
    NUM_FURTHER_WORDS,
    PLANES,
    PLAYED_BY,
    ROWS,
    UNTOLD,
    decision_kinds,
    encode_further,
    encode_further_all,
)
from fuda.games.doudizhu.moves import MAX_LEGAL, NUM_MOVES, PASS, legal_follows, legal_leads

__all__ = [
    "BIDDER", "DECISION_KINDS", "ENCODING_VERSION", "FURTHER", "FURTHER_KIND", "FURTHER_LAYOUT",
    "FURTHER_PLANES", "FURTHER_ROWS", "LAYOUT", "NUM_FURTHER_OUTPUTS", "NUM_FURTHER_WORDS", "NUM_OUTPUTS",
    "NUM_WORDS", "OUTPUT_OF", "PLANES", "PLAYED_BY", "ROWS", "UNTOLD", "decision_kinds", "encode",
    "encode_all", "encode_further", "encode_further_all", "num_further",
]  # fmt: skip

ENCODING_VERSION = 1
DECISION_KINDS = tuple(kind for kind in deeprocket_encoding.DECISION_KINDS if kind != FURTHER_KIND)
NUM_OUTPUTS = NUM_MOVES
OUTPUT_OF = np.arange(NUM_MOVES)
FURTHER = np.empty((NUM_MOVES, 0), np.int8)  # no move has further parts
NUM_WORDS = LEGAL + -(-NUM_OUTPUTS // LEGAL_BITS)

_WORDS_BELOW = deeprocket_encoding.NUM_WORDS
_OF_PLANES = deeprocket_encoding.LAYOUT
_MOVES = np.arange(NUM_MOVES)
LAYOUT = layout(
    _OF_PLANES.shape, _OF_PLANES.num_written, (LEGAL + _MOVES // LEGAL_BITS, _MOVES % LEGAL_BITS),
    _OF_PLANES.table, (_OF_PLANES.number_words, _OF_PLANES.number_shifts, _OF_PLANES.number_mask),
)  # fmt: skip


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    deeprocket_encoding.encode(view, seat, words[:_WORDS_BELOW])
    words[LEGAL:] = 0
    moves = np.empty(MAX_LEGAL, np.int64)
    hand, beat = view.hand[seat], np.int64(view.beat)
    count = legal_leads(hand, moves) if beat == PASS else legal_follows(hand, beat, moves)
    for move in moves[:count]:
        words[LEGAL + move // LEGAL_BITS] |= np.int64(1) << (move % LEGAL_BITS)


encode_all = over_positions(encode)


@compiled
def num_further(_move):
    """None."""
    return 0
