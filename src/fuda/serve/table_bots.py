"""The programs of bots at the tables: each seat that one plays has a process, which sees that seat alone."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from fuda.agents.bot import BotAgent
from fuda.agents.loader import agent_of
from fuda.core.errors import AgentError
from fuda.core.match import Match
from fuda.serve.roster import ServedBot

T = TypeVar("T")

MAX_TABLES = 16  # whose bots run; those of the table that waited longest are ended, and catch up when asked
# Why another moves for a bot, in the page's words.
REASONS = {"timeout": "deadline", "stalled": "deadline", "illegal": "illegal"}
FAILED = "crash"


class TableBots:
    """The bots that run. A table is told apart by its luck."""

    def __init__(self, bots: Mapping[str, ServedBot]):
        self._bots = bots
        # Threads of its own: a bot that hangs must not hold up the others, nor whoever stands in for it.
        self._threads = ThreadPoolExecutor(MAX_TABLES, "bots")
        self._running: OrderedDict[tuple[str, int], tuple[asyncio.Lock, list[BotAgent]]] = OrderedDict()
        self._talks: set[asyncio.Task[object]] = set()

    async def choose(self, match: Match, name: str, luck: int) -> tuple[str | None, str | None]:
        """The bot's move; or none, and why another has to move."""
        return await self._to_its_end(self._choose(match, name, luck))

    async def values(self, match: Match, name: str, luck: int) -> dict[str, float] | None:
        """What the bot thinks of the moves; it sits at the table for that, as one that only looks on."""
        return await self._to_its_end(self._values(match, name, luck))

    async def _to_its_end(self, talk: Coroutine[object, object, T]) -> T:
        """A talk goes on when the one who asked goes away: nobody else talks to the bot meanwhile."""
        task = asyncio.create_task(talk)
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)
        return await asyncio.shield(task)

    async def _choose(self, match: Match, name: str, luck: int) -> tuple[str | None, str | None]:
        seat = match.seat
        assert seat is not None
        lock, made = self._place(name, luck)
        async with lock:
            try:
                bot = await self._agent(made, match.game.id, name, luck)
                move = await self._run(bot.choose, match)
            except (AgentError, ValueError):  # it does not say hello any more
                return None, FAILED
        out = bot.why_out(seat)
        return (move, None) if out is None else (None, REASONS.get(out, FAILED))

    async def _values(self, match: Match, name: str, luck: int) -> dict[str, float] | None:
        lock, made = self._place(f"{name} looking on", luck)
        async with lock:
            try:
                bot = await self._agent(made, match.game.id, name, luck)
                return await self._run(bot.values, match)
            except (AgentError, ValueError):
                return None

    async def close(self) -> None:
        """End all of them."""
        for _, made in self._running.values():
            for bot in made:
                await self._run(bot.close)
        self._running.clear()
        self._threads.shutdown(wait=False)

    async def _run(self, function: Callable[..., T], *given: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *given)

    async def _agent(self, made: list[BotAgent], game_id: str, name: str, luck: int) -> BotAgent:
        if not made:
            await self._make_room()
            found = await self._run(agent_of, game_id, self._bots[name].agent, luck)
            assert isinstance(found, BotAgent)
            made.append(found)
        return made[0]

    def _place(self, name: str, luck: int) -> tuple[asyncio.Lock, list[BotAgent]]:
        key = (name, luck)
        self._running.setdefault(key, (asyncio.Lock(), []))
        self._running.move_to_end(key)
        return self._running[key]

    async def _make_room(self) -> None:
        """End the bots of the tables that have waited longest and do not think."""
        for key, (lock, made) in list(self._running.items()):
            if len(self._running) <= MAX_TABLES:
                return
            if not lock.locked():
                del self._running[key]
                for bot in made:
                    await self._run(bot.close)
