"""The planted game in text."""

from typing import Any

import numpy as np

from fuda.core.card_names import CardNames
from fuda.core.errors import echo
from fuda.core.state import PLAYING
from planted.rules import (
    FIRST_GIFT,
    GIFTS,
    HAND_SIZE,
    NUM_CARDS,
    NUM_SEATS,
    hand_size,
    has_given,
    payoff,
)

CARD_TEXTS = tuple(f"{suit}{rank}" for rank in range(1, 13) for suit in "abcd")
CARDS = CardNames(CARD_TEXTS, "a card is text from a1 to d12", "['a1', 'd12']")


def move_text(action: int) -> str:
    """A card, or the three cards of a gift."""
    return CARD_TEXTS[action] if action < FIRST_GIFT else "+".join(CARDS.of_set(GIFTS[action - FIRST_GIFT]))


def read_deal(state: Any, deal: object, rng: np.ndarray) -> np.ndarray:
    """The deck of an explicit deal."""
    hands = deal.get("hands") if isinstance(deal, dict) and set(deal) == {"hands"} else None
    if not isinstance(hands, list) or len(hands) != NUM_SEATS or not all(isinstance(h, list) for h in hands):
        raise ValueError(f"a deal is a dictionary of {NUM_SEATS} hands, not {echo(deal)}")
    if any(len(hand) != HAND_SIZE for hand in hands):
        raise ValueError(f"a hand has {HAND_SIZE} cards")
    deck = [CARDS.read(text) for hand in hands for text in hand]
    if len(set(deck)) != NUM_CARDS:
        raise ValueError("a card is dealt twice")
    return np.array(deck, np.int8)


def write_deal(state: Any) -> dict[str, Any]:
    """The deal of a state in which nobody has moved yet."""
    return {"hands": [CARDS.of_set(hand) for hand in state.hand]}


def why_illegal(view: Any, move: str) -> str:
    """Why a text is no legal move of the mover."""
    if view.num_gifts < NUM_SEATS:
        return "three cards of the hand are given, such as a1+b2+c3"
    return "a card of the hand is played, such as a1"


def view_dict(view: Any, seat: int) -> dict[str, Any]:
    """What a seat knows, beside the keys that all games have (RULES 5.1)."""
    phase = "over" if view.status != PLAYING else "play" if view.num_gifts == NUM_SEATS else "give"
    return {
        "deal": int(view.deal_number),
        "phase": phase,
        "leader": int(view.leader),
        "hand": CARDS.of_set(view.hand[seat]),
        "hand_sizes": [int(hand_size(view, other)) for other in range(NUM_SEATS)],
        "gifts": gifts(view),
        "table": table(view),
        "played": [CARDS.of_set(cards) for cards in view.played],
        "tricks": view.tricks.tolist(),
        "points": points(view),
    }


def gifts(view: Any) -> list[list[str] | None]:
    """The gifts by giver, None where there is none yet or it is not known."""
    known = [CARDS.of_set(gift) or None for gift in view.gift]
    return [gift if has_given(view, seat) else None for seat, gift in enumerate(known)]


def table(view: Any) -> list[list[Any]]:
    """The trick as [seat, card] in order of play."""
    return [
        [(int(view.leader) + index) % NUM_SEATS, CARD_TEXTS[view.table[index]]]
        for index in range(view.on_table)
    ]


def points(view: Any) -> list[int]:
    """The points of all deals so far."""
    deal = np.zeros(NUM_SEATS)
    payoff(view, deal)
    return [int(total + now) for total, now in zip(view.points, deal, strict=True)]
