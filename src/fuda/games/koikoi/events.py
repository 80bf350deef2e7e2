"""What a seat saw happen: RULES 7.4. Computed from one seat's views, so nothing hidden can leak."""

from typing import Any

from fuda.core.state import OVER, PLAYING
from fuda.games.koikoi.rules import (
    CLAIM,
    DISCARD_TOOK,
    DISCARDED,
    DRAW_TOOK,
    DRAWN,
    NOTHING,
    PICK_FOR_DISCARD,
    PICK_FOR_DRAW,
    begins_with_hand_yaku,
    shows_hand,
)
from fuda.games.koikoi.text import CARD_TEXTS, card_texts, choices, taken, yaku_of

Event = dict[str, Any]


def events(before: Any, move: str | None, after: Any, seat: int) -> list[Event]:
    """The events of a move, or of a new deal where `move` is None."""
    if move is None:
        dealt = {"type": "deal", "round": int(after.round_index) + 1, "dealer": int(after.dealer)}
        return [dealt, *(_hand_yaku(after, player) for player in (0, 1) if shows_hand(after, player))]
    mover = int(before.seat)
    seen: list[Event] = []
    if before.phase == CLAIM:
        seen.append({"type": move, "seat": mover})
    else:
        seen += _cards_moved(before, after, mover)
        if _has_more(before, after, mover):
            seen.append(
                {
                    "type": "yaku",
                    "seat": mover,
                    "yaku": yaku_of(after, mover),
                    "points": int(after.yaku_points[mover]),
                }
            )
    if after.status != PLAYING:
        seen += _round_over(before, move, after)
    return seen


def _hand_yaku(view: Any, seat: int) -> Event:
    cards, points = card_texts(view.hand[seat]), int(view.yaku_points[seat])
    return {"type": "hand_yaku", "seat": seat, "cards": cards, "yaku": yaku_of(view, seat), "points": points}


def _has_more(before: Any, after: Any, seat: int) -> bool:
    """Whether a move has raised what the seat's yaku are worth, without bonus and doubling (RULES 6.6)."""
    return bool(after.yaku[seat].sum() > before.yaku[seat].sum())


def _cards_moved(before: Any, after: Any, seat: int) -> list[Event]:
    row = after.turns[before.turn]
    seen: list[Event] = []
    if before.phase != PICK_FOR_DRAW:
        discard = row[DISCARDED]
        if before.phase != PICK_FOR_DISCARD:
            seen.append({"type": "discard", "seat": seat, "card": CARD_TEXTS[discard]})
        if after.shown == discard:
            return [*seen, _choice(after, seat)]
        seen.append(_met(seat, discard, row[DISCARD_TOOK]))
        seen.append({"type": "draw", "seat": seat, "card": CARD_TEXTS[row[DRAWN]]})
        if after.shown == row[DRAWN]:
            return [*seen, _choice(after, seat)]
    seen.append(_met(seat, row[DRAWN], row[DRAW_TOOK]))
    return seen


def _choice(after: Any, seat: int) -> Event:
    return {"type": "choose", "seat": seat, "card": CARD_TEXTS[after.shown], "between": choices(after)}


def _met(seat: int, card: int, took: int) -> Event:
    if took == NOTHING:
        return {"type": "stay", "card": CARD_TEXTS[card]}
    return {"type": "take", "seat": seat, "cards": [CARD_TEXTS[card], *taken(card, took)]}


def _round_over(before: Any, move: str, after: Any) -> list[Event]:
    gain = int(after.round_points[after.round_index])
    winner = None if gain == 0 else 0 if gain > 0 else 1
    if begins_with_hand_yaku(before):
        reason = "hand yaku"
    elif move == "stop":
        reason = "stop"
    else:
        reason = "last turn" if _has_more(before, after, before.seat) else "exhausted"
    seen: list[Event] = [{"type": "round_over", "winner": winner, "points": abs(gain), "reason": reason}]
    if after.status == OVER:
        seen.append({"type": "match_over", "scores": [int(points) for points in after.points]})
    return seen
