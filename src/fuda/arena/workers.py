"""Who plays the units of a tournament: this process, or processes of its own beside it (`worker.py`)."""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from fuda.agents import Agent
from fuda.arena.frames import read_frame, write_frame
from fuda.arena.units import Outcome, Unit, Work
from fuda.core.errors import AgentError
from fuda.core.game import Game
from fuda.core.threads import num_cores

COMMAND = (sys.executable, "-m", "fuda.arena.worker")
MAX_LOSSES = 3  # workers that a unit may cost before it is taken for the cause

Played = tuple[Unit, Outcome]


class Workers(Protocol):
    """Plays units, in any order."""

    def play(self, work: Work, units: Sequence[Unit]) -> Iterator[Played]:
        """Each unit with what came of it, once, when it is done."""


class ThisProcess:
    """One unit after the other, with all cores for each, by agents as they are: they may be on a GPU."""

    def __init__(self, table: Game, entrants: Sequence[Agent]):
        self._table, self._entrants = table, entrants

    def play(self, work: Work, units: Sequence[Unit]) -> Iterator[Played]:
        """Each unit with what came of it."""
        for unit in units:
            one, other = self._entrants[unit.one], self._entrants[unit.other]
            yield unit, unit.play(self._table, one, other, work.seed)


class LocalWorkers:
    """So many processes on this machine, which share its cores. One that is lost is replaced."""

    def __init__(self, count: int | None = None):
        self._count = count or num_cores()

    def play(self, work: Work, units: Sequence[Unit]) -> Iterator[Played]:
        """Each unit with what came of it."""
        crew = _Crew(work, units, self._count)
        try:
            yield from crew.results()
        finally:
            crew.end()


class _Crew:
    """Processes and the threads that wait for them, while a tournament is played."""

    def __init__(self, work: Work, units: Iterable[Unit], count: int):
        self._waiting = deque(units)
        self._left = len(self._waiting)
        self._work = work
        self._cores = max(1, num_cores() // count)
        self._results: queue.SimpleQueue[Played | Exception] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._is_over = False
        self._threads = [
            threading.Thread(target=self._attend, daemon=True) for _ in range(min(count, self._left))
        ]
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterator[Played]:
        """As they come; what went wrong in a worker is raised here."""
        for _ in range(self._left):
            found = self._results.get()
            if isinstance(found, Exception):
                raise found
            yield found

    def end(self) -> None:
        """Whatever is being played is not wanted any more."""
        with self._lock:
            self._is_over = True
            for process in self._processes:
                process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.communicate()

    def _attend(self) -> None:
        """Give units to one process, and to another in its place when it is lost."""
        try:
            process = self._start()
            while True:
                try:
                    unit = self._waiting.popleft()
                except IndexError:
                    return
                for loss in range(1, MAX_LOSSES + 1):
                    try:
                        write_frame(process.stdin, unit)
                        kind, answer = read_frame(process.stdout)
                        break
                    except (EOFError, OSError, pickle.UnpicklingError):
                        if self._is_over:
                            return
                        if loss == MAX_LOSSES:
                            names = " and ".join(self._work.agents[number] for number in unit.pair)
                            raise AgentError(f"{MAX_LOSSES} workers were lost playing {names}") from None
                        process = self._start()
                if kind != "played":
                    raise (kind(answer) if kind in (ValueError, AgentError) else RuntimeError(answer))
                self._results.put((unit, answer))
        except Exception as error:
            self._results.put(error)

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_over:
                raise EOFError
            process = subprocess.Popen(
                [*COMMAND, str(self._cores)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=hasattr(os, "setsid"),  # Ctrl-C in the terminal ends the tournament alone
            )
            self._processes.append(process)
        with contextlib.suppress(OSError):  # it is lost at once: the first unit will tell
            write_frame(process.stdin, self._work)
        return process
