"""`fuda serve` for the tests: a free port, limits and deadlines as given, faults on demand.

Some settings are not the product's:
`die`      [moment, seq]: the process kills itself at a named moment of that move, or of a TAKEBACK
`bad`      agents' processes are those of bad_worker.py; hints and records wait while DATA/held is there
`full`     so many times the disk is full for the first move
`days`     the clock is as many days ahead as DATA/days says; it looks every so many seconds for what is old,
           and counts in DATA/looked
`no_pings` it does not ask who is still there: a reader who does not read is never lost by that
`leak`     messages tell a card that the seat cannot see
`reviews`  finished games are reviewed; without it they wait for a review, as most tests have no use for one
`seeded`   the cards and the agents' luck are those of the number in the first person's name, or of SEED
"""

import dataclasses
import os
import signal
import sqlite3
import sys
from datetime import datetime, timedelta
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fuda.core.match import Match
from fuda.serve import app, catalog, messages, pool, reviews, run, store, tables
from fuda.serve.config import Config
from fuda.serve.minds import Minds

HELD = "held"
DAYS, LOOKED = "days", "looked"
SEED = 1
TAKEBACK = "takeback"

catalog.lobby(Config(Path()))  # what it reads is kept, for all servers that are forked from this process

MOMENTS = ("before the commit", "before the acknowledgement", "agent thinking")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_move(job: Any, seq: int | str) -> bool:
    if seq == TAKEBACK:
        return any(sql.startswith("DELETE FROM moves") for sql, _ in job.statements)
    return any(sql.startswith("INSERT INTO moves") and given[1] == seq for sql, given in job.statements)


def die_before_the_commit(seq: int | str) -> None:
    execute = store.Store._execute

    def executing(self: Any, job: Any) -> Any:
        error = execute(self, job)
        if is_move(job, seq):
            die()
        return error

    store.Store._execute = executing  # type: ignore[method-assign]


def die_before_the_acknowledgement(seq: int | str) -> None:
    finish = store._Job.finish

    def finishing(self: Any, error: Any) -> None:
        if is_move(self, seq):
            die()
        finish(self, error)

    store._Job.finish = finishing  # type: ignore[method-assign]


def die_while_an_agent_thinks(seq: int) -> None:
    choose = Minds.choose

    async def choosing(self: Any, match: Match, name: str, luck: int) -> Any:
        thought = await choose(self, match, name, luck)
        if len(match.moves) + 1 >= seq:
            die()
        return thought

    Minds.choose = choosing  # type: ignore[method-assign]


def fill_the_disk(times: int) -> None:
    execute = store.Store._execute
    failed: list[Any] = []

    def failing(self: Any, job: Any) -> Any:
        if is_move(job, 1) and len(failed) < times:
            failed.append(job)
            raise sqlite3.OperationalError("database or disk is full")
        return execute(self, job)

    store.Store._execute = failing  # type: ignore[method-assign]


def move_the_clock(data: Path, seconds: float) -> None:
    expire = tables.Tables.expire

    class Moved(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            moved = data / DAYS
            return datetime.now(tz) + timedelta(days=int(moved.read_text()) if moved.exists() else 0)

    async def expiring(self: Any) -> None:
        await expire(self)
        looked = data / LOOKED
        looked.write_text(str(int(looked.read_text()) + 1 if looked.exists() else 1))

    store.datetime = tables.datetime = Moved  # type: ignore[attr-defined, misc]
    tables.Tables.expire = expiring  # type: ignore[method-assign]
    app.UPKEEP_SECONDS = seconds


def ask_nobody() -> None:
    run.uvicorn.Config = partial(run.uvicorn.Config, ws_ping_interval=None)  # type: ignore[misc, assignment]


def review_nothing() -> None:
    reviews.Reviews.start = lambda self: None  # type: ignore[method-assign]


def leak() -> None:
    view = messages.view

    def leaking(match: Match, state: str, seat: int) -> messages.Message:
        other = (seat + 1) % match.game.spec.seats
        return view(match, state, seat) | {"extra": view(match, state, other)["hand"]}

    messages.view = leaking


def take_seeds_from_names() -> None:
    init, insert = Match.__init__, tables.Tables._insert

    def seed(players: Any) -> int:
        """By the first name at a table; the catalog asks nameless matches whether they have bids."""
        return int(players[0]) if players and players[0].isdecimal() else SEED

    def starting(self: Any, game: Any, _seed: None, deal: Any, players: Any, decks: Any = ()) -> None:
        init(self, game, seed(players), deal, players)
        self.seed = None

    async def inserting(self: Any, owner: Any, match: Match, *more: Any) -> messages.Message:
        number = seed(match.players)
        tables.secrets = SimpleNamespace(randbits=lambda _: number)  # type: ignore[assignment]
        return await insert(self, owner, match, *more)

    Match.__init__ = starting  # type: ignore[method-assign, assignment]
    tables.Tables._insert = inserting  # type: ignore[method-assign, assignment]


def main(data: Path, port: int, settings: dict[str, Any], started: Connection) -> None:
    """Serve on this port, 0 for a free one, and tell it when the server is ready."""
    moment, seq = settings.pop("die", (None, 0))
    killers = (die_before_the_commit, die_before_the_acknowledgement, die_while_an_agent_thinks)
    if moment is not None:
        killers[MOMENTS.index(moment)](seq)
    if settings.pop("bad", False):
        pool.COMMAND = (sys.executable, str(Path(__file__).with_name("bad_worker.py")))
        os.environ["HELD"] = str(data / HELD)
    fill_the_disk(settings.pop("full", 0))
    days = settings.pop("days", None)
    if days is not None:
        move_the_clock(data, days)
    if settings.pop("seeded", False):
        take_seeds_from_names()
    if settings.pop("no_pings", False):
        ask_nobody()
    if not settings.pop("reviews", False):
        review_nothing()
    if settings.pop("leak", False):
        leak()
    if "page" in settings:
        settings["page"] = Path(settings["page"])
    config = Config(data, port=port, **settings)
    listener = run.bind(config.host, config.port)
    config = dataclasses.replace(config, port=listener.getsockname()[1])
    run.serve(config, listener, lambda: started.send(config.port))
