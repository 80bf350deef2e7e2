"""A tournament: every pair of some agents on the same deals, in all seatings.

Finished units go into a journal, so that a run that was killed goes on where it was; the margins of each pair
end in a file of their own, as those of a duel, and are the same bytes whoever played them and in whatever
order.
"""

import dataclasses
import itertools
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents import Agent
from fuda.arena.duel import MAX_GAMES, describe, outcome, seat_agent
from fuda.arena.journal import Journal
from fuda.arena.margins import pack, unpack
from fuda.arena.result import Result
from fuda.arena.units import Outcome, Unit, Work
from fuda.arena.verdicts import Verdicts, by_name
from fuda.arena.workers import LocalWorkers, ThisProcess, Workers
from fuda.core.errors import echo
from fuda.core.files import replacing
from fuda.core.game import Game
from fuda.core.generator import check_seed
from fuda.core.provenance import versions
from fuda.games import game as find_game

NAME = "tournament.json"
DEALS, SEARCHED_DEALS = 32, 4  # of a unit: about what a kill may lose of each worker

Pair = tuple[int, int]
Progress = Callable[["Tournament"], None]


def tournament(
    game: str | Game,
    agents: Sequence[str | Agent],
    deals: int = 256,
    seed: int = 0,
    *,
    out: str | Path,
    gauntlet: str | None = None,
    workers: Workers | int | None = None,
    progress: Progress | None = None,
    **options: object,
) -> dict[tuple[str, str], Result]:
    """Play every pair of the agents, or those with `gauntlet`, on the same deals; the result of each.

    They are stored in the folder `out` as the files of duels. `workers` is a number of processes on this
    machine: by default one a core. With 1, or where an agent is given as an object, this process plays by
    itself.
    """
    table = game if isinstance(game, Game) else find_game(game, **options)
    if isinstance(game, Game) and options:
        raise ValueError("give the options to fuda.game or to fuda.tournament, not to both")
    entrants = [seat_agent(table, given, check_seed(seed)) for given in agents]
    played = Tournament(table, entrants, _check_deals(table, deals), check_seed(seed), gauntlet)
    if not isinstance(workers, int | None):
        played.run(Path(out), workers, progress)
    elif workers == 1 or not all(isinstance(given, str) for given in agents):
        played.run(Path(out), ThisProcess(table, entrants), progress)
    else:
        played.run(Path(out), LocalWorkers(workers), progress)
    return played.results()


@dataclass
class Tournament:
    """What is to be played and what is known of it so far."""

    table: Game
    entrants: list[Agent]
    num_deals: int
    seed: int
    gauntlet: str | None = None

    def __post_init__(self) -> None:
        """The pairs, and room for their margins."""
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError("a tournament needs two or more agents, each of them once")
        if self.gauntlet is not None and self.gauntlet not in names:
            raise ValueError(f"{echo(self.gauntlet)} of the gauntlet is none of the agents")
        self.names = names
        self.pairs: list[Pair] = [
            pair
            for pair in itertools.combinations(range(len(names)), 2)
            if self.gauntlet is None or self.gauntlet in (names[pair[0]], names[pair[1]])
        ]
        shape = self.num_deals, len(self.table.seatings)
        self.margins = {pair: np.full(shape, np.nan) for pair in self.pairs}  # nan: not played yet
        self.verdicts: dict[Pair, Verdicts] = {pair: {} for pair in self.pairs}
        self.deals_played = 0

    @property
    def deals_in_all(self) -> int:
        """Those of all pairs."""
        return self.num_deals * len(self.pairs)

    def first_deals(self, one: int, other: int) -> int:
        """How many deals of a pair are played, up to the first that is not."""
        missing = np.flatnonzero(np.isnan(self.margins[one, other][:, 0]))
        return int(missing[0]) if len(missing) else self.num_deals

    def units(self) -> list[Unit]:
        """All that is to be played: the first deals of all pairs, then the next: all grow together."""
        found = []
        for one, other in self.pairs:
            both = self.entrants[one], self.entrants[other]
            few = any(entrant.info.searches for entrant in both)
            size = max(SEARCHED_DEALS if few else DEALS, *(entrant.deals_together for entrant in both))
            for first in range(0, self.num_deals, size):
                found.append(Unit(one, other, first, min(first + size, self.num_deals)))
        return sorted(found, key=lambda unit: (unit.first, unit.pair))

    def describe(self) -> dict[str, Any]:
        """All that determines the figures."""
        pairs = [[self.names[one], self.names[other]] for one, other in self.pairs]
        alike = describe(self.table, self.entrants, self.seed, self.num_deals)
        return alike | {"kind": "tournament", "pairs": pairs}

    def run(self, out: Path, workers: Workers, progress: Progress | None = None) -> None:
        """Play what is not played yet, and store it in the folder `out`."""
        _make(out)
        journal = Journal(out / NAME, self.describe())
        if journal.finished() is not None:
            self._read(out)
            return
        with journal:
            left = self._take(journal)
            self._check(out)
            if progress is not None:
                progress(self)
            for unit, found in workers.play(Work.of(self.table, self.entrants, self.seed), left):
                told = [found.verdicts] if found.verdicts else []
                journal.append([unit.one, unit.other, unit.first, pack(found.margins), *told])
                self._add(unit, found)
                self._store(out, unit.pair)
                if progress is not None:
                    progress(self)
            for pair in self.pairs:
                self._store(out, pair)
            files = [self.path(out, pair).name for pair in self.pairs]
            journal.finish({"result": {"files": files}, "versions": versions()})

    def results(self) -> dict[tuple[str, str], Result]:
        """Those of pairs of which something was played, by the deals so far."""
        return {
            (self.names[one], self.names[other]): self._result((one, other), margins[played])
            for (one, other), margins in self.margins.items()
            if (played := ~np.isnan(margins[:, 0])).any()
        }

    def verdicts_in_all(self) -> dict[str, dict[str, int]]:
        """On each bot, over all its pairs."""
        found: Verdicts = {}
        for of_pair in self.verdicts.values():
            _add_counts(found, of_pair)
        return by_name(found)

    def path(self, out: Path, pair: Pair) -> Path:
        """The file of a pair: by its names, and its number where these are no names of files or alike."""
        parts = [name.removeprefix(f"{self.table.id}/") for name in self.names]
        plain = [re.sub(r"[^A-Za-z0-9_,=.-]+", "_", part)[:60] for part in parts]
        shown = [
            part if part == safe and plain.count(safe) == 1 else f"{safe}-{number}"
            for number, (part, safe) in enumerate(zip(parts, plain, strict=True))
        ]
        return out / f"duel-{self.table.id}-{shown[pair[0]]}-{shown[pair[1]]}.json"

    def _take(self, journal: Journal) -> list[Unit]:
        """Add what the journal holds; the units that are left."""
        left = {(unit.pair, unit.first): unit for unit in self.units()}
        try:
            for one, other, first, stored, *told in journal.chunks:
                unit = left.pop(((one, other), first))
                margins = unpack(stored, len(self.table.seatings))
                if len(margins) != unit.last - unit.first:
                    raise ValueError("another number of deals")
                self._add(unit, Outcome(margins, told[0] if told else {}))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise journal.damaged() from None
        return list(left.values())

    def _add(self, unit: Unit, found: Outcome) -> None:
        self.margins[unit.pair][unit.first : unit.last] = found.margins
        self.deals_played += len(found.margins)
        _add_counts(self.verdicts[unit.pair], found.verdicts)

    def _result(self, pair: Pair, margins: np.ndarray) -> Result:
        found = Result.from_margins(margins, self.table.spec.roles(self.table.all_options))
        return dataclasses.replace(found, verdicts=by_name(self.verdicts[pair]))

    def _check(self, out: Path) -> None:
        """Whether the files of pairs that are there are those of this tournament."""
        for pair in self.pairs:
            path = self.path(out, pair)
            if not path.exists():
                continue
            expected = self._describe_pair(pair)
            try:
                stored = Journal.read(path)
                is_mine = all(stored[key] == value for key, value in expected.items())
            except (OSError, ValueError, TypeError, KeyError):
                is_mine = False
            if not is_mine:
                raise ValueError(
                    f"{path} exists and is not of this tournament; choose another --out or remove it"
                )

    def _describe_pair(self, pair: Pair) -> dict[str, Any]:
        both = [self.entrants[number] for number in pair]
        return describe(self.table, both, self.seed, self.num_deals)

    def _store(self, out: Path, pair: Pair) -> None:
        """Write the file of a pair whose deals are all played, if it is not there."""
        margins, path = self.margins[pair], self.path(out, pair)
        if np.isnan(margins).any() or path.exists():
            return
        found = self._result(pair, margins)
        with replacing(path) as (file,):
            file.write(Journal.text(self._describe_pair(pair) | outcome(found, margins)))

    def _read(self, out: Path) -> None:
        """The margins of a finished tournament, from its files."""
        for pair in self.pairs:
            path = self.path(out, pair)
            try:
                stored = Journal.read(path)
                margins = unpack(stored["margins"], len(self.table.seatings))
                told = stored["result"].get("verdicts", {})
                self._add(Unit(*pair, 0, self.num_deals), Outcome(margins, told))
            except (OSError, ValueError, TypeError, KeyError, AttributeError):
                raise ValueError(f"{path} is damaged; remove {out} to play the tournament again") from None


def _add_counts(found: Verdicts, more: Mapping[str, Mapping[str, int]]) -> None:
    for name, counts in more.items():
        found[name] = found.get(name, Counter()) + Counter(counts)


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot make the folder {out}: {error.strerror}; choose another --out") from None


def _check_deals(table: Game, deals: object) -> int:
    try:
        number = operator.index(deals)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    most = MAX_GAMES // len(table.seatings)
    if isinstance(deals, bool) or not 1 <= number <= most:
        raise ValueError(f"deals is a whole number from 1 to {most}, not {echo(deals)}")
    return number
