"""The server is killed without a warning; no acknowledged move is lost, none is doubled, games go on."""

import contextlib
import os
import random
import signal
import threading
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.serve.harness import Client, Owner
from tests.serve.program import MOMENTS
from tests.serve.test_damage import notes
from tests.serve.test_friends import next_to_move, play_together, tables_of
from tests.serve.test_tables import play_out, random_seats

KILLS = {False: 2, True: 50}  # small, soak
PEOPLE = (2, 4, 3, 1)  # at the tables, one after the other


def check_history(client: Client, acknowledged: dict[int, tuple[int, str]]) -> None:
    """Every move that was acknowledged to a seat is where it was, and nothing is there twice."""
    history = client.view["history"]
    assert len(history) == client.seq
    for seq, (seat, move) in acknowledged.items():
        assert history[seq - 1] == [seat, move]
    cards = [move for _, move in history]
    assert len(set(cards)) == len(cards)  # in Gongzhu each move is a card


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_a_named_moment(new_server, moment: str):
    # Seat 0 leads: its first move is number 1. After four moves somebody leads the second trick.
    server = new_server(agent_workers=1, die=(moment, 1 if "thinking" not in moment else 2))
    owner = Owner(server)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    move = client.view["legal"][3]
    acknowledged = {}
    try:
        answer = client.move(move, message_id="the-move")
        acknowledged[answer["seq"]] = (0, move)
        while True:
            client.receive()
    except ConnectionClosed:
        server.wait()
    assert bool(acknowledged) == (moment == "agent thinking")

    del server.settings["die"]
    server.start()
    back = owner.sit(table, seq=0)
    back.expect("snapshot", "moved")
    stored = {"before the commit": 0, "before the acknowledgement": 1, "agent thinking": 1}
    assert back.seq >= stored[moment]
    check_history(back, acknowledged)
    # The page does not know what became of its move and sends it again: it counts once.
    again = back.move(move, seq=0, message_id="the-move")
    assert again == {"type": "ack", "id": "the-move", "seq": 1}
    while back.seq < 4:
        back.receive()
    check_history(back, {1: (0, move)})
    play_out(back, random.Random(1))
    check_history(back, {1: (0, move)})
    assert back.seq == 52
    back.close()


def test_killed_at_random_moments(new_server, soak: bool):
    server = new_server(agent_workers=1, request_rate=1e6, request_burst=10**6)
    owners = [Owner(server) for _ in range(max(PEOPLE))]
    luck = random.Random(5)
    for number in range(KILLS[soak]):
        people = owners[: PEOPLE[number % len(PEOPLE)]]
        tables = tables_of(people, "gongzhu")

        def sit(people=people, tables=tables, seq: int | None = None) -> list[Client]:
            pairs = enumerate(zip(people, tables, strict=True))
            return [person.sit(table, seat, seq) for seat, (person, table) in pairs]

        clients = sit()
        killer = threading.Timer(luck.uniform(0, 0.4), server.kill)
        killer.start()
        acknowledged: dict[int, tuple[int, str]] = {}
        under_way: dict[str, Any] = {}  # a move that was sent, and what became of it is not known
        with contextlib.suppress(ConnectionClosed):
            while (mover := next_to_move(clients)) is not None:
                seat, move = mover.seat, luck.choice(mover.view["legal"])
                under_way = {"move": move, "seq": mover.seq, "message_id": mover.new_id()}
                acknowledged[mover.move(**under_way)["seq"]] = (seat, move)
                under_way = {}
                mover.expect("moved")
        killer.join()
        for client in clients:
            client.socket.close()
        server.start()
        back = sit(seq=max(acknowledged, default=None))
        for client in back:
            client.expect("snapshot", "moved")
        if under_way:  # as the page does: sent again, it counts once, whether it was stored or not
            answer = back[seat].move(**under_way)
            assert answer == {"type": "ack", "id": under_way["message_id"], "seq": under_way["seq"] + 1}
            acknowledged[answer["seq"]] = (seat, under_way["move"])
        for client in back:
            while client.seq < max(acknowledged, default=0):
                client.receive()
            check_history(client, acknowledged)
        play_together(back, luck)
        for client in back:
            check_history(client, acknowledged)
            assert client.seq == 52
            client.close()


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_during_a_move_it_loses_nothing_and_says_so(new_server, asked: signal.Signals):
    """Every page hears that it may come again; what was acknowledged is stored, and the files are closed."""
    server = new_server(agent_workers=1)
    host, guest = Owner(server), Owner(server)
    table, mine = tables_of((host, guest), "gongzhu")
    clients = [host.sit(table), guest.sit(mine, 1), host.sit(table)]
    mover = next_to_move(clients[:2])
    move = mover.view["legal"][0]
    seq = mover.move(move, message_id="the-move")["seq"]  # the agents after it think now
    assert server.process.pid is not None
    os.kill(server.process.pid, asked)
    assert [client.close_code() for client in clients] == [1012] * 3
    server.wait()
    assert notes(server.data) == []
    server.start()
    back = (guest if mover.seat else host).sit(mine if mover.seat else table, mover.seat)
    back.expect("snapshot")
    assert back.view["history"][seq - 1] == [mover.seat, move]
    again = back.move(move, seq=seq - 1, message_id="the-move")
    assert again == {"type": "ack", "id": "the-move", "seq": seq}
    back.close()
