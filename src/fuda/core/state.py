"""What the states of all games have in common: the fields `seat` and `status`, and no gaps."""

from typing import Any

import numpy as np

NOBODY = -1  # `seat` when no seat moves
PLAYING, AWAITING_DEAL, OVER = range(3)  # `status`


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype:
    """A record of these fields, the widest first, filled up to a multiple of 8 bytes by `spare`.

    NumPy leaves the bytes of gaps undefined when it copies, and a state is compared, hashed and
    sent as bytes: so there must be none.
    """
    used = np.dtype(fields).itemsize
    dtype = np.dtype([*fields, ("spare", np.uint8, -used % 8)], align=True)
    if dtype.itemsize != used + -used % 8:
        raise TypeError("order the fields of a state from the widest to the narrowest: it has gaps")
    return dtype
