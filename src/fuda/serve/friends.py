"""Friends at a table: invitations by link, seats that are taken and left, finished games that are shared.

A link has a code that can be used once, to take a seat; or as often as one likes, to look on or to look at a
finished game. The database has the codes' hashes alone. Who has taken a seat finds its secret by the own
owner's, as for the own tables.
"""

import secrets
import sqlite3
from typing import Any

from fuda.serve import qr, secret_keys
from fuda.serve.catalog import offered
from fuda.serve.config import Config
from fuda.serve.door import INVITATION, Right
from fuda.serve.faults import FaultError
from fuda.serve.messages import OVER, Message
from fuda.serve.names import clean_name
from fuda.serve.network import host_of, is_here_alone
from fuda.serve.protocol import MAX_ID, Invite, Join, Leave
from fuda.serve.store import Statement, Store, insert, now
from fuda.serve.tables import Owner, Tables, agent_seat

CODE_BYTES = 12
MOST = 16  # invitations to look on at one table, or to read one record; older ones end


class Friends:
    """The invitations of a server."""

    def __init__(self, config: Config, store: Store, tables: Tables):
        self._config = config
        self._store = store
        self._tables = tables

    async def invite(self, owner: Owner, table_id: str, wanted: Invite, address: str) -> Message:
        """A new link to an open seat, which ends the one before, or to look on."""
        row = self._tables.own_row(owner, table_id)
        if row["state"] == OVER:
            raise FaultError("over")
        if wanted.seat is not None and not self._is_open(row, wanted.seat):
            raise FaultError("seat_taken")
        gone: Statement = (
            "DELETE FROM invitations WHERE table_id = ? AND seat IS ? AND hash NOT IN (SELECT hash FROM "
            "invitations WHERE table_id = ? AND seat IS ? ORDER BY created DESC LIMIT ?)",
            (
                table_id,
                wanted.seat,
                table_id,
                wanted.seat,
                0 if wanted.seat is not None else MOST - 1,
            ),
        )
        code = secrets.token_urlsafe(CODE_BYTES)
        await self._store.write(
            gone,
            insert("invitations", hash=hash_of(code), table_id=table_id, seat=wanted.seat, created=now()),
        )
        return self._link(code, address)

    async def share(self, record: str, address: str) -> Message:
        """A link to a finished game, for reading alone."""
        code = secrets.token_urlsafe(CODE_BYTES)
        gone: Statement = (
            "DELETE FROM invitations WHERE record = ? AND hash NOT IN "
            "(SELECT hash FROM invitations WHERE record = ? ORDER BY created DESC LIMIT ?)",
            (record, record, MOST - 1),
        )
        await self._store.write(gone, insert("invitations", hash=hash_of(code), record=record, created=now()))
        return self._link(code, address)

    def where(self, code: str, seq: int | None) -> str | None:
        """The page to which a code leads, of a finished game at a move; None: there is no such invitation."""
        row = self._row(code)
        if row is None:
            return None
        if row["record"] is None:
            return f"/#/{'watch' if row['seat'] is None else 'join'}/{code}"
        return f"/#/shared/{code}" + (f"/{seq}" if seq is not None else "")

    def right_by(self, code: str) -> Right:
        """What a code lets somebody do on a server that is shut; who takes a seat is one of those inside."""
        row = self._row(code) if len(code) <= MAX_ID else None
        if row is None:
            return Right.NONE
        return Right.LOOK if row["seat"] is None else Right.ALL

    def shared_record(self, code: str) -> str:
        """The record that a code lets one read."""
        row = self._row(code)
        if row is None or row["record"] is None:
            raise FaultError("no_such_invitation")
        return str(row["record"])

    def watched_table(self, code: str) -> str:
        """The table that a code lets one look at."""
        row = self._row(code)
        if row is None or row["table_id"] is None or row["seat"] is not None:
            raise FaultError("no_such_invitation")
        return str(row["table_id"])

    async def join(self, owner: Owner, given: Join) -> Message:
        """Take the seat of an invitation."""
        row = self._row(given.code)
        if row is None or row["seat"] is None:
            raise FaultError("no_such_invitation")
        table_id, number = str(row["table_id"]), int(row["seat"])
        name = clean_name(given.name)
        secret = secret_keys.seat_secret(owner.secret, table_id, number)
        seat = {
            "kind": "person", "name": name, "title": name, "owner": owner.number,
            "hash": secret_keys.hashed(secret).hex(),
        }  # fmt: skip
        await self._tables.seat_somebody(
            table_id, number, seat,
            ("DELETE FROM invitations WHERE hash = ?", (row["hash"],)),
            ("DELETE FROM guests WHERE table_id = ? AND seat = ?", (table_id, number)),
            insert("guests", table_id=table_id, seat=number, owner=owner.number),
        )  # fmt: skip
        return {"table": self._tables.info_for(owner, table_id), "seat": number}

    async def leave(self, owner: Owner, table_id: str, wanted: Leave) -> None:
        """Let an agent go on in one's own seat, or in any of one's own table."""
        row = self._tables.seen_row(owner, table_id)
        seats = self._tables.seats_of(row)
        if wanted.seat >= len(seats) or seats[wanted.seat]["kind"] != "person":
            raise FaultError("bad_seats", seats=len(seats))
        if owner.number not in (row["owner"], seats[wanted.seat].get("owner", row["owner"])):
            raise FaultError("no_such_table")
        agent: dict[str, Any] = agent_seat(
            row["game"], wanted.agent or offered(row["game"]), self._tables.roster
        )
        await self._tables.seat_somebody(
            table_id, wanted.seat, agent,
            ("DELETE FROM guests WHERE table_id = ? AND seat = ?", (table_id, wanted.seat)),
            ("DELETE FROM invitations WHERE table_id = ? AND seat = ?", (table_id, wanted.seat)),
        )  # fmt: skip

    def _is_open(self, row: sqlite3.Row, number: int) -> bool:
        seats = self._tables.seats_of(row)
        return number < len(seats) and bool(seats[number].get("open"))

    def _row(self, code: str) -> sqlite3.Row | None:
        return self._store.row("SELECT * FROM invitations WHERE hash = ?", (hash_of(code),))

    def _link(self, code: str, address: str) -> Message:
        path = f"{INVITATION}{code}"
        rows = qr.encode(address + path)
        return {
            "path": path,
            "link": address + path,
            "only_here": is_here_alone(host_of(address)),
            "qr": ["".join("01"[dark] for dark in row) for row in rows],
        }


def hash_of(code: str) -> bytes:
    """What is stored of a code."""
    return secret_keys.hashed(code)
