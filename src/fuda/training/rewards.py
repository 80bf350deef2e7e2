"""What is learned of a deal's end: how a network's numbers of a move are read, and how far off they are.

Targets come from a compiled `judge(state, seat, table, out)` of the deal that ended; `table` is what follows
the play in a game's `winning.py`, if a recipe names that.

M moves, N decisions, O outputs of a move, C numbers of a target.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.core.compile import compiled
from fuda.core.game import GameSpec
from fuda.core.kernels import unbound

payoff = scores = unbound  # replaced when a judge is bound
NUM_SEATS = 0


def judge_payoff(state, seat, table, out):
    """The payoff of the deal."""
    payoffs = np.empty(NUM_SEATS, np.float64)
    payoff(state, payoffs)
    out[0] = payoffs[seat]


def judge_scores(state, seat, table, out):
    """The seat's own points, which may be less than its side's payoff: 0 for a deal that is dealt again."""
    points = np.empty(NUM_SEATS, np.int64)
    scores(state, points)
    out[0] = points[seat]


def judge_win(state, seat, table, out):
    """Who won the deal: 1, or -1, or 0 where it was even."""
    payoffs = np.empty(NUM_SEATS, np.float64)
    payoff(state, payoffs)
    out[0] = np.sign(payoffs[seat])


@compiled
def no_worths(state, seat, aim, table, out):
    """Where values are what moves are worth."""


class Reward(ABC):
    """How outputs are read. Targets are from the mover's side."""

    outputs = 1  # of a move
    width = 1  # numbers of a target
    num_worths = 0  # numbers that say what an outcome is worth in a position
    can_bootstrap = True  # whether targets may be drawn towards values (lambda returns)
    is_from_now_on = False  # targets leave out what `judge` finds at the decision; for one number
    judge: Any
    write_worths: Any = staticmethod(no_worths)  # compiled: (state, seat, aim, table, out [worths])

    def __init__(self, scale: float, *aims: str):
        self.scale = scale  # in the model's card: what one of the network's units is
        self.aims = aims  # units of what is played for
        self.codes: Sequence[int] = [0] * len(aims)  # by which `write_worths` knows them

    @abstractmethod
    def expected(self, found: Tensor, aims: Tensor) -> Tensor:
        """The targets [M, C] that outputs [M, O] foresee; `aims` [M] are places in those of the reward."""

    def worth(self, expected: Tensor, worths: Tensor) -> Tensor:
        """What moves are worth [M], by the expected targets and what these are worth there [M, worths]."""
        return expected[:, 0]

    @abstractmethod
    def errors(self, found: Tensor, targets: Tensor, aims: Tensor) -> Tensor:
        """How far off outputs [N, O] are of targets [N, C], each [N]."""


class Mean(Reward):
    """The mean of a number, told in units of `scale`."""

    def __init__(self, judge: Any, scale: float = 1.0, aim: str = "points"):
        super().__init__(scale, aim)
        self.judge = judge

    def expected(self, found: Tensor, aims: Tensor) -> Tensor:
        """The output."""
        return self.scale * found

    def errors(self, found: Tensor, targets: Tensor, aims: Tensor) -> Tensor:
        """Squared."""
        return (found[:, 0] - targets[:, 0] / self.scale) ** 2


class GainToCome(Mean):
    """What a number grows by from the decision on: less noisy where deals are paid for as they go on."""

    is_from_now_on = True


class Win(Reward):
    """The chance to win the deal, as a logit."""

    def __init__(self, spec: GameSpec):
        super().__init__(1.0, "probability")
        self.judge = spec.kernels.bind(judge_win)

    def expected(self, found: Tensor, aims: Tensor) -> Tensor:
        """From -1 to 1."""
        return 2 * torch.sigmoid(found) - 1

    def errors(self, found: Tensor, targets: Tensor, aims: Tensor) -> Tensor:
        """The cross-entropy."""
        return F.binary_cross_entropy_with_logits(found[:, 0], (targets[:, 0] + 1) / 2, reduction="none")


class WinAndPoints(Mean):
    """The chance to win as a logit, the points if the deal is won, and if it is not."""

    outputs = 3
    can_bootstrap = False

    def expected(self, found: Tensor, aims: Tensor) -> Tensor:
        """The expected points."""
        chance = torch.sigmoid(found[:, :1])
        return self.scale * (chance * found[:, 1:2] + (1 - chance) * found[:, 2:])

    def errors(self, found: Tensor, targets: Tensor, aims: Tensor) -> Tensor:
        """The cross-entropy of the win, and the squared error of the points that came."""
        targets = targets[:, 0]
        won = (targets > 0).float()
        points = torch.where(targets > 0, found[:, 1], found[:, 2])
        chance = F.binary_cross_entropy_with_logits(found[:, 0], won, reduction="none")
        return chance + (points - targets / self.scale) ** 2


class Classes(Reward):
    """The chances of the game's classes of outcomes (`outcomes.py`), for each aim."""

    def __init__(self, spec: GameSpec, aims: Sequence[str]):
        super().__init__(1.0, *aims)
        outcomes: Any = spec.outcomes
        self.width = self.num_worths = outcomes.NUM_CLASSES
        self.outputs = len(aims) * self.width
        self.judge, self.write_worths = outcomes.outcome, outcomes.write_worths
        self.codes = [outcomes.AIMS.index(aim) for aim in aims]

    def expected(self, found: Tensor, aims: Tensor) -> Tensor:
        """The chances, if one goes on playing for the aim."""
        return self._of_aim(found, aims).softmax(dim=1)

    def worth(self, expected: Tensor, worths: Tensor) -> Tensor:
        """The mean over the classes."""
        return (expected * worths).sum(dim=1)

    def errors(self, found: Tensor, targets: Tensor, aims: Tensor) -> Tensor:
        """The cross-entropy."""
        return F.cross_entropy(self._of_aim(found, aims), targets, reduction="none")

    def _of_aim(self, found: Tensor, aims: Tensor) -> Tensor:
        """The outputs for each row's own aim."""
        if len(self.aims) == 1:
            return found
        index = aims[:, None, None].expand(-1, 1, self.width)
        return found.unflatten(1, (-1, self.width)).gather(1, index)[:, 0]


def find_reward(name: str, spec: GameSpec, scale: float, aims: Sequence[str]) -> Reward:
    """What a recipe names: `payoff`, `gain-to-come`, `win` or `win-and-points` of the deal, for any game;

    `win-and-scores`, the same of the seat's own score, where a match is over with its first deal that scores;
    `gain`, the game's own reward for an aim (`winning.py`), or `classes` of outcomes for one or several.
    """
    kernels = spec.kernels
    if name == "classes" and spec.outcomes is not None and aims:
        return Classes(spec, aims)
    if name == "gain" and spec.winning is not None and len(aims) == 1:
        return Mean(*spec.winning.REWARDS[aims[0]], aims[0])
    by_payoff = {"payoff": Mean, "gain-to-come": GainToCome, "win-and-points": WinAndPoints}
    if not aims and name in by_payoff:
        return by_payoff[name](kernels.bind(judge_payoff), scale)
    if not aims and name == "win":
        return Win(spec)
    if not aims and name == "win-and-scores":
        return WinAndPoints(kernels.bind(judge_scores), scale)
    raise ValueError(f"{spec.id} has no reward {name!r} for {', '.join(aims) or 'no aims'}")
