"""Tournaments on a Ray cluster. Ray (the extra `cluster`) is imported when a tournament needs it.

A task is a unit of work and depends on nothing else, so Ray may run it again where a worker was lost. When
nothing is left to give out, the units that are still being played are given out once more to whoever is idle,
and the first answer counts: a slow machine holds nobody up.
"""

import os
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fuda.arena.units import Outcome, Unit, Work
from fuda.arena.workers import MAX_LOSSES, Played
from fuda.core.errors import AgentError, how_to_get
from fuda.core.threads import limited_to

LOCAL = "local"  # the address of a cluster of one's own, on this machine
CONNECT_SECONDS = 10.0
LINED_UP = 2  # tasks a core has or waits for: so that none waits for the network


def play_unit(work: Work, unit: Unit) -> Outcome:
    """What a worker of the cluster runs, on the one core that it was given."""
    with limited_to(1):
        return work.play(unit)


class RayWorkers:
    """The cores of a cluster: that at `address`, or one of its own on this machine."""

    def __init__(self, address: str = LOCAL, **settings: Any):
        self._address, self._settings = address, settings

    def play(self, work: Work, units: Sequence[Unit]) -> Iterator[Played]:
        """Each unit with what came of it, once."""
        ray = _ray()
        is_mine = not ray.is_initialized()
        if is_mine:
            self._connect(ray)
        try:
            yield from _Tasks(ray, work, units).results()
        finally:
            if is_mine:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        quiet = {"logging_level": "ERROR", "log_to_driver": False}
        if self._address == LOCAL:
            quiet["include_dashboard"] = False  # which a cluster that runs has or has not
        try:
            _knock(self._address)
            ray.init(self._address, **quiet, **self._settings)
        except (OSError, OverflowError) as error:  # nobody there, or no port at all
            raise ValueError(f"there is no Ray cluster at {self._address}: {_line(error)}") from None
        except (RuntimeError, ValueError) as error:  # another version of Ray or Python there, say
            raise ValueError(f"the Ray cluster at {self._address} cannot be used: {_line(error)}") from None


class _Tasks:
    """The tasks of one tournament."""

    def __init__(self, ray: Any, work: Work, units: Sequence[Unit]):
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=MAX_LOSSES)(play_unit)
        self._work = ray.put(work)
        self._waiting = deque(units)
        self._given: dict[Any, Unit] = {}  # by Ray's reference
        self._twice: set[Unit] = set()

    def results(self) -> Iterator[Played]:
        """As they come."""
        done: set[Unit] = set()
        try:
            while self._give():
                [ready], _ = self._ray.wait(list(self._given), num_returns=1)
                unit = self._given.pop(ready)
                outcome = self._answer(ready)
                if unit in done:
                    continue
                done.add(unit)
                for other in [other for other, its in self._given.items() if its == unit]:
                    self._ray.cancel(other, force=True)
                    del self._given[other]
                # Ray's own memory is read-only and ends with it.
                yield unit, outcome._replace(margins=np.array(outcome.margins))
        finally:
            for reference in self._given:
                self._ray.cancel(reference, force=True)

    def _give(self) -> bool:
        """Give out units, new ones first, then the last ones again; whether any is being played."""
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        while self._waiting and len(self._given) < LINED_UP * cores:
            self._submit(self._waiting.popleft())
        if not self._waiting:
            for unit in [unit for unit in self._given.values() if unit not in self._twice]:
                if len(self._given) >= cores:
                    break
                self._twice.add(unit)
                self._submit(unit)
        return bool(self._given)

    def _submit(self, unit: Unit) -> None:
        self._given[self._task.remote(self._work, unit)] = unit

    def _answer(self, reference: Any) -> Outcome:
        known = self._ray.exceptions
        try:
            return Outcome(*self._ray.get(reference))
        except known.WorkerCrashedError:
            raise AgentError(f"{MAX_LOSSES} workers were lost playing the same deals") from None
        except known.RayTaskError as error:
            cause = error.cause
            kinds = (ValueError, AgentError)
            raise (cause if isinstance(cause, kinds) else RuntimeError(str(error))) from None
        except known.RayError as error:
            raise AgentError(f"the Ray cluster failed ({type(error).__name__}): {_line(error)}") from None


def _knock(address: str) -> None:
    """Whether anybody listens at HOST:PORT, or an `OSError`: Ray itself would try for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


def _line(error: Exception) -> str:
    """What an error says, without the pages that Ray adds."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError(f"a cluster needs ray: {how_to_get('cluster')}") from None
    return ray
