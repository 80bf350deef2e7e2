"""Plain convolutions over planes, of which the first ones step over rows: DeepRocket's networks.

Kernels reach one column to either side, so a pattern is known wherever it stands among the columns; that it
stands there is told to one fully connected layer at the end.

B positions, Z planes of Y rows and X columns, O outputs.
"""

import itertools
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.core.planes import PlaneLayout
from fuda.nets.exportable import Exportable

REACH = 3  # columns of a kernel, and rows where there are several
STRIDE = 2


@dataclass(frozen=True)
class StridedShape:
    """The sizes of a `StridedNet`."""

    filters: int = 256  # of each layer; the DeepRocket paper has 512
    layers: int = 10
    strided: int = 5  # so many of the first layers step over every other row
    narrow: int = 0  # the width of one more layer before the outputs, where these are many; 0 for none
    convolved: bool = True  # else fully connected layers of about as many weights, to compare with


class StridedNet(Exportable):
    """Logits of outputs by planes."""

    inputs: ClassVar = {"planes": {0: "batch"}}
    outputs: ClassVar = {"logits": {0: "batch"}}

    def __init__(self, planes: tuple[int, int, int], num_outputs: int, shape: StridedShape):
        super().__init__()
        self.planes, self.shape = planes, shape
        layers: list[nn.Module] = []
        before, rows, columns = planes
        for number in range(shape.layers):
            reach = REACH if rows > 1 else 1
            stride = STRIDE if number < shape.strided else 1
            layers.append(
                nn.Conv2d(before, shape.filters, (reach, REACH), (stride, 1), (reach // 2, REACH // 2))
            )
            before, rows = shape.filters, -(-rows // stride)
        wide = before * rows * columns
        if not shape.convolved:
            layers = _connected(planes, layers, wide, num_outputs)
            wide = layers[-1].out_features if layers else wide  # type: ignore[assignment]
        self.layers = nn.ModuleList(layers)
        if shape.narrow:
            self.narrow = nn.Linear(wide, shape.narrow)
        self.logits = nn.Linear(shape.narrow or wide, num_outputs)
        for layer in layers:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")  # type: ignore[arg-type]
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]

    def features(self, planes: Tensor) -> Tensor:
        """What the last layer reads [B, width], by planes [B, Z, Y, X]."""
        rows = planes if self.shape.convolved else planes.flatten(1)
        for layer in self.layers:
            rows = F.relu(layer(rows))
        rows = rows.flatten(1)
        return F.relu(self.narrow(rows)) if self.shape.narrow else rows

    def forward(self, planes: Tensor) -> Tensor:
        """Logits [B, O] of planes [B, Z, Y, X]."""
        logits: Tensor = self.logits(self.features(planes))
        return logits

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        return (torch.randint(0, 2, (batch, *self.planes), generator=rng).float(),)

    def sizes(self) -> dict[str, Any]:
        """The `StridedShape` that the network was made with."""
        return asdict(self.shape)


def _connected(
    planes: tuple[int, int, int], layers: list[nn.Module], wide: int, num_outputs: int
) -> list[nn.Module]:
    """As many fully connected layers, with no more weights than these and the last, of `wide` numbers."""
    num_inputs = planes[0] * planes[1] * planes[2]
    most = sum(weights.numel() for layer in layers for weights in layer.parameters())
    most += (wide + 1) * num_outputs

    def num_weights(width: int) -> int:
        return (num_inputs + 1) * width + (len(layers) - 1) * (width + 1) * width + (width + 1) * num_outputs

    width = 1
    while num_weights(width + 1) <= most:
        width += 1
    sizes = [num_inputs, *([width] * len(layers))]
    return [nn.Linear(before, after) for before, after in itertools.pairwise(sizes)]


class PlaneInput(nn.Module):
    """Words of an encoding [B, W] as a network's planes, in PyTorch: what `core/planes.py` does on a CPU."""

    table: Tensor
    number_words: Tensor
    number_shifts: Tensor
    column_words: Tensor
    column_shifts: Tensor
    legal_words: Tensor
    legal_shifts: Tensor

    def __init__(self, layout: PlaneLayout):
        super().__init__()
        self.plane_shape, self.num_written, self.mask = layout.shape, layout.num_written, layout.number_mask
        for name in ("table", *(f"{what}_{part}" for what in ("number", "column", "legal")
                                for part in ("words", "shifts"))):  # fmt: skip
            self.register_buffer(name, torch.from_numpy(getattr(layout, name)), persistent=False)

    def forward(self, words: Tensor) -> Tensor:
        """Planes [B, Z, Y, X] float32."""
        every = words[:, : self.num_written]
        if len(self.number_words):
            numbers = words[:, self.number_words] >> self.number_shifts & self.mask
            every = torch.cat([every, self.table[numbers].flatten(1)], dim=1)
        columns = every[:, self.column_words] >> self.column_shifts & 1
        return columns.float().unflatten(1, self.plane_shape)

    def legal(self, words: Tensor) -> Tensor:
        """Which outputs are legal [B, O] bool."""
        return (words[:, self.legal_words] >> self.legal_shifts & 1).bool()
