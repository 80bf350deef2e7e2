"""What a network sees of a view: 50 tokens, one for each action.

Tokens 0..47 are the cards, 48 and 49 stand for koi-koi and stop. There is no card index and no
position: a token is what its rows say, so equal dross cards of a month are the same to a network.

Three kinds of rows, in the tables below:
- *attributes* of a token, which never change (`ATTRIBUTES` [50, ...]);
- *places*: sets of cards as bits of an int64, one for each row, unpacked where they are used;
- *progress*: small whole numbers that are the same for all tokens, each divided by its scale.

Everything is told from the seat's side: mine and theirs, never seat 0 and 1.
"""

from typing import NamedTuple

import numpy as np

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.games.koikoi import cards as deck
from fuda.games.koikoi.cards import ALL_CARDS, NUM_CARDS, NUM_IN_MONTH, NUM_MONTHS
from fuda.games.koikoi.rules import (
    ALL_THREE,
    ANSWER,
    CLAIM,
    DISCARD_TOOK,
    DISCARDED,
    DRAW_TOOK,
    DRAWN,
    HAND_SIZE,
    KOIKOI,
    MAX_ROUNDS,
    NOTHING,
    NUM_ACTIONS,
    NUM_TURNS,
    PICK_FOR_DISCARD,
    PICK_FOR_DRAW,
    STOP,
    matches,
    played_by,
)
from fuda.games.koikoi.yaku import MAX_CLAIMS, NUM_YAKU, RED_AND_BLUE_RIBBONS, tally

ENCODING_VERSION = 1
PLAYED_BY = "tokens"
NUM_TOKENS = NUM_ACTIONS
MAX_LEAD = 60  # a larger lead is told as this


class Block(NamedTuple):
    """Some rows of one meaning."""

    name: str
    width: int
    meaning: str
    scale: int = 1  # what a progress number is divided by


GROUPS = (
    ("lights", deck.LIGHTS),
    ("lights without the Rainman", deck.DRY_LIGHTS),
    ("Rainman", deck.RAINMAN),
    ("Boar, Deer, Butterfly", deck.BOAR_DEER_BUTTERFLY),
    ("Curtain and Sake Cup", deck.CURTAIN | deck.SAKE_CUP),
    ("Moon and Sake Cup", deck.MOON | deck.SAKE_CUP),
    ("Sake Cup", deck.SAKE_CUP),
    ("seeds", deck.SEEDS),
    ("red and blue ribbons", RED_AND_BLUE_RIBBONS),
    ("red ribbons", deck.RED_RIBBONS),
    ("blue ribbons", deck.BLUE_RIBBONS),
    ("ribbons", deck.RIBBONS),
    ("dross", deck.DROSS),
)
NUM_GROUPS = len(GROUPS)
GROUP_SETS = np.array([cards for _, cards in GROUPS], np.int64)
PLACE_NAMES = ("my hand", "field", "my pile", "their pile", "unseen")
NUM_PLACES = len(PLACE_NAMES)

ATTRIBUTE_BLOCKS = (
    Block("suit", NUM_MONTHS, "the card's month"),
    Block(
        "group", NUM_GROUPS, "the groups that the card belongs to: " + ", ".join(name for name, _ in GROUPS)
    ),
    Block("special", 2, "the tokens of koi-koi and of stop"),
)
PLACE_BLOCKS = (
    Block("now", NUM_PLACES, ", ".join(PLACE_NAMES)),
    Block("first", 3, "at the deal: my hand, field, elsewhere"),
    Block("pairing", 2, "the card on its way that has two matches; those matches"),
    Block("my turns", 4 * HAND_SIZE, "in each of my turns: discarded, taken by it, drawn, taken by it"),
    Block("their turns", 4 * HAND_SIZE, "the same for the other player"),
)
PROGRESS_BLOCKS = (
    Block("lead", 1, f"my points minus theirs, at most {MAX_LEAD}", 30),
    Block("rounds left", MAX_ROUNDS, "after this one, one-hot"),
    Block("turn", NUM_TURNS, "of the round, one-hot"),
    Block("dealer", 2, "I deal; they deal"),
    Block("decision", 4, "discard, pick for the discard, pick for the draw, koi-koi; one-hot"),
    Block("my claims", MAX_CLAIMS + 1, "of koi-koi in this round, one-hot"),
    Block("their claims", MAX_CLAIMS + 1, "the same for the other player"),
    Block("my answers", HAND_SIZE, "my turns in which I claimed koi-koi"),
    Block("their answers", HAND_SIZE, "the same for the other player"),
    Block("my yaku", NUM_YAKU, "points of each yaku in my pile now", 5),
    Block("their yaku", NUM_YAKU, "points of each yaku in their pile now", 5),
    Block("points now", 2, "what my pile and theirs would score", 10),
    Block("counts", NUM_PLACES * NUM_GROUPS, "cards of each group in " + ", ".join(PLACE_NAMES), 5),
)


def _offsets(blocks: tuple[Block, ...]) -> dict[str, int]:
    starts = np.cumsum([0, *(block.width for block in blocks)])
    return {block.name: int(start) for block, start in zip(blocks, starts, strict=False)}


NUM_ATTRIBUTES = sum(block.width for block in ATTRIBUTE_BLOCKS)
NUM_PLACE_ROWS = sum(block.width for block in PLACE_BLOCKS)
NUM_PROGRESS = sum(block.width for block in PROGRESS_BLOCKS)

_PLACE = _offsets(PLACE_BLOCKS)
NOW, FIRST, PAIRING = _PLACE["now"], _PLACE["first"], _PLACE["pairing"]
MY_TURNS, THEIR_TURNS = _PLACE["my turns"], _PLACE["their turns"]
_PROGRESS = _offsets(PROGRESS_BLOCKS)
LEAD, ROUNDS_LEFT, TURN, DEALER = (_PROGRESS[name] for name in ("lead", "rounds left", "turn", "dealer"))
DECISION, POINTS_NOW, COUNTS = (_PROGRESS[name] for name in ("decision", "points now", "counts"))
MY_CLAIMS, THEIR_CLAIMS = _PROGRESS["my claims"], _PROGRESS["their claims"]
MY_ANSWERS, THEIR_ANSWERS = _PROGRESS["my answers"], _PROGRESS["their answers"]
MY_YAKU, THEIR_YAKU = _PROGRESS["my yaku"], _PROGRESS["their yaku"]

PROGRESS_SCALES = np.repeat(
    np.array([block.scale for block in PROGRESS_BLOCKS], np.float32),
    [block.width for block in PROGRESS_BLOCKS],
)


def _attributes() -> np.ndarray:
    rows = np.zeros((NUM_TOKENS, NUM_ATTRIBUTES), np.uint8)
    for card in range(NUM_CARDS):
        rows[card, card // NUM_IN_MONTH] = 1
        for number, (_, group) in enumerate(GROUPS):
            rows[card, NUM_MONTHS + number] = group >> card & 1
    rows[KOIKOI, NUM_MONTHS + NUM_GROUPS] = 1
    rows[STOP, NUM_MONTHS + NUM_GROUPS + 1] = 1
    return rows


ATTRIBUTES = _attributes()

# For who looks into a network: which tokens belong together.
NO_SUIT = -1
SUITS = np.array([card // NUM_IN_MONTH for card in range(NUM_CARDS)] + [NO_SUIT] * 2)  # [50] of each token


def token_places(places: np.ndarray) -> list[tuple[str, list[int]]]:
    """Where the tokens of one position are, from its places [NUM_PLACE_ROWS]: names with tokens."""
    rows = [*zip(PLACE_NAMES, places[NOW : NOW + NUM_PLACES], strict=True), ("on its way", places[PAIRING])]
    found = [(name, [card for card in range(NUM_CARDS) if cards >> card & 1]) for name, cards in rows]
    return [(name, cards) for name, cards in (*found, ("answers", [KOIKOI, STOP])) if cards]


# Exchanging these months changes nothing in the rules: one position stands for four.
EQUAL_MONTHS = ((4, 5), (6, 10))


def _symmetries() -> np.ndarray:
    orders = [np.arange(NUM_TOKENS)]
    for month, other in EQUAL_MONTHS:
        cards, others = (np.arange(NUM_IN_MONTH) + NUM_IN_MONTH * (each - 1) for each in (month, other))
        exchange = np.arange(NUM_TOKENS)
        exchange[cards], exchange[others] = others, cards
        orders += [exchange[order] for order in orders]
    return np.array(orders)


# [4, 50] the token that stands for each token in each of the four; every row is its own inverse.
SYMMETRIES = _symmetries()
# [4, 50, ...] so every token with the suit that it has in each of the four.
EQUAL_ATTRIBUTES = ATTRIBUTES[SYMMETRIES]

# What a person decides, in the paper's terms; picks for the discard and for the draw are one kind.
DECISION_KINDS = ("discard", "pick", "koikoi")


def decision_kinds(progress):
    """The number of the decision's kind [B] from progress [B, NUM_PROGRESS], an array or a tensor."""
    pick = progress[:, DECISION + PICK_FOR_DISCARD] + progress[:, DECISION + PICK_FOR_DRAW]
    return pick + 2 * progress[:, DECISION + CLAIM]


@compiled
def encode(view, seat, places, progress):
    """Write one view's places [NUM_PLACE_ROWS] and progress [NUM_PROGRESS]."""
    places[:] = 0
    progress[:] = 0
    other = 1 - seat
    _encode_places(view, seat, places)
    for number in range(NUM_GROUPS):
        for place in range(NUM_PLACES):
            progress[COUNTS + place * NUM_GROUPS + number] = popcount(
                places[NOW + place] & GROUP_SETS[number]
            )
    lead = np.int64(view.points[seat]) - np.int64(view.points[other])
    progress[LEAD] = min(max(lead, -MAX_LEAD), MAX_LEAD)
    progress[ROUNDS_LEFT + view.rounds - 1 - view.round_index] = 1
    progress[TURN + view.turn] = 1
    progress[DEALER + (view.dealer ^ seat)] = 1
    progress[DECISION + view.phase] = 1
    progress[MY_CLAIMS + view.claims[seat]] = 1
    progress[THEIR_CLAIMS + view.claims[other]] = 1
    mine, theirs = progress[MY_YAKU : MY_YAKU + NUM_YAKU], progress[THEIR_YAKU : THEIR_YAKU + NUM_YAKU]
    progress[POINTS_NOW] = min(tally(view.pile[seat], view.claims[seat], mine), 127)
    progress[POINTS_NOW + 1] = min(tally(view.pile[other], view.claims[other], theirs), 127)
    for turn in range(view.turn + 1):
        if view.turns[turn, ANSWER] == 1:
            is_mine = view.dealer ^ (turn & 1) == seat
            progress[(MY_ANSWERS if is_mine else THEIR_ANSWERS) + (turn >> 1)] = 1


@compiled
def _encode_places(view, seat, places):
    other = 1 - seat
    hand, field = view.hand[seat], view.field
    piles = view.pile[0] | view.pile[1]
    places[NOW] = hand
    places[NOW + 1] = field
    places[NOW + 2] = view.pile[seat]
    places[NOW + 3] = view.pile[other]
    on_way = np.int64(0)
    if view.shown != NOTHING:
        on_way = np.int64(1) << view.shown
        places[PAIRING] = on_way
        places[PAIRING + 1] = matches(view, view.shown)
    seen = hand | field | piles | on_way
    places[NOW + 4] = ALL_CARDS & ~seen
    drawn = np.int64(0)
    for index in range(view.drawn):
        drawn |= np.int64(1) << view.stock[index]
    mine, theirs = played_by(view, seat), played_by(view, other)
    places[FIRST] = hand | mine
    places[FIRST + 1] = seen & ~(hand | mine | theirs | drawn)
    places[FIRST + 2] = ALL_CARDS & ~(places[FIRST] | places[FIRST + 1])
    for turn in range(view.turn + 1):
        row = MY_TURNS if view.dealer ^ (turn & 1) == seat else THEIR_TURNS
        row += 4 * (turn >> 1)
        places[row] = _one(view.turns[turn, DISCARDED])
        places[row + 1] = _taken(view.turns[turn, DISCARDED], view.turns[turn, DISCARD_TOOK])
        places[row + 2] = _one(view.turns[turn, DRAWN])
        places[row + 3] = _taken(view.turns[turn, DRAWN], view.turns[turn, DRAW_TOOK])


@compiled
def _one(card):
    return np.int64(0) if card == NOTHING else np.int64(1) << card


@compiled
def _taken(card, took):
    """The field cards that a card took with it."""
    if took == ALL_THREE:
        return (np.int64(15) << (card & ~3)) & ~(np.int64(1) << card)
    return _one(took)


@compiled
def encode_waiting(view, seat, places, progress):
    """The same for a seat that waits for the other player's turn: there is no decision."""
    encode(view, seat, places, progress)
    progress[DECISION : DECISION + 4] = 0


@compiled
def encode_waiting_all(views, seats, places, progress, first, last):
    """The same for views first..last-1."""
    for k in range(first, last):
        encode_waiting(views[k], seats[k], places[k], progress[k])


@compiled
def encode_all(views, seats, places, progress, first, last):
    """Encode views first..last-1 into places [B, NUM_PLACE_ROWS] int64, progress [B, NUM_PROGRESS] int8."""
    for k in range(first, last):
        encode(views[k], seats[k], places[k], progress[k])
