"""Why a move may be right: a yaku made or nearer, a card kept from the other. By the own view alone."""

from typing import Any

import numpy as np

from fuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLY,
    LIGHTS,
    NUM_IN_MONTH,
    RED_RIBBONS,
    SAKE_CUP,
)
from fuda.games.koikoi.rules import CLAIM, DISCARD, STOP, matches
from fuda.games.koikoi.text import CARD_TEXTS
from fuda.games.koikoi.yaku import (
    GOALS,
    NUM_YAKU,
    YAKU_NAMES,
    progress,
    tally_of_house,
    viewing_points,
)

TYPES = ("makes", "adds", "keeps", "near", "takes", "own", "few", "danger", "far")
WORTH_TAKING = (LIGHTS, SAKE_CUP, BOAR_DEER_BUTTERFLY, RED_RIBBONS | BLUE_RIBBONS)  # the best first
MONTH = (1 << NUM_IN_MONTH) - 1

Reason = dict[str, Any]


def reason(view: Any, action: int) -> Reason | None:
    """The best reason for an action: the first that there is, in the order of `TYPES`."""
    if view.phase == CLAIM:
        return _of_answer(view, action)
    ways = _ways_to_take(view, action)
    if not ways:
        return _of_leaving(view, action)
    found = [_of_taking(view, *way) for way in ways]
    return min(filter(None, found), key=lambda one: TYPES.index(one["type"]), default=None)


def _ways_to_take(view: Any, action: int) -> list[tuple[int, int]]:
    """What an action can bring: the card that takes, and the set of field cards that it takes."""
    if view.phase != DISCARD:
        return [(int(view.shown), 1 << action)]
    on_field = int(matches(view, action))
    if on_field.bit_count() == 2:  # one of them, which is chosen next
        return [(action, 1 << card) for card in _cards(on_field)]
    return [(action, on_field)] if on_field else []


def _of_taking(view: Any, card: int, taken: int) -> Reason | None:
    gained = taken | 1 << card
    mine, theirs = int(view.pile[view.seat]), int(view.pile[1 - view.seat])
    before, after = _yaku_points(view, mine), _yaku_points(view, mine | gained)
    grown = [number for number in range(NUM_YAKU) if after[number] > before[number]]
    for type_, were_there in (("makes", False), ("adds", True)):
        names = [YAKU_NAMES[number] for number in grown if (before[number] > 0) == were_there]
        if names:
            return {"type": type_, "yaku": names[0]}
    for name, group in _one_short(view, theirs, mine):
        if group & taken:
            return {"type": "keeps", "cards": [CARD_TEXTS[next(_cards(group & taken))]], "yaku": name}
    known = dict(_one_short(view, mine, theirs))
    for name, _ in _one_short(view, mine | gained, theirs):
        if name not in known:
            return {"type": "near", "yaku": name}
    for group in WORTH_TAKING:
        if group & gained:
            return {"type": "takes", "cards": [CARD_TEXTS[next(_cards(group & gained))]]}
    return None


def _of_leaving(view: Any, card: int) -> Reason | None:
    """Of a card that takes nothing: who can take it later."""
    month = MONTH << (card - card % NUM_IN_MONTH)
    hand = int(view.hand[view.seat])
    if month & hand & ~(1 << card):
        return {"type": "own"}
    unseen = month & ~(hand | int(view.pile[0]) | int(view.pile[1]))
    return {"type": "few"} if unseen.bit_count() == 1 else None


def _of_answer(view: Any, action: int) -> Reason | None:
    """Of going on or not: how near both are to more."""
    mine, theirs = int(view.pile[view.seat]), int(view.pile[1 - view.seat])
    danger = [name for name, _ in _one_short(view, theirs, mine)]
    if action == STOP:
        return {"type": "danger", "yaku": danger[0]} if danger else None
    near = [name for name, _ in _one_short(view, mine, theirs)]
    if near:
        return {"type": "near", "yaku": near[0]}
    return None if danger else {"type": "far"}


def _one_short(view: Any, pile: int, other_pile: int) -> list[tuple[str, int]]:
    """The yaku that a pile is one card short of, and that card, or those of which one is needed."""
    viewing = viewing_points(np.int64(pile), np.int64(0), np.int64(view.scoring)) > 0
    short = []
    for goal, (name, group, _) in zip(progress(pile, other_pile), GOALS, strict=True):
        counts = viewing or not name.endswith("Viewing Sake")
        if counts and goal.possible and goal.need - goal.have == 1:
            short.append((name, group & ~pile))
    return short


def _yaku_points(view: Any, pile: int) -> np.ndarray:
    points = np.zeros(NUM_YAKU, np.int8)
    claims = view.claims
    tally_of_house(np.int64(pile), claims[view.seat], claims[1 - view.seat], view.scoring, points)
    return points


def _cards(cards: int) -> Any:
    """The cards of a set, by their numbers."""
    return (number for number in range(cards.bit_length()) if cards >> number & 1)
