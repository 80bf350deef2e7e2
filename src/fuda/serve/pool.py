"""Worker processes and who waits for them. A process that hangs or dies is replaced by a new one."""

import asyncio
import contextlib
import json
import os
import sys
from collections import deque
from typing import Any

from fuda.serve.worker import LENGTH

COMMAND = (sys.executable, "-m", "fuda.serve.worker")
QUICK_SECONDS = 0.02  # an agent that takes no longer may have its next question wait in the pipe
MAX_LINED_UP = 3  # quick questions in one process: so it need not wait for the server between two
MAX_ANSWER = 2**26


class BusyError(Exception):
    """Too many wait already."""


class CrashError(Exception):
    """The process did not start or died, or its answer was an error; the message says which."""


class DeadlineError(Exception):
    """The answer did not come in time; the process was ended."""


class Worker:
    """One process. It answers questions in their order, one at a time."""

    def __init__(self, niceness: int):
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._reading = asyncio.Lock()  # who waits for it gets it in order, as the answers come
        self.used: set[str] = set()  # agents that it has loaded
        self.lined_up: list[bool] = []  # for each question in it, whether it is a quick one

    async def start(self) -> asyncio.subprocess.Process:
        """The process, started if it does not run."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self.used.clear()
                self._process = await asyncio.create_subprocess_exec(
                    *COMMAND, str(self._niceness),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=MAX_ANSWER,
                    start_new_session=hasattr(os, "setsid"),  # Ctrl-C in the terminal ends the server alone
                )  # fmt: skip
            return self._process

    @property
    def runs(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    async def ask(self, question: dict[str, Any], seconds: float, load_seconds: float) -> Any:
        """The answer, or one of the errors above. The time runs when the questions before are answered."""
        frame = json.dumps(question).encode()
        agent = question.get("agent", "")
        while True:
            try:
                process = await self.start()
            except OSError as error:  # no memory or no file is left for one more process
                raise CrashError(f"the process did not start: {error}") from None
            assert process.stdin is not None
            process.stdin.write(LENGTH.pack(len(frame)) + frame)
            async with self._reading:
                if process is not self._process:
                    continue  # a question before this one was the end of the process: ask the next
                told = await self._read(process, seconds if agent in self.used else seconds + load_seconds)
                if "error" in told:
                    raise CrashError(told["error"])
                self.used.add(agent)
                return told["answer"]

    async def _read(self, process: asyncio.subprocess.Process, seconds: float) -> Any:
        assert process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                return json.loads(await process.stdout.readexactly(length))
        except TimeoutError:
            await self.stop()
            raise DeadlineError from None
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await self.stop()
            raise CrashError("the process died") from None

    async def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Pool:
    """Some workers, and a queue of limited length before them."""

    def __init__(self, size: int, niceness: int, max_waiting: int, load_seconds: float):
        self._workers = [Worker(niceness) for _ in range(size)]
        self._waiting: deque[tuple[bool, asyncio.Future[Worker]]] = deque()
        self._max_waiting = max_waiting
        self._load_seconds = load_seconds
        self._seconds: dict[str, float] = {}  # that each agent took for its last answers
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def start(self) -> None:
        """Start all processes, so that the first who asks need not wait."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """The answer of the first worker that has room for the question."""
        quick = self._seconds.get(question.get("agent", ""), seconds) <= QUICK_SECONDS
        worker = await self._take(quick)
        # The exchange goes on when the one who asked goes away: the pipe must stay in step.
        return await asyncio.shield(self._begin(worker, quick, question, seconds))

    def load(self, agent: str) -> None:
        """Have the workers that are idle make an agent ready."""
        for worker in self._workers:
            if not self._closed and not worker.lined_up and agent not in worker.used:
                worker.lined_up.append(False)
                self._begin(worker, False, {"job": "load", "agent": agent}, self._load_seconds)

    def _begin(
        self, worker: Worker, quick: bool, question: dict[str, Any], seconds: float
    ) -> "asyncio.Task[Any]":
        task = asyncio.create_task(self._use(worker, quick, question, seconds))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(_look_at_error)
        return task

    @property
    def runs(self) -> bool:
        """Whether some process is there."""
        return not self._closed and any(worker.runs for worker in self._workers)

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        for _, waiter in self._waiting:
            waiter.cancel()
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def _take(self, quick: bool) -> Worker:
        """A worker with room, reserved for one question."""
        if self._closed:
            raise CrashError("the server goes down")
        worker = None if self._waiting else self._with_room(quick)
        if worker is None:
            if len(self._waiting) >= self._max_waiting:
                raise BusyError
            waiter: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
            self._waiting.append((quick, waiter))
            try:
                return await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled():  # it was given a worker and went away
                    self._give_back(waiter.result(), quick)
                elif (quick, waiter) in self._waiting:
                    self._waiting.remove((quick, waiter))
                    self._let_in()
                raise
        worker.lined_up.append(quick)
        return worker

    def _with_room(self, quick: bool) -> Worker | None:
        """The worker with the fewest questions; behind or before a slow one there is no room."""
        worker = min(self._workers, key=lambda worker: len(worker.lined_up))
        if not worker.lined_up:
            return worker
        has_room = quick and all(worker.lined_up) and len(worker.lined_up) < MAX_LINED_UP
        return worker if has_room else None

    def _give_back(self, worker: Worker, quick: bool) -> None:
        """A question has left a worker: let the next in."""
        worker.lined_up.remove(quick)
        self._let_in()

    def _let_in(self) -> None:
        """Give workers to those who wait, in their order."""
        while self._waiting:
            next_quick, waiter = self._waiting[0]
            found = None if waiter.done() else self._with_room(next_quick)
            if found is None and not waiter.done():
                return
            self._waiting.popleft()
            if found is not None:
                found.lined_up.append(next_quick)
                waiter.set_result(found)

    async def _use(self, worker: Worker, quick: bool, question: dict[str, Any], seconds: float) -> Any:
        agent = question.get("agent", "")
        began = asyncio.get_running_loop().time()
        alone = len(worker.lined_up) == 1
        try:
            answer = await worker.ask(question, seconds, self._load_seconds)
            if question["job"] != "load" and (alone or not quick):
                spent = asyncio.get_running_loop().time() - began
                self._seconds[agent] = (spent + 3 * self._seconds.get(agent, spent)) / 4
            return answer
        except BaseException:
            self._seconds.pop(agent, None)  # it is not to be trusted with others behind it
            raise
        finally:
            self._give_back(worker, quick)


def _look_at_error(task: asyncio.Task[Any]) -> None:
    """An error that nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()
