"""What somebody who means harm does: uses up the server, learns from a move's time, counts a game away."""

import contextlib
import json
import random
import socket as sockets
import threading
import time
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection

import fuda
from fuda.records import dumps, loads
from tests.serve.harness import PATIENCE, Client, Owner, Server, close_code, open_socket
from tests.serve.test_records import played
from tests.serve.test_tables import play_out, random_seats

LOBBY = "/api/v1/lobby"


def test_padded_records_are_stored_without_the_padding_and_lists_hold_up_nobody(new_server):
    server = new_server(agent_workers=1)
    owner = Owner(server)
    text = dumps(played("gongzhu"))
    first, rest = text.split("\n", 1)
    padded = first.replace("{", "{" + " " * (2**20 - len(text) - 1000), 1) + "\n" + rest
    for _ in range(8):
        info = owner.ask("POST", "/records", {"file": padded})
    file = owner.ask("GET", f"/records/{info['record']}/file").decode()
    assert file == text
    assert sum(path.stat().st_size for path in server.data.glob("table.sqlite*")) < 2**20
    assert len(owner.ask("GET", "/records")["records"]) == 8


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_do_not_use_up_what_the_page_may_ask(new_server, site: str):
    """A picture or a script from here in another page: simple requests without Origin, many of them."""
    server = new_server(agent_workers=1, request_rate=0.01, request_burst=10)
    foreign = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", "Origin": None}
    for _ in range(20):
        status, answer = server.request("GET", LOBBY, headers=foreign)
        assert (status, answer["error"]["code"]) == (403, "bad_origin")
    own = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    assert server.request("GET", LOBBY, headers=own)[0] == 200


def test_a_link_on_another_site_leads_to_the_page(server: Server):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert server.request("GET", "/", headers=link | {"Origin": None})[0] == 200
    frame = link | {"Sec-Fetch-Dest": "iframe", "Origin": None}
    assert server.request("GET", "/", headers=frame)[0] == 403
    assert server.request("GET", LOBBY, headers=link | {"Origin": None})[0] == 403


def raw(server: Server, data: bytes) -> sockets.socket:
    connection = sockets.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    connection.sendall(data)
    return connection


def received(connection: sockets.socket) -> bytes:
    """All that comes until the other side closes."""
    told = b""
    with connection, contextlib.suppress(ConnectionResetError):
        while part := connection.recv(2**16):
            told += part
    return told


def head(server: Server, *lines: str, method: str = "GET", path: str = LOBBY) -> bytes:
    return "\r\n".join((f"{method} {path} HTTP/1.1", f"Host: {server.host}", *lines, "")).encode()


def test_half_requests_end(new_server):
    server = new_server(agent_workers=1, request_seconds=0.6)
    post = head(
        server, f"Origin: {server.origin}", "Content-Length: 100", method="POST", path="/api/v1/nothing"
    )
    halves = {
        "nothing": raw(server, b""),
        "half a line": raw(server, b"GET /api"),
        "no end of the headers": raw(server, head(server)),
        "half a body": raw(server, post + b"\r\n" + b"x"),
    }
    dripping = raw(server, head(server))
    stop = threading.Event()

    def drip() -> None:
        with contextlib.suppress(OSError):
            while not stop.wait(0.1):
                dripping.sendall(b"x: y\r\n")

    threading.Thread(target=drip, daemon=True).start()
    for connection in (*halves.values(), dripping):
        received(connection)  # it ends at all
    stop.set()
    assert server.request("GET", LOBBY)[0] == 200


def test_who_does_not_read_an_answer_is_let_go(new_server):
    server = new_server(agent_workers=1, request_seconds=0.6, connections=4, request_burst=10**6)
    script = max(
        Path(fuda.__file__).parent.glob("serve/static/assets/*.js"), key=lambda file: file.stat().st_size
    )
    asked = head(server, path=f"/assets/{script.name}") + b"\r\n"
    lazy = []
    for _ in range(3):
        connection = sockets.socket()
        connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(asked * 100)
        lazy.append(connection)
    time.sleep(1.5)
    assert server.request("GET", LOBBY)[0] == 200
    for connection in lazy:
        connection.close()


def test_headers_have_a_limit_also_in_one_piece(server: Server):
    line = "x-long: " + "x" * 20_000
    assert b" 413 " in received(raw(server, head(server, line) + b"\r\n")).split(b"\r\n")[0]
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Origin: {server.origin}", line)
    told = received(raw(server, head(server, *upgrade, path="/api/v1/socket") + b"\r\n"))
    assert told.startswith(b"HTTP/1.1 400 ")


def test_a_socket_that_is_never_opened_ends(new_server):
    server = new_server(agent_workers=1, request_seconds=0.5)
    line = "x-long: " + "x" * 10_000  # over what the handshake takes, which then says nothing at all
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Origin: {server.origin}", line)
    received(raw(server, head(server, *upgrade, path="/api/v1/socket") + b"\r\n"))
    owner = Owner(server)  # one that is open stays so
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    time.sleep(1.0)
    client.until_asked()
    client.close()


def test_a_request_with_two_lengths_is_refused(server: Server):
    asked = head(
        server, f"Origin: {server.origin}", "Content-Type: application/json", "Content-Length: 2",
        "Transfer-Encoding: chunked", method="POST", path="/api/v1/owners",
    )  # fmt: skip
    smuggled = head(server) + b"\r\n"
    told = received(raw(server, asked + b"\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled))
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.count(b"HTTP/1.1 ") == 1


def test_one_address_does_not_take_all_connections(new_server):
    server = new_server(agent_workers=1, connections_of_address=3)
    kept = [raw(server, b"GET ") for _ in range(3)]
    assert received(raw(server, b"")).startswith(b"HTTP/1.1 503 ")
    for connection in kept:
        connection.close()
    assert server.request("GET", LOBBY)[0] == 200


def hello_to(socket: ClientConnection, table: dict) -> None:
    """Sit down in seat 0."""
    seat = {"table": table["table"], "seat": 0, "secret": table["seats"][0]["secret"]}
    socket.send(json.dumps({"type": "hello", "v": 1, **seat}))


def test_one_owner_does_not_take_all_sockets(new_server):
    server = new_server(agent_workers=1, sockets_of_owner=2)
    greedy, other = Owner(server), Owner(server)
    tables = [greedy.new_table("gongzhu", random_seats("gongzhu")) for _ in range(3)]
    kept = [greedy.sit(table) for table in tables[:2]]
    socket = open_socket(server)
    hello_to(socket, tables[2])
    assert close_code(socket) == 4429
    client = other.sit(other.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    for each in (*kept, client):
        each.close()


def test_one_address_does_not_take_all_sockets_tables_and_owners(new_server):
    limits = {"sockets_of_address": 2, "tables_of_address": 3, "owners_of_address": 3, "tables": 2}
    server = new_server(agent_workers=1, **limits)
    owners = [Owner(server) for _ in range(3)]
    status, answer = server.request("POST", "/api/v1/owners", {})
    assert (status, answer["error"]["code"]) == (429, "too_many_owners")
    tables = [owners[number].new_table("gongzhu", random_seats("gongzhu")) for number in (0, 0, 1)]
    body = {"game": "gongzhu", "seats": random_seats("gongzhu")}
    for owner in owners:
        status, answer = server.request("POST", "/api/v1/tables", body, owner.secret)
        assert (status, answer["error"]["code"]) == (429, "too_many_tables")
    kept = [owners[0].sit(table) for table in tables[:2]]
    with pytest.raises(InvalidStatus):
        open_socket(server)
    for client in kept:
        client.close()


def test_owners_and_tables_without_a_move_expire(new_server):
    server = new_server(agent_workers=1, owner_days=0, unplayed_days=0)
    idle, begun, playing = (Owner(server) for _ in range(3))
    begun.new_table("gongzhu", random_seats("gongzhu"))
    client = playing.sit(playing.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    assert client.move(client.view["legal"][0])["type"] == "ack"
    client.close()
    server.stop()
    server.start()  # this is when it looks, and each hour
    deadline = time.monotonic() + PATIENCE
    while server.request("GET", "/api/v1/tables", None, idle.secret)[0] != 401:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert server.request("GET", "/api/v1/tables", None, begun.secret)[0] == 401
    assert len(playing.ask("GET", "/tables")["tables"]) == 1


TURNS = 4


@pytest.mark.parametrize("slot", [0.25])
def test_the_time_of_a_move_does_not_tell_a_forced_one(new_server, slot: float):
    """Each move comes in its slot, whether there was a choice or not."""
    server = new_server(agent_workers=1, slot_seconds=slot)
    owner = Owner(server)
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    luck, times = random.Random(4), []
    for _ in range(TURNS):
        client.until_asked()
        client.move(luck.choice(client.view["legal"]))
        client.expect("moved")
        told = time.monotonic()
        while not client.my_turn and client.state == "playing":
            client.receive()
            now = time.monotonic()
            times.append(now - told)
            told = now
    client.close()
    assert len(times) >= 9
    # No move comes at once. One that is read late makes the next look early: so all together, less one a turn
    assert sum(times) > slot * (len(times) - TURNS)


def test_at_a_table_of_agents_alone_nobody_waits_for_slots(new_server):
    server = new_server(agent_workers=1, slot_seconds=30.0)
    owner = Owner(server)
    watcher = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu", None)))
    for _ in range(10):
        watcher.expect("moved")
    watcher.close()


def with_own_cards(client: Client, game: str) -> str:
    """The running position as a record: one's own cards, and the others' dealt out anyhow."""
    view = client.view
    deck = [f"{suit}{rank}" for suit in "SHDC" for rank in (*range(2, 11), "J", "Q", "K", "A")]
    own = view["hand"]
    others = [card for card in deck if card not in own]
    hands = [own, others[:13], others[13:26], others[26:]]
    return dumps(fuda.game(game).start(deal={"hands": hands, "leader": view["leader"]}))


def test_advice_on_the_running_position_is_a_hint_also_by_a_record(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    plain = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    stranger = Owner(owner.server)  # another browser of the same person
    stranger.ask("POST", "/records", {"file": with_own_cards(client, "gongzhu")})
    assert owner.ask("GET", f"/tables/{table['table']}")["hints"]
    assert not owner.ask("GET", f"/tables/{plain['table']}")["hints"]
    play_out(client, random.Random(1))
    client.close()
    record = client.seen[-1]["result"]["record"]
    (info,) = [each for each in owner.ask("GET", "/records")["records"] if each["record"] == record]
    assert info["hints"]


def test_an_old_record_is_no_hint(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    owner.ask("POST", "/records", {"file": dumps(played("gongzhu"))})
    assert not owner.ask("GET", f"/tables/{table['table']}")["hints"]


def test_a_game_deleted_while_it_runs_counts_as_given_up(owner: Owner):
    untouched = owner.new_table("gongzhu", random_seats("gongzhu"))
    owner.ask("DELETE", f"/tables/{untouched['table']}")
    assert owner.ask("GET", "/results")["results"] == []
    for looked_at in (True, False):
        table = owner.new_table("gongzhu", random_seats("gongzhu"))
        client = owner.sit(table)
        play_out(client, random.Random(1), 1)
        if not looked_at:
            client.close()
            server_has_forgotten(owner, table)
        owner.ask("DELETE", f"/tables/{table['table']}")
    (standing,) = owner.ask("GET", "/results")["results"]
    assert standing["plain"] == {"games": 2, "wins": 0, "draws": 0, "losses": 2, "resigned": 2}


def server_has_forgotten(owner: Owner, table: dict) -> None:
    """Wait until the table is not in the server's memory any more."""
    while owner.ask("GET", f"/tables/{table['table']}")["to_move"] is not None:
        time.sleep(0.02)


def test_a_result_stays_when_its_record_is_deleted(owner: Owner):
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    play_out(client, random.Random(2))
    client.close()
    before = owner.ask("GET", "/results")
    assert before["results"][0]["plain"]["games"] == 1
    owner.ask("DELETE", f"/records/{client.seen[-1]['result']['record']}")
    assert owner.ask("GET", "/records")["records"] == []
    assert owner.ask("GET", "/results") == before


def test_what_is_downloaded_is_what_was_played(owner: Owner):
    text = dumps(played("koikoi"))
    info = owner.ask("POST", "/records", {"file": text.replace('": ', '":  ')})
    assert loads(owner.ask("GET", f"/records/{info['record']}/file").decode(), "download") == played("koikoi")
