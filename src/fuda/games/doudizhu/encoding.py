"""What a network is told of a view, once, and of every legal move, a row each: words of bits.

Everything is told from the seat's side: me, the next seat, the one before. A set of cards has 54 bits: bit
4 x rank + n says that there are more than n cards of the rank; the jokers have the last two.
Bids are not told, and have no rows: these networks play the cards.

K positions, M moves: those of position k are number starts[k] to starts[k + 1] - 1 of a flat list.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_moves, over_positions
from fuda.core.words import WordBlock, columns, first_words
from fuda.games.doudizhu.fewest import fewest_moves
from fuda.games.doudizhu.moves import (
    BLACK,
    FULL_DECK,
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    JOKERS,
    MAX_HAND,
    MAX_LENGTH,
    MOVE_CARDS,
    MOVE_GROUP,
    MOVE_SIZE,
    NO_CARDS,
    NUM_KINDS,
    NUM_RANKS,
    RED,
    at_least,
    count_of,
)
from fuda.games.doudizhu.rules import NUM_CARDS, NUM_SEATS

ENCODING_VERSION = 1
PLAYED_BY = "moves"  # its networks value each legal move of a view by what it is
DECISION_KINDS = ("landlord", "down", "up")  # the mover's place after the landlord
UNTOLD = {"showing": ("on",)}

NUM_HISTORY = 5 * NUM_SEATS
MOST_BOMBS = 7  # more count as so many
MOST_MOVES = 15  # a hand that needs more counts as so many
FEWEST_MEANING = f"; the fewest moves that empty my hand, up to {MOST_MOVES}"

# The bits of a move's shape, from the lowest on: its kind, lowest main rank and length, each one-hot.
KIND, MAIN_RANK = 0, NUM_KINDS
LENGTH = MAIN_RANK + NUM_RANKS
NUM_SHAPE_BITS = LENGTH + MAX_LENGTH
# The bits of the word PROGRESS, from the lowest on.
ROLE, BEATEN_SEAT = 0, NUM_SEATS
BOMBS = BEATEN_SEAT + NUM_SEATS - 1
OWN_FEWEST = BOMBS + MOST_BOMBS + 1
NUM_PROGRESS_BITS = OWN_FEWEST + MOST_MOVES + 1
# The bits of a move's word LEFT, from the lowest on.
LEFT_SIZE = 0
LEFT_FEWEST = LEFT_SIZE + MAX_HAND + 1
NUM_LEFT_BITS = LEFT_FEWEST + MOST_MOVES + 1

BLOCKS = (
    WordBlock("hand", 1, NUM_CARDS, "the cards that I hold"),
    WordBlock("unseen", 1, NUM_CARDS, "the cards that the others hold"),
    WordBlock("played", NUM_SEATS, NUM_CARDS, "the cards that each seat has played, mine first"),
    WordBlock("bottom", 1, NUM_CARDS, "the bottom, as it was dealt"),
    WordBlock("beat", 1, NUM_CARDS, "the cards of the move to beat"),
    WordBlock(
        "shape", 1, NUM_SHAPE_BITS, "kind, lowest main rank and length of the move to beat, each one-hot"
    ),
    WordBlock("sizes", 1, NUM_SEATS * MAX_HAND, "how many cards each seat holds, mine first, each one-hot"),
    WordBlock(
        "progress",
        1,
        NUM_PROGRESS_BITS,
        "my place after the landlord; whose move is to beat: the next seat's or that of the one before; "
        f"bombs and rockets so far, up to {MOST_BOMBS}{FEWEST_MEANING}, each one-hot",
    ),
    WordBlock(
        "history", NUM_HISTORY, NUM_CARDS, "the cards of the last moves, the newest first; none in a pass"
    ),
)
MOVE_BLOCKS = (
    WordBlock("cards", 1, NUM_CARDS, "the cards of the move"),
    WordBlock("rest", 1, NUM_CARDS, "the cards that I hold then"),
    WordBlock("shape", 1, NUM_SHAPE_BITS, "its kind, lowest main rank and length, each one-hot"),
    WordBlock(
        "left",
        1,
        NUM_LEFT_BITS,
        f"how many cards I hold then{FEWEST_MEANING}, each one-hot",
    ),
)
NUM_WORDS, NUM_MOVE_WORDS = (sum(block.words for block in blocks) for blocks in (BLOCKS, MOVE_BLOCKS))
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
MOVE_COLUMN_WORDS, MOVE_COLUMN_SHIFTS = columns(MOVE_BLOCKS)
NUM_COLUMNS, NUM_MOVE_COLUMNS = len(COLUMN_WORDS), len(MOVE_COLUMN_WORDS)

_FIRST, _FIRST_OF_MOVE = first_words(BLOCKS), first_words(MOVE_BLOCKS)
HAND, UNSEEN, PLAYED, BOTTOM, BEAT, SHAPE, SIZES, PROGRESS, HISTORY = (_FIRST[block.name] for block in BLOCKS)
MOVE, REST, MOVE_SHAPE, LEFT = (_FIRST_OF_MOVE[block.name] for block in MOVE_BLOCKS)


@compiled
def card_bits(cards):
    """The 54 bits of a packed set of cards."""
    ranks = cards & ~JOKERS
    return (
        at_least(ranks, 1)
        | at_least(ranks, 2) << 1
        | at_least(ranks, 3) << 2
        | at_least(ranks, 4) << 3
        | count_of(cards, BLACK) << (4 * BLACK)
        | count_of(cards, RED) << (4 * BLACK + 1)
    )


def _shape_bits(kind: int, length: int, rank: int) -> int:
    if kind == NO_CARDS:
        return 1 << (KIND + kind)
    return 1 << (KIND + kind) | 1 << (MAIN_RANK + rank) | 1 << (LENGTH + length - 1)


_GROUP_SHAPE = np.array(
    [_shape_bits(*map(int, group)) for group in zip(GROUP_KIND, GROUP_LENGTH, GROUP_RANK, strict=True)],
    np.int64,
)
SHAPE_BITS = _GROUP_SHAPE[MOVE_GROUP]  # of each move


@compiled
def _cards_of_all(cards):
    found = np.empty_like(cards)
    for action in range(len(cards)):
        found[action] = card_bits(cards[action])
    return found


CARD_BITS = _cards_of_all(MOVE_CARDS)  # of each move


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    words[:] = 0
    hand = view.hand[seat]
    words[HAND] = card_bits(hand)
    words[UNSEEN] = card_bits(FULL_DECK - hand - view.played[0] - view.played[1] - view.played[2])
    words[BOTTOM] = card_bits(view.bottom)
    words[BEAT] = CARD_BITS[view.beat]
    words[SHAPE] = SHAPE_BITS[view.beat]
    progress = np.int64(1) << (BOMBS + min(int(view.bombs), MOST_BOMBS))
    progress |= np.int64(1) << (OWN_FEWEST + min(fewest_moves(hand), MOST_MOVES))
    for other in range(NUM_SEATS):
        whose = (seat + other) % NUM_SEATS
        words[PLAYED + other] = card_bits(view.played[whose])
        words[SIZES] |= np.int64(1) << (MAX_HAND * other + view.sizes[whose] - 1)
        if view.landlord == whose:
            progress |= np.int64(1) << (ROLE + (NUM_SEATS - other) % NUM_SEATS)
        if other > 0 and view.beat_seat == whose:
            progress |= np.int64(1) << (BEATEN_SEAT + other - 1)
    words[PROGRESS] = progress
    for ago in range(min(int(view.num_plays), NUM_HISTORY)):
        words[HISTORY + ago] = CARD_BITS[view.plays[view.num_plays - 1 - ago]]


@compiled
def encode_move(view, action, words):
    """Write a move of the seat to move to `words` [NUM_MOVE_WORDS]."""
    rest = view.hand[view.seat] - MOVE_CARDS[action]
    size = np.int64(view.sizes[view.seat]) - MOVE_SIZE[action]
    words[MOVE] = CARD_BITS[action]
    words[REST] = card_bits(rest)
    words[MOVE_SHAPE] = SHAPE_BITS[action]
    words[LEFT] = (
        np.int64(1) << (LEFT_SIZE + size)
        | np.int64(1) << (LEFT_FEWEST + min(fewest_moves(rest), MOST_MOVES))
    )  # fmt: skip


def decision_kinds(words):
    """The kind of each decision [K] from words [K, NUM_WORDS], an array or a tensor."""
    roles = words[:, PROGRESS] >> ROLE
    return (roles >> 1 & 1) + 2 * (roles >> 2 & 1)


encode_all = over_positions(encode)
encode_moves_all = over_moves(encode_move)
