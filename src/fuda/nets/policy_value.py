"""Networks from a row of numbers to one number for each action and one for the position.

B positions, C columns of the input, A actions.

`CardMlp` is the fully connected network of the Gongzhu paper, or a smaller or normalised one of its
kind; `CardResNet` is a convolutional one to compare it with. Both give logits of the actions (or their
advantages, for a dueling head) and a value.
"""

import itertools
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.exportable import Exportable


@dataclass(frozen=True)
class MlpShape:
    """The sizes of a `CardMlp`; the defaults are those of the paper's "FC 24"."""

    first: int = 2048  # width of the first layer; 0 for none
    second: int = 2048  # of the second; 0 for none
    width: int = 512  # of the last one before the blocks, and of the blocks
    blocks: int = 10
    norm: int = 0  # 1: blocks begin with LayerNorm and do not end with ReLU
    value_scale: int = 10  # what the last layer's value is multiplied by
    diffuse: int = 1  # 1: its input is written with the diffuse technique
    owners: int = 0  # holders: of so many other seats it tells which cards they hold (stored by this name)


FC24, FC16 = MlpShape(), MlpShape(blocks=6)


@dataclass(frozen=True)
class ResNetShape:
    """The sizes of a `CardResNet`; the defaults are those of a ResNet 18."""

    channels: int = 64
    stages: int = 4  # each has twice the channels of the one before
    blocks: int = 2  # in each stage
    value_scale: int = 10
    diffuse: int = 1


class PolicyValueNet(Exportable):
    """What both networks have in common: how they are exported."""

    inputs: ClassVar = {"obs": {0: "batch"}}
    outputs: ClassVar = {"actions": {0: "batch"}, "value": {0: "batch"}}
    num_columns: int
    shape: MlpShape | ResNetShape

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        return (torch.randint(0, 2, (batch, self.num_columns), generator=rng).float(),)

    def sizes(self) -> dict[str, int]:
        """The shape that the network was made with."""
        return asdict(self.shape)


class MlpBlock(nn.Module):
    """Two layers beside a residual."""

    def __init__(self, width: int, norm: bool):
        super().__init__()
        self.norm = nn.LayerNorm(width) if norm else None
        self.one = nn.Linear(width, width)
        self.two = nn.Linear(width, width)

    def forward(self, rows: Tensor) -> Tensor:
        """What rows [B, width] become."""
        if self.norm is None:
            return rows + F.relu(self.two(F.relu(self.one(rows))))
        return rows + self.two(F.relu(self.one(self.norm(rows))))


class CardMlp(PolicyValueNet):
    """Up to three layers, residual blocks, two heads or three."""

    def __init__(self, num_columns: int, num_actions: int, shape: MlpShape):
        super().__init__()
        self.num_columns, self.shape, self._num_holders = num_columns, shape, shape.owners
        sizes = [num_columns, *(size for size in (shape.first, shape.second, shape.width) if size)]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in itertools.pairwise(sizes))
        self.blocks = nn.ModuleList(MlpBlock(shape.width, bool(shape.norm)) for _ in range(shape.blocks))
        self.norm = nn.LayerNorm(shape.width) if shape.norm else None
        self.actions = nn.Linear(shape.width, num_actions)
        self.value = nn.Linear(shape.width, 1)
        self.owners = nn.Linear(shape.width, shape.owners * num_actions) if shape.owners else None

    def forward(self, obs: Tensor) -> tuple[Tensor, ...]:
        """Of numbers [B, C]: actions [B, A], values [B], and maybe logits of holders [B, H, A].

        There may be more columns than the network knows, of zeros, where that makes it faster.
        """
        return self.heads(self.features(obs))

    def features(self, obs: Tensor) -> Tensor:
        """What the heads read, [B, width]."""
        rows = obs
        for layer in self.layers:
            rows = F.relu(widened(layer, rows))
        for block in self.blocks:
            rows = block(rows)
        return rows if self.norm is None else self.norm(rows)

    def heads(self, rows: Tensor) -> tuple[Tensor, ...]:
        """What is said of features [B, width]."""
        found = (in_full(self.actions, rows), self.shape.value_scale * in_full(self.value, rows)[:, 0])
        if self.owners is None:
            return found
        return *found, self.owners(rows).unflatten(1, (self._num_holders, -1))

    def gives(self) -> dict[str, dict[int, str]]:
        """The names of what it gives."""
        return self.outputs | ({} if self.owners is None else {"owners": {0: "batch"}})


def widened(layer: nn.Module, rows: Tensor) -> Tensor:
    """A linear layer on rows that may have more columns than it takes."""
    assert isinstance(layer, nn.Linear)
    missing = rows.shape[1] - layer.in_features
    return F.linear(rows, F.pad(layer.weight, (0, missing)), layer.bias) if missing else layer(rows)


class ConvBlock(nn.Module):
    """Two convolutions beside a residual, normalised by groups: a batch is never mixed."""

    GROUPS = 8

    def __init__(self, before: int, after: int):
        super().__init__()
        self.one = nn.Conv2d(before, after, 3, padding=1, bias=False)
        self.one_norm = nn.GroupNorm(self.GROUPS, after)
        self.two = nn.Conv2d(after, after, 3, padding=1, bias=False)
        self.two_norm = nn.GroupNorm(self.GROUPS, after)
        self.past = nn.Conv2d(before, after, 1, bias=False) if before != after else nn.Identity()

    def forward(self, planes: Tensor) -> Tensor:
        """What planes [B, before, suits, ranks] become."""
        seen = F.relu(self.one_norm(self.one(planes)))
        return F.relu(self.past(planes) + self.two_norm(self.two(seen)))


class CardResNet(PolicyValueNet):
    """Convolutions over suits and ranks, with a logit for each card and a value."""

    plane_columns: Tensor

    def __init__(self, num_columns: int, planes: np.ndarray, shape: ResNetShape):
        """`planes` [P, suits, ranks] are the columns that make up each plane, -1 where there is none."""
        super().__init__()
        self.num_columns, self.shape = num_columns, shape
        # A column of zeros behind the last one stands for "none".
        index = torch.from_numpy(np.where(planes < 0, num_columns, planes).astype(np.int64))
        self.register_buffer("plane_columns", index, persistent=False)
        self.stem = nn.Conv2d(len(planes), shape.channels, 3, padding=1)
        sizes = [shape.channels << stage for stage in range(shape.stages) for _ in range(shape.blocks)]
        befores = [shape.channels, *sizes[:-1]]
        self.blocks = nn.ModuleList(
            ConvBlock(before, after) for before, after in zip(befores, sizes, strict=True)
        )
        self.actions = nn.Conv2d(sizes[-1], 1, 1)
        self.value = nn.Linear(sizes[-1], 1)

    def forward(self, obs: Tensor) -> tuple[Tensor, ...]:
        """Of numbers [B, C]: actions [B, suits x ranks] and values [B]."""
        planes = F.pad(obs, (0, 1))[:, self.plane_columns]
        planes = F.relu(self.stem(planes))
        for block in self.blocks:
            planes = block(planes)
        value = self.shape.value_scale * in_full(self.value, planes.mean(dim=(2, 3)))[:, 0]
        return in_full(self.actions, planes).flatten(1), value


def in_full(layer: nn.Module, rows: Tensor) -> Tensor:
    """A layer in single precision also where the others are computed in half: points need their digits."""
    with torch.autocast(rows.device.type, enabled=False):
        return layer(rows.float())


def dueling(actions: Tensor, value: Tensor, legal: Tensor) -> Tensor:
    """Values [B, A] of actions from advantages [B, A]: centred over the legal ones, `legal` [B, A] bool."""
    count = legal.sum(dim=1, keepdim=True).clamp(min=1)
    mean = (actions * legal).sum(dim=1, keepdim=True) / count
    return value[:, None] + actions - mean


def parameters(net: nn.Module) -> int:
    """How many numbers a network learns."""
    return sum(weights.numel() for weights in net.parameters())
