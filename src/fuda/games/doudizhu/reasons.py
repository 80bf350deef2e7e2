"""Why a move may be right: what it leaves, whether it can be beaten, whom it stops. By the own view alone."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuda.core.state import NOBODY
from fuda.games.doudizhu.fewest import fewest_moves
from fuda.games.doudizhu.moves import (
    BLACK,
    FIRST_BOMB,
    FULL_DECK,
    GROUP_KIND,
    JOKERS,
    KIND_NAMES,
    MAX_LEGAL,
    MOVE_CARDS,
    MOVE_GROUP,
    PASS,
    SOLO,
    TWO,
    at_least,
    find,
    legal_follows,
)
from fuda.games.doudizhu.rules import CALL, NUM_SEATS, ROB, SHOW, is_bidding, legal
from fuda.games.doudizhu.text import BID_TEXTS, cards_text, move_text

TYPES = ("out", "blocks", "leaves", "unbeaten", "rounds", "breaks", "partner", "spares", "strength", "weak")
FEW_ROUNDS = 3  # left to play: so few are worth saying
LAST_CARD = 1

Reason = dict[str, Any]


def reason(view: Any, action: int) -> Reason | None:
    """The best reason for or against an action: the first that there is, in the order of `TYPES`."""
    if is_bidding(view):
        return _of_bidding(view, action)
    return _of_passing(view) if action == PASS else next(_of_playing(view, action), None)


def _of_playing(view: Any, action: int) -> Iterator[Reason]:
    hand, cards = int(view.hand[view.seat]), int(MOVE_CARDS[action])
    rest = hand - cards
    if rest == 0:
        yield {"type": "out"}
        return
    if view.beat == PASS and GROUP_KIND[MOVE_GROUP[action]] != SOLO:
        for seat in _opponents(view):
            if view.sizes[seat] == LAST_CARD:
                yield {"type": "blocks", "seat": seat}
    whole = int(find(np.int64(rest)))
    if whole >= 0:
        yield {"type": "leaves", "kind": KIND_NAMES[GROUP_KIND[MOVE_GROUP[whole]]]}
    if _is_unbeaten(view, action):
        yield {"type": "unbeaten"}
    now, then = (int(fewest_moves(np.int64(left))) for left in (hand, rest))
    if then < now and then <= FEW_ROUNDS:
        yield {"type": "rounds", "count": then}
    if then >= now:
        yield {"type": "breaks"}


def _of_passing(view: Any) -> Reason | None:
    if view.beat_seat not in _opponents(view):
        return {"type": "partner", "seat": int(view.beat_seat)}
    moves = np.empty(MAX_LEGAL, np.int64)
    plays = [int(move) for move in moves[: legal(view, moves)] if move != PASS]
    if plays and min(plays) >= FIRST_BOMB:
        return {"type": "spares", "cards": move_text(plays[0])}
    return None


def _of_bidding(view: Any, action: int) -> Reason | None:
    """Jokers, twos and bombs are what a landlord needs."""
    hand = int(view.hand[view.seat])
    if action == SHOW:
        return {"type": "rounds", "count": int(fewest_moves(np.int64(hand)))}
    if view.landlord != NOBODY:
        return None
    bombs = int(at_least(np.int64(hand), 4))
    strong = hand & (JOKERS | 15 << (4 * TWO)) | sum(4 << (4 * rank) for rank in _ranks(bombs) if rank < TWO)
    if action in (CALL, ROB) or move_text(action) in BID_TEXTS[1:]:
        return {"type": "strength", "cards": cards_text(strong)} if strong else None
    return None if strong else {"type": "weak"}


def _is_unbeaten(view: Any, action: int) -> bool:
    """Whether no move of all cards that others hold, whoever holds them, beats it."""
    unseen = FULL_DECK - int(view.hand[view.seat]) - sum(int(played) for played in view.played)
    moves = np.empty(MAX_LEGAL, np.int64)
    return int(legal_follows(np.int64(unseen), action, moves)) == 1  # to pass


def _opponents(view: Any) -> list[int]:
    if view.seat == view.landlord:
        return [seat for seat in range(NUM_SEATS) if seat != view.seat]
    return [int(view.landlord)]


def _ranks(mask: int) -> list[int]:
    return [rank for rank in range(BLACK) if mask >> (4 * rank) & 1]
