"""Split a loop over many matches among the cores: compiled loops run without Python's lock."""

import functools
import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

MIN_SHARE = 4096  # of a loop of some 50 ns a match; fewer are not worth a thread of their own

_limit: ContextVar[int | None] = ContextVar("limit", default=None)


@functools.cache
def _pool(num_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(num_threads, thread_name_prefix="fuda")


# A forked child has none of its parent's threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)


def num_cores() -> int:
    """The cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _limit.get() or cores)


@contextmanager
def limited_to(cores: int) -> Iterator[None]:
    """Use at most so many cores: for benchmarks, and for guests on a shared machine."""
    token = _limit.set(cores)
    try:
        yield
    finally:
        _limit.reset(token)


def split(loop: Callable[..., T], *arguments: object, count: int, min_share: int = MIN_SHARE) -> list[T]:
    """Call `loop(*arguments, first, last)` on shares of 0..count-1; their results in order."""
    shares = max(1, min(num_cores(), count // min_share))
    bounds = [count * share // shares for share in range(shares + 1)]
    if shares == 1:
        return [loop(*arguments, 0, count)]
    pool = _pool(num_cores())
    return _results([pool.submit(loop, *arguments, *share) for share in itertools.pairwise(bounds)])


def each(job: Callable[[int], T], count: int) -> list[T]:
    """`job(k)` for k in 0..count-1, on all cores; for jobs of a millisecond and more."""
    if count == 1 or num_cores() == 1:
        return [job(k) for k in range(count)]
    pool = _pool(num_cores())
    return _results([pool.submit(job, k) for k in range(count)])


def _results(jobs: list[Future[T]]) -> list[T]:
    try:
        return [job.result() for job in jobs]
    except BaseException:  # Ctrl-C must not wait for what has not begun
        for job in jobs:
            job.cancel()
        raise
