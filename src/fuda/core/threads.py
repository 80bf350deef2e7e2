"""Split a loop over many matches among the cores: compiled loops run without Python's lock."""

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

MIN_SHARE = 256  # fewer matches than this are not worth a thread of their own


@functools.cache
def _pool(num_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(num_threads, thread_name_prefix="fuda")


def num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def split(loop: Callable[..., int | None], *arguments: object, count: int) -> list[int | None]:
    """Call `loop(*arguments, first, last)` on shares of 0..count-1; their results in order."""
    shares = max(1, min(num_cores(), count // MIN_SHARE))
    bounds = [count * share // shares for share in range(shares + 1)]
    if shares == 1:
        return [loop(*arguments, 0, count)]
    pool = _pool(num_cores())
    jobs = [
        pool.submit(loop, *arguments, first, last) for first, last in zip(bounds, bounds[1:], strict=False)
    ]
    return [job.result() for job in jobs]
