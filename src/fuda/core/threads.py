"""Split a loop over many matches among the cores: compiled loops run without Python's lock."""

import functools
import itertools
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from fuda.core.entry import entry

T = TypeVar("T")

MIN_SHARE = 4096  # of a loop of some 50 ns a match; fewer are not worth a thread of their own

_limit: ContextVar[int | None] = ContextVar("limit", default=None)
_crews: dict[int, "Crew"] = {}  # by their number of threads
_making = threading.Lock()
_here = threading.local()  # `shares`: whether this thread works on a share


@functools.cache
def _pool(num_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(num_threads, thread_name_prefix="fuda")


def _crew(num_threads: int) -> "Crew":
    with _making:
        if num_threads not in _crews:
            _crews[num_threads] = Crew(num_threads)
        return _crews[num_threads]


def _forget_threads() -> None:
    global _making
    _pool.cache_clear()
    _crews.clear()
    _making = threading.Lock()  # which another thread of the parent may have held


# A forked child has none of its parent's threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


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
    cores = num_cores()
    shares = max(1, min(cores, count // min_share))
    if shares == 1 or getattr(_here, "shares", False):  # who works on a share must not wait for others
        return [loop(*arguments, 0, count)]
    bounds = [count * share // shares for share in range(shares + 1)]
    begin = entry(loop, (*arguments, 0, count))
    return _crew(cores).work([(begin, (*arguments, *share)) for share in itertools.pairwise(bounds)])


class Crew:
    """Threads that wait for shares of work. What a share costs beside its work is a few microseconds.

    `ThreadPoolExecutor` takes three times as long, with Python's lock held (`bench/begin_loops.py`): for
    loops of a millisecond on 16 cores that counts.
    """

    def __init__(self, num_threads: int):
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        for number in range(num_threads - 1):  # who asks works too
            threading.Thread(target=self._serve, name=f"fuda-crew-{number}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._waiting.get()()

    def work(self, calls: Sequence[tuple[Callable[..., T], tuple[object, ...]]]) -> list[T]:
        """The results of all calls, in order; the first failure is raised when all have ended."""
        done: queue.SimpleQueue[int] = queue.SimpleQueue()
        results: list[Any] = [None] * len(calls)
        failures: dict[int, Exception] = {}
        is_off = False

        def do(number: int) -> None:
            function, arguments = calls[number]
            _here.shares = True
            try:
                if not is_off:
                    results[number] = function(*arguments)
            except Exception as failure:
                failures[number] = failure
            finally:
                _here.shares = False
                done.put(number)

        try:
            for number in range(1, len(calls)):
                self._waiting.put(functools.partial(do, number))
            do(0)
            for _ in calls:
                done.get()
        except BaseException:  # Ctrl-C must not wait for what has not begun
            is_off = True
            raise
        if failures:
            raise failures[min(failures)]
        return results


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
