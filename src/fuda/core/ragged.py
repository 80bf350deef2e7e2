"""Lists of different lengths as one array: the legal moves of many positions, or a number for each of them.

Memory and time follow the moves that there are, not the most that there could be.

K lists, M items in all.
"""

from typing import NamedTuple

import numpy as np


class Lists(NamedTuple):
    """List k is items[starts[k] : starts[k + 1]]; it may be empty."""

    items: np.ndarray  # [M]
    starts: np.ndarray  # [K + 1] int64, rising from 0 to M

    @property
    def counts(self) -> np.ndarray:
        """How long the lists are [K]."""
        return np.diff(self.starts)

    @property
    def rows(self) -> np.ndarray:
        """The list [M] that each item is in."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def row(self, k: int) -> np.ndarray:
        """List k alone."""
        return np.asarray(self.items[self.starts[k] : self.starts[k + 1]])

    def places(self, index: np.ndarray) -> np.ndarray:
        """Where the items of the lists `index` are, one list after the other."""
        counts = self.counts[index]
        return np.asarray(np.arange(counts.sum()) + np.repeat(self.starts[index] - _before(counts), counts))

    def take(self, index: np.ndarray) -> "Lists":
        """The lists `index`, in that order; one may be taken several times."""
        return Lists(self.items[self.places(index)], starts_of(self.counts[index]))

    def padded(self) -> tuple[np.ndarray, np.ndarray]:
        """A table [K, longest] whose rows are filled up with their first item, and where it is no filling.

        What another table of this shape has there, read row by row, is again one number for each item.
        """
        counts = self.counts
        if not counts.all():
            raise ValueError("an empty list has no item to fill up with")
        place = np.arange(counts.max(initial=0))
        is_item = place < counts[:, None]
        return self.items[self.starts[:-1, None] + np.where(is_item, place, 0)], is_item


def starts_of(counts: np.ndarray) -> np.ndarray:
    """Where lists of these lengths [K] start, and the last one ends: [K + 1]."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def segment_max(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The highest [K] of each list's values [M]; minus infinity of none. No value is NaN."""
    return _reduced(np.maximum, np.asarray(values), starts, -np.inf)


def segment_min(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The lowest [K] of each list's values [M]; infinity of none."""
    return _reduced(np.minimum, np.asarray(values), starts, np.inf)


def segment_mean(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The mean [K, ..] of each list's values [M, ..]; 0 of none."""
    sums = _reduced(np.add, np.asarray(values), starts, 0)
    return np.asarray((sums.T / np.maximum(np.diff(starts), 1)).T)


def segment_argmax(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The place [K] in `values` [M] of each list's highest, the first of equal ones. No list is empty."""
    counts = np.diff(starts)
    if not counts.all():
        raise ValueError("an empty list has no highest value")
    highest = np.flatnonzero(values == np.repeat(segment_max(values, starts), counts))
    return np.asarray(highest[np.searchsorted(highest, starts[:-1])])


def item_type(num_actions: int) -> type[np.signedinteger]:
    """The smallest signed type (PyTorch has few others) that holds the actions 0..num_actions-1."""
    for found in (np.int8, np.int16, np.int32):
        if num_actions - 1 <= np.iinfo(found).max:
            return found
    raise ValueError(f"{num_actions} actions are more than 32 bits can tell apart")


def _before(counts: np.ndarray) -> np.ndarray:
    return np.cumsum(counts) - counts


def _reduced(operation: np.ufunc, values: np.ndarray, starts: np.ndarray, of_none: float) -> np.ndarray:
    """An operation over each list; `reduceat` has no empty ones."""
    filled = starts[:-1] < starts[1:]
    if filled.all() and len(filled):
        return np.asarray(operation.reduceat(values, starts[:-1], axis=0))
    dtype = np.result_type(values.dtype, of_none)
    found = np.full((len(filled), *values.shape[1:]), of_none, dtype)
    if filled.any():
        found[filled] = operation.reduceat(values, starts[:-1][filled], axis=0)
    return found
