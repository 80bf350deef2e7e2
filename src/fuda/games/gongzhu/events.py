"""What a seat saw happen with one move: RULES.md, section 6, lists the events."""

from typing import Any

from fuda.core.state import OVER
from fuda.games.gongzhu.cards import pile_points
from fuda.games.tricks.text import tricks


def events(view_before: Any, move: str | None, view_after: Any, seat: int) -> list[dict[str, Any]]:
    """The events of a move, from two views of the same seat. (A match has one deal.)"""
    seen: list[dict[str, Any]] = [{"type": "play", "seat": int(view_before.seat), "card": move}]
    if view_after.num_plays % 4 == 0:
        last = tricks(view_after)[-1]
        seen.append({"type": "trick", "winner": last["winner"], "cards": last["cards"]})
    if view_after.status == OVER:
        seen.append({"type": "match_over", "scores": [int(pile_points(pile)) for pile in view_after.pile]})
    return seen
