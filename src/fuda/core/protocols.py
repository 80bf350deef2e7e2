"""What a game's folder must and may provide, file by file.

A folder has `rules.py`, `text.py` and `events.py`, and a descriptor (`GameSpec`) in its `__init__.py`. All
other files are optional; what each of them makes possible is said here. The descriptor checks its files
against these classes when it is built (`core/parts.py`), and mypy does so before.

A *state* is one record of `STATE`, the full truth; a *view* is a copy of it in which `hide` has blanked what
a seat may not know. Functions over states and views are compiled (`core/compile.py`) and work in place;
`rng` is an array of one generator's state (`core/generator.py`), which they advance. Parameters go by their
place, so their names are the game's own.

K positions, V views, S scenarios, A actions, M legal actions of all positions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

State = Any  # one record of STATE: the full truth
View = Any  # the same with `hide` applied
Event = dict[str, Any]
YOU = "You"  # what the person at a terminal is called, among `players`

# ---- What every game has ----


class Rules(Protocol):
    """`rules.py`: the rules as compiled functions, and the record that they work on."""

    @property
    def STATE(self) -> np.dtype[Any]:
        """The record, by `core.state.state_dtype`; its fields `seat` and `status` are known to the kit."""

    def start(self, state: State, options: Any, rng: Any, /) -> None:
        """Make a blank record into a match before its first deal; `options` are numbers, in their order.

        What it draws by `rng` all seats may know, and `write_deal` tells it: cards are for `deal`.
        """

    def deal(self, state: State, deck: Any, /) -> bool:
        """Deal a permutation of the descriptor's deck; False where the rules want it dealt again."""

    def legal(self, state: State, out: Any, /) -> int:
        """Write the legal actions to `out`, rising, and return how many; works on the mover's view too."""

    def step(self, state: State, action: int, /) -> None:
        """Apply a legal action. Where a deal ends and the match does not, the status is AWAITING_DEAL."""

    def scores(self, state: State, out: Any, /) -> None:
        """Write the points of each seat, final once the match is over; `GameSpec.margin` says who won."""

    def side(self, state: State, seat: int, /) -> int:
        """The number of the side that a seat plays for: seats of one side play together."""

    def payoff(self, state: State, out: Any, /) -> None:
        """Write what the deal is worth to each seat so far, in points: what a search looks for.

        Seats of one side get the same. Each player maximises its own.
        """

    def hide(self, state: State, seat: int, /) -> None:
        """Make a copy of a state into the seat's view: blank what it may not know."""

    def redeal(self, view: View, seat: int, rng: Any, /) -> None:
        """Make a copy of a seat's view into a state, uniform over all deals that agree with it."""

    def count_cards(self, state: State, out: Any, /) -> None:
        """Add to `out` how often each card lies anywhere: the contract tests count the deck."""


class OptionalRules(Protocol):
    """What `rules.py` may have."""

    def sees_move(self, state: State, seat: int, mover: int, number: int, /) -> bool:
        """Whether a seat knows, in the state as it is now, move `number` of the deal, counted from 0.

        Without it all moves are public. Whoever made a move knows it, whatever this says. `hide` must blank
        what such a move has changed.
        """


class Text(Protocol):
    """`text.py`: moves, deals and views as text and JSON."""

    def move_text(self, action: int, /) -> str:
        """A move as text; different actions that are legal together have different texts."""

    def read_deal(self, state: State, deal: Any, rng: np.ndarray, /) -> np.ndarray:
        """The deck that `rules.deal` makes into an explicit deal; a `ValueError` says what is wrong with it.

        `state` awaits the deal and may be given what the deal names beside cards, such as who begins.
        What the deal leaves open is drawn by `rng`; all seats may know that too.
        """

    def write_deal(self, state: State, /) -> dict[str, Any]:
        """The deal of a state in which nobody has moved yet, as `read_deal` takes it."""

    def view_dict(self, view: View, seat: int, /) -> dict[str, Any]:
        """What a seat knows, JSON-able: the keys that RULES.md lists, beside those that all games have."""

    def why_illegal(self, view: View, move: str, /) -> str:
        """Why a text is no legal move of the mover: the middle of a sentence."""


class OptionalText(Protocol):
    """What `text.py` may have."""

    @property
    def DEALT_AGAIN(self) -> str:
        """Why an explicit deal is refused for which `rules.deal` returns False."""


class Events(Protocol):
    """`events.py`: what a seat saw happen, for terminal, page and replay."""

    def events(self, view_before: View, move: Any, view_after: View, seat: int, /) -> list[Event]:
        """What a seat saw of a move, in order, from its own views.

        `move` is None where the seat does not know it, and where cards were dealt: nobody moves then.
        An event is a JSON-able dictionary with the key `type`; RULES.md lists them.
        """


# ---- The terminal ----


class Terminal(Protocol):
    """`terminal.py`: the game drawn with rich, for `fuda play`, `fuda record show` and `fuda explain`.

    `players` are the names of the seats; the person at the terminal is called YOU.
    """

    def order(self, moves: list[str], /) -> list[str]:
        """Legal moves in the order in which people look for them."""

    def draw(self, view: dict[str, Any], players: Sequence[str], numbers: dict[str, int], /) -> Any:
        """The table as a seat sees it, something that rich prints; `numbers` are those of the legal moves."""

    def say(self, event: Event, players: Sequence[str], /) -> str:
        """An event in words, as rich markup."""


class OptionalTerminal(Protocol):
    """What `terminal.py` may have."""

    @property
    def WIDTH(self) -> int:
        """The columns that the table needs."""

    def typed(self, text: str, /) -> str:
        """The move that a person means by what it typed."""

    def number(self, moves: Sequence[str], /) -> Mapping[str, int]:
        """The number to type for each move, where they are not simply counted from 1."""

    def label(self, move: str, /) -> str:
        """A move in words, as rich markup."""


# ---- Players that look further than a view ----


class Scenarios(Protocol):
    """`scenarios.py`: full deals that agree with a view, for players by scenarios and play-outs."""

    def draw_all(
        self, views: Any, seats: Any, stratified: bool, counted: bool, rngs: Any, states: Any, weights: Any,
        first: int, last: int, /,
    ) -> None:  # fmt: skip
        """Draw scenarios of views first..last-1: states [V, S], and what each counts, weights [V, S].

        `stratified`: by where the cards lie that matter most; then `counted` strata weigh as much as they
        have deals, others all the same. The weights of a view sum to one.
        """

    def rounds_left(self, states: np.recarray, /) -> np.ndarray:
        """How many rounds of play (tricks) are not yet complete [K]: what is left to solve exactly."""


class Tells(Protocol):
    """`tells.py`: the past plays that say something about hidden hands, to weigh scenarios by."""

    def count_told_all(self, views: Any, seats: Any, counts: Any, first: int, last: int, /) -> None:
        """How many plays of each view tell something, counts [V]."""

    def tell_all(
        self, states: Any, seats: Any, starts: Any, scratch: Any, views: Any, movers: Any, actions: Any,
        legal: Any, compared: Any, first: int, last: int, /,
    ) -> None:  # fmt: skip
        """What the players saw before those plays, if the hands are those of scenarios states[first..last-1].

        The plays of scenario k go to rows from starts[k] on: the player's view, who it is, what it played,
        and as bits of a set what it could have played, and what of that its play is compared with.
        `scratch` [K] is room to replay.
        """


class Outcomes(Protocol):
    """`outcomes.py`: the classes of a deal's outcomes that networks give chances to."""

    @property
    def NUM_CLASSES(self) -> int:
        """How many there are, C."""

    def class_of(self, points: np.ndarray, /) -> np.ndarray:
        """The class of each number of points."""

    def value_of_chances(
        self,
        views: np.recarray,
        seats: np.ndarray,
        rows: np.ndarray,
        chances: np.ndarray,
        unit: str,
        table: Any,
        /,
    ) -> np.ndarray:
        """The value [M] in a unit of actions in views[rows[M]], whose classes have the chances [M, C].

        `table` is the array that a model brings for this, if it has one.
        """


class OptionalOutcomes(Protocol):
    """What `outcomes.py` may have: what self-play needs to learn the chances."""

    @property
    def AIMS(self) -> Sequence[str]:
        """The units in which outcomes have a worth."""

    def outcome(self, state: State, seat: int, table: Any, out: Any, /) -> None:
        """Write the class of the deal that just ended, for a seat, as chances [C]: one is 1."""

    def write_worths(
        self, views: Any, seats: Any, aims: Any, table: Any, worths: Any, first: int, last: int, /
    ) -> None:
        """What each class is worth to the seat [K, C]; `aims` [K] are places in AIMS."""


class Winning(Protocol):
    """`winning.py`: what a deal means for a match of several, in a table of chances to win it."""

    @property
    def REWARDS(self) -> Mapping[str, tuple[Any, float]]:
        """By unit: a compiled `reward(state, seat, table, out)` of the deal that ended, and its scale."""

    @property
    def MAX_ROUNDS(self) -> int:
        """The most deals of a match that the table knows."""

    @property
    def MAX_LEAD(self) -> int:
        """The largest lead that it knows, in points."""

    def first_gains(self) -> np.ndarray:
        """A histogram of what deals bring, to begin with."""

    def count_gains(self, states: np.recarray, gains: np.ndarray, /) -> None:
        """Add deals that just ended to a histogram."""

    def induce(self, gains: np.ndarray, total_points: int, /) -> np.ndarray:
        """The table from a histogram, by backward induction: [deals left, lead + MAX_LEAD]."""

    def value_in_unit(
        self,
        views: np.recarray,
        seats: np.ndarray,
        rows: np.ndarray,
        values: np.ndarray,
        unit: str,
        scale: float,
        table: Any,
        /,
    ) -> np.ndarray:
        """A network's values [M] of actions in views[rows[M]], as people read them, in a unit.

        `scale` and `table` are the model's.
        """


class OptionalWinning(Protocol):
    """What `winning.py` may have: what fitting the table to played matches needs."""

    def RoundStarts(self, num_matches: int, /) -> Any:
        """An object that notes how deals of whole matches begin, and how the matches end.

        Its `note(states)` is called before each decision, `note_ended(states)` after it, until `all_over`;
        then `rounds()` has arrays `left`, `lead` and `result`, an entry for each deal.
        """


class Turn(Protocol):
    """`turn.py`: what can become of the turn that is played, as a tree, for players that search it."""

    @property
    def MAX_NODES(self) -> int:
        """The most nodes of a tree, N."""

    @property
    def WAITING(self) -> int:
        """The kind of a leaf where the turn has ended."""

    @property
    def ENDED(self) -> int:
        """The kind of a leaf where the deal has ended."""

    @property
    def WAIT_ACTION(self) -> int:
        """The action whose value a network tells for who waits."""

    def grow_all(
        self, views: Any, seats: Any, wanted: Any, starts: Any, states: Any, kinds: Any, parents: Any,
        gains: Any, counts: Any, first: int, last: int, /,
    ) -> None:  # fmt: skip
        """Write the trees of views first..last-1 [V, N]; at the root only the `wanted` moves grow.

        These are lists of the legal moves, yes or no [M], from starts [V + 1] on.
        """

    def back_up_all(
        self, kinds: Any, parents: Any, values: Any, counts: Any, first: int, last: int, /
    ) -> None:
        """From the values of the leaves those of all nodes."""

    def turn_begins(self, states: np.recarray, /) -> np.ndarray:
        """Where a turn has just begun [K]."""

    def waiting_seat(self, state: State, /) -> int:
        """The seat that waits for the mover's turn."""


# ---- What networks read ----


class Encoding(Protocol):
    """Any encoding, `encoding.py` or a file of another name: what a network is told of a position."""

    @property
    def ENCODING_VERSION(self) -> int:
        """Changes when the numbers do: a model plays with the version that it was trained with."""

    @property
    def PLAYED_BY(self) -> str:
        """The players that its networks are for: `tokens`, `scenarios`, `views` or `moves`."""

    @property
    def DECISION_KINDS(self) -> Sequence[str]:
        """The kinds of decisions, of which each may have a network of its own."""


class TokenEncoding(Encoding, Protocol):
    """An encoding played by `tokens`: a network reads a token for each action, in places of the table."""

    @property
    def NUM_TOKENS(self) -> int:
        """How many tokens there are: as many as actions."""

    @property
    def NUM_PLACE_ROWS(self) -> int:
        """How many places: each is a set of tokens, as the bits of a word."""

    @property
    def NUM_PROGRESS(self) -> int:
        """How many small numbers are the same for all tokens."""

    @property
    def ATTRIBUTES(self) -> np.ndarray:
        """What a token is, whatever the position: ones and zeros [NUM_TOKENS, any number]."""

    @property
    def PROGRESS_SCALES(self) -> np.ndarray:
        """What each of the small numbers is divided by [NUM_PROGRESS]."""

    def encode(self, view: View, seat: int, places: Any, progress: Any, /) -> None:
        """Write what a seat sees to places [NUM_PLACE_ROWS] and progress [NUM_PROGRESS].

        It is given the truth in training and must tell of it only what the seat knows.
        """

    def encode_all(
        self, views: Any, seats: Any, places: Any, progress: Any, first: int, last: int, /
    ) -> None:
        """Encode views first..last-1 into places [K, NUM_PLACE_ROWS] and progress [K, NUM_PROGRESS]."""

    def decision_kinds(self, progress: Any, /) -> Any:
        """The number of the decision's kind [K] from progress [K, NUM_PROGRESS], an array or a tensor."""


class OptionalTokenEncoding(Protocol):
    """What an encoding played by `tokens` may have."""

    @property
    def SUITS(self) -> np.ndarray:
        """Which tokens belong together [NUM_TOKENS], negative for none: for `fuda explain --suits`."""

    @property
    def SYMMETRIES(self) -> np.ndarray:
        """The tokens that may stand for each other [any number, NUM_TOKENS]: training makes use of them."""

    @property
    def EQUAL_ATTRIBUTES(self) -> np.ndarray:
        """`ATTRIBUTES` in each of the symmetries."""

    def token_places(self, places: np.ndarray, /) -> list[tuple[str, list[int]]]:
        """Where the tokens of one position are, in words: for pictures of attention."""

    def encode_waiting(self, view: View, seat: int, places: Any, progress: Any, /) -> None:
        """`encode` for a seat that waits for the other side's turn, of whose view nothing is decided."""

    def encode_waiting_all(
        self, views: Any, seats: Any, places: Any, progress: Any, first: int, last: int, /
    ) -> None:
        """`encode_all` for seats that wait: for players that search their turn."""


class WordEncoding(Encoding, Protocol):
    """An encoding that keeps a position as words of bits (`core/words.py`): played by `scenarios`, or more.

    Played by `scenarios` it is of states, and their networks value open hands.
    """

    @property
    def NUM_WORDS(self) -> int:
        """How many words a position has, W."""

    @property
    def NUM_COLUMNS(self) -> int:
        """How many numbers the network gets, C."""

    @property
    def COLUMN_WORDS(self) -> np.ndarray:
        """The word of each column [C]."""

    @property
    def COLUMN_SHIFTS(self) -> np.ndarray:
        """The bit of each column [C]."""

    def encode(self, state: State, seat: int, words: Any, /) -> None:
        """Write what a seat sees to `words` [W]; of a view, the part that it knows."""

    def encode_all(self, states: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """The same for positions first..last-1, words [K, W]."""

    def spread_all(self, words: Any, diffuse: bool, obs: Any, first: int, last: int, /) -> None:
        """Write words [K, W] out as numbers, obs [K, C]; `diffuse` as ScrofaZero's paper has it."""


class OptionalWordEncoding(Protocol):
    """What an encoding of words may have."""

    @property
    def SHARED(self) -> tuple[int, int, int, float]:
        """The word of unseen cards, the first and last column that they count in, and how much."""

    @property
    def WIDENED(self) -> tuple[int, int]:
        """The words from .. to that `diffuse` widens."""

    @property
    def PLANES(self) -> np.ndarray:
        """The columns as pictures of the deck [plane, suit, rank], for networks of convolutions."""


class ViewEncoding(WordEncoding, Protocol):
    """An encoding played by `views`: its networks value actions and may guess who holds which card."""

    @property
    def NUM_HIDDEN(self) -> int:
        """How many hidden hands there are, H, each a word."""

    @property
    def LEGAL(self) -> int:
        """The word of the legal actions."""

    @property
    def PROGRESS(self) -> int:
        """The word whose bits `CANNOT_HOLD` names."""

    @property
    def CANNOT_HOLD(self) -> np.ndarray:
        """For each hidden hand and card the bit of PROGRESS that says that it is not there [H, A]."""

    def encode_hidden(self, state: State, seat: int, words: Any, /) -> None:
        """Write what a seat cannot see to `words` [H]: the other hands, the next seat's first."""

    def encode_hidden_all(self, states: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """The same for states first..last-1, words [K, H]."""


class MoveEncoding(Encoding, Protocol):
    """An encoding played by `moves`: a network reads a position once, and every legal move as a row.

    It is given the truth in training and must tell of it only what the seat knows.
    """

    @property
    def NUM_WORDS(self) -> int:
        """How many words a position has, W."""

    @property
    def NUM_MOVE_WORDS(self) -> int:
        """How many words a move has, V."""

    @property
    def NUM_COLUMNS(self) -> int:
        """How many numbers the network gets of a position, C."""

    @property
    def NUM_MOVE_COLUMNS(self) -> int:
        """How many numbers it gets of a move, D."""

    @property
    def COLUMN_WORDS(self) -> np.ndarray:
        """The word of each column [C]."""

    @property
    def COLUMN_SHIFTS(self) -> np.ndarray:
        """The bit of each column [C]."""

    @property
    def MOVE_COLUMN_WORDS(self) -> np.ndarray:
        """The word of each column of a move [D]."""

    @property
    def MOVE_COLUMN_SHIFTS(self) -> np.ndarray:
        """The bit of each column of a move [D]."""

    def encode(self, view: View, seat: int, words: Any, /) -> None:
        """Write what the seat to move sees to `words` [W]."""

    def encode_move(self, view: View, action: int, words: Any, /) -> None:
        """Write what a legal move of the seat to move is to `words` [V]."""

    def encode_all(self, views: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """`encode` for views first..last-1, words [K, W]."""

    def encode_moves_all(
        self, views: Any, actions: Any, starts: Any, words: Any, first: int, last: int, /
    ) -> None:
        """`encode_move` for actions [M] of views first..last-1 by starts [K + 1], words [M, V]."""

    def decision_kinds(self, words: Any, /) -> Any:
        """The number of the decision's kind [K] from words [K, W], an array or a tensor."""


# By the descriptor's field: what the file must have, and what it may have.
PARTS: dict[str, tuple[type, ...]] = {
    "rules": (Rules, OptionalRules),
    "text": (Text, OptionalText),
    "events": (Events,),
    "terminal": (Terminal, OptionalTerminal),
    "scenarios": (Scenarios,),
    "tells": (Tells,),
    "outcomes": (Outcomes, OptionalOutcomes),
    "winning": (Winning, OptionalWinning),
    "turn": (Turn,),
}
# The same for encodings, by PLAYED_BY.
ENCODINGS: dict[str, tuple[type, ...]] = {
    "tokens": (TokenEncoding, OptionalTokenEncoding),
    "scenarios": (WordEncoding, OptionalWordEncoding),
    "views": (ViewEncoding, OptionalWordEncoding),
    "moves": (MoveEncoding,),
}
