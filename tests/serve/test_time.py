"""What is old goes, and only that: whatever the clock says meanwhile."""

import random

import pytest

from fuda.records import dumps
from tests.serve.harness import Owner, Server, wait_until
from tests.serve.program import DAYS, LOOKED
from tests.serve.test_command import fuda
from tests.serve.test_records import played
from tests.serve.test_tables import play_out, random_seats


def set_clock(server: Server, days: int) -> None:
    """Let the clock jump to so many days from now, and wait until it has been looked at."""
    (server.data / DAYS).write_text(str(days))
    looked = server.data / LOOKED

    def count() -> int:
        return int(looked.read_text() or 0) if looked.exists() else 0

    before = count()
    wait_until(lambda: count() > before + 1)


def test_a_clock_that_jumps_loses_nothing(new_server):
    server = new_server(agent_workers=1, days=0.02, owner_days=1, unplayed_days=1, keep_days=1)
    idle, owner = Owner(server), Owner(server)
    unplayed = owner.new_table("gongzhu", random_seats("gongzhu"))
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    left = owner.new_table("gongzhu", random_seats("gongzhu"))
    for each, moves in ((left, 2), (table, 2)):
        client = owner.sit(each)
        play_out(client, random.Random(1), moves)
        if each is left:
            client.close()
    luck = random.Random(2)
    for days in (400, -4000, 0):
        set_clock(server, days)
        assert idle.ask("GET", "/tables")["tables"] == []
        running = {each["table"] for each in owner.ask("GET", "/tables")["tables"]}
        assert running == {each["table"] for each in (unplayed, table, left)}
        play_out(client, luck, 3)
    play_out(client, luck)
    assert client.state == "over"
    client.close()
    assert len(owner.ask("GET", "/records")["records"]) == 1


def test_games_are_removed_so_long_after_their_last_move(new_server):
    server = new_server(agent_workers=1, days=0.02, keep_days=10)
    owner = Owner(server)
    for moves in (2, 100):
        client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
        play_out(client, random.Random(1), moves)
        client.close()
    owner.ask("POST", "/records", {"file": dumps(played("gongzhu"))})
    results = owner.ask("GET", "/results")["results"]
    for days, kept in ((9, (1, 2)), (11, (0, 0))):
        server.stop()
        (server.data / DAYS).write_text(str(days))
        server.start()
        set_clock(server, days)
        tables, records = (owner.ask("GET", f"/{name}")[name] for name in ("tables", "records"))
        assert (len(tables), len(records)) == kept
        assert owner.ask("GET", "/results")["results"] == results


@pytest.mark.parametrize("days", ["0", "-1", "soon"])
def test_how_long_games_are_kept_is_a_number_of_days(tmp_path, days: str):
    run = fuda("serve", "--no-browser", "--data", str(tmp_path), "--keep-days", days)
    assert run.returncode == 2
    assert "--keep-days" in run.stderr
