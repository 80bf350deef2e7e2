"""What a server looks at before it opens a database: is all of it there, and as it was written?

A game that is damaged is marked and left alone; the others go on. Whoever starts the server is told.
"""

import contextlib
import shutil
import sqlite3
import struct
from datetime import UTC, datetime
from pathlib import Path

from fuda.serve.sums import damaged_rows

OWN = 0o600
PARTS = ("deals", "moves", "answers", "refusals")  # of a table
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
            kept = log.with_name(f"{path.stem}-wal-{datetime.now(UTC):%Y%m%dT%H%M%S}.damaged")
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
    """Refuse a database that SQLite itself cannot read whole; indexes are made anew."""
    if _is_whole(database):
        return []
    with contextlib.suppress(sqlite3.DatabaseError):
        database.execute("REINDEX")
        if _is_whole(database):
            return [f"an index of {path} was damaged and is made anew: nothing is lost"]
    raise ValueError(
        f"{path} is damaged beyond single games: keep a copy of it, and put a backup in its place or give "
        "another --data"
    )


def _is_whole(database: sqlite3.Connection) -> bool:
    try:
        found = database.execute("PRAGMA integrity_check(1)").fetchall()
        lost = database.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError:
        return False
    return [tuple(row) for row in found] == [("ok",)] and not lost


def mark_damaged(database: sqlite3.Connection) -> list[str]:
    """Mark the games and records that are not as they were written, and tell of them in a sentence."""
    tables = set(damaged_rows(database, "tables", "id"))
    for part in PARTS:
        tables.update(damaged_rows(database, part, "table_id"))
    tables.update(
        row[0]
        for row in database.execute(
            "SELECT id FROM tables WHERE num_moves != (SELECT count(*) FROM moves WHERE table_id = id) "
            "OR num_deals != (SELECT count(*) FROM deals WHERE table_id = id)"
        )
    )
    records = {*damaged_rows(database, "records", "id"), *damaged_rows(database, "files", "record")}
    records.update(
        row[0]
        for row in database.execute("SELECT id FROM records WHERE id NOT IN (SELECT record FROM files)")
    )
    owners = damaged_rows(database, "owners", "owner")
    outcomes = damaged_rows(database, "outcomes", "id")
    puzzles = damaged_rows(database, "puzzles", "id")
    for name, keys in (("tables", tables), ("records", records)):
        database.executemany(
            f"UPDATE {name} SET damaged = 'row' WHERE id = ? AND damaged IS NULL", [(key,) for key in keys]
        )
    # Nothing is lost with one: the game that it is of is there.
    database.executemany("DELETE FROM puzzles WHERE id = ?", [(key,) for key in puzzles])
    counted = [
        f"{len(found)} {one if len(found) == 1 else many}"
        for found, one, many in (
            (tables, "game", "games"),
            (records, "record", "records"),
            (outcomes, "result", "results"),
            (owners, "owner", "owners"),
            (puzzles, "puzzle", "puzzles"),
        )
        if found
    ]
    if not counted:
        return []
    verb = "is" if counted[0].startswith("1 ") and len(counted) == 1 else "are"
    return [f"{', '.join(counted)} {verb} damaged on the disk: marked, and not played on; all others go on"]
