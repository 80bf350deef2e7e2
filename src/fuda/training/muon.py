"""Muon: momentum whose matrices are made orthogonal before they are a step.

PyTorch's own (`torch.optim.Muon`) reads its learning rate as a Python number, so that a recorded step would
keep its first one, and treats matrices one by one. Here the rate is a tensor and equal shapes are a batch.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

MOMENTUM = 0.95
ITERATIONS = 5
COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the quintic whose iteration takes singular values to about 1
RMS = 0.2  # of a step's numbers at rate 1: about AdamW's, so that one learning rate serves both


class Muon(torch.optim.Optimizer):
    """For the inner matrices of a network; its other weights want another optimizer."""

    def __init__(self, weights: Iterable[Tensor], learning_rate: Tensor, weight_decay: float):
        super().__init__(weights, {"lr": learning_rate, "weight_decay": weight_decay})
        self._by_shape: dict[torch.Size, list[Tensor]] = {}
        for each in self.param_groups[0]["params"]:
            self._by_shape.setdefault(each.shape, []).append(each)
            self.state[each]["momentum"] = torch.zeros_like(each)

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """A step by the gradients that are there."""
        rate, decay = self.param_groups[0]["lr"], self.param_groups[0]["weight_decay"]
        for shape, alike in self._by_shape.items():
            gradients = [each.grad for each in alike if each.grad is not None]
            momenta = [self.state[each]["momentum"] for each in alike]
            torch._foreach_lerp_(momenta, gradients, 1 - MOMENTUM)
            ahead = torch._foreach_lerp(gradients, momenta, MOMENTUM)  # Nesterov's
            steps = orthogonal(torch.stack(ahead)) * (RMS * max(shape) ** 0.5)
            torch._foreach_mul_(alike, 1 - rate * decay)
            torch._foreach_sub_(alike, list((rate * steps).unbind()))


def orthogonal(matrices: Tensor) -> Tensor:
    """Matrices [K, n, m] with about the same singular vectors and singular values of about 1."""
    is_tall = matrices.shape[1] > matrices.shape[2]
    found = matrices.mT if is_tall else matrices
    found = found / (found.norm(dim=(1, 2), keepdim=True) + 1e-7)
    if found.is_cuda:
        found = found.bfloat16()
    one, three, five = COEFFICIENTS
    for _ in range(ITERATIONS):
        square = found @ found.mT
        found = one * found + (three * square + five * (square @ square)) @ found
    return (found.mT if is_tall else found).to(matrices.dtype)
