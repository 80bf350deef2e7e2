"""The database: older ones are migrated after a backup, newer and foreign ones get one sentence."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fuda.serve.store import FILE, MIGRATIONS, Store, insert, now
from tests.serve.harness import old_insert, run


def add_owner(store: Store, name: str) -> None:
    run(_write(store, insert("owners", hash=name, created=now())))


async def _write(store: Store, *statements) -> None:
    await store.write(*statements)


def test_an_older_database_is_migrated_after_a_backup(tmp_path: Path):
    store = Store(tmp_path)
    add_owner(store, "ada")
    store.close()
    newer = (*MIGRATIONS, "ALTER TABLE owners ADD COLUMN colour TEXT DEFAULT 'red'")
    store = Store(tmp_path, newer)
    assert store.row("SELECT * FROM owners")["colour"] == "red"
    store.close()
    version = len(MIGRATIONS)
    with closing(sqlite3.connect(tmp_path / f"table-{version}.backup")) as backup:
        assert backup.execute("SELECT hash FROM owners").fetchall() == [("ada",)]
        assert backup.execute("PRAGMA user_version").fetchone() == (version,)


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path):
    store = Store(tmp_path, MIGRATIONS[:1])
    run(_write(store, old_insert("owners", hash="ada", created="")))
    row = {
        "id": "t", "owner": 1, "game": "koikoi", "rules_version": 1, "fuda": "1", "options": "{}",
        "seats": "[]", "seed": "1", "luck": "1", "state": "over", "delay": 0, "paused": 0,
        "created": "", "changed": "",
    }  # fmt: skip
    old = {"id": "r", "owner": 1, "table_id": "t", "game": "koikoi", "created": ""}
    run(
        _write(
            store,
            old_insert("tables", **row),
            old_insert("records", info='{"source": "table"}', file="the file", **old),
        )
    )
    store.close()
    store = Store(tmp_path)
    assert store.notes == []
    assert store.row("SELECT file FROM files WHERE record = 'r'")["file"] == "the file"
    assert store.row("SELECT num_moves, num_deals FROM tables")[:] == (0, 0)
    assert [row["id"] for row in store.rows("SELECT id FROM outcomes")] == ["r"]
    assert store.row("SELECT * FROM tables")["resigned_between"] == 0
    assert store.rows("SELECT * FROM refusals") == []
    store.close()


def test_a_migration_that_fails_leaves_the_old_tables(tmp_path: Path):
    Store(tmp_path).close()
    broken = (*MIGRATIONS, "ALTER TABLE owners ADD COLUMN colour TEXT; ALTER TABLE absent ADD COLUMN x")
    with pytest.raises(ValueError, match="cannot be used: no such table"):
        Store(tmp_path, broken)
    store = Store(tmp_path)
    names = [row["name"] for row in store.rows("SELECT name FROM pragma_table_info('owners')")]
    assert names == ["owner", "hash", "created", "address", "sum"]
    store.close()


def test_what_is_not_a_database_of_this_fuda_is_refused_in_one_sentence(tmp_path: Path):
    Store(tmp_path, (*MIGRATIONS, "CREATE TABLE more (x)")).close()
    here = len(MIGRATIONS)
    newer = rf"was written by a newer fuda \(version {here + 1} of its tables, here {here}\)"
    with pytest.raises(ValueError, match=newer):
        Store(tmp_path)
    (tmp_path / "foreign").mkdir()
    with closing(sqlite3.connect(tmp_path / "foreign" / FILE)) as foreign:
        foreign.execute("CREATE TABLE bookmarks (x)")
    with pytest.raises(ValueError, match="is another program's database"):
        Store(tmp_path / "foreign")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / FILE).write_text("This is no database at all, but it is long enough. " * 20)
    with pytest.raises(ValueError, match="cannot be used: file is not a database"):
        Store(tmp_path / "text")


def test_a_new_folder_is_the_owners_alone(tmp_path: Path):
    Store(tmp_path / "new").close()
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_two_servers_do_not_share_a_folder(tmp_path: Path):
    first = Store(tmp_path)
    with pytest.raises(ValueError, match="another fuda serve uses"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()


def test_a_job_of_a_batch_that_fails_takes_only_itself_back(tmp_path: Path):
    store = Store(tmp_path)

    async def write_many() -> list[object]:
        jobs = [
            store.write(
                insert("owners", hash=f"{number}", created=now()),
                insert("owners", hash="the same" if number % 2 else f"and {number}", created=now()),
            )
            for number in range(20)
        ]
        return await asyncio.gather(*jobs, return_exceptions=True)

    results = run(write_many())
    assert [isinstance(result, sqlite3.IntegrityError) for result in results] == [
        number % 2 == 1 and number > 1 for number in range(20)
    ]
    stored = {row["hash"] for row in store.rows("SELECT hash FROM owners")}
    assert stored == {
        *(str(number) for number in range(0, 20, 2)),
        *(f"and {n}" for n in range(0, 20, 2)),
        "1",
        "the same",
    }
    store.close()
