"""A checksum in every row of the database: a byte that has changed on the disk is noticed.

SQLite finds damage to its own structure, not to what stands in a row. A sum is over the names and values of
a row's columns without those that are NULL, so that a new column changes no sum.
"""

import json
import sqlite3
import zlib
from collections.abc import Container, Iterable
from typing import Any

# What the sum of a row covers. Not among them: what SQLite itself writes (numbers of rows, references that
# are set to NULL), and what only tells of damage.
SUMMED: dict[str, tuple[str, ...]] = {
    "owners": ("hash", "created", "address"),
    "tables": (
        "id", "owner", "game", "rules_version", "fuda", "options", "seats", "seed", "luck", "state",
        "resigned", "hints", "same_deal", "delay", "paused", "created", "changed", "record",
        "resigned_between", "decks", "num_moves", "num_deals", "clock", "agreed",
        "takebacks",
    ),
    "deals": ("table_id", "number", "deal"),
    "moves": ("table_id", "seq", "seat", "move", "stand_in", "reason", "time"),
    "answers": ("table_id", "seat", "id", "seq"),
    "refusals": ("table_id", "seat", "id", "seq", "error"),
    "records": ("id", "owner", "game", "info", "created"),
    "files": ("record", "file"),
    "outcomes": ("id", "owner", "info", "record", "seat", "created", "cost", "unit"),
    "guests": ("table_id", "seat", "owner"),
    "invitations": ("hash", "table_id", "seat", "record", "created"),
    "reviews": ("record", "seat", "review", "fault", "created"),
    "positions": ("table_id", "seat", "hash"),
    "puzzles": ("id", "owner", "record", "seat", "seq", "erred", "agent", "streak", "due"),
}  # fmt: skip
# What the schema fills in where an INSERT leaves it out.
DEFAULTS: dict[str, dict[str, Any]] = {
    "tables": {"hints": 0, "same_deal": 0, "resigned_between": 0},
    "owners": {"address": ""},
}


def row_sum(name: str, values: Iterable[tuple[str, Any]]) -> int:
    """The checksum of a row."""
    known = [(column, value) for column, value in values if value is not None]
    return zlib.crc32(json.dumps([name, known], default=bytes.hex).encode())


def sum_of(name: str, row: dict[str, Any]) -> int:
    """The sum of a row that is about to be inserted."""
    whole = DEFAULTS.get(name, {}) | row
    return row_sum(name, ((column, whole.get(column)) for column in SUMMED[name]))


def sum_in_sql(name: str, there: Container[str] | None = None) -> str:
    """The sum of a stored row, as an expression; `there` are the columns of an older database."""
    columns = (column if there is None or column in there else "NULL" for column in SUMMED[name])
    return f"row_sum('{name}', {', '.join(columns)})"


def add_function(connection: sqlite3.Connection) -> None:
    """Teach a connection what `sum_in_sql` writes."""

    def summed(name: str, *values: Any) -> int:
        return row_sum(name, zip(SUMMED[name], values, strict=True))

    connection.create_function("row_sum", -1, summed, deterministic=True)


def stamp_all(connection: sqlite3.Connection, names: Iterable[str] = SUMMED) -> None:
    """Give every row its sum: for a database from before these tables had any."""
    for name in names:
        there = columns_of(connection, name)
        connection.execute(f"UPDATE {name} SET sum = {sum_in_sql(name, there)}")


def columns_of(connection: sqlite3.Connection, name: str) -> set[str]:
    """The columns that a table has in this database."""
    return {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))}


def damaged_rows(connection: sqlite3.Connection, name: str, key: str) -> set[bytes]:
    """The keys of the rows that are not as they were written, as bytes: a key may be no text any more."""
    there = columns_of(connection, name)
    if "sum" not in there:  # a database of an older fuda
        return set()
    columns = [column for column in SUMMED[name] if column in there]
    found = connection.execute(f"SELECT CAST({key} AS BLOB), sum, {', '.join(columns)} FROM {name}")
    return {
        at for at, written, *values in found if written != row_sum(name, zip(columns, values, strict=True))
    }
