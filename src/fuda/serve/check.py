"""`fuda serve --check`: would all go well if the server started now?

The games are looked at in a copy, as a start would: nothing changes, whether a server runs on them or not.
"""

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from fuda.games import game
from fuda.serve.config import Config
from fuda.serve.messages import OVER
from fuda.serve.minds import Minds
from fuda.serve.run import check_memory
from fuda.serve.soundness import open_mark
from fuda.serve.store import FILE, LOGS, Store, back_up, lock
from fuda.serve.stored_match import DAMAGE, load_match
from fuda.serve.tables import is_playable

LUCK = 0


def check(config: Config) -> bool:
    """Look at everything and print a line about each part; whether all is well."""
    check_memory()
    faults = [*_database_faults(config.data), *asyncio.run(_agents_faults(config))]
    for fault in faults:
        print(f"fuda: {fault}")
    if not faults:
        print("fuda: all is well")
    return not faults


def _database_faults(folder: Path) -> Iterator[str]:
    """What the next start would tell of the games, and which of them cannot be played on."""
    if not (folder / FILE).is_file():
        print(f"fuda: there are no games in {folder} yet")
        return
    with tempfile.TemporaryDirectory() as made:
        copy = Path(made)
        _copy(folder, copy)
        try:
            store = Store(copy)
        except ValueError as error:
            yield str(error).replace(made, str(folder))
            return
        with closing(store):
            yield from (f"the next start will say: {note.replace(made, str(folder))}" for note in store.notes)
            yield from _games_faults(store)


def _copy(folder: Path, copy: Path) -> None:
    """Copy the files as they lie, so that a lost or damaged journal shows; or what a server has that runs."""
    try:
        held = lock(folder)
    except ValueError:
        back_up(folder, copy / FILE)
        return
    with closing(held):
        path = folder / FILE
        for file in (path, *(path.with_name(f"{FILE}-{part}") for part in LOGS), open_mark(path)):
            if file.exists():
                shutil.copyfile(file, copy / file.name)


def _games_faults(store: Store) -> Iterator[str]:
    running = store.rows("SELECT * FROM tables WHERE state != ? AND damaged IS NULL", (OVER,))
    playable = [row for row in running if is_playable(row)]
    for row in playable:
        fault = _fault_of(row, store)
        if fault is not None:
            yield f"the game {row['id']} ({row['game']}) cannot be played on: {fault}"
    (records,) = store.rows("SELECT count(*) AS n FROM records")
    print(f"fuda: {len(running)} running games, {records['n']} finished ones and uploads")
    if len(playable) < len(running):
        print(
            f"fuda: {len(running) - len(playable)} running games are of other rules and wait for their fuda"
        )


def _fault_of(row: sqlite3.Row, store: Store) -> str | None:
    try:
        load_match(row, store)
    except DAMAGE as error:
        return str(error)
    return None


async def _agents_faults(config: Config) -> list[str]:
    """Ask each agent for a first move, in a process as at a table."""
    minds = Minds(config)
    await minds.start()
    faults = []
    try:
        for name in minds.roster.names():
            thought = await minds.choose(game(name.partition("/")[0]).start(), name, LUCK)
            if thought.stand_in is not None:
                faults.append(f"the agent {name} does not play: {thought.stand_in['reason']}")
    finally:
        await minds.close()
    print(f"fuda: {len(minds.roster.names())} agents asked")
    return faults
