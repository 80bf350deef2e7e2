"""One process of training, or several that learn together (torchrun): a rank each, data-parallel.

Each rank plays its part of the games and learns from its part of every batch; gradients are summed, so all
ranks make the same step. Rank 0 alone writes.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

TIMEOUT = timedelta(seconds=20)  # a rank that was killed is missed after so long


class Ranks:
    """The ranks of a run and which of them this process is."""

    def __init__(self, number: int = 0, count: int = 1):
        self.number, self.count = number, count

    @property
    def is_first(self) -> bool:
        """Whether this one writes the files."""
        return self.number == 0

    def part_of(self, total: int, what: str) -> int:
        """This rank's part of a number that the ranks share, or a `ValueError` if they cannot."""
        if total % self.count:
            raise ValueError(
                f"{self.count} ranks cannot share {total} {what} evenly; take another number of them"
            )
        return total // self.count

    def add(self, numbers: Tensor) -> None:
        """Sum numbers over all ranks, in place."""
        if self.count > 1:
            dist.all_reduce(numbers)

    def least(self, number: int) -> int:
        """The least of the ranks' numbers."""
        if self.count == 1:
            return number
        told = torch.tensor([number])
        dist.all_reduce(told, dist.ReduceOp.MIN, group=_talk())
        return int(told)


@contextmanager
def ranks_of(device: torch.device) -> Iterator[Ranks]:
    """The ranks that torchrun has started this process among; alone where it has not."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Ranks()
        return
    on_gpu = device.type == "cuda"
    if on_gpu:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if on_gpu else "gloo", timeout=TIMEOUT)
    try:
        yield Ranks(dist.get_rank(), count)
    finally:
        dist.destroy_process_group()


_talking: list[dist.ProcessGroup] = []


def _talk() -> dist.ProcessGroup:
    """A group for small numbers that lie on the CPU."""
    if not _talking:
        _talking.append(dist.new_group(backend="gloo", timeout=TIMEOUT))
    return _talking[0]
