"""What those need who run a server: is it well, and a copy of the games."""

import random
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fuda.serve.store import FILE, Store
from tests.serve.harness import Owner, Server
from tests.serve.test_command import fuda
from tests.serve.test_damage import notes
from tests.serve.test_network import KEY, PUBLIC, ask
from tests.serve.test_tables import play_out, random_seats


def test_health(server: Server):
    status, answer = server.request("GET", "/health")
    assert (status, answer) == (200, {"status": "ok", "notes": 0})


def fill_the_disk(server: Server, full: bool) -> None:
    """From now on the server's process can write to no file, as on a full disk; or it can again."""
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0 if full else hard, hard))


@pytest.mark.parametrize("killed", [False, True])
def test_a_full_disk_loses_no_acknowledged_move(new_server, killed: bool):
    server = new_server(agent_workers=1)
    owner = Owner(server)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    play_out(client, random.Random(1), 3)
    client.until_asked()
    fill_the_disk(server, True)
    move, seq = client.view["legal"][0], client.seq
    refused = client.move(move, message_id="the-move")
    assert (refused["type"], refused["error"]["code"]) == ("refused", "failed")
    assert server.request("GET", "/health")[1]["error"]["code"] == "failed"
    status, answer = server.request("POST", "/api/v1/owners", {})
    assert (status, answer["error"]["code"]) == (503, "failed")
    assert owner.ask("GET", f"/tables/{table['table']}")["seq"] == seq  # what is there can be read
    if killed:
        server.kill()
        client.close()
        server.start()
        client = owner.sit(table)
        client.until_asked()
        assert client.seq == seq
    else:
        fill_the_disk(server, False)
    answer = client.move(move, message_id="the-move")
    assert answer == {"type": "ack", "id": "the-move", "seq": seq + 1}
    client.expect("moved")
    assert server.request("GET", "/health")[0] == 200
    play_out(client, random.Random(1))
    assert client.seq == 52
    client.close()
    server.stop()
    assert notes(server.data) == []


def test_health_needs_no_key_from_this_machine_alone(new_server):
    server = new_server(agent_workers=1, key=KEY, public_url=PUBLIC)
    assert ask(server, "/health").status == 200
    assert ask(server, "/health", Host="cards.example.org").status == 401
    assert ask(server, "/health/x").status == 401


def test_a_backup_of_a_running_server_is_whole(new_server, tmp_path: Path):
    server = new_server(agent_workers=1)
    owner = Owner(server)
    client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    play_out(client, random.Random(1), 3)
    copy = tmp_path / "copy" / FILE
    copy.parent.mkdir()
    run = fuda("serve", "--data", str(server.data), "--backup", str(copy))
    assert (run.returncode, run.stdout) == (0, f"fuda: the games are copied to {copy}\n")
    assert copy.stat().st_mode & 0o777 == 0o600
    play_out(client, random.Random(1))  # the server goes on
    client.close()
    store = Store(copy.parent)
    assert store.notes == []
    assert store.row("SELECT count(*) AS n FROM moves")["n"] >= 3
    store.close()


@pytest.mark.parametrize(
    "target", ["{data}/table.sqlite", "{data}/table.sqlite-wal", "{data}/no/such/folder"]
)
def test_a_backup_that_cannot_be_made_gets_one_sentence(tmp_path: Path, target: str):
    Store(tmp_path).close()
    target = target.format(data=tmp_path)
    run = fuda("serve", "--data", str(tmp_path), "--backup", target)
    assert run.returncode == 2
    assert run.stderr.startswith(f"fuda: {tmp_path}")
    assert run.stderr.count("\n") == 1
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_no_games_to_copy(tmp_path: Path):
    run = fuda("serve", "--data", str(tmp_path), "--backup", str(tmp_path / "copy"))
    assert (run.returncode, run.stderr) == (
        2,
        f"fuda: there are no games in {tmp_path}; give another --data\n",
    )
