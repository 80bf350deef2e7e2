"""The margins of every deal as text, small enough to be kept in the file of a result.

Margins [D, number of seatings] are multiples of a unit, so they are stored as whole numbers in as few bytes
as the largest needs, low bytes first and together, compressed. 20,000 games of Dou Dizhu take 5 KiB.
"""

import base64
import binascii
import zlib
from typing import Any

import numpy as np

PARTS = 4  # margins are multiples of a quarter in every game so far; others are stored as they are
WIDTHS = (1, 2, 4)
EXACT = "float64"
MAX_BYTES = 1 << 33  # what a file may unfold to, of which a damaged one must not want more


def pack(margins: np.ndarray) -> dict[str, Any]:
    """The margins for JSON."""
    deals = len(margins)
    if np.abs(margins).max(initial=0) >= 2**31 / PARTS or (margins * PARTS % 1).any():
        return {"deals": deals, "type": EXACT, "data": _pressed(np.asarray(margins, "<f8").tobytes())}
    whole = (margins * PARTS).astype(np.int64)
    divisor = int(np.gcd.reduce(whole, axis=None)) or 1
    whole //= divisor
    largest = int(np.abs(whole).max(initial=0))
    width = next(width for width in WIDTHS if largest < 1 << (8 * width - 1))
    planes = whole.astype(f"<i{width}").reshape(-1).view(np.uint8).reshape(-1, width).T
    kind = {"deals": deals, "type": f"int{8 * width}", "unit": divisor / PARTS}
    return kind | {"data": _pressed(planes.tobytes())}


def unpack(stored: Any, num_seatings: int) -> np.ndarray:
    """The margins [D, number of seatings] of `pack`, or a `ValueError` where they cannot be."""
    try:
        width = 8 if stored["type"] == EXACT else int(stored["type"].removeprefix("int")) // 8
        num_deals = int(stored["deals"])
        size = num_deals * num_seatings * width
        if (width not in WIDTHS and width != 8) or not 0 < size <= MAX_BYTES:
            raise ValueError("of no known width")
        opened = zlib.decompressobj()
        data = opened.decompress(base64.b64decode(stored["data"], validate=True), size)
        if len(data) != size or opened.decompress(opened.unconsumed_tail, 1) or not opened.eof:
            raise ValueError("of another length")
        if stored["type"] == EXACT:
            margins = np.frombuffer(data, "<f8").reshape(num_deals, num_seatings)
        else:
            planes = np.frombuffer(data, np.uint8).reshape(width, -1)
            whole = np.ascontiguousarray(planes.T).view(f"<i{width}")
            margins = whole.reshape(num_deals, num_seatings) * float(stored["unit"])
    except (
        TypeError,
        KeyError,
        ValueError,
        AttributeError,
        OverflowError,
        zlib.error,
        binascii.Error,
    ) as error:
        raise ValueError(f"the margins cannot be read: {error}") from None
    if not np.isfinite(margins).all():
        raise ValueError("the margins cannot be read: some are no numbers")
    return np.array(margins, float)


def _pressed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()
