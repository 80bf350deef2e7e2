"""One socket of one tab: hello, then messages in both directions."""

import asyncio
import contextlib
import sqlite3
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from fuda.serve.config import Config
from fuda.serve.faults import CLOSE, FaultError
from fuda.serve.guard import Bucket
from fuda.serve.messages import EVERYBODY, encode
from fuda.serve.protocol import (
    VERSION,
    Agree,
    AskHint,
    Continue,
    Hello,
    Move,
    OneStep,
    Ping,
    Resign,
    SetPace,
    Takeback,
    ToServer,
)
from fuda.serve.table import At, Tab, Table
from fuda.serve.tables import Tables

PARSER: TypeAdapter[Any] = TypeAdapter(ToServer)
MAX_WHERE = 80
CLOSE_SECONDS = 5.0


class GoneError(Exception):
    """The other side has closed the socket."""


class Socket:
    """Reads and writes one connection; what cannot be sent in time closes it."""

    def __init__(self, socket: WebSocket, config: Config, only_looks: bool = False):
        self._socket = socket
        self._only_looks = only_looks  # somebody who has come by a link to look on
        self._config = config
        self._bucket = Bucket(config.message_rate, config.message_burst)
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(config.outgoing_messages)
        self._end: asyncio.Future[FaultError] = asyncio.get_running_loop().create_future()

    def send(self, text: str) -> None:
        """Put a message into the queue; a reader who lets it fill up is sent away."""
        try:
            self._outgoing.put_nowait(text)
        except asyncio.QueueFull:
            self.end("slow")

    def end(self, code: str) -> None:
        """Close the socket from this side."""
        if not self._end.done():
            self._end.set_result(FaultError(code))

    def tell(self, fault: FaultError) -> None:
        """Say what was wrong."""
        self.send(encode({"type": "error", "error": fault.told()}))

    async def run(self, tables: Tables) -> None:
        """Serve until one of the sides ends it."""
        await self._socket.accept()
        sender = asyncio.create_task(self._send_all())
        talker = asyncio.create_task(self._talk(tables))
        try:
            ends: set[asyncio.Future[Any]] = {sender, talker, self._end}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            fault = self._end.result() if self._end.done() else _fault_of(talker)
            talker.cancel()
            await asyncio.gather(talker, return_exceptions=True)
            if fault is not None:
                await self._close(fault, sender)
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    async def _close(self, fault: FaultError, sender: "asyncio.Task[None]") -> None:
        """Say why, if the other side still listens, and close."""
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if fault.code not in ("slow", "deleted", "left"):
                    self.tell(fault)
                if fault.code != "slow":
                    await self._outgoing.join()
                sender.cancel()
                await self._socket.close(CLOSE[fault.code], fault.code)

    async def _send_all(self) -> None:
        while True:
            text = await self._outgoing.get()
            await self._socket.send_text(text)
            self._outgoing.task_done()

    async def _receive(self) -> Any:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise GoneError
        if not self._bucket.take():
            raise FaultError("too_often")
        text = message.get("text")
        if text is None:
            raise BadMessageError("bad_json")
        try:
            return PARSER.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            if first["type"] == "json_invalid":
                raise BadMessageError("bad_json") from None
            where = ".".join(str(part) for part in first["loc"])[:MAX_WHERE]
            raise BadMessageError("bad_message", where=where) from None

    async def _talk(self, tables: Tables) -> None:
        try:
            async with asyncio.timeout(self._config.hello_seconds):
                hello = await self._receive()
        except TimeoutError:
            raise FaultError("no_hello") from None
        if not isinstance(hello, Hello):
            raise FaultError("bad_message", where="type")
        if hello.v != VERSION:
            raise FaultError("version", here=VERSION)
        if self._only_looks and not hello.watch:
            raise FaultError("wrong_secret")
        seat = EVERYBODY if hello.watch else hello.seat
        table = await tables.enter(hello.table, seat, hello.secret)
        tables.check_room_for_tab(table, seat)
        tab = Tab(seat, self.send, self.end)
        hints: set[asyncio.Task[None]] = set()
        try:
            table.join(tab, None if hello.seq is None else At(hello.seq, hello.takebacks))
            await self._listen(table, tab, hints)
        finally:
            for task in hints:
                task.cancel()
            table.leave(tab)
            await asyncio.shield(tables.left(table))  # the socket may end while the table is busy

    async def _listen(self, table: Table, tab: Tab, hints: "set[asyncio.Task[None]]") -> None:
        bad = 0
        while True:
            try:
                message = await self._receive()
            except BadMessageError as fault:
                bad += 1
                if bad > self._config.bad_messages:
                    raise
                self.tell(fault)
                continue
            match message:
                case Move():
                    at = At(message.seq, message.takebacks)
                    await asyncio.shield(table.move(tab, message.id, at, message.move))
                case Continue():
                    await asyncio.shield(table.go_on(tab, message.id, At(message.seq, message.takebacks)))
                case Takeback():
                    await asyncio.shield(table.take_back(tab, message.id, At(message.seq, message.takebacks)))
                case Resign():
                    await asyncio.shield(table.resign(tab, message.id))
                case AskHint():
                    for task in hints:  # the newest question counts
                        task.cancel()
                    task = asyncio.create_task(table.hint(tab, message.seq, message.agent))
                    hints.add(task)
                    task.add_done_callback(hints.discard)
                case SetPace() | Agree():
                    try:
                        if isinstance(message, Agree):
                            await table.agree(tab, message.hints)
                        elif tab.seat != EVERYBODY:
                            await table.set_pace(message.pace)
                    except sqlite3.Error:
                        self.tell(FaultError("failed"))
                case OneStep():
                    if tab.seat != EVERYBODY:
                        table.step()
                case Ping():
                    self.send(encode({"type": "pong"}))
                case Hello():
                    self.tell(FaultError("bad_message", where="type"))


class BadMessageError(FaultError):
    """Not a message of the protocol; some of them are forgiven."""


def _fault_of(talker: "asyncio.Task[None]") -> FaultError | None:
    """Why the talk has ended; None if the other side went away."""
    error = talker.exception() if talker.done() else None
    if error is None or isinstance(error, GoneError):
        return None
    if isinstance(error, FaultError):
        return error
    raise error
