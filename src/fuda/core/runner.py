"""Many matches at once, in lock-step: each agent is asked for one batch of moves from views.

Entrants are numbered; `seatings[b, s]` says which of them sits in seat s of match b.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fuda.core.errors import AgentError
from fuda.core.generator import AGENT, CHANCE, streams_at
from fuda.core.kernels import ALL_LEGAL
from fuda.core.state import NOBODY
from fuda.core.threads import split

if TYPE_CHECKING:
    from fuda.core.game import Game

FEW = 64  # matches whose first positions are looked at: a game that declares too few legal actions shows it

# act(views [K], seats [K], rngs [K]) -> actions [K]
Act = Callable[[np.recarray, np.ndarray, np.ndarray], np.ndarray]


class LockStep:
    """B matches of one game that advance together.

    Match b has the cards of deal number `deals[b]` of the seed, so that the same deal can be
    played in several seatings, and its agents' random numbers are its own: nothing depends on
    which other matches are in the batch, or on the number of cores.
    """

    def __init__(self, game: "Game", seed: int, deals: np.ndarray, seatings: np.ndarray):
        self.game = game
        self.seatings = seatings
        self.chance = streams_at(seed, CHANCE, deals)
        self.states = game.spec.new_states(len(deals))
        self.luck = agents_luck(seed, deals, seatings)
        split(
            game.spec.kernels.start_all,
            self.states, game.option_codes, self.chance, count=len(deals),
        )  # fmt: skip
        # Before any agent writes past its arrays; all positions are checked as moves are played.
        game.spec.check_num_legal(game.spec.kernels.most_legal(self.states, 0, min(len(deals), FEW)))

    def play(self, agents: Sequence[Act], on_move: Callable[[int], None] | None = None) -> np.ndarray:
        """Play all matches to the end; final scores [B, S]. `on_move` hears of moves made."""
        running = np.arange(len(self.states))
        while len(running):
            seats = self.states["seat"][running]
            entrants = self.seatings[running, seats]
            for entrant, act in enumerate(agents):
                index = running[entrants == entrant]
                if len(index):
                    self.advance(index, act)
            if on_move is not None:
                on_move(len(running))
            running = running[self.states["seat"][running] != NOBODY]
        scores = np.zeros((len(self.states), self.game.spec.seats), np.int64)
        self.game.spec.kernels.score_all(self.states, scores)
        return scores

    def advance(self, index: np.ndarray, act: Act) -> None:
        """Ask for and play one move in each of the matches `index`."""
        kernels = self.game.spec.kernels
        views = self.game.spec.new_states(len(index))
        seats = np.empty(len(index), np.int64)
        split(kernels.view_movers, self.states, index, views, seats, count=len(index))
        luck = self.luck[index, seats]
        actions = ask(act, views, seats, luck)
        self.luck[index, seats] = luck
        refused = split(kernels.play_all, self.states, index, actions, self.chance, count=len(index))
        for k in refused:
            if k < ALL_LEGAL:
                self.game.spec.check_num_legal(-k)
            if k != ALL_LEGAL:
                raise AgentError(f"{_name(act)} chose action {actions[k]}, which is not legal")


def ask(act: Act, views: np.recarray, seats: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """An agent's actions [K] int64, legal or not; `luck` [K] is advanced."""
    actions = np.asarray(act(views, seats, luck))
    if actions.shape != seats.shape or not np.issubdtype(actions.dtype, np.integer):
        raise AgentError(f"{_name(act)} answered {actions.shape} {actions.dtype} to {len(seats)} views")
    return actions.astype(np.int64)


def agents_luck(seed: int, deals: np.ndarray, seatings: np.ndarray) -> np.ndarray:
    """Random streams [B, S] of the agents in matches: one for each deal, seat and entrant in it."""
    return streams_at(seed, AGENT, luck_numbers(deals, seatings))


def luck_numbers(deals: np.ndarray, seatings: np.ndarray) -> np.ndarray:
    """The numbers of these streams [B, S]."""
    num_seats = seatings.shape[1]
    return np.asarray((deals[:, None] * num_seats + np.arange(num_seats)) * num_seats + seatings)


def _name(act: Act) -> str:
    return str(getattr(getattr(act, "__self__", None), "name", "an agent"))
