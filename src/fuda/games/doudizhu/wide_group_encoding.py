"""The input of the CQL paper, and with it all that networks of moves are told of a view (`encoding.py`)."""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.words import columns
from fuda.games.doudizhu import encoding, group_encoding
from fuda.games.doudizhu.group_encoding import (
    DECISION_KINDS,
    GROUP_BITS,
    GROUP_SHAPE,
    LAST_GROUPS,
    MAX_GROUPS,
    PLAYED_BY,
    UNTOLD,
    decision_kinds,
    decompose,
    decompose_with,
    shares,
)

__all__ = [
    "BLOCKS", "COLUMN_SHARES", "COLUMN_SHIFTS", "COLUMN_WORDS", "DECISION_KINDS", "ENCODING_VERSION",
    "GROUP_BITS", "GROUP_SHAPE", "LAST_GROUPS", "MAX_GROUPS", "NUM_COLUMNS", "NUM_WORDS", "PLAYED_BY",
    "UNTOLD", "decision_kinds", "decompose", "decompose_with", "encode", "encode_all", "shares",
]  # fmt: skip

ENCODING_VERSION = 1

FIRST = group_encoding.NUM_WORDS  # of the words that are told beside
BLOCKS = (
    *(block._replace(name=f"group {block.name}") for block in group_encoding.BLOCKS),
    *encoding.BLOCKS,
)
NUM_WORDS = FIRST + encoding.NUM_WORDS
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)
# Only the paper's columns count shares of the unseen cards.
COLUMN_SHARES = np.concatenate([group_encoding.COLUMN_SHARES, np.zeros(encoding.NUM_COLUMNS, np.int64)])


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    group_encoding.encode(view, seat, words[:FIRST])
    encoding.encode(view, seat, words[FIRST:])


encode_all = over_positions(encode)
