"""Reviews come by themselves when a game ends, survive the server, and are told to nobody else."""

import json
import random

import pytest

import fuda
from fuda.records import dumps, loads
from fuda.serve import protocol
from tests.serve.harness import API, Owner, Server, wait_until
from tests.serve.test_records import played
from tests.serve.test_tables import TWO_ROUNDS, play_a_round, play_out

GONGZHU = [{"person": "Ada"}, *({"agent": "gongzhu/random"} for _ in range(3))]


def play_gongzhu(owner: Owner):
    """A whole game, in which the person plays by chance."""
    table = owner.new_table("gongzhu", GONGZHU)
    client = owner.sit(table)
    play_out(client, random.Random(1))
    return table, client


def review_of(owner: Owner, record: str, seat: int = 0):
    found = owner.ask("GET", f"/records/{record}/review?seat={seat}")
    protocol.ReviewInfo.model_validate(found)
    assert (found["record"], found["seat"]) == (record, seat)
    return found


def computed(owner: Owner, record: str, seat: int = 0):
    wait_until(lambda: review_of(owner, record, seat)["state"] not in ("none", "waiting"))
    return review_of(owner, record, seat)


def as_json(review):
    return json.loads(json.dumps(review.as_dict()))


@pytest.fixture(scope="session")
def server(reviewing_server: Server) -> Server:
    return reviewing_server


@pytest.fixture(scope="module")
def reviewed(server):
    """An owner with a game that has been played and reviewed, and the record."""
    owner = Owner(server)
    table, client = play_gongzhu(owner)
    record = owner.ask("GET", f"/tables/{table['table']}")["record"]
    told = client.expect("reviewed")
    assert (told["record"], told["seat"]) == (record, 0)
    client.close()
    return owner, table, record


def test_a_finished_game_is_reviewed_and_the_table_is_told(reviewed):
    owner, _, record = reviewed
    found = review_of(owner, record)
    assert found["state"] == "ready"
    match = loads(owner.ask("GET", f"/records/{record}/file").decode(), "download")
    assert found["review"] == as_json(fuda.review(match, 0))
    assert review_of(owner, record, 1) == {"record": record, "seat": 1, "state": "none", "review": None}


def test_another_seat_is_reviewed_when_it_is_asked_for(reviewed):
    owner, _, record = reviewed
    asked = owner.ask("POST", f"/records/{record}/review", {"seat": 2})
    assert asked["state"] in ("waiting", "ready")
    found = computed(owner, record, 2)
    assert found["review"]["seat"] == 2
    assert owner.ask("POST", f"/records/{record}/review", {"seat": 2}) == found


def test_nobody_else_hears_of_a_review(reviewed, server):
    owner, _, record = reviewed
    stranger = Owner(server)
    for method, path, body in (
        ("GET", "review?seat=0", None), ("POST", "review", {"seat": 0}), ("POST", "again", {"seq": 0})
    ):  # fmt: skip
        where = f"{API}/records/{record}/{path}"
        status, answer = server.request(method, where, body, stranger.secret)
        assert (status, answer["error"]["code"]) == (404, "no_such_record")
    status, answer = server.request("GET", f"{API}/records/{record}/review?seat=4", None, owner.secret)
    assert (status, answer["error"]["code"]) == (400, "bad_seats")


def test_there_is_no_review_while_a_game_runs(server):
    owner = Owner(server)
    client = owner.sit(owner.new_table("gongzhu", GONGZHU))
    play_out(client, random.Random(1), 2)
    client.send(type="resign", id="enough", seq=client.seq)
    result = client.expect("ended")["result"]
    assert not any(message["type"] == "reviewed" for message in client.seen)
    assert client.expect("reviewed")["record"] == result["record"]
    review = review_of(owner, result["record"])["review"]
    assert not review["over"]
    assert review["decisions"]


def test_an_upload_is_reviewed_when_it_is_asked_for(server):
    owner = Owner(server)
    match = played("doudizhu")
    record = owner.ask("POST", "/records", {"file": dumps(match)})["record"]
    assert review_of(owner, record, 1)["state"] == "none"
    owner.ask("POST", f"/records/{record}/review", {"seat": 1})
    assert computed(owner, record, 1)["review"] == as_json(fuda.review(match, 1))
    owner.ask("DELETE", f"/records/{record}")
    status, _ = server.request("GET", f"{API}/records/{record}/review?seat=1", None, owner.secret)
    assert status == 404


def test_nothing_played_is_not_reviewed(server):
    owner = Owner(server)
    record = owner.ask("POST", "/records", {"file": dumps(played("gongzhu", moves=0))})["record"]
    status, answer = server.request("POST", f"{API}/records/{record}/review", {"seat": 0}, owner.secret)
    assert (status, answer["error"]["code"]) == (400, "no_review")


def test_a_review_survives_a_killed_server(new_server):
    server = new_server(reviews=True)
    owner = Owner(server)
    table, _ = play_gongzhu(owner)
    server.kill()
    server.start()
    record = owner.ask("GET", f"/tables/{table['table']}")["record"]
    found = computed(owner, record)
    assert found["state"] == "ready"
    server.stop()
    server.start()
    assert review_of(owner, record) == found


def test_try_again_stands_where_the_game_stood(reviewed):
    owner, table, record = reviewed
    file = owner.ask("GET", f"/records/{record}/file").decode()
    match = loads(file, "download")
    mine = [index for index, (seat, _) in enumerate(match.moves) if seat == 0]
    info = owner.ask("POST", f"/records/{record}/again", {"seq": mine[4]})
    protocol.TableInfo.model_validate(info)
    assert (info["seq"], info["state"], info["same_deal"]) == (mine[4], "playing", True)
    assert [seat["name"] for seat in info["seats"]] == [seat["name"] for seat in table["seats"]]
    client = owner.sit(info)
    client.until_asked()
    assert client.my_turn
    before = match.game.start(None, match.deals)
    for _, move in match.moves[: mine[4]]:
        before.play(move)
    assert client.view["hand"] == before.view(0)["hand"]
    assert client.view["legal"] == before.legal()
    assert client.move(client.view["legal"][-1])["type"] == "ack"
    client.close()


def test_try_again_needs_a_turn_of_the_person(reviewed, server):
    owner, _, record = reviewed
    match = loads(owner.ask("GET", f"/records/{record}/file").decode(), "download")
    other = next(index for index, (seat, _) in enumerate(match.moves) if seat != 0)
    for seq in (other, len(match.moves), 100_000):
        status, answer = server.request("POST", f"{API}/records/{record}/again", {"seq": seq}, owner.secret)
        assert (status, answer["error"]["code"]) == (409, "not_your_turn")


def test_later_rounds_of_a_second_try_have_their_old_cards(server):
    owner = Owner(server)
    seats = [{"person": "Ada"}, {"agent": "koikoi/random"}]
    client = owner.sit(owner.new_table("koikoi", seats, options=TWO_ROUNDS))
    play_out(client, random.Random(1))
    record = client.seen[-1]["result"]["record"]
    match = loads(owner.ask("GET", f"/records/{record}/file").decode(), "download")
    seq = next(index for index, (seat, _) in enumerate(match.moves) if seat == 0)
    again = owner.sit(owner.ask("POST", f"/records/{record}/again", {"seq": seq}))
    play_a_round(again)
    again.go_on()
    again.expect("continued")
    cards = {*match.deals[1]["hands"][0], *match.deals[1]["hands"][1]}
    assert set(again.view["hand"]) <= cards
    for each in (client, again):
        each.close()
