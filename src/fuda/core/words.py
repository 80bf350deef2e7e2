"""Observations kept as 64-bit words: what each bit means, and how words become a network's numbers.

An encoding is a table of blocks. A block is some words of which the lowest bits are used; each used
bit is one column of the network's input. Offsets and columns follow from the table alone.

K positions, W words, C columns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled

WORD_BITS = 64


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
def unpack_bits(words, column_words, column_shifts, obs, first, last):
    """Write the bits of words [K, W] to `obs` [K, C] as ones and zeros, positions first..last-1."""
    for k in range(first, last):
        for c in range(len(column_words)):
            obs[k, c] = words[k, column_words[c]] >> column_shifts[c] & 1


def runs_of(column_words: np.ndarray, column_shifts: np.ndarray) -> np.ndarray:
    """The columns [C] as runs of neighbouring bits [R, 4]: word, lowest bit, length, that many ones."""
    if not len(column_words):
        return np.empty((0, 4), np.int64)
    goes_on = (np.diff(column_words) == 0) & (np.diff(column_shifts) == 1)
    first = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    lengths = np.diff(np.append(first, len(column_words)))
    ones = [-1 if length == WORD_BITS else (1 << int(length)) - 1 for length in lengths]
    return np.stack([column_words[first], column_shifts[first], lengths, ones], axis=1).astype(np.int64)


@compiled
def unpack_runs(words, runs, obs):
    """Write the bits of one position's words [W] to `obs` [C]: as `unpack_bits`, but only ones are written.

    Few bits are ones, so that is about four times as fast.
    """
    obs[:] = 0
    column = 0
    for run in range(len(runs)):
        set_bits(words[runs[run, 0]] >> runs[run, 1] & runs[run, 3], obs, column)
        column += runs[run, 2]


@compiled
def set_bits(word, obs, column):
    """Write a one for each bit that is set, bit 0 at `column`."""
    while word:
        bit = lowest(word)
        obs[column + bit] = 1
        word ^= np.int64(1) << bit
