"""Finished games: listed, replayed, judged, downloaded, uploaded, counted."""

import contextlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import numpy as np

from fuda.agents.agent import POLICY
from fuda.agents.ties import best_move, loss
from fuda.core.game import GameSpec
from fuda.core.match import MAX_NAME
from fuda.games import spec
from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.messages import Message
from fuda.serve.minds import Minds, answered
from fuda.serve.names import clean_name
from fuda.serve.outcomes import end_of, is_assisted
from fuda.serve.positions import advised_tables
from fuda.serve.protocol import AskValues
from fuda.serve.reviews import Reviews
from fuda.serve.secret_keys import new_id
from fuda.serve.store import Store, insert, now
from fuda.serve.tables import Owner

LISTED = "id, table_id, game, info, created, damaged"  # columns, none of them long
NO_INFO: Message = {
    "seat": None, "options": {}, "players": [], "persons": [], "source": "table", "moves": 0, "scores": None,
    "margins": None, "resigned": None, "hints": False, "same_deal": False, "takebacks": 0,
}  # fmt: skip
# Of the records of others: where one sat as a guest.
GUEST_SEAT = (
    "(SELECT seat FROM guests WHERE guests.table_id = records.table_id AND guests.owner = ? "
    "AND guests.owner != records.owner) AS guest_seat"
)
READABLE_BY = "(owner = ? OR table_id IN (SELECT table_id FROM guests WHERE guests.owner = ?))"
MarkHints = Callable[[Iterable[str]], Awaitable[None]]
LUCK = 0  # of those who judge a record: the same question gets the same answer


class Archive:
    """The records of all owners."""

    def __init__(self, config: Config, store: Store, minds: Minds, reviews: Reviews, mark_hints: MarkHints):
        self._mark_hints = mark_hints  # of tables on which advice was asked for
        self._config = config
        self._store = store
        self._minds = minds
        self._reviews = reviews

    async def listed(self, owner: Owner) -> list[Message]:
        """An owner's records, the newest first."""
        return await self._store.aside(
            lambda select: [
                _listed(row)
                for row in select(
                    f"SELECT {LISTED}, {GUEST_SEAT} FROM records WHERE {READABLE_BY} "
                    "ORDER BY created DESC, id LIMIT ?",
                    (owner.number, owner.number, owner.number, self._config.records),
                )
            ]
        )

    async def upload(self, owner: Owner, file: str) -> Message:
        """Keep a record from outside, once it has been replayed."""
        have = self._store.rows("SELECT count(*) AS n FROM records WHERE owner = ?", (owner.number,))[0]["n"]
        if have >= self._config.records:
            raise FaultError("too_many_records", limit=self._config.records)
        found = await answered(self._minds.check_record(file))
        if "why" in found:
            raise FaultError("bad_record", why=found["why"])
        seen = [bytes.fromhex(position) for position in found.pop("positions")]
        await self._mark_hints(advised_tables(self._store, seen))
        file = found.pop("file")
        info = found | {
            "players": [clean_name(name, MAX_NAME) for name in found["players"]],
            "persons": [], "source": "upload", "resigned": None, "hints": False, "same_deal": False,
        }  # fmt: skip
        record = new_id()
        await self._store.write(
            insert("records", id=record, owner=owner.number, game=info["game"], info=info, created=now()),
            insert("files", record=record, file=file),
        )
        return _listed(self._row(owner, record, f"{LISTED}, NULL AS guest_seat"))

    def file(self, owner: Owner, record: str) -> tuple[str, str]:
        """The game and the text of a record."""
        row = self._readable(owner, record, "id, game, damaged")
        found = self._store.row("SELECT file FROM files WHERE record = ?", (row["id"],))
        if row["damaged"] or found is None:
            raise FaultError("damaged")
        return row["game"], found["file"]

    async def delete(self, owner: Owner, record: str) -> None:
        """Remove a record, and the finished table that it is of."""
        row = self._row(owner, record, "id, table_id")
        await self._store.write(
            ("DELETE FROM records WHERE id = ?", (row["id"],)),
            ("DELETE FROM tables WHERE id = ? AND record = ?", (row["table_id"], row["id"])),
        )

    async def replay(self, owner: Owner, record: str, first: int, count: int) -> Message:
        """Positions of a record with what every seat saw."""
        game_id, file = self.file(owner, record)
        found = await answered(self._minds.steps(file, first, count))
        return {"record": record, "game": game_id} | found

    def review(self, owner: Owner, record: str, seat: int) -> Message:
        """The review of a seat in a record, as far as it is there."""
        return self._reviews.info(self._seat_of(owner, record, seat)["id"], seat)

    async def ask_review(self, owner: Owner, record: str, seat: int) -> Message:
        """Have a seat reviewed."""
        row = self._seat_of(owner, record, seat)
        return await self._reviews.ask(row["id"], row["game"], seat, json.loads(row["info"])["moves"])

    def _seat_of(self, owner: Owner, record: str, seat: int) -> sqlite3.Row:
        row = self._readable(owner, record, "id, game, info, damaged")
        if row["damaged"]:
            raise FaultError("damaged")
        seats = spec(row["game"]).seats
        if seat >= seats:
            raise FaultError("bad_seats", seats=seats)
        return row

    async def values(self, owner: Owner, record: str, asked: AskValues) -> Message:
        """What an agent thinks of some moves: it gets the movers' views, and nothing else."""
        game_id, file = self.file(owner, record)
        if not self._minds.roster.has(game_id, asked.agent):
            raise FaultError("no_such_agent", name=asked.agent)
        unit = self._minds.roster.unit(asked.agent)
        if unit is None or asked.agent in self._minds.roster.bots:  # bots play matches, not single views
            raise FaultError("no_values", agent=asked.agent)
        game = spec(game_id)
        decisions, views = await answered(self._minds.decisions(file, asked.first, asked.count))
        found: list[Any] | None = []
        if decisions:
            asking = self._minds.values(
                views, [seat for seat, _ in decisions], asked.agent, LUCK, asked.first
            )
            found = await answered(asking)
        rows = found or [None] * len(decisions)
        # The answer has one unit: bids that are valued in another one are left out.
        is_bid = [game.is_bid(view) for view in np.frombuffer(views, game.rules.STATE).view(np.recarray)]
        rows = [
            row if self._minds.roster.unit(asked.agent, bid) == unit else None
            for row, bid in zip(rows, is_bid, strict=True)
        ]
        values = [
            {
                "seq": asked.first + number,
                "seat": seat,
                "move": move,
                **_judged(game, unit, move, row),
            }
            for number, ((seat, move), row) in enumerate(zip(decisions, rows, strict=True))
        ]
        return {"record": record, "agent": asked.agent, "unit": unit, "values": values}

    async def results(self, owner: Owner) -> list[Message]:
        """How the owner has done, by game and opponents; games with help are counted apart."""
        return await self._store.aside(
            lambda select: _results(
                select("SELECT info, seat FROM outcomes WHERE owner = ?", (owner.number,))
            )
        )

    def check_readable(self, owner: Owner, record: str) -> None:
        """A fault for who may not read a record."""
        self._readable(owner, record, "id")

    async def replay_shared(self, record: str, first: int, count: int) -> Message:
        """Positions of a record, for who has a link to it."""
        row = self._store.row(
            "SELECT game, info, damaged, file FROM records JOIN files ON files.record = id WHERE id = ?",
            (record,),
        )
        if row is None or row["damaged"]:
            raise FaultError("damaged")
        found = await answered(self._minds.steps(row["file"], first, count))
        return {"record": record, "game": row["game"], "players": json.loads(row["info"])["players"]} | found

    def _readable(self, owner: Owner, record: str, columns: str) -> sqlite3.Row:
        """A row of one's own records, or of a game at which one was a guest."""
        row = self._store.row(
            f"SELECT {columns} FROM records WHERE id = ? AND {READABLE_BY}",
            (record, owner.number, owner.number),
        )
        if row is None:
            raise FaultError("no_such_record")
        return row

    def _row(self, owner: Owner, record: str, columns: str) -> sqlite3.Row:
        row = self._store.row(
            f"SELECT {columns} FROM records WHERE id = ? AND owner = ?", (record, owner.number)
        )
        if row is None:
            raise FaultError("no_such_record")
        return row


def _listed(row: sqlite3.Row) -> Message:
    told = {
        "record": row["id"],
        "created": row["created"],
        "table": row["table_id"],
        "own": row["guest_seat"] is None,
        "damaged": bool(row["damaged"]),
    }
    if row["damaged"]:
        return told | NO_INFO | {"game": str(row["game"])}
    info = json.loads(row["info"])
    guests = info.pop("guests", [])
    hosts = [person for person in info["persons"] if person not in guests]
    seat = row["guest_seat"] if row["guest_seat"] is not None else hosts[0] if hosts else None
    return {"takebacks": 0} | told | info | {"seat": seat}  # games of an older fuda have none


def _results(rows: list[sqlite3.Row]) -> list[Message]:
    tallies: dict[tuple[str, tuple[str, ...]], dict[str, Message]] = defaultdict(
        lambda: {"plain": _no_games(), "assisted": _no_games()}
    )
    for row in rows:
        with contextlib.suppress(ValueError, KeyError):  # a damaged row was told of when the server started
            info = json.loads(row["info"])
            person = row["seat"]
            if info["persons"] != [person]:  # friends played too
                continue
            agents = tuple(sorted(name for seat, name in enumerate(info["players"]) if seat != person))
            kind = "assisted" if is_assisted(info) else "plain"
            _count(tallies[info["game"], agents][kind], info, person)
    return [
        {"game": game_id, "agents": list(agents), **tally}
        for (game_id, agents), tally in sorted(tallies.items())
    ]


def _judged(game: GameSpec, unit: str, move: str, values: dict[str, float] | None) -> Message:
    """What an agent's values of the legal moves say about the one that was played.

    That a move is less likely costs nothing.
    """
    if not values:
        return {"values": None, "best": None, "cost": None}
    return {
        "values": {name: round(value, 6) for name, value in values.items()},
        "best": best_move(values, game, unit),
        "cost": round(loss(values, move, game, unit), 6) if move in values and unit != POLICY else None,
    }


def _no_games() -> Message:
    return {"games": 0, "wins": 0, "draws": 0, "losses": 0, "resigned": 0}


def _count(tally: Message, info: Message, person: int) -> None:
    resigned = info["resigned"] is not None
    tally["games"] += 1
    tally["losses" if resigned else end_of(info["margins"], person)] += 1
    tally["resigned"] += resigned
