"""What a seat is told. Every function here takes a match and uses one seat's views of it.

The tests build each message from a state and from another state that looks the same to the
seat, and compare the bytes: what is hidden cannot be in them. Only `result`, which is for a
table that is over, opens all hands.
"""

import json
from collections.abc import Callable
from typing import Any

from fuda.agents.ties import best_first
from fuda.core.match import Match

Message = dict[str, Any]
PLAYING, BETWEEN, OVER = "playing", "between", "over"
MOST_REASONS = 12  # of a hint's best moves: no list on the page is longer
EVERYBODY = -1  # in the place of a seat: who looks on is told what all seats are


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encode(message: Message) -> str:
    """As it is sent."""
    return _encoder.encode(message)


def view(match: Match, state: str, seat: int) -> Message:
    """The seat's view; between two rounds it is that of the one that has ended."""
    return match.ended_round_view(seat) if state == BETWEEN else match.view(seat)


def for_everybody(match: Match, build: Callable[[int], Message]) -> Message:
    """A message with nothing but what stands in those to all seats."""
    told = [build(seat) for seat in range(match.game.spec.seats)]
    found = {key: value for key, value in told[0].items() if all(each[key] == value for each in told)}
    if "view" in told[0]:
        found["view"] = _common_view([each["view"] for each in told])
    if "events" in told[0]:
        found["events"] = _common_events([each["events"] for each in told])
    if "move" in told[0]:
        found.setdefault("move", None)
    return found


def _common_view(seen: list[Message]) -> Message:
    """What all seats see. Where they differ there is nothing, of the same type."""
    found = {
        key: _common([each[key] for each in seen]) for key in seen[0] if all(key in each for each in seen)
    }
    found["seat"] = 0
    found["history"] = [
        made if all(each == made for each in moves) else [made[0], None]
        for made, *moves in zip(*(each["history"] for each in seen), strict=True)
    ]
    return found


def _common(values: list[Any]) -> Any:
    if any(value is None for value in values):
        return None
    return values[0] if all(value == values[0] for value in values) else type(values[0])()


def _common_events(seen: list[list[Message]]) -> list[Message]:
    if len({len(events) for events in seen}) != 1:
        return []
    return [event for event, *others in zip(*seen, strict=True) if all(other == event for other in others)]


def views(match: Match, state: str) -> list[Message]:
    """All seats' views: for tables of agents alone, and for those that are over."""
    return [view(match, state, seat) for seat in range(match.game.spec.seats)]


def snapshot(match: Match, state: str, seat: int, shown: str | None = None) -> Message:
    """Where the table stands; `shown` is the state in which it was resigned."""
    return {
        "type": "snapshot",
        "seq": len(match.moves),
        "state": state,
        "view": view(match, shown or state, seat),
        "events": match.move_events(seat) if state == BETWEEN else [],
    }


def moved(match: Match, state: str, seat: int, stand_in: Message | None = None) -> Message:
    """The last move of the match."""
    mover, move = match.last_move(seat)
    return {
        "type": "moved",
        "seq": len(match.moves),
        "seat": mover,
        "move": move,
        "stand_in": stand_in,
        "events": match.move_events(seat) if state == BETWEEN else match.events(seat),
        "state": state,
        "view": view(match, state, seat),
    }


def continued(match: Match, seat: int) -> Message:
    """The next round's deal, after the pause."""
    return {
        "type": "continued",
        "seq": len(match.moves),
        "events": match.deal_events(seat),
        "state": PLAYING,
        "view": match.view(seat),
    }


def ended(match: Match, seat: int, shown: str = OVER) -> Message:
    """Somebody has resigned; between two rounds the next one stays unseen."""
    return {"type": "ended", "seq": len(match.moves), "state": OVER, "view": view(match, shown, seat)}


def hint(match: Match, agent: str, unit: str, values: dict[str, float]) -> Message:
    """What an agent thinks of the mover's moves, and reasons for the best, which are nobody's opinion."""
    ranked = best_first(values, match.game.spec, unit)
    return {
        "type": "hint",
        "seq": len(match.moves),
        "agent": agent,
        "unit": unit,
        "values": {move: round(value, 6) for move, value in values.items()},
        "best": ranked[0],
        "reasons": reasons(match, ranked[:MOST_REASONS]),
    }


def reasons(match: Match, moves: list[str]) -> dict[str, Message]:
    """Why these moves of the mover may be right or wrong, where its game knows; from its own view."""
    told = match.game.spec.reasons
    if told is None or match.seat is None:
        return {}
    view, actions = match.view_record(match.seat)[0], match.legal_actions()
    found = {move: told.reason(view, actions[move]) for move in moves}
    return {move: reason for move, reason in found.items() if reason is not None}


def result(match: Match, resigned: int | None, record: str, shown: str = OVER) -> Message:
    """How it ended, with all cards open."""
    seats = range(match.game.spec.seats)
    played = resigned is None
    return {
        "reason": "played" if played else "resigned",
        "resigned": resigned,
        "scores": match.scores if played else None,
        "margins": [match.margin(seat) for seat in seats] if played else None,
        "views": views(match, shown),
        "record": record,
    }
