"""Players that value all legal actions of a batch of views and play the best.

V views, M legal actions of all of them.
"""

from abc import abstractmethod

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.bidding import RULE, plain_bidder
from fuda.agents.ties import best_actions
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists


class ValueAgent(Agent):
    """Subclasses write `legal_values`; forced actions are played at once."""

    def __init__(self, name: str, spec: GameSpec, info: AgentInfo, seed: int = 0):
        super().__init__(name, spec, info, seed)
        self.unit = info.unit  # of the values, also where people are told none since they have no zero
        # Who makes its bids; None: it does so itself, by its values as for any other action.
        self.bidder = None if spec.is_bidding is None else plain_bidder(spec, RULE)
        # Who makes those decisions before play that are no bids in points.
        self.ruler = None if spec.is_ruled is None else plain_bidder(spec, RULE)

    @abstractmethod
    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """Values [M] of the legal actions of the views [V], in `unit`; `rngs` [V] are advanced."""

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The action [V] of the highest value."""
        legal = self.spec.kernels.legal_lists(views)
        chosen = legal.items[legal.starts[:-1]].astype(np.int64)
        others = np.zeros(len(views), bool)
        for agent, theirs in self._made_by_others(views):
            own_rngs = rngs[theirs]
            chosen[theirs] = agent.act(views[theirs].view(np.recarray), seats[theirs], own_rngs)
            rngs[theirs] = own_rngs
            others |= theirs
        free = np.flatnonzero((legal.counts > 1) & ~others)
        if len(free):
            own_rngs, some = rngs[free], legal.take(free)
            chosen[free] = self.decide(views[free].view(np.recarray), seats[free], own_rngs, some)
            rngs[free] = own_rngs
        return chosen

    def decide(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists) -> np.ndarray:
        """The action [V] where there is a choice: the one of the highest value."""
        return best_actions(legal, self.legal_values(views, seats, rngs, legal), self.spec, self.unit)

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """The value of each legal action in the unit that the agent's info has for it; None without one."""
        return None if self.info.unit is None else self.all_values(views, seats, rngs)

    def all_values(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> list[dict[int, float]]:
        """The value of each legal action by which the agent plays, whether or not people are told."""
        found: list[dict[int, float]] = [{} for _ in range(len(views))]  # of bids by a rule nothing is told
        others = np.zeros(len(views), bool)
        for agent, theirs in self._made_by_others(views):
            own_rngs = rngs[theirs]
            of_bids = agent.evaluate(views[theirs].view(np.recarray), seats[theirs], own_rngs) or []
            rngs[theirs] = own_rngs
            for k, values_of_bid in zip(np.flatnonzero(theirs), of_bids, strict=False):
                found[k] = values_of_bid
            others |= theirs
        plays = np.flatnonzero(~others)
        if not len(plays):
            return found
        some, own_rngs = views[plays].view(np.recarray), rngs[plays]
        legal = self.spec.kernels.legal_lists(some)
        values = Lists(self.legal_values(some, seats[plays], own_rngs, legal), legal.starts)
        rngs[plays] = own_rngs
        for number, k in enumerate(plays):
            found[k] = dict(zip(legal.row(number).tolist(), values.row(number).tolist(), strict=True))
        return found

    def _made_by_others(self, views: np.recarray) -> list[tuple[Agent, np.ndarray]]:
        """Who makes decisions before play for this player, and which [V]: by a rule, or all bids."""
        if self.bidder is None and self.ruler is None:
            return []
        bids = self.spec.kernels.bids(views)
        is_ruled = self.spec.is_ruled
        ruled = np.zeros(len(views), bool)
        if is_ruled is not None:
            ruled[bids] = [bool(is_ruled(view)) for view in views[bids]]
        pairs = ((self.ruler, ruled), (self.bidder, bids & ~ruled))
        return [(agent, theirs) for agent, theirs in pairs if agent is not None and theirs.any()]
