"""What a network that also bids is told: all that `encoding.py` tells, the bids so far, and rows of bids.

K positions, M moves: those of position k are number starts[k] to starts[k + 1] - 1 of a flat list.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_moves, over_positions
from fuda.core.protocols import BID as BID_KIND
from fuda.core.state import NOBODY
from fuda.core.words import WordBlock, columns, first_words
from fuda.games.doudizhu import encoding
from fuda.games.doudizhu.encoding import BOTTOM, PROGRESS, ROLE
from fuda.games.doudizhu.encoding import encode as encode_cards
from fuda.games.doudizhu.encoding import encode_move as encode_play
from fuda.games.doudizhu.moves import PASS
from fuda.games.doudizhu.rules import BID, MAX_BID, NO_BID, NUM_SEATS

ENCODING_VERSION = 1
PLAYED_BY = "moves"
DECISION_KINDS = (*encoding.DECISION_KINDS, BID_KIND)
UNTOLD = {"bidding": ("robbing",), "showing": ("on",)}

BIDS = MAX_BID + 1
# The bits of the word AUCTION, from the lowest on.
SEAT_BIDS, STAKE = 0, NUM_SEATS * (1 + BIDS)
NUM_AUCTION_BITS = STAKE + BIDS

BLOCKS = (
    *encoding.BLOCKS,
    WordBlock(
        "auction",
        1,
        NUM_AUCTION_BITS,
        "what each seat has bid, mine first: nothing yet, or 0 to 3; the highest bid so far, "
        "0 to 3 (1 without bidding), each one-hot",
    ),
)
MOVE_BLOCKS = (
    *encoding.MOVE_BLOCKS,
    WordBlock("bid", 1, BIDS, "the bid, 0 to 3, one-hot; then there are neither cards nor a shape"),
)
NUM_WORDS, NUM_MOVE_WORDS = (sum(block.words for block in blocks) for blocks in (BLOCKS, MOVE_BLOCKS))
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
MOVE_COLUMN_WORDS, MOVE_COLUMN_SHIFTS = columns(MOVE_BLOCKS)
NUM_COLUMNS, NUM_MOVE_COLUMNS = len(COLUMN_WORDS), len(MOVE_COLUMN_WORDS)

AUCTION = first_words(BLOCKS)["auction"]
BID_MADE = first_words(MOVE_BLOCKS)["bid"]
_CARD_WORDS, _PLAY_WORDS = encoding.NUM_WORDS, encoding.NUM_MOVE_WORDS
_SHAPE = encoding.MOVE_SHAPE


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    encode_cards(view, seat, words[:_CARD_WORDS])
    if view.landlord == NOBODY:
        words[BOTTOM] = 0  # in training this is the truth, and nobody has seen the bottom yet
    auction = np.int64(1) << (STAKE + np.int64(view.stake))
    for other in range(NUM_SEATS):
        bid = np.int64(view.bids[(seat + other) % NUM_SEATS])
        auction |= np.int64(1) << (SEAT_BIDS + other * (1 + BIDS) + bid - NO_BID)
    words[AUCTION] = auction


@compiled
def encode_move(view, action, words):
    """Write a move or a bid of the seat to move to `words` [NUM_MOVE_WORDS]."""
    if action < BID:
        encode_play(view, action, words[:_PLAY_WORDS])
        words[BID_MADE] = 0
    else:
        encode_play(view, PASS, words[:_PLAY_WORDS])  # the hand stays whole
        words[_SHAPE] = 0
        words[BID_MADE] = np.int64(1) << (action - BID)


def decision_kinds(words):
    """The kind of each decision [K] from words [K, NUM_WORDS], an array or a tensor."""
    roles = words[:, PROGRESS] >> ROLE
    is_landlord, is_down, is_up = (roles >> place & 1 for place in range(NUM_SEATS))
    return is_down + 2 * is_up + 3 * (1 - is_landlord - is_down - is_up)


encode_all = over_positions(encode)
encode_moves_all = over_moves(encode_move)
