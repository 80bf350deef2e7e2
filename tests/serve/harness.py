"""The real server as a process, and a client that speaks its protocol and checks every answer."""

import asyncio
import contextlib
import http.client
import itertools
import json
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from fuda.serve import protocol, sums
from fuda.serve.store import FILE
from tests.serve import program

T = TypeVar("T")
# Servers are forked from one process that has imported all they need: a new one takes a second less.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.serve.program"])
FROM_SERVER: TypeAdapter[Any] = TypeAdapter(protocol.FromServer)
API = "/api/v1"
LOST = 1006
PATIENCE = 120  # seconds until an answer that did not come will not come
# Deadlines that a busy machine keeps, too. Tests of a deadline have one of their own.
DEADLINES = dict.fromkeys(
    ("act_seconds", "hint_seconds", "clerk_seconds", "hello_seconds", "body_seconds", "request_seconds"), 60.0
)
# Tests of what a move's time tells have slots of their own. Each process for agents takes half a second.
QUICK = {"slot_seconds": 0.005, "agent_workers": 1}


class Server:
    """A server process on a free port, with its database in a folder."""

    def __init__(self, data: Path, **settings: Any):
        self.data = data
        self.settings = DEADLINES | QUICK | settings
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it; the same port again, if it had one."""
        told, started = PROCESSES.Pipe(duplex=False)
        arguments = (self.data, self.port, dict(self.settings), started)
        self.process = PROCESSES.Process(target=program.main, args=arguments)
        self.process.start()
        started.close()
        with told:
            self.port = told.recv()  # an EOFError if it ended before

    def kill(self) -> None:
        """Kill it without a warning."""
        self.process.kill()
        self.wait()

    def wait(self) -> int:
        """Wait until it has ended."""
        self.process.join(PATIENCE)
        assert self.process.exitcode is not None, "the server did not end"
        return self.process.exitcode

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        if self.process.is_alive():
            assert self.process.pid is not None
            os.kill(self.process.pid, signal.SIGINT)
            self.wait()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        owner: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """One request: status, and the parsed answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {"Host": self.host, "Origin": self.origin}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if owner is not None:
            sent["Authorization"] = f"Bearer {owner}"
        sent |= headers or {}
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        try:
            connection.request(
                method, path, content, {name: value for name, value in sent.items() if value is not None}
            )
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        kind = answer.headers.get("content-type", "")
        return answer.status, json.loads(text) if text and kind == "application/json" else text

    def ask(self, method: str, path: str, body: object = None, owner: str | None = None) -> Any:
        """One request under the API that must succeed."""
        status, answer = self.request(method, API + path, body, owner)
        assert status == 200, answer
        return answer


class Owner:
    """A browser: an owner's secret and the tables that it makes."""

    def __init__(self, server: Server, secret: str | None = None):
        self.server = server
        self.secret: str = secret or server.ask("POST", "/owners", {})["secret"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        return self.server.ask(method, path, body, self.secret)

    def new_table(self, game: str, seats: list[dict[str, str]], **more: Any) -> dict[str, Any]:
        wanted = {"game": game, "seats": seats, "pace": {"delay": 0, "paused": False}} | more
        table = self.ask("POST", "/tables", wanted)
        protocol.TableInfo.model_validate(table)
        return dict(table)

    def sit(
        self, table: dict[str, Any], seat: int = 0, seq: int | None = None, takebacks: int = 0
    ) -> "Client":
        """Connect to a seat, or to watch; `seq` and `takebacks` are what a page has seen before."""
        secret = table["seats"][seat].get("secret") or self.secret
        return Client(self.server, table["table"], seat, secret, seq, takebacks=takebacks)


class Client:
    """One tab. Every message from the server is validated and kept in `seen`."""

    numbers = itertools.count()

    def __init__(
        self,
        server: Server,
        table: str,
        seat: int,
        secret: str,
        seq: int | None = None,
        watch: bool = False,
        cookie: str = "",
        takebacks: int = 0,
    ):
        self.socket: ClientConnection = open_socket(server, **({"Cookie": cookie} if cookie else {}))
        self.seat = seat
        self.seen: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.seq = -1
        self.takebacks = takebacks
        self.state = ""
        hello = {"table": table, "seat": seat, "secret": secret, "seq": seq, "takebacks": takebacks}
        self.send(type="hello", v=1, **hello, watch=watch)
        self.table = self.expect("welcome")["table"]

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message; keeps up with the table."""
        text = self.socket.recv(seconds)
        message: dict[str, Any] = json.loads(text)
        FROM_SERVER.validate_python(message)
        self.seen.append(message)
        news = message.get("snapshot") or message
        if "view" in news:
            self.view, self.seq, self.state = news["view"], news["seq"], news["state"]
            self.takebacks = news.get("takebacks", self.takebacks)  # snapshots tell them
        return message

    def expect(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while (message := self.receive())["type"] not in kinds:
            assert message["type"] != "error", message
        return message

    def new_id(self) -> str:
        return f"{os.getpid()}-{next(self.numbers)}"

    def move(self, move: str, seq: int | None = None, message_id: str | None = None) -> dict[str, Any]:
        """Send a move; the answer is returned."""
        seq = self.seq if seq is None else seq
        return self.decide("move", message_id, seq=seq, move=move)

    def go_on(self) -> dict[str, Any]:
        return self.decide("continue")

    def take_back(self, message_id: str | None = None, **more: Any) -> dict[str, Any]:
        return self.decide("takeback", message_id, **more)

    def decide(self, kind: str, message_id: str | None = None, **more: Any) -> dict[str, Any]:
        """Send a decision about the position that this tab sees; the answer is returned."""
        at = {"seq": self.seq, "takebacks": self.takebacks}
        self.send(type=kind, id=message_id or self.new_id(), **at | more)
        return self.expect("ack", "refused")

    def until_asked(self) -> None:
        """Read until this seat is to move, a round is over, or all is."""
        while not (self.state == "over" or self.state == "between" or self.my_turn):
            self.receive()

    @property
    def my_turn(self) -> bool:
        return self.state == "playing" and self.view.get("to_move") == self.seat

    def close_code(self) -> int:
        """With which code the server closes the socket."""
        return close_code(self.socket)

    def close(self) -> None:
        self.socket.close()


def open_socket(server: Server, **headers: str) -> ClientConnection:
    """A socket, not yet at a table."""
    opening = connect(
        f"ws://{server.host}{API}/socket",
        origin=server.origin,  # type: ignore[arg-type]
        additional_headers=headers,
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,  # a server that compiles a game is not lost
        compression=None,
    )
    return opening.__enter__()  # closed by the one who uses it


def close_code(socket: ClientConnection) -> int:
    """Read to the end: the code of the server's close, LOST if it could not be read."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            socket.recv(PATIENCE)
    received = socket.protocol.close_rcvd
    return LOST if received is None else int(received.code)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run in a thread of its own: tests of the page leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def old_insert(table: str, **values: Any) -> tuple[str, tuple[Any, ...]]:
    """A statement that adds a row as databases had them before rows had sums."""
    stored = [json.dumps(value) if isinstance(value, list | dict) else value for value in values.values()]
    names, places = ", ".join(values), ", ".join("?" * len(values))
    return f"INSERT INTO {table} ({names}) VALUES ({places})", tuple(stored)


@contextlib.contextmanager
def changing(data: Path) -> Iterator[sqlite3.Connection]:
    """The database of a server that does not run, to be changed as the server itself would."""
    with closing(sqlite3.connect(data / FILE)) as database, database:
        sums.add_function(database)
        yield database
        sums.stamp_all(database)


def stored_deals(data: Path, table: str) -> list[Any]:
    """The deals of a table that are in the database of a server, whether it runs or not."""
    found = _stored(data, "SELECT deal FROM deals WHERE table_id = ? ORDER BY number", table)
    return [json.loads(deal) for (deal,) in found]


def stored_moves(data: Path, table: str) -> list[tuple[int, str]]:
    """The moves of a table that are in the database, also those that not all seats know."""
    return _stored(data, "SELECT seat, move FROM moves WHERE table_id = ? ORDER BY seq", table)


def _stored(data: Path, query: str, table: str) -> list[Any]:
    with closing(sqlite3.connect(data / FILE)) as database:
        return database.execute(query, (table,)).fetchall()


def wait_until(condition: Any, seconds: float = PATIENCE) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
