"""Players that value all legal actions of a batch of views and play the best.

V views, M legal actions of all of them.
"""

from abc import abstractmethod

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.ties import best_actions
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists


class ValueAgent(Agent):
    """Subclasses write `legal_values`; forced actions are played at once."""

    def __init__(self, name: str, spec: GameSpec, info: AgentInfo, seed: int = 0):
        super().__init__(name, spec, info, seed)
        self.unit = info.unit  # of the values, also where people are told none since they have no zero

    @abstractmethod
    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """Values [M] of the legal actions of the views [V], in `unit`; `rngs` [V] are advanced."""

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The action [V] of the highest value."""
        legal = self.spec.kernels.legal_lists(views)
        chosen = legal.items[legal.starts[:-1]].astype(np.int64)
        free = np.flatnonzero(legal.counts > 1)
        if len(free):
            luck, some = rngs[free], legal.take(free)
            values = self.legal_values(views[free].view(np.recarray), seats[free], luck, some)
            rngs[free] = luck
            chosen[free] = best_actions(some, values, self.spec, self.unit)
        return chosen

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """The value of each legal action in the unit of the agent's info; None if that has none."""
        return None if self.info.unit is None else self.all_values(views, seats, rngs)

    def all_values(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> list[dict[int, float]]:
        """The value of each legal action by which the agent plays, whether or not people are told."""
        legal = self.spec.kernels.legal_lists(views)
        values = Lists(self.legal_values(views, seats, rngs, legal), legal.starts)
        return [
            dict(zip(legal.row(k).tolist(), values.row(k).tolist(), strict=True)) for k in range(len(views))
        ]
