"""Whom the tables ask: agents for moves, agents for hints, and the clerk for records.

Three pools of processes, so that neither a hint nor a record ever delays a move. Only the fallback,
which is quick and needs no network, plays in a thread of the server: it must be there when no
process is.
"""

import asyncio
import base64
import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuda.agents import Agent, agent, agent_info, agent_weights, list_agents
from fuda.core.generator import AGENT, SAMPLE, streams
from fuda.core.match import Match
from fuda.serve.config import Config
from fuda.serve.pool import BusyError, CrashError, DeadlineError, Pool

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
        load = config.load_seconds
        self._agents = Pool(config.agent_workers, 5, config.waiting_agents, load)
        self._hints = Pool(1, 10, config.waiting_hints, load)
        self._clerk = Pool(1, 10, config.waiting_records, load)

    async def start(self) -> None:
        """Start the processes of agents; the others start when they are needed."""
        await self._agents.start()

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(self._agents.close(), self._hints.close(), self._clerk.close())

    def load(self, names: Iterable[str]) -> None:
        """Make agents ready while the persons look at their cards."""
        for name in dict.fromkeys(names):
            self._agents.load(name)

    async def choose(self, match: Match, name: str, luck: int) -> Thought:
        """The move of an agent; that of the game's fallback where it fails, which is told."""
        seat = match.seat
        assert seat is not None
        moves = {action: move for move, action in match.legal_actions().items()}
        numbers = streams(luck, AGENT, len(match.moves), 1)
        view = match.view_record(seat)
        reason = "missing"
        if name in known_agents(match.game.id):
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

    async def check_record(self, file: str) -> dict[str, Any]:
        """What a record's text tells, or why it is none."""
        return dict(await self._clerk.ask({"job": "check", "file": file}, self._config.clerk_seconds))

    async def steps(self, file: str, first: int, count: int) -> dict[str, Any]:
        """Positions of a record."""
        question = {"job": "steps", "file": file, "first": first, "count": count}
        return dict(await self._clerk.ask(question, self._config.clerk_seconds))

    async def decisions(self, file: str, first: int, count: int) -> tuple[list[tuple[int, str]], bytes]:
        """Some moves of a record, and the views of those who made them."""
        question = {"job": "decisions", "file": file, "first": first, "count": count}
        found = await self._clerk.ask(question, self._config.clerk_seconds)
        return [(seat, move) for seat, move in found["moves"]], base64.b64decode(found["views"])


@functools.cache
def known_agents(game_id: str) -> frozenset[str]:
    """The agents of a game, by their exact names."""
    return frozenset(list_agents(game_id))


@functools.cache
def change_of(name: str, weights: str | None) -> str | None:
    """What has become of an agent that had these weights: `missing`, other `weights`, or nothing."""
    if name not in list_agents():
        return "missing"
    return None if agent_weights(name) == weights else "weights"


@functools.cache
def unit_of(name: str) -> str | None:
    """The unit of a listed agent's values; None: it has none."""
    return agent_info(name).unit


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
