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

from fuda.core.threads import each, split
from fuda.nets.policy_value import parameters
from fuda.training.device import MIN_ROWS, Replayed, compiled_on
from fuda.training.muon import Muon
from fuda.training.ranks import ALONE, Ranks
from fuda.training.schedule import Schedule, ema_weight, follow, learning_rate

Parts = dict[str, Tensor]  # of an error, by name
Errors = Callable[..., Parts]  # errors(net, *rows) -> how far off a network is, row by row, each [B]
Loss = Callable[[Parts], Tensor]  # of the parts' means over a batch


class Sum:
    """A loss: the sum of the parts' means, each times its weight, or 1."""

    def __init__(self, **weights: float):
        self._weights = weights

    def __call__(self, means: Parts) -> Tensor:
        """Of means []."""
        return torch.stack([self._weights.get(name, 1.0) * mean for name, mean in means.items()]).sum()


SUM = Sum()


class TrainerRecipe(Schedule, Protocol):
    """What a recipe says about learning."""

    @property
    def optimizer(self) -> str:
        """`adam`, `adamw`, or `muon` for inner matrices and AdamW for the rest."""

    @property
    def weight_decay(self) -> float:
        """Of AdamW and Muon; with Adam an L2 penalty."""

    @property
    def clip(self) -> float:
        """The largest norm of a module's gradient; 0 for any."""


class Trainer:
    """Learns rows of tensors that stay where they are: a step is told their numbers.

    Modules `beside` the network, such as a critic, learn with it; each is clipped by itself, and of their
    weights there is no average.
    """

    def __init__(
        self,
        net: nn.Module,
        recipe: TrainerRecipe,
        ranks: Ranks = ALONE,
        beside: Sequence[nn.Module] = (),
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ):
        self.net, self.recipe, self.ranks = net, recipe, ranks
        self.average = copy.deepcopy(net).requires_grad_(False) if recipe.average else net
        self.beside = beside
        self.modules = nn.ModuleList([net, *beside])
        self.num_steps = 0
        self._weights = list(self.modules.parameters())
        self.device = device = self._weights[0].device
        self._learning_rate, self._ema_weight = (torch.zeros((), device=device) for _ in range(2))
        sizes = [weights.numel() for weights in self._weights]
        self._gradient = torch.zeros(sum(sizes), device=device)
        for weights, part in zip(self._weights, self._gradient.split(sizes), strict=True):
            weights.grad = part.view_as(weights)
        self._module_gradients = self._gradient.split([parameters(module) for module in self.modules])
        self.optimizers = self._make_optimizers(betas, eps)

    def _make_optimizers(self, betas: tuple[float, float], eps: float) -> list[torch.optim.Optimizer]:
        recipe, on_gpu = self.recipe, self.device.type == "cuda"
        inner = set()
        if recipe.optimizer == "muon":
            blocks = (module for name, module in self.modules.named_modules() if name.endswith("blocks"))
            inner = {matrix for block in blocks for matrix in block.parameters() if matrix.ndim == 2}
        rest = [weights for weights in self._weights if weights not in inner]
        kind = torch.optim.Adam if recipe.optimizer == "adam" else torch.optim.AdamW
        adam = kind(
            rest, self._learning_rate, betas=betas, eps=eps, weight_decay=recipe.weight_decay,
            capturable=on_gpu, fused=on_gpu or None,
        )  # fmt: skip
        if not inner:
            return [adam]
        ordered = [weights for weights in self._weights if weights in inner]
        return [adam, Muon(ordered, self._learning_rate, recipe.weight_decay)]

    def record(
        self,
        errors: Errors,
        rows: Callable[[Tensor], Sequence[Tensor]],
        batch: int,
        loss: Loss = SUM,
        *,
        is_random: bool = False,
    ) -> None:
        """Prepare steps on the rows [B] of an index; `batch` is this rank's part of B.

        The errors of a row are of that row alone, so on a CPU every core takes a share of the rows. Errors
        that draw random numbers, as dropout does, are found by one, and not compiled: so they follow from
        PyTorch's seed.
        """
        if self.ranks.count > 1 and not isinstance(loss, Sum):
            raise ValueError("several ranks sum their gradients, so they can only share a loss that is a sum")
        self._errors = errors if is_random else compiled_on(self.device, errors)
        self._rows, self._loss = rows, loss
        self._in_shares = self.device.type == "cpu" and not is_random
        before = copy.deepcopy(self.modules.state_dict())
        index = torch.zeros(batch, dtype=torch.int64, device=self.device)
        with torch.no_grad():
            self._names = list(errors(self.net, *rows(index[:1])))
        # The parts' means and the number of steps, summed since the last call of `errors`.
        self._totals = torch.zeros(len(self._names) + 1, device=self.device)
        self._backward = Replayed(self._find_gradient, [index])
        self._update = Replayed(self._take_step, [self._gradient])
        if self.device.type == "cuda":
            self.restart(before)

    def restart(self, weights: dict[str, Tensor]) -> None:
        """Begin with these weights of all modules, in place, and forget all steps."""
        self.modules.load_state_dict(weights)
        self.average.load_state_dict(self.net.state_dict())
        for optimizer in self.optimizers:
            for state in optimizer.state.values():
                for value in state.values():
                    value.zero_()
        self._totals.zero_()
        self.num_steps = 0

    def _find_gradient(self, index: Tensor) -> tuple[Tensor, ...]:
        rows = self._rows(index)
        if self._in_shares:
            means = self._find_in_shares(rows)
        else:
            means = {name: part.mean() for name, part in self._errors(self.net, *rows).items()}
            loss = self._loss(means) / self.ranks.count
            found = torch.autograd.grad(loss, self._weights, materialize_grads=True)
            torch.cat([slope.reshape(-1) for slope in found], out=self._gradient)
        one = torch.ones((), device=self.device)
        self._totals += torch.stack([*(mean.detach() for mean in means.values()), one])
        return (self._gradient,)

    def _find_in_shares(self, rows: Sequence[Tensor]) -> Parts:
        """The same by all cores: what a share's errors count in the loss is known when all are found."""
        shares = split(
            lambda first, last: self._errors(self.net, *(tensor[first:last] for tensor in rows)),
            count=len(rows[0]), min_share=MIN_ROWS,
        )  # fmt: skip
        means = {name: torch.cat([share[name].detach() for share in shares]).mean() for name in shares[0]}
        leaves = [mean.requires_grad_() for mean in means.values()]
        counts = torch.autograd.grad(self._loss(means), leaves, materialize_grads=True)
        num_rows = len(rows[0]) * self.ranks.count

        def gradient(number: int) -> Tensor:
            errors = list(shares[number].values())
            given = [(count / num_rows).expand_as(error) for count, error in zip(counts, errors, strict=True)]
            found = torch.autograd.grad(errors, self._weights, given, materialize_grads=True)
            return torch.cat([slope.reshape(-1) for slope in found])

        torch.sum(torch.stack(each(gradient, len(shares))), dim=0, out=self._gradient)
        return means

    @torch.no_grad()
    def _take_step(self, gradient: Tensor) -> tuple[Tensor, ...]:
        if self.recipe.clip:
            for part in self._module_gradients:
                norm = torch.linalg.vector_norm(part)
                part.mul_((self.recipe.clip / (norm + 1e-6)).clamp(max=1.0))
        for optimizer in self.optimizers:
            optimizer.step()
        if self.average is not self.net:
            follow(self.average, self.net, self._ema_weight)
        return (gradient,)

    def step(self, index: Tensor, done: float) -> None:
        """Learn from the rows `index` [B], when the part `done` of the run is behind it."""
        self._backward.inputs[0].copy_(index, non_blocking=True)
        self._learning_rate.fill_(learning_rate(self.recipe, self.num_steps, done))
        self._ema_weight.fill_(ema_weight(self.recipe, self.num_steps))
        self._backward()
        self.ranks.add(self._gradient)
        self._update()
        self.num_steps += 1

    def errors(self) -> dict[str, float]:
        """The mean parts of the error of a row since the last call; none where nothing was learned."""
        *totals, count = self._totals.tolist()
        self._totals.zero_()
        return {name: value / count for name, value in zip(self._names, totals, strict=True)} if count else {}

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
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "beside": [module.state_dict() for module in self.beside], "num_steps": self.num_steps,
            "optimizers": [optimizer.state_dict()["state"] for optimizer in self.optimizers],
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        for module, weights in zip(self.beside, state.get("beside", ()), strict=True):
            module.load_state_dict(weights)
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
