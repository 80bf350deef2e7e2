"""Networks that take positions kept as words of bits, run by onnxruntime.

K positions, W words, C columns, A actions.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from fuda.core.threads import each, num_cores

CHUNK = 64  # positions in one call

# network(words [K, W] int64) -> expected gain of the side to move [K], a number of each action [K, A]
WordNetwork = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class OnnxNetwork:
    """A network with a value and a number for each action, on all cores."""

    def __init__(self, session: Any, encoding: ModuleType, diffuse: bool):
        self._session = session
        self._encoding = encoding
        self._diffuse = diffuse
        self._num_actions = session.get_outputs()[0].shape[1]

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values [K] and the actions' numbers [K, A]; how they are cut into calls does not change them."""
        count = len(words)
        size = min(CHUNK, -(-count // num_cores()))
        values, actions = np.empty(count, np.float32), np.empty((count, self._num_actions), np.float32)

        def call(number: int) -> None:
            rows = slice(number * size, (number + 1) * size)
            part = words[rows]
            obs = np.empty((len(part), self._encoding.NUM_COLUMNS), np.float32)
            self._encoding.spread_all(part, self._diffuse, obs, 0, len(part))
            actions[rows], values[rows] = self._session.run(["actions", "value"], {"obs": obs})

        each(call, -(-count // size))
        return values, actions
