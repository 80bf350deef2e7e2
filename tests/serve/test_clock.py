"""The clock of a table: it runs for one decision at a time, and nothing that happens stops it for good."""

import asyncio
from pathlib import Path

import pytest

from fuda.core.match import Match
from fuda.serve.clock import Clock, Due
from fuda.serve.minds import Minds, Thought
from fuda.serve.table import Table
from tests.serve.harness import run
from tests.serve.test_races import Desk, Page, at_a_desk

LATE = ("moved", "clock")  # the first move for who stayed away


class HeldMinds(Minds):
    """The first stand-in thinks until it is let go."""

    def hold(self) -> None:
        self.asked, self.let_go = asyncio.Event(), asyncio.Event()

    async def choose(self, match: Match, name: str, luck: int) -> Thought:
        self.asked.set()
        await self.let_go.wait()
        return await super().choose(match, name, luck)


async def with_a_clock(desk: Desk, seconds: float = 0.05) -> tuple[Table, Page]:
    """A table of four persons, at which one of them looks."""
    desk.minds = desk.tables._minds = HeldMinds(desk.config)
    desk.minds.hold()
    info = await desk.new_table()
    table = await desk.tables.enter(info["table"], 0, info["seats"][0]["secret"])
    table._clock.seconds = seconds
    page = Page()
    table.join(page.tab, None)
    return table, page


async def until_played_for(page: Page) -> None:
    while not any(message.get("stand_in") for message in page.told):
        await asyncio.sleep(0.01)


def stand_ins(page: Page) -> list[int]:
    """The moves that were made for somebody."""
    moves = [message for message in page.told if message.get("stand_in")]
    assert {message["stand_in"]["reason"] for message in moves} == {"clock"}
    return [message["seq"] for message in moves]


def test_who_stays_away_is_played_for_though_somebody_sits_down_meanwhile(tmp_path: Path):
    async def sit(desk: Desk) -> None:
        table, page = await with_a_clock(desk)
        await desk.minds.asked.wait()
        other = (table.match.seat + 1) % 4
        agent = {"kind": "agent", "name": "gongzhu/random", "title": "Random", "weights": None}
        await table.seat_somebody(other, agent)  # of another seat: whoever is due stays due
        desk.minds.let_go.set()
        await until_played_for(page)
        assert stand_ins(page)[0] == 1

    at_a_desk(tmp_path, sit)


def test_who_stays_away_is_played_for_though_the_disk_was_full(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("fuda.serve.table.MIN_PAUSE", 0.05)

    async def fill(desk: Desk) -> None:
        table, page = await with_a_clock(desk)
        await desk.minds.asked.wait()
        desk.store.hold("INSERT INTO moves", fails=True)
        desk.store.let_go.set()
        desk.minds.let_go.set()
        while "error" not in page.types():
            await asyncio.sleep(0.01)
        assert table.seq == 0
        desk.store.hold("nothing")
        await until_played_for(page)
        assert stand_ins(page)[0] == 1

    at_a_desk(tmp_path, fill)


def test_who_moves_in_time_is_not_played_for(tmp_path: Path):
    async def move(desk: Desk) -> None:
        table, page = await with_a_clock(desk)
        await desk.minds.asked.wait()
        table._clock.seconds = 60
        await table.move(page.tab, "one", 0, table.match.legal()[0])
        desk.minds.let_go.set()
        late = table._clock._late
        assert late is not None
        await late
        assert table.seq == 1
        assert page.told[-1]["type"] == "clock"
        assert 50_000 < page.told[-1]["left"] <= 60_000

    at_a_desk(tmp_path, move)


def test_who_comes_into_a_seat_has_a_whole_moves_time(tmp_path: Path):
    async def come(desk: Desk) -> None:
        table, page = await with_a_clock(desk, 60)
        table._clock._ends -= 50
        later = Page(1)
        table.join(later.tab, None)
        assert later.told[-1]["type"] == "clock"
        assert later.told[-1]["left"] <= 10_000
        seat = table.match.seat
        assert seat == 0
        table.seats[seat]["open"] = True
        person = {"kind": "person", "name": "Bo", "title": "Bo", "hash": "00"}
        await table.seat_somebody(seat, person)
        assert later.told[-1]["left"] > 50_000
        for tab in (page.tab, later.tab):
            table.leave(tab)
        await table.rest()
        assert table._clock.left is None

    at_a_desk(tmp_path, come)


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_a_clock_runs_for_one_decision_at_a_time(seconds: float | None):
    async def follow() -> None:
        async def run_out(due: Due) -> None:
            raise AssertionError(due)

        clock = Clock(seconds, run_out)
        first, second = (0, "playing", "a"), (0, "playing", "b")
        assert clock.follow(None) is False
        for due in (first, second, None):
            assert clock.follow(due) is (seconds is not None)
            assert clock.follow(due) is False
            assert (clock.left is not None) == (seconds is not None and due is not None)

    run(follow())
