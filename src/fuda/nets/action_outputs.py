"""A network with an output for each action, on the trunk of those that value decompositions.

The own hand is read as a group: the row of the hand in its position leads to all outputs, and to a value.

B positions, L last groups, C columns, A actions, N the most legal ones of a position.
"""

from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from fuda.nets.decompositions import GroupShape, GroupTrunk, Head, sizes_of
from fuda.nets.group_reader import GroupReader


class ActionNet(GroupTrunk):
    """Numbers of all actions, and one of the position."""

    inputs: ClassVar = {"hand": {0: "batch"}, "last": {0: "batch"}, "numbers": {0: "batch"}}
    outputs: ClassVar = {"actions": {0: "batch"}, "value": {0: "batch"}}

    def __init__(
        self, group_shape: tuple[int, int], num_last: int, num_columns: int, shape: GroupShape,
        num_actions: int,
    ):  # fmt: skip
        super().__init__(group_shape, num_last, num_columns, shape)
        self.actions = Head(shape.rows[-1], shape.heads, num_actions)
        self.value = Head(shape.rows[-1], shape.heads)

    def forward(self, hand: Tensor, last: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Actions [B, A] and values [B], by bits of hands [B, bits], of the last groups [B, L, bits]."""
        features = self.convolutions(last.flatten(0, 1)).unflatten(0, (-1, self.num_last))
        rows = self.rows(self.convolutions(hand), self.position(features, numbers))
        return self.actions(rows), self.value(rows)

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        bits = self.num_ranks * self.convolutions.copies
        return (
            torch.randint(0, 2, (batch, bits), generator=rng).float(),
            torch.randint(0, 2, (batch, self.num_last, bits), generator=rng).float(),
            torch.rand(batch, self.num_columns, generator=rng),
        )


class ActionReader(GroupReader):
    """Such networks, where an encoding's words are."""

    def new(self, shape: GroupShape) -> ActionNet:  # type: ignore[override]
        """A network with fresh weights."""
        return ActionNet(*sizes_of(self.encoding), shape, self.encoding.NUM_OUTPUTS)

    def outputs(self, net: ActionNet, words: Tensor) -> tuple[Tensor, Tensor]:
        """Of all actions [B, A], and of positions [B]."""
        hand, last = (words[:, place] for place in (self.encoding.HAND_BITS, self._last))
        with self._precision():
            found: tuple[Tensor, Tensor] = net(self._unpack(hand), self.bits(last), self.numbers(words))
            return found

    def legal_outputs(self, net: Any, words: np.ndarray, legal: np.ndarray) -> tuple[Tensor, Tensor]:
        """Of the legal actions, a table [B, N] that is filled up with numbers below 0, and of positions [B].

        Where the table has no action the output is minus infinity.
        """
        given = torch.from_numpy(legal.astype(np.int64)).to(self.device)
        actions, value = self.outputs(net, torch.from_numpy(words).to(self.device))
        return among(actions, given), value

    def _unpack(self, words: Tensor) -> Tensor:
        return (words[..., None] >> self._shifts & 1).float()


def among(actions: Tensor, legal: Tensor) -> Tensor:
    """The outputs [B, N] of legal actions, a table as above, of those of all [B, A]."""
    return actions.float().gather(1, legal.clamp(min=0)).masked_fill(legal < 0, -torch.inf)
