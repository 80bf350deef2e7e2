"""Which cards a seat may know, worked out from deals and moves, not from views: for the tests of leaks."""

import re
from typing import Any

from fuda.core.match import Match
from planted.rules import NUM_SEATS


def unknown_cards(message: dict[str, Any], match: Match, seat: int, last: int) -> set[str]:
    """The cards in a message that the seat could not know; earlier deals are open to all (RULES 2.3)."""
    deals: list[list[tuple[int, str]]] = []
    for event in match.log:
        if "deal" in event:
            deals.append([])
        elif "move" in event:
            deals[-1].append((event["seat"], event["move"]))
    past = {card for moves in deals[:last] for _, move in moves for card in move.split("+")}
    known = set(match.deals[last]["hands"][seat]) | past
    gifts, plays = deals[last][:NUM_SEATS], deals[last][NUM_SEATS:]
    known |= {card for _, card in plays}
    over = last + 1 < len(match.deals) or match.over
    for mover, gift in gifts:
        taken_up = len(gifts) == NUM_SEATS and (mover + 1) % NUM_SEATS == seat
        if mover == seat or taken_up or over:
            known |= set(gift.split("+"))
    return {text for found in texts(message) for text in re.findall(r"\b[abcd]1?\d\b", found)} - known


def texts(message: Any) -> list[str]:
    """Every string in a message."""
    if isinstance(message, dict):
        return [text for value in message.values() for text in texts(value)]
    if isinstance(message, list):
        return [text for value in message for text in texts(value)]
    return [message] if isinstance(message, str) else []
