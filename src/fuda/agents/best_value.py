"""Players that value all legal actions of a batch of views and play the best.

V views, A the most legal actions.
"""

from abc import abstractmethod

import numpy as np

from fuda.agents.agent import Agent
from fuda.agents.ties import best_actions
from fuda.core.threads import split


class BestValueAgent(Agent):
    """Subclasses write `legal_values`; forced actions are played at once."""

    @abstractmethod
    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, actions: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Values [V, A] of the first `counts` [V] of `actions` [V, A], in points, the rest of no meaning.

        Where the agent's info has no unit, they have no zero. `rngs` [V] are advanced.
        """

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The action [V] of the highest value."""
        actions, counts = self._legal(views)
        chosen = actions[:, 0].copy()
        free = np.flatnonzero(counts > 1)
        if len(free):
            luck, some = rngs[free], views[free].view(np.recarray)
            values = self.legal_values(some, seats[free], luck, actions[free], counts[free])
            rngs[free] = luck
            chosen[free] = best_actions(actions[free], counts[free], values, self.spec, "points")
        return chosen

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """The value of each legal action in the unit of the agent's info; None if that has none."""
        if self.info.unit is None:
            return None
        actions, counts = self._legal(views)
        values = self.legal_values(views, seats, rngs, actions, counts)
        return [
            dict(zip(row[:count].tolist(), found[:count].tolist(), strict=True))
            for row, found, count in zip(actions, values, counts, strict=True)
        ]

    def _legal(self, views: np.recarray) -> tuple[np.ndarray, np.ndarray]:
        """Legal actions [V, A], filled up with the first, and how many there are [V]."""
        actions = np.zeros((len(views), self.spec.max_legal), np.int64)
        counts = np.zeros(len(views), np.int64)
        split(self.spec.kernels.legal_all, views, actions, counts, count=len(views))
        return actions, counts
