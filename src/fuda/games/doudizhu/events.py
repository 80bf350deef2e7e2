"""What one seat saw happen, from its views before and after a move: for terminal, table and replay."""

from typing import Any

import numpy as np

from fuda.core.state import NOBODY, OVER
from fuda.games.doudizhu.moves import FIRST_BOMB
from fuda.games.doudizhu.rules import NUM_SEATS, is_spring, scores
from fuda.games.doudizhu.text import BID_TEXTS, CLAIM_TEXTS, SHOW_TEXTS, cards_text


def events(before: Any, move: str | None, after: Any, seat: int) -> list[dict[str, Any]]:
    """What happened, in order. `move` is the text of the move; None: the cards were dealt again."""
    if move is None:
        own = cards_text(after.hand[seat])
        return [{"type": "deal", "deal": int(after.num_deals), "hand": own}]
    mover = int(before.seat)
    if move in BID_TEXTS:
        seen = [{"type": "bid", "seat": mover, "bid": BID_TEXTS.index(move)}, *_found(after)]
    elif move in CLAIM_TEXTS:
        kind = "call" if move.endswith("call") else "rob"
        seen = [{"type": kind, "seat": mover, "does": move == kind}, *_found(after)]
    elif move in SHOW_TEXTS:
        shown = cards_text(after.hand[mover]) if move == "show" else None
        seen = [{"type": "show", "seat": mover, "cards": shown}]
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
        if after.spring and after.landlord != NOBODY and is_spring(after):
            seen.append({"type": "spring", "landlord": bool(after.sizes[after.landlord] == 0)})
        points = np.zeros(NUM_SEATS, np.int64)
        scores(after, points)
        seen.append({"type": "match_over", "scores": points.tolist()})
    return seen


def _found(after: Any) -> list[dict[str, Any]]:
    """How the search for a landlord has ended, if it has; the bid counts what robbing has made of it."""
    if after.landlord == NOBODY:
        return [{"type": "nobody_bid"}] if after.seat == NOBODY else []
    found = {"type": "landlord", "seat": int(after.landlord), "bid": int(after.stake) << int(after.doublings)}
    return [found | {"bottom": cards_text(after.bottom)}]
