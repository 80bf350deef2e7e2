"""Decisions that wait to be learned from, on the device, in lanes.

The games of a group are cut into lanes, each with a queue of its own; a round of learning takes equally many
decisions of every lane, in an order drawn for that lane. So what a batch holds depends on the number of
lanes, which a recipe fixes, and not on how many ranks they are shared among.

L lanes of this rank, Q places of a lane, N decisions.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from fuda.training.device import Mark, pinned


class Store:
    """Queues of decisions; a row of each tensor in `columns` is what is kept of one."""

    def __init__(
        self,
        like: Sequence[Tensor],  # a row of each column
        lanes: int,
        first_lane: int,  # among those of all ranks
        lane_batch: int,
        batches: int,  # of a round
        spare: int,  # decisions of a lane that may arrive at once
        seed: int,
    ):
        device = like[0].device
        self.lanes, self._first_lane, self._lane_batch, self._batches = lanes, first_lane, lane_batch, batches
        self._seed = seed
        self._room = 2 * (lane_batch * batches + spare)
        self.columns = [
            torch.zeros(lanes * self._room, *row.shape, dtype=row.dtype, device=device) for row in like
        ]
        self._heads, self._counts = np.zeros(lanes, np.int64), np.zeros(lanes, np.int64)
        self._order = pinned((batches, lanes * lane_batch), torch.int64, device)
        self._copied = Mark(device)
        self.num_rounds = 0

    @property
    def num_ready(self) -> int:
        """How many rounds the shortest lane has enough decisions for."""
        return int(self._counts.min()) // (self._lane_batch * self._batches)

    def places(self, lanes: np.ndarray) -> np.ndarray:
        """Where to write decisions of these lanes [N], which rise: rows of the columns [N]."""
        arrived = np.bincount(lanes, minlength=self.lanes)
        number = np.arange(len(lanes)) - np.repeat(np.cumsum(arrived) - arrived, arrived)
        at = (self._heads[lanes] + self._counts[lanes] + number) % self._room
        self._counts += arrived
        if self._counts.max() > self._room:
            raise RuntimeError("a lane of decisions overflows: the games of one lane are far ahead of others")
        return lanes * self._room + at

    def take(self) -> Tensor:
        """The rows of a round's decisions [batches, lanes x lane batch]; they leave the queues."""
        count = self._lane_batch * self._batches
        self._copied.wait()
        order = self._order.numpy().reshape(self._batches, self.lanes, self._lane_batch)
        for lane in range(self.lanes):
            rng = np.random.default_rng((self._seed, self._first_lane + lane, self.num_rounds))
            at = lane * self._room + (self._heads[lane] + rng.permutation(count)) % self._room
            order[:, lane] = at.reshape(self._batches, self._lane_batch)
        self._heads = (self._heads + count) % self._room
        self._counts -= count
        self.num_rounds += 1
        index = self._order.to(self.columns[0].device, non_blocking=True)
        self._copied.set()
        return index

    def state(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        index = self._waiting()
        columns = {f"column_{number}": column[index].cpu() for number, column in enumerate(self.columns)}
        return columns | {
            "queues": torch.from_numpy(np.stack([self._heads, self._counts])),
            "num_rounds": torch.tensor(self.num_rounds),
        }

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on from a checkpoint."""
        self._heads, self._counts = (each.copy() for each in state["queues"].numpy())
        self.num_rounds = int(state["num_rounds"])
        index = self._waiting()
        for number, column in enumerate(self.columns):
            column[index] = state[f"column_{number}"].to(column.device)

    def _waiting(self) -> Tensor:
        """The rows of all decisions that wait."""
        places = [
            lane * self._room + (head + np.arange(count)) % self._room
            for lane, (head, count) in enumerate(zip(self._heads, self._counts, strict=True))
        ]
        return torch.from_numpy(np.concatenate(places)).to(self.columns[0].device)
