"""Players whose whole mind is one compiled function of a view."""

from collections.abc import Mapping

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.core.errors import echo
from fuda.core.game import GameSpec, Policy
from fuda.core.threads import split

EMPTY: Mapping[str, object] = {}


class PolicyAgent(Agent):
    """Runs a game's `Policy` over a batch of views, on all cores."""

    def __init__(
        self, spec: GameSpec, policy: Policy, seed: int = 0, parameters: Mapping[str, object] = EMPTY
    ):
        if parameters:
            raise ValueError(
                f"{spec.id}/{policy.name} has no parameter {echo(next(iter(parameters)))}; it has none"
            )
        info = AgentInfo(policy.title, policy.line, bids=policy.bids)
        super().__init__(f"{spec.id}/{policy.name}", spec, info, seed)
        self._min_share = policy.min_share
        self._choose_all = spec.kernels.chooser(policy.name, policy.choose)

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """Actions [K] of the policy."""
        actions = np.empty(len(views), np.int64)
        split(self._choose_all, views, seats, rngs, actions, count=len(views), min_share=self._min_share)
        return actions
