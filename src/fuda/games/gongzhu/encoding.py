"""What ScrofaZero's network sees: 434 numbers, all four hands among them.

It is made for states, as training with open hands and search in scenarios need it. Of a view, where
the other hands are blank, it makes the paper's average: each unseen card is a third of a card in each
of the other hands. So one encoding serves both, and what a seat cannot see cannot get in.

A position is kept as nine words of bits (`encode_all`) and written out where it is used
(`spread_all`; in PyTorch `nets/words.py` does the same).
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.words import WordBlock, columns, first_words, unpack_bits
from fuda.games.gongzhu.cards import SCORING
from fuda.games.tricks.french import ALL_CARDS, NUM_CARDS, NUM_RANKS, NUM_SUITS
from fuda.games.tricks.play import NUM_SEATS, first_of_trick, on_table, taken

ENCODING_VERSION = 1
PLAYED_BY = "scenarios"  # its networks value open hands
DECISION_KINDS = ("card",)
NUM_OUTPUTS = NUM_CARDS  # what is shown before play is not for its networks
UNTOLD = {"showing": ("on",)}
NUM_SCORING = int(SCORING).bit_count()
# A card on the table lies between two neighbours, so that the diffuse technique loses none of them.
NUM_TABLE_BITS = NUM_CARDS + 2

BLOCKS = (
    WordBlock(
        "hands", NUM_SEATS, NUM_CARDS, "the cards held by me, the next seat, my partner, the one before"
    ),
    WordBlock("unseen", 1, 0, "cards that I cannot see: a third of a card in each of the other hands"),
    WordBlock(
        "taken", 1, NUM_SEATS * NUM_SCORING, "the scoring cards that each seat took, in the same order"
    ),
    WordBlock(
        "table",
        NUM_SEATS - 1,
        NUM_TABLE_BITS,
        "the cards of the trick, newest first; diffused: a card's neighbours are set too",
    ),
)
NUM_WORDS = sum(block.words for block in BLOCKS)
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)

_FIRST = first_words(BLOCKS)
HANDS, UNSEEN, TAKEN, TABLE = (_FIRST[block.name] for block in BLOCKS)

# The columns that share what is unseen: the other hands, which come right after mine.
FIRST_SHARED, LAST_SHARED = NUM_CARDS, NUM_SEATS * NUM_CARDS - 1
SHARE = 1 / (NUM_SEATS - 1)
# The same for `nets/words.py`, and the words that the diffuse technique widens.
SHARED = (UNSEEN, FIRST_SHARED, LAST_SHARED, SHARE)
WIDENED = (TABLE, TABLE + NUM_SEATS - 1)

SCORING_CARDS = np.array([card for card in range(NUM_CARDS) if SCORING >> card & 1], np.int64)


def _runs() -> tuple[tuple[int, int, int], ...]:
    """Scoring cards that follow each other: the first one, its place among all, as many bits from 0 on."""
    places = [place for place, card in enumerate(SCORING_CARDS) if card - 1 not in SCORING_CARDS]
    lengths = np.diff([*places, NUM_SCORING])
    return tuple(
        (int(SCORING_CARDS[place]), place, (1 << int(length)) - 1)
        for place, length in zip(places, lengths, strict=True)
    )


RUNS = _runs()


def _planes() -> np.ndarray:
    hands = np.arange(NUM_SEATS * NUM_CARDS).reshape(NUM_SEATS, NUM_CARDS)
    scoring = np.full((NUM_SEATS, NUM_CARDS), -1)
    scoring[:, SCORING_CARDS] = (
        np.arange(NUM_SEATS * NUM_SCORING).reshape(NUM_SEATS, NUM_SCORING) + hands.size
    )
    scoring_end = hands.size + NUM_SEATS * NUM_SCORING
    table = np.arange((NUM_SEATS - 1) * NUM_TABLE_BITS).reshape(-1, NUM_TABLE_BITS)[:, 1:-1] + scoring_end
    return np.concatenate([hands, scoring, table]).reshape(-1, NUM_SUITS, NUM_RANKS)


# The columns as pictures of the deck [plane, suit, rank]; -1 where a card has no column.
PLANES = _planes()


@compiled
def encode(state, seat, words):
    """Write what `seat` sees, or would see with open hands, to `words` [NUM_WORDS]."""
    words[:] = 0
    seen = taken(state) | on_table(state)
    for other in range(NUM_SEATS):
        whose = (seat + other) & 3
        words[HANDS + other] = state.hand[whose]
        seen |= state.hand[whose]
        words[TAKEN] |= scoring_bits(state.pile[whose]) << (NUM_SCORING * other)
    words[UNSEEN] = ALL_CARDS & ~seen
    for index in range(first_of_trick(state), state.num_plays):
        words[TABLE + state.num_plays - 1 - index] = np.int64(2) << state.plays[index]


@compiled
def scoring_bits(pile):
    """The scoring cards of a pile as the lowest NUM_SCORING bits."""
    found = np.int64(0)
    if pile & SCORING:
        for run in range(len(RUNS)):
            first, place, cards = RUNS[run]
            found |= (pile >> first & cards) << place
    return found


encode_all = over_positions(encode)


@compiled
def spread_all(words, diffuse, obs, first, last):
    """Write words [K, NUM_WORDS] out as numbers, obs [K, NUM_COLUMNS]; `diffuse` as in the paper."""
    row = np.empty((1, NUM_WORDS), np.int64)
    for k in range(first, last):
        row[0] = words[k]
        if diffuse:
            for table in range(TABLE, TABLE + NUM_SEATS - 1):
                row[0, table] |= row[0, table] << 1 | row[0, table] >> 1
        unpack_bits(row, COLUMN_WORDS, COLUMN_SHIFTS, obs[k : k + 1], 0, 1)
        if row[0, UNSEEN]:
            for c in range(FIRST_SHARED, LAST_SHARED + 1):
                obs[k, c] += SHARE * (row[0, UNSEEN] >> COLUMN_SHIFTS[c] & 1)
