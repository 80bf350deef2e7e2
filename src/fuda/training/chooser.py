"""The moves of the highest value in many positions, where a network is.

On a GPU the rows of all moves are cut into chunks, so that the compiled code has one shape, and a recording
is kept for each number of chunks.

B positions, M moves of all of them, W words of a position, V of a move, O outputs.
"""

import math
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


class Chooser:
    """Chooses by a network's values; its weights may change meanwhile."""

    def __init__(self, net: Any, reader: Reader, reward: Reward, size: int):
        self._net, self._reader, self._reward, self._size = net, reader, reward, size
        self.device = reader.device
        self._chunk = reader.chunk(size)
        self.words = torch.zeros(size, reader.num_words, dtype=torch.int64, device=self.device)
        self._starts, self._given = (
            torch.zeros(size, dtype=torch.int64, device=self.device) for _ in range(2)
        )
        self._count = torch.zeros((), dtype=torch.int64, device=self.device)
        self._read = compiled_on(self.device, self._read_positions)
        self._value = compiled_on(self.device, self._value_rows)
        self._make_room(self._chunk)

    def _make_room(self, count: int) -> None:
        rows = -(-count // self._chunk) * self._chunk
        self.move_words = torch.zeros(
            rows, self._reader.num_move_words, dtype=torch.int64, device=self.device
        )
        self._positions = torch.zeros(rows, dtype=torch.int32, device=self.device)
        self._recorded: dict[int, Replayed] = {}

    def _read_positions(self, words: Tensor) -> Position:
        return self._reader.position(self._net, words)

    def _value_rows(self, told: Position, move_words: Tensor, positions: Tensor, starts: Tensor) -> Tensor:
        return self._reward.values(self._reader.all_values(self._net, told, move_words, positions, starts))

    @torch.no_grad()
    def __call__(self, choices: Choices, given: Tensor) -> tuple[Tensor, Tensor]:
        """The row of the move [B] in each position, and the highest value there [B], in terms of the targets.

        Where a place is `given` [B] that move is played whatever its value. All may be in pinned memory:
        nothing is waited for.
        """
        if self.device.type == "cuda":
            return self._on_gpu(choices, given)
        found = split(self._share, choices, given, count=self._size, min_share=MIN_POSITIONS)
        self.words.copy_(torch.from_numpy(choices.words))
        return torch.cat([rows for rows, _ in found]), torch.cat([values for _, values in found])

    def _share(self, choices: Choices, given: Tensor, first: int, last: int) -> tuple[Tensor, Tensor]:
        start, stop = int(choices.starts[first]), int(choices.starts[last])
        told = self._read_positions(torch.from_numpy(choices.words[first:last]))
        positions = torch.from_numpy(choices.positions[start:stop].astype(np.int64)) - first
        starts = torch.from_numpy(choices.starts[first:last]) - start
        worth = self._value_rows(told, torch.from_numpy(choices.move_words[start:stop]), positions, starts)
        rows, values = choose(worth, positions, starts, given[first:last])
        return rows + start, values

    def _on_gpu(self, choices: Choices, given: Tensor) -> tuple[Tensor, Tensor]:
        count = len(choices.positions)
        if count > len(self._positions):
            self._make_room(2 * count)
        num_chunks = -(-count // self._chunk)
        for room, fresh in (
            (self.words, choices.words), (self._starts, choices.starts[:-1]), (self._given, given),
            (self._positions[:count], choices.positions), (self.move_words[:count], choices.move_words),
        ):  # fmt: skip
            room.copy_(torch.as_tensor(fresh), non_blocking=True)
        self._count.fill_(count)
        if num_chunks not in self._recorded:
            self._recorded[num_chunks] = Replayed(lambda *_: self._choose_in(num_chunks), [self.words])
        return self._recorded[num_chunks]()  # type: ignore[return-value]

    @torch.no_grad()
    def _choose_in(self, num_chunks: int) -> tuple[Tensor, Tensor]:
        told = self._read(self.words)
        rows = num_chunks * self._chunk
        positions = self._positions[:rows].long()
        chunks = (tensor.split(self._chunk) for tensor in (self.move_words[:rows], positions))
        parts = [self._value(told, moves, some, self._starts) for moves, some in zip(*chunks, strict=True)]
        worth = torch.cat(parts)
        beyond = torch.arange(rows, device=self.device) >= self._count
        return choose(worth.masked_fill(beyond, -math.inf), positions, self._starts, self._given)


def choose(worth: Tensor, positions: Tensor, starts: Tensor, given: Tensor) -> tuple[Tensor, Tensor]:
    """The first of the best rows of each position [B], and its worth [B]; whose rows are `positions` [M]."""
    size, count = len(starts), len(worth)
    best = torch.full((size,), -math.inf, device=worth.device).scatter_reduce_(0, positions, worth, "amax")
    rows = torch.arange(count, device=worth.device)
    rows = torch.where(worth >= best[positions], rows, count)
    first = torch.full((size,), count, device=worth.device).scatter_reduce_(0, positions, rows, "amin")
    return torch.where(given == BY_VALUE, first.clamp(max=count - 1), starts + given), best
