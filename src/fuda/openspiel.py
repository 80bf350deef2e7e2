"""Every game as a game of OpenSpiel: after this import, `pyspiel.load_game("fuda_koikoi(rounds=4)")`.

All luck is explicit: cards are dealt one at a time, each a chance node whose outcomes are the cards that are
left. Before the first deal stands one for what the rules draw by lot, where they do (who deals first).
`state.returns()` are the margins of the seats, as `fuda.duel` counts them, at the end of the match.

Tensors are what a network of ours reads of the mover's view (`fuda.vector` has the same, and names the
columns); of who is not to move they are zeros. Information states have all that a seat has seen since the
match began, as a hash beside the view. Options of the game are parameters; a word that is a number stands in
quotes: `fuda_koikoi(viewing='5')`. Needs the extra `openspiel`.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fuda.core.errors import how_to_get

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"fuda.openspiel needs {error.name}: {how_to_get('openspiel')}", name=error.name
    ) from None

from fuda.core.errors import IllegalMove, echo
from fuda.core.game import Game, GameSpec, Option
from fuda.core.generator import CHANCE, SAMPLE, streams
from fuda.core.one_match import FIRST_LEGAL, NOW, NUM_POSITIONS, SEAT, STATUS
from fuda.core.state import AWAITING_DEAL, OVER, PLAYING
from fuda.envs import encoding_of, layout_of
from fuda.games import game as find_game
from fuda.games import list_games

PREFIX = "fuda_"
NUM_LOTS = 256  # the streams by which all outcomes of a lot are found
DEALT_AGAIN = 16  # deals in a match that the rules deal again: there is no limit, but so many do not occur
SAMPLER_STEPS = 2**53  # as fine as their sampler's numbers are


def load_game(game_id: str, **options: object) -> pyspiel.Game:
    """The game of OpenSpiel with rule options as keywords, a preset among them, as `fuda.game` takes them."""
    found = find_game(game_id, **options)
    return pyspiel.load_game(PREFIX + game_id, _parameters(found.spec, found.changed_options))


@dataclass(frozen=True, eq=False)
class Position:
    """Where a match stands. It is never changed, so that copies of a state can share it."""

    records: np.ndarray  # the three of core/one_match.py, the last is how it stands now
    facts: list[int]  # what is to know of the last one
    seen: tuple[bytes, ...]  # by seat, a hash of all its views until now
    is_begun: bool = True  # whether the lots before the first deal are drawn
    deck: tuple[int, ...] = ()  # the cards of a deal, as far as they are drawn

    def __deepcopy__(self, memo: object) -> "Position":
        return self

    @property
    def record(self) -> np.recarray:
        """How it stands, with all hidden cards."""
        return self.records[NOW:].view(np.recarray)


class MatchState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A match in progress."""

    def __init__(self, game: "MatchGame"):
        super().__init__(game)
        self._at = game.beginning  # the one attribute: OpenSpiel copies and stores attributes

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or the end."""
        status = self._at.facts[STATUS]
        if status == PLAYING:
            return self._at.facts[SEAT]
        return int(pyspiel.PlayerId.TERMINAL if status == OVER else pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        """Whether the match has ended."""
        return self._at.facts[STATUS] == OVER

    def _legal_actions(self, _player: int) -> list[int]:
        return self._at.facts[FIRST_LEGAL:]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next card with its chances; before the first deal the outcomes of the lot."""
        game = self.get_game()
        if not self._at.is_begun:
            return [(lot, 1 / len(game.starts)) for lot in range(len(game.starts))]
        left, num_left = game.cards - Counter(self._at.deck), len(game.spec.deck) - len(self._at.deck)
        return [(card, count / num_left) for card, count in sorted(left.items())]

    def _apply_action(self, action: int) -> None:
        game, at = self.get_game(), self._at
        if at.facts[STATUS] == PLAYING:
            if action not in at.facts[FIRST_LEGAL:]:
                raise IllegalMove(f"action {action} is not legal; state.legal_actions() lists what is")
            self._at = game.seen_by_all(at, *game.one.play(at.records, action))
        elif not at.is_begun:
            self._at = game.begun(action)
        else:
            self._at = game.dealt(at, (*at.deck, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(self.get_game().spec.move_texts[action])
        return f"card {action}" if self._at.is_begun else f"lot {action}"

    def returns(self) -> list[float]:
        """By how much each seat's side won, once the match is over."""
        return list(self.get_game().margins(self._at)) if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "MatchState":
        """A state that this seat cannot tell from this one, all deals alike; its history stays as it was."""
        found, game = self.clone(), self.get_game()
        if self._at.facts[STATUS] == PLAYING:
            records = self._at.records.copy()
            records[NOW] = game.one.view(self._at.records, player)[0]
            rng = streams(int(sampler() * SAMPLER_STEPS), SAMPLE, 0, 1)
            game.spec.rules.redeal(records[NOW:].view(np.recarray)[0], player, rng)
            found._at = replace(self._at, records=records)
        return found

    def __str__(self) -> str:
        if self.is_terminal():
            return f"over: {self.returns()}"
        if not self.is_chance_node():
            return self.get_game().told(self._at, self.current_player())
        return f"dealt: {' '.join(map(str, self._at.deck))}" if self._at.is_begun else "lots"


class MatchGame(pyspiel.Game):  # type: ignore[misc]
    """A game of fuda with its options; each game has a class of its own, with its descriptor."""

    spec: GameSpec

    def __init__(self, parameters: Mapping[str, object] | None = None):
        spec = self.spec
        self.game = Game(spec, _options(parameters or {}))
        self.one = spec.kernels.one
        self.cards = Counter(spec.deck)
        self.starts = _starts(self.game)
        most_deals = spec.max_deals(self.game.all_options) or spec.max_decisions
        self._most_cards = (most_deals + DEALT_AGAIN) * len(spec.deck)
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.num_actions,
            max_chance_outcomes=max(max(spec.deck) + 1, len(self.starts)),
            num_players=spec.seats,
            min_utility=-math.inf,  # games do not say how much can be won at most
            max_utility=math.inf,
            utility_sum=0.0 if _is_zero_sum(self.game) else None,
            max_game_length=min(most_deals * self.game.deal_decisions, spec.max_decisions),
        )
        super().__init__(_kind_of(self.game), info, dict(parameters or {}))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return pyspiel.load_game, (str(self),)

    @cached_property
    def beginning(self) -> Position:
        """Before anything has happened."""
        if len(self.starts) == 1:
            return self.begun(0)
        blank = np.zeros(NUM_POSITIONS, self.spec.rules.STATE)
        return Position(blank, [0, AWAITING_DEAL, 0], (b"",) * self.spec.seats, is_begun=False)

    def new_initial_state(self) -> MatchState:
        """A match before its first card."""
        return MatchState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The lot and the cards; of deals that the rules deal again as many as ever happens."""
        return (len(self.starts) > 1) + self._most_cards

    def make_py_observer(self, kind: Any = None, params: object = None) -> "Observer | None":
        """What tells of a state what a seat sees now, or (perfect recall) has seen."""
        if params:
            raise ValueError(
                f"observations of fuda's games have no parameters, but were given {echo(params)}"
            )
        if kind is None:
            return Observer(self, recalls=False)
        if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return Observer(self, recalls=kind.perfect_recall)
        return None

    def begun(self, lot: int) -> Position:
        """The match once its lots are drawn."""
        records = np.stack([self.starts[lot]] * NUM_POSITIONS)
        return Position(records, self.one.look(records), (b"",) * self.spec.seats)

    def dealt(self, at: Position, deck: tuple[int, ...]) -> Position:
        """The match with these cards of a deal drawn; once it has all, dealt or to be dealt again."""
        if deck.count(deck[-1]) > self.cards[deck[-1]]:
            raise IllegalMove(f"card {deck[-1]} is not in the deck any more")
        if len(deck) < len(self.spec.deck):
            return replace(at, deck=deck)
        records = at.records.copy()
        if not self.spec.rules.deal(records[NOW:].view(np.recarray)[0], np.array(deck, np.int8)):
            return replace(at, deck=())
        return self.seen_by_all(at, records, self.one.look(records))

    def seen_by_all(self, before: Position, records: np.ndarray, facts: list[int]) -> Position:
        """The match after a move or a deal, which each seat has seen in its own view."""
        seen = tuple(
            hashlib.sha256(before.seen[seat] + self.one.view(records, seat).tobytes()).digest()
            for seat in range(self.spec.seats)
        )
        return Position(records, facts, seen)

    def margins(self, at: Position) -> list[float]:
        """By how much each seat's side won."""
        rules, seats = self.spec.rules, range(self.spec.seats)
        scores = np.zeros(self.spec.seats, np.int64)
        rules.scores(at.record[0], scores)
        sides = [rules.side(at.record[0], seat) for seat in seats]
        return [float(self.spec.margin(scores, [side == sides[seat] for side in sides])) for seat in seats]

    def told(self, at: Position, seat: int) -> str:
        """What a seat sees, as text."""
        view = self.one.view(at.records, seat).view(np.recarray)
        return json.dumps({"seat": seat, **self.spec.text.view_dict(view[0], seat)})

    @cached_property
    def layout(self) -> Any:
        """What the columns of the tensors mean; None where the game has no encoding of its views."""
        return layout_of(self.game) if encoding_of(self.game) else None


class Observer:
    """What a seat sees of a state, as a tensor and as text, in the form that OpenSpiel's observers have."""

    def __init__(self, game: MatchGame, recalls: bool):
        self._game, self._recalls = game, recalls
        self.tensor = None if game.layout is None else np.zeros(game.layout.width, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MatchState, player: int) -> None:
        """Write the tensor."""
        if self.tensor is None:
            return
        if state.current_player() == player:
            view = self._game.one.view(state._at.records, player).view(np.recarray)
            self.tensor[:] = self._game.layout.tell(view, player)
        else:
            self.tensor[:] = 0

    def string_from(self, state: MatchState, player: int) -> str:
        """What the seat sees; with perfect recall a hash of all that it has seen follows."""
        told = self._game.told(state._at, player)
        return f"{told} {state._at.seen[player].hex()}" if self._recalls else told


def _starts(game: Game) -> list[np.ndarray]:
    """The states that a match can begin in, before the first deal; the rules draw them with equal chances."""
    found: dict[bytes, np.ndarray] = {}
    for rng in streams(0, CHANCE, 0, NUM_LOTS):
        state = game.spec.new_states(1)
        game.spec.rules.start(state[0], game.option_codes, np.array([rng]))
        found.setdefault(state.tobytes(), np.asarray(state)[0])
    return [found[key] for key in sorted(found)]


def _is_zero_sum(game: Game) -> bool:
    """Whether the margins of the seats cancel out: two sides of as many seats."""
    return game.spec.two_sided and all(2 * sum(seating) == game.spec.seats for seating in game.seatings)


def _parameter(option: Option, value: int | str) -> int | str:
    """A value as OpenSpiel takes it: in its texts what looks like a number is one, so a word gets quotes."""
    return f"'{value}'" if option.words and str(value).isdigit() else value


def _parameters(spec: GameSpec, options: Mapping[str, int | str]) -> dict[str, int | str]:
    return {
        option.name: _parameter(option, options[option.name])
        for option in spec.options
        if option.name in options
    }


def _options(parameters: Mapping[str, object]) -> dict[str, object]:
    """The options that parameters mean."""
    return {name: value.strip("'") if isinstance(value, str) else value for name, value in parameters.items()}


def _kind_of(game: Game) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game before it is played."""
    spec, utility, has_tensors = game.spec, pyspiel.GameType.Utility, encoding_of(game) is not None
    return pyspiel.GameType(
        short_name=PREFIX + spec.id,
        long_name=spec.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if _is_zero_sum(game) else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=spec.seats,
        min_num_players=spec.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensors,
        provides_observation_string=True,
        provides_observation_tensor=has_tensors,
        parameter_specification=_parameters(spec, spec.default_options),
    )


def _register(game_id: str) -> None:
    """Make a game known to OpenSpiel, which lets go of it after Python has ended.

    What is no class would be freed then, and crash.
    """
    game = find_game(game_id)
    made = type(f"{MatchGame.__name__}_{game_id}", (MatchGame,), {"spec": game.spec})
    pyspiel.register_game(_kind_of(game), made)


for _game_id in list_games():
    _register(_game_id)
