"""What a network that never sees hidden hands is told of a view: 20 words of bits.

Everything is told from the seat's side: me, the next seat, my partner, the one before.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.encoders import over_positions
from fuda.core.words import WordBlock, columns, first_words, unpack_bits
from fuda.games.gongzhu.encoding import NUM_SCORING, scoring_bits
from fuda.games.gongzhu.rules import NUM_TRICKS
from fuda.games.gongzhu.showing import cards_to_play
from fuda.games.tricks.french import ALL_CARDS, NUM_CARDS, NUM_RANKS, NUM_SUITS, of_suit, suit_of
from fuda.games.tricks.play import (
    NUM_SEATS,
    first_of_trick,
    on_table,
    seat_of_play,
    taken,
)

ENCODING_VERSION = 1
PLAYED_BY = "views"  # its networks value the cards of a view
DECISION_KINDS = ("card",)
NUM_OUTPUTS = NUM_CARDS  # what is shown before play is not for its networks
UNTOLD = {"showing": ("on",)}

# The bits of the last word, from the lowest on.
VOIDS, TRICK = 0, NUM_SEATS * NUM_SUITS
POSITION = TRICK + NUM_TRICKS
LEAD_SUIT = POSITION + NUM_SEATS
WINNING = LEAD_SUIT + NUM_SUITS
NUM_PROGRESS_BITS = WINNING + NUM_SEATS

BLOCKS = (
    WordBlock("hand", 1, NUM_CARDS, "the cards that I hold"),
    WordBlock("legal", 1, NUM_CARDS, "those of them that I may play"),
    WordBlock("unseen", 1, NUM_CARDS, "the cards that the others hold"),
    WordBlock("table", NUM_SEATS - 1, NUM_CARDS, "the cards of the trick, by the other seats"),
    WordBlock("played", NUM_SEATS, NUM_CARDS, "the cards that each seat has played, mine first"),
    WordBlock("led", NUM_SEATS, NUM_CARDS, "those of them that were led"),
    WordBlock("discarded", NUM_SEATS, NUM_CARDS, "those of them that did not follow suit"),
    WordBlock("taken", 1, NUM_SEATS * NUM_SCORING, "the scoring cards that each seat took"),
    WordBlock(
        "progress",
        1,
        NUM_PROGRESS_BITS,
        "suits that each seat did not follow; trick, place in the trick, suit led, "
        "seat that would take the trick now, each one-hot",
    ),
)
NUM_WORDS = sum(block.words for block in BLOCKS)
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
NUM_COLUMNS = len(COLUMN_WORDS)

NUM_HIDDEN = NUM_SEATS - 1  # words of what a network may guess in training

_FIRST = first_words(BLOCKS)
HAND, LEGAL, UNSEEN, TABLE, PLAYED, LED, DISCARDED, TAKEN, PROGRESS = (_FIRST[block.name] for block in BLOCKS)

# For each card and other seat: the bit of the word PROGRESS that says that it cannot hold the card.
CANNOT_HOLD = VOIDS + NUM_SUITS * np.arange(1, NUM_SEATS)[:, None] + (np.arange(NUM_CARDS) // NUM_RANKS)[None]


@compiled
def encode(view, seat, words):
    """Write the view of the seat to move to `words` [NUM_WORDS]."""
    words[:] = 0
    words[HAND] = view.hand[seat]
    words[LEGAL] = cards_to_play(view)
    words[UNSEEN] = ALL_CARDS & ~(view.hand[seat] | taken(view) | on_table(view))
    for first in range(0, view.num_plays, NUM_SEATS):  # trick by trick
        leader = (seat_of_play(view, first) - seat) & 3
        following = of_suit(ALL_CARDS, suit_of(view.plays[first]))
        words[LED + leader] |= np.int64(1) << view.plays[first]
        for index in range(first, min(first + NUM_SEATS, view.num_plays)):
            card = np.int64(1) << view.plays[index]
            who = (leader + index) & 3  # a trick's first play has a multiple of 4
            words[PLAYED + who] |= card
            words[DISCARDED + who] |= card & ~following
    progress = np.int64(1) << (TRICK + (view.num_plays >> 2))
    progress |= np.int64(1) << (POSITION + (view.num_plays & 3))
    first = first_of_trick(view)
    if first < view.num_plays:
        led = suit_of(view.plays[first])
        best, winning = np.int64(-1), 0
        for index in range(first, view.num_plays):
            who = (seat_of_play(view, index) - seat) & 3
            card = np.int64(view.plays[index])
            words[TABLE + who - 1] = np.int64(1) << card
            if card > best and suit_of(card) == led:
                best, winning = card, who
        progress |= np.int64(1) << (LEAD_SUIT + led)
        progress |= np.int64(1) << (WINNING + winning)
    for other in range(NUM_SEATS):
        whose = (seat + other) & 3
        progress |= np.int64(view.voids[whose]) << (VOIDS + NUM_SUITS * other)
        words[TAKEN] |= scoring_bits(view.pile[whose]) << (NUM_SCORING * other)
    words[PROGRESS] = progress


@compiled
def encode_hidden(state, seat, words):
    """Write what a seat cannot see to `words` [NUM_HIDDEN]: the hands of the other seats, the next first."""
    for other in range(NUM_HIDDEN):
        words[other] = state.hand[(seat + 1 + other) & 3]


@compiled
def encode_hidden_all(states, seats, words, first, last):
    """The same for states first..last-1, words [K, NUM_HIDDEN] int64."""
    for k in range(first, last):
        encode_hidden(states[k], seats[k], words[k])


encode_all = over_positions(encode)


@compiled
def spread_all(words, diffuse, obs, first, last):
    """Write words [K, NUM_WORDS] out as numbers, obs [K, NUM_COLUMNS]; there is nothing to diffuse."""
    unpack_bits(words, COLUMN_WORDS, COLUMN_SHIFTS, obs, first, last)
