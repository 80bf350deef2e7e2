"""What a seat saw happen with one move: RULES.md, section 6, lists the events."""

from typing import Any

from fuda.core.state import OVER
from fuda.games.gongzhu.cards import pile_points
from fuda.games.gongzhu.text import card_texts, tricks


def events(view_before: Any, move: str | None, view_after: Any) -> list[dict[str, Any]]:
    """The events of a move, or of a deal if `move` is None, from two views of the same seat."""
    if move is None:
        # Only the seat's own hand is not blank in its view.
        own = [card_texts(hand) for hand in view_after.hand if hand]
        return [{"type": "deal", "leader": int(view_after.leaders[0]), "hand": own[0] if own else []}]
    seen: list[dict[str, Any]] = [{"type": "play", "seat": int(view_before.seat), "card": move}]
    if view_after.num_plays % 4 == 0:
        last = tricks(view_after)[-1]
        seen.append({"type": "trick", "winner": last["winner"], "cards": last["cards"]})
    if view_after.status == OVER:
        seen.append({"type": "match_over", "scores": [int(pile_points(pile)) for pile in view_after.pile]})
    return seen
