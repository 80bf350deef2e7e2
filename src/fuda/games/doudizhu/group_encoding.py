"""What networks of decompositions are told of a view: the input of the CQL paper.

Beside the groups of a decomposition that is little: the last moves of the two others, read as groups too, and
the unseen cards, once for each other seat, each card counting as the share of them that this seat holds. The
own hand and the move to beat are no columns: they say which decompositions there are.

K positions, A moves.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.decompositions import Decompositions
from fuda.core.encoders import over_positions
from fuda.core.words import WordBlock, columns, first_words
from fuda.games.doudizhu.decompose import MAX_GROUPS
from fuda.games.doudizhu.decompose import decompose as decompose_hands
from fuda.games.doudizhu.moves import (
    FULL_DECK,
    MOVE_CARDS,
    NUM_RANKS,
    PASS,
    at_least,
)
from fuda.games.doudizhu.rules import NUM_SEATS

__all__ = [
    "COLUMN_SHARES", "COLUMN_SHIFTS", "COLUMN_WORDS", "DECISION_KINDS", "ENCODING_VERSION", "GROUP_BITS",
    "GROUP_SHAPE", "LAST_GROUPS", "MAX_GROUPS", "NUM_COLUMNS", "NUM_WORDS", "PLAYED_BY", "UNTOLD",
    "decision_kinds", "decompose", "decompose_with", "encode", "encode_all", "shares",
]  # fmt: skip

ENCODING_VERSION = 1
PLAYED_BY = "decompositions"  # its networks value decompositions, then the groups in the best one
DECISION_KINDS = ("landlord", "down", "up")  # the mover's place after the landlord
UNTOLD = {"showing": ("on",)}

COPIES = 4
GROUP_SHAPE = (NUM_RANKS, COPIES)  # of a group's bits
NUM_OTHERS = NUM_SEATS - 1
SIZE_BITS = 5

BLOCKS = (
    WordBlock("unseen", NUM_OTHERS, NUM_RANKS * COPIES, "the unseen cards, times the share of the next seat, "
              "then of the one before: n bits of a rank for n cards"),
    WordBlock("last", NUM_OTHERS, 0, "the number of the last move, of the seat before, then of the next: "
              "groups that are read"),
    WordBlock("hand", 1, 0, "the own cards, packed: they are taken apart"),
    WordBlock("beat", 1, 0, "the number of the move to beat: it says which groups can be played"),
    WordBlock("sizes", 1, 0, f"how many cards the next seat holds, {SIZE_BITS} bits, and the one before"),
    WordBlock("role", 1, 0, "the own place after the landlord"),
)  # fmt: skip
NUM_WORDS = sum(block.words for block in BLOCKS)
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)
UNSEEN, LAST, HAND, BEAT, SIZES, ROLE = (first_words(BLOCKS)[block.name] for block in BLOCKS)
LAST_GROUPS = tuple(range(LAST, LAST + NUM_OTHERS))  # words that are groups
COLUMN_SHARES = COLUMN_WORDS - UNSEEN + 1  # [C] which of `shares` each column counts


@compiled
def group_bits(cards):
    """The 60 bits of a packed set of cards: bit 4 x rank + n says that there are more than n of the rank."""
    return at_least(cards, 1) | at_least(cards, 2) << 1 | at_least(cards, 3) << 2 | at_least(cards, 4) << 3


@compiled
def _bits_of_all(cards):
    found = np.empty_like(cards)
    for action in range(len(cards)):
        found[action] = group_bits(cards[action])
    return found


GROUP_BITS = _bits_of_all(MOVE_CARDS)  # of each move


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    following, before = (seat + 1) % NUM_SEATS, (seat + 2) % NUM_SEATS
    unseen = FULL_DECK - view.hand[seat] - view.played[0] - view.played[1] - view.played[2]
    words[UNSEEN] = words[UNSEEN + 1] = group_bits(unseen)
    for ago in range(NUM_OTHERS):
        words[LAST + ago] = view.plays[view.num_plays - 1 - ago] if view.num_plays > ago else PASS
    words[HAND] = view.hand[seat]
    words[BEAT] = view.beat
    words[SIZES] = np.int64(view.sizes[following]) | np.int64(view.sizes[before]) << SIZE_BITS
    words[ROLE] = (NUM_SEATS + seat - view.landlord) % NUM_SEATS


encode_all = over_positions(encode)


def decision_kinds(words):
    """The kind of each decision [K] from words [K, NUM_WORDS], an array or a tensor."""
    return words[:, ROLE]


def shares(words):
    """What columns count: 1, and the shares of the unseen cards that the others hold, [K] each.

    Of an array or a tensor. Somebody always holds a card while there is something to decide.
    """
    mask = (1 << SIZE_BITS) - 1
    following, before = words[:, SIZES] & mask, words[:, SIZES] >> SIZE_BITS & mask
    number = following + before
    return number / number, following / number, before / number


def decompose(words: np.ndarray, limit: int, rngs: np.ndarray) -> Decompositions:
    """Up to `limit` decompositions of each decision, drawn by `rngs` [K] where there are more."""
    return decompose_hands(words[:, HAND].copy(), words[:, BEAT].copy(), limit, rngs)


def decompose_with(words: np.ndarray, moves: np.ndarray, limit: int, rngs: np.ndarray) -> Decompositions:
    """The same of those that have the group moves[k] [K], which can be played: their last."""
    left = words[:, HAND] - MOVE_CARDS[moves]
    return decompose_hands(left, words[:, BEAT].copy(), limit, rngs).with_group(moves)
