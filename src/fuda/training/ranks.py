"""One process of training, or several that learn together (torchrun): a rank each, data-parallel.

Each rank plays its part of the games and learns from its part of every batch; gradients are summed, so all
ranks make the same step. Rank 0 alone writes.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

from fuda.core.threads import limited_to, num_cores
from fuda.training.watch import RankLost, Watch

PATIENCE = timedelta(hours=1)  # longer than any evaluation; who is gone is found by `Watch`


class Ranks:
    """The ranks of a run and which of them this process is."""

    def __init__(self, number: int = 0, count: int = 1, watch: Watch | None = None):
        self.number, self.count, self._watch = number, count, watch

    @property
    def is_first(self) -> bool:
        """Whether this one writes the files."""
        return self.number == 0

    def part_of(self, total: int, what: str) -> int:
        """This rank's part of a number that the ranks share, or a `ValueError` if they cannot."""
        if total % self.count:
            raise ValueError(
                f"{self.count} ranks cannot share {total} {what} evenly: start as many as divide {total}"
            )
        return total // self.count

    def add(self, numbers: Tensor) -> None:
        """Sum numbers over all ranks, in place."""
        if self.count > 1:
            self._reduce(numbers, dist.ReduceOp.SUM)

    def sums(self, *numbers: float) -> list[float]:
        """Each of some numbers, summed over all ranks; whole ones exactly."""
        return self._told(numbers, dist.ReduceOp.SUM)

    def least(self, number: int) -> int:
        """The least of the ranks' numbers."""
        return int(self._told([number], dist.ReduceOp.MIN)[0])

    def meet(self) -> None:
        """Wait until all ranks are here."""
        self.sums(0)

    def _told(self, numbers: Sequence[float], how: dist.ReduceOp.RedOpType) -> list[float]:
        if self.count == 1:
            return list(numbers)
        told = torch.tensor(numbers, dtype=torch.float64)
        self._reduce(told, how)
        return told.tolist()

    def _reduce(self, numbers: Tensor, how: dist.ReduceOp.RedOpType) -> None:
        try:
            dist.all_reduce(numbers, how)
        except RuntimeError as error:
            lost = self._watch.wait_for_loss() if self._watch is not None else None
            raise lost or error from None


ALONE = Ranks()


def num_ranks() -> int:
    """How many processes torchrun has started this one among, with itself."""
    return int(os.environ["WORLD_SIZE"]) if dist.is_torchelastic_launched() else 1


@contextmanager
def ranks_of(device: torch.device, go_on: str = "") -> Iterator[Ranks]:
    """The ranks that torchrun has started this process among; alone where it has not.

    On GPUs each has its own. `go_on` is what to say about the way on when one of them is lost.
    """
    count = num_ranks()
    if count == 1:
        yield ALONE
        return
    here, on_gpu = int(os.environ["LOCAL_WORLD_SIZE"]), device.type == "cuda"
    if on_gpu:
        if here > torch.cuda.device_count():
            gpus = torch.cuda.device_count()
            raise ValueError(
                f"{here} ranks on a machine with {gpus} GPUs: start one for each, or take --device cpu"
            )
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("cpu:gloo,cuda:nccl" if on_gpu else "gloo", timeout=PATIENCE)
    watch = Watch(dist.get_rank(), count, go_on)
    ranks = Ranks(dist.get_rank(), count, watch)
    try:
        ranks.meet()
        with limited_to(max(1, num_cores() // here)):
            yield ranks
    except RankLost:
        raise
    except BaseException:
        watch.claim()  # this one says why it leaves
        raise
    finally:
        watch.end()
    dist.destroy_process_group()
