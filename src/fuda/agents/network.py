"""Players whose moves are the best by a network's values."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.ties import best_actions
from fuda.core.game import GameSpec
from fuda.core.threads import split

# outputs(places [K, R] int64, progress [K, P] int8, read [K, A] int64) -> [K, A, O] float
Outputs = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
# in_unit(views [K], seats [K], outputs [K, A, O]) -> [K, A], in the unit of the agent's info
InUnit = Callable[[np.recarray, np.ndarray, np.ndarray], np.ndarray]


def reading(
    spec: GameSpec, unit: str | None, scale: float, table: np.ndarray | None, num_outputs: int
) -> InUnit:
    """How a network's outputs are read: one is a value, several are logits of the classes of outcomes."""
    if num_outputs > 1:
        outcomes = spec.outcomes
        if outcomes is None or unit is None or num_outputs != outcomes.NUM_CLASSES:
            raise ValueError(f"{spec.id} has no {num_outputs} classes of outcomes that a network could tell")
        tell_chances = outcomes.value_of_chances
        return lambda views, seats, outputs: tell_chances(views, seats, softmax(outputs), unit, table)
    winning = spec.winning
    if winning is None or unit is None:
        return lambda views, seats, outputs: outputs[:, :, 0] * scale
    tell = winning.value_in_unit
    return lambda views, seats, outputs: tell(views, seats, outputs[:, :, 0], unit, scale, table)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Chances from logits, over the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


class NetworkAgent(Agent):
    """Encodes views, asks a network for the value of each legal action, plays the best."""

    folder: Path | None = None  # of its model, if it comes from one

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: Any,
        outputs: Outputs,
        info: AgentInfo,
        in_unit: InUnit,
        seed: int = 0,
    ):
        super().__init__(name, spec, info, seed)
        self.encoding = encoding
        self.outputs = outputs
        self._in_unit = in_unit

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The action [K] of the highest value."""
        actions, counts = self._legal(views)
        chosen = actions[:, 0].copy()
        free = np.flatnonzero(counts > 1)
        if len(free):
            values = self._values(views[free].view(np.recarray), seats[free], actions[free])
            chosen[free] = best_actions(actions[free], counts[free], values, self.spec, self.info.unit)
        return chosen

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """The value of each legal action in the unit of the agent's info; None if that has none."""
        return None if self.info.unit is None else self.network_values(views, seats)

    def network_values(self, views: np.recarray, seats: np.ndarray) -> list[dict[int, float]]:
        """The value of each legal action by which the agent plays, whether or not it has a unit."""
        actions, counts = self._legal(views)
        values = self._values(views, seats, actions)
        return [
            dict(zip(row[:count].tolist(), found[:count].tolist(), strict=True))
            for row, found, count in zip(actions, values, counts, strict=True)
        ]

    def encode(self, views: np.recarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the network sees of views: places [K, R] and progress [K, P]."""
        places = np.zeros((len(views), self.encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((len(views), self.encoding.NUM_PROGRESS), np.int8)
        split(self.encoding.encode_all, views, seats, places, progress, count=len(views))
        return places, progress

    def _legal(self, views: np.recarray) -> tuple[np.ndarray, np.ndarray]:
        """Legal actions [K, A], filled up with the first, and how many there are [K]."""
        actions = np.zeros((len(views), self.spec.max_legal), np.int64)
        counts = np.zeros(len(views), np.int64)
        split(self.spec.kernels.legal_all, views, actions, counts, count=len(views))
        return actions, counts

    def _values(self, views: np.recarray, seats: np.ndarray, actions: np.ndarray) -> np.ndarray:
        return self._in_unit(views, seats, self.outputs(*self.encode(views, seats), actions))
