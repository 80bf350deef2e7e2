"""What has become of the database while no server ran: noticed at the start, and told in a sentence."""

import os
import random
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
from tests.serve.harness import Owner, Server, changing, close_code, open_socket
from tests.serve.test_attacks import hello_to
from tests.serve.test_records import played
from tests.serve.test_tables import play_out, random_seats

ONE_GAME = ["1 game is damaged on the disk: marked, and not played on; all others go on"]


@pytest.fixture(scope="module")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, Owner, list[dict]]:
    """A stopped server with two running games, a finished one and an upload."""
    server = Server(tmp_path_factory.mktemp("damage"), agent_workers=1)
    owner = Owner(server)
    tables = [owner.new_table("gongzhu", random_seats("gongzhu")) for _ in range(3)]
    for table, moves in zip(tables, (3, 4, 100), strict=True):
        client = owner.sit(table)
        play_out(client, random.Random(1), moves)
        client.close()
    owner.ask("POST", "/records", {"file": dumps(played("gongzhu"))})
    server.stop()
    return server, owner, tables


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
            assert damaged_rows(database, name, "*") == [], name
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
    damaged, well, _ = tables
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


def test_an_illegal_move_with_a_right_sum_is_noticed_when_the_game_is_opened(
    played_on, new_server, data: Path
):
    tables = played_on[2]
    with changing(data) as database:
        database.execute(f"UPDATE moves SET move = 'XX' WHERE {ONE_MOVE}", (tables[0]["table"],))
    assert notes(data) == []
    server = new_server(agent_workers=1, data=data)
    for _ in range(2):
        socket = open_socket(server)
        hello_to(socket, tables[0])
        assert close_code(socket) == 4411


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


def test_a_flipped_byte_in_any_page_is_noticed(data: Path, tmp_path: Path):
    """The game is marked and the others go on; or, where the structure is hit, the database is refused."""
    whole = (data / FILE).read_bytes()
    before = content(data)
    page_size = int.from_bytes(whole[16:18], "big")
    luck = random.Random(5)
    marked = refused = 0
    for page in range(len(whole) // page_size):
        for place in (luck.randrange(page_size), page_size - 1 - luck.randrange(200)):
            changed = bytearray(whole)
            changed[page * page_size + place] ^= 1 << luck.randrange(8)
            (data / FILE).write_bytes(changed)
            told, why_not = notes_or_refusal(data)
            assert told or content(data) == before, (page, place)
            assert "\n" not in why_not
            refused += bool(why_not)
            marked += not why_not and bool(told)
            for path in data.glob(f"{FILE}*"):
                path.unlink()
            (data / "table.open").unlink(missing_ok=True)
    assert marked > 5
    assert refused < len(whole) // page_size
