"""Hands, tricks and suits as text and JSON, for games whose states have the fields of `play.py`."""

from collections.abc import Sequence
from typing import Any

from fuda.core.errors import echo
from fuda.games.tricks.french import CARD_TEXTS, CARDS, SUIT_LETTERS
from fuda.games.tricks.play import NUM_SEATS, first_of_trick, seat_of_play


def read_hands(hands: object, deck: Sequence[int]) -> list[int]:
    """A permutation of the game's deck from explicit hands, in the order in which `deal_hands` deals it."""
    num_each = len(deck) // NUM_SEATS
    if not isinstance(hands, list | tuple) or len(hands) != NUM_SEATS:
        raise ValueError(f"hands are {NUM_SEATS} lists of {num_each} cards, not {echo(hands)}")
    dealt: list[int] = []
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list | tuple) or len(hand) != num_each:
            raise ValueError(f"the hand of seat {seat} is a list of {num_each} cards, not {echo(hand)}")
        for text in hand:
            number = CARDS.read(text)
            if number not in deck:
                raise ValueError(f"the deck has no {text}")
            if number in dealt:
                raise ValueError(f"card {text} is dealt twice")
            dealt.append(number)
    return dealt


def table(view: Any) -> list[list[Any]]:
    """The unfinished trick as [seat, card] in order of play."""
    plays = range(first_of_trick(view), view.num_plays)
    return [[int(seat_of_play(view, index)), CARD_TEXTS[view.plays[index]]] for index in plays]


def tricks(view: Any) -> list[dict[str, Any]]:
    """The finished tricks, each with its leader, its cards in order of play and its winner."""
    finished = range(int(view.num_plays) // NUM_SEATS)
    return [
        {
            "leader": int(view.leaders[number]),
            "cards": [CARD_TEXTS[card] for card in view.plays[NUM_SEATS * number :][:NUM_SEATS]],
            "winner": int(view.leaders[number + 1]),
        }
        for number in finished
    ]


def suit_letters(suits: int) -> list[str]:
    """A set of suits as letters."""
    return [letter for number, letter in enumerate(SUIT_LETTERS) if int(suits) >> number & 1]
