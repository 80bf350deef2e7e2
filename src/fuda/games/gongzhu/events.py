"""What a seat saw happen with one move: RULES.md, section 6, lists the events."""

from typing import Any

import numpy as np

from fuda.core.state import OVER, PLAYING
from fuda.games.gongzhu.rules import scores
from fuda.games.gongzhu.text import NO_SHOW_TEXT, SHOW_TEXTS, SHOWABLE_TEXTS, card_texts
from fuda.games.tricks.play import NUM_SEATS
from fuda.games.tricks.text import tricks


def events(view_before: Any, move: str | None, view_after: Any, seat: int) -> list[dict[str, Any]]:
    """The events of a move, or of a deal where `move` is None, from two views of the same seat."""
    if move is None:
        own = card_texts(view_after.hand[seat])
        leader = int(view_after.leaders[0])
        return [{"type": "deal", "deal": int(view_after.num_deals), "leader": leader, "hand": own}]
    seat_of_move = int(view_before.seat)
    if move == NO_SHOW_TEXT:
        return [{"type": "no_show", "seat": seat_of_move}]
    if move in SHOW_TEXTS:
        return [{"type": "show", "seat": seat_of_move, "card": SHOWABLE_TEXTS[SHOW_TEXTS.index(move)]}]
    seen: list[dict[str, Any]] = [{"type": "play", "seat": seat_of_move, "card": move}]
    if view_after.num_plays % 4 == 0:
        last = tricks(view_after)[-1]
        seen.append({"type": "trick", "winner": last["winner"], "cards": last["cards"]})
    if view_after.status != PLAYING:
        points = np.zeros(NUM_SEATS, np.int64)
        scores(view_after, points)
        if view_after.target:
            gained = (points - view_after.totals).tolist()
            seen.append({"type": "deal_over", "points": gained, "totals": points.tolist()})
        if view_after.status == OVER:
            seen.append({"type": "match_over", "scores": points.tolist()})
    return seen
