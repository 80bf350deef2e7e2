"""What a seat saw happen: RULES 5.2."""

from typing import Any

from fuda.core.state import OVER, PLAYING
from planted.rules import NUM_SEATS, left_of
from planted.text import CARDS, gifts, points


def events(before: Any, move: str | None, after: Any, seat: int) -> list[dict[str, Any]]:
    """The events of a move, which the seat may not know, or of a deal."""
    if before.status != PLAYING:
        return [{"type": "deal", "deal": int(after.deal_number), "hand": CARDS.of_set(after.hand[seat])}]
    mover = int(before.seat)
    if before.num_gifts < NUM_SEATS:
        seen = [{"type": "gift", "seat": mover, "cards": move.split("+") if move else None}]
        if after.num_gifts == NUM_SEATS:
            giver = next(other for other in range(NUM_SEATS) if left_of(other) == seat)
            seen.append({"type": "taken_up", "seat": seat, "cards": CARDS.of_set(after.gift[giver])})
        return seen
    seen = [{"type": "play", "seat": mover, "card": move}]
    if after.on_table == 0:
        seen.append({"type": "trick", "winner": int(after.leader)})
    if after.status != PLAYING:
        seen.append({"type": "deal_over", "points": points(after), "gifts": gifts(after)})
    if after.status == OVER:
        seen.append({"type": "match_over", "scores": points(after)})
    return seen
