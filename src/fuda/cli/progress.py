"""How far long work is: a bar on a terminal, elsewhere a line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from fuda.core.machine_code import telling_compiling

LINE_SECONDS = 30.0
COMPILING = "compiling, 10 to 30 s the first time"
COMPILING_FOR_GPU = "compiling for the GPU, which takes a while"

Clock = Callable[[], float]


class Shown(Protocol):
    """What long work tells while it goes on."""

    def announce(self, sentence: str) -> None:
        """Say what is being done where no part of the work is done meanwhile."""

    def update(self, done: float, text: str) -> None:
        """Say that so much of the work is done, from 0 to 1; the end may come a little late."""


@contextmanager
def shown(
    console: Console,
    title: str,
    *,
    transient: bool = False,
    clock: Clock = time.monotonic,
    above: Callable[[], RenderableType] | None = None,
) -> Iterator[Shown]:
    """Show work on a terminal by a bar, which goes away if it is `transient`; in a file or a pipe by lines.

    On a terminal what `above` gives stands over the bar, asked for anew whenever the bar is drawn.
    What has to be compiled for it is announced when it comes to that.
    """
    if not console.is_terminal:
        lines = Lines(
            lambda line: console.print(line, soft_wrap=True, markup=False, highlight=False), title, clock
        )
        with telling_compiling(lambda: lines.announce(COMPILING)):
            yield lines
        lines.end()
        return
    columns = (TextColumn(title, markup=False), BarColumn(), TextColumn("{task.description}", markup=False))
    made = _BarBelow(*columns, TimeRemainingColumn(), console=console, transient=transient)
    made.above = above
    with made as progress:
        bar = Bar(progress, progress.add_task("starting", total=None))  # without a total it moves by itself
        with telling_compiling(lambda: bar.announce(COMPILING)):
            yield bar


class _BarBelow(Progress):
    """A bar with something above it."""

    above: Callable[[], RenderableType] | None = None

    def get_renderables(self) -> Iterator[RenderableType]:
        if self.above is not None:
            yield self.above()
        yield from super().get_renderables()


class Bar:
    """A bar with the time left."""

    def __init__(self, progress: Progress, task: TaskID):
        self._progress, self._task = progress, task

    def announce(self, sentence: str) -> None:
        """Instead of what the bar says."""
        self._progress.update(self._task, description=sentence)

    def update(self, done: float, text: str) -> None:
        """The bar so far, and beside it the text."""
        self._progress.update(self._task, total=1.0, completed=done, description=text)


class Lines:
    """A line every LINE_SECONDS of `clock`, with the time left, given to `write`.

    The last one comes at the end; work that is done before the first has told all by its result.
    """

    def __init__(self, write: Callable[[str], None], title: str, clock: Clock = time.monotonic):
        self._write, self._title, self._clock = write, title, clock
        self._announced: set[str] = set()
        self._began = self._told = clock()
        self._first: tuple[float, float] | None = None  # when there was something to tell, and what was done
        self._due = ""  # what was not told yet

    def announce(self, sentence: str) -> None:
        """At once, and once. The time left counts from what is done after it."""
        self._first = None
        if sentence not in self._announced:
            self._announced.add(sentence)
            self._write(f"{self._title}: {sentence}")

    def update(self, done: float, text: str) -> None:
        """A line, if one is due."""
        now, done = self._clock(), min(1.0, done)
        if self._first is None:
            self._first = now, done
        began, before = self._first
        self._due = f"{self._title}: {done:.0%}, {text}"
        if before < done < 1:
            self._due += f", {in_words((now - began) * (1 - done) / (done - before))} left"
        if now - self._told >= LINE_SECONDS:
            self._tell(now)

    def end(self) -> None:
        """The work is done: what is left to tell."""
        now = self._clock()
        if self._due and now - self._began >= LINE_SECONDS:
            self._tell(now)

    def _tell(self, now: float) -> None:
        self._write(self._due)
        self._due, self._told = "", now


def in_words(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
