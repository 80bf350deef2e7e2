"""A network in two stages: values of decompositions, then of the groups in the best one (the CQL paper).

A group is read by convolutions, whoever holds it; with what is known of the position it becomes a row. The
maximum over the rows of a decomposition's groups, number by number, is that decomposition's *global* row,
whatever their order. One head values it; the other values each group by its own row and the global one.

Groups are listed once for each position and read once, however many decompositions share them.

B positions, R groups of all of them, D decompositions, G members of one, L last groups, C columns.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.exportable import Exportable


@dataclass(frozen=True)
class GroupShape:
    """The sizes of a network of decompositions; the defaults are those of the CQL paper's program."""

    channels: int = 32  # of each convolution
    features: int = 256  # of a group
    rows: tuple[int, ...] = (256, 512, 1024)  # widths of a group's row in its position
    heads: tuple[int, ...] = (512, 256, 128)  # widths of the layers of either head
    playable: bool = False  # rows are told whether their group can be played


class Convolutions(nn.Module):
    """Features of groups: how many cards of each rank, by kernels of one to as many copies as there are.

    Written as products of matrices: a kernel steps from rank to rank, so it is a layer of the first bits of
    each; those that reach a rank to either side are a layer of three ranks. That is quicker where rows are
    many and short.
    """

    def __init__(self, copies: int, shape: GroupShape):
        super().__init__()
        width = copies * shape.channels
        self.copies = copies
        self.kernels = nn.ModuleList(nn.Linear(size, shape.channels) for size in range(1, copies + 1))
        self.expand = nn.Linear(3 * width, width)
        self.contract = nn.Linear(3 * width, width)
        self.widen = nn.Linear(width, shape.features)

    def forward(self, bits: Tensor) -> Tensor:
        """Features [N, features] of bits [N, ranks x copies]."""
        cards = bits.unflatten(1, (-1, self.copies))
        parts = [kernel(cards[..., :size]) for size, kernel in enumerate(self.kernels, 1)]
        ranks = F.relu(torch.cat(parts, dim=2))  # [N, ranks, width]
        ranks = F.relu(ranks + self.contract(with_neighbours(F.relu(self.expand(with_neighbours(ranks))))))
        return F.relu(self.widen(ranks)).mean(dim=1)


def with_neighbours(ranks: Tensor) -> Tensor:
    """Each rank beside those below and above it, zeros where there is none: [N, ranks, 3 x width]."""
    padded = F.pad(ranks, (0, 0, 1, 1))
    return torch.cat([padded[:, :-2], ranks, padded[:, 2:]], dim=2)


class WideningBlock(nn.Module):
    """Two layers beside one that makes rows as wide; rows are normed first."""

    def __init__(self, width: int, wider: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.skip = nn.Linear(width, wider)
        self.expand = nn.Linear(width, wider)
        self.contract = nn.Linear(wider, wider)

    def forward(self, rows: Tensor) -> Tensor:
        """Rows [.., wider] of rows [.., width]."""
        normed = self.norm(rows).to(rows.dtype)
        return self.skip(rows) + self.contract(F.relu(self.expand(normed)))


class Head(nn.Module):
    """A value of each row, or several."""

    def __init__(self, width: int, widths: tuple[int, ...], outputs: int = 1):
        super().__init__()
        sizes = (width, *widths)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))
        self.value = nn.Linear(sizes[-1], outputs)

    def forward(self, rows: Tensor) -> Tensor:
        """Values [..] float32 of rows [.., width], or [.., outputs] if there are several."""
        rows = self.norm(rows).to(rows.dtype)
        for layer in self.layers:
            rows = F.relu(layer(rows))
        found = self.value(rows).float()
        return found[..., 0] if self.value.out_features == 1 else found


class GroupTrunk(Exportable):
    """Reads groups, and makes them rows of their positions."""

    def __init__(self, group_shape: tuple[int, int], num_last: int, num_columns: int, shape: GroupShape):
        super().__init__()
        self.shape, self.num_columns, self.num_last = shape, num_columns, num_last
        self.num_ranks, copies = group_shape
        self.convolutions = Convolutions(copies, shape)
        self.from_group = nn.Linear(shape.features, shape.rows[0])
        self.from_position = nn.Linear(num_last * shape.features + num_columns, shape.rows[0], bias=False)
        self.widening = nn.ModuleList(WideningBlock(*pair) for pair in pairwise(shape.rows))
        if shape.playable:
            self.from_playable = nn.Parameter(torch.randn(shape.rows[0]) / shape.rows[0] ** 0.5)

    def position(self, last: Tensor, numbers: Tensor) -> Tensor:
        """What rows are told of positions [B, width], by features [B, L, features] and numbers [B, C]."""
        return self.from_position(torch.cat([last.flatten(1), numbers.to(last.dtype)], dim=1))

    def rows(self, features: Tensor, told: Tensor, playable: Tensor | None = None) -> Tensor:
        """The rows [R, width] of groups by their features [R, features] and what each is told [R, width].

        A network that asks for it is given which of them can be played [R].
        """
        found = self.from_group(features) + told
        if playable is not None and self.shape.playable:
            found = found + playable.to(found.dtype)[..., None] * self.from_playable.to(found.dtype)
        rows = F.relu(found)
        for block in self.widening:
            rows = block(rows)
        return rows

    def sizes(self) -> dict[str, Any]:
        """The `GroupShape` that the network was made with."""
        return asdict(self.shape)


class DecompositionNet(GroupTrunk):
    """Values of decompositions and of their groups; as a file for one position, whose best one it finds."""

    inputs: ClassVar = {
        "groups": {0: "groups"}, "last": {}, "numbers": {}, "members": {0: "decompositions", 1: "members"},
    }  # fmt: skip
    outputs: ClassVar = {"decompositions": {0: "decompositions"}, "moves": {0: "members"}}

    def __init__(self, group_shape: tuple[int, int], num_last: int, num_columns: int, shape: GroupShape):
        super().__init__(group_shape, num_last, num_columns, shape)
        self.decomposition_head = Head(shape.rows[-1], shape.heads)
        self.move_head = Head(2 * shape.rows[-1], shape.heads)

    def takes(self) -> dict[str, dict[int, str]]:
        """What it takes; only some networks ask which groups can be played."""
        return {**self.inputs, **({"playable": {0: "groups"}} if self.shape.playable else {})}

    def forward(
        self, groups: Tensor, last: Tensor, numbers: Tensor, members: Tensor, playable: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Of one position: values [D], and [G] those of the members of the best decomposition.

        Bits of groups [R, bits] and of the last ones [L, bits], numbers [1, C], members [D, G] as places
        among the groups; a shorter decomposition repeats one of its own, which changes no maximum.
        """
        told = self.position(self.convolutions(last)[None], numbers)
        rows = self.rows(self.convolutions(groups), told, playable)
        global_rows = rows[members].amax(dim=1)
        values = self.decomposition_head(global_rows)
        best = values.argmax(dim=0, keepdim=True)
        own = rows[members[best][0]]
        return values, self.move_values(global_rows[best], own[None])[0]

    def move_values(self, global_rows: Tensor, rows: Tensor) -> Tensor:
        """Values [B, G] of groups by the global rows [B, width] and their own [B, G, width]."""
        beside = global_rows[:, None].expand(-1, rows.shape[1], -1)
        return self.move_head(torch.cat([beside, rows], dim=2))

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        bits = self.num_ranks * self.convolutions.copies
        return (
            torch.randint(0, 2, (batch + 3, bits), generator=rng).float(),
            torch.randint(0, 2, (self.num_last, bits), generator=rng).float(),
            torch.rand(1, self.num_columns, generator=rng),
            torch.randint(0, batch + 3, (2 * batch, batch + 1), generator=rng),
            *([torch.randint(0, 2, (batch + 3,), generator=rng).float()] if self.shape.playable else []),
        )


def pooled(rows: Tensor, members: Tensor, starts: Tensor) -> Tensor:
    """The global rows [D, width] of decompositions: of rows [R, width] the maximum over each one's members.

    `members` [M] are places among the rows, those of decomposition d from starts[d] on. Without gradients.
    """
    return F.embedding_bag(members, rows, starts, mode="max")


def sizes_of(encoding: Any) -> tuple[Any, int, int]:
    """What an encoding says of its networks."""
    return encoding.GROUP_SHAPE, len(encoding.LAST_GROUPS), encoding.NUM_COLUMNS
