"""Words of bits as a network's numbers, in PyTorch: what `core/words.py` does on a CPU.

B positions, W words, C columns.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

NEVER_SET = 63  # the sign of a word: no encoding sets it
GPU_COLUMNS = 32  # a GPU's fast kernels want rows of whole 16 bytes, and like more


class WordInput(nn.Module):
    """Spreads words [B, W] int64 into numbers [B, C].

    The words from the first to before the second of `widened` also set both neighbours of each bit. The
    bits of the word `shared` are added to the columns from `first_shared` to `last_shared`, each as
    `share` of a one. Columns of zeros are added until C is a multiple of `multiple`.
    """

    column_words: Tensor
    column_shifts: Tensor
    shares: Tensor

    def __init__(
        self,
        column_words: np.ndarray,
        column_shifts: np.ndarray,
        widened: tuple[int, int] = (0, 0),
        shared: int | None = None,
        first_shared: int = 0,
        last_shared: int = -1,
        share: float = 0.0,
        *,
        multiple: int = 1,
    ):
        super().__init__()
        self.widened = widened
        self.shared = shared
        missing = -len(column_words) % multiple
        column_words = np.append(column_words, [0] * missing).astype(np.int64)
        column_shifts = np.append(column_shifts, [NEVER_SET] * missing).astype(np.int64)
        shares = torch.zeros(len(column_words))
        shares[first_shared : last_shared + 1] = share
        for name, value in (
            ("column_words", torch.from_numpy(column_words)),
            ("column_shifts", torch.from_numpy(column_shifts)),
            ("shares", shares),
        ):
            self.register_buffer(name, value, persistent=False)

    def forward(self, words: Tensor) -> Tensor:
        """Numbers [B, C] float32."""
        first, last = self.widened
        if last > first:
            some = words[:, first:last]
            words = torch.cat([words[:, :first], some | some << 1 | some >> 1, words[:, last:]], dim=1)
        numbers = (words[:, self.column_words] >> self.column_shifts & 1).float()
        if self.shared is not None:
            unseen = words[:, self.shared, None] >> self.column_shifts & 1
            numbers = numbers + self.shares * unseen
        return numbers


def word_input(encoding: Any, diffuse: int, device: torch.device | str) -> WordInput:
    """What writes an encoding's words out for a network; `diffuse` as in its shape."""
    widened = encoding.WIDENED if diffuse else (0, 0)
    shared = getattr(encoding, "SHARED", (None,))
    multiple = columns_of(device)
    found = WordInput(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, widened, *shared, multiple=multiple)
    return found.to(device)


def columns_of(device: torch.device | str) -> int:
    """The number of columns is a multiple of this."""
    return GPU_COLUMNS if torch.device(device).type == "cuda" else 1
