"""What a game's folder must and may provide, file by file.

A folder has six files: `RULES.md`, `rules.py`, `text.py`, `events.py`, `classical.py`, and a descriptor
(`GameSpec`) in its `__init__.py`. All other files are optional; what each of them makes possible is said
here. The descriptor checks its files against these classes when it is built (`core/parts.py`), and mypy does
so before.

A *state* is one record of `STATE`, the full truth; a *view* is a copy of it in which `hide` has blanked what
a seat may not know. Functions over states and views are compiled (`core/compile.py`) and work in place;
`rng` is an array of one generator's state (`core/generator.py`), which they advance. Parameters go by their
place, so their names are the game's own.

K positions, V views, S scenarios, A actions, M legal actions of all positions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from fuda.core.planes import PlaneLayout

State = Any  # one record of STATE: the full truth
View = Any  # the same with `hide` applied
Event = dict[str, Any]
YOU = "You"  # what the person at a terminal is called, among `players`
BID = "bid"  # the kind of decisions that are bids, among the DECISION_KINDS of encodings that tell them

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
        """Write the legal actions to `out`, rising, and return how many; works on the mover's view too.

        At most `GameSpec.max_legal`: compiled loops have no more room, and check nothing. `Match` refuses
        more in words, and so do duels, in later positions only after the agents have been asked.
        """

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

    def decision_kind(self, view: View, /) -> str:
        """What kind of decision the seat to move has, in a word: reviews tell costs by it."""


class Events(Protocol):
    """`events.py`: what a seat saw happen, for terminal, page and replay."""

    def events(self, view_before: View, move: Any, view_after: View, seat: int, /) -> list[Event]:
        """What a seat saw of a move, in order, from its own views.

        `move` is None where the seat does not know it, and where cards were dealt: nobody moves then. Of the
        first deal it is asked only if a match can have several.
        An event is a JSON-able dictionary with the key `type`; RULES.md lists them.
        """


class Reasons(Protocol):
    """`reasons.py`: why a move may be right, or wrong; the page has words for it, beside a hint's figures."""

    @property
    def TYPES(self) -> Sequence[str]:
        """The types that there are."""

    def reason(self, view: View, action: int, /) -> Event | None:
        """The best reason for or against a legal action of the seat to move, from its own view; None: none.

        A JSON-able dictionary with the key `type`.
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

    @property
    def MOST_TO_SOLVE(self) -> int:
        """The largest endings that may be solved exactly, as `left_to_solve` counts them."""

    def left_to_solve(self, states: np.recarray, /) -> np.ndarray:
        """How much is left to solve exactly [K], in what the game counts it by: incomplete tricks, cards."""


class OptionalScenarios(Protocol):
    """What `scenarios.py` may have."""

    def draw_all(
        self, views: Any, seats: Any, stratified: bool, counted: bool, rngs: Any, states: Any, weights: Any,
        first: int, last: int, /,
    ) -> None:  # fmt: skip
        """Draw scenarios of views first..last-1: states [V, S], and what each counts, weights [V, S].

        `stratified`: by where the cards lie that matter most; then `counted` strata weigh as much as they
        have deals, others all the same. The weights of a view sum to one. Without it deals are drawn by
        `redeal`, and there are no strata.
        """

    def solve_all(self, states: Any, payoffs: Any, first: int, last: int, /) -> None:
        """Write what each seat gets [K, S] from states first..last-1 if all play their best.

        Without it the kit's solver does it, which knows no position again.
        """


class Tells(Protocol):
    """`tells.py`: the past plays that say something about hidden hands, to weigh scenarios by."""

    def count_told_all(self, views: Any, seats: Any, counts: Any, first: int, last: int, /) -> None:
        """How many plays of each view tell something, counts [V]."""

    def tell_all(
        self, states: Any, seats: Any, starts: Any, scratch: Any, views: Any, movers: Any, actions: Any,
        first: int, last: int, /,
    ) -> None:  # fmt: skip
        """What the players saw before those plays, if the hands are those of scenarios states[first..last-1].

        The plays of scenario k go to rows from starts[k] on: the player's view, who it is, what it played.
        `scratch` [K] is room to replay.
        """

    def compare_all(
        self, views: Any, actions: Any, legal: Any, starts: Any, compared: Any, first: int, last: int, /
    ) -> None:
        """Write with which legal actions, yes or no [M], those plays are compared: rows first..last-1.

        `legal` [M] has what row r could have played from starts[r] to starts[r + 1].
        """


class Outcomes(Protocol):
    """`outcomes.py`: the classes of a deal's outcomes that networks give chances to."""

    @property
    def NUM_CLASSES(self) -> int:
        """How many there are, C."""

    def chances_of(self, points: np.ndarray, /) -> np.ndarray:
        """The classes of numbers of points [N] as chances [N, C]: those of what is known to be so."""

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

    def write_worths(self, view: View, seat: int, aim: int, table: Any, worths: Any, /) -> None:
        """What each class is worth to the seat [C]; `aim` is a place in AIMS."""


class Winning(Protocol):
    """`winning.py`: what a deal means for a match of several, in a table of chances to win it."""

    @property
    def REWARDS(self) -> Mapping[str, tuple[Any, float]]:
        """By unit: a compiled `reward(state, seat, table, out)` of the deal that ended, and its scale."""

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
    """What `winning.py` may have."""

    @property
    def TABLES(self) -> Mapping[str, "type[FollowedTable]"]:
        """By the name that recipes have for them: what keeps the table in training."""


class FollowedTable(Protocol):
    """A table that rewards are judged by, which follows the play in training; of the game's options."""

    table: np.ndarray  # changed in place
    refit_ticks: int  # how often it follows

    def __init__(self, options: Mapping[str, Any], /) -> None: ...

    def note(self, ended: np.recarray, /) -> None:
        """Take note of deals that just ended."""

    def refit(self, total: Any, play_matches: Any, /) -> None:
        """Let the table follow.

        `total(numbers)` sums arrays over all ranks. `play_matches(notes, count)` plays whole matches of the
        networks: it calls `notes.note(states)` before each choice and `notes.note_ended(index, ended)` after
        it, until `notes.all_over`.
        """

    def arrays(self) -> dict[str, np.ndarray]:
        """All that a checkpoint keeps; what it kept is written back into these."""


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

    def turn_begins(self, state: State, /) -> bool:
        """Whether a turn has just begun."""

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
        """The players that its networks are for, a name among `ENCODINGS`."""

    @property
    def DECISION_KINDS(self) -> Sequence[str]:
        """The kinds of decisions, of which each may have a network of its own.

        Where a game has bids (`GameSpec.is_bidding`), BID among them says that these are told, too.
        """


class OptionalEncoding(Protocol):
    """What any encoding may have."""

    @property
    def UNTOLD(self) -> Mapping[str, Sequence[str]]:
        """By an option's name the values of it of which positions, or rows of actions, do not tell all.

        Nothing is trained under them, and environments take another encoding. Bids that an encoding without
        BID among its kinds knows nothing of are not meant: others make them.
        """


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


class OptionalTokenEncoding(OptionalEncoding, Protocol):
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


class WordColumns(Encoding, Protocol):
    """An encoding that keeps a position as words of bits (`core/words.py`); each used bit is a column."""

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


class WordEncoding(WordColumns, Protocol):
    """An encoding that keeps a position as words of bits (`core/words.py`): played by `scenarios`, or more.

    Played by `scenarios` it is of states, and their networks value open hands.
    """

    def encode(self, state: State, seat: int, words: Any, /) -> None:
        """Write what a seat sees to `words` [W]; of a view, the part that it knows."""

    def encode_all(self, states: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """The same for positions first..last-1, words [K, W]."""

    def spread_all(self, words: Any, diffuse: bool, obs: Any, first: int, last: int, /) -> None:
        """Write words [K, W] out as numbers, obs [K, C]; `diffuse` as ScrofaZero's paper has it."""


class OptionalWordEncoding(OptionalEncoding, Protocol):
    """What an encoding of words may have."""

    @property
    def SHARED(self) -> tuple[int, int, int, float]:
        """The word of unseen cards, the first and last column that they count in, and how much."""

    @property
    def NUM_OUTPUTS(self) -> int:
        """How many actions its networks have an output for, the first ones; without it all."""

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


class MoveEncoding(WordColumns, Protocol):
    """An encoding played by `moves`: a network reads a position once, and every legal move as a row.

    It is given the truth in training and must tell of it only what the seat knows.
    """

    @property
    def NUM_MOVE_WORDS(self) -> int:
        """How many words a move has, V."""

    @property
    def NUM_MOVE_COLUMNS(self) -> int:
        """How many numbers it gets of a move, D."""

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


class GroupColumns(WordColumns, Protocol):
    """An encoding whose networks read groups: sets of cards that are moves, or could be.

    It is given the truth in training and must tell of it only what the seat knows.
    """

    @property
    def COLUMN_SHARES(self) -> np.ndarray:
        """The place among `shares` of what each column counts [C]."""

    @property
    def LAST_GROUPS(self) -> Sequence[int]:
        """Words of a position that are groups, which the network reads."""

    @property
    def GROUP_BITS(self) -> np.ndarray:
        """A group as bits of a word [A]."""

    @property
    def GROUP_SHAPE(self) -> tuple[int, int]:
        """How many ranks those bits are of, and how many are of a rank."""

    @property
    def MAX_GROUPS(self) -> int:
        """The most that one is chosen from: members of a decomposition, or 1."""

    def encode(self, view: View, seat: int, words: Any, /) -> None:
        """Write what the seat to move sees to `words` [W]."""

    def encode_all(self, views: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """`encode` for views first..last-1, words [K, W]."""

    def decision_kinds(self, words: Any, /) -> Any:
        """The number of the decision's kind [K] from words [K, W], an array or a tensor."""

    def shares(self, words: Any, /) -> Any:
        """What columns may count, [K] each, from words [K, W], an array or a tensor."""


class GroupEncoding(GroupColumns, Protocol):
    """An encoding played by `decompositions`: a network values ways to take a hand apart, then a group."""

    def decompose(self, words: Any, limit: int, rngs: Any, /) -> Any:
        """Up to `limit` decompositions of each decision (`core/decompositions.py`), by `rngs` [K]."""

    def decompose_with(self, words: Any, moves: Any, limit: int, rngs: Any, /) -> Any:
        """The same of decompositions that have the group moves[k], a legal move: their last [K]."""


class ActionEncoding(GroupColumns, Protocol):
    """An encoding played by `actions`: a network reads the own hand as a group; each action is an output."""

    @property
    def HAND_BITS(self) -> int:
        """The word of the own cards, as the bits of a group."""

    @property
    def NUM_OUTPUTS(self) -> int:
        """How many actions have outputs, A."""

    @property
    def MAX_LEGAL(self) -> int:
        """The most legal ones."""

    def legal_table(self, words: Any, /) -> Any:
        """The legal actions of positions, by their words: [K, L], numbers below 0 behind the last of each."""


class FactoredEncoding(Encoding, Protocol):
    """An encoding played by `factored`: an action is an output, and then further parts one by one.

    Positions and beginnings of actions are words whose bits are planes (`core/planes.py`). It is given the
    truth in training and must tell of it only what the seat knows.
    """

    @property
    def NUM_WORDS(self) -> int:
        """How many words a position has, W."""

    @property
    def NUM_FURTHER_WORDS(self) -> int:
        """How many words the beginning of an action has, V."""

    @property
    def LAYOUT(self) -> PlaneLayout:
        """How a position's words become planes, and which outputs are legal."""

    @property
    def FURTHER_LAYOUT(self) -> PlaneLayout:
        """The same of beginnings of actions, and of their next part."""

    @property
    def NUM_OUTPUTS(self) -> int:
        """How many outputs the first part of an action is one of."""

    @property
    def NUM_FURTHER_OUTPUTS(self) -> int:
        """How many the further parts are of."""

    @property
    def OUTPUT_OF(self) -> np.ndarray:
        """The output of each action but bids [any number]."""

    @property
    def FURTHER(self) -> np.ndarray:
        """Their further parts [any number, most], -1 behind the last: no two actions have all parts alike."""

    @property
    def FURTHER_KIND(self) -> str:
        """The kind of decisions that further parts are, the last of DECISION_KINDS if there are any."""

    def encode(self, view: View, seat: int, words: Any, /) -> None:
        """Write what the seat to move sees to `words` [W]."""

    def encode_all(self, views: Any, seats: Any, words: Any, first: int, last: int, /) -> None:
        """`encode` for views first..last-1, words [K, W]."""

    def encode_further(self, view: View, seat: int, action: int, done: int, words: Any, /) -> None:
        """Write to `words` [V] by what the part after an action's first `done` further ones is chosen."""

    def encode_further_all(
        self, views: Any, seats: Any, rows: Any, actions: Any, done: int, words: Any, first: int, last: int, /
    ) -> None:
        """`encode_further` for actions first..last-1 in views rows[k], words [U, V]."""

    def num_further(self, action: int, /) -> int:
        """How many further parts an action has."""

    def decision_kinds(self, words: Any, /) -> Any:
        """The kind of first parts [K] from words [K, W], an array or a tensor."""


class OptionalFactoredEncoding(OptionalEncoding, Protocol):
    """What an encoding played by `factored` may have."""

    @property
    def BIDDER(self) -> str:
        """The one of the game's `bidders` that bids for its players."""


# By the descriptor's field: what the file must have, and what it may have.
PARTS: dict[str, tuple[type, ...]] = {
    "rules": (Rules, OptionalRules),
    "text": (Text, OptionalText),
    "events": (Events,),
    "reasons": (Reasons,),
    "terminal": (Terminal, OptionalTerminal),
    "scenarios": (Scenarios, OptionalScenarios),
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
    "moves": (MoveEncoding, OptionalEncoding),
    "decompositions": (GroupEncoding, OptionalEncoding),
    "actions": (ActionEncoding, OptionalEncoding),
    "factored": (FactoredEncoding, OptionalFactoredEncoding),
}
