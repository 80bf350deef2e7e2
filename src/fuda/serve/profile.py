"""All that a server has of one owner: as one file to take away, and deleted for good."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence

from fuda import __version__
from fuda.serve.archive import Archive
from fuda.serve.faults import FaultError
from fuda.serve.friends import Friends
from fuda.serve.messages import OVER, Message
from fuda.serve.progress import prepare, progress
from fuda.serve.protocol import Leave
from fuda.serve.store import Statement, Store, now, update_table
from fuda.serve.tables import Owner, Tables

PUZZLES = "SELECT record, seat, seq, erred, agent, streak, due FROM puzzles WHERE owner = ? ORDER BY id"
SECRET = "secret"  # of a seat: it opens the game, and is for nobody who reads the file


class Profile:
    """The owners of a server, each as a whole."""

    def __init__(self, store: Store, tables: Tables, archive: Archive, friends: Friends):
        self._store = store
        self._tables = tables
        self._archive = archive
        self._friends = friends

    async def progress(self, owner: Owner) -> list[Message]:
        """How the owner gets on in each game."""
        await asyncio.to_thread(prepare)
        return await self._store.aside(lambda select: progress(select, owner.number))

    async def export(self, owner: Owner) -> AsyncIterator[str]:
        """One JSON object in pieces, a game at a time: many games are long."""
        row = self._store.row("SELECT created, address FROM owners WHERE owner = ?", (owner.number,))
        assert row is not None
        await asyncio.to_thread(prepare)
        accounts = await self._store.aside(lambda select: progress(select, owner.number, None))
        head = {
            "fuda": __version__,
            "exported": now(),
            "created": row["created"],
            "address": row["address"],
            "progress": accounts,
            "puzzles": [dict(puzzle) for puzzle in self._store.rows(PUZZLES, (owner.number,))],
            "tables": [_without_secrets(table) for table in self._tables.listed(owner)],
        }
        records = await self._archive.listed(owner)
        return _pieces(json.dumps(head), (self._game(owner, record) for record in records))

    async def _game(self, owner: Owner, listed: Message) -> str:
        """A finished game with its record and the reviews of its seats."""
        record = listed["record"]
        files, reviews = await self._store.aside(
            lambda select: (
                select("SELECT file FROM files WHERE record = ?", (record,)),
                select("SELECT review FROM reviews WHERE record = ? AND json_valid(review)", (record,)),
            )
        )
        game = {
            "info": listed,
            "file": files[0]["file"] if files and not listed["damaged"] else None,
            "reviews": [json.loads(row["review"]) for row in reviews],
        }
        return json.dumps(game)

    def _nobody(self, owner: Owner, table_id: str, number: int) -> Sequence[Statement]:
        """Statements by which a seat that the owner still has, in a game that is over, is no owner's.

        The number of an owner who is gone may be given to another one.
        """
        row = self._store.row("SELECT seats FROM tables WHERE id = ?", (table_id,))
        seats = [] if row is None else json.loads(row["seats"])
        if number >= len(seats) or seats[number].get("owner") != owner.number:
            return ()
        seats[number] |= {"owner": None, "hash": ""}
        return update_table(table_id, seats=json.dumps(seats))

    async def delete(self, owner: Owner) -> None:
        """Forget the owner: tables, games, results, reviews, puzzles. At others' tables an agent goes on.

        What others played with the owner stays theirs. If it fails on the way, it can be asked for again.
        """
        await self._tables.delete_all(owner)
        mine = (owner.number,)
        left: list[Statement] = []
        for row in self._store.rows("SELECT table_id, seat FROM guests WHERE owner = ?", mine):
            with contextlib.suppress(FaultError):  # over, or one that nobody can play on
                await self._friends.leave(owner, row["table_id"], Leave(seat=row["seat"]))
            left += self._nobody(owner, row["table_id"], row["seat"])
            gone = "DELETE FROM guests WHERE table_id = ? AND seat = ? AND owner = ?"
            left.append((gone, (row["table_id"], row["seat"], owner.number)))
        # A table or a seat that has come meanwhile still refers to the owner: then nothing is deleted.
        statements: list[Statement] = [
            *left,
            ("DELETE FROM outcomes WHERE owner = ?", mine),
            ("DELETE FROM records WHERE owner = ?", mine),
            ("DELETE FROM tables WHERE owner = ? AND state = ?", (owner.number, OVER)),
            ("DELETE FROM owners WHERE owner = ?", mine),
        ]
        await self._store.write(*statements)


async def _pieces(head: str, games: Iterable[Awaitable[str]]) -> AsyncIterator[str]:
    yield f'{head.removesuffix("}")}, "games": ['
    for number, game in enumerate(games):
        yield f"{', ' if number else ''}{await game}"
    yield "]}\n"


def _without_secrets(table: Message) -> Message:
    seats = [{key: value for key, value in seat.items() if key != SECRET} for seat in table["seats"]]
    return table | {"seats": seats}
