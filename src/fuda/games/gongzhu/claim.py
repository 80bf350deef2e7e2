"""Claiming the rest: when a seat knows what everybody will end with (RULES 5.3)."""

from typing import Any

from fuda.games.gongzhu.cards import SCORING, WORTHLESS, pile_points
from fuda.games.gongzhu.showing import is_showing, shown_cards
from fuda.games.tricks.french import ALL_CARDS, NUM_SUITS, of_suit
from fuda.games.tricks.play import first_of_trick, taken


def settled_points(view: Any, seat: int) -> list[int] | None:
    """The points that each seat will end with, whatever is played; None while the seat cannot know."""
    if is_showing(view):
        return None
    piles, shown = [int(pile) for pile in view.pile], int(shown_cards(view))
    if _changes_nothing(SCORING & ~int(taken(view)), piles, shown):
        return [int(pile_points(pile, shown)) for pile in piles]
    if _takes_the_rest(view, seat):
        piles[seat] |= ALL_CARDS & ~int(taken(view))
        return [int(pile_points(pile, shown)) for pile in piles]
    return None


def _changes_nothing(left: int, piles: list[int], shown: int = 0) -> bool:
    """Whether no pile's points change, whichever of the scoring cards that are left it gets."""
    if left & ~WORTHLESS:  # a card with points of its own changes every pile
        return False
    part = left
    while part:
        if any(pile_points(pile | part, shown) != pile_points(pile, shown) for pile in piles):
            return False
        part = (part - 1) & left
    return True


def _takes_the_rest(view: Any, seat: int) -> bool:
    """Whether the seat is to lead and all its cards are higher than the others' cards of the suit."""
    if view.seat != seat or first_of_trick(view) != view.num_plays:
        return False
    hand = int(view.hand[seat])
    others = ALL_CARDS & ~int(taken(view)) & ~hand
    for suit in range(NUM_SUITS):
        mine, theirs = int(of_suit(hand, suit)), int(of_suit(others, suit))
        if mine and theirs > mine & -mine:  # sets compare like their highest cards
            return False
    return True
