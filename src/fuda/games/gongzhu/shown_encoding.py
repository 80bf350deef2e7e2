"""What a network that also shows cards is told: the view of `view_encoding.py`, and who has shown what.

Everything is told from the seat's side: me, the next seat, my partner, the one before.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.protocols import BID
from fuda.core.state import NOBODY
from fuda.core.words import WordBlock, columns, first_words, unpack_bits
from fuda.games.gongzhu import view_encoding
from fuda.games.gongzhu.rules import NUM_ACTIONS
from fuda.games.gongzhu.showing import NUM_SHOWABLE, SHOW, is_showing, list_shows
from fuda.games.gongzhu.view_encoding import (
    LEGAL,
    NUM_HIDDEN,
    PROGRESS,
    encode_hidden,
    encode_hidden_all,
)
from fuda.games.gongzhu.view_encoding import encode as encode_cards
from fuda.games.tricks.play import NUM_SEATS

__all__ = [
    "BLOCKS", "CANNOT_HOLD", "COLUMN_SHIFTS", "COLUMN_WORDS", "DECISION_KINDS", "ENCODING_VERSION", "LEGAL",
    "NUM_COLUMNS", "NUM_HIDDEN", "NUM_WORDS", "PLAYED_BY", "PROGRESS", "encode", "encode_all",
    "encode_hidden", "encode_hidden_all", "spread_all",
]  # fmt: skip

ENCODING_VERSION = 1
PLAYED_BY = "views"
DECISION_KINDS = ("card", BID)

# The bits of the last word, from the lowest on.
SHOWN_BY, READY = 0, NUM_SHOWABLE * NUM_SEATS
NUM_SHOWING_BITS = READY + NUM_SEATS + 1

BLOCKS = (
    *(
        block._replace(bits=NUM_ACTIONS, meaning="what I may play; before play, what I may show, or no more")
        if block.name == "legal"
        else block
        for block in view_encoding.BLOCKS
    ),
    WordBlock(
        "showing",
        1,
        NUM_SHOWING_BITS,
        "which seat has shown the pig, the ace of hearts, the sheep and the transformer, none if it was not "
        "shown; how many seats have shown all that they want to, each one-hot",
    ),
)
NUM_WORDS = sum(block.words for block in BLOCKS)
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)
SHOWING = first_words(BLOCKS)["showing"]

# The same bits as there; what is no card is held by nobody, so that any bit does.
CANNOT_HOLD = np.pad(view_encoding.CANNOT_HOLD, ((0, 0), (0, NUM_ACTIONS - SHOW)), "edge")


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    encode_cards(view, seat, words[:SHOWING])
    if is_showing(view):
        moves = np.empty(NUM_SHOWABLE + 1, np.int64)
        words[LEGAL] = 0
        for move in moves[: list_shows(view, moves)]:
            words[LEGAL] |= np.int64(1) << move
    showing = np.int64(1) << (READY + np.int64(view.num_ready))
    for place in range(NUM_SHOWABLE):
        if view.shown_by[place] != NOBODY:
            whose = (view.shown_by[place] - seat) & 3
            showing |= np.int64(1) << (SHOWN_BY + NUM_SEATS * place + whose)
    words[SHOWING] = showing


encode_all = over_positions(encode)


@compiled
def spread_all(words, diffuse, obs, first, last):
    """Write words [K, NUM_WORDS] out as numbers, obs [K, NUM_COLUMNS]; there is nothing to diffuse."""
    unpack_bits(words, COLUMN_WORDS, COLUMN_SHIFTS, obs, first, last)
