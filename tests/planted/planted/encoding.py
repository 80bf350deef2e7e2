"""What a network is told of a view, once, and of every legal move, a row each: words of bits.

Everything is told from the seat's side, its own first, then the seats to its left.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_moves, over_positions
from fuda.core.words import WordBlock, columns, first_words
from planted.rules import FIRST_GIFT, GIFTS, GREEDY_TRICKS, NUM_CARDS, NUM_SEATS, has_given

ENCODING_VERSION = 1
PLAYED_BY = "moves"
DECISION_KINDS = ("gift", "card")

TRICK_BITS = GREEDY_TRICKS + 1
PLAYING_CARDS = NUM_SEATS * TRICK_BITS  # the bit of the word PROGRESS that says that all have given
GIVEN = PLAYING_CARDS + 1

BLOCKS = (
    WordBlock("hand", 1, NUM_CARDS, "the cards that I hold"),
    WordBlock("gift", 1, NUM_CARDS, "the cards that I have given"),
    WordBlock("got", 1, NUM_CARDS, "the cards that I was given, once they are taken up"),
    WordBlock("played", NUM_SEATS, NUM_CARDS, "the cards that each seat has played"),
    WordBlock("table", NUM_SEATS, NUM_CARDS, "each seat's card of the trick"),
    WordBlock(
        "progress",
        1,
        GIVEN + NUM_SEATS,
        "the tricks of each seat, one-hot; whether all have given; which seats have",
    ),
)
MOVE_BLOCKS = (
    WordBlock("cards", 1, NUM_CARDS, "the cards of the move"),
    WordBlock("rest", 1, NUM_CARDS, "the cards that I hold then"),
)
NUM_WORDS, NUM_MOVE_WORDS = (sum(block.words for block in blocks) for blocks in (BLOCKS, MOVE_BLOCKS))
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
MOVE_COLUMN_WORDS, MOVE_COLUMN_SHIFTS = columns(MOVE_BLOCKS)
NUM_COLUMNS, NUM_MOVE_COLUMNS = len(COLUMN_WORDS), len(MOVE_COLUMN_WORDS)

HAND, GIFT, GOT, PLAYED, TABLE, PROGRESS = first_words(BLOCKS).values()
CARDS, REST = first_words(MOVE_BLOCKS).values()


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    words[:] = 0
    words[HAND] = view.hand[seat]
    words[GIFT] = view.gift[seat]
    taken_up = view.num_gifts == NUM_SEATS
    if taken_up:
        words[GOT] = view.gift[(seat - 1) % NUM_SEATS]
        words[PROGRESS] = np.int64(1) << PLAYING_CARDS
    for other in range(NUM_SEATS):
        whose = (seat + other) % NUM_SEATS
        words[PLAYED + other] = view.played[whose]
        words[PROGRESS] |= np.int64(1) << (other * TRICK_BITS + view.tricks[whose])
        if not taken_up and has_given(view, whose):
            words[PROGRESS] |= np.int64(1) << (GIVEN + other)
    for place in range(view.on_table):
        other = (view.leader + place - seat) % NUM_SEATS
        words[TABLE + other] = np.int64(1) << view.table[place]


@compiled
def encode_move(view, action, words):
    """Write a move of the seat to move to `words` [NUM_MOVE_WORDS]."""
    cards = GIFTS[action - FIRST_GIFT] if action >= FIRST_GIFT else np.int64(1) << action
    words[CARDS] = cards
    words[REST] = view.hand[view.seat] & ~cards


def decision_kinds(words):
    """The kind of each decision [K] from words [K, NUM_WORDS], an array or a tensor."""
    return words[:, PROGRESS] >> PLAYING_CARDS & 1


encode_all = over_positions(encode)
encode_moves_all = over_moves(encode_move)
