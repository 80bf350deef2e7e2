"""Observations kept as words whose bits are pictures: planes of rows and columns, for convolutions.

An encoding is a table of blocks; each is some planes of one meaning. A word holds ROWS_PER_WORD rows of a
plane: bit ROWS_PER_WORD x column + row. Many planes are of a few kinds (a past move looks the same wherever
it stands): of those the words keep numbers, and a table has the planes.

K positions, W words, Z planes of Y rows and X columns, P words of a plane, N numbers, O outputs.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fuda.core.compile import compiled
from fuda.core.threads import split

ROWS_PER_WORD = 4
MIN_SHARE = 64

Places = Sequence[int] | np.ndarray


class PlaneBlock(NamedTuple):
    """Some planes of one meaning."""

    name: str
    planes: int
    meaning: str


class PlaneLayout(NamedTuple):
    """How words become planes, and which outputs are legal."""

    shape: tuple[int, int, int]  # Z, Y, X
    num_written: int  # words from the first on that are planes as they are; those come first
    table: np.ndarray  # [any number, P] planes that are looked up
    number_words: np.ndarray  # [N] the word of each number
    number_shifts: np.ndarray  # [N] its lowest bit
    number_mask: int
    column_words: np.ndarray  # [Z x Y x X] the word of each column, among those of all planes
    column_shifts: np.ndarray  # [Z x Y x X]
    legal_words: np.ndarray  # [O] the word that says whether an output is legal
    legal_shifts: np.ndarray  # [O]

    def planes(self, words: np.ndarray) -> np.ndarray:
        """Words [K, W] as the network's numbers [K, Z, Y, X] float32, by all cores."""
        found = np.empty((len(words), len(self.column_words)), np.float32)
        split(
            unpack_planes, words, self.num_written, self.table, self.number_words, self.number_shifts,
            self.number_mask, self.column_words, self.column_shifts, found,
            count=len(words), min_share=MIN_SHARE,
        )  # fmt: skip
        return found.reshape(-1, *self.shape)

    def legal(self, words: np.ndarray) -> np.ndarray:
        """Which outputs are legal [K, O] bool."""
        return (words[:, self.legal_words] >> self.legal_shifts & 1).astype(bool)


def words_per_plane(rows: int) -> int:
    """How many words a plane of so many rows has."""
    return -(-rows // ROWS_PER_WORD)


def layout(
    shape: tuple[int, int, int],
    num_written: int,
    legal: tuple[Places, Places],
    table: np.ndarray | None = None,
    numbers: tuple[Places, Places, int] = ((), (), 0),
) -> PlaneLayout:
    """The layout of planes: words and bits of the legal outputs; of numbers, with a mask, and their table."""
    z, y, x = (axis.ravel() for axis in np.indices(shape))
    per_plane = words_per_plane(shape[1])
    if table is None:
        table = np.zeros((1, per_plane), np.int64)
    number_words, number_shifts, mask = numbers
    return PlaneLayout(
        shape, num_written, table, np.array(number_words, np.int64), np.array(number_shifts, np.int64), mask,
        z * per_plane + y // ROWS_PER_WORD, ROWS_PER_WORD * x + y % ROWS_PER_WORD,
        np.array(legal[0], np.int64), np.array(legal[1], np.int64),
    )  # fmt: skip


@compiled
def unpack_planes(
    words,
    num_written,
    table,
    number_words,
    number_shifts,
    mask,
    column_words,
    column_shifts,
    out,
    first,
    last,
):
    """Write the planes of positions first..last-1 to `out` [K, Z x Y x X] as ones and zeros."""
    per_plane = table.shape[1]
    every = np.empty(num_written + len(number_words) * per_plane, np.int64)
    for k in range(first, last):
        every[:num_written] = words[k, :num_written]
        for n in range(len(number_words)):
            number = words[k, number_words[n]] >> number_shifts[n] & mask
            start = num_written + n * per_plane
            every[start : start + per_plane] = table[number]
        for c in range(len(column_words)):
            out[k, c] = every[column_words[c]] >> column_shifts[c] & 1
