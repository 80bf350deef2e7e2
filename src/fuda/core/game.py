"""What a game tells the kit about itself, and a game with its options set."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.generator import check_seed
from fuda.core.kernels import Kernels
from fuda.core.match import Match
from fuda.core.parts import check_encoding, check_part, file_name
from fuda.core.protocols import (
    PARTS,
    Encoding,
    Events,
    Outcomes,
    Rules,
    Scenarios,
    Tells,
    Terminal,
    Text,
    Turn,
    Winning,
)
from fuda.core.threads import MIN_SHARE

RANDOM = "random"  # the policy that every game has
SWITCH = ("off", "on")  # an option with these words also takes False and True


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
    """A way to play without learning: `choose(view, seat, rng)` compiled, from a view to an action."""

    name: str
    title: str
    line: str
    choose: Callable[..., Any]
    bids: bool = False
    min_share: int = 32  # fewer views than this are not worth a thread of their own


@dataclass(frozen=True, eq=False)
class GameSpec:
    """The descriptor that each game's folder provides as `SPEC`."""

    id: str
    title: str
    rules_version: int  # changes when the rules' behaviour does
    seats: int
    num_sides: int  # seats of one side play together: `rules.side`
    two_sided: bool  # two sides, and what one gains the other loses: `rules.payoff`
    num_actions: int
    max_legal: int  # the most legal actions that a position can have
    max_decisions: int  # a match ends within so many
    max_deal_decisions: int  # and a deal within so many
    deck: tuple[int, ...]  # what `deal` gets a permutation of
    options: tuple[Option, ...]
    seatings: tuple[tuple[int, ...], ...]  # for duels: the entrant (0 or 1) in each seat
    roles: Callable[[Mapping[str, Any]], tuple[str, ...]]  # entrant 0's part in each seating, by options
    # scores [.., S], own seats -> [..]: by how much these won; of an entrant in duels, of a side at a table.
    margin: Callable[[np.ndarray, Sequence[bool]], np.ndarray]
    max_deals: Callable[[Mapping[str, Any]], int | None]  # deals in a match, if there is a limit
    score_sum: Callable[[Mapping[str, Any]], int] | None  # what the scores add up to, if fixed
    rules: Rules
    text: Text
    events: Events
    point_scale: float = 1.0  # about how many points a decision is worth: values are compared in parts of it
    # A `Terminal` by its module's name: it needs rich, so it is imported when used.
    terminal: str | None = None
    policies: tuple[Policy, ...] = ()
    fallback: str = RANDOM  # the policy that answers where an agent cannot: it bids, or stands in
    is_bidding: Callable[..., Any] | None = None  # of a view: is this a bid, which not all agents make
    # Players that `fuda.agents` makes for the game: settings by kind and name, plain data of players.py.
    players: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    encodings: tuple[Encoding, ...] = ()  # what models of the game may read
    scenarios: Scenarios | None = None
    tells: Tells | None = None
    outcomes: Outcomes | None = None
    winning: Winning | None = None
    turn: Turn | None = None
    importer: Callable[[object], Match] | None = None  # from another program's file, as parsed JSON

    def __post_init__(self) -> None:
        """Whether the game's folder has what it must, said in one sentence if not."""
        for part in PARTS:
            found = getattr(self, part)
            if part != "terminal" and found is not None:
                check_part(self.id, part, found)
        for encoding in self.encodings:
            check_encoding(self.id, encoding)
        if self.terminal is not None and find_spec(self.terminal) is None:
            raise ValueError(f"{self.id}: there is no module {self.terminal} to draw it in a terminal")
        if not {"seat", "status"} <= set(self.rules.STATE.names or ()):
            raise ValueError(f"{self.id}: STATE of rules.py lacks the fields seat and status")
        if self.fallback not in (RANDOM, *(policy.name for policy in self.policies)):
            raise ValueError(f"{self.id}: the fallback {self.fallback} is none of its policies")
        if self.two_sided and self.num_sides != 2:
            raise ValueError(f"{self.id}: it is two-sided and has {self.num_sides} sides")
        if any(len(seating) != self.seats for seating in self.seatings):
            raise ValueError(
                f"{self.id}: each of its seatings has an entrant for each of the {self.seats} seats"
            )

    @cached_property
    def screen(self) -> Terminal:
        """The game drawn in a terminal, or a `ValueError` where nobody has drawn it."""
        if self.terminal is None:
            raise ValueError(f"{self.id} cannot be shown in a terminal: it has no terminal.py")
        module = import_module(self.terminal)
        check_part(self.id, "terminal", module)
        return module

    @property
    def folder(self) -> Path:
        """Where its rules are, with RULES.md beside them."""
        return Path(inspect.getfile(self.rules)).parent  # type: ignore[arg-type]  # it is a module

    def encoding(self, name: str) -> Encoding | None:
        """An encoding by the name of its file, without the ending."""
        return next((found for found in self.encodings if file_name(found) == name), None)

    def policy(self, name: str) -> Policy:
        """A policy by its name; every game has the random one."""
        if name == RANDOM:
            line, choose = "Chooses among the legal moves with equal chance.", self.kernels.choose_random
            return Policy(RANDOM, "Random", line, choose, bids=True, min_share=MIN_SHARE)
        return next(policy for policy in self.policies if policy.name == name)

    @cached_property
    def kernels(self) -> Kernels:
        """The kit's loops, compiled for this game."""
        return Kernels(self)

    @cached_property
    def sees_move(self) -> Callable[..., bool] | None:
        """The rules' word on who knows which move, None where all moves are public."""
        return getattr(self.rules, "sees_move", None)

    @property
    def has_secret_moves(self) -> bool:
        """Whether there are moves that not every seat knows."""
        return self.sees_move is not None

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
        """A new match; `deal` fixes the cards (RULES.md).

        A seed is for experiments: it gives the same cards each time, and they can be computed from
        those that have been seen. Without one nobody can foresee them.
        """
        return Match(self, None if seed is None else check_seed(seed), deal, players)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.spec is other.spec and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.options.values())))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"fuda.game({self.id!r}{options})"
