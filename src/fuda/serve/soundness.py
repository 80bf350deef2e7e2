"""What a server looks at before it opens a database: are its files all there, and can SQLite read them?

What stands in the rows is looked at in repairs.py. Whoever starts the server is told.
"""

import contextlib
import re
import shutil
import sqlite3
import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

OWN = 0o600
# What `PRAGMA integrity_check` says of rows and indexes; everything else is about pages.
MAX_PROBLEMS = 10_000
UNSORTED = re.compile(r"row not in PRIMARY KEY order for (\w+)")
IN_A_ROW = re.compile(r"(NULL|NUMERIC|TEXT|non-\w+) value in |CHECK constraint failed in ")
OF_AN_INDEX = re.compile(r"(missing from|entries in|entry in|differ from) index ")
# The write-ahead log: a header, and for each changed page a frame with a header of its own.
LOG_HEADER, FRAME_HEADER = struct.Struct(">8I"), struct.Struct(">6I")


def own_alone(folder: Path) -> None:
    """The cards of running games, and their copies, are for nobody else, also in a folder that was there."""
    for path in folder.glob("*"):
        if path.is_file() and path.suffix in (".sqlite", ".sqlite-wal", ".sqlite-shm", ".backup", ".damaged"):
            with contextlib.suppress(PermissionError):  # another's file: whether it can be used shows soon
                path.chmod(OWN)


def lost_journal(path: Path) -> list[str]:
    """What is to be told of a write-ahead log that is gone, or that SQLite cannot read to its end.

    SQLite takes what comes before the damage and drops the rest without a word. That is right for a commit
    that was cut off when the machine stopped, which nobody was told of. Here what lies behind the damage
    and looks committed is noticed, and the log is kept.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size:
        if not open_mark(path).exists():
            return []
        return [f"the journal {log.name} in {path.parent} is gone: moves that were stored last may be lost"]
    committed = _last_commit(log)
    try:
        with contextlib.closing(sqlite3.connect(path)) as database:
            (_, read, _) = database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if read >= committed:
                return []
            kept = damaged_name(path, "-wal")
            shutil.copyfile(log, kept)  # to close the database removes the log
    except (sqlite3.DatabaseError, OSError):
        return []  # it is said when the database itself is opened
    return [
        f"the journal {log.name} in {path.parent} is damaged: moves that were stored last may be lost; "
        f"it is kept as {kept.name}"
    ]


def open_mark(path: Path) -> Path:
    """A file that is there while a server has the database open, and so has a write-ahead log."""
    return path.with_name(f"{path.stem}.open")


def _last_commit(log: Path) -> int:
    """The number of the last frame that ends a commit, by the headers alone; 1 if there is no saying."""
    content = log.read_bytes()
    if len(content) < LOG_HEADER.size + FRAME_HEADER.size:
        return 1
    magic, _, page_size, _, *salts, _, _ = LOG_HEADER.unpack_from(content)
    if magic & ~1 != 0x377F0682 or page_size < 512:
        return 1
    frames = range(
        LOG_HEADER.size, len(content) - FRAME_HEADER.size - page_size + 1, FRAME_HEADER.size + page_size
    )
    last = 0
    for number, place in enumerate(frames, 1):
        _, size_after, *frame_salts, _, _ = FRAME_HEADER.unpack_from(content, place)
        if size_after and frame_salts == salts:  # other salts: left from before the log began anew
            last = number
    return last


def check_structure(database: sqlite3.Connection, path: Path) -> list[str]:
    """Refuse a database that SQLite itself cannot read whole. What can be made of its rows is made anew."""
    found = _found(database)
    notes = []
    if found.indexes:
        with contextlib.suppress(sqlite3.DatabaseError):
            database.execute("REINDEX")
        found = _found(database)
        notes.append(f"an index of {path} was damaged and is made anew: nothing is lost")
    if found.unsorted:
        kept = keep(database, path)
        lost = sum(_sort(database, name) for name in found.unsorted)
        found = _found(database)
        notes.append(
            f"rows of {path} stood in the wrong place and are sorted, {lost} were lost; the file as it was "
            f"is kept as {kept.name}"
        )
    if found.indexes or found.unsorted or found.others:
        raise ValueError(
            f"{path} is damaged beyond single games: keep a copy of it, and put a backup in its place or "
            "give another --data"
        )
    return notes


class Found(NamedTuple):
    """What SQLite finds wrong with a database, without what is wrong in a row alone: that its sum tells."""

    indexes: bool
    unsorted: list[str]  # tables whose rows are not in the order of their keys
    others: bool


def _found(database: sqlite3.Connection) -> Found:
    try:
        rows = database.execute(f"PRAGMA integrity_check({MAX_PROBLEMS})").fetchall()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return Found(False, [], True)
    problems = [line for row in rows for line in row[0].splitlines() if line != "ok"]
    unsorted = [match[1] for match in map(UNSORTED.fullmatch, problems) if match]
    rest = [line for line in problems if not UNSORTED.fullmatch(line) and not IN_A_ROW.match(line)]
    of_indexes = [line for line in rest if OF_AN_INDEX.search(line)]
    return Found(bool(of_indexes), list(dict.fromkeys(unsorted)), len(of_indexes) < len(rest))


def _sort(database: sqlite3.Connection, name: str) -> int:
    """Write all rows of a table anew, each where its key belongs; how many could not be written."""
    database.execute("PRAGMA foreign_keys = OFF")  # nothing else goes with the rows meanwhile
    database.execute("BEGIN IMMEDIATE")
    database.execute(f"CREATE TEMP TABLE unsorted AS SELECT * FROM main.{name}")
    database.execute(f"DELETE FROM main.{name}")
    written = database.execute(f"INSERT OR IGNORE INTO main.{name} SELECT * FROM unsorted").rowcount
    (had,) = database.execute("SELECT count(*) FROM unsorted").fetchone()
    database.execute("DROP TABLE unsorted")
    database.execute("COMMIT")
    database.execute("PRAGMA foreign_keys = ON")
    return int(had) - written


def keep(database: sqlite3.Connection, path: Path) -> Path:
    """Copy a database before rows are taken out of it."""
    kept = damaged_name(path, "")
    kept.touch(OWN)
    with contextlib.closing(sqlite3.connect(kept)) as copy:
        database.backup(copy)
    return kept


def damaged_name(path: Path, part: str) -> Path:
    """Under which name a damaged file of a database is kept."""
    return path.with_name(f"{path.stem}{part}-{datetime.now(UTC):%Y%m%dT%H%M%S}.damaged")
