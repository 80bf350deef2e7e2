"""Where the cards of a match come from: a seed, the operating system, or an earlier match.

Deals of a seed can be repeated, which experiments need; for the same reason whoever sees a few
rounds of a seeded match can compute the rest of it (`tests/core/state_attack.py` does). Deals of the
operating system's generator tell nothing about each other, and nobody knows them in advance.
"""

from collections.abc import Sequence
from math import factorial
from random import SystemRandom
from typing import TYPE_CHECKING

import numpy as np

from fuda.core.generator import CHANCE, streams

if TYPE_CHECKING:
    from fuda.core.game import Game, GameSpec
    from fuda.core.match import Match

SYSTEM = SystemRandom()
SECRET_BITS = 128


class SeededChance:
    """All of a match's chance from one seed, of which duels number the deals: `number` is 0 elsewhere."""

    def __init__(self, seed: int, number: int = 0):
        self._seed = (seed, number)
        self._rng = streams(seed, CHANCE, number, 1)

    def start(self, game: "Game", state: np.recarray) -> None:
        """Set up a match in place."""
        game.spec.rules.start(state[0], game.option_codes, self._rng)

    def deal(self, spec: "GameSpec", state: np.recarray, _number: int) -> None:
        """Deal in place."""
        spec.kernels.deal_from(state[0], self._rng)

    def generator(self) -> np.ndarray:
        """For what an explicit deal leaves open; it does not change the deals to come."""
        return self._rng.copy()

    def ahead(self, _number: int) -> object:
        """What determines the deals to come."""
        return self._seed

    def copy(self) -> "SeededChance":
        """One that goes on from here by itself."""
        twin = object.__new__(SeededChance)
        twin._seed, twin._rng = self._seed, self._rng.copy()
        return twin


class SystemChance:
    """Each deal from the operating system's generator, or from `decks` as far as they go.

    `start` and `read_deal` of a game get a generator of the kit, a new one each time. Its numbers
    could be computed from each other, so games use it for what all may know: who deals first.
    """

    def __init__(self, decks: Sequence[Sequence[int]] = ()):
        self._decks = [list(deck) for deck in decks]

    def start(self, game: "Game", state: np.recarray) -> None:
        """Set up a match in place."""
        game.spec.rules.start(state[0], game.option_codes, self.generator())

    def deal(self, spec: "GameSpec", state: np.recarray, number: int) -> None:
        """Deal round `number` in place, again where the rules say so."""
        if number < len(self._decks) and spec.rules.deal(state[0], np.array(self._decks[number], np.int8)):
            return
        while not spec.rules.deal(state[0], np.array(_shuffled(spec.deck), np.int8)):
            continue

    def generator(self) -> np.ndarray:
        """For what an explicit deal leaves open."""
        return streams(SYSTEM.getrandbits(SECRET_BITS), CHANCE, 0, 1)

    def ahead(self, number: int) -> object:
        """What determines the deals from `number` on."""
        return self._decks[number:]

    def copy(self) -> "SystemChance":
        """Itself: nothing in it changes."""
        return self


Chance = SeededChance | SystemChance


def _shuffled(deck: Sequence[int]) -> list[int]:
    """A permutation by one number below the factorial: the system is asked once, not for each card."""
    cards = list(deck)
    number = SYSTEM.randrange(factorial(len(cards)))
    for last in range(len(cards) - 1, 0, -1):
        number, other = divmod(number, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def decks_of(match: "Match") -> list[list[int]]:
    """The order of the cards in each deal of a match, so that another one can have the same cards.

    A deal in a record also says who dealt, which in another match may be somebody else.
    """
    spec = match.game.spec
    state, actions, rng = spec.new_states(1), np.empty(spec.max_legal, np.int64), SystemChance().generator()
    spec.rules.start(state[0], match.game.option_codes, rng)
    decks = []
    for event in match.log:
        if "deal" in event:
            decks.append(spec.text.read_deal(state[0], event["deal"], rng))
            spec.rules.deal(state[0], decks[-1])
        elif "move" in event:
            count = spec.rules.legal(state[0], actions)
            named = {spec.text.move_text(int(action)): int(action) for action in actions[:count]}
            spec.rules.step(state[0], named[event["move"]])
    return [deck.tolist() for deck in decks]
