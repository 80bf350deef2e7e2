"""What a game tells the kit about itself, and a game with its options set."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.generator import check_seed
from fuda.core.kernels import Kernels
from fuda.core.match import Match

SWITCH = ("off", "on")  # an option with these words also takes False and True
FEW_SCENARIOS = 16  # whose trees take no time worth mentioning


@dataclass(frozen=True)
class Option:
    """A rule option: a whole number in a range, or one of some words.

    The rules see a number: the value itself, or the word's place in `words`.
    """

    name: str
    default: int | str
    line: str  # one line for people
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()

    def check(self, value: object) -> int | str:
        """The value if it is allowed, else a `ValueError` that says what is."""
        if self.words:
            if self.words == SWITCH and isinstance(value, bool):
                return SWITCH[value]
            if isinstance(value, str) and value in self.words:
                return value
            raise ValueError(f"option {self.name} is one of {', '.join(self.words)}, not {echo(value)}")
        number = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if number and self.low <= int(value) <= self.high:  # type: ignore[call-overload]
            return int(value)  # type: ignore[call-overload]
        raise ValueError(
            f"option {self.name} is a whole number from {self.low} to {self.high}, not {echo(value)}"
        )

    def parse(self, text: str) -> int | str:
        """The value that a person typed."""
        if not self.words and text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10:
            return self.check(int(text))
        return self.check(text)

    def code(self, value: int | str) -> int:
        """The number that the rules see."""
        return self.words.index(str(value)) if self.words else int(value)


@dataclass(frozen=True)
class Policy:
    """A player without learning: `choose(view, seat, rng)` compiled, from a view to an action."""

    name: str
    title: str
    line: str
    choose: Callable[..., Any]
    bids: bool = False
    min_share: int = 32  # fewer views than this are not worth a thread of their own


@dataclass(frozen=True)
class SearchSetting:
    """A player by tree search: how many trees and iterations, and what an outcome is worth."""

    name: str
    title: str
    line: str
    trees: int  # each on a redeal of its own; with `information_set` they share one tree
    iterations: int  # in each tree
    exploration: float  # in the game's points
    rollout: str = "random"  # or the name of a policy of the game
    information_set: bool = False


@dataclass(frozen=True)
class ScenarioSetting:
    """A player that asks a network about open hands, in scenarios of what it cannot see."""

    suffix: str  # its name is the model's with this
    title: str
    line: str
    method: str = "search"  # or "policy": what the network would play, without search
    scenarios: int = 9  # 0, for a policy: the view itself, with parts of unseen cards
    sampling: str = "stratified"  # by where the key cards lie; or "uniform"
    counted: bool = False  # strata weigh as much as they have deals; else all the same
    weighting: str = "iec"  # by what the others played: none, iec, iec-linear, bayes
    beta: float = 0.015  # how much a point of regret tells in that
    per_legal: int = 2  # iterations of a tree for each legal action
    extra: int = 10  # and so many more
    exploration: float = 30.0  # in points
    use_prior: bool = False  # trees follow the network's policy (PUCT)
    skip_forced: bool = False  # forced actions are no leaves
    exact: int = 0  # from so many rounds of play before the end on, scenarios are solved

    @property
    def searches(self) -> bool:
        """Whether it takes its time: small trees in a few scenarios are grown in milliseconds."""
        return self.method == "search" and self.scenarios > FEW_SCENARIOS


@dataclass(frozen=True)
class RolloutSetting:
    """A player by a network of views, which may look further where its best actions are close.

    Then they are played out in scenarios, every seat by the network from its own view.
    """

    suffix: str  # its name is the model's with this
    title: str
    line: str
    scenarios: int = 0  # none: the network alone
    sampling: str = "uniform"  # or "stratified"
    counted: bool = True  # strata weigh as much as they have deals
    weighting: str = "belief"  # a network's guess who holds what, or as above: none, iec, iec-linear, bayes
    beta: float = 0.05  # how much a point of regret tells in those
    close: float = 15.0  # actions so many points behind the best are looked at
    candidates: int = 3  # at most
    doubt: float = 8.0  # how many points the network may err about a difference: more weigh play-outs more
    exact: int = 0  # from so many rounds of play before the end on, play-outs are solved instead

    @property
    def searches(self) -> bool:
        """Whether it looks further than its network."""
        return self.scenarios > 0


@dataclass(frozen=True, eq=False)
class GameSpec:
    """The descriptor that each game's folder provides as `SPEC`."""

    id: str
    title: str
    rules_version: int  # changes when the rules' behaviour does
    seats: int
    num_actions: int
    max_legal: int  # the most legal actions that a position can have
    max_decisions: int  # a match ends within so many
    max_deal_decisions: int  # and a deal within so many
    deck: tuple[int, ...]  # what `deal` gets a permutation of
    options: tuple[Option, ...]
    seatings: tuple[tuple[int, ...], ...]  # for duels: the entrant (0 or 1) in each seat
    roles: Callable[[Mapping[str, Any]], tuple[str, ...]]  # entrant 0's part in each seating, by options
    margin: Callable[[np.ndarray, Sequence[bool]], np.ndarray]  # scores [.., S], own seats -> [..]
    max_deals: Callable[[Mapping[str, Any]], int | None]  # deals in a match, if there is a limit
    score_sum: Callable[[Mapping[str, Any]], int] | None  # what the scores add up to, if fixed
    rules: ModuleType  # STATE and the functions of rules.py
    text: ModuleType
    events: ModuleType
    policies: tuple[Policy, ...] = ()
    searches: tuple[SearchSetting, ...] = ()
    scenarios: ModuleType | None = None  # draws full deals for views: scenarios.py
    tells: ModuleType | None = None  # what past plays say about hidden hands: tells.py
    scenario_players: tuple[ScenarioSetting, ...] = ()  # of each model that is made for open hands
    rollout_players: tuple[RolloutSetting, ...] = ()  # of each model that is made for views
    fallback: str = ""  # the policy that answers where an agent cannot: it bids, or stands in
    is_bidding: Callable[..., Any] | None = None  # of a view: is this a bid, which not all agents make
    # What networks' values are in a unit for people, where it takes more than a factor:
    # (views [K], seats [K], values [K, A], unit, scale, the model's table) -> [K, A].
    value_in_unit: Callable[..., np.ndarray] | None = None
    outcomes: ModuleType | None = None  # the classes of a deal's outcomes that networks tell: outcomes.py
    turn: ModuleType | None = None  # what can become of the turn that is played: turn.py
    importer: Callable[[object], Match] | None = None  # from another program's file, as parsed JSON

    def policy(self, name: str) -> Policy:
        """A policy by its name."""
        return next(policy for policy in self.policies if policy.name == name)

    @cached_property
    def kernels(self) -> Kernels:
        """The kit's loops, compiled for this game."""
        return Kernels(self)

    def new_states(self, count: int) -> np.recarray:
        """Blank records for states or views, [count]."""
        return np.zeros(count, self.rules.STATE).view(np.recarray)


class Game:
    """A game with its rule options, ready to start matches."""

    def __init__(self, spec: GameSpec, options: Mapping[str, object]):
        known = {option.name: option for option in spec.options}
        for name in options:
            if name not in known:
                raise ValueError(f"{spec.id} has no option {echo(name)}; it has {', '.join(known) or 'none'}")
        self.spec = spec
        self.options: dict[str, int | str] = {
            name: option.check(options.get(name, option.default)) for name, option in known.items()
        }

    @property
    def id(self) -> str:
        """The game's name in code, on the command line and in files."""
        return self.spec.id

    @cached_property
    def option_codes(self) -> np.ndarray:
        """The options as the rules see them, [number of options] int64."""
        codes = [option.code(self.options[option.name]) for option in self.spec.options]
        return np.array(codes, np.int64)

    def start(
        self,
        seed: int | None = None,
        deal: object = None,
        players: Sequence[str] | None = None,
    ) -> Match:
        """A new match. Without a seed it cannot be foreseen; `deal` fixes the cards (RULES.md)."""
        seed = secrets.randbits(63) if seed is None else check_seed(seed)
        return Match(self, seed, deal, players)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.spec is other.spec and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.options.values())))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"fuda.game({self.id!r}{options})"
