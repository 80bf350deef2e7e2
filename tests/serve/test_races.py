"""What happens while the server waits for its disk or for a lock: one loop, and the tests hold the disk."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.minds import Minds
from fuda.serve.protocol import NewTable
from fuda.serve.secret_keys import hashed, new_owner
from fuda.serve.sockets import Socket
from fuda.serve.store import Statement, Store, insert, now
from fuda.serve.table import Tab
from fuda.serve.tables import Owner, Tables
from tests.serve.harness import PATIENCE, run

PERSONS = [{"person": name} for name in "abcd"]


class HeldStore(Store):
    """Writes that begin with `held` wait until they are let go, and fail where they shall."""

    held = "nothing"
    fails = False

    async def write(self, *statements: Statement) -> None:
        if statements[0][0].startswith(self.held):
            self.reached.set()
            await self.let_go.wait()
            if self.fails:
                raise sqlite3.OperationalError("database or disk is full")
        await super().write(*statements)

    def hold(self, held: str, fails: bool = False) -> None:
        self.held, self.fails = held, fails
        self.reached, self.let_go = asyncio.Event(), asyncio.Event()


class Desk:
    """The tables of a server without a network, and one that four persons sit at."""

    def __init__(self, folder: Path):
        self.config = Config(folder, hint_seconds=60.0)
        self.store = HeldStore(folder)
        self.minds = Minds(self.config)
        self.tables = Tables(self.config, self.store, self.minds)

    async def new_table(self) -> dict[str, Any]:
        secret = new_owner()
        await self.store.write(insert("owners", hash=hashed(secret), created=now()))
        self.owner = Owner(1, secret)
        return await self.tables.create(
            self.owner, NewTable.model_validate({"game": "gongzhu", "seats": PERSONS})
        )


def at_a_desk(folder: Path, act: Callable[[Desk], Awaitable[None]]) -> None:
    async def sit() -> None:
        desk = Desk(folder)
        try:
            await asyncio.wait_for(act(desk), PATIENCE)
        finally:
            await desk.minds.close()
            desk.store.close()

    run(sit())


class Page:
    """A tab that keeps what it is told."""

    def __init__(self, seat: int = 0):
        self.told: list[dict[str, Any]] = []
        self.tab = Tab(seat, lambda text: self.told.append(json.loads(text)), lambda code: None)

    def types(self) -> list[str]:
        return [message["type"] for message in self.told]


@pytest.mark.parametrize("moves", [True, False])
def test_a_hint_is_told_when_its_mark_is_stored_and_the_position_is_still_there(tmp_path: Path, moves: bool):
    async def ask(desk: Desk) -> None:
        info = await desk.new_table()
        table = await desk.tables.enter(info["table"], 0, info["seats"][0]["secret"])
        page = Page()
        table.join(page.tab, None)
        desk.store.hold("UPDATE tables SET hints")
        asking = asyncio.create_task(table.hint(page.tab, 0, "gongzhu/uct"))
        await desk.store.reached.wait()
        assert "hint" not in page.types()
        if moves:
            await table.move(page.tab, "one", table.at, table.match.legal()[0])
        desk.store.let_go.set()
        await asking
        assert page.types()[2:] == (["ack", "moved"] if moves else ["hint"])
        assert desk.store.row("SELECT hints FROM tables")["hints"] == 1

    at_a_desk(tmp_path, ask)


def test_a_hint_whose_mark_cannot_be_stored_is_not_told(tmp_path: Path):
    async def ask(desk: Desk) -> None:
        info = await desk.new_table()
        table = await desk.tables.enter(info["table"], 0, info["seats"][0]["secret"])
        page = Page()
        table.join(page.tab, None)
        desk.store.hold("UPDATE tables SET hints", fails=True)
        desk.store.let_go.set()
        await table.hint(page.tab, 0, "gongzhu/uct")
        assert page.told[-1]["type"] == "no_hint"
        assert page.told[-1]["error"]["code"] == "failed"
        assert not table.hints
        desk.store.hold("nothing")
        await table.hint(page.tab, 0, "gongzhu/uct")
        assert page.types()[2:] == ["no_hint", "hint"]
        assert table.hints

    at_a_desk(tmp_path, ask)


def test_nobody_enters_a_table_while_it_is_removed(tmp_path: Path):
    async def remove(desk: Desk) -> None:
        info = await desk.new_table()
        desk.store.hold("DELETE FROM tables")
        removing = asyncio.create_task(desk.tables.delete(desk.owner, info["table"]))
        await desk.store.reached.wait()
        entering = asyncio.create_task(desk.tables.enter(info["table"], 0, info["seats"][0]["secret"]))
        await asyncio.sleep(0)
        desk.store.let_go.set()
        await removing
        with pytest.raises(FaultError, match="wrong_secret"):
            await entering

    at_a_desk(tmp_path, remove)


class Wire:
    """The network's end of a socket: says hello, and goes away when it is told to."""

    def __init__(self, hello: dict[str, Any]):
        self.messages = [{"type": "websocket.receive", "text": json.dumps(hello)}]
        self.gone = asyncio.Event()

    async def accept(self) -> None:
        pass

    async def send_text(self, text: str) -> None:
        if self.gone.is_set():
            raise OSError("nobody is there")

    async def receive(self) -> dict[str, Any]:
        if self.messages:
            return self.messages.pop()
        await self.gone.wait()
        return {"type": "websocket.disconnect"}


def test_a_table_is_forgotten_though_its_last_socket_broke_while_it_was_busy(tmp_path: Path):
    async def leave(desk: Desk) -> None:
        info = await desk.new_table()
        secret = info["seats"][0]["secret"]
        wire = Wire({"type": "hello", "v": 1, "table": info["table"], "seat": 0, "secret": secret})
        socket = Socket(cast(WebSocket, wire), desk.config)
        running = asyncio.create_task(socket.run(desk.tables))
        while not desk.tables._open:
            await asyncio.sleep(0.01)
        table = desk.tables._open[info["table"]]
        async with table._lock:  # a move is being stored, say
            wire.gone.set()
            while table.tabs:
                await asyncio.sleep(0.01)
            socket.send("news")
            await running
        await asyncio.sleep(0.05)
        assert desk.tables._open == {}

    at_a_desk(tmp_path, leave)
