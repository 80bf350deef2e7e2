"""Agents in their processes: what they are told, and what happens when they fail."""

import asyncio
import base64
import contextlib
import itertools
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pytest

import fuda
from fuda.core.generator import AGENT, streams
from fuda.serve import minds, pool
from fuda.serve.config import Config
from fuda.serve.protocol import MAX_DELAY
from fuda.serve.worker import LENGTH
from tests.serve.harness import API, Owner, Server, run
from tests.serve.program import HELD
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
    table = owner.new_table("gongzhu", [{"person": name} for name in "abcd"])
    client, following = owner.sit(table), owner.sit(table, 1)
    client.until_asked()
    client.send(type="hint", seq=0, agent="gongzhu/uct")
    client.expect("hint")
    held = bad_server.data / HELD
    held.touch()
    client.send(type="hint", seq=0, agent="gongzhu/uct")
    before = len(client.seen)
    assert client.move(client.view["legal"][0])["type"] == "ack"
    assert len(client.seen) == before + 1  # the move did not wait for the hint
    following.until_asked()
    following.send(type="hint", seq=1, agent="gongzhu/uct")
    held.unlink()
    following.expect("hint")  # the one before it has come, too
    client.send(type="hint", seq=1, agent="gongzhu/uct")
    assert client.expect("no_hint", "hint")["error"]["code"] == "not_your_turn"
    assert [message["type"] for message in client.seen].count("hint") == 1  # the late one was dropped
    client.close()
    following.close()


def test_another_stands_in_where_no_process_can_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pool, "COMMAND", (str(tmp_path / "nowhere"),))
    match = fuda.game("gongzhu").start(seed=3)

    async def choose() -> minds.Thought:
        return await minds.Minds(Config(tmp_path)).choose(match, "gongzhu/random", luck=1)

    thought = run(choose())
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

    run(use_a_pool())


@pytest.fixture(scope="module")
def bad_server(tmp_path_factory: pytest.TempPathFactory):
    server = Server(tmp_path_factory.mktemp("bad"), bad=True, act_seconds=2.0)
    yield server
    server.stop()


def test_who_may_not_even_wait_hears_that_the_server_is_busy(new_server):
    """The agents' one process hangs, those of hints and records are held."""
    nobody_waits = {"waiting_agents": 0, "waiting_hints": 0, "waiting_records": 0}
    owner = Owner(new_server(bad=True, agent_workers=1, **nobody_waits))
    held = owner.server.data / HELD
    held.touch()
    seats = [PERSON, *[{"agent": "gongzhu/greed"}] * 3]
    hangs, busy = (owner.sit(owner.new_table("gongzhu", seats)) for _ in range(2))
    for client in (hangs, busy):
        client.until_asked()
        client.send(type="hint", seq=0, agent="gongzhu/uct")
        if client is busy:
            assert client.expect("hint", "no_hint")["error"]["code"] == "busy"
        assert client.move(client.view["legal"][0])["type"] == "ack"
    waiting = itertools.cycle((busy, hangs))  # it is `hangs` if the process was busy with loading
    while max(hangs.seq, busy.seq) < 2:
        with contextlib.suppress(TimeoutError):
            next(waiting).receive(1)
    last = (hangs if hangs.seq == 2 else busy).seen[-1]
    assert last["stand_in"] == {"agent": "gongzhu/greed", "reason": "busy"}

    def upload(file: str) -> int:
        return owner.server.request("POST", f"{API}/records", {"file": file}, owner.secret)[0]

    with ThreadPoolExecutor() as threads:
        uploads = [threads.submit(upload, file) for file in "ab"]
        assert next(as_completed(uploads)).result() == 503
        held.unlink()
        assert sorted(each.result() for each in uploads) == [400, 503]
    hangs.close()
    busy.close()


def test_a_question_to_an_agent_has_a_view_and_random_numbers_and_nothing_else(tmp_path: Path):
    """The worker here is a program that keeps what it is asked, and dies."""
    seed, luck = 3141592653589793, 2718281828459045
    kept = tmp_path / "question"
    program = f"import sys; open({str(kept)!r}, 'wb').write(sys.stdin.buffer.read1())"
    match = fuda.game("koikoi").start(seed)

    async def choose() -> minds.Thought:
        asked = minds.Minds(Config(tmp_path, agent_workers=1))
        return await asked.choose(match, "koikoi/random", luck)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "COMMAND", (sys.executable, "-c", program))
        assert run(choose()).stand_in == {"agent": "koikoi/classical", "reason": "crash"}
    frame = kept.read_bytes()
    question = json.loads(frame[LENGTH.size :])
    assert set(question) == {"job", "agent", "views", "seats", "luck"}
    assert (question["job"], question["agent"], question["seats"]) == ("act", "koikoi/random", [match.seat])
    view = match.view_record(match.seat).tobytes()
    assert base64.b64decode(question["views"]) == view
    assert view != match.state_bytes()
    assert question["luck"] == streams(luck, AGENT, 0, 1).tolist()
    for secret in (seed, luck):
        assert str(secret).encode() not in frame
        assert secret.to_bytes(8, "little") not in base64.b64decode(question["views"])


def test_a_natural_delay_is_the_least_time_of_a_move(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu", 2), pace={"delay": 1000, "paused": False})
    began = time.monotonic()
    client = owner.sit(table, 2)
    client.until_asked()
    assert time.monotonic() - began >= 2 * 1.0  # two others have played to the first trick
    for delay in (MAX_DELAY, 0):
        client.send(type="pace", pace={"delay": delay, "paused": False})
    began = time.monotonic()
    while client.state == "playing":
        client.move(client.view["legal"][0])
        client.expect("moved")
        client.until_asked()
    # Six minutes, had the last word on the pace not counted.
    assert time.monotonic() - began < 36 * MAX_DELAY / 1000
    client.close()
