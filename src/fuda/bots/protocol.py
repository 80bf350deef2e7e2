"""The messages between the arena and a bot, version 1: one dataclass each.

`python -m fuda.bots.protocol` prints their JSON Schema; a test compares it with `schema.json`. What the
messages mean is told in docs/bots.md.
"""

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fuda.bots.shape import Range, ShapeError, definitions, read, written

VERSION = 1

MAX_BATCH = 1024
MAX_NAME, MAX_NOTE = 80, 500
MAX_MOVE = 64  # characters of a move
MAX_VALUES = 10_000  # moves with a value, in one answer

Id = Annotated[int, Range(0, 2**53)]
Seat = Annotated[int, Range(0, 15)]
Name = Annotated[str, Range(1, MAX_NAME)]
Move = Annotated[str, Range(1, MAX_MOVE)]
Unit = Literal["points", "probability"]
Part = Literal["view", "since", "bytes"]  # of a position
# Why a bot was judged to have failed in a match (docs/bots.md has a line on each).
Verdict = Literal["illegal", "timeout", "crash", "stalled", "too_long", "not_json", "bad_message"]

# What the arena says.


@dataclass(frozen=True)
class Hello:
    """The first message. The bot answers with its own hello, within its loading time."""

    type: ClassVar[str] = "hello"
    v: int  # of this protocol
    fuda: str  # its version
    rules: dict[str, int]  # the version of the rules of each game


@dataclass(frozen=True)
class Clock:
    """How long a bot may think, in seconds: in the whole match, and for a move."""

    match: float
    move: float


@dataclass(frozen=True)
class Start:
    """A match begins. No answer."""

    type: ClassVar[str] = "start"
    match: str
    game: str
    rules_version: int
    options: dict[str, int | str]  # all rule options
    seat: Seat  # the bot's
    seats: int
    mates: list[Seat]  # other seats that the same bot plays, in processes of their own
    role: str | None  # the part that the game's duels call this seating
    clock: Clock
    luck: str  # 16 hexadecimal digits: who draws all chance from them plays the same again


@dataclass(frozen=True)
class Happened:
    """A move of the match, as the seat saw it."""

    seat: Seat  # who moved
    move: str | None  # None: the seat does not know it
    events: list[dict[str, Any]]  # what it saw happen; those of a next deal included


@dataclass(frozen=True)
class Position:
    """A position in which the bot is to move. It has the parts that the bot's hello `wants`."""

    match: str
    seq: Id  # moves so far
    left: float  # seconds on the clock of the match
    values: bool = False  # whether values of the moves are asked for
    view: dict[str, Any] | None = None  # all that the seat may know, with the legal moves and the history
    since: list[Happened] | None = None  # the moves since the bot was asked last in this match
    bytes: str | None = None  # the view's record in base64, for programs that use fuda


@dataclass(frozen=True)
class Act(Position):
    """A move is due. The bot answers with `move`."""

    type: ClassVar[str] = "act"
    id: Id = field(kw_only=True)


@dataclass(frozen=True)
class ActMany:
    """Moves are due in several matches. The bot, whose hello has a `batch`, answers with `moves`."""

    type: ClassVar[str] = "act_many"
    id: Id
    positions: list[Position]


@dataclass(frozen=True)
class End:
    """The match is over for the bot. No answer."""

    type: ClassVar[str] = "end"
    match: str
    reason: Literal["played", "resigned"] | Verdict
    detail: str | None = None  # of a verdict: what was wrong
    scores: list[int] | None = None  # points of each seat, if it was played to the end
    margin: float | None = None  # by how much the seat's side won
    since: list[Happened] | None = None


@dataclass(frozen=True)
class Ping:
    """Is anybody there? The bot answers with `pong`."""

    type: ClassVar[str] = "ping"
    id: Id


# What a bot says.


@dataclass(frozen=True)
class BotHello:
    """Who the bot is. `games` are those that it plays, with the versions of their rules."""

    type: ClassVar[str] = "hello"
    v: int
    name: Name
    games: Annotated[dict[str, int], Range(1, 64)]
    author: Annotated[str, Range(0, MAX_NAME)] = ""
    batch: Annotated[int, Range(1, MAX_BATCH)] = 1  # positions in one message, and matches at once
    unit: Unit | None = None  # of its values; None: it has none
    wants: list[Part] = field(default_factory=lambda: ["view", "since"])


@dataclass(frozen=True)
class Choice:
    """A move, or true for `resign`."""

    move: Move | None = None
    resign: bool = False
    values: Annotated[dict[str, float], Range(0, MAX_VALUES)] | None = None  # of legal moves, in its unit
    note: Annotated[str, Range(0, MAX_NOTE)] | None = None  # for people

    def __post_init__(self) -> None:
        if (self.move is None) == (not self.resign):
            raise ShapeError("an answer has either a move or resign: true")


@dataclass(frozen=True)
class Moved(Choice):
    """The answer to `act`."""

    type: ClassVar[str] = "move"
    id: Id = field(kw_only=True)


@dataclass(frozen=True)
class MovedMany:
    """The answer to `act_many`: a move for each position, in their order."""

    type: ClassVar[str] = "moves"
    id: Id
    moves: Annotated[list[Choice], Range(0, MAX_BATCH)]


@dataclass(frozen=True)
class Pong:
    """The answer to `ping`."""

    type: ClassVar[str] = "pong"
    id: Id


ToBot = Hello | Start | Act | ActMany | End | Ping
FromBot = BotHello | Moved | MovedMany | Pong


def encode(message: ToBot | FromBot) -> bytes:
    """A message as its line."""
    return json.dumps(written(message), separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


class NotJson(ValueError):
    """A line is no JSON."""


def decode(line: bytes, kind: Any) -> Any:
    """The message of a line, or a `NotJson` or a `ShapeError` that says what is wrong with it."""
    try:
        value = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from None
    return read(kind, value)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages, under `$defs` by their names."""
    sides = {
        name: {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds.__args__]}
        for name, kinds in (("ToBot", ToBot), ("FromBot", FromBot))
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Bots of fuda, protocol version {VERSION}",
        "$defs": definitions(*ToBot.__args__, *FromBot.__args__) | sides,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
