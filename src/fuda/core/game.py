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
from fuda.core.figures import PRESET, check_figures
from fuda.core.generator import check_seed
from fuda.core.kernels import Kernels
from fuda.core.match import Match
from fuda.core.parts import check_encoding, check_part, file_name
from fuda.core.protocols import (
    PARTS,
    Encoding,
    Events,
    Outcomes,
    Reasons,
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
SWITCH = ("off", "on")  # an option whose first words are these also takes False and True


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
    # Not named where it is at its default: it came after the first records, which stay as they are.
    implied: bool = False
    neutral: bool = False  # who learned to play under one value plays as well under another

    def check(self, value: object) -> int | str:
        """The value if it is allowed, else a `ValueError` that says what is."""
        if self.words:
            if self.words[: len(SWITCH)] == SWITCH and isinstance(value, bool):
                return SWITCH[value]
            number = isinstance(value, int | np.integer) and not isinstance(value, bool)
            word = str(value) if number else value  # a word may be a number beside others: 5, 3 or off
            if isinstance(word, str) and word in self.words:
                return word
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


class MoveTexts(dict[int, str]):
    """Texts of actions, made when they are first asked for."""

    def __init__(self, move_text: Callable[[int], str]):
        super().__init__()
        self._move_text = move_text

    def __missing__(self, action: int) -> str:
        text = self[action] = self._move_text(action)
        return text


@dataclass(frozen=True)
class Preset:
    """Rule options that players know by one name; those that it leaves out are at their defaults."""

    id: str  # for `preset=`, and for the page, which has titles for it in its languages
    title: str
    line: str  # one line: what is played under it
    options: Mapping[str, int | str] = field(default_factory=dict)


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

    id: str  # the name of its folder, or of its entry point
    title: str
    rules_version: int  # changes when the rules' behaviour does
    seats: int
    num_sides: int  # seats of one side play together: `rules.side`
    two_sided: bool  # two sides, and what one gains the other loses: `rules.payoff`
    num_actions: int
    max_legal: int  # the most legal actions that a position can have: arrays have this much room
    max_decisions: int  # a match ends within so many
    max_deal_decisions: int  # and a deal within so many, whatever the options
    deck: tuple[int, ...]  # what `deal` gets a permutation of: numbers from 0 to 127, equal for equal cards
    options: tuple[Option, ...]
    # For duels, by options: the seatings in which a deal is played, each with the entrant (0 or 1) in each
    # seat, both there.
    seatings: Callable[[Mapping[str, Any]], tuple[tuple[int, ...], ...]]
    roles: Callable[[Mapping[str, Any]], tuple[str, ...]]  # entrant 0's part in each seating, by options
    # scores [.., S], own seats -> [..]: by how much these won; of an entrant in duels, of a side at a table.
    margin: Callable[[np.ndarray, Sequence[bool]], np.ndarray]
    max_deals: Callable[[Mapping[str, Any]], int | None]  # deals in a match, if there is a limit
    # What the scores add up to, if fixed: a number, or a function of the options that gives one or None.
    score_sum: int | Callable[[Mapping[str, Any]], int | None] | None
    rules: Rules
    text: Text
    events: Events
    presets: tuple[Preset, ...] = ()  # rules by the names that players use; the page offers the first first
    deal_decisions: Callable[[Mapping[str, Any]], int] | None = None  # a deal's limit, where options matter
    point_scale: float = 1.0  # about how many points a decision is worth: values are compared in parts of it
    # A `Terminal` by its module's name: it needs rich, so it is imported when used.
    terminal: str | None = None
    policies: tuple[Policy, ...] = ()
    fallback: str = RANDOM  # the policy that answers where an agent cannot: it bids, or stands in
    bidders: tuple[Policy, ...] = ()  # policies that only bid, for players that cannot
    # Compiled, of a view: is this a bid, or another decision before play, which not all agents make?
    is_bidding: Callable[..., Any] | None = None
    # Of such a view: do all agents decide it by the fallback's rule, those too that bid by a network?
    is_ruled: Callable[..., Any] | None = None
    # Players that `fuda.agents` makes for the game: settings by kind and name, plain data of players.py.
    players: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    encodings: tuple[Encoding, ...] = ()  # what models of the game may read
    scenarios: Scenarios | None = None
    tells: Tells | None = None
    reasons: Reasons | None = None
    outcomes: Outcomes | None = None
    winning: Winning | None = None
    turn: Turn | None = None
    importer: Callable[[object], Match] | None = None  # from another program's file, as parsed JSON
    # Matches from a text in a format for people and their programs; a `LineError` says where it is wrong.
    text_importer: Callable[[str], list[Match]] | None = None

    def __post_init__(self) -> None:
        """Whether the game's folder has what it must, and its figures fit; said in one sentence if not."""
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
        check_figures(self)

    @cached_property
    def screen(self) -> Terminal:
        """The game drawn in a terminal, or a `ValueError` where nobody has drawn it."""
        if self.terminal is None:
            raise ValueError(f"{self.id} cannot be shown in a terminal: it has no terminal.py")
        module = import_module(self.terminal)
        check_part(self.id, "terminal", module)
        return module

    @property
    def default_options(self) -> dict[str, int | str]:
        """All options, as they are by default."""
        return {option.name: option.default for option in self.options}

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

    def num_outputs(self, encoding: Encoding) -> int:
        """How many actions the networks of an encoding have an output for: the first ones, or all."""
        return int(getattr(encoding, "NUM_OUTPUTS", self.num_actions))

    def is_bid(self, view: Any) -> bool:
        """Whether a bid is due in a view, which not all agents make."""
        return self.is_bidding is not None and bool(self.is_bidding(view))

    def preset(self, preset_id: object) -> Preset:
        """A preset by its id, or a `ValueError` that lists them."""
        for found in self.presets:
            if found.id == preset_id:
                return found
        there = ", ".join(preset.id for preset in self.presets) or "none"
        raise ValueError(f"{self.id} has no preset {echo(preset_id)}; it has {there}")

    def check_num_legal(self, count: int) -> None:
        """Raise a `ValueError` where more actions are legal than compiled loops have room for."""
        if count > self.max_legal:
            raise ValueError(f"{self.id}: {count} actions are legal, and its max_legal is {self.max_legal}")

    @cached_property
    def move_texts(self) -> Mapping[int, str]:
        """Actions as text, each made once."""
        return MoveTexts(self.text.move_text)

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
        """`options` may name a preset beside rule options, which go before those of the preset."""
        known = {option.name: option for option in spec.options}
        if PRESET in options:
            chosen = spec.preset(options[PRESET])
            options = {**chosen.options, **{name: options[name] for name in options if name != PRESET}}
        for name in options:
            if name not in known:
                raise ValueError(f"{spec.id} has no option {echo(name)}; it has {', '.join(known) or 'none'}")
        self.spec = spec
        self.all_options: dict[str, int | str] = {
            name: option.check(options.get(name, option.default)) for name, option in known.items()
        }

    @property
    def id(self) -> str:
        """The game's name in code, on the command line and in files."""
        return self.spec.id

    @cached_property
    def options(self) -> dict[str, int | str]:
        """The options that records, views and results name: all but implied ones at their defaults."""
        return {
            option.name: self.all_options[option.name]
            for option in self.spec.options
            if not option.implied or self.all_options[option.name] != option.default
        }

    @property
    def changed_options(self) -> dict[str, int | str]:
        """The options that are not at their defaults."""
        usual = self.spec.default_options
        return {name: value for name, value in self.all_options.items() if usual[name] != value}

    @property
    def learned_options(self) -> dict[str, int | str]:
        """The options that matter to who learned to play."""
        return {
            option.name: self.all_options[option.name] for option in self.spec.options if not option.neutral
        }

    def untold(self, encoding: Encoding) -> list[str]:
        """The options, as they are here, of which an encoding does not tell networks all."""
        by_option = getattr(encoding, "UNTOLD", {})
        return [
            f"{name}={value}" for name, value in self.all_options.items() if value in by_option.get(name, ())
        ]

    @cached_property
    def option_codes(self) -> np.ndarray:
        """The options as the rules see them, [number of options] int64."""
        codes = [option.code(self.all_options[option.name]) for option in self.spec.options]
        return np.array(codes, np.int64)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The entrant (0 or 1) in each seat, for each of the seatings in which duels play a deal."""
        return self.spec.seatings(self.all_options)

    @property
    def score_sum(self) -> int | None:
        """What the scores add up to, None where that is not fixed."""
        fixed = self.spec.score_sum
        return fixed(self.all_options) if callable(fixed) else fixed

    @property
    def deal_decisions(self) -> int:
        """A deal ends within so many decisions under these options."""
        spec = self.spec
        return (
            spec.max_deal_decisions if spec.deal_decisions is None else spec.deal_decisions(self.all_options)
        )

    @cached_property
    def has_bids(self) -> bool:
        """Whether its matches begin with bids."""
        return self.start(0).awaits_bid

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
        return self.spec is other.spec and self.all_options == other.all_options

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.all_options.values())))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"fuda.game({self.id!r}{options})"
