"""Bots of the command line at the tables: they play, give hints, and their failures are told."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import fuda
from fuda.serve.roster import ServedBot, served_bot
from tests.bots.programs import PLAIN, bad_bot, new_mark, nothing_left, processes
from tests.serve.harness import Owner, Server
from tests.serve.test_tables import PERSON

# Plays the last legal move, which it says is worth the most.
RISING = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        said = {"type": "hello", "v": 1, "name": "Rising", "author": "Ada", "unit": "points"}
        said["games"] = told["rules"]
    elif told["type"] == "act":
        legal = told["view"]["legal"]
        values = {move: number for number, move in enumerate(legal)} if told["values"] else None
        said = {"type": "move", "id": told["id"], "move": legal[-1], "values": values}
    else:
        continue
    print(json.dumps(said), flush=True)
"""


@pytest.fixture
def rising(tmp_path: Path) -> tuple[ServedBot, str]:
    """The bot, and the mark of its processes."""
    program, mark = tmp_path / "rising.py", new_mark()
    program.write_text(RISING)
    return served_bot(f"rising=bot,move_seconds=60:{PLAIN} {program} {mark}"), mark


def test_a_bot_plays_and_gives_hints(new_server: Callable[..., Server], rising: tuple[ServedBot, str]):
    bot, mark = rising
    assert nothing_left(mark)  # it was only asked who it is
    server = new_server(bots=(bot,))
    card = next(card for card in server.ask("GET", "/lobby")["agents"] if card["name"] == "koikoi/rising")
    assert (card["title"], card["line"], card["unit"]) == ("Rising", "A program of its own by Ada.", "points")
    owner = Owner(server)
    table = owner.new_table("koikoi", [PERSON, {"agent": "koikoi/rising"}], options={"rounds": 1})
    client = owner.sit(table)
    client.until_asked()
    legal = client.view["legal"]
    client.send(type="hint", seq=client.seq, agent="koikoi/rising")
    hint = client.expect("hint")
    assert hint["values"] == {move: number for number, move in enumerate(legal)}
    assert hint["best"] == legal[-1]
    while client.state != "over":
        client.move(client.view["legal"][0])
        client.until_asked()
    moved = [message for message in client.seen if message["type"] == "moved" and message["seat"] == 1]
    assert moved
    assert all(message["stand_in"] is None for message in moved)
    client.close()
    assert 0 < len(processes(mark)) <= 4  # one process, with its keeper, to play and one to look on
    server.stop()
    assert nothing_left(mark)


def test_the_moves_are_the_bots(new_server: Callable[..., Server], rising: tuple[ServedBot, str]):
    """At a table of bots alone every move is the last legal one."""
    server = new_server(bots=(rising[0],))
    owner = Owner(server)
    table = owner.new_table("gongzhu", [{"agent": "gongzhu/rising"}] * 4)
    client = owner.sit(table)
    while client.state != "over":
        client.receive()
    record = owner.ask("GET", "/records")["records"][0]["record"]
    for first in (0, 32):
        steps = owner.ask("GET", f"/records/{record}/replay?first={first}&count=32")["steps"]
        for before, after in pairwise(steps):
            assert after["move"] == before["legal"][-1]
    client.close()
    server.kill()
    assert nothing_left(rising[1])


def test_who_stands_in_for_a_bot_is_told(new_server: Callable[..., Server]):
    mark = new_mark()
    server = new_server(bots=(served_bot(f"bad=bot,move_seconds=60:{bad_bot('exit', mark)}"),))
    owner = Owner(server)
    table = owner.new_table("gongzhu", [PERSON, *[{"agent": "gongzhu/bad"}] * 3])
    client = owner.sit(table)
    told = []
    while len(told) < 6:
        client.until_asked()
        if client.state == "over":
            break
        client.move(client.view["legal"][0])
        told = [message for message in client.seen if message["type"] == "moved" and message["seat"] == 1]
    assert told[0]["stand_in"] is None
    assert told[1]["stand_in"] == {"agent": "gongzhu/greed", "reason": "crash"}
    client.close()


def test_a_bot_that_is_not_registered_any_more(
    new_server: Callable[..., Server], rising: tuple[ServedBot, str]
):
    server = new_server(bots=(rising[0],))
    owner = Owner(server)
    seats = [PERSON, {"agent": "koikoi/rising"}]
    table = owner.new_table("koikoi", seats, options={"rounds": 1})
    server.stop()
    del server.settings["bots"]
    server.start()
    assert owner.ask("GET", "/tables")["tables"][0]["seats"][1]["changed"] == "missing"
    status, answer = server.request(
        "POST", "/api/v1/tables", {"game": "koikoi", "seats": seats}, owner.secret
    )
    assert (status, answer["error"]["code"]) == (400, "no_such_agent")
    assert table["seats"][1]["title"] == "Rising"


@pytest.mark.parametrize("name", ["bot:true", "bot,game=koikoi:true", "json:loads", "koikoi/uct,trees=1"])
def test_a_browser_names_no_program(server: Server, name: str):
    owner = Owner(server)
    body = {"game": "koikoi", "seats": [PERSON, {"agent": name}]}
    status, answer = server.request("POST", "/api/v1/tables", body, owner.secret)
    assert (status, answer["error"]["code"]) == (400, "no_such_agent")


def test_what_is_no_bot(rising: tuple[ServedBot, str]):
    command = rising[0].agent
    for text, why in (
        ("rising", "a --bot is NAME=COMMAND"),
        ("My Bot=x", "a --bot is NAME=COMMAND"),
        ("mine=no-such-program", "there is no program"),
        (f"random={command}", "there is an agent .*/random already"),
        ("mine=bot,speed=1:x", "a bot has no parameter 'speed'"),
    ):
        with pytest.raises(ValueError, match=why):
            served_bot(text)
    with pytest.raises(fuda.AgentError, match="does not say hello: not_json"):
        served_bot("mine=sh -c 'echo hello; exec cat'")  # which goes on after it
