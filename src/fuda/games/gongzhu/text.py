"""Gongzhu in text: cards `SQ`, moves, deals and views."""

from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.state import PLAYING
from fuda.games.gongzhu.cards import pile_points
from fuda.games.gongzhu.claim import settled_points
from fuda.games.gongzhu.rules import DECK, HAND_SIZE
from fuda.games.gongzhu.showing import NO_SHOW, SHOW, SHOWABLE, barred, is_showing, shown_cards
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS, CARDS, SUIT_NAMES
from fuda.games.tricks.play import NUM_SEATS, hand_size, lead_suit
from fuda.games.tricks.text import read_hands, suit_letters, table, tricks

card_texts, read_pile = CARDS.of_set, CARDS.read_set
SHOWABLE_TEXTS = tuple(CARD_TEXTS[card] for card in SHOWABLE)
SHOW_TEXTS = tuple(f"show{card}" for card in SHOWABLE_TEXTS)
NO_SHOW_TEXT = "noshow"


def move_text(action: int) -> str:
    """A move as text: the card, or what is shown before play."""
    if action < SHOW:
        return CARD_TEXTS[action]
    return NO_SHOW_TEXT if action == NO_SHOW else SHOW_TEXTS[action - SHOW]


def decision_kind(view: Any) -> str:
    """Whether the seat to move may show cards, leads a trick or follows."""
    if is_showing(view):
        return "show"
    return "follow" if view.num_plays & 3 else "lead"


def points(cards: object, shown: object = ()) -> int:
    """The points that a pile is worth to the player who took it, where some cards were shown before play."""
    cards_shown = read_pile(shown)
    for card in card_texts(cards_shown):
        if card not in SHOWABLE_TEXTS:
            raise ValueError(f"the cards that can be shown are {', '.join(SHOWABLE_TEXTS)}, not {card}")
    return int(pile_points(read_pile(cards), cards_shown))


def read_deal(state: Any, deal: object, rng: np.ndarray) -> np.ndarray:
    """The deck of an explicit deal; sets the leader if the deal names one."""
    if not isinstance(deal, dict) or not {"hands"} <= set(deal) <= {"hands", "leader"}:
        raise ValueError(
            f"a Gongzhu deal is a dictionary with the key hands and, if wanted, leader, not {echo(deal)}"
        )
    deck = read_hands(deal["hands"], DECK)
    if "leader" in deal:
        leader = deal["leader"]
        whole = isinstance(leader, int | np.integer) and not isinstance(leader, bool)
        if not whole or not 0 <= leader < NUM_SEATS:
            raise ValueError(f"the leader is a seat from 0 to {NUM_SEATS - 1}, not {echo(leader)}")
        state.next_leader = int(leader)
    return np.array(deck, np.int8)


def write_deal(state: Any) -> dict[str, Any]:
    """The deal of a state in which nobody has moved yet."""
    return {"hands": [card_texts(hand) for hand in state.hand], "leader": int(state.leaders[0])}


def shown_by(view: Any) -> list[list[str]]:
    """The cards that each seat has shown before play."""
    shown = list(zip(SHOWABLE_TEXTS, view.shown_by.tolist(), strict=True))
    return [[card for card, holder in shown if holder == seat] for seat in range(NUM_SEATS)]


def why_illegal(view: Any, move: str) -> str:
    """Why a text is no legal move of the mover."""
    if is_showing(view):
        return "before play a card is shown, such as showSQ, or no more with noshow"
    if move in (*SHOW_TEXTS, NO_SHOW_TEXT):
        return "cards are shown before play"
    if move not in CARD_IDS:
        return CARDS.form
    if not int(view.hand[view.seat]) >> CARD_IDS[move] & 1:
        return "the card is not in the hand"
    if int(barred(view, view.seat)) >> CARD_IDS[move] & 1:
        return "it was shown, and its suit is led for the first time"
    return f"you must follow {SUIT_NAMES[lead_suit(view)]}"


def view_dict(view: Any, seat: int) -> dict[str, Any]:
    """What a seat knows, beside the keys that all games have."""
    playing = bool(view.status == PLAYING)
    showing = bool(is_showing(view))
    shown = shown_cards(view)
    num_tricks = int(view.num_plays) // NUM_SEATS
    return {
        "trick": num_tricks + playing,
        "phase": "show" if showing else "play" if playing else "over",
        "first_leader": int(view.leaders[0]),
        "leader": int(view.leaders[num_tricks]) if playing else None,
        "hand": card_texts(view.hand[seat]),
        "hand_sizes": [int(hand_size(view, player, HAND_SIZE)) for player in range(NUM_SEATS)],
        "table": table(view),
        "piles": [card_texts(pile) for pile in view.pile],
        "points": [int(pile_points(pile, shown)) for pile in view.pile],
        "voids": [suit_letters(suits) for suits in view.voids],
        "tricks": tricks(view),
        "settled": settled_points(view, seat),
        **({"shown": shown_by(view)} if view.showing else {}),
        **({"deal": int(view.num_deals), "totals": view.totals.tolist()} if view.target else {}),
    }
