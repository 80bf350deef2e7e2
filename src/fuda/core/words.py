"""Observations kept as 64-bit words: what each bit means, and how words become a network's numbers.

An encoding is a table of blocks. A block is some words of which the lowest bits are used; each used
bit is one column of the network's input. Offsets and columns follow from the table alone.

K positions, W words, C columns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fuda.core.compile import compiled


class WordBlock(NamedTuple):
    """Some words of one meaning."""

    name: str
    words: int
    bits: int  # used in each word, from the lowest on
    meaning: str

    @property
    def width(self) -> int:
        """How many columns it has."""
        return self.words * self.bits


def first_words(blocks: Sequence[WordBlock]) -> dict[str, int]:
    """The number of each block's first word."""
    starts = np.cumsum([0, *(block.words for block in blocks)])
    return {block.name: int(start) for block, start in zip(blocks, starts, strict=False)}


def columns(blocks: Sequence[WordBlock]) -> tuple[np.ndarray, np.ndarray]:
    """The word [C] and the bit [C] of each column, in the order of the blocks."""
    first = first_words(blocks)
    places = [
        (first[block.name] + word, bit)
        for block in blocks
        for word in range(block.words)
        for bit in range(block.bits)
    ]
    words, shifts = np.array(places, np.int64).T.copy()
    return words, shifts


@compiled
def spread_bits(words, column_words, column_shifts, obs, first, last):
    """Write the bits of words [K, W] to `obs` [K, C] as ones and zeros, positions first..last-1."""
    for k in range(first, last):
        for c in range(len(column_words)):
            obs[k, c] = words[k, column_words[c]] >> column_shifts[c] & 1
