"""Agents in their processes: what they are told, and what happens when they fail."""

import asyncio
import base64
import json
import time
from pathlib import Path

import numpy as np
import pytest

import fuda
from fuda.serve import minds, pool
from fuda.serve.config import Config
from tests.serve.harness import Owner, Server
from tests.serve.test_tables import PERSON, random_seats


@pytest.mark.parametrize(
    ("agent", "reason"),
    [("greed", "deadline"), ("if", "crash"), ("uct", "crash"), ("random", "illegal")],
)
def test_another_stands_in_for_an_agent_that_fails(bad_server: Server, agent: str, reason: str):
    owner = Owner(bad_server)
    seats = [PERSON, *[{"agent": f"gongzhu/{agent}"}] * 3]
    table = owner.new_table("gongzhu", seats)
    client = owner.sit(table)
    client.until_asked()
    client.move(client.view["legal"][0])
    assert client.expect("moved")["stand_in"] is None
    moved = client.expect("moved")
    assert moved["stand_in"] == {"agent": "gongzhu/greed", "reason": reason}
    client.close()
    # It is stored with the move: a page that comes later hears of it too.
    back = owner.sit(table, seq=1)
    assert back.expect("moved") == moved
    back.close()


def test_hints_delay_no_move_and_come_for_the_position_that_is(bad_server: Server):
    owner = Owner(bad_server)
    client = owner.sit(owner.new_table("gongzhu", [{"person": name} for name in "abcd"]))
    client.until_asked()
    client.send(type="hint", seq=0, agent="gongzhu/uct")  # starts the process; it takes a second at least
    client.expect("hint")
    client.send(type="hint", seq=0, agent="gongzhu/uct")
    before = len(client.seen)
    assert client.move(client.view["legal"][0])["type"] == "ack"
    assert len(client.seen) == before + 1  # the move did not wait for the hint
    client.send(type="hint", seq=1, agent="gongzhu/uct")
    assert client.expect("no_hint", "hint")["error"]["code"] == "not_your_turn"
    time.sleep(2.2)
    client.send(type="ping")
    assert client.expect("hint", "no_hint", "pong")["type"] == "pong"  # the late one was dropped
    client.close()


def test_another_stands_in_where_no_process_can_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pool, "COMMAND", (str(tmp_path / "nowhere"),))
    match = fuda.game("gongzhu").start(seed=3)

    async def choose() -> minds.Thought:
        return await minds.Minds(Config(tmp_path)).choose(match, "gongzhu/random", luck=1)

    thought = asyncio.run(choose())
    assert thought.stand_in == {"agent": "gongzhu/greed", "reason": "crash"}
    assert thought.move in match.legal()


def test_who_waited_for_a_process_and_went_away_leaves_room_for_others():
    question = {"job": "load", "agent": "gongzhu/greed"}

    async def go_away_and_ask(few: pool.Pool) -> None:
        asking = asyncio.create_task(few.ask(question, 60))
        waiting = [asyncio.create_task(few.ask(question, 60)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(pool.BusyError):
            await few.ask(question, 60)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert await few.ask(question, 60) is None
        assert asking.done()

    async def use_a_pool() -> None:
        few = pool.Pool(1, 10, max_waiting=2, load_seconds=60)
        try:
            await go_away_and_ask(few)
        finally:
            await few.close()

    asyncio.run(use_a_pool())


@pytest.fixture(scope="module")
def bad_server(tmp_path_factory: pytest.TempPathFactory):
    server = Server(tmp_path_factory.mktemp("bad"), bad=True, act_seconds=2.0)
    yield server
    server.stop()


def test_a_question_to_an_agent_has_a_view_and_random_numbers_and_nothing_else():
    match = fuda.game("koikoi").start(seed=3)
    view = match.view_record(match.seat)
    question = minds._ask(view.tobytes(), [match.seat], np.array([5], np.uint64))
    assert set(question) == {"views", "seats", "luck"}
    assert base64.b64decode(question["views"]) == view.tobytes()
    assert question["luck"] == [5]
    assert "3" not in json.dumps(question["seats"])


def test_a_natural_delay_is_the_least_time_of_a_move(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"), pace={"delay": 400, "paused": False})
    client = owner.sit(table)
    client.until_asked()
    client.move(client.view["legal"][0])
    client.expect("moved")
    began = time.monotonic()
    client.expect("moved")
    assert time.monotonic() - began >= 0.35
    client.send(type="pace", pace={"delay": 0, "paused": False})
    began = time.monotonic()
    client.expect("moved")
    client.expect("moved")
    assert time.monotonic() - began < 5
    client.close()
