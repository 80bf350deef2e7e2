"""Who makes the bids of a player by values: itself, or another agent, by the parameter `bids`.

A network that plays cards alone cannot bid. The game may ship a model for that, of which this is the only
decision in its card; without one the game's fallback policy bids. An encoding may name one of the game's
policies that only bid (`GameSpec.bidders`) for its own networks' players.

V views.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.policy import PolicyAgent
from fuda.core.errors import echo
from fuda.core.game import RANDOM, GameSpec
from fuda.core.protocols import BID
from fuda.nets.folder import CARD, ModelCard

LEARNED, RULE, LOWEST, HIGHEST = "learned", "rule", "lowest", "highest"
WAYS = (LEARNED, RULE, RANDOM, LOWEST, HIGHEST)  # what `bids` may be in any game


class FixedBids(Agent):
    """Always the lowest legal bid, or always the highest: to compare with."""

    def __init__(self, spec: GameSpec, way: str):
        super().__init__(
            f"{spec.id}/{way}", spec, AgentInfo("Fixed bids", f"Always the {way} bid.", bids=True)
        )
        self._is_highest = way == HIGHEST

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The first or the last [V] of the legal actions, which are in rising order."""
        legal = self.spec.kernels.legal_lists(views)
        ends = legal.starts[1:] - 1 if self._is_highest else legal.starts[:-1]
        return legal.items[ends].astype(np.int64)


def only_bids(card: ModelCard) -> bool:
    """Whether a model is for bids alone."""
    return {decision for network in card.networks for decision in network.decisions} == {BID}


def ways_of(spec: GameSpec) -> tuple[str, ...]:
    """What `bids` may be in a game, beside the folder of a model that bids."""
    return (*WAYS, *(policy.name for policy in spec.bidders))


def own_bidder(spec: GameSpec, encoding: Any) -> str | None:
    """The name of the policy that bids for the players of an encoding, if it has its own."""
    return None if spec.is_bidding is None else getattr(encoding, "BIDDER", None)


def plain_bidder(spec: GameSpec, way: str) -> Agent:
    """Who bids in one of the ways that need no network; by the rule where none ships."""
    if way in (LOWEST, HIGHEST):
        return FixedBids(spec, way)
    for policy in spec.bidders:
        if policy.name == way:
            return PolicyAgent(spec, policy)
    return PolicyAgent(spec, spec.policy(RANDOM if way == RANDOM else spec.fallback))


def way_of(
    name: str, spec: GameSpec, parameters: Mapping[str, object] | None
) -> tuple[str, dict[str, object]]:
    """How a player is to bid, one of `ways_of` or a folder of a model that bids, and its other parameters."""
    others = dict(parameters or {})
    if spec.is_bidding is None or "bids" not in others:
        return LEARNED, others
    way = others.pop("bids")
    if isinstance(way, str | Path) and (way in ways_of(spec) or (Path(way) / CARD).exists()):
        return str(way), others
    ways = ", ".join(ways_of(spec))
    raise ValueError(f"bids of {name} is one of {ways}, or the folder of a model, not {echo(way)}")
