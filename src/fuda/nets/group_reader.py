"""What a network of decompositions is given, from the words of an encoding and the groups of decompositions.

B positions, R groups of all of them, D decompositions, M members of all of these, G the most members of one.
"""

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from fuda.core.decompositions import Decompositions
from fuda.nets.decompositions import DecompositionNet, GroupShape, pooled, sizes_of
from fuda.nets.words import WordInput

BEYOND = -1  # in a table of members: there is none


class Members(NamedTuple):
    """Decompositions of positions, on a device."""

    groups: Tensor  # [R] actions
    playable: Tensor  # [R]
    group_positions: Tensor  # [R] the position of each group
    rows: Tensor  # [M] places among the groups
    member_starts: Tensor  # [D + 1]
    starts: Tensor  # [B + 1]

    @classmethod
    def of(cls, found: Decompositions, device: torch.device) -> "Members":
        """The same on a device."""
        arrays = (
            found.groups.astype(np.int64), found.playable, found.group_decisions, found.rows,
            found.member_starts, found.starts,
        )  # fmt: skip
        return cls(*(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays))

    @property
    def positions(self) -> Tensor:
        """The position of each decomposition [D]."""
        return torch.repeat_interleave(self.starts.diff())

    def table(self, chosen: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """The members of one decomposition [B] of each position: rows [B, G], and whether there is one."""
        first, end = self.member_starts[chosen], self.member_starts[chosen + 1]
        places = first[:, None] + torch.arange(width, device=first.device)
        is_member = places < end[:, None]
        return self.rows[torch.where(is_member, places, first[:, None])], is_member


class Valued(NamedTuple):
    """What a network finds of all decompositions."""

    rows: Tensor  # [R, width]
    global_rows: Tensor  # [D, width]
    values: Tensor  # [D]


class GroupReader:
    """Networks of decompositions, where an encoding's words are."""

    def __init__(self, encoding: Any, device: torch.device | str, half: bool = False):
        self.encoding, self.device = encoding, torch.device(device)
        self._is_half = half and self.device.type == "cuda"
        ranks, copies = encoding.GROUP_SHAPE
        self._bits = torch.from_numpy(encoding.GROUP_BITS).to(self.device)
        self._shifts = torch.arange(ranks * copies, device=self.device)
        self._input = WordInput(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS).to(self.device)
        self._shares = torch.from_numpy(encoding.COLUMN_SHARES).to(self.device)
        self._last = torch.tensor(encoding.LAST_GROUPS, device=self.device)

    def new(self, shape: GroupShape) -> DecompositionNet:
        """A network with fresh weights."""
        return DecompositionNet(*sizes_of(self.encoding), shape)

    def bits(self, groups: Tensor) -> Tensor:
        """Groups [N] as numbers [N, bits]."""
        return (self._bits[groups, None] >> self._shifts & 1).float()

    def numbers(self, words: Tensor) -> Tensor:
        """What else is told of positions [B, columns]."""
        shares = torch.stack(self.encoding.shares(words), dim=1).float()
        return self._input(words) * shares[:, self._shares]

    def features(self, net: DecompositionNet, groups: Tensor, recorded: bool = False) -> Tensor:
        """Features of groups [N]. Each distinct one is read once, unless shapes must stay: `recorded`."""
        if recorded:
            return net.convolutions(self.bits(groups))
        distinct, places = torch.unique(groups, return_inverse=True)
        return net.convolutions(self.bits(distinct))[places]

    def position(self, net: DecompositionNet, words: Tensor, recorded: bool = False) -> Tensor:
        """What rows are told of positions [B, width]."""
        last = self.features(net, words[:, self._last].flatten(), recorded)
        return net.position(last.unflatten(0, (len(words), -1)), self.numbers(words))

    @torch.no_grad()
    def all_values(self, net: DecompositionNet, words: Tensor, members: Members) -> Valued:
        """Of all decompositions of positions [B]."""
        with self._precision():
            told = self.position(net, words)
            features = self.features(net, members.groups)
            rows = net.rows(features, told[members.group_positions], members.playable)
            global_rows = pooled(rows, members.rows, members.member_starts[:-1])
            return Valued(rows, global_rows, net.decomposition_head(global_rows))

    @torch.no_grad()
    def move_values(self, net: DecompositionNet, valued: Valued, chosen: Tensor, rows: Tensor) -> Tensor:
        """The groups in `rows` [B, G] of decompositions that were `chosen` [B]."""
        with self._precision():
            return net.move_values(valued.global_rows[chosen], valued.rows[rows])

    def one_value(
        self, net: DecompositionNet, words: Tensor, groups: Tensor, playable: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Of one decomposition [B, G] in each position: its value [B], and those of its groups [B, G].

        Which of them can be played [B, G] only some networks ask.
        Where there is no group (BEYOND) the value is that of the first.
        """
        with self._precision():
            recorded = groups.is_cuda  # one shape for all
            told, is_member = self.position(net, words, recorded), groups != BEYOND
            if recorded:
                groups = torch.where(is_member, groups, groups[:, :1])
                playable = torch.where(is_member, playable, playable[:, :1])
                features = self.features(net, groups.flatten(), recorded).unflatten(0, groups.shape)
                rows = net.rows(features, told[:, None], playable)
            else:
                positions, _ = is_member.nonzero(as_tuple=True)
                features = self.features(net, groups[is_member])
                found = net.rows(features, told[positions], playable[is_member])
                places = is_member.flatten().cumsum(0).view(groups.shape) - 1
                rows = found[torch.where(is_member, places, places[:, :1])]
            global_rows = rows.amax(dim=1)
            return net.decomposition_head(global_rows), net.move_values(global_rows, rows)

    def _precision(self) -> AbstractContextManager[Any]:
        """Half precision on a GPU, if that is wanted."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self._is_half)
