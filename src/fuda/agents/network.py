"""Players whose moves are the best by a network's values.

K positions, M legal actions of all of them, O outputs of a network for each.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.values import ValueAgent
from fuda.core.game import GameSpec
from fuda.core.generator import AGENT, streams
from fuda.core.ragged import Lists
from fuda.core.threads import split

# outputs(places [K, R] int64, progress [K, P] int8, legal) -> [M, O] float
Outputs = Callable[[np.ndarray, np.ndarray, Lists], np.ndarray]
# in_unit(views [K], seats [K], rows [M]: the view of each action, outputs [M, O]) -> [M], in the agent's unit
InUnit = Callable[[np.recarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def reading(
    spec: GameSpec, unit: str | None, scale: float, table: np.ndarray | None, num_outputs: int
) -> InUnit:
    """How a network's outputs are read: one is a value, several are logits of the classes of outcomes."""
    if num_outputs > 1:
        outcomes = spec.outcomes
        if outcomes is None or unit is None or num_outputs != outcomes.NUM_CLASSES:
            raise ValueError(f"{spec.id} has no {num_outputs} classes of outcomes that a network could tell")
        tell_chances = outcomes.value_of_chances
        return lambda views, seats, rows, outputs: tell_chances(
            views, seats, rows, softmax(outputs), unit, table
        )
    winning = spec.winning
    if winning is None or unit is None:
        return lambda views, seats, rows, outputs: outputs[:, 0] * scale
    tell = winning.value_in_unit
    return lambda views, seats, rows, outputs: tell(views, seats, rows, outputs[:, 0], unit, scale, table)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Chances from logits, over the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


class NetworkAgent(ValueAgent):
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

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """What the network says of each action."""
        return self._in_unit(views, seats, legal.rows, self.outputs(*self.encode(views, seats), legal))

    def network_values(self, views: np.recarray, seats: np.ndarray) -> list[dict[int, float]]:
        """The value of each legal action by which the agent plays, whether or not it has a unit."""
        return self.all_values(views, seats, streams(0, AGENT, 0, len(views)))

    def encode(self, views: np.recarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the network sees of views: places [K, R] and progress [K, P]."""
        places = np.zeros((len(views), self.encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((len(views), self.encoding.NUM_PROGRESS), np.int8)
        split(self.encoding.encode_all, views, seats, places, progress, count=len(views))
        return places, progress
