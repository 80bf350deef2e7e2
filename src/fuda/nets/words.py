"""Words of bits as a network's numbers, in PyTorch: what `core/words.py` does on a CPU.

B positions, W words, C columns.
"""

import numpy as np
import torch
from torch import Tensor, nn

NEVER_SET = 63  # the sign of a word: no encoding sets it


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
