"""What an agent is: a batch of views in, a batch of actions out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fuda.core.errors import AgentError, echo
from fuda.core.game import Game, GameSpec
from fuda.core.generator import AGENT, check_seed, streams
from fuda.core.match import Match

# A unit of values: how likely a move is to be played, which says nothing of what it is worth.
POLICY = "policy"


@dataclass(frozen=True)
class AgentInfo:
    """What people are told about an agent."""

    title: str
    line: str  # one line: how it plays
    unit: str | None = None  # of its values: "points", "probability", POLICY, or None if it has none
    bids: bool = False  # whether it bids itself where a game has bidding
    bid_unit: str | None = None  # of its values of bids, which may be another one
    searches: bool = False  # whether it takes its time for a move; else it plays at once
    # The rule options that it learned under, but for neutral ones; None if it goes by those of the table.
    learned_options: Mapping[str, int | str] | None = field(default=None, hash=False)

    def unit_for(self, is_bid: bool) -> str | None:
        """The unit of its values of bids, or of all other moves."""
        return self.bid_unit if is_bid else self.unit

    def other_options(self, game: Game) -> dict[str, int | str]:
        """The options of a game that are not those it learned under: it plays on by the rules it knows."""
        if self.learned_options is None:
            return {}
        return {
            name: value
            for name, value in game.learned_options.items()
            if self.learned_options.get(name, value) != value
        }


class Agent(ABC):
    """A player. Subclasses write `act`, which only ever gets views; people use `choose`."""

    # A hash of what it has learned, or of a bot's program: its name may stay the same.
    weights: str | None = None
    bid_weights: str | None = None  # the same of the model that bids for it, if one does
    device: str = "cpu"  # where its networks are: "cpu", or a kind of devices of PyTorch
    deals_together: int = 1  # that a duel should play at once, at least: who works on a GPU wants many

    def __init__(self, name: str, spec: GameSpec, info: AgentInfo, seed: int = 0):
        self.name = name
        self.spec = spec
        self.info = info
        self._rng = streams(check_seed(seed), AGENT, 0, 1)

    @abstractmethod
    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """Actions [K] for the views [K] of the seats [K] to move; `rngs` [K] are advanced."""

    def evaluate(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> list[dict[int, float]] | None:
        """For each view the expected values of legal actions (none where it has none), or None."""
        return None

    def warm_up(self) -> None:
        """Decide once, so that nothing is compiled or loaded in the middle of a match."""
        match = Game(self.spec, {}).start(0)
        assert match.seat is not None
        view, seats = match.view_record(match.seat), np.array([match.seat])
        rngs = streams(0, AGENT, 0, 1)  # not the agent's own, which a match may depend on
        self.act(view, seats, rngs)
        self.evaluate(view, seats, rngs)

    def choose(self, match: Match) -> str:
        """The agent's move, as text, for the seat to move."""
        action = int(self.act(*self._ask(match))[0])
        for move, legal in match.legal_actions().items():
            if legal == action:
                return move
        raise AgentError(f"{self.name} chose action {action}, which is not legal")

    def values(self, match: Match) -> dict[str, float] | None:
        """The expected value of each legal move, in the unit that `info` has for it, or None."""
        found = self.evaluate(*self._ask(match))
        if not found or not found[0]:
            return None
        return {self.spec.text.move_text(action): value for action, value in found[0].items()}

    def _ask(self, match: Match) -> tuple[np.recarray, np.ndarray, np.ndarray]:
        if not isinstance(match, Match) or match.game.spec is not self.spec:
            raise ValueError(f"{self.name} plays {self.spec.id} matches, not {echo(match)}")
        if match.seat is None:
            raise ValueError("the match is over; there is nothing to choose")
        return match.view_record(match.seat), np.array([match.seat]), self._rng

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
