"""The games in SQLite, move by move. What `write` has returned from is on the disk.

One thread writes. It takes all that waits, commits it together and then lets everybody go on: so
that many tables share one wait for the disk. Reading happens on a connection of its own, and what may take
longer on one more, in a thread.
"""

import asyncio
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from fuda.core.files import replacing
from fuda.serve.repairs import mend_rows
from fuda.serve.soundness import OWN, check_structure, lost_journal, open_mark, own_alone
from fuda.serve.sums import SUMMED, add_function, stamp_all, sum_in_sql, sum_of

FILE = "table.sqlite"
APPLICATION = 0x66756461  # "fuda", so that another program's database is not taken for ours
LOGS = ("wal", "shm")  # files beside it
MAX_BATCH = 256
MAX_WHY = 200

# What the sum of a result covered before it knew a time, and since then.
OUTCOME_COLUMNS = {"id", "owner", "info"}
OUTCOME_SUM_BEFORE = sum_in_sql("outcomes", OUTCOME_COLUMNS)
OUTCOME_SUM = sum_in_sql("outcomes", OUTCOME_COLUMNS | {"record", "seat", "created", "cost", "unit"})

MIGRATIONS = (
    """
    CREATE TABLE owners (
        owner INTEGER PRIMARY KEY,
        hash BLOB NOT NULL UNIQUE,
        created TEXT NOT NULL
    );
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        owner INTEGER NOT NULL REFERENCES owners,
        game TEXT NOT NULL,
        rules_version INTEGER NOT NULL,
        fuda TEXT NOT NULL,
        options TEXT NOT NULL,
        seats TEXT NOT NULL,  -- [{kind, name, title, weights, hash}]
        seed TEXT NOT NULL,   -- of the cards
        luck TEXT NOT NULL,   -- of the agents
        state TEXT NOT NULL CHECK (state IN ('playing', 'between', 'over')),
        resigned INTEGER,
        hints INTEGER NOT NULL DEFAULT 0,
        same_deal INTEGER NOT NULL DEFAULT 0,
        delay INTEGER NOT NULL,
        paused INTEGER NOT NULL,
        created TEXT NOT NULL,
        changed TEXT NOT NULL,
        record TEXT
    ) WITHOUT ROWID;
    CREATE INDEX tables_of_owner ON tables (owner, state);
    CREATE TABLE moves (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        seq INTEGER NOT NULL,  -- after the move
        seat INTEGER NOT NULL,
        move TEXT NOT NULL,
        stand_in TEXT,
        reason TEXT,
        time TEXT NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    CREATE TABLE answers (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (table_id, seat, id)
    ) WITHOUT ROWID;
    CREATE TABLE records (
        id TEXT PRIMARY KEY,
        owner INTEGER NOT NULL REFERENCES owners,
        table_id TEXT REFERENCES tables ON DELETE SET NULL,
        game TEXT NOT NULL,
        info TEXT NOT NULL,  -- as listed
        file TEXT NOT NULL,  -- as downloaded
        created TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX records_of_owner ON records (owner, created);
    """,
    """
    CREATE TABLE refusals (
        number INTEGER PRIMARY KEY,  -- in their order: of each table the last ones are kept
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        error TEXT NOT NULL,
        UNIQUE (table_id, seat, id)
    );
    -- Whether somebody resigned after a round, when the next deal had not been seen.
    ALTER TABLE tables ADD COLUMN resigned_between INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Cards are stored as they are dealt. A table that has them has an empty seed.
    CREATE TABLE deals (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        number INTEGER NOT NULL,  -- from 0
        deal TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    ALTER TABLE tables ADD COLUMN decks TEXT;  -- [[card]] of the table whose cards are played again
    """,
    """
    -- Without a review and a fault it is still to be computed.
    CREATE TABLE reviews (
        record TEXT NOT NULL REFERENCES records ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        review TEXT,
        fault TEXT,
        created TEXT NOT NULL,
        PRIMARY KEY (record, seat)
    ) WITHOUT ROWID;
    """,
    """
    -- Lists read small columns only: what is long is in a table of its own.
    CREATE TABLE files (
        record TEXT PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        file TEXT NOT NULL,  -- as downloaded
        sum INTEGER
    ) WITHOUT ROWID;
    INSERT INTO files (record, file) SELECT id, file FROM records;
    ALTER TABLE records DROP COLUMN file;
    -- What counts in an owner's results, whatever is deleted.
    CREATE TABLE outcomes (
        id TEXT PRIMARY KEY,  -- of the record, or of a table that was deleted before its end
        owner INTEGER NOT NULL REFERENCES owners,
        info TEXT NOT NULL,  -- as that of a record
        sum INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX outcomes_of_owner ON outcomes (owner);
    INSERT INTO outcomes (id, owner, info)
        SELECT id, owner, info FROM records WHERE json_extract(info, '$.source') = 'table';
    -- What the persons at running tables see now, so that advice on it is noticed.
    CREATE TABLE positions (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX positions_by_hash ON positions (hash);
    -- From where owners came, so that one address cannot take all the room.
    ALTER TABLE owners ADD COLUMN address TEXT NOT NULL DEFAULT '';
    CREATE INDEX owners_by_address ON owners (address);
    -- A row that is missing is noticed by these, one that has changed by its sum.
    ALTER TABLE tables ADD COLUMN num_moves INTEGER;
    ALTER TABLE tables ADD COLUMN num_deals INTEGER;
    UPDATE tables SET num_moves = (SELECT count(*) FROM moves WHERE table_id = id),
        num_deals = (SELECT count(*) FROM deals WHERE table_id = id);
    ALTER TABLE tables ADD COLUMN damaged TEXT;  -- what is wrong with it
    ALTER TABLE records ADD COLUMN damaged TEXT;
    ALTER TABLE owners ADD COLUMN sum INTEGER;
    ALTER TABLE tables ADD COLUMN sum INTEGER;
    ALTER TABLE deals ADD COLUMN sum INTEGER;
    ALTER TABLE moves ADD COLUMN sum INTEGER;
    ALTER TABLE answers ADD COLUMN sum INTEGER;
    ALTER TABLE refusals ADD COLUMN sum INTEGER;
    ALTER TABLE records ADD COLUMN sum INTEGER;
    """,
    """
    -- Friends: invitations to seats, to look on, to a finished game; and who came.
    CREATE TABLE invitations (
        hash BLOB PRIMARY KEY,  -- of the code
        table_id TEXT REFERENCES tables ON DELETE CASCADE,
        seat INTEGER,           -- NULL: to look on
        record TEXT REFERENCES records ON DELETE CASCADE,
        created TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX invitations_of_table ON invitations (table_id, seat);
    CREATE TABLE guests (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        owner INTEGER NOT NULL REFERENCES owners,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX guests_by_owner ON guests (owner);
    ALTER TABLE tables ADD COLUMN clock INTEGER;  -- seconds for a person's move
    ALTER TABLE tables ADD COLUMN agreed TEXT;    -- [seat] of those who agree to hints
    """,
    """
    -- How often moves were taken back; with seq it tells positions apart. NULL: never.
    ALTER TABLE tables ADD COLUMN takebacks INTEGER;
    """,
    """
    ALTER TABLE guests ADD COLUMN sum INTEGER;
    ALTER TABLE invitations ADD COLUMN sum INTEGER;
    ALTER TABLE reviews ADD COLUMN sum INTEGER;
    ALTER TABLE positions ADD COLUMN sum INTEGER;
    """,
    # Results know whose they are, when they were, and what the game cost by its review.
    f"""
    ALTER TABLE outcomes ADD COLUMN record TEXT;   -- which may have been deleted; NULL: there was none
    ALTER TABLE outcomes ADD COLUMN seat INTEGER;  -- the owner's; NULL: it had several, or none
    ALTER TABLE outcomes ADD COLUMN created TEXT;  -- NULL: a game whose record was deleted before this column
    ALTER TABLE outcomes ADD COLUMN cost REAL;     -- NULL: not reviewed yet
    ALTER TABLE outcomes ADD COLUMN unit TEXT;     -- of the cost
    CREATE INDEX outcomes_of_record ON outcomes (record);
    UPDATE outcomes SET record = id, created = (SELECT created FROM records WHERE records.id = outcomes.id),
        seat = CASE WHEN json_array_length(info, '$.persons') = 1
            THEN json_extract(info, '$.persons[0]') END
        WHERE json_valid(info) AND sum IS {OUTCOME_SUM_BEFORE};
    UPDATE outcomes SET (cost, unit) = (
            SELECT json_extract(review, '$.cost'), json_extract(review, '$.unit') FROM reviews
            WHERE reviews.record = outcomes.record AND reviews.seat = outcomes.seat AND json_valid(review))
        WHERE record NOT NULL;
    UPDATE outcomes SET sum = {OUTCOME_SUM} WHERE record NOT NULL;
    """,
    """
    -- Positions in which a person erred, that come back until they are played well.
    CREATE TABLE puzzles (
        id TEXT PRIMARY KEY,
        owner INTEGER NOT NULL REFERENCES owners ON DELETE CASCADE,
        record TEXT NOT NULL REFERENCES records ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        seq INTEGER NOT NULL,   -- the moves before it
        erred TEXT NOT NULL,    -- the move that was the mistake
        agent TEXT NOT NULL,    -- who says so
        streak INTEGER NOT NULL,  -- how often it was played well in a row
        due TEXT,               -- NULL: it was played well often enough
        sum INTEGER,
        UNIQUE (record, seat, seq)
    ) WITHOUT ROWID;
    CREATE INDEX puzzles_of_owner ON puzzles (owner, due);
    -- The mistakes that are known already.
    INSERT OR IGNORE INTO puzzles (id, owner, record, seat, seq, erred, agent, streak, due)
        SELECT lower(hex(randomblob(12))),
            coalesce(
                (SELECT owner FROM guests
                    WHERE guests.table_id = records.table_id AND guests.seat = reviews.seat),
                records.owner
            ),
            records.id, reviews.seat, json_extract(mistake.value, '$.index'),
            json_extract(mistake.value, '$.move'), json_extract(review, '$.agent'), 0, reviews.created
        FROM reviews JOIN records ON records.id = reviews.record,
            json_each(CASE WHEN json_valid(review) THEN review ELSE '{}' END, '$.mistakes') AS mistake
        WHERE json_valid(info) AND EXISTS (
            SELECT 1 FROM json_each(CASE WHEN json_valid(info) THEN info ELSE '{}' END, '$.persons') AS person
            WHERE person.value = reviews.seat
        );
    """,
)
# The tables whose rows have sums, by the version of the database that brought them.
STAMPED = {
    5: ("owners", "tables", "deals", "moves", "answers", "refusals", "records", "files", "outcomes"),
    8: ("guests", "invitations", "reviews", "positions"),
    10: ("puzzles",),
}

T = TypeVar("T")
Statement = tuple[str, Sequence[Any]]
Select = Callable[..., list[sqlite3.Row]]


class Store:
    """The database of one server."""

    def __init__(self, folder: Path, migrations: Sequence[str] = MIGRATIONS):
        self.path = folder / FILE
        try:
            folder.mkdir(0o700, parents=True, exist_ok=True)  # the cards of running games are for nobody else
        except OSError as error:
            raise _not_there(folder, error.strerror) from None
        own_alone(folder)
        self._lock = lock(folder)
        with ExitStack() as opened:
            opened.callback(self._lock.close)
            try:
                self.path.touch(OWN)  # SQLite gives its other files the mode of this one
                lost = lost_journal(self.path)
                _prepare(self.path, migrations)
                self._reader, self._writer, self._aside = (
                    opened.enter_context(closing(_connect(self.path))) for _ in range(3)
                )
                own_alone(folder)
                damaged = check_structure(self._writer, self.path)
                if len(migrations) >= max(STAMPED):
                    damaged += mend_rows(self._writer, self.path)
                (self._version,) = self._writer.execute("PRAGMA user_version").fetchone()
                # A database that cannot be written fails now, not at the first move; the log is there then.
                self._writer.execute(f"PRAGMA user_version = {self._version}")
                open_mark(self.path).touch(OWN)
            except (sqlite3.DatabaseError, OSError, UnicodeDecodeError) as error:
                why = " ".join(str(error).split())[:MAX_WHY]  # a statement of the schema may be part of it
                raise ValueError(f"{self.path} cannot be used: {why}; give another --data") from None
            opened.pop_all()  # from here on `close` closes them
        self.notes = [*lost, *damaged]  # what those who start the server have to know, a sentence each
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()
        self._readers = ThreadPoolExecutor(1, "store-aside")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """What a SELECT finds."""
        return self._reader.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Row | None:
        """The first row that a SELECT finds."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    async def aside(self, job: Callable[[Select], T]) -> T:
        """Let a job read in a thread, on a connection of its own: the tables go on meanwhile."""

        def select(sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
            return self._aside.execute(sql, parameters).fetchall()

        return await asyncio.get_running_loop().run_in_executor(self._readers, job, select)

    async def write(self, *statements: Statement) -> None:
        """Execute the statements together or not at all; returns when they are on the disk."""
        job = _Job(statements)
        self._jobs.put(job)
        await asyncio.shield(job.done)

    async def check_writable(self) -> None:
        """Write something that changes nothing: an error if moves could not be stored now."""
        await self.write((f"PRAGMA user_version = {self._version}", ()))

    def close(self) -> None:
        """Write what waits, and let go of the files."""
        self._jobs.put(None)
        self._thread.join()
        self._readers.shutdown()
        self._aside.close()
        self._reader.close()
        self._writer.close()
        open_mark(self.path).unlink(missing_ok=True)
        self._lock.close()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while len(batch) < MAX_BATCH and not self._jobs.empty():
                further = self._jobs.get()
                if further is None:
                    self._jobs.put(None)
                    break
                batch.append(further)
            self._commit(batch)

    def _commit(self, batch: "list[_Job]") -> None:
        errors: list[Exception | None] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            errors = [self._execute(job) for job in batch]
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            errors = [error] * len(batch)
        for job, failure in zip(batch, errors, strict=True):
            job.finish(failure)

    def _execute(self, job: "_Job") -> Exception | None:
        """Execute one job of a batch; what it did is taken back if it fails."""
        self._writer.execute("SAVEPOINT job")
        try:
            for sql, parameters in job.statements:
                self._writer.execute(sql, parameters)
        except sqlite3.OperationalError:  # the disk is full, say: nothing can be written now
            raise
        except Exception as error:  # this job's own fault
            self._writer.execute("ROLLBACK TO job")
            self._writer.execute("RELEASE job")
            return error
        self._writer.execute("RELEASE job")
        return None


class _Job:
    def __init__(self, statements: Sequence[Statement]):
        self.statements = statements
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[None] = self._loop.create_future()

    def finish(self, error: Exception | None) -> None:
        """Tell who waits; from the writer's thread."""
        try:
            self._loop.call_soon_threadsafe(self._settle, error)
        except RuntimeError:  # the server has gone down meanwhile; what is written is written
            return

    def _settle(self, error: Exception | None) -> None:
        if self.done.cancelled():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


def lock(folder: Path) -> sqlite3.Connection:
    """Hold the folder: two servers on one database would move past each other.

    The lock is that of a small database beside it, which every system has and lets go of when
    the process ends, however that happens.
    """
    try:
        held = sqlite3.connect(folder / "lock.sqlite", isolation_level=None, timeout=0.5)
    except sqlite3.Error as error:
        raise _not_there(folder, error) from None
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        held.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise _not_there(folder, error) from None
        raise ValueError(f"another fuda serve uses {folder}; stop it or give another --data") from None
    return held


def _not_there(folder: Path, why: object) -> ValueError:
    return ValueError(f"games cannot be kept in {folder}: {why}; give another --data")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.text_factory = _decoded
    add_function(connection)
    return connection


def _decoded(text: bytes) -> str:
    """Damaged text is no reason to find nothing: what it was part of is marked."""
    return text.decode(errors="replace")


def _prepare(path: Path, migrations: Sequence[str]) -> None:
    """Create the database, or bring an older one up to date after a backup."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        add_function(database)
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (num_tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if num_tables and application != APPLICATION:
            raise ValueError(f"{path} is another program's database; give another --data")
        if version > len(migrations):
            raise ValueError(
                f"{path} was written by a newer fuda (version {version} of its tables, here "
                f"{len(migrations)}): update fuda, or give another --data"
            )
        if 0 < version < len(migrations):
            _back_up(database, path.with_name(f"{path.stem}-{version}.backup"))
        database.execute("PRAGMA journal_mode = WAL")
        for number in range(version, len(migrations)):
            _migrate(database, migrations[number], number + 1)


def _migrate(database: sqlite3.Connection, script: str, version: int) -> None:
    """One step, whole or not at all: a server that is killed here starts from the old tables."""
    database.executescript(f"BEGIN IMMEDIATE; {script}")
    stamp_all(database, STAMPED.get(version, ()))
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {version}")
    database.execute("COMMIT")


def back_up(folder: Path, target: Path) -> None:
    """Copy the database of a folder as it is at one moment, whether a server runs on it or not."""
    path = folder / FILE
    if not path.is_file():
        raise ValueError(f"there are no games in {folder}; give another --data")
    if target.resolve() in (path.resolve(), *(path.with_name(f"{FILE}-{part}").resolve() for part in LOGS)):
        raise ValueError(f"{target} is the database itself; give another file for the backup")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as database:
            _back_up(database, target)
    except (sqlite3.DatabaseError, OSError) as error:
        raise ValueError(f"{path} cannot be copied to {target}: {error}") from None


def _back_up(database: sqlite3.Connection, target: Path) -> None:
    with replacing(target) as (file,), closing(sqlite3.connect(file.name)) as copy:
        Path(file.name).chmod(OWN)
        database.backup(copy)


def insert(table: str, **values: Any) -> Statement:
    """A statement that adds a row; lists and dictionaries are stored as JSON."""
    stored = {
        name: json.dumps(value) if isinstance(value, list | dict) else value for name, value in values.items()
    }
    if table in SUMMED:
        stored["sum"] = sum_of(table, stored)
    names, places = ", ".join(stored), ", ".join("?" * len(stored))
    return f"INSERT INTO {table} ({names}) VALUES ({places})", tuple(stored.values())


def update_table(table_id: str, **values: Any) -> tuple[Statement, Statement]:
    """Statements that change a table's row, and its sum."""
    return update("tables", {"id": table_id}, **values)


def update(table: str, key: dict[str, Any], **values: Any) -> tuple[Statement, Statement]:
    """Statements that change the row with this key, and its sum."""
    names = ", ".join(f"{name} = ?" for name in values)
    which = " AND ".join(f"{name} = ?" for name in key)
    return (
        (f"UPDATE {table} SET {names} WHERE {which}", (*values.values(), *key.values())),
        (f"UPDATE {table} SET sum = {sum_in_sql(table)} WHERE {which}", tuple(key.values())),
    )


def now() -> str:
    """The time in UTC, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
