"""Puzzles: positions in which a person erred come back until they are played well.

The mistakes that a review finds in a person's seat are its puzzles, stored with the review. Each is shown as
the seat saw it then. A move is right if a review would not call it a mistake. Who is right has the puzzle
again after each of `INTERVALS`, and then not any more; who is wrong begins anew, behind all that is due.
"""

import json
import sqlite3
from datetime import UTC, datetime, timedelta

from fuda.explain.review import reviewer_of
from fuda.serve.faults import FaultError
from fuda.serve.messages import Message
from fuda.serve.minds import Minds, answered
from fuda.serve.secret_keys import new_id
from fuda.serve.store import Statement, Store, insert, now
from fuda.serve.sums import sum_in_sql

INTERVALS = (timedelta(days=1), timedelta(days=4))  # after being right once, and twice in a row
NEEDED = len(INTERVALS) + 1
# Those of an owner whose games can be read.
FOUND = "FROM puzzles JOIN records ON records.id = puzzles.record WHERE damaged IS NULL AND puzzles.owner = ?"


def insert_puzzles(store: Store, record: sqlite3.Row, review: Message) -> list[Statement]:
    """Statements that keep the mistakes of a review, if its seat was a person's and they are not kept yet."""
    seat = review["seat"]
    info = json.loads(record["info"])
    if seat not in info["persons"]:
        return []
    guest = store.row("SELECT owner FROM guests WHERE table_id = ? AND seat = ?", (record["table_id"], seat))
    if guest is None and seat in info.get("guests", ()):  # who has deleted everything
        return []
    asked = "SELECT seq FROM puzzles WHERE record = ? AND seat = ?"
    kept = {row["seq"] for row in store.rows(asked, (record["record"], seat))}
    return [
        insert(
            "puzzles", id=new_id(), owner=(guest or record)["owner"], record=record["record"], seat=seat,
            seq=mistake["index"], erred=mistake["move"], agent=review["agent"], streak=0, due=now(),
        )
        for mistake in review["mistakes"]
        if mistake["index"] not in kept
    ]  # fmt: skip


class Puzzles:
    """The puzzles of all owners."""

    def __init__(self, store: Store, minds: Minds):
        self._store = store
        self._minds = minds

    def counted(self, owner: int) -> Message:
        """How many are due, and which is the first."""
        time = now()
        row = self._store.row(
            "SELECT count(*) FILTER (WHERE due <= ?) AS due, count(*) FILTER (WHERE due > ?) AS later, "
            "min(due) FILTER (WHERE due > ?) AS next, count(*) FILTER (WHERE due IS NULL) AS solved "
            f"{FOUND}",
            (time, time, time, owner),
        )
        assert row is not None
        first = self._store.row(
            f"SELECT puzzles.id AS puzzle, game {FOUND} AND due <= ? ORDER BY due, puzzles.id LIMIT 1",
            (owner, time),
        )
        return dict(row) | {"first": first and dict(first)}

    async def position(self, owner: int, puzzle: str) -> Message:
        """A puzzle as the seat saw it."""
        row = self._row(owner, puzzle)
        found = await answered(self._minds.position(row["file"], row["seq"]))
        return {
            "puzzle": row["id"],
            "game": row["game"],
            "record": row["record"],
            "seq": row["seq"],
            "agent": self._judge(row),
            "streak": row["streak"],
            "needed": NEEDED,
        } | found

    async def solve(self, owner: int, puzzle: str, move: str) -> Message:
        """Judge a move for a puzzle that is due, and say when the puzzle comes back."""
        row = self._row(owner, puzzle)
        if row["due"] is None or row["due"] > now():
            raise FaultError("no_such_puzzle")
        position = await answered(self._minds.position(row["file"], row["seq"]))
        if move not in position["view"]["legal"]:
            raise FaultError("bad_message", where="move")
        # The second look has been taken at the move that was the mistake: another one might doubt it.
        asking = self._minds.verdict(row["file"], row["seq"], move, self._judge(row), move != row["erred"])
        found = await answered(asking)
        right = not found.pop("mistake")
        streak = row["streak"] + 1 if right else 0
        due = _due_after(streak)
        await self._store.write(
            (  # who has sent it twice is judged twice, but it counts once
                "UPDATE puzzles SET streak = ?, due = ? WHERE id = ? AND due = ?",
                (streak, due, row["id"], row["due"]),
            ),
            (f"UPDATE puzzles SET sum = {sum_in_sql('puzzles')} WHERE id = ?", (row["id"],)),
        )
        told = {"puzzle": row["id"], "right": right, "erred": row["erred"], "streak": streak, "due": due}
        return found | told

    async def delete(self, owner: int, puzzle: str) -> None:
        """Remove a puzzle that its owner does not want to see again."""
        row = self._row(owner, puzzle)
        await self._store.write(("DELETE FROM puzzles WHERE id = ?", (row["id"],)))

    def _judge(self, row: sqlite3.Row) -> str:
        """Who has found the mistake; if it is not there any more, who reviews the game now."""
        there = self._minds.roster.has(row["game"], row["agent"])
        return str(row["agent"]) if there else reviewer_of(row["game"])

    def _row(self, owner: int, puzzle: str) -> sqlite3.Row:
        row = self._store.row(
            "SELECT puzzles.*, game, (SELECT file FROM files WHERE files.record = records.id) AS file "
            f"{FOUND} AND puzzles.id = ?",
            (owner, puzzle),
        )
        if row is None or row["file"] is None:
            raise FaultError("no_such_puzzle")
        return row


def _due_after(streak: int) -> str | None:
    """When a puzzle comes back that was played well so often in a row."""
    if streak >= NEEDED:
        return None
    wait = INTERVALS[streak - 1] if streak else timedelta(0)
    return (datetime.now(UTC) + wait).isoformat(timespec="milliseconds")
