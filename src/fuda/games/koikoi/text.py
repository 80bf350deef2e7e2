"""Koi-Koi in text: cards `8-1`, moves, deals and views."""

from itertools import pairwise
from typing import Any

import numpy as np

from fuda.core.card_names import CardNames
from fuda.core.errors import echo
from fuda.core.state import PLAYING
from fuda.games.koikoi.cards import NUM_CARDS, NUM_IN_MONTH
from fuda.games.koikoi.rules import (
    ALL_THREE,
    ANSWER,
    ANSWERED_KOIKOI,
    CLAIM,
    DISCARD,
    DISCARD_TOOK,
    DISCARDED,
    DRAW_TOOK,
    DRAWN,
    FIELD_SIZE,
    HAND_SIZE,
    NOTHING,
    STOCK_SIZE,
    begins_with_hand_yaku,
    matches,
    mover_of_turn,
    next_dealer,
    played_by,
    shows_hand,
)
from fuda.games.koikoi.yaku import (
    AS_BY_DEFAULT,
    HAND_YAKU_NAMES,
    HAND_YAKU_POINTS,
    MAX_CLAIMS,
    NUM_YAKU,
    YAKU_NAMES,
    doubled_against,
    doubled_from_seven,
    has_whole_month,
    progress,
    tally_of_house,
    with_bonus,
)

CARDS = CardNames(
    [f"{number // NUM_IN_MONTH + 1}-{number % NUM_IN_MONTH + 1}" for number in range(NUM_CARDS)],
    "a card is text from 1-1 to 12-4 such as 8-1",
    "['8-1', '9-1']",
)
CARD_TEXTS, CARD_IDS = CARDS.texts, CARDS.ids
card_texts, read_card, read_pile = CARDS.of_set, CARDS.read, CARDS.read_set
MOVE_TEXTS = (*CARD_TEXTS, "koikoi", "stop")
PHASE_TEXTS = ("discard", "pick", "pick", "koikoi")

BONUS_NAMES = ("Koi-Koi", "Seven or More", "Against Koi-Koi")  # what counts beside yaku, in this order

DEALT_AGAIN = (
    "the rules deal this again: a hand or the field holds all four cards of a month; or, with hand_yaku, the "
    "field or both hands have a hand yaku"
)
DEAL_KEYS = {"dealer", "hands", "field", "stock"}


def move_text(action: int) -> str:
    """A move as text."""
    return MOVE_TEXTS[action]


def decision_kind(view: Any) -> str:
    """What the seat to move decides: a discard, what to pick, or whether to go on."""
    return PHASE_TEXTS[view.phase]


def yaku(cards: object, koikoi: int = 0) -> list[tuple[str, int]]:
    """The yaku of a pile after `koikoi` claims of its owner; they sum to `points`."""
    claims = isinstance(koikoi, int | np.integer) and not isinstance(koikoi, bool)
    if not claims or not 0 <= koikoi <= MAX_CLAIMS:
        raise ValueError(f"koikoi is a number of claims from 0 to {MAX_CLAIMS}, not {echo(koikoi)}")
    return _entries(read_pile(cards), int(koikoi), 0, AS_BY_DEFAULT)


def points(cards: object, koikoi: int = 0) -> int:
    """The points that a pile is worth after `koikoi` claims of its owner."""
    return sum(value for _, value in yaku(cards, koikoi))


def yaku_of(view: Any, seat: int, claims: int | None = None) -> list[tuple[str, int]]:
    """The yaku of a seat, under the options of the view; with so many claims instead of its own.

    They sum to its points. What it has shown instead of playing is one too.
    """
    if shows_hand(view, seat):
        pairs = not has_whole_month(view.hand[seat])
        return [(HAND_YAKU_NAMES[pairs], HAND_YAKU_POINTS)]
    claims = int(view.claims[seat]) if claims is None else claims
    return _entries(int(view.pile[seat]), claims, int(view.claims[1 - seat]), int(view.scoring))


def _entries(pile: int, claims: int, their_claims: int, scoring: int) -> list[tuple[str, int]]:
    """The yaku of a pile, then what bonus and doublings add, each to all before it."""
    values = np.zeros(NUM_YAKU, np.int8)
    tally_of_house(pile, claims, their_claims, scoring, values)
    found = [(name, int(value)) for name, value in zip(YAKU_NAMES, values, strict=True) if value]
    counts = [int(values.sum())]
    counts.append(with_bonus(counts[-1], claims, scoring))
    counts.append(doubled_from_seven(counts[-1], scoring))
    counts.append(doubled_against(counts[-1], their_claims, scoring))
    added = zip(BONUS_NAMES, pairwise(counts), strict=True)
    return found + [(name, int(after - before)) for name, (before, after) in added if after > before]


def points_of(view: Any, seat: int, claims: int | None = None) -> int:
    """The points of a seat, as `yaku_of` counts them."""
    return sum(points for _, points in yaku_of(view, seat, claims))


def read_deal(state: Any, deal: object, rng: np.ndarray) -> np.ndarray:
    """The deck of an explicit deal; sets the first dealer, or checks a later one."""
    if not isinstance(deal, dict) or set(deal) != DEAL_KEYS:
        keys = ", ".join(sorted(DEAL_KEYS))
        raise ValueError(f"a Koi-Koi deal is a dictionary with the keys {keys}, not {echo(deal)}")
    hands = deal["hands"]
    if not isinstance(hands, list | tuple) or len(hands) != 2:
        raise ValueError(f"hands are two lists of {HAND_SIZE} cards, not {echo(hands)}")
    zones = (
        ("the first hand", hands[0], HAND_SIZE),
        ("the second hand", hands[1], HAND_SIZE),
        ("the field", deal["field"], FIELD_SIZE),
        ("the stock", deal["stock"], STOCK_SIZE),
    )
    deck: list[int] = []
    for name, cards, size in zones:
        if not isinstance(cards, list | tuple) or len(cards) != size:
            raise ValueError(f"{name} is a list of {size} cards, not {echo(cards)}")
        for text in cards:
            number = read_card(text)
            if number in deck:
                raise ValueError(f"card {text} is dealt twice")
            deck.append(number)
    dealer = deal["dealer"]
    if isinstance(dealer, bool) or not isinstance(dealer, int | np.integer) or dealer not in (0, 1):
        raise ValueError(f"the dealer is seat 0 or 1, not {echo(dealer)}")
    if state.round_index < 0:
        state.dealer = int(dealer)
    elif dealer != next_dealer(state):
        raise ValueError(f"seat {next_dealer(state)} won the last round and deals, not {dealer}")
    return np.array(deck, np.int8)


def write_deal(state: Any) -> dict[str, Any]:
    """The deal of a state in which nobody has moved yet."""
    return {
        "dealer": int(state.dealer),
        "hands": [card_texts(state.hand[0]), card_texts(state.hand[1])],
        "field": card_texts(state.field),
        "stock": [CARD_TEXTS[number] for number in state.stock],
    }


def why_illegal(view: Any, move: str) -> str:
    """Why a text is no legal move of the mover."""
    if view.phase == CLAIM:
        if begins_with_hand_yaku(view):
            return "a hand yaku ends the round: the answer is stop"
        return "the answer is koikoi or stop"
    if move in ("koikoi", "stop"):
        return "no koi-koi decision is offered now"
    if move not in CARD_IDS:
        return "a card is text from 1-1 to 12-4"
    if view.phase == DISCARD:
        return "the card is not in the hand"
    return f"choose a field card that matches {CARD_TEXTS[view.shown]}"


def view_dict(view: Any, seat: int) -> dict[str, Any]:
    """What a seat knows, beside the keys that all games have."""
    playing = view.status == PLAYING
    sizes = [HAND_SIZE - len(card_texts(played_by(view, player))) for player in (0, 1)]
    piles = [card_texts(view.pile[player]) for player in (0, 1)]
    shown_hands = [card_texts(view.hand[player]) if shows_hand(view, player) else None for player in (0, 1)]
    phase = "hand yaku" if begins_with_hand_yaku(view) else PHASE_TEXTS[view.phase]
    return {
        "round": int(view.round_index) + 1,
        "dealer": int(view.dealer),
        "turn": int(view.turn) + 1,
        "phase": phase if playing else "over",
        "points": [int(view.points[player]) for player in (0, 1)],
        "hand": card_texts(view.hand[seat]),
        "hand_sizes": sizes,
        "field": card_texts(view.field),
        "stock_size": STOCK_SIZE - int(view.drawn),
        "shown": None if view.shown == NOTHING else CARD_TEXTS[view.shown],
        "piles": piles,
        "koikoi": [int(view.claims[player]) for player in (0, 1)],
        "shown_hands": shown_hands,
        "yaku": [[list(entry) for entry in yaku_of(view, player)] for player in (0, 1)],
        "progress": [
            [list(goal) for goal in progress(int(view.pile[player]), int(view.pile[1 - player]))]
            for player in (0, 1)
        ],
        "stakes": _stakes(view) if playing and phase == "koikoi" else None,
        "turns": _turn_dicts(view),
        "round_points": [int(points) for points in view.round_points[: _finished(view)]],
    }


def _stakes(view: Any) -> dict[str, int]:
    """What the mover's pile is worth for each answer to the koi-koi question."""
    claims = int(view.claims[view.seat])
    return {"stop": points_of(view, view.seat), "koikoi": points_of(view, view.seat, claims + 1)}


def _finished(view: Any) -> int:
    return int(view.round_index) + (view.status != PLAYING)


def _turn_dicts(view: Any) -> list[dict[str, Any]]:
    turns = []
    for number, row in enumerate(view.turns):
        if row[DISCARDED] == NOTHING:
            break
        answer = None if row[ANSWER] == NOTHING else bool(row[ANSWER] == ANSWERED_KOIKOI)
        turns.append(
            {
                "seat": int(mover_of_turn(view, number)),
                "discard": CARD_TEXTS[row[DISCARDED]],
                "discard_took": taken(row[DISCARDED], row[DISCARD_TOOK]),
                "draw": None if row[DRAWN] == NOTHING else CARD_TEXTS[row[DRAWN]],
                "draw_took": taken(row[DRAWN], row[DRAW_TOOK]),
                "koikoi": answer,
            }
        )
    return turns


def taken(card: int, took: int) -> list[str]:
    """The field cards that a card took with it, from a row of `turns`."""
    if took == NOTHING:
        return []
    if took != ALL_THREE:
        return [CARD_TEXTS[took]]
    month = range(card // NUM_IN_MONTH * NUM_IN_MONTH, (card // NUM_IN_MONTH + 1) * NUM_IN_MONTH)
    return [CARD_TEXTS[number] for number in month if number != card]


def choices(view: Any) -> list[str]:
    """The field cards between which the mover picks."""
    return card_texts(matches(view, view.shown))
