"""Finished games: listed, replayed, judged, downloaded, uploaded, counted."""

import json
import sqlite3
from collections import defaultdict
from typing import Any

from fuda.agents.ties import best_move, loss
from fuda.core.game import GameSpec
from fuda.core.match import MAX_NAME
from fuda.games import spec
from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.messages import Message
from fuda.serve.minds import Minds, known_agents, unit_of
from fuda.serve.names import clean_name
from fuda.serve.pool import BusyError, CrashError, DeadlineError
from fuda.serve.protocol import AskValues
from fuda.serve.secret_keys import new_id
from fuda.serve.store import Store, insert, now
from fuda.serve.tables import Owner

LUCK = 0  # of those who judge a record: the same question gets the same answer


class Archive:
    """The records of all owners."""

    def __init__(self, config: Config, store: Store, minds: Minds):
        self._config = config
        self._store = store
        self._minds = minds

    def listed(self, owner: Owner) -> list[Message]:
        """An owner's records, the newest first."""
        rows = self._store.rows(
            "SELECT id, table_id, info, created FROM records WHERE owner = ? "
            "ORDER BY created DESC, id LIMIT ?",
            (owner.number, self._config.records),
        )
        return [_listed(row) for row in rows]

    async def upload(self, owner: Owner, file: str) -> Message:
        """Keep a record from outside, once it has been replayed."""
        have = self._store.rows("SELECT count(*) AS n FROM records WHERE owner = ?", (owner.number,))[0]["n"]
        if have >= self._config.records:
            raise FaultError("too_many_records", limit=self._config.records)
        found = await _answered(self._minds.check_record(file))
        if "why" in found:
            raise FaultError("bad_record", why=found["why"])
        info = found | {
            "players": [clean_name(name, MAX_NAME) for name in found["players"]],
            "persons": [], "source": "upload", "resigned": None, "hints": False, "same_deal": False,
        }  # fmt: skip
        record = new_id()
        await self._store.write(
            insert(
                "records",
                id=record,
                owner=owner.number,
                game=info["game"],
                info=info,
                file=file,
                created=now(),
            )
        )
        return _listed(self._row(owner, record, "id, table_id, info, created"))

    def file(self, owner: Owner, record: str) -> tuple[str, str]:
        """The game and the text of a record."""
        row = self._row(owner, record, "game, file")
        return row["game"], row["file"]

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
        found = await _answered(self._minds.steps(file, first, count))
        return {"record": record, "game": game_id} | found

    async def values(self, owner: Owner, record: str, asked: AskValues) -> Message:
        """What an agent thinks of some moves: it gets the movers' views, and nothing else."""
        game_id, file = self.file(owner, record)
        if asked.agent not in known_agents(game_id):
            raise FaultError("no_such_agent", name=asked.agent)
        unit = unit_of(asked.agent)
        if unit is None:
            raise FaultError("no_values", agent=asked.agent)
        decisions, views = await _answered(self._minds.decisions(file, asked.first, asked.count))
        found: list[Any] | None = []
        if decisions:
            asking = self._minds.values(
                views, [seat for seat, _ in decisions], asked.agent, LUCK, asked.first
            )
            found = await _answered(asking)
        rows = found or [None] * len(decisions)
        values = [
            {
                "seq": asked.first + number,
                "seat": seat,
                "move": move,
                **_judged(spec(game_id), unit, move, row),
            }
            for number, ((seat, move), row) in enumerate(zip(decisions, rows, strict=True))
        ]
        return {"record": record, "agent": asked.agent, "unit": unit, "values": values}

    def results(self, owner: Owner) -> list[Message]:
        """How the owner has done, by game and opponents; games with help are counted apart."""
        tallies: dict[tuple[str, tuple[str, ...]], dict[str, Message]] = defaultdict(
            lambda: {"plain": _no_games(), "assisted": _no_games()}
        )
        for info in self.listed(owner):
            if info["source"] != "table" or len(info["persons"]) != 1:
                continue
            (person,) = info["persons"]
            agents = tuple(sorted(name for seat, name in enumerate(info["players"]) if seat != person))
            kind = "assisted" if info["hints"] or info["same_deal"] else "plain"
            _count(tallies[info["game"], agents][kind], info, person)
        return [
            {"game": game_id, "agents": list(agents), **tally}
            for (game_id, agents), tally in sorted(tallies.items())
        ]

    def _row(self, owner: Owner, record: str, columns: str) -> sqlite3.Row:
        row = self._store.row(
            f"SELECT {columns} FROM records WHERE id = ? AND owner = ?", (record, owner.number)
        )
        if row is None:
            raise FaultError("no_such_record")
        return row


def _listed(row: sqlite3.Row) -> Message:
    return {
        "record": row["id"],
        **json.loads(row["info"]),
        "created": row["created"],
        "table": row["table_id"],
    }


def _judged(game: GameSpec, unit: str, move: str, values: dict[str, float] | None) -> Message:
    """What an agent's values of the legal moves say about the one that was played."""
    if not values:
        return {"values": None, "best": None, "cost": None}
    return {
        "values": {name: round(value, 6) for name, value in values.items()},
        "best": best_move(values, game, unit),
        "cost": round(loss(values, move, game, unit), 6) if move in values else None,
    }


async def _answered(asking: Any) -> Any:
    try:
        return await asking
    except BusyError:
        raise FaultError("busy") from None
    except (CrashError, DeadlineError):
        raise FaultError("failed") from None


def _no_games() -> Message:
    return {"games": 0, "wins": 0, "draws": 0, "losses": 0, "resigned": 0}


def _count(tally: Message, info: Message, person: int) -> None:
    resigned = info["resigned"] is not None
    tally["games"] += 1
    tally["losses" if resigned else end_of(info["margins"], person)] += 1
    tally["resigned"] += resigned


def end_of(margins: list[float], seat: int) -> str:
    """How it ended for a seat: of several sides the best win, and all are equal in a draw."""
    if min(margins) == max(margins):
        return "draws"
    return "wins" if margins[seat] == max(margins) else "losses"
