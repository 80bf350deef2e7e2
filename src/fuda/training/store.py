"""Decisions that wait to be learned from, on the device, in lanes.

The games of a group are cut into lanes, each with a queue of its own; a round of learning takes equally many
decisions of every lane, in an order drawn for that lane. So what a batch holds depends on the number of
lanes, which a recipe fixes, and not on how many ranks they are shared among. A round's batches are due one by
one while decisions arrive, so that a GPU that also plays has as much to do in each tick.

L lanes of this rank, Q places of a lane, N decisions.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from fuda.core.compile import compiled
from fuda.training.device import Mark, pinned


@compiled
def place_all(slots, heads, counts, room, places):
    """Write the next place of each slot's lane to `places` [N], and count what has come to each lane."""
    num_lanes = np.uint32(len(heads))
    for k in range(len(slots)):
        lane = np.int64(np.uint32(slots[k]) % num_lanes)
        place = heads[lane] + counts[lane]
        while place >= room:
            place -= room
        places[k] = lane * room + place
        counts[lane] += 1


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
        self._index = torch.zeros_like(self._order, device=device)
        self._copied = Mark(device)
        self.num_rounds = 0
        # Batches of the round under way that were taken; their decisions stay in the queues until it ends.
        self._num_taken = 0

    @property
    def num_ready(self) -> int:
        """How many batches are due: so many that the shortest lane still has nearly a round's decisions."""
        missing = (self._batches + self._num_taken - 1) * self._lane_batch
        return max(0, int(self._counts.min()) - missing) // self._lane_batch

    def places(self, slots: np.ndarray) -> np.ndarray:
        """Where to write decisions of slots [N], which belong to the lanes in turn: rows of the columns [N].

        A lane that is full, since others lag behind, drops its oldest.
        """
        places = np.empty(len(slots), np.int64)
        place_all(slots, self._heads, self._counts, self._room, places)
        beyond = np.maximum(self._counts - self._room, 0)
        self._heads = (self._heads + beyond) % self._room
        self._counts -= beyond
        return places

    def take(self) -> Tensor:
        """The rows of a batch's decisions [lanes x lane batch]."""
        if self._num_taken == 0:
            self._draw()
        index = self._index[self._num_taken]
        self._num_taken += 1
        if self._num_taken == self._batches:
            count = self._lane_batch * self._batches
            self._heads = (self._heads + count) % self._room
            self._counts -= count
            self.num_rounds += 1
            self._num_taken = 0
        return index

    def _draw(self) -> None:
        """Draw the order of the next round."""
        count = self._lane_batch * self._batches
        self._copied.wait()
        order = self._order.numpy().reshape(self._batches, self.lanes, self._lane_batch)
        for lane in range(self.lanes):
            rng = np.random.default_rng((self._seed, self._first_lane + lane, self.num_rounds))
            at = lane * self._room + (self._heads[lane] + rng.permutation(count)) % self._room
            order[:, lane] = at.reshape(self._batches, self._lane_batch)
        self._index.copy_(self._order, non_blocking=True)
        self._copied.set()

    def state(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        index = self._waiting()
        columns = {f"column_{number}": column[index].cpu() for number, column in enumerate(self.columns)}
        return columns | {
            "queues": torch.from_numpy(np.stack([self._heads, self._counts])),
            "rounds": torch.tensor([self.num_rounds, self._num_taken]),
            "order": self._order.clone(),
        }

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on from a checkpoint."""
        self._heads, self._counts = (each.copy() for each in state["queues"].numpy())
        self.num_rounds, self._num_taken = state["rounds"].tolist()
        self._copied.wait()
        self._order.copy_(state["order"])
        self._index.copy_(self._order)
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
