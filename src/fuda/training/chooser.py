"""The moves of the highest value in many positions, where networks are.

Networks that know actions as columns are told the positions alone. For others there is a list of moves, which
on a GPU is cut into chunks, so that the compiled code has one shape; a recording is kept for each number of
chunks.

B positions, M moves of all of them, W words of a position, V of a move, O outputs, C numbers of a target.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.core.threads import split
from fuda.nets.readers import Position, Reader
from fuda.training.deals import BY_VALUE, Choices
from fuda.training.device import Replayed, compiled_on
from fuda.training.rewards import Reward

MIN_POSITIONS = 32  # fewer are not worth a core
CPU = torch.device("cpu")


class Nets:
    """One network, or several with their kinds of decisions; their weights may change meanwhile."""

    def __init__(self, nets: Sequence[Any], net_of_kind: Sequence[int], reader: Reader, reward: Reward):
        self.nets, self.net_of_kind, self.reader, self.reward = nets, net_of_kind, reader, reward
        self._net_of_kind = torch.tensor(net_of_kind, device=reader.device)

    def like(self, nets: Sequence[Any]) -> "Nets":
        """Other networks of the same kind."""
        return Nets(nets, self.net_of_kind, self.reader, self.reward)

    def read(self, words: Tensor) -> list[Position]:
        """What each network finds of positions; the last entry is whose each of them is [B]."""
        told = [self.reader.position(net, words) for net in self.nets]
        return told if len(told) == 1 else [*told, (self._net_of_kind[self.reader.kinds(words).long()],)]

    def value(
        self,
        told: list[Position],
        aims: Tensor,
        worths: Tensor,
        moves: Tensor,
        positions: Tensor,
        starts: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """The expected targets [M, C] of moves, and what these are worth [M]."""
        found = [
            self.reader.all_values(net, told[number], moves, positions, starts)
            for number, net in enumerate(self.nets)
        ]
        outputs = found[0]
        if len(found) > 1:
            whose = told[-1][0][positions]
            outputs = torch.stack(found)[whose, torch.arange(len(moves), device=moves.device)]
        expected = self.reward.expected(outputs, aims[positions])
        return expected, self.reward.worth(expected, worths[positions])


# The place of the move [B] among the legal ones, its words [B, V], what the best is expected to bring [B, C].
Chosen = tuple[Tensor, Tensor, Tensor]


class Chooser(ABC):
    """Chooses in the positions from `first` on of those that it is given, which are `aims` [B] many."""

    def __init__(self, nets: Nets, aims: Tensor, first: int = 0):
        self.device = nets.reader.device
        self._nets, self._aims, self._first, self._size = nets, aims, first, len(aims)
        self.words = torch.zeros(self._size, nets.reader.num_words, dtype=torch.int64, device=self.device)
        self._given = torch.zeros(self._size, dtype=torch.int64, device=self.device)

    @torch.no_grad()
    def __call__(self, choices: Choices, given: Tensor) -> Chosen:
        """The moves [B] in these positions.

        Where a place is `given` that move is played whatever its value. All may be in pinned memory: nothing
        is waited for.
        """
        if self.device.type == "cuda":
            return self._on_gpu(choices, given)
        found = split(self._share, choices, given, count=self._size, min_share=MIN_POSITIONS)
        last = self._first + self._size
        self.words.copy_(torch.from_numpy(choices.words[self._first : last]))
        places, moves, values = (torch.cat(column) for column in zip(*found, strict=True))
        return places, moves, values

    @abstractmethod
    def _share(self, choices: Choices, given: Tensor, begin: int, end: int) -> Chosen:
        """The same of some of the positions, on the CPU."""

    @abstractmethod
    def _on_gpu(self, choices: Choices, given: Tensor) -> Chosen:
        """The same of all, on a GPU."""


def new_chooser(nets: Nets, aims: Tensor, first: int = 0, *, compiled: bool = True) -> Chooser:
    """The chooser of a kind of networks. What plays most is compiled; guests are not worth the wait."""
    kind = ColumnChooser if nets.reader.has_columns else ListChooser
    return kind(nets, aims, first, compiled=compiled)


class ColumnChooser(Chooser):
    """Chooses among columns."""

    def __init__(self, nets: Nets, aims: Tensor, first: int = 0, *, compiled: bool = True):
        super().__init__(nets, aims, first)
        self.best = compiled_on(self.device if compiled else CPU, self._best)
        self._recorded = Replayed(torch.no_grad()(self.best), [self.words, self._aims, self._given])

    def _best(self, words: Tensor, aims: Tensor, given: Tensor) -> Chosen:
        reader: Any = self._nets.reader
        legal = reader.legal(words)
        values = self._nets.read(words)[0][0].float().masked_fill(~legal, -math.inf)
        best = values.max(dim=1)
        number = legal.cumsum(dim=1)  # of each legal action in the list of moves, from 1 on
        places = torch.where(given == BY_VALUE, number.gather(1, best.indices[:, None])[:, 0] - 1, given)
        moves = (number <= places[:, None]).sum(dim=1)
        # Values that are no numbers give a place behind the last.
        places = torch.where(best.values.isnan(), number[:, -1], places)
        return places, moves[:, None], self._nets.reward.expected(best.values[:, None], aims)

    def _share(self, choices: Choices, given: Tensor, begin: int, end: int) -> Chosen:
        first, last = self._first + begin, self._first + end
        words = torch.from_numpy(choices.words[first:last])
        return self._best(words, self._aims[begin:end], given[first:last])

    def _on_gpu(self, choices: Choices, given: Tensor) -> Chosen:
        some = slice(self._first, self._first + self._size)
        self.words.copy_(torch.from_numpy(choices.words[some]), non_blocking=True)
        self._given.copy_(given[some], non_blocking=True)
        return self._recorded()  # type: ignore[return-value]


class ListChooser(Chooser):
    """Chooses among rows of moves."""

    def __init__(self, nets: Nets, aims: Tensor, first: int = 0, *, compiled: bool = True):
        super().__init__(nets, aims, first)
        self._chunk = nets.reader.chunk(self._size)
        self._worths = torch.zeros(self._size, nets.reward.num_worths, device=self.device)
        self._starts = torch.zeros_like(self._given)
        self._start, self._count = (
            torch.zeros((), dtype=torch.int64, device=self.device) for _ in range(2)
        )  # the first row of these positions, and how many they have
        there = self.device if compiled else CPU
        self._read, self._value = compiled_on(there, nets.read), compiled_on(there, nets.value)
        self._make_room(self._chunk)

    def _make_room(self, count: int) -> None:
        rows = -(-count // self._chunk) * self._chunk
        self.move_words = torch.zeros(
            rows, self._nets.reader.num_move_words, dtype=torch.int64, device=self.device
        )
        self._positions = torch.zeros(rows, dtype=torch.int32, device=self.device)
        self._recorded: dict[int, Replayed] = {}

    def _share(self, choices: Choices, given: Tensor, begin: int, end: int) -> Chosen:
        first, last = self._first + begin, self._first + end
        start, stop = int(choices.starts[first]), int(choices.starts[last])
        told = self._nets.read(torch.from_numpy(choices.words[first:last]))
        positions = torch.from_numpy(choices.positions[start:stop].astype(np.int64)) - first
        starts = torch.from_numpy(choices.starts[first:last]) - start
        worths, moves = (
            torch.from_numpy(each) for each in (choices.worths[first:last], choices.move_words[start:stop])
        )
        expected, worth = self._nets.value(told, self._aims[begin:end], worths, moves, positions, starts)
        rows, best = choose(worth, positions, starts, given[first:last])
        return rows - starts, moves[rows.clamp(max=len(moves) - 1)], expected[best]

    def _on_gpu(self, choices: Choices, given: Tensor) -> Chosen:
        first, last = self._first, self._first + self._size
        start, stop = int(choices.starts[first]), int(choices.starts[last])
        count = stop - start
        if count > len(self._positions):
            self._make_room(2 * count)
        num_chunks = -(-count // self._chunk)
        for room, fresh in (
            (self.words, choices.words[first:last]), (self._worths, choices.worths[first:last]),
            (self._starts, choices.starts[first:last]), (self._given, given[first:last]),
            (self._positions[:count], choices.positions[start:stop]),
            (self.move_words[:count], choices.move_words[start:stop]),
        ):  # fmt: skip
            room.copy_(torch.as_tensor(fresh), non_blocking=True)
        self._start.fill_(start)
        self._count.fill_(count)
        if num_chunks not in self._recorded:
            self._recorded[num_chunks] = Replayed(lambda *_: self._choose_in(num_chunks), [self.words])
        return self._recorded[num_chunks]()  # type: ignore[return-value]

    @torch.no_grad()
    def _choose_in(self, num_chunks: int) -> Chosen:
        told = self._read(self.words)
        num_rows = num_chunks * self._chunk
        beyond = torch.arange(num_rows, device=self.device) >= self._count
        # What lies beyond may be of any positions: it is read as of the first ones.
        positions = (self._positions[:num_rows].long() - self._first).masked_fill(beyond, 0)
        starts = self._starts - self._start
        chunks = (tensor.split(self._chunk) for tensor in (self.move_words[:num_rows], positions))
        parts = [
            self._value(told, self._aims, self._worths, moves, some, starts)
            for moves, some in zip(*chunks, strict=True)
        ]
        expected, worth = (torch.cat(each) for each in zip(*parts, strict=True))
        rows, best = choose(worth.masked_fill(beyond, -math.inf), positions, starts, self._given)
        return rows - starts, self.move_words[rows.clamp(max=num_rows - 1)], expected[best]


def choose(worth: Tensor, positions: Tensor, starts: Tensor, given: Tensor) -> tuple[Tensor, Tensor]:
    """The row of each position's move [B], and its first best row [B]; whose rows are `positions` [M]."""
    size, count = len(starts), len(worth)
    best = torch.full((size,), -math.inf, device=worth.device).scatter_reduce_(0, positions, worth, "amax")
    rows = torch.arange(count, device=worth.device)
    rows = torch.where(worth >= best[positions], rows, count)
    first = torch.full((size,), count, device=worth.device).scatter_reduce_(0, positions, rows, "amin")
    first = first.clamp(max=count - 1)
    return torch.where(given == BY_VALUE, first, starts + given), first
