"""What one seat saw happen, from its views before and after a move: for terminal, table and replay."""

from typing import Any

import numpy as np

from fuda.core.state import NOBODY, OVER
from fuda.games.doudizhu.moves import FIRST_BOMB
from fuda.games.doudizhu.rules import NUM_SEATS, scores
from fuda.games.doudizhu.text import BID_TEXTS, cards_text


def events(before: Any, move: str | None, after: Any, seat: int) -> list[dict[str, Any]]:
    """What happened, in order. `move` is the text of the move; None: the cards were dealt again."""
    if move is None:
        own = cards_text(after.hand[seat])
        return [{"type": "deal", "deal": int(after.num_deals), "hand": own}]
    mover = int(before.seat)
    if move in BID_TEXTS:
        seen = _bid_events(mover, BID_TEXTS.index(move), after)
    elif move == "pass":
        seen = [{"type": "pass", "seat": mover}]
    else:
        left = int(after.sizes[mover])
        seen = [{"type": "play", "seat": mover, "cards": move, "left": left}]
        if after.beat >= FIRST_BOMB:
            seen.append({"type": "bomb", "seat": mover, "cards": move, "bombs": int(after.bombs)})
    if move == "pass" and after.beat_seat == NOBODY:
        seen.append({"type": "lead", "seat": int(after.seat)})
    if after.status == OVER:
        points = np.zeros(NUM_SEATS, np.int64)
        scores(after, points)
        seen.append({"type": "match_over", "scores": points.tolist()})
    return seen


def _bid_events(seat: int, bid: int, after: Any) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = [{"type": "bid", "seat": seat, "bid": bid}]
    if after.landlord != NOBODY:
        bottom = cards_text(after.bottom)
        landlord = {
            "type": "landlord",
            "seat": int(after.landlord),
            "bid": int(after.stake),
            "bottom": bottom,
        }
        seen.append(landlord)
    elif after.seat == NOBODY:
        seen.append({"type": "nobody_bid"})
    return seen
