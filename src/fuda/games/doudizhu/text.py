"""Dou Dizhu in text: cards `3456789TJQKA2BR`, moves, deals and views."""

from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.generator import shuffle
from fuda.core.state import NOBODY, OVER, PLAYING
from fuda.games.doudizhu.moves import (
    FULL_DECK,
    MAX_HAND,
    MAX_LEGAL,
    MOVE_CARDS,
    PASS,
    RANKS,
    beats,
    find,
    legal_follows,
    legal_leads,
)
from fuda.games.doudizhu.rules import (
    BID,
    BOTTOM_SIZE,
    HAND_SIZE,
    MAX_BID,
    NO_BID,
    NUM_SEATS,
    ROBBING,
    SHOWN,
    is_spring,
    may_show,
)

BID_TEXTS = tuple(f"bid{bid}" for bid in range(MAX_BID + 1))
CLAIM_TEXTS = ("nocall", "call", "norob", "rob")
SHOW_TEXTS = ("noshow", "show")
BEFORE_PLAY = (*BID_TEXTS, *CLAIM_TEXTS, *SHOW_TEXTS)  # in the order of the actions, from BID on
RANK_OF = {text: rank for rank, text in enumerate(RANKS)}

LANDLORD_SIZE = HAND_SIZE + BOTTOM_SIZE


def move_text(action: int) -> str:
    """A move as text."""
    if action >= BID:
        return BEFORE_PLAY[action - BID]
    return "pass" if action == PASS else cards_text(MOVE_CARDS[action])


def decision_kind(view: Any) -> str:
    """Whether the seat to move bids, leads, or follows."""
    if view.landlord == NOBODY:
        return "bid"
    return "lead" if view.beat == PASS else "follow"


def cards_text(packed: int) -> str:
    """Cards as text, in rising order."""
    return "".join(text * (int(packed) >> (4 * rank) & 15) for rank, text in enumerate(RANKS))


def read_cards(name: str, text: object, low: int, high: int) -> int:
    """Cards in any order, packed; the errors call them `name`."""
    size = f"{low}" if low == high else f"{low} to {high}"
    if not isinstance(text, str):
        raise ValueError(f"{name} is text of {size} cards such as '334TBR', not {echo(text)}")
    if any(char not in RANK_OF for char in text):
        raise ValueError(f"{name} is text of the cards {RANKS}, not {echo(text)}")
    if not low <= len(text) <= high:
        raise ValueError(f"{name} has {size} cards, not {len(text)}: {echo(text)}")
    _check_within_deck(name, text)
    return sum(1 << (4 * RANK_OF[char]) for char in text)


def _check_within_deck(name: str, text: str) -> None:
    for rank, char in enumerate(RANKS):
        most = FULL_DECK >> (4 * rank) & 15
        if text.count(char) > most:
            raise ValueError(f"{name} has {text.count(char)} cards {char}, but the deck has {most}")


def read_move(text: object) -> int:
    """The id of a move with cards, given in any card order."""
    cards = read_cards("a move", text, 1, MAX_HAND)
    move = int(find(np.int64(cards)))
    if move < 0:
        raise ValueError(f"{echo(text)} is no move: the cards do not belong together")
    return move


def moves(hand: object, beat: object = None) -> list[str]:
    """The legal moves of a hand as text, sorted: leading, or following a move to beat."""
    cards = np.int64(read_cards("a hand", hand, 1, MAX_HAND))
    out = np.empty(MAX_LEGAL, np.int64)
    count = legal_leads(cards, out) if beat is None else legal_follows(cards, read_move(beat), out)
    return sorted(move_text(int(move)) for move in out[:count])


def read_deal(state: Any, deal: object, rng: np.ndarray) -> np.ndarray:
    """The deck of an explicit deal. A bottom that is not given is drawn from the landlord's cards."""
    sizes = (HAND_SIZE if state.bidding else LANDLORD_SIZE, HAND_SIZE, HAND_SIZE)
    if not isinstance(deal, dict) or not {"hands"} <= set(deal) <= {"hands", "bottom"}:
        raise ValueError(f"a Dou Dizhu deal is a dictionary with the keys hands and bottom, not {echo(deal)}")
    if state.bidding and "bottom" not in deal:
        raise ValueError("with bidding, a deal needs the key bottom: the three cards that nobody holds yet")
    hands = deal["hands"]
    if not isinstance(hands, list | tuple) or len(hands) != NUM_SEATS:
        raise ValueError(
            f"hands are three texts of {sizes[0]}, {sizes[1]} and {sizes[2]} cards, not {echo(hands)}"
        )
    for seat, (hand, size) in enumerate(zip(hands, sizes, strict=True)):
        read_cards(f"the hand of seat {seat}", hand, size, size)
    dealt = "".join(hands)
    first = _ranks(hands[0])
    if "bottom" in deal:
        read_cards("the bottom", deal["bottom"], BOTTOM_SIZE, BOTTOM_SIZE)
        bottom = _ranks(deal["bottom"])
        if state.bidding:
            dealt += deal["bottom"]
        else:
            first = _without(first, bottom)
    else:
        first.sort()  # the order in which a hand is written means nothing
        shuffle(rng, first, len(first))
        first, bottom = first[:HAND_SIZE], first[HAND_SIZE:]
    _check_within_deck("the deal", dealt)
    return np.concatenate([first, _ranks(hands[1]), _ranks(hands[2]), bottom])


def _ranks(cards: str) -> np.ndarray:
    return np.array([RANK_OF[char] for char in cards], np.int8)


def _without(hand: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    rest = hand.tolist()
    for rank in bottom.tolist():
        if rank not in rest:
            raise ValueError("the bottom is three of the landlord's 20 cards, which are the first hand")
        rest.remove(rank)
    return np.array(rest, np.int8)


def write_deal(state: Any) -> dict[str, Any]:
    """The deal of a state in which nobody has moved yet."""
    return {"hands": [cards_text(hand) for hand in state.hand], "bottom": cards_text(state.bottom)}


def why_illegal(view: Any, move: str) -> str:
    """Why a text is no legal move of the mover."""
    if may_show(view):
        return "the landlord says first whether it shows its hand, with show or noshow"
    if view.landlord == NOBODY:
        if view.bidding == ROBBING:
            if view.stake:
                return "the landlord was called: it is the time to rob or not, with rob or norob"
            return "it is the time to call the landlord or not, with call or nocall"
        if move not in BID_TEXTS:
            return "it is the time to bid, with bid0 to bid3"
        return f"a bid is bid0 or higher than {int(view.stake)}"
    if move in BEFORE_PLAY:
        return "the bidding is over"
    if move == "pass":
        return "the player who leads cannot pass"
    try:
        number = read_move(move)
    except ValueError:
        return "it is no move: ranks 3456789TJQKA2BR that belong together"
    if move != move_text(number):
        return f"cards are written in rising order, here {move_text(number)}"
    hand = cards_text(view.hand[view.seat])
    if any(move.count(card) > hand.count(card) for card in move):
        return "these cards are not all in the hand"
    if not beats(number, view.beat):
        return f"it does not beat {move_text(int(view.beat))}"
    return "it is not legal"  # cannot happen: all that makes a move illegal is above


def view_dict(view: Any, seat: int) -> dict[str, Any]:
    """What a seat knows, beside the keys that all games have."""
    bidding = view.landlord == NOBODY
    leads = view.beat == PASS
    return {
        "phase": _phase(view),
        "landlord": None if bidding else int(view.landlord),
        "hand": cards_text(view.hand[seat]),
        "hand_sizes": [int(size) for size in view.sizes],
        "played": [cards_text(played) for played in view.played],
        "bottom": None if bidding else cards_text(view.bottom),
        "beat": None if leads else move_text(int(view.beat)),
        "beat_seat": None if leads else int(view.beat_seat),
        "bombs": int(view.bombs),
        "bids": [None if bid == NO_BID else int(bid) for bid in view.bids],
        "stake": int(view.stake),
        "deal": int(view.num_deals),
        **_options_keys(view),
    }


def _phase(view: Any) -> str:
    if view.status != PLAYING:
        return "over"
    return "bid" if view.landlord == NOBODY else "show" if may_show(view) else "play"


def _options_keys(view: Any) -> dict[str, Any]:
    """What is told only under the options that it is about (RULES 9 to 11)."""
    found: dict[str, Any] = {}
    if view.bidding == ROBBING or view.showing:
        found["doublings"] = int(view.doublings)
    if view.showing:
        found["shown"] = cards_text(view.hand[view.landlord]) if view.shown == SHOWN else None
    if view.spring:
        found["spring"] = bool(view.status == OVER and view.landlord != NOBODY and is_spring(view))
    return found
