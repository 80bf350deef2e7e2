"""The input of the CQL paper, and for peasants what their partner does, which its conclusion asks for.

The landlord, who has no partner, is told nothing more.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.words import WordBlock, columns, first_words
from fuda.games.doudizhu import group_encoding
from fuda.games.doudizhu.group_encoding import (
    COPIES,
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
    group_bits,
    shares,
)
from fuda.games.doudizhu.moves import MAX_HAND, NUM_RANKS, PASS
from fuda.games.doudizhu.rules import NUM_SEATS

__all__ = [
    "BLOCKS", "COLUMN_SHARES", "COLUMN_SHIFTS", "COLUMN_WORDS", "DECISION_KINDS", "ENCODING_VERSION",
    "GROUP_BITS", "GROUP_SHAPE", "LAST_GROUPS", "MAX_GROUPS", "NUM_COLUMNS", "NUM_WORDS", "PLAYED_BY",
    "UNTOLD", "decision_kinds", "decompose", "decompose_with", "encode", "encode_all", "shares",
]  # fmt: skip

ENCODING_VERSION = 1

BLOCKS = (
    *group_encoding.BLOCKS,
    WordBlock(
        "partner", 1, NUM_RANKS * COPIES, "the cards that my partner has played: n bits of a rank for n"
    ),
    WordBlock("partner's cards", 1, MAX_HAND, "how many my partner holds, one-hot"),
    WordBlock("landlord's cards", 1, MAX_HAND, "how many the landlord holds, one-hot"),
    WordBlock("partner's trick", 1, 1, "the move to beat is my partner's"),
)
NUM_WORDS = sum(block.words for block in BLOCKS)
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)
# Only the paper's columns count shares of the unseen cards.
COLUMN_SHARES = np.concatenate(
    [group_encoding.COLUMN_SHARES, np.zeros(NUM_COLUMNS - group_encoding.NUM_COLUMNS, np.int64)]
)
PARTNER, PARTNER_CARDS, LANDLORD_CARDS, PARTNER_TRICK = (
    first_words(BLOCKS)[block.name] for block in BLOCKS[len(group_encoding.BLOCKS) :]
)


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    group_encoding.encode(view, seat, words[:PARTNER])
    words[PARTNER:] = 0
    if seat == view.landlord:
        return
    partner = NUM_SEATS - seat - view.landlord  # the seats add up to as many as there are
    words[PARTNER] = group_bits(view.played[partner])
    words[PARTNER_CARDS] = np.int64(1) << (view.sizes[partner] - 1)
    words[LANDLORD_CARDS] = np.int64(1) << (view.sizes[view.landlord] - 1)
    words[PARTNER_TRICK] = view.beat != PASS and view.beat_seat == partner


encode_all = over_positions(encode)
