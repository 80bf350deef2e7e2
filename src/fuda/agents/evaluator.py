"""What players by play-outs ask a network, whatever it reads: numbers of legal actions for the mover.

V positions, M legal actions of all of them. Positions may be states: the network is told of them only what
the seat to move knows.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fuda.agents.words import WordNetwork
from fuda.core.protocols import ViewEncoding
from fuda.core.ragged import Lists, segment_mean
from fuda.core.threads import split


class Evaluator(ABC):
    """A network with what it reads. Subclasses write `values`, and what is cheaper or more than that."""

    unit: str | None  # of the values: "points", "probability", or None if they have none
    scale: float = 1.0  # the preferences times this differ as the values do
    tells_holders: bool = False  # whether it guesses who holds which card
    encoding: Any
    network: Any

    @abstractmethod
    def values(self, positions: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """What each legal action [M] still brings the mover's side until the end of the deal, in `unit`."""

    def preferences(self, positions: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """Numbers [M] of which the highest is played."""
        return self.values(positions, seats, legal)

    def holders(self, positions: np.recarray, seats: np.ndarray) -> np.ndarray:
        """Logits [V, H, A] of which other seat holds each card, if the network tells that."""
        raise NotImplementedError


class WordEvaluator(Evaluator):
    """A network of words with a value of the view and the actions' advantages over it."""

    unit = "points"

    def __init__(self, encoding: ViewEncoding, network: WordNetwork, scale: float):
        self.encoding, self.network, self.scale = encoding, network, scale
        self.tells_holders = network.tells_holders

    def values(self, positions: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """The value of the view, and how far each action is ahead of the others."""
        rows = legal.rows
        values, advantages = self.network(self._encode(positions, seats))
        found = advantages[rows, legal.items]
        return np.asarray(self.scale * (found + (values - segment_mean(found, legal.starts))[rows]))

    def preferences(self, positions: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """The advantages alone."""
        return np.asarray(self.network(self._encode(positions, seats))[1][legal.rows, legal.items])

    def holders(self, positions: np.recarray, seats: np.ndarray) -> np.ndarray:
        """As the network guesses."""
        return self.network.holders(self._encode(positions, seats))

    def _encode(self, positions: np.recarray, seats: np.ndarray) -> np.ndarray:
        words = np.zeros((len(positions), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, positions, seats, words, count=len(positions), min_share=1024)
        return words
