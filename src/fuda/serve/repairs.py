"""Rows of a database that are not as they were written: found at the start, marked, or made anew.

A game that is damaged is marked and left alone; the others go on. What follows from other rows is made
from them again. Whoever starts the server is told in a sentence each.
"""

import json
import sqlite3
from pathlib import Path
from typing import NamedTuple

from fuda.serve.soundness import keep
from fuda.serve.sums import columns_of, damaged_rows, sum_in_sql

# What is done with a row that refers to nothing.
CLEARED = "UPDATE {table} SET {column} = NULL"
MARKED = "UPDATE {table} SET damaged = 'owner'"
TAKEN_OUT = "DELETE FROM {table}"
SEAT = "table_id || '/' || seat"  # the key of a seat at a table
PARTS = ("deals", "moves", "answers", "refusals")  # of a table


class Reference(NamedTuple):
    """A column that has the key of another table's row."""

    table: str
    column: str
    parent: str
    key: str
    ends: str  # what is done with a row that refers to nothing

    @property
    def lost(self) -> str:
        """What is true of such rows."""
        lost = f"{self.column} IS NOT NULL AND {self.column} NOT IN (SELECT {self.key} FROM {self.parent})"
        return f"{lost} AND damaged IS NULL" if self.ends == MARKED else lost


def mend_rows(database: sqlite3.Connection, path: Path) -> list[str]:
    """Mark what is damaged and make anew what can be: sentences that tell of it."""
    broken = [each for each in _references(database) if _has_lost(database, each)]
    kept = keep(database, path) if any(each.ends != MARKED for each in broken) else None
    database.execute("BEGIN IMMEDIATE")
    with database:  # all of it or nothing
        let_go = sum(_mend(database, each) for each in broken)
        notes = _mark_damaged(database)
    if kept is None:
        return notes
    rows = _number(let_go, "row", "rows")
    return [
        f"{rows} of {path} referred to nothing: let go; the file as it was is kept as {kept.name}",
        *notes,
    ]


def _mend(database: sqlite3.Connection, each: Reference) -> int:
    """How many rows are let go of."""
    changed = database.execute(f"{each.ends.format(**each._asdict())} WHERE {each.lost}").rowcount
    return changed if each.ends != MARKED else 0


def _references(database: sqlite3.Connection) -> list[Reference]:
    found = database.execute(
        """
        SELECT child.name, refers."from", refers."table", parent.name, refers.on_delete
        FROM sqlite_schema AS child
        JOIN pragma_foreign_key_list(child.name) AS refers
        JOIN pragma_table_info(refers."table") AS parent ON parent.pk = 1
        WHERE child.type = 'table'
        """
    ).fetchall()
    references = []
    for table, column, parent, key, on_delete in found:
        is_game = "damaged" in columns_of(database, table)
        ends = CLEARED if on_delete == "SET NULL" else MARKED if is_game else TAKEN_OUT
        references.append(Reference(table, column, parent, key, ends))
    return references


def _has_lost(database: sqlite3.Connection, each: Reference) -> bool:
    return bool(database.execute(f"SELECT 1 FROM {each.table} WHERE {each.lost} LIMIT 1").fetchall())


def _mark_damaged(database: sqlite3.Connection) -> list[str]:
    tables = _damaged_games(database)
    records = damaged_rows(database, "records", "id") | damaged_rows(database, "files", "record")
    records |= _keys(database, "SELECT id FROM records WHERE id NOT IN (SELECT record FROM files)")
    for name, keys in (("tables", tables), ("records", records)):
        database.executemany(
            f"UPDATE {name} SET damaged = 'row' WHERE CAST(id AS BLOB) = ? AND damaged IS NULL",
            [(key,) for key in keys],
        )
    again = _restored(database)
    counted = [
        _number(number, one, many)
        for number, one, many in (
            (len(_keys(database, "SELECT id FROM tables WHERE damaged NOT NULL")), "game", "games"),
            (len(_keys(database, "SELECT id FROM records WHERE damaged NOT NULL")), "record", "records"),
            (len(damaged_rows(database, "outcomes", "id")), "result", "results"),
            (len(damaged_rows(database, "owners", "owner")), "owner", "owners"),
        )
        if number
    ]
    if not counted:
        return again
    verb = "is" if counted[0].startswith("1 ") and len(counted) == 1 else "are"
    marked = f"{', '.join(counted)} {verb} damaged on the disk: marked, and not played on; all others go on"
    return [marked, *again]


def _damaged_games(database: sqlite3.Connection) -> set[bytes]:
    found = damaged_rows(database, "tables", "id")
    for part in PARTS:
        found |= damaged_rows(database, part, "table_id")
    return found | _keys(
        database,
        "SELECT id FROM tables WHERE num_moves != (SELECT count(*) FROM moves WHERE table_id = id) "
        "OR num_deals != (SELECT count(*) FROM deals WHERE table_id = id)",
    )


def _restored(database: sqlite3.Connection) -> list[str]:
    """What can be had again is not marked: sentences that tell of it."""
    told = (
        (_take_out(database, "invitations", "hash"), "invitation", "invitations", "taken back, invite again"),
        (_take_out_reviews(database), "review", "reviews", "computed again"),
        (_restore_guests(database), "guest's seat", "guests' seats", "noted again, nothing is lost"),
        (
            _take_out(database, "puzzles", "id"),
            "puzzle",
            "puzzles",
            "let go, the game that it is of is there",
        ),
        # The server notes them again once it runs.
        (_take_out(database, "positions", SEAT), "position", "positions", "noted again, nothing is lost"),
    )
    return [
        f"{_number(number, one, many)} on the disk {'was' if number == 1 else 'were'} damaged: {what}"
        for number, one, many, what in told
        if number
    ]


def _take_out_reviews(database: sqlite3.Connection) -> int:
    """Those of the persons at a table are due again."""
    damaged = damaged_rows(database, "reviews", "record")
    number = _take_out(database, "reviews", SEAT.replace("table_id", "record"))
    for record, info in database.execute("SELECT id, info FROM records WHERE damaged IS NULL").fetchall():
        if record.encode() in damaged:
            database.executemany(
                "INSERT OR IGNORE INTO reviews (record, seat, created) VALUES (?, ?, datetime())",
                [(record, seat) for seat in json.loads(info).get("persons", ())],
            )
    _stamp_new(database, "reviews")
    return number


def _restore_guests(database: sqlite3.Connection) -> int:
    """Note the guests of all games that are whole as the games have them; how many were not noted so."""
    damaged = _take_out(database, "guests", SEAT)
    owners = {owner for (owner,) in database.execute("SELECT owner FROM owners")}
    seats = database.execute(
        "SELECT id, seats FROM tables WHERE damaged IS NULL AND seats LIKE '%\"owner\"%'"
    ).fetchall()
    wanted = {
        (table, number, seat["owner"])
        for table, texts in seats
        for number, seat in enumerate(json.loads(texts))
        if seat.get("owner") is not None  # a guest who is gone for good is nobody
    }
    gone = {table for table, _, owner in wanted if owner not in owners}
    database.executemany("UPDATE tables SET damaged = 'guest' WHERE id = ?", [(table,) for table in gone])
    wanted = {each for each in wanted if each[0] not in gone}
    of_whole_games = (
        "SELECT table_id, seat, guests.owner FROM guests JOIN tables ON id = table_id WHERE damaged IS NULL"
    )
    there = {tuple(row) for row in database.execute(of_whole_games)}
    surplus = there - wanted
    database.executemany("DELETE FROM guests WHERE table_id = ? AND seat = ? AND owner = ?", surplus)
    database.executemany(
        "INSERT INTO guests (table_id, seat, owner) VALUES (?, ?, ?)", sorted(wanted - there)
    )
    _stamp_new(database, "guests")
    return max(damaged, len(surplus), len(wanted - there))


def _take_out(database: sqlite3.Connection, name: str, key: str) -> int:
    """Remove the rows that are not as they were written; how many those were."""
    keys = [(each,) for each in damaged_rows(database, name, key)]
    database.executemany(f"DELETE FROM {name} WHERE CAST({key} AS BLOB) = ?", keys)
    return len(keys)


def _stamp_new(database: sqlite3.Connection, name: str) -> None:
    database.execute(f"UPDATE {name} SET sum = {sum_in_sql(name)} WHERE sum IS NULL")


def _keys(database: sqlite3.Connection, sql: str) -> set[bytes]:
    found = database.execute(sql.replace("SELECT id", "SELECT CAST(id AS BLOB)", 1))
    return {key for (key,) in found}


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
