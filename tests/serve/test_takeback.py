"""A person alone with agents takes moves back: the table stands where it stood, and is no plain game."""

import random
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import fuda
from fuda.serve import protocol
from fuda.serve.roster import served_bot
from tests.bots.programs import PLAIN, new_mark, nothing_left
from tests.serve.harness import Client, Owner, stored_deals, stored_moves
from tests.serve.program import TAKEBACK
from tests.serve.test_tables import PERSON, TWO_ROUNDS, play_a_round, play_out, random_seats

GAMES = fuda.list_games()
NO_MOVE = "nothing_to_take_back"

# Believes what it was told move by move, and says so if a view has another course.
BELIEVER = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        said = {"type": "hello", "v": 1, "name": "Believer", "wants": ["view", "since"]}
        said["games"] = told["rules"]
    elif told["type"] == "start":
        course = []
        continue
    elif told["type"] == "act":
        course += [[event["seat"], event["move"]] for event in told["since"]]
        if course != told["view"]["history"]:
            sys.exit("this is another match")
        said = {"type": "move", "id": told["id"], "move": told["view"]["legal"][-1]}
    else:
        continue
    print(json.dumps(said), flush=True)
"""


def seen_turns(client: Client) -> dict[int, dict[str, Any]]:
    """The views in which the person had a choice, as they were told, by the number of moves before them."""
    turns = {}
    for message in client.seen:
        view = (message.get("snapshot") or message).get("view")
        if view and view["to_move"] == client.seat and len(view["legal"]) > 1:
            turns[(message.get("snapshot") or message)["seq"]] = view
    return turns


def take_back(client: Client) -> None:
    before = client.takebacks
    answer = client.take_back()
    assert answer["type"] == "ack", answer
    told = client.expect("snapshot")
    assert (told["seq"], told["takebacks"], told["state"]) == (answer["seq"], before + 1, "playing")


def refusal(answer: dict[str, Any]) -> str:
    assert answer["type"] == "refused", answer
    return str(answer["error"]["code"])


@pytest.mark.parametrize("game", GAMES)
def test_back_to_each_choice_one_by_one_to_the_first(owner: Owner, game: str):
    client = owner.sit(owner.new_table(game, random_seats(game)))
    luck = random.Random(3)
    client.until_asked()
    while len(seen_turns(client)) < 4 and client.state != "over":
        play_out(client, luck, 1)
        client.until_asked()
    assert client.state != "over"
    turns = seen_turns(client)
    for seq in sorted(turns, reverse=True):
        if seq == client.seq:  # the person is asked there now
            continue
        take_back(client)
        assert client.seq == seq
        assert client.view == turns[seq]
    assert refusal(client.take_back()) == NO_MOVE
    play_out(client, luck)
    assert client.seen[-1]["result"]["reason"] == "played"
    client.close()


def test_a_forced_move_is_no_turn_to_go_back_to(owner: Owner):
    """In Gongzhu the last trick is forced: back from there is back to the twelfth."""
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    luck = random.Random(1)
    client.until_asked()
    while not (client.my_turn and len(client.view["legal"]) == 1):
        play_out(client, luck, 1)
        client.until_asked()
    choices = sorted(seen_turns(client))
    client.move(client.view["legal"][0])
    client.expect("moved")
    if client.state != "over":
        take_back(client)
        assert client.seq == choices[-1]
    client.close()


def test_a_game_with_takebacks_does_not_count(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    play_out(client, random.Random(1), 2)
    take_back(client)
    (listed,) = owner.ask("GET", "/tables")["tables"]
    assert listed["takebacks"] == 1
    play_out(client, random.Random(2))
    client.close()
    (info,) = owner.ask("GET", "/records")["records"]
    protocol.RecordInfo.model_validate(info)
    assert info["takebacks"] == 1
    match = fuda.records.loads(owner.ask("GET", f"/records/{info['record']}/file").decode(), "download")
    assert match.over
    assert len(match.moves) == 52
    (standing,) = owner.ask("GET", "/results")["results"]
    assert (standing["plain"]["games"], standing["assisted"]["games"]) == (0, 1)
    late = owner.sit(table)
    late.expect("snapshot")
    assert refusal(late.take_back()) == "over"
    late.close()


def test_what_was_dealt_comes_again(owner: Owner):
    """Neither the round that goes on nor one that was seen already gets other cards."""
    server = owner.server
    table = owner.new_table("koikoi", random_seats("koikoi"), options=TWO_ROUNDS)
    client = owner.sit(table)
    play_a_round(client)
    client.go_on()
    client.expect("continued")
    deals = stored_deals(server.data, table["table"])
    assert len(deals) == 2
    cards = [sorted([*map(sorted, deal["hands"]), sorted(deal["field"])]) for deal in deals]
    client.until_asked()
    while client.view["round"] == 2:  # also a move in it, if there was one
        take_back(client)
    assert stored_deals(server.data, table["table"]) == deals[:1]
    client.close()
    back = owner.sit(table)
    luck = random.Random(8)  # another course of the same round
    back.until_asked()
    while back.state == "playing" and back.view["round"] == 1:
        play_out(back, luck, 1)
        back.until_asked()
    again = stored_deals(server.data, table["table"])
    assert again[0] == deals[0]
    assert again[1]["stock"] == deals[1]["stock"]
    assert sorted([*map(sorted, again[1]["hands"]), sorted(again[1]["field"])]) == cards[1]
    back.close()


def test_another_line_is_not_taken_for_the_one_before(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client, other = owner.sit(table), owner.sit(table)
    play_out(client, random.Random(1), 3)
    client.until_asked()
    take_back(client)
    while other.takebacks == 0:
        other.receive()  # every tab stands there
    assert (other.seq, other.view) == (client.seq, client.view)
    client.move(client.view["legal"][-1])
    client.expect("moved")
    client.until_asked()
    stale = client.decide("move", move=client.view["legal"][0], takebacks=0)
    assert refusal(stale) == "stale"
    assert stale["snapshot"]["takebacks"] == 1
    assert refusal(client.decide("continue", takebacks=0)) == "stale"
    assert refusal(client.take_back(takebacks=0)) == "stale"
    late = owner.sit(table, seq=client.seq - 1)  # it has seen the line before
    assert late.expect("snapshot", "moved")["type"] == "snapshot"
    same = owner.sit(table, seq=client.seq - 1, takebacks=1)
    assert same.expect("snapshot", "moved")["type"] == "moved"
    for tab in (client, other, late, same):
        tab.close()


def test_only_the_persons_own_moves_make_it_stale(owner: Owner):
    """That agents have moved since is no obstacle; that the person has, in another tab, is one."""
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    client.until_asked()
    before = client.seq
    client.move(client.view["legal"][0])
    mine = client.expect("moved")["seq"]
    client.until_asked()
    assert client.seq > mine
    assert refusal(client.take_back(seq=before)) == "stale"
    first = client.take_back("once", seq=mine)
    assert first == {"type": "ack", "id": "once", "seq": before}
    client.expect("snapshot")
    assert client.take_back("once") == first
    assert client.takebacks == 1
    client.close()


def test_between_two_rounds_the_last_one_goes_on(owner: Owner):
    table = owner.new_table("koikoi", random_seats("koikoi"), options=TWO_ROUNDS)
    client = owner.sit(table)
    play_a_round(client)
    turns = seen_turns(client)
    take_back(client)
    assert client.view == turns[max(turns)]
    play_out(client, random.Random(4))
    assert client.state == "over"
    client.close()


def test_with_a_friend_at_the_table_nothing_is_taken_back(owner: Owner):
    seats = [PERSON, {"person": "Bea"}, *random_seats("gongzhu")[2:]]
    client = owner.sit(owner.new_table("gongzhu", seats))
    client.until_asked()
    assert client.my_turn
    client.move(client.view["legal"][0])
    client.expect("moved")
    assert refusal(client.take_back()) == "not_alone"
    client.close()


def test_who_looks_on_takes_nothing_back(owner: Owner):
    table = owner.new_table("gongzhu", random_seats("gongzhu", person=None))
    client = owner.sit(table)
    while client.seq < 2:
        client.receive()
    assert refusal(client.take_back()) == "not_your_turn"
    client.close()


@pytest.mark.parametrize("moment", ["before the commit", "before the acknowledgement"])
def test_killed_while_a_move_is_taken_back(new_server, moment: str):
    server = new_server(agent_workers=1, die=(moment, TAKEBACK))
    owner = Owner(server)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    play_out(client, random.Random(1), 2)
    client.until_asked()
    seq = client.seq
    last = max(turn for turn in seen_turns(client) if turn < seq)
    with pytest.raises(ConnectionClosed):
        client.take_back("the-one", seq=seq)
    server.wait()
    del server.settings["die"]
    server.start()
    back = owner.sit(table, seq=seq)
    back.expect("snapshot")
    done = moment == "before the acknowledgement"
    assert (back.seq, back.takebacks) == ((last, 1) if done else (seq, 0))
    again = back.take_back("the-one", seq=seq, takebacks=0)  # as the page does, which was not answered
    assert again == {"type": "ack", "id": "the-one", "seq": last}
    while back.takebacks == 0:
        back.receive()
    back.until_asked()
    assert (back.seq, back.takebacks) == (last, 1)
    assert len(stored_moves(server.data, table["table"])) == last
    play_out(back, random.Random(2))
    assert back.seq == 52
    back.close()


def test_a_bot_with_a_memory_plays_the_other_line(new_server, tmp_path: Path):
    program, mark = tmp_path / "believer.py", new_mark()
    program.write_text(BELIEVER)
    server = new_server(bots=(served_bot(f"believer=bot,move_seconds=60:{PLAIN} {program} {mark}"),))
    owner = Owner(server)
    client = owner.sit(owner.new_table("gongzhu", [PERSON, *[{"agent": "gongzhu/believer"}] * 3]))
    for number in range(3):
        client.until_asked()
        client.move(client.view["legal"][number % len(client.view["legal"])])
        client.expect("moved")
    client.until_asked()
    take_back(client)
    take_back(client)
    play_out(client, random.Random(5))
    moved = [message for message in client.seen if message["type"] == "moved" and message["seat"] != 0]
    assert all(message["stand_in"] is None for message in moved)
    client.close()
    server.stop()
    assert nothing_left(mark)


def test_an_agent_that_thinks_for_ever_holds_nothing_up(new_server):
    server = new_server(bad=True, agent_workers=1)
    owner = Owner(server)
    table = owner.new_table("gongzhu", [PERSON, *[{"agent": "gongzhu/greed"}] * 3])
    client = owner.sit(table)
    client.until_asked()
    for number in range(3):
        client.move(client.view["legal"][number])
        assert client.expect("moved")["seq"] == 1
        take_back(client)
    last = client.view["legal"][3]
    assert client.move(last)["type"] == "ack"
    server.kill()
    del server.settings["bad"]
    server.start()
    back = owner.sit(table)
    play_out(back, random.Random(1))
    assert back.view["history"][0] == [0, last]
    assert back.seq == 52
    back.close()
