"""A network that learns, the average of its weights, and its recorded step: whatever is learned.

A step is two recordings, so that ranks can sum their gradients between them: backward into one flat
gradient, and the update with clipping, optimizer and average.

B rows of a batch.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from fuda.training.device import Replayed, compiled_on, in_shares
from fuda.training.muon import Muon
from fuda.training.ranks import Ranks
from fuda.training.schedule import Schedule, follow, learning_rate, pace

# errors(net, *rows) -> [B]: how far off a network is, row by row
Errors = Callable[..., Tensor]


class TrainerRecipe(Schedule, Protocol):
    """What a recipe says about learning."""

    @property
    def optimizer(self) -> str:
        """`adamw`, or `muon` for inner matrices and AdamW for the rest."""

    @property
    def weight_decay(self) -> float:
        """Of AdamW and Muon."""

    @property
    def clip(self) -> float:
        """The largest norm of a gradient."""


class Trainer:
    """Learns rows of tensors that stay where they are: a step is told their numbers."""

    def __init__(self, net: nn.Module, recipe: TrainerRecipe, ranks: Ranks):
        self.net, self.recipe, self.ranks = net, recipe, ranks
        self.average = copy.deepcopy(net).requires_grad_(False)
        self.num_steps = 0
        self._weights = list(net.parameters())
        self.device = device = self._weights[0].device
        self._learning_rate, self._ema_weight = (torch.zeros((), device=device) for _ in range(2))
        self._gradient = torch.zeros(sum(each.numel() for each in self._weights), device=device)
        parts = self._gradient.split([each.numel() for each in self._weights])
        for weights, part in zip(self._weights, parts, strict=True):
            weights.grad = part.view_as(weights)
        self.optimizers = self._make_optimizers()
        self._totals = torch.zeros(2, device=device)  # errors and steps since the last call of `error`

    def _make_optimizers(self) -> list[torch.optim.Optimizer]:
        recipe, on_gpu = self.recipe, self.device.type == "cuda"
        inner = set()
        if recipe.optimizer == "muon":
            blocks = (module for name, module in self.net.named_modules() if name.endswith("blocks"))
            inner = {each for block in blocks for each in block.parameters() if each.ndim == 2}
        rest = [each for each in self._weights if each not in inner]
        adamw = torch.optim.AdamW(
            rest, self._learning_rate, weight_decay=recipe.weight_decay,
            capturable=on_gpu, fused=on_gpu or None,
        )  # fmt: skip
        if not inner:
            return [adamw]
        ordered = [each for each in self._weights if each in inner]
        return [adamw, Muon(ordered, self._learning_rate, recipe.weight_decay)]

    def record(self, errors: Errors, rows: Callable[[Tensor], Sequence[Tensor]], batch: int) -> None:
        """Prepare steps on the rows [B] of an index; `batch` is this rank's part of B."""
        self._errors = compiled_on(self.device, errors)
        self._rows = rows
        before = copy.deepcopy(self.state())
        index = torch.zeros(batch, dtype=torch.int64, device=self.device)
        self._backward = Replayed(self._find_gradient, [index])
        self._update = Replayed(self._take_step, [self._gradient])
        if self.device.type == "cuda":
            self._undo(before)

    def _undo(self, before: dict[str, Any]) -> None:
        """Undo the steps that recording has run, in place."""
        self.net.load_state_dict(before["net"])
        self.average.load_state_dict(before["average"])
        for optimizer in self.optimizers:
            for state in optimizer.state.values():
                for value in state.values():
                    value.zero_()
        self._totals.zero_()

    def _find_gradient(self, index: Tensor) -> tuple[Tensor, ...]:
        rows = self._rows(index)
        self._gradient.zero_()
        count = len(index) * self.ranks.count
        if self.device.type == "cuda":
            errors = self._errors(self.net, *rows)
            (errors.sum() / count).backward()
        else:
            errors, gradients = in_shares(self._share, rows)
            self._gradient.copy_(gradients.sum(dim=0) / count)
        self._totals += torch.stack([errors.detach().mean(), torch.ones((), device=self.device)])
        return (self._gradient,)

    def _share(self, *rows: Tensor) -> tuple[Tensor, Tensor]:
        """The errors [B] of a share of the rows, and the gradient of their sum [1, weights]."""
        errors = self._errors(self.net, *rows)
        gradients = torch.autograd.grad(errors.sum(), self._weights)
        return errors.detach(), torch.cat([each.reshape(-1) for each in gradients])[None]

    @torch.no_grad()
    def _take_step(self, gradient: Tensor) -> tuple[Tensor, ...]:
        norm = torch.linalg.vector_norm(gradient)
        gradient.mul_((self.recipe.clip / (norm + 1e-6)).clamp(max=1.0))
        for optimizer in self.optimizers:
            optimizer.step()
        follow(self.average, self.net, self._ema_weight)
        return (norm,)

    def step(self, index: Tensor, done: float) -> None:
        """Learn from the rows `index` [B], when the part `done` of the run is behind it."""
        self._backward.inputs[0].copy_(index, non_blocking=True)
        self._learning_rate.fill_(learning_rate(self.recipe, self.num_steps, done))
        self._ema_weight.fill_(pace(self.recipe, self.num_steps))
        self._backward()
        self.ranks.add(self._gradient)
        self._update()
        self.num_steps += 1

    def error(self) -> float:
        """The mean error of a row since the last call."""
        total, count = self._totals.tolist()
        self._totals.zero_()
        return total / max(1.0, count)

    def start_from(self, weights: dict[str, Tensor]) -> None:
        """Begin with other weights, or a `ValueError` if they are of another shape."""
        for net in (self.net, self.average):
            try:
                net.load_state_dict(weights)
            except RuntimeError:
                raise ValueError("the network has another shape than the recipe's") from None

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(), "num_steps": self.num_steps,
            "optimizers": [optimizer.state_dict()["state"] for optimizer in self.optimizers],
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.num_steps = state["num_steps"]
        for optimizer, stored in zip(self.optimizers, state["optimizers"], strict=True):
            for number, weights in enumerate(optimizer.param_groups[0]["params"]):
                mine = optimizer.state[weights]
                for name, value in stored.get(number, {}).items():
                    if name in mine:
                        mine[name].copy_(value)
                    else:
                        on = "cpu" if name == "step" and self.device.type == "cpu" else self.device
                        mine[name] = value.clone().to(on)
