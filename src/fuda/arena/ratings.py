"""The ladder of a game's agents, from the margins of stored duels.

Ratings are on the Elo scale: 400 points are odds of ten to one. What cannot be compared is not mixed: one set
of options, one version of the rules, and an agent with other weights is another agent.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple, overload

import numpy as np

from fuda.arena.bradley_terry import Model, Series, connected, role_signs
from fuda.arena.margins import unpack
from fuda.arena.stored import read_duels
from fuda.core.errors import echo
from fuda.core.game import RANDOM, Game
from fuda.games import game as find_game

ELO = 400 / np.log(10)
SAMPLES, SEED = 1000, 0
# A pair that no ladder tells: one in a hundred ladders that are none has such a pair by chance, and it is off
# by more than this share of the games.
SURPRISE, WORTH_TELLING = 0.01, 0.02


@dataclass(frozen=True)
class RolePart:
    """An agent's games in one role."""

    games: int
    win_rate: float
    points: float  # a game


@dataclass(frozen=True)
class Row:
    """An agent on the ladder."""

    agent: str
    rating: float
    stderr: float  # of the gap to the anchor
    interval: tuple[float, float]  # that holds 95%
    games: int
    win_rate: float
    points: float  # a game, against those it met
    above_next: float | None  # the chance to be stronger than the next row's agent; None in the last row
    by_role: dict[str, RolePart]


@dataclass(frozen=True)
class RoleTerm:
    """What a role is worth against the other one, in rating."""

    role: str
    rating: float
    stderr: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class PairFit:
    """How well the ladder tells what a pair has played."""

    first: str
    second: str
    games: int
    win_rate: float
    expected: float
    residual: float  # what the first won beyond that
    stderr: float
    surprising: bool  # beyond chance, and worth telling


@dataclass(frozen=True)
class LeftOut:
    """A duel that is listed and not rated."""

    source: str
    agents: tuple[str, str]
    why: str
    win_rate: float
    games: int


@dataclass(frozen=True)
class Played:
    """The margins of one duel, of agents that are told apart by name and weights."""

    first: str
    second: str
    seed: int
    margins: np.ndarray  # [D, number of seatings] of the first


@dataclass(frozen=True)
class Ratings(Sequence[Row]):
    """A ladder, best first."""

    game: str
    options: Mapping[str, Any]
    rules_version: int
    anchor: str | None  # the agent whose rating is 0
    rows: list[Row] = field(default_factory=list)
    above: list[list[float]] = field(default_factory=list)  # [row][row] the chance to be stronger
    roles: list[RoleTerm] = field(default_factory=list)
    pairs: list[PairFit] = field(default_factory=list)
    apart: list[list[str]] = field(default_factory=list)  # agents that no games connect with the anchor
    left_out: list[LeftOut] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        return self.rows[place]

    @property
    def surprises(self) -> list[PairFit]:
        """Pairs that no ladder tells: where they are, who beats whom goes round in rings, or nearly."""
        return [pair for pair in self.pairs if pair.surprising]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "ratings",
            "game": self.game,
            "options": dict(self.options),
            "rules_version": self.rules_version,
            "unit": "Elo",
            "anchor": self.anchor,
            **{name: list(map(asdict, getattr(self, name))) for name in ("rows", "roles", "pairs")},
            "above": self.above,
            "apart": self.apart,
            "left_out": list(map(asdict, self.left_out)),
        }


def ratings(
    game: str | Game,
    *places: str | os.PathLike[str],
    anchor: str | None = None,
    samples: int = SAMPLES,
    **options: object,
) -> Ratings:
    """The ladder of all duels of the game, under these options, in folders or files.

    `anchor` is the agent that has the rating 0: by default the random one, or the weakest where it did not
    play.
    """
    table = game if isinstance(game, Game) else find_game(game, **options)
    played, left_out = read(table, places)
    return rate(table, played, anchor=anchor, samples=samples, left_out=left_out)


def read(table: Game, places: Sequence[str | os.PathLike[str]]) -> tuple[list[Played], list[LeftOut]]:
    """The duels that can be rated, and those that cannot, with the reason."""
    if not places:
        raise ValueError("ratings need a folder or a file of stored duels")
    duels = {
        path: duel
        for path, duel in read_duels(map(Path, places)).items()
        if duel.get("game") == table.id and duel["agents"][0] != duel["agents"][1]
    }
    names = _names(duels.values())
    played, left_out = [], []
    seen: set[tuple[frozenset[str], int]] = set()  # in either order: a deal is played in all seatings
    # The longest of those that begin with the same deals.
    for path, duel in sorted(duels.items(), key=lambda item: (-item[1]["result"]["games"], item[0])):
        first, second = (names[identity] for identity in _identities(duel))
        margins, why = _margins(table, duel)
        deals = frozenset((first, second)), duel["seed"]
        if margins is not None and deals in seen:
            why = "the same deals as in another file"
        if margins is None or why:
            result = duel["result"]
            left_out.append(LeftOut(str(path), (first, second), why, result["win_rate"], result["games"]))
            continue
        seen.add(deals)
        played.append(Played(first, second, duel["seed"], margins))
    return played, sorted(left_out, key=lambda one: (one.why, one.agents, one.source))


class Identity(NamedTuple):
    """An agent as a duel knew it. With other weights, or another model that bids for it, it is another."""

    name: str
    weights: str | None
    bid_weights: str | None


def _identities(duel: Mapping[str, Any]) -> list[Identity]:
    weights, bid_weights = duel.get("weights", {}), duel.get("bid_weights", {})
    return [Identity(name, weights.get(name), bid_weights.get(name)) for name in duel["agents"]]


def _names(duels: Any) -> dict[Identity, str]:
    """A name for each agent: with what tells it from others of that name, where they played too."""
    by_name: dict[str, set[Identity]] = {}
    for identity in {identity for duel in duels for identity in _identities(duel)}:
        by_name.setdefault(identity.name, set()).add(identity)
    return {
        identity: f"{name} ({', '.join(told)})" if (told := _told_apart(identity, alike)) else name
        for name, alike in by_name.items()
        for identity in alike
    }


def _told_apart(identity: Identity, alike: set[Identity]) -> list[str]:
    """In which weights it differs from the others of its name."""
    found = []
    if len({other.weights for other in alike}) > 1:
        found.append(f"weights {str(identity.weights)[:8]}")
    if len({other.bid_weights for other in alike}) > 1:
        found.append(f"bids by {str(identity.bid_weights)[:8]}")
    return found


def _margins(table: Game, duel: Mapping[str, Any]) -> tuple[np.ndarray | None, str]:
    """The margins of a duel, or why it has no place on the ladder."""
    if duel["rules_version"] != table.spec.rules_version:
        return None, f"rules of version {duel['rules_version']}"
    theirs = table.spec.default_options | duel["options"]
    if theirs != table.all_options:
        other = {key: value for key, value in theirs.items() if table.all_options.get(key) != value}
        return None, f"other options: {', '.join(f'{key}={value}' for key, value in other.items())}"
    if duel["result"].get("sprt", {}).get("stopped_early"):
        return None, "stopped early"
    if "margins" not in duel:
        return None, "totals only"
    try:
        return unpack(duel["margins"], len(table.seatings)), ""
    except ValueError as error:
        return None, str(error)


def rate(
    table: Game,
    played: Sequence[Played],
    *,
    anchor: str | None = None,
    samples: int = SAMPLES,
    left_out: Sequence[LeftOut] = (),
) -> Ratings:
    """The ladder of these duels, with errors from `samples` ways to weigh their deals."""
    everybody = sorted({name for duel in played for name in (duel.first, duel.second)})
    kind = (table.id, table.options, table.spec.rules_version)
    if anchor is not None and anchor not in everybody:
        raise ValueError(f"the anchor {echo(anchor)} has played nothing that can be rated")
    if not everybody:
        return Ratings(*kind, None, left_out=list(left_out))
    number = {name: place for place, name in enumerate(everybody)}
    groups = connected([(number[duel.first], number[duel.second]) for duel in played], len(everybody))
    random = f"{table.id}/{RANDOM}"
    wanted = anchor or (random if random in number else None)
    group = next((found for found in groups if wanted is None or number[wanted] in found), groups[0])
    names = [everybody[place] for place in group]
    mine = [duel for duel in played if duel.first in names]
    ladder = _Ladder(table, names, mine, wanted, samples)
    return Ratings(
        *kind,
        ladder.anchor,
        ladder.rows(),
        ladder.above(),
        ladder.role_terms(),
        ladder.pairs(),
        [[everybody[place] for place in other] for other in groups if other is not group],
        list(left_out),
    )


class _Ladder:
    """The fit of duels between connected agents, and what is told of it."""

    def __init__(self, table: Game, names: list[str], duels: list[Played], anchor: str | None, samples: int):
        self.names, self.duels = names, duels
        self.role_names = table.spec.roles(table.all_options)
        signs = role_signs(table.seatings)
        self.signs = signs if self.role_names else signs[:, :0]
        self.changed = [
            table.seatings.index(tuple(1 - entrant for entrant in seating)) for seating in table.seatings
        ]
        number = {name: place for place, name in enumerate(names)}
        begins = _begins(duels)
        model = Model(
            len(names),
            [
                Series(
                    number[duel.first],
                    number[duel.second],
                    begins[duel.seed] + np.arange(len(duel.margins)),
                    (np.sign(duel.margins) + 1) / 2,
                )
                for duel in duels
            ],
            self.signs,
        )
        best = model.fit()
        sampled, self.sampled_shares = model.samples(samples, SEED)
        self.expected = model.chances(best[None])[0].mean(axis=1)  # [M]
        self.sampled_expected = model.chances(sampled).mean(axis=2)  # [B, M]
        strengths, self.best_roles = _parted(best[None], len(names))
        sampled_strengths, self.sampled_roles = _parted(sampled, len(names))
        self.anchor = anchor or names[int(strengths[0].argmin())]
        zero = number[self.anchor]
        self.strengths = (strengths - strengths[:, [zero]])[0] * ELO  # [N]
        self.sampled = (sampled_strengths - sampled_strengths[:, [zero]]) * ELO  # [B, N]
        self.order = np.argsort(-self.strengths, kind="stable")

    def rows(self) -> list[Row]:
        """The agents, best first."""
        above, found = self.above(), []
        for place, player in enumerate(self.order):
            above_next = above[place][place + 1] if place + 1 < len(above) else None
            whole, by_role = self._record(self.names[player])
            found.append(
                Row(
                    self.names[player],
                    float(self.strengths[player]),
                    float(self.sampled[:, player].std()),
                    _interval(self.sampled[:, player]),
                    whole.games,
                    whole.win_rate,
                    whole.points,
                    above_next,
                    by_role,
                )
            )
        return found

    def above(self) -> list[list[float]]:
        """The chance of each row's agent to be stronger than each other one's; equal ones share it."""
        ranked = self.sampled[:, self.order]
        signs = np.sign(ranked[:, :, None] - ranked[:, None, :])
        return [[float(chance) for chance in row] for row in (signs.mean(axis=0) + 1) / 2]

    def role_terms(self) -> list[RoleTerm]:
        """What each role is worth against the other one: twice its term, which the other one loses."""
        found = []
        for term in range(self.signs.shape[1]):
            role = self.role_names[int(np.flatnonzero(self.signs[:, term] > 0)[0])]
            best, sampled = (2 * ELO * roles[:, term] for roles in (self.best_roles, self.sampled_roles))
            found.append(RoleTerm(role, float(best[0]), float(sampled.std()), _interval(sampled)))
        return found

    def pairs(self) -> list[PairFit]:
        """What was played beside what the ladder expects."""
        bound = NormalDist().inv_cdf(1 - SURPRISE / 2 / len(self.duels))
        found = []
        for number, duel in enumerate(self.duels):
            share = float(((np.sign(duel.margins) + 1) / 2).mean())
            residual = share - float(self.expected[number])
            error = float((self.sampled_shares[:, number] - self.sampled_expected[:, number]).std())
            surprising = abs(residual) > max(WORTH_TELLING, bound * error)
            expected = float(self.expected[number])
            found.append(
                PairFit(
                    duel.first,
                    duel.second,
                    duel.margins.size,
                    share,
                    expected,
                    residual,
                    error,
                    surprising,
                )
            )
        return sorted(found, key=lambda pair: -abs(pair.residual))

    def _record(self, name: str) -> tuple[RolePart, dict[str, RolePart]]:
        """What an agent has won, in all and in each role."""
        columns: list[list[np.ndarray]] = [[] for _ in self.changed]
        for duel in self.duels:
            for seating, changed in enumerate(self.changed):
                if duel.first == name:
                    columns[seating].append(duel.margins[:, seating])
                if duel.second == name:  # it sits where the first one does in the other seating
                    columns[changed].append(-duel.margins[:, seating])
        parts = [np.concatenate(margins) for margins in columns]
        by_role = {role: _part(parts[seating]) for seating, role in enumerate(self.role_names)}
        return _part(np.concatenate(parts)), by_role


def _part(margins: np.ndarray) -> RolePart:
    won = float(((np.sign(margins) + 1) / 2).mean())
    return RolePart(len(margins), won, float(margins.mean()))


def _begins(duels: Sequence[Played]) -> dict[int, int]:
    """Where the deals of each seed begin, when those of all seeds are numbered one after the other."""
    lengths: dict[int, int] = {}
    for duel in duels:
        lengths[duel.seed] = max(lengths.get(duel.seed, 0), len(duel.margins))
    seeds = sorted(lengths)
    return {seed: sum(lengths[other] for other in seeds[:place]) for place, seed in enumerate(seeds)}


def _parted(unknowns: np.ndarray, num_players: int) -> tuple[np.ndarray, np.ndarray]:
    """The strengths [B, N] of all players, the first one's being 0, and the role terms [B, R]."""
    first = np.zeros((len(unknowns), 1))
    return np.hstack([first, unknowns[:, : num_players - 1]]), unknowns[:, num_players - 1 :]


def _interval(sampled: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(sampled, [0.025, 0.975])
    return float(low), float(high)
