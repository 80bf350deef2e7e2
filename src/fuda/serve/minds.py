"""Whom the tables ask: agents for moves, agents for hints and for reviews, and the clerk for records.

Four pools of processes, so that neither a hint, a review nor a record ever delays a move. Only the fallback,
which is quick and needs no network, plays in a thread of the server: it must be there when no
process is.
"""

import asyncio
import base64
import functools
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from fuda.agents import Agent, agent
from fuda.core.generator import AGENT, SAMPLE, streams
from fuda.core.match import Match
from fuda.serve.config import Config
from fuda.serve.faults import FaultError
from fuda.serve.pool import BusyError, CrashError, DeadlineError, Pool
from fuda.serve.roster import Roster
from fuda.serve.slots import Slots
from fuda.serve.table_bots import TableBots

T = TypeVar("T")
REASONS: dict[type[Exception], str] = {
    BusyError: "busy", CrashError: "crash", DeadlineError: "deadline",
}  # fmt: skip


@dataclass(frozen=True)
class Thought:
    """A move, and who else made it where the agent could not."""

    move: str
    stand_in: dict[str, str] | None = None


class Minds:
    """The worker processes of a server."""

    def __init__(self, config: Config):
        self._config = config
        self.roster = Roster(config.bots)
        self.slots = Slots(config.slot_seconds)
        self._bots = TableBots(self.roster.bots)
        load = config.load_seconds
        self._agents = Pool(config.agent_workers, 5, config.waiting_agents, load)
        self._hints = Pool(1, 10, config.waiting_hints, load)
        self._clerk = Pool(1, 10, config.waiting_records, load)
        self._reviews = Pool(1, 19, 1, load)  # asked one at a time

    async def start(self) -> None:
        """Start the processes of agents; the others start when they are needed."""
        await self._agents.start()

    async def close(self) -> None:
        """End all processes."""
        pools = (self._agents, self._hints, self._clerk, self._reviews)
        await asyncio.gather(*(pool.close() for pool in pools), self._bots.close())

    @property
    def are_there(self) -> bool:
        """Whether some agents' process runs."""
        return self._agents.runs

    def load(self, names: Iterable[str]) -> None:
        """Make agents ready while the persons look at their cards."""
        for name in dict.fromkeys(names):
            if name not in self.roster.bots:
                self._agents.load(name)

    async def choose(self, match: Match, name: str, luck: int) -> Thought:
        """The move of an agent; that of the game's fallback where it fails, which is told."""
        seat = match.seat
        assert seat is not None
        moves = {action: move for move, action in match.legal_actions().items()}
        numbers = streams(luck, AGENT, len(match.moves), 1)
        view = match.view_record(seat)
        reason = "missing"
        if name in self.roster.bots:
            move, failed = await self._bots.choose(match, name, luck)
            if move is not None:
                return Thought(move)
            reason = failed or reason
        elif self.roster.has(match.game.id, name):
            question = {"job": "act", "agent": name, **_ask(view.tobytes(), [seat], numbers)}
            try:
                action = await self._agents.ask(question, self._config.act_seconds)
            except tuple(REASONS) as error:
                reason = REASONS[type(error)]
            else:
                if action in moves:
                    return Thought(moves[action])
                reason = "illegal"
        fallback = _fallback(match.game.id, match.game.spec.fallback)
        action = int((await asyncio.to_thread(fallback.act, view, np.array([seat]), numbers))[0])
        return Thought(moves[action], {"agent": fallback.name, "reason": reason})

    async def values_now(self, match: Match, name: str, luck: int) -> dict[str, float] | None:
        """An agent's values of the moves that the seat to move has; raises the pool's errors."""
        assert match.seat is not None
        if name in self.roster.bots:
            return await self._bots.values(match, name, luck)
        view = match.view_record(match.seat).tobytes()
        found = await self.values(view, [match.seat], name, luck, len(match.moves))
        return found[0] if found else None

    async def values(
        self, views: bytes, seats: list[int], name: str, luck: int, first: int
    ) -> list[dict[str, float] | None] | None:
        """An agent's values of the moves in views number `first` and on; raises the pool's errors."""
        numbers = streams(luck, SAMPLE, first, len(seats))
        question = {"job": "values", "agent": name, **_ask(views, seats, numbers)}
        found: list[dict[str, float] | None] | None = await self._hints.ask(
            question, self._config.hint_seconds
        )
        return found

    async def review(self, file: str, seat: int) -> dict[str, Any]:
        """What a seat gave away in the game of a record; raises the pool's errors."""
        question = {"job": "review", "file": file, "seat": seat}
        return dict(await self._reviews.ask(question, self._config.review_seconds))

    async def check_record(self, file: str) -> dict[str, Any]:
        """What a record's text tells, or why it is none."""
        return dict(await self._clerk.ask({"job": "check", "file": file}, self._config.clerk_seconds))

    async def steps(self, file: str, first: int, count: int) -> dict[str, Any]:
        """Positions of a record."""
        question = {"job": "steps", "file": file, "first": first, "count": count}
        return dict(await self._clerk.ask(question, self._config.clerk_seconds))

    async def position(self, file: str, seq: int) -> dict[str, Any]:
        """What the mover saw after some moves of a record."""
        question = {"job": "position", "file": file, "seq": seq}
        return dict(await self._clerk.ask(question, self._config.clerk_seconds))

    async def verdict(self, file: str, seq: int, move: str, name: str, second_look: bool) -> dict[str, Any]:
        """What an agent says of a move after some moves of a record; raises the pool's errors."""
        question = {
            "job": "verdict", "agent": name, "file": file, "seq": seq, "move": move,
            "second_look": second_look,
        }  # fmt: skip
        return dict(await self._hints.ask(question, self._config.hint_seconds))

    async def decisions(self, file: str, first: int, count: int) -> tuple[list[tuple[int, str]], bytes]:
        """Some moves of a record, and the views of those who made them."""
        question = {"job": "decisions", "file": file, "first": first, "count": count}
        found = await self._clerk.ask(question, self._config.clerk_seconds)
        return [(seat, move) for seat, move in found["moves"]], base64.b64decode(found["views"])


async def answered(asking: Awaitable[T]) -> T:
    """What a pool answers, or a fault that tells why there is no answer."""
    try:
        return await asking
    except BusyError:
        raise FaultError("busy") from None
    except (CrashError, DeadlineError):
        raise FaultError("failed") from None


@functools.cache
def _fallback(game_id: str, policy: str) -> Agent:
    return agent(f"{game_id}/{policy}")


def _ask(views: bytes, seats: list[int], numbers: np.ndarray) -> dict[str, Any]:
    """All that a worker is told about positions."""
    return {
        "views": base64.b64encode(views).decode(),
        "seats": seats,
        "luck": [int(number) for number in numbers],
    }
