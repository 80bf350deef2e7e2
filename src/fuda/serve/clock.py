"""The time that persons have for a decision, one at a time; who lets it run out is played for."""

import asyncio
from collections.abc import Awaitable, Callable

Due = tuple[int, str, str]  # a decision: the committed moves, the table's state, and who sits there


class Clock:
    """The clock of one table."""

    def __init__(self, seconds: float | None, run_out: Callable[[Due], Awaitable[None]]):
        self.seconds = seconds  # None: nobody is in a hurry
        self._run_out = run_out
        self._due: Due | None = None
        self._ends = 0.0
        self._task: asyncio.Task[None] | None = None
        self._late: asyncio.Task[None] | None = None  # plays for somebody: it is not to be stopped half-way

    def follow(self, due: Due | None) -> bool:
        """Run for this decision, from the start if it is a new one. Tells whether anything has changed."""
        if self.seconds is None or due == self._due:
            return False
        self.stop()
        if due is not None:
            self._due = due
            self._ends = asyncio.get_running_loop().time() + self.seconds
            self._task = asyncio.create_task(self._run(self.seconds, due))
        return True

    def stop(self) -> None:
        """Nobody's time runs; whoever comes next has all of it."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._due = None

    @property
    def left(self) -> int | None:
        """Milliseconds, None while it does not run."""
        if self._due is None:
            return None
        return max(0, round(1000 * (self._ends - asyncio.get_running_loop().time())))

    async def _run(self, seconds: float, due: Due) -> None:
        await asyncio.sleep(seconds)
        self._late, self._task = self._task, None
        await self._run_out(due)
