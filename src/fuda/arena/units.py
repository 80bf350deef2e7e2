"""Units of work of a tournament: two agents on some deals. Whoever plays one gets the same margins.

A unit is pure: it depends on nothing but what it says, so it may be given out twice, or again when a worker
was lost, and the first answer counts.
"""

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fuda.agents import Agent, agent_of
from fuda.arena.duel import bid_weights_at, play_deals
from fuda.arena.verdicts import by_name, verdicts_on
from fuda.core.game import Game
from fuda.core.provenance import sources
from fuda.games import game as find_game


@dataclass(frozen=True)
class Work:
    """What all units of a tournament share, for workers that make the agents themselves."""

    game: str
    options: tuple[tuple[str, Any], ...]
    agents: tuple[str, ...]
    weights: tuple[str | None, ...]
    bid_weights: tuple[str | None, ...]  # of the models that bid for the agents, where there is bidding
    seed: int
    rules_version: int
    sources: str

    @classmethod
    def of(cls, table: Game, entrants: list[Agent], seed: int) -> "Work":
        """That of a tournament of these agents."""
        return cls(
            table.id,
            tuple(table.options.items()),
            tuple(entrant.name for entrant in entrants),
            tuple(entrant.weights for entrant in entrants),
            tuple(bid_weights_at(table, entrant) for entrant in entrants),
            seed,
            table.spec.rules_version,
            sources(),
        )

    def play(self, unit: "Unit") -> "Outcome":
        """What came of a unit; a `ValueError` where that would be what comes of others."""
        table = _table(self)
        return unit.play(table, _entrant(self, unit.one), _entrant(self, unit.other), self.seed)


class Outcome(NamedTuple):
    """What came of a unit."""

    margins: np.ndarray  # [d, number of seatings], of its first agent
    verdicts: dict[str, dict[str, int]]  # on bots, by their names


@dataclass(frozen=True)
class Unit:
    """The pair of agents `one` and `other`, by their numbers, on deals first..last-1."""

    one: int
    other: int
    first: int
    last: int

    @property
    def pair(self) -> tuple[int, int]:
        """Who plays."""
        return self.one, self.other

    def play(self, table: Game, one: Agent, other: Agent, seed: int) -> Outcome:
        """Its margins, and the verdicts on bots that came with them."""
        before = verdicts_on([one, other])
        margins = play_deals(table, [one, other], seed, self.first, self.last)
        found = {name: counts - before[name] for name, counts in verdicts_on([one, other]).items()}
        return Outcome(margins, by_name(found))


@functools.lru_cache(maxsize=1)
def _table(work: Work) -> Game:
    """The game, if the sources and rules here are those of who gave the work."""
    if sources() != work.sources:
        raise ValueError(f"a worker has other sources of fuda ({sources()}, not {work.sources})")
    table = find_game(work.game, **dict(work.options))
    if table.spec.rules_version != work.rules_version:
        raise ValueError(
            f"a worker has other rules of {work.game} (version {table.spec.rules_version}, "
            f"not {work.rules_version})"
        )
    return table


@functools.lru_cache(maxsize=64)
def _entrant(work: Work, number: int) -> Agent:
    """An agent, if its weights here are those of who gave the work."""
    name = work.agents[number]
    entrant = agent_of(work.game, name, work.seed)
    for what, here, there in (
        ("weights", entrant.weights, work.weights[number]),
        ("weights for the bids", bid_weights_at(_table(work), entrant), work.bid_weights[number]),
    ):
        if here != there:
            raise ValueError(f"a worker has other {what} of {name} ({here}, not {there})")
    return entrant
