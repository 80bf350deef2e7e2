"""The French deck: 52 cards as numbers, as texts such as `SQ` and `C10`, and as sets of bits."""

import numpy as np

from fuda.core.card_names import CardNames
from fuda.core.compile import compiled

SUIT_LETTERS = "SHDC"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_TEXTS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
NUM_SUITS, NUM_RANKS = len(SUIT_LETTERS), len(RANK_TEXTS)
NUM_CARDS = NUM_SUITS * NUM_RANKS
SPADES, HEARTS, DIAMONDS, CLUBS = range(NUM_SUITS)

# Within a suit a higher number is a higher card.
CARDS = CardNames(
    [suit + rank for suit in SUIT_LETTERS for rank in RANK_TEXTS],
    "a card is text such as SQ or C10: a suit of S, H, D, C and a rank",
    "['SQ', 'C10']",
)
CARD_TEXTS, CARD_IDS = CARDS.texts, CARDS.ids

ALL_CARDS = (1 << NUM_CARDS) - 1
WHOLE_SUIT = (1 << NUM_RANKS) - 1  # of suit 0; the others lie above it


def card_ids(texts: str) -> np.ndarray:
    """Cards as an array of numbers, from texts with spaces between them."""
    return np.array([CARD_IDS[text] for text in texts.split()], np.int64)


def card_set(texts: str) -> int:
    """The same as a set."""
    return sum(1 << int(number) for number in card_ids(texts))


@compiled
def suit_of(card):
    """The suit of a card."""
    return card // NUM_RANKS


@compiled
def of_suit(cards, suit):
    """The cards of a set that are of one suit."""
    return cards & (np.int64(WHOLE_SUIT) << (NUM_RANKS * suit))
