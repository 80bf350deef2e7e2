"""What a network says about itself, so that it can be written as an ONNX file."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from torch import Tensor, nn


class Exportable(nn.Module, ABC):
    """A network with names for what it takes and gives, each with its axes that may have any size."""

    inputs: ClassVar[dict[str, dict[int, str]]]
    outputs: ClassVar[dict[str, dict[int, str]]]

    @abstractmethod
    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with; for another batch also the other such axes differ."""

    def takes(self) -> dict[str, dict[int, str]]:
        """What it takes, if that depends on its shape."""
        return self.inputs

    def gives(self) -> dict[str, dict[int, str]]:
        """What it gives, if that depends on its shape."""
        return self.outputs

    def take_over(self, weights: dict[str, Tensor]) -> None:
        """Take over another network's weights, or a `RuntimeError` if it has another shape."""
        self.load_state_dict(weights)

    @abstractmethod
    def sizes(self) -> dict[str, Any]:
        """The shape that the network was made with."""
