"""Koi-Koi deals written by hand: name the cards that matter, the rest is filled in."""

from typing import Any

from fuda.core.match import Match
from fuda.games import game
from fuda.games.koikoi.text import CARD_TEXTS


def deal_of(mine: str, theirs: str, field: str, stock: str = "", dealer: int = 0) -> dict[str, Any]:
    """A deal from lists of cards such as "1-1 8-1". The stock may be given in part: its first cards.

    Hands and field must be whole, so that a position never depends on how the rest is filled in.
    """
    named = [part.split() for part in (mine, theirs, field, stock)]
    used = [card for part in named for card in part]
    assert len(used) == len(set(used)), "a card is named twice"
    rest = [card for card in CARD_TEXTS if card not in used]
    hands, board, drawn = named[:2], named[2], named[3]
    return {"dealer": dealer, "hands": hands, "field": board, "stock": drawn + rest}


def start(mine: str, theirs: str, field: str, stock: str = "", dealer: int = 0, **options: object) -> Match:
    return game("koikoi", **options).start(0, deal_of(mine, theirs, field, stock, dealer))


def play(match: Match, moves: str) -> Match:
    for move in moves.split():
        match.play(move)
    return match
