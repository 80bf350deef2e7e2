"""Two and more persons at a table: invited, seated, gone and back, replaced, looked at."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.explain.review import can_review
from fuda.records import loads
from fuda.serve import protocol
from fuda.serve.config import Config
from fuda.serve.network import host_of, is_here_alone, link_address
from tests.serve.harness import Client, Owner, Server, close_code, open_socket
from tests.serve.test_leak import check_messages
from tests.serve.test_network import KEY, PUBLIC, ask
from tests.serve.test_qr import read
from tests.serve.test_tables import TWO_ROUNDS

GAMES = fuda.list_games()


def seats_of(game: str, people: int) -> list[dict[str, Any]]:
    """The owner, those who are invited, and agents."""
    others = fuda.game(game).spec.seats - people
    invited = [{"person": "?", "invited": True}] * (people - 1)
    return [{"person": "Ada"}, *invited, *[{"agent": f"{game}/random"}] * others]


def seats_of_two(game: str) -> list[dict[str, Any]]:
    return seats_of(game, 2)


def invite(owner: Owner, table: dict, seat: int | None = 1) -> str:
    """The code of an invitation."""
    told = owner.ask("POST", f"/tables/{table['table']}/invitations", {"seat": seat})
    protocol.Invitation.model_validate(told)
    assert (told["link"], told["only_here"]) == (owner.server.origin + told["path"], True)
    assert read([[module == "1" for module in row] for row in told["qr"]]) == told["link"]
    return str(told["path"]).removeprefix("/i/")


def join(guest: Owner, code: str, name: str = "Bo") -> dict[str, Any]:
    told = guest.ask("POST", "/join", {"code": code, "name": name})
    protocol.Joined.model_validate(told)
    return dict(told["table"])


def refused(owner: Owner, path: str, body: dict) -> str:
    status, answer = owner.server.request("POST", f"/api/v1{path}", body, owner.secret)
    assert status >= 400, answer
    return str(answer["error"]["code"])


@pytest.fixture
def two(owner: Owner) -> tuple[Owner, Owner]:
    return owner, Owner(owner.server)


def tables_of(people: Sequence[Owner], game: str, **more: Any) -> list[dict[str, Any]]:
    """A new table of this game, as each of these sees it who sit in its first seats."""
    host, *guests = people
    table = host.new_table(game, seats_of(game, len(people)), **more)
    return [table, *[join(guest, invite(host, table, seat)) for seat, guest in enumerate(guests, 1)]]


def seated(people: Sequence[Owner], game: str, **more: Any) -> tuple[dict, list[Client]]:
    """Some at a table of this game."""
    tables = tables_of(people, game, **more)
    return tables[0], [
        person.sit(table, seat) for seat, (person, table) in enumerate(zip(people, tables, strict=True))
    ]


def play_together(clients: list[Client], luck: random.Random, most: int = 10**6) -> None:
    """Random moves of all of them to the end, or so many of them."""
    for _ in range(most):
        mover = next_to_move(clients)
        if mover is None:
            return
        answer = mover.go_on() if mover.state == "between" else mover.move(luck.choice(mover.view["legal"]))
        assert answer["type"] == "ack", answer
        mover.expect("moved", "continued")


@pytest.mark.parametrize("game", GAMES)
def test_two_play_a_whole_game_and_hear_nothing_of_each_others_cards(two, game: str):
    options = TWO_ROUNDS if game == "koikoi" else {}
    table, clients = seated(two, game, options=options)
    play_together(clients, random.Random(3))
    results = [client.seen[-1]["result"] for client in clients]
    assert results[0] == results[1]
    for owner in two:
        (info,) = owner.ask("GET", "/records")["records"]
        assert info["persons"] == [0, 1]
        assert info["seat"] == two.index(owner)
        assert info["players"][:2] == ["Ada", "Bo"]
        match = loads(owner.ask("GET", f"/records/{info['record']}/file").decode(), "download")
        reviewed = owner.ask("GET", f"/records/{info['record']}/review?seat={info['seat']}")
        assert (reviewed["state"] != "none") == can_review(game)
        assert owner.ask("GET", "/results")["results"] == []  # those are of games against agents
    assert refused(two[1], f"/tables/{table['table']}/rematch", {}) == "no_such_table"
    for client in clients:
        check_messages(client, match)
        client.close()


def next_to_move(clients: list[Client]) -> Client | None:
    """Who is asked now, once all have heard as much; the first goes on between rounds."""
    while True:
        behind = min(clients, key=lambda client: (client.seq, client.state != "between"))
        ahead = max(clients, key=lambda client: (client.seq, client.state != "between"))
        if (behind.seq, behind.state) != (ahead.seq, ahead.state):
            behind.receive()
        elif ahead.state == "over":
            return None
        elif ahead.state == "between":
            return clients[0]
        else:
            for client in clients:
                if client.my_turn:
                    return client
            behind.receive()


def test_an_invitation_is_for_one(two, server: Server):
    host, guest = two
    table = host.new_table("gongzhu", seats_of_two("gongzhu"))
    assert [seat["open"] for seat in table["seats"]] == [False, True, False, False]
    assert table["seats"][1].get("secret") is None
    old, code = invite(host, table), invite(host, table)
    assert refused(guest, "/join", {"code": old, "name": "Bo"}) == "no_such_invitation"
    assert ask(server, f"/i/{code}").headers["location"] == f"/#/join/{code}"
    mine = join(guest, code, "\u202eBo\x00")
    assert [seat["name"] for seat in mine["seats"][:2]] == ["Ada", "Bo"]
    assert [seat.get("secret") is None for seat in mine["seats"]] == [True, False, True, True]
    assert refused(Owner(server), "/join", {"code": code, "name": "Eve"}) == "no_such_invitation"
    assert refused(host, f"/tables/{table['table']}/invitations", {"seat": 1}) == "seat_taken"
    assert refused(guest, f"/tables/{table['table']}/invitations", {"seat": None}) == "no_such_table"
    assert ask(server, f"/i/{code}").status == 404
    assert guest.ask("GET", "/tables")["tables"] == [mine]
    again = {each["table"]: each for each in host.ask("GET", "/tables")["tables"]}[table["table"]]
    assert again["seats"][1].get("secret") is None  # the host cannot sit in the guest's place
    database = b"".join(file.read_bytes() for file in server.data.glob("table.sqlite*"))
    assert code.encode() not in database


NAMED = {"names": ("192.0.2.7", "cards.local"), "address": "192.0.2.7"}  # as --lan finds them


@pytest.mark.parametrize(
    ("settings", "browsed", "leads_to", "only_here"),
    [
        ({}, "127.0.0.1:{port}", "http://127.0.0.1:{port}", True),
        ({}, "localhost:{port}", "http://localhost:{port}", True),
        (NAMED, "127.0.0.1:{port}", "http://192.0.2.7:{port}", False),
        (NAMED, "LOCALHOST:{port}", "http://192.0.2.7:{port}", False),
        (NAMED, "cards.local:{port}", "http://cards.local:{port}", False),
        ({"public_url": PUBLIC}, "127.0.0.1:{port}", PUBLIC, False),
        ({"public_url": PUBLIC}, "cards.example.org", PUBLIC, False),
        (NAMED | {"public_url": PUBLIC}, "127.0.0.1:{port}", PUBLIC, False),
        (NAMED | {"public_url": PUBLIC}, "192.0.2.7:{port}", "http://192.0.2.7:{port}", False),
    ],
)
def test_a_link_leads_a_guest_to_the_hosts_machine(
    tmp_path: Path, settings: dict[str, Any], browsed: str, leads_to: str, only_here: bool
):
    config = Config(tmp_path, **settings)
    address = link_address(browsed.format(port=config.port).lower(), config)
    assert address == leads_to.format(port=config.port)
    assert is_here_alone(host_of(address)) == only_here


def test_a_host_who_browses_by_the_loopback_invites_into_the_network(new_server):
    server = new_server(agent_workers=1, **NAMED)
    host = Owner(server)
    table = host.new_table("koikoi", seats_of_two("koikoi"))
    told = host.ask("POST", f"/tables/{table['table']}/invitations", {"seat": 1})
    link = f"http://192.0.2.7:{server.port}{told['path']}"
    assert (told["link"], told["only_here"]) == (link, False)
    assert read([[module == "1" for module in row] for row in told["qr"]]) == link


def test_a_guest_comes_back_leaves_and_an_agent_goes_on(two):
    host, guest = two
    table, (ada, bo) = seated(two, "koikoi")
    mover = next_to_move([ada, bo])
    mover.move(mover.view["legal"][0])
    bo.close()
    bo = guest.sit(guest.ask("GET", f"/tables/{table['table']}"), 1)
    snapshot = bo.expect("snapshot")
    assert snapshot["view"]["seat"] == 1
    stranger = Owner(host.server)
    assert refused(stranger, f"/tables/{table['table']}/leave", {"seat": 1}) == "no_such_table"
    assert refused(guest, f"/tables/{table['table']}/leave", {"seat": 0}) == "no_such_table"
    assert refused(guest, f"/tables/{table['table']}/leave", {"seat": 7}) == "bad_seats"
    guest.ask("POST", f"/tables/{table['table']}/leave", {"seat": 1, "agent": "koikoi/random"})
    assert bo.close_code() == 4412
    told = ada.expect("seated")["table"]
    assert told["seats"][1]["name"] == "koikoi/random"
    assert guest.ask("GET", "/tables")["tables"] == []
    for _ in range(3):
        ada.until_asked()
        ada.move(ada.view["legal"][0])
        ada.expect("moved")
    ada.close()


def test_the_host_puts_an_agent_in_the_place_of_who_never_came(owner: Owner):
    table = owner.new_table("koikoi", seats_of_two("koikoi"))
    code = invite(owner, table)
    client = owner.sit(table)
    owner.ask("POST", f"/tables/{table['table']}/leave", {"seat": 1})
    client.until_asked()
    client.move(client.view["legal"][0])
    assert client.expect("moved")["type"] == "moved"
    client.close()
    assert refused(Owner(owner.server), "/join", {"code": code, "name": "Bo"}) == "no_such_invitation"


def hint_of(client: Client) -> dict[str, Any]:
    client.send(type="hint", seq=client.seq, agent="koikoi/rl-wp")
    return client.expect("hint", "no_hint")


def test_hints_only_when_all_have_agreed(two):
    _, clients = seated(two, "koikoi")
    mover = next_to_move(clients)
    (other,) = (client for client in clients if client is not mover)
    assert hint_of(mover)["error"]["code"] == "not_agreed"
    mover.send(type="agree", hints=True)
    assert mover.expect("seated")["table"]["agreed"] == [mover.seat]
    assert hint_of(mover)["error"]["code"] == "not_agreed"
    other.send(type="agree", hints=True)
    assert mover.expect("seated")["table"]["agreed"] == [0, 1]
    assert hint_of(mover)["type"] == "hint"
    other.send(type="agree", hints=False)
    mover.expect("seated")
    assert hint_of(mover)["error"]["code"] == "not_agreed"
    for client in clients:
        client.close()


def watch(owner: Owner, table: dict, code: str) -> Client:
    return Client(owner.server, table["table"], 0, code, watch=True)


@pytest.mark.parametrize("game", GAMES)
def test_who_looks_on_sees_what_all_seats_see(two, game: str):
    host, _ = two
    table, clients = seated(two, game)
    code = invite(host, table, None)
    looker = watch(Owner(host.server), table, code)
    first = looker.expect("snapshot")
    assert not first["view"]["hand"]
    assert "legal" not in first["view"]
    for _ in range(6):
        mover = next_to_move(clients)
        move = mover.view["legal"][0]
        mover.move(move)
        mover.expect("moved")
    while looker.seq < mover.seq:
        told = looker.receive()
        assert not told["view"]["hand"]
    told = host.server.ask("GET", f"/watched/{code}")  # without any secret
    protocol.TableInfo.model_validate(told)
    assert (told["table"], told["own"]) == (table["table"], False)
    assert not any(seat["secret"] for seat in told["seats"] if "secret" in seat)
    assert refused(Owner(host.server), "/join", {"code": code}) == "no_such_invitation"
    assert looker.move("x")["error"]["code"] in ("not_your_turn", "stale")
    looker.send(type="resign", id="no", seq=0)
    assert looker.expect("ack", "refused")["error"]["code"] == "not_your_turn"
    for secret, watching in ((code, False), ("x", True), (table["seats"][0]["secret"], True)):
        socket = open_socket(host.server)
        hello = {"type": "hello", "v": 1, "table": table["table"], "seat": 0, "watch": watching}
        socket.send(json.dumps(hello | {"secret": secret}))
        assert close_code(socket) == 4401
    for client in (*clients, looker):
        client.close()


def test_who_looks_on_takes_no_players_room(new_server):
    server = new_server(agent_workers=1, sockets_of_seat=1, lookers_of_table=2, sockets_of_owner=1)
    host, guest = Owner(server), Owner(server)
    table = host.new_table("gongzhu", seats_of_two("gongzhu"))
    mine = join(guest, invite(host, table))
    code = invite(host, table, None)
    lookers = [watch(Owner(server), table, code) for _ in range(2)]
    socket = open_socket(server)
    hello = {"type": "hello", "v": 1, "table": table["table"], "seat": 0, "watch": True, "secret": code}
    socket.send(json.dumps(hello))
    assert close_code(socket) == 4429
    clients = [guest.sit(mine, 1), host.sit(table)]  # the guest's tab is not one of the host's
    socket = open_socket(server)
    socket.send(json.dumps(hello | {"watch": False, "secret": table["seats"][0]["secret"]}))
    assert close_code(socket) == 4429
    for client in (*clients, *lookers):
        client.expect("snapshot")
        client.close()


def test_two_persons_of_one_browser_agree_by_asking(owner: Owner):
    """It has both hands before it, and nobody else is there to be asked."""
    table = owner.new_table("koikoi", [{"person": "Ada"}, {"person": "Bo"}])
    clients = [owner.sit(table, seat) for seat in range(2)]
    assert hint_of(next_to_move(clients))["type"] == "hint"
    for client in clients:
        client.close()


def test_who_stays_away_is_played_for(new_server):
    server = new_server(agent_workers=1)
    host, guest = Owner(server), Owner(server)
    table, clients = seated((host, guest), "koikoi", clock=5)
    assert table["clock"] == 5
    mover = next_to_move(clients)
    before = mover.seq
    told = mover.expect("moved")
    assert (told["seq"], told["stand_in"]["reason"]) == (before + 1, "clock")
    for client in clients:
        client.close()


def test_a_finished_game_is_shared_by_a_link(two, server: Server):
    host, _ = two
    _, clients = seated(two, "gongzhu")
    clients[1].send(type="resign", id="enough", seq=0)
    record = clients[1].expect("ended")["result"]["record"]
    told = host.ask("POST", f"/records/{record}/share", {})
    code = told["path"].removeprefix("/i/")
    assert ask(server, told["path"]).headers["location"] == f"/#/shared/{code}"
    assert ask(server, f"{told['path']}/17").headers["location"] == f"/#/shared/{code}/17"
    for wrong in ("-1", "x", "9999999999"):
        assert ask(server, f"{told['path']}/{wrong}").status == 400
    assert server.request("GET", f"/api/v1/watched/{code}")[0] == 404
    replay = server.ask("GET", f"/shared/{code}/replay?first=0&count=3")  # without any secret
    protocol.Replay.model_validate(replay)
    assert replay["record"] == record
    assert len(replay["players"]) == 4
    assert replay["players"][0] == "Ada"
    stranger = Owner(server)
    assert refused(stranger, f"/records/{record}/share", {}) == "no_such_record"
    assert server.request("GET", f"/api/v1/shared/{code}x/replay")[0] == 404
    assert server.request("DELETE", f"/api/v1/records/{record}", None, two[1].secret)[0] == 404
    host.ask("DELETE", f"/records/{record}")
    assert server.request("GET", f"/api/v1/shared/{code}/replay")[0] == 404
    for client in clients:
        client.close()


def lookers_cookie(server: Server, path: str) -> str:
    """What a browser gets that opens a link."""
    answer = ask(server, path)
    assert (answer.status, answer.headers["location"]) == (303, path)
    return str(answer.headers["set-cookie"].partition(";")[0])


def test_a_link_for_looking_opens_nothing_else_of_a_server_that_is_shut(new_server):
    server = new_server(agent_workers=1, key=KEY)
    all_of_it = ask(server, f"/?token={KEY}").headers["set-cookie"].partition(";")[0]

    def post(path: str, body: object, owner: str | None = None, cookie: str = all_of_it) -> tuple[int, Any]:
        return server.request("POST", f"/api/v1{path}", body, owner, {"Cookie": cookie})

    host = post("/owners", {})[1]["secret"]
    table = post("/tables", {"game": "koikoi", "seats": seats_of_two("koikoi")}, host)[1]
    to_watch = post(f"/tables/{table['table']}/invitations", {"seat": None}, host)[1]["path"]
    secret = table["seats"][0]["secret"]
    client = Client(server, table["table"], 0, secret, cookie=all_of_it)
    cookie = lookers_cookie(server, to_watch)
    code = to_watch.removeprefix("/i/")
    mine = {"Cookie": cookie}
    assert ask(server, to_watch, **mine).headers["location"] == f"/#/watch/{code}"
    for path in ("/", "/api/v1/lobby", f"/api/v1/watched/{code}"):
        assert ask(server, path, **mine).status == 200
    for path in ("/api/v1/tables", "/api/v1/records", "/api/v1/results"):
        assert server.request("GET", path, None, host, mine)[0] == 401
    for path, body in (
        ("/owners", {}),
        ("/join", {"code": "x"}),
        ("/tables", {"game": "koikoi", "seats": []}),
    ):
        status, answer = post(path, body, host, cookie)
        assert (status, answer["error"]["code"]) == (401, "no_key")
    hello = {"type": "hello", "v": 1, "table": table["table"], "seat": 0}
    for given in ({"secret": secret}, {"secret": code}, {"secret": secret, "watch": True}):
        socket = open_socket(server, Cookie=cookie)
        socket.send(json.dumps(hello | given))
        assert close_code(socket) == 4401
    looker = Client(server, table["table"], 0, code, cookie=cookie, watch=True)
    assert not looker.expect("snapshot")["view"]["hand"]
    client.send(type="resign", id="enough", seq=0)
    record = client.expect("ended")["result"]["record"]
    shared = post(f"/records/{record}/share", {}, host)[1]["path"]
    assert lookers_cookie(server, f"{shared}/3") == cookie
    code = shared.removeprefix("/i/")
    assert ask(server, f"/api/v1/shared/{code}/replay", **mine).status == 200
    assert ask(server, f"/api/v1/records/{record}/replay", **mine).status == 401
    # Who has all of it keeps that, and who comes by the key gets it.
    assert "set-cookie" not in ask(server, shared, Cookie=all_of_it).headers
    assert all_of_it in ask(server, f"/?token={KEY}", **mine).headers["set-cookie"]
    for each in (client, looker):
        each.close()


def test_an_invitation_opens_a_server_that_is_shut(new_server):
    server = new_server(agent_workers=1, key=KEY)
    cookie = {"Cookie": ask(server, f"/?token={KEY}").headers["set-cookie"].partition(";")[0]}
    _, host = server.request("POST", "/api/v1/owners", {}, headers=cookie)
    body = {"game": "koikoi", "seats": seats_of_two("koikoi")}
    _, table = server.request("POST", "/api/v1/tables", body, host["secret"], cookie)
    path = f"/api/v1/tables/{table['table']}/invitations"
    _, told = server.request("POST", path, {"seat": 1}, host["secret"], cookie)
    answer = ask(server, told["path"])
    assert (answer.status, answer.headers["location"]) == (303, told["path"])
    mine = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert ask(server, told["path"], **mine).headers["location"].startswith("/#/join/")
    assert ask(server, told["path"] + "x").status == 401
    client = Client(server, table["table"], 0, table["seats"][0]["secret"], cookie=cookie["Cookie"])
    client.send(type="resign", id="enough", seq=0)
    client.expect("ended")
    client.close()
    assert ask(server, told["path"]).status == 401  # nobody can come any more
