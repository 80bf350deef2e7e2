"""What has become of the database while no server ran: noticed at the start, and told in a sentence."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from fuda.records import dumps
from fuda.serve.store import FILE, MIGRATIONS, Store
from fuda.serve.sums import SUMMED, add_function, damaged_rows
from tests.serve.harness import Owner, Server, changing, close_code, open_socket, wait_until
from tests.serve.test_attacks import hello_to
from tests.serve.test_friends import invite, join
from tests.serve.test_records import played
from tests.serve.test_tables import play_out, random_seats

ONE_GAME = ["1 game is damaged on the disk: marked, and not played on; all others go on"]


@pytest.fixture(scope="module")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, Owner, list[dict]]:
    """A stopped server with two running games, a reviewed one, an upload, and a game with a guest."""
    server = Server(tmp_path_factory.mktemp("damage"), agent_workers=1, reviews=True)
    owner = Owner(server)
    tables = [owner.new_table("gongzhu", random_seats("gongzhu")) for _ in range(3)]
    for table, moves in zip(tables, (3, 4, 100), strict=True):
        client = owner.sit(table)
        play_out(client, random.Random(1), moves)
        client.close()
    record = client.seen[-1]["result"]["record"]
    wait_until(lambda: review_of(owner, record)["state"] == "ready")
    owner.ask("POST", "/records", {"file": dumps(played("gongzhu"))})
    seats = [{"person": "Ada"}, *[{"person": "?", "invited": True}] * 2, {"agent": "gongzhu/random"}]
    shared = owner.new_table("gongzhu", seats)
    join(Owner(server), invite(owner, shared))
    invite(owner, shared, 2)
    invite(owner, shared, None)
    tables.append(shared)
    server.stop()
    return server, owner, tables


def review_of(owner: Owner, record: str) -> dict:
    return dict(owner.ask("GET", f"/records/{record}/review?seat=0"))


@pytest.fixture
def data(played_on, tmp_path: Path) -> Path:
    """A copy of its folder, to be harmed."""
    return Path(shutil.copytree(played_on[0].data, tmp_path / "data"))


def change(data: Path, sql: str, *given: object) -> None:
    with closing(sqlite3.connect(data / FILE)) as database, database:
        assert database.execute(sql, given).rowcount == 1


def notes(data: Path) -> list[str]:
    store = Store(data)
    store.close()
    return store.notes


def test_what_the_server_wrote_has_the_right_sums(data: Path):
    assert notes(data) == []
    with closing(sqlite3.connect(data / FILE)) as database:
        add_function(database)
        for name in SUMMED:
            assert not damaged_rows(database, name, "sum"), name
            rows = database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            assert rows or name in ("refusals", "puzzles")


ONE_MOVE = "table_id = ? AND seq = 2"


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE moves SET move = 'XX' WHERE {ONE_MOVE}",
        f"UPDATE moves SET seat = 9 WHERE {ONE_MOVE}",
        f"UPDATE moves SET sum = NULL WHERE {ONE_MOVE}",
        f"DELETE FROM moves WHERE {ONE_MOVE}",
        "DELETE FROM deals WHERE table_id = ?",
        "UPDATE deals SET deal = '{' WHERE table_id = ?",
        "UPDATE tables SET seats = 'nonsense' WHERE id = ?",
        "UPDATE tables SET options = '[]' WHERE id = ?",
        "UPDATE tables SET luck = luck + 1 WHERE id = ?",
    ],
)
def test_a_damaged_game_is_marked_and_the_others_go_on(played_on, new_server, data: Path, sql: str):
    _, owner, tables = played_on
    damaged, well, *_ = tables
    change(data, sql, damaged["table"])
    assert notes(data) == ONE_GAME
    server = new_server(agent_workers=1, data=data)
    back = Owner(server, owner.secret)
    listed = {table["table"]: table for table in back.ask("GET", "/tables")["tables"]}
    assert listed[damaged["table"]]["damaged"]
    assert not listed[damaged["table"]]["playable"]
    assert not listed[well["table"]]["damaged"]
    socket = open_socket(server)
    hello_to(socket, damaged)
    assert close_code(socket) == 4411
    client = back.sit(well)
    play_out(client, random.Random(2))
    assert client.state == "over"
    client.close()
    back.ask("DELETE", f"/tables/{damaged['table']}")
    assert notes_of_stopped(server) == []


def notes_of_stopped(server: Server) -> list[str]:
    server.stop()
    return notes(server.data)


def test_an_illegal_move_with_a_right_sum_is_noticed_at_the_start(played_on, new_server, data: Path):
    _, owner, (damaged, well, *_) = played_on
    with changing(data) as database:
        database.execute(f"UPDATE moves SET move = 'XX' WHERE {ONE_MOVE}", (damaged["table"],))
    assert notes(data) == []
    server = new_server(agent_workers=1, data=data)
    back = Owner(server, owner.secret)

    def is_marked(table: dict) -> bool:
        return bool(back.ask("GET", f"/tables/{table['table']}")["damaged"])

    wait_until(lambda: is_marked(damaged))  # nobody has opened it
    assert not is_marked(well)
    for _ in range(2):
        socket = open_socket(server)
        hello_to(socket, damaged)
        assert close_code(socket) == 4411
    assert notes_of_stopped(server) == ONE_GAME


LET_GO = r"1 row of \S+ referred to nothing: let go; the file as it was is kept as table-\w+\.damaged"
GUEST = "1 guest's seat on the disk was damaged: noted again, nothing is lost"


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (f"UPDATE moves SET table_id = 'zz' WHERE {ONE_MOVE}", [LET_GO, ONE_GAME[0]]),
        ("UPDATE deals SET table_id = 'zz' WHERE table_id = ?", [LET_GO, ONE_GAME[0]]),
        ("UPDATE tables SET owner = 99 WHERE id = ?", ONE_GAME),
        ("UPDATE files SET record = 'zz' WHERE record = (SELECT record FROM tables WHERE id = ?)", None),
        ("UPDATE guests SET owner = 99 WHERE table_id = ?", [LET_GO, GUEST]),
        ("UPDATE guests SET owner = 1 WHERE table_id = ?", [GUEST]),
        ("UPDATE guests SET seat = 3 WHERE table_id = ?", [GUEST]),
        ("DELETE FROM guests WHERE table_id = ?", [GUEST]),
        ("UPDATE invitations SET table_id = 'zz' WHERE table_id = ? AND seat = 2", [LET_GO]),
        (
            "UPDATE invitations SET seat = 1 WHERE table_id = ? AND seat = 2",
            ["1 invitation on the disk was damaged: taken back, invite again"],
        ),
        (
            "UPDATE positions SET hash = x'00' WHERE table_id = ? AND seat = 0",
            ["1 position on the disk was damaged: noted again, nothing is lost"],
        ),
    ],
)
def test_a_changed_reference_refuses_no_other_game(played_on, new_server, data: Path, sql: str, told):
    _, owner, (first, well, over, shared) = played_on
    of_which = shared if "guests" in sql or "invitations" in sql else over if "files" in sql else first
    guests = "SELECT table_id, seat, owner FROM guests"
    before = rows_of(data, guests)
    change(data, sql, of_which["table"])
    told = told or [LET_GO, "1 record is damaged on the disk: marked, and not played on; all others go on"]
    found = notes(data)
    assert len(found) == len(told)
    assert all(re.fullmatch(wanted, note) for wanted, note in zip(told, found, strict=True)), found
    assert rows_of(data, guests) == before
    server = new_server(agent_workers=1, data=data)
    client = Owner(server, owner.secret).sit(well)
    play_out(client, random.Random(2))
    assert client.state == "over"
    client.close()
    positions = "SELECT 1 FROM positions WHERE table_id = ?"
    wait_until(lambda: rows_of(data, positions, first["table"]))
    server.stop()
    assert [note for note in notes(data) if "go on" not in note] == []


def rows_of(data: Path, sql: str, *given: object) -> list[tuple]:
    with closing(sqlite3.connect(data / FILE)) as database:
        return sorted(database.execute(sql, given))


def test_a_damaged_review_is_computed_again(played_on, new_server, data: Path):
    _, owner, _ = played_on
    (before,) = rows_of(data, "SELECT record, seat, review FROM reviews")
    change(data, "UPDATE reviews SET review = substr(review, 9)")
    assert notes(data) == ["1 review on the disk was damaged: computed again"]
    server = new_server(reviews=True, agent_workers=1, data=data)
    wait_until(lambda: review_of(Owner(server, owner.secret), before[0])["state"] == "ready")
    server.stop()
    assert rows_of(data, "SELECT record, seat, review FROM reviews") == [before]
    assert notes(data) == []


def test_a_guest_who_is_no_owner_any_more_is_not_made_up(played_on, data: Path):
    """Another who comes later would have the number."""
    change(data, "DELETE FROM owners WHERE owner = 2")
    found = notes(data)
    assert re.fullmatch(LET_GO, found[0])
    assert found[1:] == ONE_GAME
    assert rows_of(data, "SELECT * FROM guests") == []


def test_text_that_is_none_any_more_is_marked(played_on, new_server, data: Path):
    _, owner, (damaged, well, *_) = played_on
    change(data, "UPDATE tables SET options = CAST(x'7bff7d' AS TEXT) WHERE id = ?", damaged["table"])
    assert notes(data) == ONE_GAME
    back = Owner(new_server(agent_workers=1, data=data), owner.secret)
    listed = {table["table"]: table["damaged"] for table in back.ask("GET", "/tables")["tables"]}
    assert (listed[damaged["table"]], listed[well["table"]]) == (True, False)


@pytest.mark.parametrize("name", ["records", "files"])
def test_a_damaged_record_is_marked(played_on, new_server, data: Path, name: str):
    _, owner, _ = played_on
    key, column = {"records": ("id", "info"), "files": ("record", "file")}[name]
    with closing(sqlite3.connect(data / FILE)) as database:
        (record,) = database.execute("SELECT id FROM records WHERE table_id IS NOT NULL").fetchone()
    change(data, f"UPDATE {name} SET {column} = 'nonsense' WHERE {key} = ?", record)
    assert notes(data) == ["1 record is damaged on the disk: marked, and not played on; all others go on"]
    server = new_server(agent_workers=1, data=data)
    back = Owner(server, owner.secret)
    listed = {each["record"]: each for each in back.ask("GET", "/records")["records"]}
    assert [each["damaged"] for each in listed.values() if each["record"] == record] == [True]
    assert sum(each["damaged"] for each in listed.values()) == 1
    status, answer = server.request("GET", f"/api/v1/records/{record}/file", None, owner.secret)
    assert (status, answer["error"]["code"]) == (409, "damaged")


def killed(data: Path) -> str:
    """Kill a server just after it has stored something: the name of the journal that it leaves."""
    program = (
        "import os, sys; from pathlib import Path; from fuda.serve.store import Store, insert, now\n"
        "import asyncio; from tests.serve.harness import run\n"
        "store = Store(Path(sys.argv[1]))\n"
        "async def write():\n"
        "    for number in range(3):\n"
        "        await store.write(insert('owners', hash=f'{number}', created=now()))\n"
        "run(write()); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(data)], check=False).returncode == 9
    return f"{FILE}-wal"


def num_owners(data: Path) -> int:
    with closing(sqlite3.connect(data / FILE)) as database:
        return int(database.execute("SELECT count(*) FROM owners").fetchone()[0])


def test_a_journal_that_is_whole_is_no_news(data: Path):
    before = num_owners(data)
    killed(data)
    assert notes(data) == []
    assert num_owners(data) == before + 3


def test_a_lost_journal_is_told(data: Path):
    (data / killed(data)).unlink()
    assert notes(data) == [
        f"the journal {FILE}-wal in {data} is gone: moves that were stored last may be lost"
    ]
    assert notes(data) == []


@pytest.mark.parametrize("place", ["header", "frame"])
def test_a_damaged_journal_is_told_and_kept(data: Path, place: str):
    log = data / killed(data)
    content = bytearray(log.read_bytes())
    content[10 if place == "header" else len(content) // 2] ^= 1
    log.write_bytes(content)
    (note,) = notes(data)
    assert note.startswith(
        f"the journal {FILE}-wal in {data} is damaged: moves that were stored last may be lost"
    )
    (kept,) = data.glob("*.damaged")
    assert note.endswith(f"it is kept as {kept.name}")
    assert kept.read_bytes() == content
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_commit_that_was_cut_off_is_no_damage(data: Path):
    """When the machine stopped: nobody was told of it."""
    log = data / killed(data)
    log.write_bytes(log.read_bytes()[:-100])
    assert notes(data) == []


def test_the_files_are_for_nobody_else_also_in_a_folder_that_was_there(tmp_path: Path):
    tmp_path.chmod(0o755)
    os.umask(0o022)
    Store(tmp_path, MIGRATIONS[:3]).close()
    store = Store(tmp_path)
    files = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    store.close()
    assert {FILE, f"{FILE}-wal", "table-3.backup"} <= set(files)
    assert set(files.values()) == {0o600}


def test_a_database_that_cannot_be_written_is_told_at_the_start(data: Path):
    program = (
        "import os, sys; from pathlib import Path; from fuda.serve.store import Store\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: Store(Path(sys.argv[1]))\n"
        "except ValueError as error: print(error)"
    )
    for path in (data, *data.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in data.parents[:2]:
        parent.chmod(0o755)
    run = subprocess.run(
        [sys.executable, "-c", program, str(data)], capture_output=True, text=True, check=True
    )
    assert run.stdout.count("\n") == 1, run
    assert str(data) in run.stdout
    assert "give another --data" in run.stdout


def content(data: Path) -> dict[str, list[tuple]]:
    """All that rows have sums for."""
    with closing(sqlite3.connect(data / FILE)) as database:
        return {
            name: sorted(database.execute(f"SELECT {', '.join(columns)}, sum FROM {name}"), key=repr)
            for name, columns in SUMMED.items()
        }


def notes_or_refusal(data: Path) -> tuple[list[str], str]:
    """What is told of a database at the start; the second: why it is refused."""
    try:
        return notes(data), ""
    except ValueError as error:
        return [str(error)], str(error)


HEADER = 100  # bytes of the first page: whose database it is, and of which version


def is_of_structure(data: Path, changed: bytes, place: int) -> bool:
    """Whether more is damaged than rows and their order, by what SQLite says; or what columns there are."""
    (data / "changed").write_bytes(changed)
    with closing(sqlite3.connect(data / "changed")) as database:
        database.text_factory = bytes
        try:
            found = b"\n".join(row[0] for row in database.execute("PRAGMA integrity_check"))
            columns = database.execute("SELECT sql FROM sqlite_schema").fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return True
    with closing(sqlite3.connect(":memory:")) as database:
        database.text_factory = bytes
        database.executescript("".join(MIGRATIONS))
        had = database.execute("SELECT sql FROM sqlite_schema").fetchall()
    return place < HEADER or columns != had or bool(re.search(rb"[Pp]age|malformed|\*\*\*", found))


def test_a_flipped_byte_in_any_page_is_noticed(data: Path, tmp_path: Path):
    """The game is marked and the others go on; only where the structure is hit is the database refused."""
    whole = (data / FILE).read_bytes()
    before = content(data)
    assert all(before[name] or name == "refusals" for name in SUMMED)
    assert not is_of_structure(data, whole, HEADER)
    page_size = int.from_bytes(whole[16:18], "big")
    luck = random.Random(5)
    marked = 0
    for page in range(len(whole) // page_size):
        for place in (luck.randrange(page_size), page_size - 1 - luck.randrange(200)):
            changed = bytearray(whole)
            changed[page * page_size + place] ^= 1 << luck.randrange(8)
            (data / FILE).write_bytes(changed)
            told, why_not = notes_or_refusal(data)
            assert told or content(data) == before, (page, place)
            assert "\n" not in why_not
            assert not why_not or is_of_structure(data, changed, page * page_size + place), (page, place)
            marked += not why_not and bool(told)
            for path in data.glob(f"{FILE}*"):
                path.unlink()
            (data / "table.open").unlink(missing_ok=True)
    assert marked > 5
