"""All tables of a server: made, found again in the database, listed, deleted."""

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

from fuda import __version__
from fuda.agents import agent_info, agent_weights
from fuda.core.match import Match
from fuda.games import game, list_games, spec
from fuda.serve import secret_keys
from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.messages import OVER, PLAYING, Message
from fuda.serve.minds import Minds, known_agents
from fuda.serve.names import clean_name
from fuda.serve.protocol import AgentSeat, NewTable, PersonSeat, Rematch
from fuda.serve.store import Store, insert, now
from fuda.serve.stored_match import insert_deals, same_cards
from fuda.serve.table import Table, seat_info

LUCK_BITS = 128


class Owner:
    """Who asks: the number in the database, and the secret, which is not in it."""

    def __init__(self, number: int, secret: str):
        self.number = number
        self.secret = secret


class Tables:
    """The tables, those that somebody looks at also in memory."""

    def __init__(self, config: Config, store: Store, minds: Minds):
        self._config = config
        self._store = store
        self._minds = minds
        self._open: dict[str, Table] = {}
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(self, owner: Owner, wanted: NewTable) -> Message:
        """A new table with new cards."""
        if wanted.game not in list_games():
            raise FaultError("no_such_game")
        try:
            table = game(wanted.game, **wanted.options)
        except ValueError as error:
            raise FaultError("bad_option", why=str(error)) from None
        seats = self._seats(wanted.game, wanted.seats)
        pace = {"delay": wanted.pace.delay, "paused": int(wanted.pace.paused and _all_agents(seats))}
        return await self._insert(owner, table.start(players=_names(seats)), seats, None, pace)

    async def rematch(self, owner: Owner, table_id: str, wanted: Rematch) -> Message:
        """The same table again, with new cards, or the same as far as they were dealt."""
        row = self._row(owner, table_id)
        if row["state"] != OVER:
            raise FaultError("not_over")
        _check_rules(row)
        old = json.loads(row["seats"])
        given = wanted.seats or [
            PersonSeat(person=seat["name"]) if seat["kind"] == "person" else AgentSeat(agent=seat["name"])
            for seat in old
        ]
        seats = self._seats(row["game"], given)
        decks: list[list[int]] | None = None
        if wanted.same_deal:
            match, decks = same_cards(row, self._store, _names(seats))
        else:
            match = game(row["game"], **json.loads(row["options"])).start(players=_names(seats))
        pace = {"delay": row["delay"], "paused": int(row["paused"] and _all_agents(seats))}
        return await self._insert(owner, match, seats, decks, pace)

    def listed(self, owner: Owner) -> list[Message]:
        """The owner's tables that are not over, the last changed first."""
        rows = self._store.rows(
            "SELECT *, (SELECT count(*) FROM moves WHERE table_id = id) AS seq FROM tables "
            "WHERE owner = ? AND state != ? ORDER BY changed DESC",
            (owner.number, OVER),
        )
        return [self._info(owner, row) for row in rows]

    def info(self, owner: Owner, table_id: str) -> Message:
        """One table, for its owner."""
        return self._info(owner, self._row(owner, table_id))

    async def delete(self, owner: Owner, table_id: str) -> None:
        """Remove a table; a record of it stays."""
        row = self._row(owner, table_id)
        async with self._door(table_id):
            table = self._open.get(table_id)
            if table is not None:
                await table.delete()
                self._open.pop(table_id, None)
            else:
                await self._store.write(("DELETE FROM tables WHERE id = ?", (row["id"],)))

    async def enter(self, table_id: str, seat: int, secret: str) -> Table:
        """The table, for somebody who has the seat's secret (the owner's, where agents play alone)."""
        async with self._door(table_id):
            row = self._store.row("SELECT * FROM tables WHERE id = ?", (table_id,))
            if row is None or not self._may_enter(row, seat, secret):
                raise FaultError("wrong_secret")
            _check_rules(row)
            if table_id not in self._open:
                self._open[table_id] = Table(row, self._store, self._minds)
            return self._open[table_id]

    def _door(self, table_id: str) -> asyncio.Lock:
        """Held by those who enter a table and those who remove it; kept while somebody holds it."""
        return self._doors.setdefault(table_id, asyncio.Lock())

    async def left(self, table: Table) -> None:
        """Forget a table at which nobody looks any more; all of it is in the database."""
        if not table.tabs:
            await table.rest()
        if not table.tabs and self._open.get(table.id) is table:
            del self._open[table.id]

    async def close(self) -> None:
        """Stop all thinking; the sockets are closed by now, or will be with the process."""
        for table in list(self._open.values()):
            table.tabs.clear()
            await table.rest()

    def _may_enter(self, row: sqlite3.Row, seat: int, secret: str) -> bool:
        seats = json.loads(row["seats"])
        if seat >= len(seats):
            return False
        if _all_agents(seats):
            owner = self._store.row("SELECT hash FROM owners WHERE owner = ?", (row["owner"],))
            return owner is not None and secret_keys.is_secret(secret, owner["hash"])
        return seats[seat]["kind"] == "person" and secret_keys.is_secret(
            secret, bytes.fromhex(seats[seat]["hash"])
        )

    def _row(self, owner: Owner, table_id: str) -> sqlite3.Row:
        row = self._store.row(
            "SELECT *, (SELECT count(*) FROM moves WHERE table_id = id) AS seq FROM tables "
            "WHERE id = ? AND owner = ?",
            (table_id, owner.number),
        )
        if row is None:
            raise FaultError("no_such_table")
        return row

    def _info(self, owner: Owner, row: sqlite3.Row) -> Message:
        table = self._open.get(row["id"])
        info = _stored_info(row) if table is None else table.info()
        for number, seat in enumerate(info["seats"]):
            if seat["kind"] == "person":
                seat["secret"] = secret_keys.seat_secret(owner.secret, row["id"], number)
        return info

    def _seats(self, game_id: str, wanted: Sequence[PersonSeat | AgentSeat]) -> list[dict[str, Any]]:
        if len(wanted) != spec(game_id).seats:
            raise FaultError("bad_seats", seats=spec(game_id).seats)
        return [_seat(game_id, seat) for seat in wanted]

    async def _insert(
        self,
        owner: Owner,
        match: Match,
        seats: list[dict[str, Any]],
        decks: list[list[int]] | None,
        pace: dict[str, int],
    ) -> Message:
        self._check_room(owner)
        table_id = secret_keys.new_id()
        for number, seat in enumerate(seats):
            if seat["kind"] == "person":
                secret = secret_keys.seat_secret(owner.secret, table_id, number)
                seat["hash"] = secret_keys.hashed(secret).hex()
        time = now()
        await self._store.write(
            insert(
                "tables", id=table_id, owner=owner.number, game=match.game.id,
                rules_version=match.game.spec.rules_version, fuda=__version__, options=match.game.options,
                seats=seats, seed="", decks=decks, luck=str(secrets.randbits(LUCK_BITS)), state=PLAYING,
                same_deal=int(decks is not None), created=time, changed=time, **pace,
            ),
            *insert_deals(table_id, match),
        )  # fmt: skip
        self._minds.load(seat["name"] for seat in seats if seat["kind"] == "agent")
        return self.info(owner, table_id)

    def _check_room(self, owner: Owner) -> None:
        count = "SELECT count(*) AS n FROM tables WHERE state != ?"
        mine = self._store.rows(f"{count} AND owner = ?", (OVER, owner.number))[0]["n"]
        every = self._store.rows(count, (OVER,))[0]["n"]
        if mine >= self._config.tables or every >= self._config.all_tables:
            raise FaultError("too_many_tables", limit=self._config.tables)


def _seat(game_id: str, wanted: PersonSeat | AgentSeat) -> dict[str, Any]:
    if isinstance(wanted, PersonSeat):
        name = clean_name(wanted.person)
        return {"kind": "person", "name": name, "title": name}
    if wanted.agent not in known_agents(game_id):
        raise FaultError("no_such_agent", name=wanted.agent)
    return {
        "kind": "agent",
        "name": wanted.agent,
        "title": agent_info(wanted.agent).title,
        "weights": agent_weights(wanted.agent),
    }


def _names(seats: list[dict[str, Any]]) -> list[str]:
    return [seat["name"] for seat in seats]


def _all_agents(seats: list[dict[str, Any]]) -> bool:
    return all(seat["kind"] == "agent" for seat in seats)


def _check_rules(row: sqlite3.Row) -> None:
    """Refuse a table of rules that are not played here any more."""
    here = spec(row["game"]).rules_version if row["game"] in list_games() else None
    if here != row["rules_version"]:
        raise FaultError("other_rules", game=row["game"], stored=row["rules_version"], here=here)


def _is_playable(row: sqlite3.Row) -> bool:
    try:
        _check_rules(row)
    except FaultError:
        return False
    return True


def _stored_info(row: sqlite3.Row) -> Message:
    """A table that is not in memory, without playing its moves."""
    seats = json.loads(row["seats"])
    return {
        "table": row["id"],
        "game": row["game"],
        "rules_version": row["rules_version"],
        "options": json.loads(row["options"]),
        "seats": [seat_info(seat) for seat in seats],
        "state": row["state"],
        "seq": row["seq"],
        "to_move": None,
        "hints": bool(row["hints"]),
        "same_deal": bool(row["same_deal"]),
        "pace": {"delay": row["delay"], "paused": bool(row["paused"])},
        "created": row["created"],
        "changed": row["changed"],
        "record": row["record"],
        "playable": _is_playable(row),
    }
