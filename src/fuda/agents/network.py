"""Players whose moves are the best by a network's values."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.core.game import GameSpec
from fuda.core.threads import split

# values(places [K, R] int64, progress [K, P] int8, read [K, A] int64) -> [K, A] float
Values = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class NetworkAgent(Agent):
    """Encodes views, asks a network for the value of each legal action, plays the best."""

    def __init__(
        self, name: str, spec: GameSpec, encoding: Any, values: Values, info: AgentInfo, seed: int = 0
    ):
        super().__init__(name, spec, info, seed)
        self.encoding = encoding
        self._values = values

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The action [K] of the highest value."""
        actions, counts = self._legal(views)
        values = self._legal_values(views, seats, actions)
        values[np.arange(values.shape[1]) >= counts[:, None]] = -np.inf
        return actions[np.arange(len(actions)), values.argmax(axis=1)]

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """The network's value of each legal action."""
        actions, counts = self._legal(views)
        values = self._legal_values(views, seats, actions)
        return [
            dict(zip(row[:count].tolist(), found[:count].tolist(), strict=True))
            for row, found, count in zip(actions, values, counts, strict=True)
        ]

    def _legal(self, views: np.recarray) -> tuple[np.ndarray, np.ndarray]:
        """Legal actions [K, A], filled up with the first, and how many there are [K]."""
        actions = np.zeros((len(views), self.spec.max_legal), np.int64)
        counts = np.zeros(len(views), np.int64)
        split(self.spec.kernels.legal_all, views, actions, counts, count=len(views))
        return actions, counts

    def _legal_values(self, views: np.recarray, seats: np.ndarray, actions: np.ndarray) -> np.ndarray:
        places = np.zeros((len(views), self.encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((len(views), self.encoding.NUM_PROGRESS), np.int8)
        split(self.encoding.encode_all, views, seats, places, progress, count=len(views))
        return self._values(places, progress, actions)
