"""Gongzhu in text: cards `SQ`, moves, deals and views."""

from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.state import PLAYING
from fuda.games.gongzhu.cards import pile_points
from fuda.games.gongzhu.claim import settled_points
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS, CARDS, SUIT_NAMES
from fuda.games.tricks.play import NUM_SEATS, hand_size, lead_suit
from fuda.games.tricks.text import read_hands, suit_letters, table, tricks

card_texts, read_pile = CARDS.of_set, CARDS.read_set


def move_text(action: int) -> str:
    """A move as text: the card."""
    return CARD_TEXTS[action]


def points(cards: object) -> int:
    """The points that a pile is worth to the player who took it."""
    return int(pile_points(read_pile(cards)))


def read_deal(state: Any, deal: object, rng: np.ndarray) -> np.ndarray:
    """The deck of an explicit deal; sets the leader if the deal names one."""
    if not isinstance(deal, dict) or not {"hands"} <= set(deal) <= {"hands", "leader"}:
        raise ValueError(
            f"a Gongzhu deal is a dictionary with the key hands and, if wanted, leader, not {echo(deal)}"
        )
    deck = read_hands(deal["hands"])
    if "leader" in deal:
        leader = deal["leader"]
        whole = isinstance(leader, int | np.integer) and not isinstance(leader, bool)
        if not whole or not 0 <= leader < NUM_SEATS:
            raise ValueError(f"the leader is a seat from 0 to {NUM_SEATS - 1}, not {echo(leader)}")
        state.leaders[0] = int(leader)
    return np.array(deck, np.int8)


def write_deal(state: Any) -> dict[str, Any]:
    """The deal of a state in which nobody has moved yet."""
    return {"hands": [card_texts(hand) for hand in state.hand], "leader": int(state.leaders[0])}


def why_illegal(view: Any, move: str) -> str:
    """Why a text is no legal move of the mover."""
    if move not in CARD_IDS:
        return CARDS.form
    if not int(view.hand[view.seat]) >> CARD_IDS[move] & 1:
        return "the card is not in the hand"
    return f"you must follow {SUIT_NAMES[lead_suit(view)]}"


def view_dict(view: Any, seat: int) -> dict[str, Any]:
    """What a seat knows, beside the keys that all games have."""
    playing = bool(view.status == PLAYING)
    num_tricks = int(view.num_plays) // NUM_SEATS
    return {
        "trick": num_tricks + playing,
        "phase": "play" if playing else "over",
        "first_leader": int(view.leaders[0]),
        "leader": int(view.leaders[num_tricks]) if playing else None,
        "hand": card_texts(view.hand[seat]),
        "hand_sizes": [int(hand_size(view, player)) for player in range(NUM_SEATS)],
        "table": table(view),
        "piles": [card_texts(pile) for pile in view.pile],
        "points": [int(pile_points(pile)) for pile in view.pile],
        "voids": [suit_letters(suits) for suits in view.voids],
        "tricks": tricks(view),
        "settled": settled_points(view, seat),
    }
