"""Reviews of finished games: computed in the background one after the other, stored, then told.

What is still to be computed is a row without a review, so a server that starts again goes on where it was.
"""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Callable

from fuda.explain.review import can_review
from fuda.serve.faults import FaultError
from fuda.serve.messages import Message
from fuda.serve.minds import Minds
from fuda.serve.pool import BusyError, CrashError, DeadlineError
from fuda.serve.puzzles import insert_puzzles
from fuda.serve.store import Statement, Store, insert, now, update

PAUSE = 5.0  # seconds until a review that could not be stored is tried again

Told = Callable[[str | None, str, int], None]  # of a table, if there is one, the record and the seat


def review_due(record: str, game_id: str, seat: int, num_moves: int) -> list[Statement]:
    """Statements by which a review is to be computed, if there is something to review and who can."""
    if not num_moves or not can_review(game_id):
        return []
    return [insert("reviews", record=record, seat=seat, created=now())]


class Reviews:
    """The reviews of a server."""

    def __init__(self, store: Store, minds: Minds, told: Told):
        self._store = store
        self._minds = minds
        self._told = told
        self._due = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Go on with what is to be computed."""
        self._due.set()
        self._worker = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop; what is not stored is computed by the next server."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker

    def wake(self) -> None:
        """There may be something to compute."""
        self._due.set()

    def info(self, record: str, seat: int) -> Message:
        """How far a review is, and the review once it is there."""
        row = self._store.row("SELECT * FROM reviews WHERE record = ? AND seat = ?", (record, seat))
        if row is None:
            state = "none"
        else:
            state = "failed" if row["fault"] else "ready" if row["review"] else "waiting"
        review = json.loads(row["review"]) if row is not None and row["review"] else None
        return {"record": record, "seat": seat, "state": state, "review": review}

    async def ask(self, record: str, game_id: str, seat: int, num_moves: int) -> Message:
        """Have a review computed that is not there, or failed."""
        state = self.info(record, seat)["state"]
        if state in ("none", "failed"):
            due = review_due(record, game_id, seat, num_moves)
            if not due:
                raise FaultError("no_review", game=game_id)
            gone = ("DELETE FROM reviews WHERE record = ? AND seat = ?", (record, seat))
            await self._store.write(gone, *due)
            self.wake()
        return self.info(record, seat)

    async def _work(self) -> None:
        while True:
            await self._due.wait()
            row = self._store.row(
                "SELECT reviews.record, reviews.seat, files.file, table_id, owner, info FROM reviews "
                "JOIN records ON records.id = reviews.record JOIN files ON files.record = reviews.record "
                "WHERE review IS NULL AND fault IS NULL AND damaged IS NULL "
                "ORDER BY reviews.created, reviews.record LIMIT 1"
            )
            if row is None:
                self._due.clear()
                continue
            try:
                await self._compute(row)
            except sqlite3.Error:  # the disk is full, say: try again until somebody has made room
                await asyncio.sleep(PAUSE)

    async def _compute(self, row: sqlite3.Row) -> None:
        review: Message | None = None
        fault: str | None = None
        try:
            review = await self._minds.review(row["file"], row["seat"])
        except (BusyError, CrashError, DeadlineError) as error:
            fault = f"{type(error).__name__}: {error}"
        key = {"record": row["record"], "seat": row["seat"]}
        stored = None if review is None else json.dumps(review)
        statements: list[Statement] = [*update("reviews", key, review=stored, fault=fault)]
        if review is not None:
            statements += update("outcomes", key, cost=review["cost"], unit=review["unit"])
            statements += insert_puzzles(self._store, row, review)
        await self._store.write(*statements)
        self._told(row["table_id"], row["record"], row["seat"])
