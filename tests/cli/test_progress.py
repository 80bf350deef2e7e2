"""What long work shows: lines by a clock of the test, a bar on a terminal, and what is compiled."""

import io

import numpy as np
import pytest
from rich.console import Console

from fuda.cli import progress
from fuda.cli.progress import COMPILING, LINE_SECONDS, Lines, in_words, shown
from fuda.core.compile import bind
from fuda.core.machine_code import MachineCode


class Clock:
    """A clock that stands unless it is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_line_now_and_then_and_one_at_the_end():
    clock, told = Clock(), []
    lines = Lines(told.append, "work", clock)
    for second in range(101):
        clock.now = 1000.0 + second
        lines.update(second / 100, f"{second} games")
        assert len(told) == second // LINE_SECONDS
    lines.end()
    lines.end()
    assert told == [
        "work: 30%, 30 games, 70 s left",
        "work: 60%, 60 games, 40 s left",
        "work: 90%, 90 games, 10 s left",
        "work: 100%, 100 games",
    ]


def test_the_time_left_counts_from_where_work_goes_on():
    """Half was done before; a tenth in the first minute, so four more are left."""
    clock, told = Clock(), []
    lines = Lines(told.append, "work", clock)
    lines.update(0.5, "resumed")
    clock.now += 60
    lines.update(0.6, "games")
    assert told == ["work: 60%, games, 4 min left"]


def test_the_time_left_does_not_count_what_was_announced():
    clock, told = Clock(), []
    lines = Lines(told.append, "work", clock)
    lines.update(0.0, "games")
    lines.announce("compiling")
    for done in (0.1, 0.2):
        clock.now += 60
        lines.update(done, "games")
    assert told == ["work: compiling", "work: 10%, games", "work: 20%, games, 8 min left"]


def test_work_that_is_soon_done_or_tells_nothing_has_no_lines():
    told, clock = [], Clock()
    Lines(told.append, "work", clock).end()
    lines = Lines(told.append, "work", clock)
    lines.update(1.0, "all games")
    lines.end()
    assert told == []
    clock.now += LINE_SECONDS
    lines.end()
    assert told == ["work: 100%, all games"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (99.4, "99 s"), (100, "2 min"), (5900, "98 min"), (9000, "2.5 h")]
)
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words


def written(is_terminal: bool, work) -> str:
    text = io.StringIO()
    console = Console(file=text, force_terminal=is_terminal, width=100, color_system=None)
    clock = Clock()
    with shown(console, "[a] v b", clock=clock) as bar:
        work(bar)
        clock.now += LINE_SECONDS
    return text.getvalue()


def test_a_pipe_gets_plain_lines_and_a_terminal_a_bar():
    def work(bar: progress.Shown) -> None:
        bar.announce("starting [slowly]")
        bar.update(0.0, "0 games")
        bar.update(1.0, "2 [of] 2 games")

    assert written(False, work) == "[a] v b: starting [slowly]\n[a] v b: 100%, 2 [of] 2 games\n"
    drawn = written(True, work)
    assert "\x1b[" in drawn
    assert "[a] v b" in drawn
    assert "2 [of] 2 games" in drawn


def test_a_stop_ends_the_lines_where_they_are():
    text = io.StringIO()

    def work() -> None:
        with shown(Console(file=text), "work", clock=Clock()) as bar:
            bar.announce("starting")
            bar.update(0.5, "games")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert text.getvalue() == "work: starting\n"


def add_one(numbers):
    """Something to compile."""
    numbers[0] += 1


def test_what_is_compiled_is_announced_and_what_is_on_disk_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr("fuda.core.machine_code.cache_root", lambda: tmp_path)

    def work(bar: progress.Shown) -> None:
        kernel = bind(add_one, "planted", {})
        assert isinstance(kernel._cache, MachineCode)
        for dtype in (np.int64, np.int32):
            kernel(np.zeros(1, dtype))

    assert written(False, work) == f"[a] v b: {COMPILING}\n"  # once
    assert written(False, work) == ""
    bind(add_one, "another", {})(np.zeros(1))  # when nobody listens


def test_what_stands_above_the_bar_is_drawn_anew():
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    table = ["first"]
    with shown(terminal, "work", above=lambda: table[0]) as bar:
        bar.update(0.5, "half")
        table[0] = "second"
        bar.update(1.0, "all")
    drawn = terminal.file.getvalue()
    assert 0 <= drawn.index("first") < drawn.rindex("second")
