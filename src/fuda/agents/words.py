"""Networks that take positions kept as words of bits, run by onnxruntime.

K positions, W words, C columns, A actions.
"""

from types import ModuleType
from typing import Any, Protocol

import numpy as np

from fuda.core.threads import each, num_cores

CHUNK = 64  # positions in one call


class WordNetwork(Protocol):
    """What players ask about words [K, W] int64."""

    tells_holders: bool  # whether it guesses who holds which card

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The expected gain of the side to move [K], a number of each action [K, A]."""

    def holders(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, H, A] of which other seat holds each card, if the network tells that."""


class OnnxNetwork:
    """A network with a value and a number for each action, on all cores."""

    def __init__(self, session: Any, encoding: ModuleType, diffuse: bool):
        self._session = session
        self._encoding = encoding
        self._diffuse = diffuse
        self.tells_holders = any(given.name == "owners" for given in session.get_outputs())

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values [K] and the actions' numbers [K, A]; how they are cut into calls does not change them."""
        actions, values = self._ask(words, "actions", "value")
        return values, actions

    def holders(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, H, A] of which other seat holds each card."""
        return self._ask(words, "owners")[0]

    def _ask(self, words: np.ndarray, *names: str) -> list[np.ndarray]:
        """The outputs of these names."""
        size = max(1, min(CHUNK, -(-len(words) // num_cores())))

        def call(number: int) -> list[np.ndarray]:
            part = words[number * size : (number + 1) * size]
            obs = np.empty((len(part), self._encoding.NUM_COLUMNS), np.float32)
            self._encoding.spread_all(part, self._diffuse, obs, 0, len(part))
            found: list[np.ndarray] = self._session.run(list(names), {"obs": obs})
            return found

        parts = each(call, -(-len(words) // size))
        return [np.concatenate(column) for column in zip(*parts, strict=True)]
