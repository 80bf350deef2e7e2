"""A duel: two agents on the same deals, in every seating."""

import operator
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents import Agent, agent_of
from fuda.agents.bot import BotAgent
from fuda.arena.journal import Journal
from fuda.arena.margins import pack
from fuda.arena.matches import play_matches
from fuda.arena.result import Result
from fuda.arena.sprt import Sprt
from fuda.arena.verdicts import chunk_of, margins_in, restore_verdicts, with_verdicts
from fuda.core.errors import echo
from fuda.core.game import Game
from fuda.core.generator import check_seed
from fuda.core.provenance import commit, sources, versions
from fuda.core.runner import LockStep
from fuda.games import game as find_game

FIRST_CHUNK, MAX_CHUNK = 1, 2048  # deals that are played together
CHUNK_SECONDS = 2.0  # about how much a kill may lose
MAX_GAMES = 100_000_000

Progress = Callable[[int, int], None]  # games finished, games in all


def duel(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    games: int = 1000,
    seed: int = 0,
    *,
    out: str | Path | None = None,
    progress: Progress | None = None,
    sprt: Sprt | None = None,
    **options: object,
) -> Result:
    """Play `games` single games, rounded up to whole deals, and compare the two agents.

    The same seed gives the same games whatever the machine. With `out`, finished chunks are
    kept, a run that was killed goes on where it was, and the result is stored with its origin
    and the margins of every deal. With `sprt` the duel ends at the deal that decides the test,
    after `games` at the latest.
    """
    table = game if isinstance(game, Game) else find_game(game, **options)
    if isinstance(game, Game) and options:
        raise ValueError("give the options to fuda.game or to fuda.duel, not to both")
    seed = check_seed(seed)
    entrants = [seat_agent(table, given, seed) for given in (first, second)]
    num_deals = -(-check_games(games) // len(table.seatings))
    if out is None:
        margins = _play(table, entrants, seed, num_deals, [], None, progress, sprt)
        result = Result.from_margins(margins, table.spec.roles(table.all_options), sprt)
        return with_verdicts(result, entrants)
    description = describe(table, entrants, seed, num_deals, sprt)
    journal = Journal(Path(out), description)
    stored = journal.finished()
    if stored is not None:
        try:
            return Result.from_dict(stored["result"], len(table.seatings))
        except (TypeError, AttributeError, KeyError):
            raise ValueError(f"{out} is damaged; remove it to play the duel again") from None
    with journal:
        try:
            restore_verdicts(journal.chunks, entrants)
            done = _read_chunks(list(map(margins_in, journal.chunks)), len(table.seatings), num_deals)
        except ValueError:
            raise journal.damaged() from None
        margins = _play(table, entrants, seed, num_deals, done, journal.append, progress, sprt)
        result = Result.from_margins(margins, table.spec.roles(table.all_options), sprt)
        result = with_verdicts(result, entrants)
        journal.finish(outcome(result, margins))
    return result


def outcome(result: Result, margins: np.ndarray) -> dict[str, Any]:
    """What a finished duel adds to its description; of `margins` only those that counted."""
    counted = margins[: result.games // margins.shape[1]]
    return {"result": result.as_dict(), "margins": pack(counted), "versions": versions()}


def describe(
    table: Game, entrants: list[Agent], seed: int, num_deals: int, sprt: Sprt | None = None
) -> dict[str, Any]:
    """All that determines the figures of a duel."""
    weights = {entrant.name: entrant.weights for entrant in entrants if entrant.weights is not None}
    bid_weights = {
        entrant.name: found for entrant in entrants if (found := bid_weights_at(table, entrant)) is not None
    }
    learned: dict[str, Any] = {"weights": weights} if weights else {}
    if bid_weights:
        learned["bid_weights"] = bid_weights
    return learned | {
        "kind": "duel",
        "game": table.id,
        "rules_version": table.spec.rules_version,
        "options": table.options,
        "agents": [entrant.name for entrant in entrants],
        "seed": seed,
        "deals": num_deals,
        "seatings": len(table.seatings),
        "sprt": None if sprt is None else asdict(sprt),
        "device": next((entrant.device for entrant in entrants if entrant.device != "cpu"), "cpu"),
        "commit": commit(),
        "sources": sources(),
    }


def bid_weights_at(table: Game, entrant: Agent) -> str | None:
    """A hash of the model that bids for an entrant, where there is bidding."""
    return entrant.bid_weights if table.has_bids else None


def _play(
    table: Game,
    entrants: list[Agent],
    seed: int,
    num_deals: int,
    chunks: list[np.ndarray],
    keep: Callable[[Any], None] | None,
    progress: Progress | None,
    sprt: Sprt | None,
) -> np.ndarray:
    """Margins [D, number of seatings]; `chunks` are those of an earlier run, kept by `keep`."""
    seatings = table.seatings
    done = list(chunks)

    def is_decided() -> bool:
        return sprt is not None and bool(done) and sprt.verdict(np.concatenate(done)).stopped_early

    first = sum(len(chunk) for chunk in done)
    least = max(entrant.deals_together for entrant in entrants)
    size = max(FIRST_CHUNK, least)
    while first < num_deals and not is_decided():
        if progress is not None:
            progress(first * len(seatings), num_deals * len(seatings))
        began = time.perf_counter()
        last = min(first + size, num_deals)
        margins = play_deals(table, entrants, seed, first, last)
        if keep is not None:
            keep(chunk_of(margins.tolist(), entrants))
        done.append(margins)
        first = last
        relative_seconds = (time.perf_counter() - began) / CHUNK_SECONDS
        if relative_seconds < 0.5:
            size *= 2
        elif relative_seconds > 2:
            size //= 2
        size = min(MAX_CHUNK, max(least, size))
    if progress is not None:
        progress(num_deals * len(seatings), num_deals * len(seatings))
    return np.concatenate(done)


def _read_chunks(chunks: list[Any], num_seatings: int, num_deals: int) -> list[np.ndarray]:
    """Margins [d, number of seatings] of each finished chunk; a `ValueError` if they cannot be."""
    try:
        done = [np.array(chunk, float) for chunk in chunks]
    except TypeError as error:
        raise ValueError(str(error)) from None
    good = all(margins.ndim == 2 and margins.shape[1] == num_seatings for margins in done)
    if not good or sum(map(len, done)) > num_deals or not all(np.isfinite(margins).all() for margins in done):
        raise ValueError("the chunks are not those of this duel")
    return done


def play_deals(table: Game, entrants: list[Agent], seed: int, first: int, last: int) -> np.ndarray:
    """Margins of the first entrant on deals first..last-1 in every seating, [D, number of seatings]."""
    spec = table.spec
    num_seatings = len(table.seatings)
    deals = np.repeat(np.arange(first, last), num_seatings)
    seatings = np.tile(np.array(table.seatings), (last - first, 1))
    if any(isinstance(entrant, BotAgent) for entrant in entrants):
        return play_matches(table, entrants, seed, deals, seatings).reshape(-1, num_seatings)
    scores = LockStep(table, seed, deals, seatings).play([entrant.act for entrant in entrants])
    margins = np.empty((last - first, num_seatings))
    for number, seating in enumerate(table.seatings):
        margins[:, number] = spec.margin(scores[number::num_seatings], [who == 0 for who in seating])
    return margins


def seat_agent(table: Game, given: str | Agent, seed: int) -> Agent:
    """The agent itself, or that of a name, if it plays this game."""
    if not isinstance(given, Agent):
        return agent_of(table.id, given, seed)
    if given.spec is not table.spec:
        raise ValueError(f"{given.name} does not play {table.id}")
    return given


def check_games(games: object) -> int:
    """A number of games that can be asked for, or a `ValueError`."""
    try:
        number = operator.index(games)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if isinstance(games, bool) or not 1 <= number <= MAX_GAMES:
        raise ValueError(f"games is a whole number from 1 to {MAX_GAMES}, not {echo(games)}")
    return number
