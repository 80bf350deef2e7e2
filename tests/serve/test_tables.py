"""Whole games over the real server: what a table promises to those who sit at it."""

import json
import random
import time

import pytest

import fuda
from fuda.agents import agent_info
from fuda.serve import protocol
from fuda.serve.table import MAX_REFUSALS
from tests.serve.harness import API, PATIENCE, Client, Owner, changing, close_code, open_socket, wait_until

GAMES = fuda.list_games()
PERSON = {"person": "Ada"}
TWO_ROUNDS = {"rounds": 2, "points": 1000}  # so many points that the first round does not end the match


def random_seats(game: str, person: int | None = 0) -> list[dict[str, str]]:
    seats = fuda.game(game).spec.seats
    return [PERSON if seat == person else {"agent": f"{game}/random"} for seat in range(seats)]


def play_out(client: Client, luck: random.Random, most: int = 10**6) -> None:
    """Random moves to the end, or so many of them."""
    for _ in range(most):
        client.until_asked()
        if client.state == "over":
            return
        answer = (
            client.go_on() if client.state == "between" else client.move(luck.choice(client.view["legal"]))
        )
        assert answer["type"] == "ack", answer
        client.expect("moved", "continued")


def as_json(told: object) -> object:
    return json.loads(json.dumps(told))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(owner: Owner, game: str):
    table = owner.new_table(game, random_seats(game))
    client = owner.sit(table)
    play_out(client, random.Random(1))
    last = client.seen[-1]
    assert last["result"]["reason"] == "played"
    (info,) = owner.ask("GET", "/records")["records"]
    protocol.RecordInfo.model_validate(info)
    assert info["record"] == last["result"]["record"]
    assert info["scores"] == last["result"]["scores"]
    assert owner.ask("GET", "/tables")["tables"] == []
    text = owner.ask("GET", f"/records/{info['record']}/file").decode()
    match = fuda.records.loads(text, "download")
    assert match.over
    assert match.scores == info["scores"]
    assert match.moves == [(seat, move) for seat, move in client.view["history"]]
    # What the messages told is what the match tells.
    again = match.game.start(match.seed, match.deals, match.players)
    told = [message for message in client.seen if message["type"] == "moved"]
    assert [message["seq"] for message in told] == list(range(1, len(match.moves) + 1))
    for message, (seat, move) in zip(told, match.moves, strict=True):
        again.play(move)
        view = again.ended_round_view(0) if again.dealt else again.view(0)
        assert message["seat"] == seat
        assert [seat, message["move"]] == view["history"][-1]  # without the move, if it is secret now
        assert message["events"] == as_json(again.move_events(0) if again.dealt else again.events(0))
        assert message["view"] == view
    client.close()


def play_a_round(client: Client) -> None:
    luck = random.Random(2)
    client.until_asked()
    while client.state != "between":
        play_out(client, luck, 1)
        client.until_asked()


def test_resigning_after_a_round_does_not_open_the_next(owner: Owner):
    table = owner.new_table("koikoi", random_seats("koikoi"), options=TWO_ROUNDS)
    client = owner.sit(table)
    play_a_round(client)
    shown = client.view
    client.send(type="resign", id="enough", seq=client.seq)
    end = client.expect("ended")
    client.close()
    late = owner.sit(table)
    for told in (end, late.expect("snapshot")):
        assert told["state"] == "over"
        assert told["view"] == shown
        assert [view["round"] for view in told["result"]["views"]] == [1, 1]
        assert [view["to_move"] for view in told["result"]["views"]] == [None, None]
    late.close()


def test_a_round_ends_and_waits(owner: Owner):
    table = owner.new_table("koikoi", random_seats("koikoi"), options=TWO_ROUNDS)
    client = owner.sit(table)
    play_a_round(client)
    ended = client.seen[-1]
    assert ended["events"][-1]["type"] == "round_over"
    assert ended["view"]["round"] == 1
    assert ended["view"]["to_move"] is None
    assert client.move("1-1")["error"]["code"] == "between"
    # Neither a new page nor a new server shows more than that, and no agent moves behind it.
    tab = owner.sit(table)
    fresh = tab.expect("snapshot")
    assert (fresh["state"], fresh["view"], fresh["events"]) == ("between", ended["view"], ended["events"])
    assert client.go_on()["type"] == "ack"
    for each in (client, tab):
        dealt = each.expect("continued")
        assert dealt["view"]["round"] == 2
        assert [event["type"] for event in dealt["events"]] == ["deal"]
        assert each.seq == ended["seq"]
    client.until_asked()
    assert client.go_on()["error"]["code"] == "not_between"
    client.close()
    tab.close()


def test_a_repeated_id_gets_the_same_answer_and_a_stale_one_a_snapshot(owner: Owner):
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    move, seq = client.view["legal"][0], client.seq
    first = client.move(move, message_id="one")
    assert first == {"type": "ack", "id": "one", "seq": seq + 1}
    client.expect("moved")
    client.until_asked()
    assert client.move(move, seq, message_id="one") == first
    assert client.move("nonsense", 77, message_id="one") == first
    stale = client.move(client.view["legal"][0], seq, message_id="two")
    assert stale["error"]["code"] == "stale"
    assert stale["snapshot"]["seq"] == client.seq
    assert stale["snapshot"]["view"]["legal"]
    again = client.move(client.view["legal"][0], message_id="two")
    assert again["error"]["code"] == "stale"  # the id was refused: a new decision has a new one
    illegal = client.move("XX")
    assert illegal["error"]["code"] == "illegal"
    assert "XX" in illegal["error"]["params"]["why"]
    assert client.move(client.view["legal"][0])["type"] == "ack"
    client.close()


def test_a_refused_id_stays_refused_after_a_new_start(new_server):
    server = new_server(agent_workers=1, message_burst=1000)
    owner = Owner(server)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    first = client.move("XX", message_id="one")
    assert first["error"]["code"] == "illegal"
    server.kill()
    server.start()
    client = owner.sit(table)
    client.until_asked()
    assert client.move(client.view["legal"][0], message_id="one") == first
    for number in range(MAX_REFUSALS):  # the last ones are remembered, not all
        client.move("XX", message_id=f"further-{number}")
    assert client.move("XX", 7, message_id="further-0")["error"]["code"] == "illegal"
    assert client.move(client.view["legal"][0], message_id="one")["type"] == "ack"
    client.close()


def test_tabs_see_the_same_and_seq_decides(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    one, two = owner.sit(table), owner.sit(table)
    for tab in (one, two):
        tab.until_asked()
        assert tab.seq == 0
    assert one.view == two.view
    assert one.move(one.view["legal"][0])["type"] == "ack"
    refused = two.move(two.view["legal"][-1])
    assert refused["error"]["code"] == "stale"
    seq = max(4, one.seq, two.seq)  # the first trick is out
    for tab in (one, two):
        while tab.seq < seq:
            tab.receive()
    assert one.view == two.view
    moves = [m["seq"] for m in two.seen if m["type"] == "moved"]
    assert moves == sorted(set(moves))
    one.close()
    two.close()


def test_coming_back_tells_what_was_missed(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    seen = client.seq
    gone = owner.sit(table, seq=seen)
    assert gone.expect("snapshot", "moved")["type"] == "snapshot"  # nothing missed
    gone.close()
    play_out(client, random.Random(3), 2)
    client.until_asked()
    told = [m for m in client.seen if m["type"] == "moved" and m["seq"] > seen]
    back = owner.sit(table, seq=seen)
    assert [back.receive() for _ in told] == told
    back.close()
    early = owner.sit(table, seq=client.seq + 5)
    assert early.expect("snapshot", "moved")["type"] == "snapshot"
    early.close()
    client.close()


def test_agents_wait_while_nobody_looks_on(owner: Owner):
    seats = [{"agent": "gongzhu/random"}] * 4
    table = owner.new_table("gongzhu", seats, pace={"delay": 200, "paused": False})
    watcher = owner.sit(table, seat=2)
    watcher.expect("moved")
    watcher.close()

    def seq() -> int:
        return owner.ask("GET", f"/tables/{table['table']}")["seq"]

    def stands_still() -> bool:
        before = seq()
        time.sleep(1)
        return seq() == before

    wait_until(stands_still)
    assert 0 < seq() < 52


def test_watching_pausing_stepping(owner: Owner):
    seats = [{"agent": "koikoi/random"}] * 2
    table = owner.new_table("koikoi", seats, options=TWO_ROUNDS, pace={"delay": 0, "paused": True})
    watcher = owner.sit(table, seat=1)
    first = watcher.expect("snapshot")
    assert [view["seat"] for view in first["views"]] == [0, 1]
    assert first["views"][1] == first["view"]
    for seq in (1, 2):
        watcher.send(type="step")
        assert watcher.expect("moved")["seq"] == seq
    watcher.send(type="ping")
    assert watcher.receive()["type"] == "pong"
    assert watcher.move("1-1")["error"]["code"] == "not_your_turn"
    watcher.send(type="pace", pace={"delay": 1, "paused": False})
    assert watcher.expect("paced")["pace"] == {"delay": 1, "paused": False}
    while watcher.state != "over":  # the next round begins by itself
        watcher.receive()
    assert any(message["type"] == "continued" for message in watcher.seen)
    assert len(watcher.seen[-1]["views"]) == 2
    watcher.close()
    assert owner.ask("GET", "/results")["results"] == []


def test_resign_rematch_and_the_same_deal_again(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    status, answer = owner.server.request(
        "POST", f"/api/v1/tables/{table['table']}/rematch", {"same_deal": True}, owner.secret
    )
    assert (status, answer["error"]["code"]) == (409, "not_over")
    client = owner.sit(table)
    client.until_asked()
    hand = client.view["hand"]
    client.send(type="resign", id="enough", seq=client.seq + 3)  # giving up does not depend on the position
    assert client.expect("ack", "refused")["type"] == "ack"
    end = client.expect("ended")
    assert end["result"]["reason"] == "resigned"
    assert end["result"]["resigned"] == 0
    assert len(end["result"]["views"]) == 4
    assert client.move("SQ")["error"]["code"] == "over"
    client.close()
    (info,) = owner.ask("GET", "/records")["records"]
    assert info["resigned"] == 0
    assert info["scores"] is None
    again = owner.ask("POST", f"/tables/{table['table']}/rematch", {"same_deal": True})
    assert again["same_deal"]
    client = owner.sit(again)
    client.until_asked()
    assert client.view["hand"] == hand
    client.close()
    other = owner.ask("POST", f"/tables/{table['table']}/rematch", {})
    assert not other["same_deal"]
    client = owner.sit(other)
    client.until_asked()
    assert client.view["hand"] != hand
    client.close()
    (standing,) = owner.ask("GET", "/results")["results"]
    protocol.Standing.model_validate(standing)
    assert standing["plain"] == {"games": 1, "wins": 0, "draws": 0, "losses": 1, "resigned": 1}


def test_a_deleted_table_is_gone_everywhere(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    owner.ask("DELETE", f"/tables/{table['table']}")
    client.expect("deleted")
    assert owner.ask("GET", "/tables")["tables"] == []
    status, answer = owner.server.request("GET", f"/api/v1/tables/{table['table']}", None, owner.secret)
    assert (status, answer["error"]["code"]) == (404, "no_such_table")
    assert client.close_code() == 4410


def test_hints_say_what_an_agent_thinks_and_mark_the_table(owner: Owner):
    table = owner.new_table("koikoi", random_seats("koikoi"), options={"rounds": 1})
    client = owner.sit(table)
    client.until_asked()
    for agent, code in (
        ("koikoi/random", "no_values"),
        ("gongzhu/uct", "no_such_agent"),
        ("/etc", "no_such_agent"),
    ):
        client.send(type="hint", seq=client.seq, agent=agent)
        assert client.expect("no_hint", "hint")["error"]["code"] == code
    assert not owner.ask("GET", f"/tables/{table['table']}")["hints"]
    client.send(type="hint", seq=client.seq, agent="koikoi/rl-wp")
    hint = client.expect("hint")
    assert set(hint["values"]) == set(client.view["legal"])
    assert hint["unit"] == "probability"
    assert hint["best"] in client.view["legal"]
    assert owner.ask("GET", f"/tables/{table['table']}")["hints"]
    client.send(type="hint", seq=client.seq + 1, agent="koikoi/rl-wp")  # of no position: no answer
    client.send(type="ping")
    assert client.receive()["type"] == "pong"
    play_out(client, random.Random(4))
    client.close()
    (info,) = owner.ask("GET", "/records")["records"]
    assert info["hints"]
    (standing,) = owner.ask("GET", "/results")["results"]
    assert standing["plain"]["games"] == 0
    assert standing["assisted"]["games"] == 1


def test_hints_tell_bids_in_their_own_unit(owner: Owner):
    """Points, where the agent bids itself; none where the rule does."""
    table = owner.new_table("doudizhu", random_seats("doudizhu"), options={"bidding": "on"})
    client = owner.sit(table)
    client.until_asked()
    assert client.view["phase"] == "bid"  # the person sits in the first seat
    client.send(type="hint", seq=client.seq, agent="doudizhu/best")
    told, info = client.expect("hint", "no_hint"), agent_info("doudizhu/best")
    if info.bids:
        assert told["unit"] == info.bid_unit == "points"
        assert set(told["values"]) == set(client.view["legal"])
    else:
        assert told["error"]["code"] == "no_values"
    client.close()


def test_what_cannot_be_a_table(owner: Owner):
    person, agent = PERSON, {"agent": "gongzhu/random"}
    cases = [
        ({"game": "bridge", "seats": [person]}, "no_such_game"),
        ({"game": "../koikoi", "seats": [person]}, "no_such_game"),
        ({"game": "gongzhu", "seats": [person]}, "bad_seats"),
        ({"game": "gongzhu", "seats": [person, agent, agent, {"agent": "koikoi/random"}]}, "no_such_agent"),
        ({"game": "gongzhu", "seats": [person, agent, agent, {"agent": "src/fuda/models"}]}, "no_such_agent"),
        ({"game": "gongzhu", "seats": [person, agent, agent, agent], "options": {"leader": 9}}, "bad_option"),
        ({"game": "gongzhu", "seats": [person, agent, agent, agent], "options": {"x": 1}}, "bad_option"),
        ({"game": "gongzhu", "seats": [person, agent, agent, agent], "seed": 1}, "bad_message"),
        ({"game": "gongzhu", "seats": [person, agent, agent, agent], "pace": {"delay": -1}}, "bad_message"),
        ({"game": "gongzhu", "seats": [[]]}, "bad_message"),
    ]
    for body, code in cases:
        status, answer = owner.server.request("POST", "/api/v1/tables", body, owner.secret)
        assert (status, answer["error"]["code"]) == (400, code), body
    assert owner.ask("GET", "/tables")["tables"] == []


def test_several_persons_see_their_own_cards(owner: Owner):
    table = owner.new_table("koikoi", [{"person": "Ada"}, {"person": "Bob"}], options={"rounds": 1})
    ada, bob = owner.sit(table, 0), owner.sit(table, 1)
    for client in (ada, bob):
        client.expect("snapshot")
        assert client.view["seat"] == client.seat
    assert not set(ada.view["hand"]) & set(bob.view["hand"])
    mover, other = (ada, bob) if ada.my_turn else (bob, ada)
    assert other.move(other.view["hand"][0])["error"]["code"] == "not_your_turn"
    assert mover.move(mover.view["legal"][0])["type"] == "ack"
    assert other.expect("moved")["seat"] == mover.seat
    ada.close()
    bob.close()


def test_a_move_that_cannot_be_stored_is_refused_and_may_be_sent_again(new_server):
    owner = Owner(new_server(agent_workers=1, full=1))
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    move = client.view["legal"][0]
    assert client.move(move, message_id="one")["error"]["code"] == "failed"
    assert client.seq == 0
    assert client.move(move, message_id="one") == {"type": "ack", "id": "one", "seq": 1}
    client.close()


def test_an_agents_move_that_cannot_be_stored_is_tried_again(new_server):
    owner = Owner(new_server(agent_workers=1, full=2))
    table = owner.new_table("gongzhu", random_seats("gongzhu", 3))
    began = time.monotonic()  # the agents begin when somebody sits down, which may be told late
    client = owner.sit(table, 3)
    client.until_asked()
    assert time.monotonic() - began > 2.5  # it waits a little longer each time
    failed = {"type": "error", "error": {"code": "failed", "params": {}}}
    assert [message for message in client.seen if message["type"] == "error"] == [failed] * 2
    assert client.seq == 3
    client.close()


def test_tables_of_other_rules_and_of_agents_that_are_gone_or_have_learned(new_server):
    server = new_server(agent_workers=1)
    owner = Owner(server)
    old, gone = (owner.new_table("gongzhu", random_seats("gongzhu")) for _ in range(2))
    learned = owner.new_table("koikoi", [PERSON, {"agent": "koikoi/rl-wp"}])
    assert [seat["changed"] for seat in learned["seats"][1:]] == [None]
    server.stop()
    with changing(server.data) as database:
        database.execute("UPDATE tables SET rules_version = 99 WHERE id = ?", (old["table"],))
        database.execute(
            "UPDATE tables SET seats = replace(seats, 'gongzhu/random', 'gongzhu/gone') WHERE id = ?",
            (gone["table"],),
        )
        database.execute(
            "UPDATE tables SET seats = json_set(seats, '$[1].weights', 'of another day') WHERE id = ?",
            (learned["table"],),
        )
    server.start()
    listed = {table["table"]: table for table in owner.ask("GET", "/tables")["tables"]}
    assert not listed[old["table"]]["playable"]
    assert listed[gone["table"]]["playable"]
    assert [seat.get("changed") for seat in listed[gone["table"]]["seats"]] == [None, *["missing"] * 3]
    assert [seat.get("changed") for seat in listed[learned["table"]]["seats"]] == [None, "weights"]
    socket = open_socket(server)
    secret = old["seats"][0]["secret"]
    socket.send(json.dumps({"type": "hello", "v": 1, "table": old["table"], "seat": 0, "secret": secret}))
    fault = json.loads(socket.recv(PATIENCE))["error"]
    assert fault == {"code": "other_rules", "params": {"game": "gongzhu", "stored": 99, "here": 1}}
    assert close_code(socket) == 4409
    owner.ask("DELETE", f"/tables/{old['table']}")
    client = owner.sit(gone)
    client.until_asked()
    client.move(client.view["legal"][0])
    client.expect("moved")
    assert client.expect("moved")["stand_in"] == {"agent": "gongzhu/greed", "reason": "missing"}
    client.close()
    # A network that has learned since plays on, as it is now.
    client = owner.sit(learned)
    assert client.table["seats"][1]["changed"] == "weights"
    play_out(client, random.Random(5), 4)
    moved = [message for message in client.seen if message["type"] == "moved"]
    assert {message["seat"] for message in moved} == {0, 1}
    assert all(message["stand_in"] is None for message in moved)
    client.close()
    # A rematch needs agents that are there.
    client = owner.sit(gone)
    client.send(type="resign", id="last", seq=0)
    client.expect("ended")
    client.close()
    status, answer = server.request("POST", f"{API}/tables/{gone['table']}/rematch", {}, owner.secret)
    assert (status, answer["error"]["code"]) == (400, "no_such_agent")
