"""How the learning rate and the average of the weights go over a run, for all trainings."""

import math
from collections.abc import Iterable
from typing import Protocol

import torch
from torch import Tensor, nn


class Schedule(Protocol):
    """What a recipe says about it."""

    @property
    def learning_rate(self) -> float:
        """The highest."""

    @property
    def final_learning_rate(self) -> float:
        """The last, reached by a cosine."""

    @property
    def warmup_steps(self) -> int:
        """Steps until the highest is reached."""

    @property
    def average(self) -> float:
        """How much of the moving average of the weights (EMA) a step leaves; 0 for none."""


def learning_rate(recipe: Schedule, num_steps: int, done: float) -> float:
    """The rate of the step after `num_steps` others, when the part `done` of the run is behind it."""
    warm = min(1.0, (num_steps + 1) / recipe.warmup_steps)
    span = recipe.learning_rate - recipe.final_learning_rate
    return warm * (recipe.final_learning_rate + span * (1 + math.cos(math.pi * min(done, 1.0))) / 2)


class Exploration(Protocol):
    """What a recipe says about random moves."""

    @property
    def epsilon(self) -> float:
        """The chance of one at first."""

    @property
    def final_epsilon(self) -> float:
        """The chance later on."""

    @property
    def epsilon_until(self) -> float:
        """The part of the run after which it stays."""


def epsilon(recipe: Exploration, done: float) -> float:
    """The chance of a random move when the part `done` of the run is behind it."""
    so_far = min(1.0, done / recipe.epsilon_until)
    return recipe.epsilon + so_far * (recipe.final_epsilon - recipe.epsilon)


def ema_weight(recipe: Schedule, num_steps: int) -> float:
    """How far the exponential moving average goes towards the weights after a step.

    While there are few steps it is the mean of the later half of them, so that the fresh weights are
    soon forgotten.
    """
    return max(1 - recipe.average, 2 / (num_steps + 2))


def follow(average: nn.Module, net: nn.Module, how_far: Tensor) -> None:
    """Take the averaged weights a part [] of the way to a network's; a tensor, so that it can be recorded."""
    averages, weights = (_tensors(each.parameters()) for each in (average, net))
    left = torch._foreach_sub(averages, weights)
    torch._foreach_mul_(left, 1 - how_far)
    torch._foreach_add_(left, weights)
    torch._foreach_copy_(averages, left)


def _tensors(parameters: Iterable[Tensor]) -> list[Tensor]:
    return [weights.detach() for weights in parameters]
