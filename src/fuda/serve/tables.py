"""All tables of a server: made, found again in the database, listed, deleted."""

import asyncio
import contextlib
import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from fuda import __version__
from fuda.core.match import Match
from fuda.games import game, list_games, spec
from fuda.serve import secret_keys
from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.messages import EVERYBODY, OVER, PLAYING, Message
from fuda.serve.minds import Minds
from fuda.serve.names import clean_name
from fuda.serve.outcomes import insert_given_up
from fuda.serve.positions import set_positions
from fuda.serve.protocol import AgentSeat, NewTable, Pace, PersonSeat, Rematch, TryAgain
from fuda.serve.reviews import Reviews
from fuda.serve.roster import Roster
from fuda.serve.store import Statement, Store, insert, now, update_table
from fuda.serve.stored_match import DAMAGE, insert_deals, insert_moves, load_match, match_at, same_cards
from fuda.serve.table import Table, seat_info

LUCK_BITS = 128
# Of tables: the owner's, and those at which one is a guest.
SEEN_BY = "(owner = ? OR id IN (SELECT table_id FROM guests WHERE guests.owner = ?))"

log = logging.getLogger("fuda.serve")


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
        self.reviews = Reviews(store, minds, self._tell_reviewed)
        self.roster = minds.roster
        self._open: dict[str, Table] = {}
        self._started = datetime.now(UTC), time.monotonic()
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
        if wanted.clock is not None:
            pace["clock"] = wanted.clock
        return await self._insert(owner, table.start(players=_names(seats)), seats, None, pace)

    async def rematch(self, owner: Owner, table_id: str, wanted: Rematch) -> Message:
        """The same table again, with new cards, or the same as far as they were dealt."""
        row = self.own_row(owner, table_id)
        if row["state"] != OVER:
            raise FaultError("not_over")
        _check_rules(row)
        old = json.loads(row["seats"])
        given = wanted.seats or [_again(seat) for seat in old]
        seats = self._seats(row["game"], given)
        decks: list[list[int]] | None = None
        if wanted.same_deal:
            match, decks = same_cards(row, self._store, _names(seats))
        else:
            match = game(row["game"], **json.loads(row["options"])).start(players=_names(seats))
        pace = {"delay": row["delay"], "paused": int(row["paused"] and _all_agents(seats))}
        if row["clock"] is not None:
            pace["clock"] = row["clock"]
        return await self._insert(owner, match, seats, decks, pace)

    async def again(self, owner: Owner, record: str, wanted: TryAgain) -> Message:
        """A new table that stands where a finished game stood once, with the same cards and players."""
        row = self._store.row("SELECT * FROM records WHERE id = ? AND owner = ?", (record, owner.number))
        if row is None:
            raise FaultError("no_such_record")
        if row["damaged"]:
            raise FaultError("damaged")
        info = json.loads(row["info"])
        given = [
            PersonSeat(person=name) if seat in info["persons"] else AgentSeat(agent=name)
            for seat, name in enumerate(info["players"])
        ]
        seats = self._seats(row["game"], given)
        file = self._store.row("SELECT file FROM files WHERE record = ?", (record,))
        if file is None:
            raise FaultError("damaged")
        try:
            match, decks = await asyncio.to_thread(match_at, file["file"], wanted.seq, _names(seats))
        except ValueError as error:  # it is of other rules
            raise FaultError("bad_record", why=str(error)) from None
        if match.seat is None or seats[match.seat]["kind"] != "person":
            raise FaultError("not_your_turn")
        return await self._insert(owner, match, seats, decks, Pace().model_dump())

    def listed(self, owner: Owner) -> list[Message]:
        """The owner's tables that are not over, the last changed first."""
        rows = self._store.rows(
            f"SELECT * FROM tables WHERE {SEEN_BY} AND state != ? ORDER BY changed DESC",
            (owner.number, owner.number, OVER),
        )
        return [self._info(owner, row) for row in rows]

    def info(self, owner: Owner, table_id: str) -> Message:
        """One table, for its owner or a guest."""
        return self._info(owner, self.seen_row(owner, table_id))

    def info_for(self, owner: Owner | None, table_id: str) -> Message:
        """One table, for somebody who has come by an invitation; who only looks on is no owner."""
        row = self._store.row("SELECT * FROM tables WHERE id = ?", (table_id,))
        if row is None:
            raise FaultError("no_such_table")
        return self._info(owner, row)

    async def seat_somebody(self, table_id: str, number: int, seat: dict[str, Any], *also: Statement) -> None:
        """Somebody else sits in a seat from now on."""
        async with self._door(table_id):
            row = self._store.row("SELECT * FROM tables WHERE id = ?", (table_id,))
            if row is None:
                raise FaultError("no_such_table")
            _check_rules(row)
            table = self._open.get(table_id) or await self._opened(row)
            await table.seat_somebody(number, seat, *also)

    async def delete(self, owner: Owner, table_id: str) -> None:
        """Remove a table; a record of it stays."""
        row = self.own_row(owner, table_id)
        async with self._door(table_id):
            table = self._open.get(table_id)
            if table is not None:
                await table.delete()
                self._open.pop(table_id, None)
            else:
                await self._store.write(
                    *insert_given_up(self._store, row["id"]),
                    ("DELETE FROM tables WHERE id = ?", (row["id"],)),
                )

    async def delete_all(self, owner: Owner) -> None:
        """Remove all tables of an owner that run, or at which somebody still looks."""
        for row in self._store.rows("SELECT id, state FROM tables WHERE owner = ?", (owner.number,)):
            if row["state"] != OVER or row["id"] in self._open:
                with contextlib.suppress(FaultError):  # it has gone meanwhile
                    await self.delete(owner, row["id"])

    async def enter(self, table_id: str, seat: int, secret: str) -> Table:
        """The table, for who has the seat's secret: the owner's where agents play, a code to look on."""
        async with self._door(table_id):
            row = self._store.row("SELECT * FROM tables WHERE id = ?", (table_id,))
            if row is not None and row["damaged"]:
                raise FaultError("damaged")
            if row is None or not self._may_enter(row, seat, secret):
                raise FaultError("wrong_secret")
            _check_rules(row)
            if table_id not in self._open:
                self._open[table_id] = await self._opened(row)
            return self._open[table_id]

    async def _opened(self, row: sqlite3.Row) -> Table:
        """The table of a row; one that cannot be as it was written is marked."""
        try:
            return Table(row, self._store, self._minds, self.reviews)
        except DAMAGE as error:
            await self._mark_damaged(row["id"], error)
            raise FaultError("damaged") from None

    async def look_through(self) -> None:
        """Play all running games up to where they stand: one that cannot be played is marked before its
        players come, and positions that were lost are noted again."""
        for found in self._store.rows("SELECT id FROM tables WHERE state != ?", (OVER,)):
            async with self._door(found["id"]):
                row = self._store.row("SELECT * FROM tables WHERE id = ?", (found["id"],))
                if row is not None and row["id"] not in self._open and is_playable(row):
                    await self._look_at(row)
            await asyncio.sleep(0)  # the tables go on

    async def _look_at(self, row: sqlite3.Row) -> None:
        try:
            match, seats = load_match(row, self._store), json.loads(row["seats"])
        except DAMAGE as error:
            await self._mark_damaged(row["id"], error)
            return
        noted = self._store.rows("SELECT 1 FROM positions WHERE table_id = ?", (row["id"],))
        if len(noted) < sum(seat["kind"] == "person" for seat in seats):
            await self._store.write(*set_positions(row["id"], match, row["state"], seats))

    async def _mark_damaged(self, table_id: str, why: Exception) -> None:
        log.error("the game %s is damaged: %s", table_id, why)
        await self._store.write(("UPDATE tables SET damaged = 'match' WHERE id = ?", (table_id,)))

    async def mark_hints(self, table_ids: Iterable[str]) -> None:
        """Advice was asked for on what is seen at these tables."""
        for table_id in table_ids:
            table = self._open.get(table_id)
            if table is not None:
                await table.mark_hints()
            else:
                await self._store.write(*update_table(table_id, hints=1))

    async def expire(self) -> None:
        """Remove what is older than it is kept: games, tables that nobody has begun to play, empty owners."""
        unplayed = self._days_ago(self._config.unplayed_days)
        await self._remove_tables("num_moves = 0 AND state = ? AND changed < ?", PLAYING, unplayed)
        if self._config.keep_days is not None:
            limit = self._days_ago(self._config.keep_days)
            await self._remove_tables("changed < ?", limit)
            await self._store.write(("DELETE FROM records WHERE created < ?", (limit,)))
        await self._store.write(
            (
                "DELETE FROM owners WHERE created < ? "
                "AND NOT EXISTS (SELECT 1 FROM tables WHERE tables.owner = owners.owner) "
                "AND NOT EXISTS (SELECT 1 FROM records WHERE records.owner = owners.owner) "
                "AND NOT EXISTS (SELECT 1 FROM guests WHERE guests.owner = owners.owner) "
                "AND NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.owner = owners.owner)",
                (self._days_ago(self._config.owner_days),),
            ),
        )

    def _days_ago(self, days: int) -> str:
        """As times are stored. A clock that jumps ahead while the server runs makes nothing old."""
        wall, ticking = self._started
        reached = wall + timedelta(seconds=time.monotonic() - ticking)
        return (min(datetime.now(UTC), reached) - timedelta(days=days)).isoformat(timespec="milliseconds")

    async def _remove_tables(self, which: str, *given: object) -> None:
        """Those at which nobody sits now."""
        for row in self._store.rows(f"SELECT id FROM tables WHERE {which}", given):
            async with self._door(row["id"]):
                if row["id"] not in self._open:
                    await self._store.write(("DELETE FROM tables WHERE id = ?", (row["id"],)))

    def check_room_for_tab(self, table: Table, seat: int) -> None:
        """Nobody takes another's room: seats are counted apart, and so are those who look on."""
        if seat == EVERYBODY:
            has_room = table.num_tabs(EVERYBODY) < self._config.lookers_of_table
        else:
            of_owner = sum(other.num_tabs_of(table.owner_of(seat)) for other in self._open.values())
            has_room = (
                table.num_tabs(seat) < self._config.sockets_of_seat
                and of_owner < self._config.sockets_of_owner
            )
        if not has_room:
            raise FaultError("too_many_sockets")

    def _door(self, table_id: str) -> asyncio.Lock:
        """Held by those who enter a table and those who remove it; kept while somebody holds it."""
        return self._doors.setdefault(table_id, asyncio.Lock())

    async def left(self, table: Table) -> None:
        """Forget a table at which nobody looks any more; all of it is in the database."""
        if not table.tabs:
            await table.rest()
        if not table.tabs and self._open.get(table.id) is table:
            del self._open[table.id]

    def _tell_reviewed(self, table_id: str | None, record: str, seat: int) -> None:
        """Tell those who still look at a table that a review of its game is there."""
        table = self._open.get(table_id or "")
        if table is not None:
            table.tell_all({"type": "reviewed", "record": record, "seat": seat})

    async def close(self) -> None:
        """Stop all thinking; the sockets are closed by now, or will be with the process."""
        await self.reviews.close()
        for table in list(self._open.values()):
            table.tabs.clear()
            await table.rest()

    def _may_enter(self, row: sqlite3.Row, seat: int, secret: str) -> bool:
        seats = json.loads(row["seats"])
        if seat == EVERYBODY:
            found = self._store.row(
                "SELECT 1 FROM invitations WHERE hash = ? AND table_id = ? AND seat IS NULL",
                (secret_keys.hashed(secret), row["id"]),
            )
            return found is not None
        if seat >= len(seats):
            return False
        if _all_agents(seats):
            owner = self._store.row("SELECT hash FROM owners WHERE owner = ?", (row["owner"],))
            return owner is not None and secret_keys.is_secret(secret, owner["hash"])
        return seats[seat]["kind"] == "person" and secret_keys.is_secret(
            secret, bytes.fromhex(seats[seat].get("hash", ""))
        )

    def own_row(self, owner: Owner, table_id: str) -> sqlite3.Row:
        """The row of a table of one's own."""
        row = self._store.row("SELECT * FROM tables WHERE id = ? AND owner = ?", (table_id, owner.number))
        if row is None:
            raise FaultError("no_such_table")
        return row

    def seen_row(self, owner: Owner, table_id: str) -> sqlite3.Row:
        """The row of a table of one's own, or at which one is a guest."""
        row = self._store.row(
            f"SELECT * FROM tables WHERE id = ? AND {SEEN_BY}", (table_id, owner.number, owner.number)
        )
        if row is None:
            raise FaultError("no_such_table")
        return row

    def seats_of(self, row: sqlite3.Row) -> list[dict[str, Any]]:
        """Who sits at a table."""
        _check_rules(row)
        return list(json.loads(row["seats"]))

    def _info(self, owner: Owner | None, row: sqlite3.Row) -> Message:
        table = self._open.get(row["id"])
        own = {"own": owner is not None and row["owner"] == owner.number}
        if row["damaged"]:
            return damaged_info(row) | own
        info = (_stored_info(row, self._minds.roster) if table is None else table.info()) | own
        if owner is None:
            return info
        seats = json.loads(row["seats"])
        for number, seat in enumerate(info["seats"]):
            stored = seats[number]
            is_own = stored["kind"] == "person" and stored.get("owner", row["owner"]) == owner.number
            if is_own and not stored.get("open"):
                seat["secret"] = secret_keys.seat_secret(owner.secret, row["id"], number)
        return info

    def _seats(self, game_id: str, wanted: Sequence[PersonSeat | AgentSeat]) -> list[dict[str, Any]]:
        if len(wanted) != spec(game_id).seats:
            raise FaultError("bad_seats", seats=spec(game_id).seats)
        return [_seat(game_id, seat, self._minds.roster) for seat in wanted]

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
            if seat["kind"] == "person" and not seat["open"]:
                secret = secret_keys.seat_secret(owner.secret, table_id, number)
                seat["hash"] = secret_keys.hashed(secret).hex()
        created = now()
        await self._store.write(
            insert(
                "tables", id=table_id, owner=owner.number, game=match.game.id,
                rules_version=match.game.spec.rules_version, fuda=__version__,
                options=match.game.options,
                seats=seats, seed="", decks=decks, luck=str(secrets.randbits(LUCK_BITS)), state=PLAYING,
                same_deal=int(decks is not None), created=created, changed=created,
                num_moves=len(match.moves),
                num_deals=len(match.deals), **pace,
            ),
            *insert_deals(table_id, match),
            *insert_moves(table_id, match),
            *set_positions(table_id, match, PLAYING, seats),
        )  # fmt: skip
        self._minds.load(seat["name"] for seat in seats if seat["kind"] == "agent")
        return self.info(owner, table_id)

    def _check_room(self, owner: Owner) -> None:
        """Nobody takes all the room: neither one owner, nor many owners of one address."""
        self._check_count("owner = ?", (owner.number,), self._config.tables)
        address = self._store.row("SELECT address FROM owners WHERE owner = ?", (owner.number,))
        assert address is not None
        of_address = "owner IN (SELECT owner FROM owners WHERE address = ?)"
        self._check_count(of_address, (address["address"],), self._config.tables_of_address)
        self._check_count("1", (), self._config.all_tables)

    def _check_count(self, which: str, given: Sequence[Any], limit: int) -> None:
        count = f"SELECT count(*) AS n FROM tables WHERE state != ? AND {which}"
        if self._store.rows(count, (OVER, *given))[0]["n"] >= limit:
            raise FaultError("too_many_tables", limit=self._config.tables)


def _again(seat: dict[str, Any]) -> PersonSeat | AgentSeat:
    """The same in a new game; a guest is invited anew."""
    if seat["kind"] == "agent":
        return AgentSeat(agent=seat["name"])
    return PersonSeat(person=seat["name"], invited="owner" in seat or bool(seat.get("open")))


def _seat(game_id: str, wanted: PersonSeat | AgentSeat, roster: Roster) -> dict[str, Any]:
    if isinstance(wanted, PersonSeat):
        name = clean_name(wanted.person)
        return {"kind": "person", "name": name, "title": name, "open": wanted.invited}
    return agent_seat(game_id, wanted.agent, roster)


def agent_seat(game_id: str, name: str, roster: Roster) -> dict[str, Any]:
    """A seat of an agent, if there is one of that name."""
    if not roster.has(game_id, name):
        raise FaultError("no_such_agent", name=name)
    return {"kind": "agent", "name": name, "title": roster.info(name).title, "weights": roster.weights(name)}


def _names(seats: list[dict[str, Any]]) -> list[str]:
    return [seat["name"] for seat in seats]


def _all_agents(seats: list[dict[str, Any]]) -> bool:
    return all(seat["kind"] == "agent" for seat in seats)


def _check_rules(row: sqlite3.Row) -> None:
    """Refuse a table that is damaged, or of rules that are not played here any more."""
    if row["damaged"]:
        raise FaultError("damaged")
    here = spec(row["game"]).rules_version if row["game"] in list_games() else None
    if here != row["rules_version"]:
        raise FaultError("other_rules", game=row["game"], stored=row["rules_version"], here=here)


def is_playable(row: sqlite3.Row) -> bool:
    """Whether a table can go on here, as far as its own row tells."""
    try:
        _check_rules(row)
    except FaultError:
        return False
    return True


def _stored_info(row: sqlite3.Row, roster: Roster) -> Message:
    """A table that is not in memory, without playing its moves."""
    seats = json.loads(row["seats"])
    return {
        "table": row["id"],
        "game": row["game"],
        "rules_version": row["rules_version"],
        "options": json.loads(row["options"]),
        "seats": [seat_info(seat, roster) for seat in seats],
        "state": row["state"],
        "seq": row["num_moves"],
        "to_move": None,
        "hints": bool(row["hints"]),
        "same_deal": bool(row["same_deal"]),
        "takebacks": row["takebacks"] or 0,
        "pace": {"delay": row["delay"], "paused": bool(row["paused"])},
        "clock": row["clock"],
        "agreed": json.loads(row["agreed"] or "[]"),
        "created": row["created"],
        "changed": row["changed"],
        "record": row["record"],
        "playable": is_playable(row),
        "damaged": False,
    }


def damaged_info(row: sqlite3.Row) -> Message:
    """A table of which no more can be trusted than that it is there."""
    return {
        "table": row["id"], "game": str(row["game"]), "rules_version": 0, "options": {}, "seats": [],
        "state": PLAYING, "seq": 0, "to_move": None, "hints": False, "same_deal": False, "takebacks": 0,
        "pace": {"delay": 0, "paused": False}, "created": str(row["created"]), "changed": str(row["changed"]),
        "record": None, "playable": False, "damaged": True,
    }  # fmt: skip
