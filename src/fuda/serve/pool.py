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


class BusyError(Exception):
    """Too many wait already."""


class CrashError(Exception):
    """The process died, or its answer was an error; the message says which."""


class DeadlineError(Exception):
    """The answer did not come in time; the process was ended."""


class Worker:
    """One process; it answers one question at a time."""

    def __init__(self, niceness: int):
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None
        self._used: set[str] = set()  # agents that it has loaded

    async def start(self) -> None:
        """Start the process, if it does not run."""
        if self._process is not None and self._process.returncode is None:
            return
        self._used.clear()
        self._process = await asyncio.create_subprocess_exec(
            *COMMAND, str(self._niceness),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**26,
            start_new_session=hasattr(os, "setsid"),  # Ctrl-C in the terminal ends the server alone
        )  # fmt: skip

    async def ask(self, question: dict[str, Any], seconds: float, load_seconds: float) -> Any:
        """The answer, or one of the errors above."""
        await self.start()
        agent = question.get("agent", "")
        limit = seconds if agent in self._used else seconds + load_seconds
        try:
            async with asyncio.timeout(limit):
                told = await self._exchange(json.dumps(question).encode())
        except TimeoutError:
            await self.stop()
            raise DeadlineError from None
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await self.stop()
            raise CrashError("the process died") from None
        if "error" in told:
            raise CrashError(told["error"])
        self._used.add(agent)
        return told["answer"]

    async def _exchange(self, question: bytes) -> Any:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LENGTH.pack(len(question)) + question)
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        return json.loads(await process.stdout.readexactly(length))

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
        self._free = deque(self._workers)
        self._waiting: deque[asyncio.Future[Worker]] = deque()
        self._max_waiting = max_waiting
        self._load_seconds = load_seconds
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def start(self) -> None:
        """Start all processes, so that the first who asks need not wait."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """The answer of the first worker that is free."""
        worker = await self._take()
        # The exchange goes on when the one who asked goes away: the pipe must stay in step.
        task = asyncio.create_task(self._use(worker, question, seconds))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(_look_at_error)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        for waiter in self._waiting:
            waiter.cancel()
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def _take(self) -> Worker:
        if self._closed:
            raise CrashError("the server goes down")
        if self._free:
            return self._free.popleft()
        if len(self._waiting) >= self._max_waiting:
            raise BusyError
        waiter: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():  # it was given a worker and went away
                self._give(waiter.result())
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            raise

    def _give(self, worker: Worker) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(worker)
                return
        self._free.append(worker)

    async def _use(self, worker: Worker, question: dict[str, Any], seconds: float) -> Any:
        try:
            return await worker.ask(question, seconds, self._load_seconds)
        finally:
            self._give(worker)


def _look_at_error(task: asyncio.Task[Any]) -> None:
    """An error that nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()
