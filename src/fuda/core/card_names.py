"""Cards as text, for the games whose sets of cards are bits."""

from collections.abc import Sequence

from fuda.core.errors import echo


class CardNames:
    """The texts of a deck's cards, in the order of their ids."""

    def __init__(self, texts: Sequence[str], form: str, example: str):
        self.texts = tuple(texts)
        self.ids = {text: number for number, text in enumerate(self.texts)}
        self.form = form  # what a card looks like, for messages
        self._example = example

    def of_set(self, cards: int) -> list[str]:
        """A set of cards as texts, in the order of the deck."""
        left, found = int(cards), []
        while left:
            lowest = left & -left
            found.append(self.texts[lowest.bit_length() - 1])
            left ^= lowest
        return found

    def read(self, text: object) -> int:
        """The id of a card, or a `ValueError` that says what a card looks like."""
        if not isinstance(text, str) or text not in self.ids:
            raise ValueError(f"{self.form}, not {echo(text)}")
        return self.ids[text]

    def read_set(self, cards: object) -> int:
        """A list of different cards as a set."""
        if not isinstance(cards, list | tuple | set | frozenset):
            raise ValueError(f"cards are a list of texts such as {self._example}, not {echo(cards)}")
        found = 0
        for text in cards:
            bit = 1 << self.read(text)
            if found & bit:
                raise ValueError(f"card {text} is there twice")
            found |= bit
        return found
