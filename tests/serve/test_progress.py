"""How an owner gets on: games, a rating of those without help, costs by reviews; and the whole profile."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fuda.records import loads
from fuda.serve import protocol, sums
from fuda.serve.progress import progress
from fuda.serve.skill import NEWCOMER_ERROR
from fuda.serve.store import APPLICATION, FILE, MIGRATIONS, Store
from fuda.serve.strengths import newcomer, strengths
from tests.serve.harness import API, Owner, Server, changing, close_code, old_insert, wait_until
from tests.serve.test_friends import seated
from tests.serve.test_tables import play_out, random_seats


def progress_of(owner: Owner) -> dict[str, Any]:
    """By game."""
    found = owner.ask("GET", "/progress")
    protocol.Progress.model_validate(found)
    return {game["game"]: game for game in found["games"]}


def play(owner: Owner, game: str, luck: random.Random, **more: Any) -> tuple[str, dict[str, Any]]:
    """A whole game against random players: its record, and its result."""
    table = owner.new_table(game, random_seats(game), **more)
    client = owner.sit(table)
    play_out(client, luck)
    client.close()
    result = next(message["result"] for message in reversed(client.seen) if message.get("result"))
    return result["record"], result


def reviewed(owner: Owner, game: str, games: int) -> dict[str, Any]:
    """The progress in a game once so many games of it are reviewed."""

    def count() -> int:
        return sum(one["cost"] is not None for one in progress_of(owner)[game]["played"])

    wait_until(lambda: count() == games)
    return progress_of(owner)[game]


@pytest.fixture(scope="session")
def server(reviewing_server: Server) -> Server:
    return reviewing_server


def test_nothing_played_is_no_progress(owner: Owner):
    assert progress_of(owner) == {}


@pytest.mark.parametrize("game", ["gongzhu", "doudizhu"])
def test_games_are_counted_rated_and_cost_what_their_reviews_say(owner: Owner, game: str):
    luck, records, ends = random.Random(8), [], []
    for _ in range(3):
        record, result = play(owner, game, luck)
        records.append(record)
        margin = result["margins"][0]
        ends.append("wins" if margin > 0 else "losses" if margin < 0 else "draws")
    found = reviewed(owner, game, 3)
    assert (found["games"], found["rated"]) == (3, 3)
    assert [found[end] for end in ("wins", "draws", "losses")] == [
        ends.count(end) for end in ("wins", "draws", "losses")
    ]
    assert [one["record"] for one in found["played"]] == records
    assert [one["end"] for one in found["played"]] == ends
    assert [one["created"] for one in found["played"]] == sorted(one["created"] for one in found["played"])
    assert [one["cost"] for one in found["played"]] == [
        owner.ask("GET", f"/records/{record}/review?seat=0")["review"]["cost"] for record in records
    ]
    assert found["standing"][0]["agent"] == f"{game}/random"
    levels = [newcomer(game), *(one["rating"] for one in found["played"])]
    for end, before, after in zip(ends, levels, levels[1:], strict=False):
        assert (after > before) == (end == "wins"), (ends, levels)
    assert found["rating"] == levels[-1]
    assert found["stderr"] < NEWCOMER_ERROR
    (other,) = found["others"]
    assert (other["kind"], other["name"], other["games"]) == ("agent", f"{game}/random", 3)
    assert other["rating"] == pytest.approx(strengths(game)[f"{game}/random"], abs=60)


def test_games_with_help_are_counted_and_not_rated(owner: Owner):
    luck = random.Random(9)
    table = owner.new_table("gongzhu", random_seats("gongzhu"))
    client = owner.sit(table)
    client.until_asked()
    client.send(type="hint", seq=client.seq, agent="gongzhu/best-raw")
    client.expect("hint")
    play_out(client, luck)
    client.close()
    play(owner, "gongzhu", luck)
    found = progress_of(owner)["gongzhu"]
    assert (found["games"], found["rated"]) == (2, 1)
    assert [one["rated"] for one in found["played"]] == [False, True]
    assert found["played"][0]["rating"] is None
    assert found["others"][0]["games"] == 1


def test_who_gives_up_or_deletes_a_running_game_has_lost(owner: Owner):
    luck = random.Random(3)
    resigned = owner.sit(owner.new_table("doudizhu", random_seats("doudizhu")))
    play_out(resigned, luck, 2)
    resigned.send(type="resign", id="enough", seq=resigned.seq)
    resigned.expect("ended")
    resigned.close()
    table = owner.new_table("doudizhu", random_seats("doudizhu"))
    deleted = owner.sit(table)
    play_out(deleted, luck, 2)
    owner.ask("DELETE", f"/tables/{table['table']}")
    assert close_code(deleted.socket) == 4410
    found = progress_of(owner)["doudizhu"]
    assert [one["end"] for one in found["played"]] == ["losses", "losses"]
    assert [one["record"] is None for one in found["played"]] == [False, True]
    assert found["rating"] < found["played"][0]["rating"] < newcomer("doudizhu")


def test_a_game_counts_for_whom_it_was_played_with_too(owner: Owner):
    guest = Owner(owner.server)
    table, clients = seated((owner, guest), "gongzhu")
    clients[0].send(type="resign", id="enough", seq=0)
    clients[1].expect("ended")
    for client in clients:
        client.close()
    assert clients[0].table["table"] == table["table"]
    host_has, guest_has = progress_of(owner)["gongzhu"], progress_of(guest)["gongzhu"]
    assert (host_has["losses"], guest_has["wins"]) == (1, 1)
    assert host_has["rating"] < newcomer("gongzhu") < guest_has["rating"]
    assert {(other["kind"], other["name"]) for other in guest_has["others"]} == {
        ("person", "Ada"), ("agent", "gongzhu/random"),
    }  # fmt: skip
    assert ("person", "Bo") in {(other["kind"], other["name"]) for other in host_has["others"]}
    assert owner.ask("GET", "/results")["results"] == guest.ask("GET", "/results")["results"] == []


def test_a_deleted_record_still_counts(owner: Owner):
    record, _ = play(owner, "gongzhu", random.Random(2))
    cost = reviewed(owner, "gongzhu", 1)["played"][0]["cost"]
    owner.ask("DELETE", f"/records/{record}")
    (played,) = progress_of(owner)["gongzhu"]["played"]
    assert (played["record"], played["cost"], played["rated"]) == (None, cost, True)


def test_a_damaged_row_is_left_out(new_server):
    server = new_server()
    owner = Owner(server)
    for seed in range(2):
        play(owner, "gongzhu", random.Random(seed))
    server.stop()
    with changing(server.data) as database:
        (first,) = database.execute("SELECT id FROM outcomes ORDER BY created LIMIT 1").fetchone()
        database.execute("UPDATE outcomes SET created = 'a flipped byte' WHERE id = ?", (first,))
    server.start()
    assert progress_of(owner)["gongzhu"]["games"] == 1


def test_results_of_an_older_database_get_times_seats_and_costs(tmp_path: Path):
    """A damaged row stays as it was, and is still noticed."""
    before = next(number for number, script in enumerate(MIGRATIONS) if "ADD COLUMN cost" in script)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        for script in MIGRATIONS[:before]:
            database.executescript(script)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {before}")
    info = {
        "game": "gongzhu", "players": ["Ada", *["gongzhu/random"] * 3], "persons": [0],
        "margins": [4, -4, 4, -4], "resigned": None, "hints": False, "same_deal": False, "source": "table",
    }  # fmt: skip
    two = info | {"persons": [0, 1]}
    time = "2026-02-03T04:05:06.000+00:00"
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        sums.add_function(database)
        database.execute(*old_insert("owners", hash=b"x", created=time))
        for record, told in (("r", info), ("bad", info), ("two", two)):
            row = {"id": record, "owner": 1, "game": "gongzhu", "info": told, "created": time}
            database.execute(*old_insert("records", **row))
            database.execute(*old_insert("files", record=record, file="the file"))
            database.execute(*old_insert("outcomes", id=record, owner=1, info=told))
        database.execute(*old_insert("outcomes", id="gone", owner=1, info=info))  # its record is deleted
        review = json.dumps({"cost": 12.5, "unit": "points"})
        database.execute(*old_insert("reviews", record="r", seat=0, review=review, created=""))
        sums.stamp_all(database, ("owners", "records", "files", "outcomes", "reviews"))
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute("UPDATE outcomes SET info = replace(info, 'Ada', 'Eve') WHERE id = 'bad'")
    store = Store(tmp_path)
    try:
        assert [note.partition(":")[0] for note in store.notes] == ["1 result is damaged on the disk"]
        rows = {row["id"]: row for row in store.rows("SELECT * FROM outcomes")}
        kept = ("record", "seat", "created", "cost", "unit")
        assert [rows["r"][name] for name in kept] == ["r", 0, time, 12.5, "points"]
        assert [rows["gone"][name] for name in kept] == ["gone", 0, None, None, None]
        assert [rows["two"][name] for name in kept] == ["two", None, time, None, None]
        assert [rows["bad"][name] for name in kept] == [None] * 5
        (found,) = progress(store.rows, 1)
    finally:
        store.close()
    assert (found["games"], found["rated"], found["wins"]) == (2, 2, 2)
    assert [(one["created"], one["record"], one["cost"]) for one in found["played"]] == [
        (None, None, None), (time, "r", 12.5),
    ]  # fmt: skip


def test_the_profile_is_all_that_there_is_and_tells_no_secret(owner: Owner):
    record, _ = play(owner, "gongzhu", random.Random(5))
    reviewed(owner, "gongzhu", 1)
    running = owner.new_table("koikoi", random_seats("koikoi"))
    text = owner.ask("GET", "/me")
    found = text if isinstance(text, dict) else json.loads(text)
    protocol.Profile.model_validate(found)
    (game,) = found["games"]
    assert game["info"]["record"] == record
    assert loads(game["file"], "profile").over
    (review,) = game["reviews"]
    assert review["seat"] == 0
    assert {(puzzle["seq"], puzzle["erred"]) for puzzle in found["puzzles"]} == {
        (mistake["index"], mistake["move"]) for mistake in review["mistakes"]
    }
    assert found["progress"] == list(progress_of(owner).values())
    assert [table["table"] for table in found["tables"]] == [running["table"]]
    told = json.dumps(found)
    for secret in (owner.secret, running["seats"][0]["secret"]):
        assert secret not in told


def test_who_deletes_the_profile_leaves_nothing(new_server):
    server = new_server(reviews=True)
    owner, friend = Owner(server), Owner(server)
    record, _ = play(owner, "gongzhu", random.Random(5))
    reviewed(owner, "gongzhu", 1)
    mine = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
    theirs, (host, guest) = seated((friend, owner), "gongzhu")
    finished, clients = seated((friend, owner), "gongzhu")
    clients[0].send(type="resign", id="enough", seq=0)
    clients[1].expect("ended")
    assert owner.ask("DELETE", "/me") == {}
    assert close_code(mine.socket) == 4410
    assert close_code(guest.socket) == 4412
    seats = host.expect("seated")["table"]["seats"]  # an agent goes on
    assert [seat["kind"] for seat in seats[:2]] == ["person", "agent"]
    for path in ("/me", "/progress", "/records", "/tables", f"/records/{record}/file"):
        status, answer = server.request("GET", API + path, None, owner.secret)
        assert (status, answer["error"]["code"]) == (401, "wrong_secret"), path
    # What the friend has stays; nothing else does.
    assert friend.ask("GET", f"/tables/{finished['table']}")["state"] == "over"
    assert friend.ask("GET", f"/tables/{theirs['table']}")["state"] == "playing"
    assert progress_of(friend)["gongzhu"]["games"] == 1
    for client in (host, *clients):
        client.close()
    server.stop()
    with closing(sqlite3.connect(server.data / FILE)) as database:
        left = {
            name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for name in ("owners", "records", "files", "reviews", "tables", "outcomes", "guests", "puzzles")
        }
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert left == {
        "owners": 1, "records": 1, "files": 1, "reviews": left["reviews"], "tables": 2, "outcomes": 1,
        "guests": 0, "puzzles": left["puzzles"],
    }  # fmt: skip
    store = Store(server.data)
    notes = store.notes
    store.close()
    assert notes == []
    server.start()
    assert friend.ask("GET", f"/tables/{finished['table']}")["damaged"] is False
    newcomer = Owner(server)  # who may get the number of the one who is gone
    assert newcomer.ask("GET", "/records")["records"] == newcomer.ask("GET", "/tables")["tables"] == []
    assert friend.ask("GET", "/progress")["games"][0]["game"] == "gongzhu"
