"""A network that reads a position once and every legal move as a row: the values of the moves.

B positions, M moves of all positions in one list, C columns of a position, V of a move, O numbers of a move.
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.exportable import Exportable
from fuda.nets.words import WordInput, columns_of


@dataclass(frozen=True)
class MoveShape:
    """The sizes of a network of positions and moves."""

    width: int = 512  # of what is read of a position
    blocks: int = 3
    move_width: int = 256  # of a move's row
    move_blocks: int = 2
    kinds: int = 1  # of decisions: each has outputs of its own
    outputs: int = 1  # numbers of a move


class MoveInputs:
    """What a network is told, from the words of an encoding of positions and moves."""

    def __init__(self, encoding: Any, device: torch.device | str):
        multiple = columns_of(device)
        columns = (encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)
        move_columns = (encoding.MOVE_COLUMN_WORDS, encoding.MOVE_COLUMN_SHIFTS)
        self.position = WordInput(*columns, multiple=multiple).to(device)
        self.move = WordInput(*move_columns, multiple=multiple).to(device)
        self._encoding = encoding

    def kinds(self, words: Tensor) -> Tensor:
        """The kind of each decision [B]."""
        return self._encoding.decision_kinds(words).long()


class ResidualBlock(nn.Module):
    """Two layers beside the numbers that go through, which are normed first."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.expand = nn.Linear(width, width)
        self.contract = nn.Linear(width, width)
        nn.init.zeros_(self.contract.weight)  # a fresh block changes nothing

    def forward(self, rows: Tensor) -> Tensor:
        """What rows [.., width] become."""
        return rows + self.contract(F.relu(self.expand(self.norm(rows)))).to(rows.dtype)


class MoveValueNet(Exportable):
    """Values of moves: a part of the position's, and a part of the move's in that position."""

    inputs: ClassVar = {
        "obs": {0: "batch"}, "kinds": {0: "batch"}, "moves": {0: "rows"}, "owners": {0: "rows"},
    }  # fmt: skip
    outputs: ClassVar = {"values": {0: "rows"}}

    def __init__(self, num_columns: int, num_move_columns: int, shape: MoveShape):
        super().__init__()
        self.shape = shape
        outputs = shape.kinds * shape.outputs
        self.read = nn.Linear(num_columns, shape.width)
        self.blocks = nn.ModuleList(ResidualBlock(shape.width) for _ in range(shape.blocks))
        self.norm = nn.LayerNorm(shape.width)
        self.value = nn.Linear(shape.width, outputs)
        self.to_moves = nn.Linear(shape.width, shape.move_width)
        self.read_move = nn.Linear(num_move_columns, shape.move_width, bias=False)
        self.move_blocks = nn.ModuleList(ResidualBlock(shape.move_width) for _ in range(shape.move_blocks))
        self.move_norm = nn.LayerNorm(shape.move_width)
        self.move_value = nn.Linear(shape.move_width, outputs)

    def forward(self, obs: Tensor, kinds: Tensor, moves: Tensor, owners: Tensor) -> Tensor:
        """Values [M, O] of moves [M, V], each in the position `owners` [M] of obs [B, C]."""
        return self.move_values(*self.position(obs, kinds), kinds, moves, owners)

    def position(self, obs: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """What moves are told of positions [B, move width], and the positions' part of the values [B, O]."""
        rows = F.relu(_wide(self.read, obs))
        for block in self.blocks:
            rows = block(rows)
        rows = self.norm(rows)
        return self.to_moves(rows), of_kind(self.value(rows), kinds, self.shape.outputs)

    def move_values(
        self, told: Tensor, values: Tensor, kinds: Tensor, moves: Tensor, positions: Tensor
    ) -> Tensor:
        """Values [M, O] of moves, from what `position` gives."""
        rows = F.relu(_wide(self.read_move, moves) + told[positions])
        for block in self.move_blocks:
            rows = block(rows)
        found = of_kind(self.move_value(self.move_norm(rows)), kinds[positions], self.shape.outputs)
        return found.float() + values[positions].float()

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        num_moves = 3 * batch + 1
        return (
            torch.randint(0, 2, (batch, self.read.in_features), generator=rng).float(),
            torch.randint(0, self.shape.kinds, (batch,), generator=rng),
            torch.randint(0, 2, (num_moves, self.read_move.in_features), generator=rng).float(),
            torch.randint(0, batch, (num_moves,), generator=rng),
        )

    def sizes(self) -> dict[str, Any]:
        """The `MoveShape` that the network was made with."""
        return asdict(self.shape)


def _wide(layer: nn.Linear, rows: Tensor) -> Tensor:
    """A layer of rows that may have columns of zeros beyond those that it knows."""
    spare = rows.shape[1] - layer.in_features
    return layer(rows) if spare == 0 else F.linear(rows, F.pad(layer.weight, (0, spare)), layer.bias)


def of_kind(found: Tensor, kinds: Tensor, outputs: int) -> Tensor:
    """Of the outputs [B, kinds x O] those of each row's kind of decision [B, O]."""
    by_kind = found.unflatten(1, (-1, outputs))
    return by_kind.gather(1, kinds[:, None, None].expand(-1, 1, outputs))[:, 0]
