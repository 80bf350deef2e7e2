"""Who is let in: Host, Origin, secrets, sizes, and what the page's files are."""

import contextlib
import http.client
import json
import re
import socket as sockets
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fuda.serve import protocol
from fuda.serve.names import clean_name
from tests.serve.harness import DEADLINES, LOST, PATIENCE, Owner, Server, close_code, open_socket, wait_until
from tests.serve.test_tables import random_seats

LOBBY = "/api/v1/lobby"


def test_the_lobby_and_the_schema(server: Server):
    lobby = server.ask("GET", "/lobby")
    protocol.Lobby.model_validate(lobby)
    assert {game["id"] for game in lobby["games"]} == {agent["game"] for agent in lobby["agents"]}
    names = {agent["name"] for agent in lobby["agents"]}
    assert all(game["fallback"] in names for game in lobby["games"])
    assert any(agent["duels"] for agent in lobby["agents"])
    stored = Path(protocol.__file__).with_name("schema.json").read_text()
    assert json.loads(stored) == json.loads(json.dumps(protocol.schema()))


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Host": "evil.example"}, "bad_host"),
        ({"Host": "127.0.0.1"}, "bad_host"),
        ({"Host": "127.0.0.1:1"}, "bad_host"),
        ({"Host": "localhost.evil.example:{port}"}, "bad_host"),
        ({"Host": "127.0.0.1:{port}@evil.example"}, "bad_host"),
        ({"Origin": "http://evil.example"}, "bad_origin"),
        ({"Origin": "null"}, "bad_origin"),
        ({"Origin": "https://127.0.0.1:{port}"}, "bad_origin"),
        ({"Origin": "http://127.0.0.1:{port}.evil.example"}, "bad_origin"),
        ({"Origin": "http://localhost:{port}"}, "bad_origin"),  # another name than that of Host
        ({"Origin": "http://127.0.0.1:{port}/"}, "bad_origin"),
    ],
)
def test_foreign_hosts_and_origins(server: Server, headers: dict[str, str], code: str):
    filled = {name: value.format(port=server.port) for name, value in headers.items()}
    for method, path, body in (("GET", LOBBY, None), ("POST", "/api/v1/owners", {})):
        status, answer = server.request(method, path, body, headers=filled)
        assert (status, answer["error"]["code"]) == (403, code)
    assert server.request("GET", "/", headers=filled)[0] == 403
    with pytest.raises(InvalidStatus) as refused:
        raw_socket(server, filled)
    assert refused.value.response.status_code == 403


def raw_socket(server: Server, headers: dict[str, str]) -> None:
    """Open a socket with exactly these headers in the place of the right ones."""
    origin = headers.get("Origin", server.origin)
    host = headers.get("Host", server.host)
    connection = sockets.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    with connect(
        f"ws://{host}/api/v1/socket", origin=origin, sock=connection, open_timeout=PATIENCE, compression=None
    ):
        raise AssertionError("it was let in")


def test_a_change_needs_an_origin_and_json(server: Server):
    path = "/api/v1/owners"
    assert server.request("POST", path, {}, headers={"Origin": None})[1]["error"]["code"] == "bad_origin"
    status, answer = server.request("POST", path, b"{}", headers={"Content-Type": "text/plain"})
    assert (status, answer["error"]["code"]) == (415, "not_json")
    status, answer = server.request("POST", path, b"{", headers={"Content-Type": "application/json"})
    assert (status, answer["error"]["code"]) == (400, "bad_json")
    status, answer = server.request("POST", path, b"[" * 10_000)
    assert (status, answer["error"]["code"]) == (400, "bad_json")
    status, answer = server.request("POST", path, b" " * 5_000_000)
    assert (status, answer["error"]["code"]) == (413, "too_large")
    with pytest.raises(InvalidStatus):
        raw_socket(server, {"Origin": None})  # type: ignore[dict-item]


def test_secrets(owner: Owner, server: Server):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    other = Owner(server)
    mine = table["seats"][0]["secret"]
    assert "secret" not in json.dumps(server.ask("GET", "/lobby"))
    for secret in (None, "", "x", other.secret[:-1], owner.secret + "x", mine):
        status, answer = server.request("GET", "/api/v1/tables", None, secret)
        assert (status, answer["error"]["code"]) == (401, "wrong_secret")
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/rematch")):
        path = f"/api/v1/tables/{table['table']}{path}"
        body = {} if method == "POST" else None
        assert server.request(method, path, body, other.secret)[0] == 404
    foreign = other.new_table("gongzhu", random_seats("gongzhu", 1))
    for seat, secret in (
        (0, "x"), (0, owner.secret), (1, mine), (9, mine),
        (0, foreign["seats"][1]["secret"]), (0, other.secret),
    ):  # fmt: skip
        assert hello(server, table["table"], seat, secret) == 4401
    assert hello(server, "no-such-table", 0, mine) == 4401
    watched = owner.new_table("gongzhu", random_seats("gongzhu", None))
    assert hello(server, watched["table"], 0, other.secret) == 4401
    database = b"".join(file.read_bytes() for file in server.data.glob("table.sqlite*"))
    assert mine.encode() not in database
    assert owner.secret.encode() not in database


def hello(server: Server, table: str, seat: int, secret: str, v: int = 1) -> int:
    """The code with which a hello is sent away."""
    socket = open_socket(server)
    socket.send(json.dumps({"type": "hello", "v": v, "table": table, "seat": seat, "secret": secret}))
    return close_code(socket)


def test_a_socket_must_say_hello(server: Server, new_server):
    for first in ("{", "[]", '{"type":"ping"}', json.dumps({"type": "hello"}), "\x00", "9" * 4000):
        socket = open_socket(server)
        socket.send(first)
        assert close_code(socket) == 4400, first
    socket = open_socket(server)
    socket.send(b"bytes")
    assert close_code(socket) == 4400
    assert hello(server, "t", 0, "s", v=2) == 4400
    socket = open_socket(server)
    with contextlib.suppress(ConnectionClosed):  # it may be sent away before all is sent
        socket.send("x" * 5_000_000)
    assert close_code(socket) in (1009, LOST)  # who still sends may miss the answer
    hasty = new_server(agent_workers=1, hello_seconds=1.0)
    assert close_code(open_socket(hasty)) == 4408


def test_too_many_messages_and_sockets(new_server):
    strict = new_server(agent_workers=1, message_burst=5, message_rate=0.1, sockets=2)
    owner = Owner(strict)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    with contextlib.suppress(ConnectionClosed):  # it may be sent away before all ten are sent
        for _ in range(10):
            client.send(type="ping")
    assert client.close_code() == 4429
    kept = [owner.sit(table) for _ in range(2)]
    with pytest.raises(InvalidStatus) as full:
        open_socket(strict)
    assert full.value.response.status_code == 403
    for client in kept:
        client.close()


def test_a_reader_who_does_not_read_is_sent_away(new_server):
    limits = {"outgoing_messages": 8, "sockets_of_seat": 2, "message_rate": 1e6, "message_burst": 10**6}
    server = new_server(agent_workers=1, no_pings=True, **limits)
    owner = Owner(server)
    table = owner.new_table("koikoi", random_seats("koikoi"))
    good = owner.sit(table)
    good.until_asked()
    lazy = lazy_socket(server, table)
    for _ in range(4000):  # each is answered with a snapshot, which nobody reads
        try:
            lazy.sendall(lazy_frame({"type": "move", "id": "x", "seq": 99, "move": "1-1"}))
        except OSError:
            break
    # Who waited for the lazy one would wait for ever: the server does not even ask whether he is still there.
    assert good.move(good.view["legal"][0])["type"] == "ack"
    # Until what the system takes for a reader is full, and the queue is too: then there is room at the table.
    wait_until(lambda: has_room(server, table))
    lazy.settimeout(PATIENCE)
    rest = b""
    with contextlib.suppress(ConnectionResetError):  # closed without a word: the word did not fit in time
        while (4503).to_bytes(2, "big") + b"slow" not in rest and (part := lazy.recv(2**16)):
            rest = (rest + part)[-200:]
    lazy.close()
    good.close()


def has_room(server: Server, table: dict) -> bool:
    """Whether one more may sit down."""
    seat = {"table": table["table"], "seat": 0, "secret": table["seats"][0]["secret"]}
    with contextlib.closing(open_socket(server)) as socket:
        socket.send(json.dumps({"type": "hello", "v": 1, **seat}))
        return json.loads(socket.recv(PATIENCE))["type"] == "welcome"


def lazy_socket(server: Server, table: dict) -> sockets.socket:
    connection = sockets.socket()
    connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(
        (
            f"GET /api/v1/socket HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
    )
    assert b"101" in connection.recv(4096)
    secret = table["seats"][0]["secret"]
    connection.sendall(
        lazy_frame({"type": "hello", "v": 1, "table": table["table"], "seat": 0, "secret": secret})
    )
    assert b"welcome" in connection.recv(4096)
    connection.settimeout(5)  # where nothing more can be sent, enough was
    return connection


def lazy_frame(message: dict) -> bytes:
    """A text frame, masked with zeros."""
    data = json.dumps(message).encode()
    assert 126 <= len(data) + 126 < 65536
    return bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big") + bytes(4) + data


def test_too_many_requests_and_tables(new_server):
    server = new_server(agent_workers=1, request_rate=0.01, request_burst=8, tables=2)
    owner = Owner(server)
    for _ in range(2):
        owner.new_table("gongzhu", random_seats("gongzhu"))
    body = {"game": "gongzhu", "seats": random_seats("gongzhu")}
    status, answer = server.request("POST", "/api/v1/tables", body, owner.secret)
    assert (status, answer["error"]) == (429, {"code": "too_many_tables", "params": {"limit": 2}})
    names = [{"X-Forwarded-For": f"10.0.0.{number}"} for number in range(10)]  # of the same asker
    answers = [server.request("GET", LOBBY, headers=name)[0] for name in names]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_too_many_owners_too_many_tabs_and_bodies_that_do_not_come(new_server):
    server = new_server(agent_workers=1, owners=1, sockets_of_seat=1)
    owner = Owner(server)
    status, answer = server.request("POST", "/api/v1/owners", {})
    assert (status, answer["error"]["code"]) == (429, "too_many_owners")
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    assert hello(server, table["table"], 0, table["seats"][0]["secret"]) == 4429
    client.close()
    hasty = new_server(agent_workers=1, body_seconds=0.5)
    began = time.monotonic()
    headers = {"Content-Length": "10"}
    status, answer = hasty.request("POST", "/api/v1/owners", b"{", headers=headers)
    assert (status, answer["error"]["code"]) == (400, "bad_json")
    assert 0.4 < time.monotonic() - began < DEADLINES["body_seconds"]  # a minute, were its own not kept


def test_the_page_and_nothing_beside_it(new_server, tmp_path: Path):
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>fuda</title>")
    (page / "assets" / "app-1a2b.js").write_text("1;" * 1000)
    (page / "notes.secret").write_text("not a type that a page has")
    (tmp_path / "outside.html").write_text("outside")
    server = new_server(agent_workers=1, page=str(page))
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/", headers={"Host": server.host})
    answer = connection.getresponse()
    assert b"<title>fuda</title>" in answer.read()
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers
    connection.request("GET", "/", headers={"Host": server.host, "If-None-Match": answer.headers["etag"]})
    again = connection.getresponse()
    again.read()
    assert again.status == 304
    connection.request("GET", "/assets/app-1a2b.js", headers={"Host": server.host, "Accept-Encoding": "gzip"})
    script = connection.getresponse()
    assert len(script.read()) < 200
    assert script.headers["content-encoding"] == "gzip"
    assert "immutable" in script.headers["cache-control"]
    for path in (
        "/notes.secret", "/../outside.html", "/%2e%2e/outside.html", "/assets/../../outside.html",
        "/..%2foutside.html", "//etc/passwd", "/assets/", "/docs", "/redoc", "/openapi.json", "/api/v1/",
        "/api/v1/nothing", "/index.html/", "/%00", "/assets\\app-1a2b.js",
    ):  # fmt: skip
        connection.request("GET", path, headers={"Host": server.host})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 404, path
        assert json.loads(body)["error"]["code"] == "not_found"
    connection.close()
    assert server.request("PUT", "/api/v1/lobby", {})[0] == 405


@pytest.mark.parametrize(
    ("path", "accept", "page"),
    [
        ("/nothing", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("/nothing/deeper?x=1", "application/json, TEXT/HTML;q=0.5", True),
        ("/apis", "text/html", True),
        ("/nothing", None, False),
        ("/nothing", "*/*", False),
        ("/nothing", "application/json", False),
        ("/nothing", "text/html;q=0, */*", False),
        ("/nothing", "text/html; q=0.000", False),
        ("/nothing", "text/htmlx", False),
        ("/api", "text/html", False),
        ("/api/", "text/html", False),
        ("/api/v1/nothing", "text/html", False),
    ],
)
def test_an_address_that_leads_nowhere(server: Server, path: str, accept: str | None, page: bool):
    status, answer = server.request("GET", path, headers={"Accept": accept} if accept else None)
    assert status == 404
    if page:
        assert answer == server.request("GET", "/")[1]
    else:
        assert answer["error"]["code"] == "not_found"


def test_without_a_built_page_an_address_that_leads_nowhere_is_told(new_server, tmp_path: Path):
    server = new_server(agent_workers=1, page=str(tmp_path / "nowhere"))
    status, answer = server.request("GET", "/nothing", headers={"Accept": "text/html"})
    assert (status, answer["error"]["code"]) == (404, "not_found")


def test_without_a_built_page_the_server_says_so(new_server, tmp_path: Path):
    status, text = new_server(agent_workers=1, page=str(tmp_path / "nowhere")).request("GET", "/")
    assert (status, text[:21]) == (503, b"The page is not built")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \n Lovelace\t", "Ada Lovelace"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("\u2066x\u2069", "x"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\x00\x07\x1b[31mred", "[31mred"),
        ("", "?"),
        ("\u200b", "?"),
        ("<script>alert(1)</script>", "<script>alert(1)</script"),
        ("花札の名人", "花札の名人"),
        ("x" * 500, "x" * 24),
        ("Z" + "\u0300" * 50, "Z\u0300\u0300"),
        ("Z" + "\u0300\u0300\u200b" * 10, "Z\u0300\u0300"),
        ("A\u200b\u0300", "\u00c0"),
        ("\ue000private", "private"),
    ],
)
def test_names_are_text(given: str, shown: str):
    assert clean_name(given) == shown
    assert clean_name(shown) == shown


@settings(deadline=None)
@given(st.one_of(st.text(max_size=40), st.text("Ae \n\u0300\u0323\u200b\u1100\u1161", max_size=40)))
def test_a_clean_name_stays_as_it_is(given_name: str):
    name = clean_name(given_name)
    assert clean_name(name) == name
    assert not re.search("[\u0300\u0323]{3}", name)


def test_a_hostile_name_at_the_table(owner: Owner):
    seats = [{"person": "\u202eeve\x00"}, *random_seats("gongzhu")[1:]]
    table = owner.new_table("gongzhu", seats)
    assert table["seats"][0]["name"] == "eve"
    client = owner.sit(table)
    client.until_asked()
    assert client.table["seats"][0]["name"] == "eve"
    client.close()
