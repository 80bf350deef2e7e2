"""What is learned of a deal's end: how a network's numbers of a move are read, and how far off they are.

Targets come from a compiled `judge(state, seat, out)` of the deal that ended.

M moves, N decisions, O outputs of a move.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.core.game import GameSpec
from fuda.core.kernels import unbound

payoff = unbound  # replaced when a judge is bound
NUM_SEATS = 0


def judge_payoff(state, seat, out):
    """The payoff of the deal."""
    payoffs = np.empty(NUM_SEATS, np.float64)
    payoff(state, payoffs)
    out[0] = payoffs[seat]


def judge_win(state, seat, out):
    """Who won the deal: 1, or -1, or 0 where it was even."""
    payoffs = np.empty(NUM_SEATS, np.float64)
    payoff(state, payoffs)
    out[0] = np.sign(payoffs[seat])


class Reward(ABC):
    """How outputs are read. Targets are one number, from the mover's side."""

    judge: Any  # plain, to be bound to a game
    outputs: int
    unit: str  # of the values
    can_bootstrap = True  # whether targets may be drawn towards values (lambda returns)

    def __init__(self, spec: GameSpec, scale: float):
        self.scale = scale  # points in one of the network's units
        self.bound_judge = spec.kernels.bind(type(self).judge)

    @abstractmethod
    def values(self, found: Tensor) -> Tensor:
        """What moves are worth [M], by outputs [M, O], in terms of the targets."""

    @abstractmethod
    def errors(self, found: Tensor, targets: Tensor) -> Tensor:
        """How far off outputs [N, O] are of targets [N], each [N]."""


class Payoff(Reward):
    """The mean payoff."""

    judge, outputs, unit = judge_payoff, 1, "points"

    def values(self, found: Tensor) -> Tensor:
        """The output, in points."""
        return self.scale * found[:, 0]

    def errors(self, found: Tensor, targets: Tensor) -> Tensor:
        """Squared."""
        return (found[:, 0] - targets / self.scale) ** 2


class Win(Reward):
    """The chance to win the deal, as a logit."""

    judge, outputs, unit = judge_win, 1, "probability"

    def values(self, found: Tensor) -> Tensor:
        """From -1 to 1."""
        return 2 * torch.sigmoid(found[:, 0]) - 1

    def errors(self, found: Tensor, targets: Tensor) -> Tensor:
        """The cross-entropy."""
        return F.binary_cross_entropy_with_logits(found[:, 0], (targets + 1) / 2, reduction="none")


class WinAndPoints(Reward):
    """The chance to win as a logit, the payoff if the deal is won, and if it is lost."""

    judge, outputs, unit = judge_payoff, 3, "points"
    can_bootstrap = False

    def values(self, found: Tensor) -> Tensor:
        """The expected payoff."""
        chance = torch.sigmoid(found[:, 0])
        return self.scale * (chance * found[:, 1] + (1 - chance) * found[:, 2])

    def errors(self, found: Tensor, targets: Tensor) -> Tensor:
        """The cross-entropy of the win, and the squared error of the payoff that came."""
        won = (targets > 0).float()
        points = torch.where(targets > 0, found[:, 1], found[:, 2])
        chance = F.binary_cross_entropy_with_logits(found[:, 0], won, reduction="none")
        return chance + (points - targets / self.scale) ** 2


REWARDS: dict[str, type[Reward]] = {"payoff": Payoff, "win": Win, "win-and-points": WinAndPoints}
