"""Networks that take positions kept as words of bits, run by onnxruntime; and players by their values.

K positions, W words, C columns, A actions.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.best_value import BestValueAgent
from fuda.core.game import GameSpec
from fuda.core.threads import each, num_cores, split

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


class AdvantageAgent(BestValueAgent):
    """Values the actions of a view by a network's value and their advantages over it."""

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: ModuleType,
        network: WordNetwork,
        info: AgentInfo,
        scale: float,
        seed: int = 0,
    ):
        super().__init__(name, spec, info, seed)
        self.encoding = encoding
        self._network = network
        self._scale = scale  # the network's numbers times this are in the unit of the info

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, actions: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """What the own side will gain from here on after each action."""
        words = np.zeros((len(views), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, views, seats, words, count=len(views), min_share=1024)
        values, advantages = self._network(words)
        is_legal = np.arange(actions.shape[1]) < counts[:, None]
        found = np.take_along_axis(advantages, actions, axis=1)
        mean = (found * is_legal).sum(axis=1) / counts
        return np.asarray(self._scale * (found + (values - mean)[:, None]))
