"""What a network that makes every decision is told, whatever the rule options.

All that `auction.py` tells; calling and robbing, showing, the open hand; and rows of all that is decided
before play. With robbing the bids of `auction.py` are claims: 0 for who declined, 1 to 3 for who called,
robbed, robbed back.

K positions, M moves: those of position k are number starts[k] to starts[k + 1] - 1 of a flat list.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_moves, over_positions
from fuda.core.protocols import BID as BID_KIND
from fuda.core.words import WordBlock, columns, first_words
from fuda.games.doudizhu import auction, encoding
from fuda.games.doudizhu.auction import encode as encode_auction
from fuda.games.doudizhu.encoding import PROGRESS, ROLE, card_bits
from fuda.games.doudizhu.encoding import encode_move as encode_play
from fuda.games.doudizhu.moves import PASS
from fuda.games.doudizhu.rules import BID, MAX_CLAIMS, NUM_ACTIONS, NUM_CARDS, SHOWN, is_bidding

ENCODING_VERSION = 1
PLAYED_BY = "moves"
DECISION_KINDS = (*encoding.DECISION_KINDS, BID_KIND)

NUM_BEFORE_PLAY = NUM_ACTIONS - BID
MAX_DOUBLINGS = MAX_CLAIMS  # all but the call rob; and the hand is shown
# The bits of the word BEFORE_PLAY, from the lowest on.
IS_BEFORE, DOUBLINGS = 0, 1
HAND_STATE = DOUBLINGS + MAX_DOUBLINGS + 1
NUM_BEFORE_BITS = HAND_STATE + SHOWN + 1

BLOCKS = (
    *auction.BLOCKS,
    WordBlock("open", 1, NUM_CARDS, "the cards that the landlord holds, where its hand is shown"),
    WordBlock(
        "before play",
        1,
        NUM_BEFORE_BITS,
        "whether the play is still to begin; how often robbing and showing have doubled the points, and "
        "whether the landlord has said nothing about its hand, hides or shows it, each one-hot",
    ),
)
MOVE_BLOCKS = (
    *encoding.MOVE_BLOCKS,
    WordBlock(
        "before play",
        1,
        NUM_BEFORE_PLAY,
        "a bid of 0 to 3, no call, call, no rob, rob, hide or show, one-hot; then there are neither cards "
        "nor a shape",
    ),
)
NUM_WORDS, NUM_MOVE_WORDS = (sum(block.words for block in blocks) for blocks in (BLOCKS, MOVE_BLOCKS))
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
MOVE_COLUMN_WORDS, MOVE_COLUMN_SHIFTS = columns(MOVE_BLOCKS)
NUM_COLUMNS, NUM_MOVE_COLUMNS = len(COLUMN_WORDS), len(MOVE_COLUMN_WORDS)

OPEN, BEFORE_PLAY = (first_words(BLOCKS)[block.name] for block in BLOCKS[len(auction.BLOCKS) :])
DECIDED = first_words(MOVE_BLOCKS)["before play"]
_AUCTION_WORDS, _PLAY_WORDS = auction.NUM_WORDS, encoding.NUM_MOVE_WORDS
_SHAPE = encoding.MOVE_SHAPE


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    encode_auction(view, seat, words[:_AUCTION_WORDS])
    # In training the hands are the truth, and only a shown one is open.
    words[OPEN] = card_bits(view.hand[view.landlord]) if view.shown == SHOWN else 0
    words[BEFORE_PLAY] = (
        np.int64(is_bidding(view)) << IS_BEFORE
        | np.int64(1) << (DOUBLINGS + view.doublings)
        | np.int64(1) << (HAND_STATE + view.shown)
    )


@compiled
def encode_move(view, action, words):
    """Write what the seat to move may do to `words` [NUM_MOVE_WORDS]."""
    if action < BID:
        encode_play(view, action, words[:_PLAY_WORDS])
        words[DECIDED] = 0
    else:
        encode_play(view, PASS, words[:_PLAY_WORDS])  # the hand stays whole
        words[_SHAPE] = 0
        words[DECIDED] = np.int64(1) << (action - BID)


def decision_kinds(words):
    """The kind of each decision [K] from words [K, NUM_WORDS], an array or a tensor."""
    roles, is_before = words[:, PROGRESS] >> ROLE, words[:, BEFORE_PLAY] >> IS_BEFORE & 1
    in_play = (roles >> 1 & 1) + 2 * (roles >> 2 & 1)
    return in_play * (1 - is_before) + 3 * is_before


encode_all = over_positions(encode)
encode_moves_all = over_moves(encode_move)
