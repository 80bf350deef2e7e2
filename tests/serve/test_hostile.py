"""Malformed and hostile messages over socket and HTTP: no crash, no wrong state, clear errors."""

import contextlib
import http.client
import json
import random
import socket as sockets

import pytest
from websockets.exceptions import ConnectionClosed

from fuda.serve.faults import STATUS
from tests.serve.harness import Owner, Server
from tests.serve.test_friends import next_to_move, play_together, seated
from tests.serve.test_tables import random_seats

MESSAGES = {False: 1000, True: 90_000}  # small, soak
REQUESTS = {False: 150, True: 10_000}
BATCH = 50
PEOPLE = (1, 2, 4)  # at a table: each has a part of the messages

JUNK = (
    None, True, -1, 0, 1.5, 10**9, 10**30, 1e400, "", "x", "SQ", "pass", "1-1", "../../etc/passwd",
    "'; DROP TABLE moves; --", "\x00", "\ud800", "\u202e", "x" * 200, "x" * 500, [], {}, [[]], [None] * 50,
    {"a": {"b": {"c": {}}}}, "NaN", "__proto__", "constructor", "hello", "move", "resign", "continue", "hint",
)  # fmt: skip
KEYS = (
    "type", "id", "seq", "move", "agent", "pace", "v", "table", "seat", "secret", "delay", "paused", "x",
    "takebacks", "hints", "watch",
)  # fmt: skip
TYPES = ("hello", "move", "continue", "takeback", "resign", "hint", "agree", "pace", "step", "ping", "x")


def hostile(luck: random.Random) -> str:
    """Something that is almost a message, or not at all; never one that could change the table."""
    match luck.randrange(8):
        case 0:
            return "".join(chr(luck.randrange(1, 0xD7FF)) for _ in range(luck.randrange(60)))
        case 1:
            return luck.choice("[{") * luck.randrange(1, 2000)
        case 2:
            return json.dumps(luck.choice(JUNK))
        case 3:
            return '{"type":' * luck.randrange(1, 300) + "1" + "}" * luck.randrange(300)
        case 4:
            whole = json.dumps({"type": luck.choice(TYPES), "id": "a", "seq": -3, "move": "SQ"})
            return whole[: luck.randrange(len(whole))]
        case _:
            message = {luck.choice(KEYS): luck.choice(JUNK) for _ in range(luck.randrange(6))}
            message["type"] = luck.choice(TYPES)
            if message["type"] in ("resign", "agree"):  # a good one would end the game, or be told to all
                message["x"] = 1
            if luck.random() < 0.5:
                message |= {"id": luck.choice("abc"), "seq": luck.choice((10**6, -5, 77)), "move": "SQ"}
            return json.dumps(message)


@pytest.mark.parametrize("people", PEOPLE)
def test_hostile_messages_on_a_socket(new_server, soak: bool, people: int):
    """From each of those at a table in turn: nobody else hears of it, and the game goes on."""
    server = new_server(
        agent_workers=1, message_rate=1e6, message_burst=10**6, bad_messages=10**6, outgoing_messages=10**5
    )
    owners = [Owner(server) for _ in range(people)]
    table, clients = seated(owners, "gongzhu")
    luck = random.Random(2)
    play_together(clients, luck, 2)
    next_to_move(clients)
    positions = [(client.view, client.seq) for client in clients]
    answers = 0
    rounds = MESSAGES[soak] // BATCH // len(PEOPLE)
    for number in range(rounds):
        client = clients[number % people]
        for each in clients:
            each.seen.clear()
        texts = [hostile(luck) for _ in range(BATCH)]
        for text in texts:
            client.socket.send(text)
        client.send(type="ping")
        while client.receive()["type"] != "pong" or not is_last_pong(client, texts):
            pass
        answers += len(client.seen)
        kinds = {message["type"] for message in client.seen}
        assert kinds <= {"error", "refused", "no_hint", "paced", "pong"}
        for other in clients:
            if other is not client:
                other.send(type="ping")
                other.expect("pong")
                assert {message["type"] for message in other.seen} <= {"paced", "pong"}
        assert [(each.view, each.seq) for each in clients] == positions
    assert answers > rounds * BATCH // 2
    assert server.process.is_alive()
    fresh = owners[0].sit(table)
    assert fresh.expect("snapshot")["view"] == positions[0][0]
    fresh.close()
    play_together(clients, luck)
    for client in clients:
        assert client.seq == 52
        client.close()


def is_last_pong(client, texts: list[str]) -> bool:
    """Whether no further pong is due: some of the texts were pings themselves."""
    pings = sum(is_ping(text) for text in texts) + 1
    return sum(message["type"] == "pong" for message in client.seen) == pings


def is_ping(text: str) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text) == {"type": "ping"}
    return False


def test_some_bad_messages_are_forgiven_and_then_no_more(owner: Owner):
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    client.send(type="nonsense")
    assert client.receive()["error"] == {"code": "bad_message", "params": {"where": ""}}
    client.socket.send("{")
    assert client.receive()["error"]["code"] == "bad_json"
    client.send(type="move", id="a", seq="0", move="SQ")
    assert client.receive()["error"] == {"code": "bad_message", "params": {"where": "move.seq"}}
    client.send(type="move", id="a b", seq=0, move="SQ")
    assert client.receive()["error"]["params"] == {"where": "move.id"}
    with contextlib.suppress(ConnectionClosed):
        for _ in range(30):
            client.socket.send("[]")
    assert client.close_code() == 4400


PATHS = (
    "/", "/api/v1/lobby", "/api/v1/owners", "/api/v1/tables", "/api/v1/tables/x", "/api/v1/tables/x/rematch",
    "/api/v1/records", "/api/v1/records/x", "/api/v1/records/x/replay", "/api/v1/records/x/replay?first=-1",
    "/api/v1/records/x/replay?count=9999", "/api/v1/records/x/values", "/api/v1/records/x/file",
    "/api/v1/tables/x/invitations", "/api/v1/tables/x/leave", "/api/v1/join", "/api/v1/records/x/share",
    "/api/v1/records/x/review", "/api/v1/records/x/review?seat=99", "/api/v1/records/x/again",
    "/i/x", "/i/x/-1", "/api/v1/watched/x", "/api/v1/shared/x/replay", "/api/v1/shared/x/replay?first=-1",
    "/health",
    "/api/v1/puzzles", "/api/v1/puzzles/x",
    "/api/v1/results", "/api/v1/socket", "/api/v2/lobby", "/etc/passwd", "/..%2f..%2fetc/passwd", "/%ff",
    "/" + "x" * 5000,
)  # fmt: skip


def test_hostile_requests(server: Server, owner: Owner, soak: bool):
    luck = random.Random(3)
    before = owner.ask("GET", "/lobby")
    for _ in range(REQUESTS[soak]):
        method = luck.choice(("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "X"))
        path = luck.choice(PATHS)
        body = luck.choice((None, hostile(luck).encode("utf-8", "replace")))
        secret = luck.choice((None, owner.secret, "x", "\xff"))
        status, answer = request(server, method, path, body, secret)
        good = method in ("GET", "HEAD") or path.endswith("/owners")
        # Never 503: that would be a fault of the server.
        assert status in {*STATUS.values(), 200 if good else 404} - {503}, (method, path, body, answer)
        if status >= 400 and method != "HEAD" and path != "/":
            assert STATUS[answer["error"]["code"]] == status
    assert owner.ask("GET", "/lobby") == before
    assert owner.ask("GET", "/tables")["tables"] == []


def request(server: Server, method: str, path: str, body: bytes | None, secret: str | None):
    try:
        return server.request(method, path, body, secret)
    except http.client.HTTPException as error:
        raise AssertionError(f"{method} {path} broke the connection") from error


def test_what_is_not_http_at_all(server: Server, owner: Owner):
    for raw in (
        b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000,
        b"POST /api/v1/owners HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"\r\n" * 1000, b"GET\x00/\r\n\r\n",
        b"POST /api/v1/owners HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"A" * 100_000,
    ):  # fmt: skip
        connection = sockets.create_connection(("127.0.0.1", server.port), timeout=10)
        with connection, contextlib.suppress(OSError):
            connection.sendall(raw)
            connection.shutdown(sockets.SHUT_WR)
            answer = connection.recv(4096)
            assert answer == b"" or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 403")), answer
    assert owner.ask("GET", "/tables")["tables"] == []
