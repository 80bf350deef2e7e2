"""The messages between page and server: one model each, and the JSON Schema that is made from them.

`python -m fuda.serve.protocol` prints the schema; a test compares it with `schema.json`, from which
the page's types are written (web/protocol.py). What a message means is told in docs/protocol.md.
The server sends codes and parameters, never sentences: the page has the words, in three languages.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypeAliasType

VERSION = 1

MAX_ID = 64
MAX_PERSON = 24  # characters of a person's name
MAX_DELAY = 10_000
MIN_CLOCK, MAX_CLOCK = 5, 86_400
MAX_CHUNK = 32  # steps of a record for which one request may ask

Id = Annotated[str, Field(min_length=1, max_length=MAX_ID, pattern=r"^[A-Za-z0-9_-]+$")]
Secret = Annotated[str, Field(min_length=1, max_length=MAX_ID, pattern=r"^[A-Za-z0-9_-]+$")]
Seq = Annotated[int, Field(ge=0, le=1_000_000)]
MAX_SEAT = 15
SeatNumber = Annotated[int, Field(ge=0, le=MAX_SEAT)]
AgentName = Annotated[str, Field(min_length=1, max_length=80)]
MoveText = Annotated[str, Field(min_length=1, max_length=64)]
# Types with a name of their own in the schema, and so in the page.
State = TypeAliasType("State", Literal["playing", "between", "over"])
Unit = TypeAliasType("Unit", Literal["points", "probability", "policy"])
OptionValue = TypeAliasType("OptionValue", int | str)
Options = TypeAliasType("Options", dict[str, OptionValue])  # rule options by name


class Given(BaseModel):
    """What comes from outside: nothing is converted, and nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Told(BaseModel):
    """What the server says."""

    model_config = ConfigDict(extra="forbid")


# What both sides say.


class Pace(Given):
    """How fast agents move: the least time before a move, in milliseconds, and whether they wait."""

    delay: Annotated[int, Field(ge=0, le=MAX_DELAY)] = 800
    paused: bool = False  # only at tables without persons


class GameEvent(BaseModel):
    """One thing that a seat saw happen, as `match.events(seat)` gives it; the rest is the game's own."""

    model_config = ConfigDict(extra="allow")

    type: str


class Reason(BaseModel):
    """Why a move may be right or wrong, in a few words that the page has; the rest is the game's own."""

    model_config = ConfigDict(extra="allow")

    type: str


class ReplayView(BaseModel):
    """A seat's view in a replay: the keys that all games share. The game's RULES.md lists the rest."""

    model_config = ConfigDict(extra="allow")

    game: str
    seat: int
    to_move: int | None
    legal: list[str] = []  # only where this seat is to move
    options: Options


class View(ReplayView):
    """A seat's view, as `match.view(seat)` gives it."""

    history: list[tuple[int, str | None]]  # who moved and how; null: the seat does not know that move


# HTTP: what the page asks.


class PersonSeat(Given):
    """A seat for a person, with the name that is shown."""

    person: Annotated[str, Field(max_length=200)]
    invited: bool = False  # for somebody else, who comes by an invitation


class AgentSeat(Given):
    """A seat for an agent of the lobby."""

    agent: AgentName


NewSeat = TypeAliasType("NewSeat", PersonSeat | AgentSeat)


class NewTable(Given):
    """POST /api/v1/tables."""

    game: Annotated[str, Field(max_length=40)]
    options: Annotated[dict[str, OptionValue], Field(max_length=16)] = {}  # those left out are as by default
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=16)]
    pace: Pace = Pace()
    clock: Annotated[int, Field(ge=MIN_CLOCK, le=MAX_CLOCK)] | None = None  # seconds for a person's move


class Rematch(Given):
    """POST /api/v1/tables/{table}/rematch, once the table is over."""

    same_deal: bool = False  # the same cards again, which marks the new table
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=16)] | None = None


class Invite(Given):
    """POST /api/v1/tables/{table}/invitations: to an open seat, or to look on."""

    seat: SeatNumber | None


class Join(Given):
    """POST /api/v1/join: an invitation is taken up."""

    code: Secret
    name: Annotated[str, Field(max_length=200)] = ""


class Leave(Given):
    """POST /api/v1/tables/{table}/leave: an agent goes on in a seat of one's own, or of one's own table."""

    seat: SeatNumber
    agent: AgentName | None = None  # else the one that the lobby offers first


class Upload(Given):
    """POST /api/v1/records: the whole text of a record's file, as downloaded or as `fuda` saves it."""

    file: str


class AskValues(Given):
    """POST /api/v1/records/{record}/values: what an agent thinks of some moves of a record."""

    agent: AgentName
    first: Seq = 0  # the number of moves before the first position
    count: Annotated[int, Field(ge=1, le=MAX_CHUNK)] = MAX_CHUNK


class AskReview(Given):
    """POST /api/v1/records/{record}/review: have a seat reviewed; persons' seats are without being asked."""

    seat: SeatNumber


class Solve(Given):
    """POST /api/v1/puzzles/{puzzle}: a move for a puzzle that is due."""

    move: MoveText


class TryAgain(Given):
    """POST /api/v1/records/{record}/again: a table that stands where the game stood after `seq` moves."""

    seq: Seq


# HTTP: what the server answers.


class RuleOption(Told):
    """A rule option: one of some words, or a whole number from low to high."""

    name: str
    line: str  # in English; the page has its own words for the options that it knows
    default: OptionValue
    words: list[str] | None = None
    low: int | None = None
    high: int | None = None
    neutral: bool  # who learned under one value plays as well under another


class RulePreset(Told):
    """Rules that players know by a name; the page has its own words for those that it knows."""

    id: str
    title: str
    line: str
    options: Options  # all of them


class GameInfo(Told):
    """A game of the lobby."""

    id: str
    title: str
    seats: int
    rules_version: int
    fallback: str  # the agent that stands in where another fails
    offered: str  # the agent to offer first
    options: list[RuleOption]
    presets: list[RulePreset]  # the one to offer first comes first; none: the game has one way to play it


class Duel(Told):
    """The result of a stored duel, from this agent's side."""

    opponent: str
    options: Options
    games: int
    win_rate: float  # a draw is one half
    win_rate_stderr: float
    mean_diff: float  # in the game's points
    stderr: float
    seed: int
    commit: str | None


class AgentCard(Told):
    """An agent of the lobby."""

    name: str
    game: str
    title: str
    line: str
    unit: Unit | None  # of its values; null: it gives no hints
    bids: bool  # false: where there is bidding, the fallback bids for it
    learned_options: (
        Options | None
    )  # those that matter, as it learned under; null: it reads those of the table
    rating: float | None  # on the Elo scale, random has 0; null: it is on no stored ladder
    rating_stderr: float | None
    duels: list[Duel]  # those stored, of the agent as it is now


class Limits(Told):
    """What the page must keep to."""

    tables: int
    upload_bytes: int
    message_bytes: int
    name_length: int
    chunk: int


class Lobby(Told):
    """GET /api/v1/lobby."""

    v: Literal[1] = 1
    version: str  # of fuda
    games: list[GameInfo]
    agents: list[AgentCard]
    limits: Limits


class Owner(Told):
    """POST /api/v1/owners: a new owner's secret, told this one time."""

    secret: str


class TableSeat(Told):
    """Who sits in a seat."""

    kind: Literal["person", "agent"]
    name: str  # of the person, or the agent's full name
    title: str  # what to show
    changed: Literal["weights", "missing"] | None = None  # what is not as it was when the table began
    open: bool = False  # a person's seat that nobody has taken yet
    secret: str | None = None  # of a person's seat, for who sits there alone


class Result(Told):
    """How a table ended; all cards are open now."""

    reason: Literal["played", "resigned"]
    resigned: int | None  # the seat that gave up
    scores: list[int] | None  # points per seat; null if resigned
    margins: list[float] | None  # by how much each seat's side won; null if resigned
    views: list[View]  # the last view of each seat
    record: str  # its id under /api/v1/records


class TableInfo(Told):
    """A table, as its owner and its players see it."""

    table: str
    game: str
    rules_version: int
    options: Options
    seats: list[TableSeat]
    state: State
    seq: int  # committed moves
    to_move: int | None  # null also while nobody looks on
    hints: bool  # whether a hint was shown at this table
    same_deal: bool  # whether the cards were known from an earlier table
    takebacks: int  # how often the person took moves back
    pace: Pace
    clock: int | None = None  # seconds for a person's move, at a table of several
    agreed: list[int] = []  # at a table of several persons: the seats that have agreed to hints
    created: str  # time in UTC, ISO 8601
    changed: str
    record: str | None  # once it is over
    playable: bool  # false: stored under other rules, or damaged; it can only be deleted
    own: bool = False  # of who asks, over HTTP: the owner alone invites, deletes it and plays again
    damaged: bool = (
        False  # its rows are not as they were written: no more is known of it than that it is there
    )


class Invitation(Told):
    """The answer to Invite, and to a record that is shared."""

    path: str  # of the link, on this server; whoever opens it is let in
    link: str  # the whole link, by an address that others reach where the server knows one
    only_here: bool  # it leads nowhere but to this machine
    qr: list[str]  # rows of the link's QR code, a digit a module: 1 is dark


class Joined(Told):
    """The answer to Join."""

    table: TableInfo
    seat: int


class Tables(Told):
    """GET /api/v1/tables: the owner's tables that are not over, the last changed first."""

    tables: list[TableInfo]


class RecordInfo(Told):
    """A finished game, or an uploaded record."""

    record: str
    game: str
    options: Options
    players: list[str]  # persons' names, agents' full names
    persons: list[int]  # the seats of persons; empty for uploads
    seat: int | None = None  # one's own among them
    source: Literal["table", "upload"]
    moves: int
    scores: list[int] | None  # null if it was not played to the end
    margins: list[float] | None
    resigned: int | None
    hints: bool
    same_deal: bool
    takebacks: int
    created: str
    table: str | None  # for a rematch
    own: bool = True  # false: of a table at which one was a guest; its owner alone may delete it
    damaged: bool = False  # its file is not as it was written


class Records(Told):
    """GET /api/v1/records, the newest first."""

    records: list[RecordInfo]


class Step(Told):
    """A position of a replay: what each seat saw happen with a move, and sees after it."""

    seq: int  # moves so far
    seat: int | None  # who moved; null in the first position
    move: str | None
    hidden: list[list[int]]  # of each seat: the moves so far, counted from 0, that it does not know
    events: list[list[GameEvent]]  # of each seat; those of the next deal included
    views: list[ReplayView]  # of each seat; the steps before have the history
    to_move: int | None
    legal: list[str]  # the mover's


class Replay(Told):
    """GET /api/v1/records/{record}/replay?first=0&count=32: positions first to first+count-1."""

    record: str
    game: str
    players: list[str] | None = None  # to who has a link alone; others find them in Records
    total: int  # positions, one more than moves
    steps: list[Step]


class MoveValues(Told):
    """The values of the moves in one position, from the mover's view alone."""

    seq: int  # moves before it
    seat: int
    move: str  # what was played
    values: dict[str, float] | None  # null: the agent has none here
    best: str | None
    cost: float | None  # the best value minus that of the move played; null if one is not known


class RecordValues(Told):
    """The answer to AskValues."""

    record: str
    agent: str
    unit: Unit
    values: list[MoveValues]


class ReviewSwing(Told):
    """How the expectation of a seat changed, and why: result = luck - cost + others_cost, exactly."""

    result: float
    luck: float
    cost: float  # what the own move gave away
    others_cost: float  # what the others' moves gave to the seat


class ReviewDecision(ReviewSwing):
    """A choice of the seat, and all until its next one."""

    index: int  # the moves before it
    deal: int  # from 0
    kind: str  # of decision, in the game's words
    move: str
    best: str
    before: float  # what the best move was expected to bring
    after: float  # what the move played was


class ReviewMistake(Told):
    """A move that cost something also by a second, deeper look, whose standard error is told."""

    index: int
    move: str
    best: str
    cost: float
    stderr: float
    second_cost: float


class AgentCost(Told):
    """What a game of the default rules costs an agent on average, by the agent that reviews."""

    agent: str
    cost: float
    stderr: float
    games: int


class Review(Told):
    """What a seat's moves gave away, judged by what it saw then; all figures are in `unit`."""

    game: str
    players: list[str]
    seat: int
    agent: str  # whose values these are
    weights: str | None
    looker: str  # who played the second looks, and how many deals each had
    scenarios: int
    unit: Literal["points", "probability"]
    over: bool
    moves: int
    start: float  # an even game, from which `result` is counted
    result: float
    luck: float
    cost: float
    others_cost: float
    opening: ReviewSwing  # until the first choice
    decisions: list[ReviewDecision]
    mistakes: list[ReviewMistake]  # worst first
    costs_by_kind: dict[str, float]
    # The dearest first; none where nothing compares, and in reviews of an older fuda.
    standing: list[AgentCost] = []
    unlearned: Options = {}  # rules of the match that the agent did not learn: its values are for others


class ReviewInfo(Told):
    """GET /api/v1/records/{record}/review?seat=0, and the answer to AskReview."""

    record: str
    seat: int
    state: Literal["none", "waiting", "ready", "failed"]
    review: Review | None  # once it is ready


class PuzzleName(Told):
    """Enough to fetch a puzzle, and what its game needs."""

    puzzle: str
    game: str


class Puzzles(Told):
    """GET /api/v1/puzzles: how many there are."""

    due: int  # to be played now
    first: PuzzleName | None  # of these
    later: int  # that come back
    next: str | None  # when the first of those is due
    solved: int  # that were played well often enough


class Puzzle(PuzzleName):
    """GET /api/v1/puzzles/{puzzle}: a position in which one erred, as one's seat saw it."""

    record: str
    seq: int  # moves before it
    players: list[str]  # persons' names, agents' full names
    agent: str  # who judges
    streak: int  # how often it was played well in a row
    needed: int  # how often that takes
    view: View


class PuzzleVerdict(Told):
    """The answer to Solve."""

    puzzle: str
    right: bool  # the move is not what a review calls a mistake
    move: str
    best: str
    erred: str  # what one played in the game
    agent: str
    unit: Literal["points", "probability"]
    values: dict[str, float]
    cost: float
    reasons: dict[str, Reason]  # of the move and of the best one, where one is known
    streak: int
    due: str | None  # when it comes back; null: not any more


class Tally(Told):
    """Counted games."""

    games: int
    wins: int
    draws: int
    losses: int
    resigned: int  # those of the losses in which the person gave up


class Standing(Told):
    """The owner's results in a game against the same agents."""

    game: str
    agents: list[str]  # in rising order of name; in partnership games the partner too
    plain: Tally
    assisted: Tally  # with hints, with moves taken back, or with cards that were known


class Results(Told):
    """GET /api/v1/results."""

    results: list[Standing]


class RatedPlayer(Told):
    """Somebody whom the owner has met in rated games."""

    kind: Literal["agent", "person"]
    name: str  # an agent's full name
    games: int
    rating: float
    stderr: float


class PlayedGame(Told):
    """One of the owner's games."""

    created: str | None  # null: of an older fuda, whose record was deleted
    record: str | None  # for its replay; null: it was deleted
    end: Literal["wins", "draws", "losses"]
    rated: bool
    rating: float | None  # after it, on the Elo scale; null: it was not rated
    stderr: float | None
    cost: float | None  # null: it has no review


class GameProgress(Told):
    """How the owner gets on in a game."""

    game: str
    games: int
    wins: int
    draws: int
    losses: int
    rated: int  # those without hints, moves taken back, or cards that were known
    rating: float | None  # null: nothing is rated
    stderr: float | None
    others: list[RatedPlayer]  # strongest first
    unit: Literal["points", "probability"] | None  # of all costs; null: nothing is reviewed
    standing: list[AgentCost]  # the dearest first
    played: list[PlayedGame]  # the last 500, oldest first


class Progress(Told):
    """GET /api/v1/progress: the games that the owner has played."""

    games: list[GameProgress]


class ProfileGame(Told):
    """A finished game in a profile."""

    info: RecordInfo
    file: str | None  # the record as downloaded; null: it is damaged
    reviews: list[Review]  # of the seats that were reviewed


class ProfilePuzzle(Told):
    """A position in which the owner erred, in a profile."""

    record: str
    seat: int
    seq: int  # the moves before it
    erred: str  # the move that was the mistake
    agent: str  # who says so
    streak: int  # how often it was played well in a row
    due: str | None  # null: often enough


class Profile(Told):
    """GET /api/v1/me: all that the server has of the owner, but secrets and cards of running games."""

    fuda: str  # the version
    exported: str
    created: str
    address: str  # from where the owner came first
    progress: list[GameProgress]  # with all games
    puzzles: list[ProfilePuzzle]
    tables: list[TableInfo]
    games: list[ProfileGame]


class Fault(Told):
    """What went wrong: a code, and what the page needs to say it."""

    code: str
    params: dict[str, Any]


class HttpError(Told):
    """The body of every answer with status 400 and above."""

    error: Fault


# The socket: what the page says.


class Hello(Given):
    """The first message on a socket."""

    type: Literal["hello"]
    v: int
    table: Id
    seat: SeatNumber  # one's own, or at a table without persons the one from which to look
    secret: Secret  # of the seat; of the owner at a table without persons
    watch: bool = False  # to look on by an invitation: what all seats see, whatever `seat` says
    seq: Seq | None = None  # what the page has seen; the missing moves follow, or a snapshot
    takebacks: Seq = 0  # as the page has seen them


class Move(Given):
    """A move: `id` is new for every new move and the same when a message is sent again."""

    type: Literal["move"]
    id: Id
    seq: Seq  # the position that it answers
    takebacks: Seq = 0
    move: MoveText


class Continue(Given):
    """Go on after a round."""

    type: Literal["continue"]
    id: Id
    seq: Seq
    takebacks: Seq = 0


class Takeback(Given):
    """Back to the own last choice, for a person alone with agents; the game does not count any more."""

    type: Literal["takeback"]
    id: Id
    seq: Seq
    takebacks: Seq = 0


class Resign(Given):
    """Give up: the table is over."""

    type: Literal["resign"]
    id: Id
    seq: Seq


class AskHint(Given):
    """What an agent thinks of the own moves in this position; never delays a move."""

    type: Literal["hint"]
    seq: Seq
    agent: AgentName


class SetPace(Given):
    """Change the pace of agents."""

    type: Literal["pace"]
    pace: Pace


class Agree(Given):
    """Whether this seat agrees to hints: at a table of several persons all must."""

    type: Literal["agree"]
    hints: bool


class OneStep(Given):
    """At a paused table without persons: let one move happen."""

    type: Literal["step"]


class Ping(Given):
    """Is anybody there?"""

    type: Literal["ping"]


ToServer = Annotated[
    Hello | Move | Continue | Takeback | Resign | AskHint | SetPace | Agree | OneStep | Ping,
    Field(discriminator="type"),
]


# The socket: what the server says.


class Snapshot(Told):
    """Where the table stands, for one seat. Replaces all that the page knew."""

    type: Literal["snapshot"] = "snapshot"
    seq: int
    takebacks: int
    state: State
    view: View  # in the state `between`: of the round that has ended
    events: list[GameEvent] = []  # in the state `between`: those of the move that ended the round
    views: list[View] | None = None  # of all seats, at a table without persons
    result: Result | None = None  # in the state `over`


class StandIn(Told):
    """Another agent made this move."""

    agent: str
    reason: Literal["deadline", "crash", "illegal", "missing", "busy", "clock"]


class Welcome(Told):
    """The answer to hello; the missing moves or a snapshot follow."""

    type: Literal["welcome"] = "welcome"
    v: Literal[1] = 1
    table: TableInfo
    seat: int


class Moved(Told):
    """A move was committed."""

    type: Literal["moved"] = "moved"
    seq: int  # after the move
    seat: int  # who moved
    move: str | None  # null: one that the seat does not know
    stand_in: StandIn | None = None
    events: list[GameEvent]  # to animate
    state: State
    view: View
    views: list[View] | None = None  # at a table without persons
    result: Result | None = None  # with the last move


class Continued(Told):
    """The next round was dealt."""

    type: Literal["continued"] = "continued"
    seq: int
    events: list[GameEvent]
    state: State
    view: View
    views: list[View] | None = None


class Ended(Told):
    """Somebody resigned."""

    type: Literal["ended"] = "ended"
    seq: int
    state: State
    view: View
    result: Result


class Ack(Told):
    """The move, continue, takeback or resign with this id is stored; `seq` after it."""

    type: Literal["ack"] = "ack"
    id: str
    seq: int


class Refused(Told):
    """Nothing was changed; a fresh snapshot follows the code `stale`."""

    type: Literal["refused"] = "refused"
    id: str
    error: Fault
    seq: int
    snapshot: Snapshot | None = None


class Hint(Told):
    """The values of the legal moves at `seq`; drop it if that is not the position any more."""

    type: Literal["hint"] = "hint"
    seq: int
    agent: str
    unit: Unit
    values: dict[str, float]
    best: str
    reasons: dict[str, Reason] = {}  # of the best moves, those for which one is known


class NoHint(Told):
    """There are no values for this position."""

    type: Literal["no_hint"] = "no_hint"
    seq: int
    agent: str
    error: Fault


class Paced(Told):
    """The pace of agents was changed, here or in another tab."""

    type: Literal["paced"] = "paced"
    pace: Pace


class Seated(Told):
    """Somebody has come, left or agreed to hints."""

    type: Literal["seated"] = "seated"
    table: TableInfo


class Clock(Told):
    """The clock has started or stopped; also told to who comes while it runs."""

    type: Literal["clock"] = "clock"
    seq: int
    left: int | None  # milliseconds for the decision that is due; null: nobody's time runs


class SocketError(Told):
    """A message could not be used. Faults that end the connection are followed by a close."""

    type: Literal["error"] = "error"
    error: Fault


class Reviewed(Told):
    """The review of a seat in the finished game is there, or has failed."""

    type: Literal["reviewed"] = "reviewed"
    record: str
    seat: int


class Deleted(Told):
    """The owner has deleted the table."""

    type: Literal["deleted"] = "deleted"


class Pong(Told):
    """The answer to ping."""

    type: Literal["pong"] = "pong"


FromServer = (
    Welcome
    | Snapshot
    | Moved
    | Continued
    | Ended
    | Ack
    | Refused
    | Hint
    | NoHint
    | Paced
    | Seated
    | Clock
    | SocketError
    | Reviewed
    | Deleted
    | Pong
)

HTTP = (
    NewTable, Rematch, Invite, Join, Leave, Invitation, Joined, Upload, AskValues, AskReview, TryAgain, Solve,
    Lobby, Owner, TableInfo, Tables, RecordInfo, Records, Replay, RecordValues, ReviewInfo, Puzzles, Puzzle,
    PuzzleVerdict, Results, Progress, Profile, HttpError,
)  # fmt: skip


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages, under `$defs` by their names."""
    definitions: dict[str, Any] = {}
    kinds: list[tuple[str, Any]] = [(model.__name__, model) for model in HTTP]
    for name, kind in (("ToServer", ToServer), ("FromServer", FromServer), *kinds):
        found = TypeAdapter(kind).json_schema(mode="serialization" if name != "ToServer" else "validation")
        definitions |= found.pop("$defs", {})
        definitions[name] = found
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"fuda serve, protocol version {VERSION}",
        "$defs": dict(sorted(definitions.items())),
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
