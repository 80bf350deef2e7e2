"""The input of the DeepRocket paper: planes of ranks and rows, 15 x 19 x 21, and 15 x 9 x 3 for kickers.

X are the ranks, Y the number of cards of each and the categories of moves, Z the last six rounds and what
does not depend on them. The paper's figures of Y and Z are not to be had: what a row or plane means that the
text does not say is chosen here.

A move is an output, one of 309 main groups, and then its kickers one by one (`kickers.py`).

K positions.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.planes import ROWS_PER_WORD, PlaneBlock, layout, words_per_plane
from fuda.games.doudizhu import kickers
from fuda.games.doudizhu.group_encoding import COPIES, GROUP_BITS, group_bits
from fuda.games.doudizhu.kickers import (
    GROUP_CARDS,
    GROUP_KICKERS,
    GROUP_MAINS,
    long_runs,
    next_kickers,
    packed_kickers,
    write_main_ranks,
)
from fuda.games.doudizhu.moves import (
    CHAIN_RANKS,
    FULL_DECK,
    GROUP_KIND,
    GROUP_LENGTH,
    KICKER_SIZE,
    KIND_NAMES,
    MAIN_COPIES,
    MAX_LEGAL,
    MOVE_GROUP,
    NUM_GROUPS,
    NUM_KINDS,
    NUM_MOVES,
    NUM_RANKS,
    ONE_EACH,
    PASS,
    at_least,
    legal_follows,
    legal_leads,
)
from fuda.games.doudizhu.rules import NUM_SEATS

ENCODING_VERSION = 1
PLAYED_BY = "factored"  # its networks name a move part by part
FURTHER_KIND = "kicker"
DECISION_KINDS = ("landlord", "down", "up", FURTHER_KIND)  # the mover's place after the landlord; the kickers
BIDDER = "control-tidiness"  # the game's policy that bids for its players
UNTOLD = {"showing": ("on",)}

NUM_OUTPUTS, NUM_FURTHER_OUTPUTS = NUM_GROUPS, kickers.NUM_KICKERS
OUTPUT_OF = MOVE_GROUP  # [moves] the output of each move
FURTHER = kickers.KICKERS  # [moves, most] its further parts

ROUNDS = 6
NUM_PAST = ROUNDS * NUM_SEATS
ROWS = (*(f"{copy} of a rank" for copy in range(1, COPIES + 1)), *KIND_NAMES)
PLANES = (
    PlaneBlock(
        "hand", 1, "the cards that I hold; in the row of a category the main ranks of what they could lead"
    ),
    PlaneBlock(
        "unseen", 1, "the cards that the others hold; from the first category's row on two rows with how "
        "many cards the next seat holds, a cell for each, two of the seat before, and one of three full rows "
        "for my place after the landlord",
    ),
    PlaneBlock(
        "public", 1, "the bottom, as it was dealt; in its category's row the main ranks of what is to beat"
    ),
    PlaneBlock(
        "past", NUM_PAST, "the last moves, the newest first: the seat before, the next one and I take turns; "
        "the cards, and in the row of the category the main ranks; a pass fills its row; before the first "
        "move there is nothing",
    ),
)  # fmt: skip
FURTHER_ROWS = (*ROWS[:COPIES], "trio", "trio chain", "quad", "solo", "pair")
FURTHER_PLANES = (
    PlaneBlock(
        "left", 1, "the cards that I hold beside main group and kickers so far; the trios, trio chains and "
        "quads in them; which solos, and which pairs, may be the next kicker",
    ),
    PlaneBlock("main", 1, "the main group; its ranks in the row of what it is, and of its kickers"),
    PlaneBlock("chosen", 1, "the kickers so far, the lower first; their ranks in the row of what they are"),
)  # fmt: skip

_SHAPE = (sum(block.planes for block in PLANES), len(ROWS), NUM_RANKS)
_KICKER_SHAPE = (len(FURTHER_PLANES), len(FURTHER_ROWS), NUM_RANKS)
_PLANE, _KICKER_PLANE = words_per_plane(len(ROWS)), words_per_plane(len(FURTHER_ROWS))
# Where words begin: the planes hand, unseen and public, the numbers of past moves, the legal outputs.
HAND, UNSEEN, PUBLIC, PAST = 0, _PLANE, 2 * _PLANE, 3 * _PLANE
PAST_BITS, PAST_PER_WORD = 15, 4
LEGAL = PAST + -(-NUM_PAST // PAST_PER_WORD)
LEGAL_BITS = 62
NUM_WORDS = LEGAL + -(-NUM_OUTPUTS // LEGAL_BITS)
# The same for kickers.
LEFT, MAIN, CHOSEN, NEXT = 0, _KICKER_PLANE, 2 * _KICKER_PLANE, 3 * _KICKER_PLANE
NUM_FURTHER_WORDS = NEXT + 1

CATEGORIES = COPIES // ROWS_PER_WORD  # the first word of a plane with rows of categories
NEXT_SIZE, BEFORE_SIZE, ROLE = 0, 2, 4  # rows of the plane `unseen`, from the first category's on
TRIO_ROW, CHAIN_ROW, QUAD_ROW, SOLO_ROW, PAIR_ROW = range(COPIES, len(FURTHER_ROWS))
NOTHING = NUM_MOVES  # the number of a past move that was not


def _past_planes() -> np.ndarray:
    """The planes of all moves, and one of zeros [NUM_MOVES + 1, words of a plane]."""
    table = np.zeros((NUM_MOVES + 1, _PLANE), np.int64)
    groups = MOVE_GROUP.astype(np.int64)
    kinds, mains = GROUP_KIND[groups], GROUP_MAINS[groups]
    mains[PASS] = ONE_EACH
    table[:NUM_MOVES, 0] = GROUP_BITS
    row = np.arange(NUM_MOVES), CATEGORIES + kinds // ROWS_PER_WORD
    table[row] = mains << kinds % ROWS_PER_WORD
    return table


def _places(count: int, first: int, per_word: int, bits: int) -> tuple[list[int], list[int]]:
    """The word and the lowest bit of each of some entries of so many bits."""
    numbers = range(count)
    return [first + n // per_word for n in numbers], [bits * (n % per_word) for n in numbers]


LAYOUT = layout(
    _SHAPE, PAST, _places(NUM_OUTPUTS, LEGAL, LEGAL_BITS, 1), _past_planes(),
    (*_places(NUM_PAST, PAST, PAST_PER_WORD, PAST_BITS), (1 << PAST_BITS) - 1),
)  # fmt: skip
FURTHER_LAYOUT = layout(_KICKER_SHAPE, NEXT, _places(NUM_FURTHER_OUTPUTS, NEXT, NUM_FURTHER_OUTPUTS, 1))


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    words[:] = 0
    hand, beat = view.hand[seat], np.int64(view.beat)
    moves = np.empty(MAX_LEGAL, np.int64)
    ranks = np.empty(NUM_KINDS, np.int64)
    count = legal_leads(hand, moves)
    write_main_ranks(moves[:count], ranks)
    words[HAND] = group_bits(hand)
    for kind in range(NUM_KINDS):
        _set_row(words, HAND, COPIES + kind, ranks[kind])
    words[UNSEEN] = group_bits(FULL_DECK - hand - view.played[0] - view.played[1] - view.played[2])
    _set_size(words, NEXT_SIZE, view.sizes[(seat + 1) % NUM_SEATS])
    _set_size(words, BEFORE_SIZE, view.sizes[(seat + 2) % NUM_SEATS])
    role = (NUM_SEATS + seat - view.landlord) % NUM_SEATS
    _set_row(words, UNSEEN, COPIES + ROLE + role, ONE_EACH)
    words[PUBLIC] = group_bits(view.bottom)
    if beat != PASS:
        group = MOVE_GROUP[beat]
        _set_row(words, PUBLIC, COPIES + GROUP_KIND[group], GROUP_MAINS[group])
        count = legal_follows(hand, beat, moves)
    for ago in range(NUM_PAST):
        past = np.int64(NOTHING)
        if ago < view.num_plays:
            past = np.int64(view.plays[view.num_plays - 1 - ago])
        words[PAST + ago // PAST_PER_WORD] |= past << (PAST_BITS * (ago % PAST_PER_WORD))
    for move in moves[:count]:
        output = np.int64(MOVE_GROUP[move])
        words[LEGAL + output // LEGAL_BITS] |= np.int64(1) << (output % LEGAL_BITS)


@compiled
def _set_row(words, plane, row, ranks):
    """Mark ranks, a mask, in a row of a plane that begins with word `plane`."""
    words[plane + row // ROWS_PER_WORD] |= ranks << (row % ROWS_PER_WORD)


@compiled
def _set_size(words, first_row, size):
    """Mark as many cells as a seat has cards in the rows from this one on."""
    for cell in range(size):
        row = COPIES + first_row + cell // NUM_RANKS
        _set_row(words, UNSEEN, row, np.int64(1) << (4 * (cell % NUM_RANKS)))


@compiled
def encode_further(view, seat, move, done, words):
    """Write what a kicker is chosen by, the first `done` of a move's being known, to [NUM_FURTHER_WORDS]."""
    words[:] = 0
    group = MOVE_GROUP[move]
    kind, mains = GROUP_KIND[group], GROUP_MAINS[group]
    is_pair = KICKER_SIZE[kind] - 1
    chosen, allowed = packed_kickers(move, done), next_kickers(view.hand[seat], move, done)
    left = view.hand[seat] - GROUP_CARDS[group] - chosen
    words[LEFT] = group_bits(left)
    _set_row(words, LEFT, TRIO_ROW, at_least(left, 3))
    _set_row(words, LEFT, CHAIN_ROW, long_runs(at_least(left, 3) & CHAIN_RANKS, 2))
    _set_row(words, LEFT, QUAD_ROW, at_least(left, 4))
    for rank in range(NUM_RANKS):
        cell = np.int64(1) << (4 * rank)
        if allowed >> rank & 1:
            _set_row(words, LEFT, SOLO_ROW, cell)
        if allowed >> (NUM_RANKS + rank) & 1:
            _set_row(words, LEFT, PAIR_ROW, cell)
    row = QUAD_ROW if MAIN_COPIES[kind] == COPIES else CHAIN_ROW if GROUP_LENGTH[group] > 1 else TRIO_ROW
    words[MAIN] = group_bits(GROUP_CARDS[group])
    _set_row(words, MAIN, row, mains)
    _set_row(words, MAIN, SOLO_ROW + is_pair, mains)
    words[CHOSEN] = group_bits(chosen)
    _set_row(words, CHOSEN, SOLO_ROW + is_pair, at_least(chosen, 1))
    words[NEXT] = allowed


@compiled
def num_further(move):
    """How many kickers a move has."""
    return GROUP_KICKERS[MOVE_GROUP[move]]


encode_all = over_positions(encode)


@compiled
def encode_further_all(views, seats, rows, moves, done, words, first, last):
    """The same of kickers: number k is the one after the first `done` of moves[k], in view rows[k]."""
    for k in range(first, last):
        encode_further(views[rows[k]], seats[rows[k]], moves[k], done, words[k])


def decision_kinds(words):
    """The kind of each decision [K] but those of kickers, from words [K, NUM_WORDS], an array or a tensor."""
    roles = words[:, UNSEEN + (COPIES + ROLE) // ROWS_PER_WORD] >> (COPIES + ROLE) % ROWS_PER_WORD
    return (roles >> 1 & 1) + 2 * (roles >> 2 & 1)
