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
    """Subclasses write `legal_values`; forced actions are played at once.

    Where the game has bids, which these players do not make, its fallback policy makes them.
    """

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
        bids = self._bids(views)
        for k in np.flatnonzero(bids):
            chosen[k] = self.spec.policy(self.spec.fallback).choose(views[k], seats[k], rngs[k : k + 1])
        free = np.flatnonzero((legal.counts > 1) & ~bids)
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
        found: list[dict[int, float]] = [{} for _ in range(len(views))]  # a bid has no values
        plays = np.flatnonzero(~self._bids(views))
        if not len(plays):
            return found
        some, luck = views[plays].view(np.recarray), rngs[plays]
        legal = self.spec.kernels.legal_lists(some)
        values = Lists(self.legal_values(some, seats[plays], luck, legal), legal.starts)
        rngs[plays] = luck
        for number, k in enumerate(plays):
            found[k] = dict(zip(legal.row(number).tolist(), values.row(number).tolist(), strict=True))
        return found

    def _bids(self, views: np.recarray) -> np.ndarray:
        """Where a bid is due [V]."""
        is_bidding = self.spec.is_bidding
        if is_bidding is None:
            return np.zeros(len(views), bool)
        return np.array([is_bidding(view) for view in views], bool)
