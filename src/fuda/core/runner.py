"""Many matches at once, in lock-step: each agent is asked for one batch of moves from views.

Entrants are numbered; `seatings[b, s]` says which of them sits in seat s of match b.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fuda.core.errors import AgentError
from fuda.core.generator import AGENT, CHANCE, streams
from fuda.core.kernels import ALL_LEGAL
from fuda.core.state import NOBODY
from fuda.core.threads import split

if TYPE_CHECKING:
    from fuda.core.game import Game

# act(views [K], seats [K], rngs [K]) -> actions [K]
Act = Callable[[np.recarray, np.ndarray, np.ndarray], np.ndarray]


class LockStep:
    """B matches of one game that advance together.

    Match b has the cards of deal number `deals[b]` of the seed, so that the same deal can be
    played in several seatings, and its agents' random numbers are its own: nothing depends on
    which other matches are in the batch, or on the number of cores.
    """

    def __init__(self, game: "Game", seed: int, deals: np.ndarray, seatings: np.ndarray):
        first, last = int(deals.min()), int(deals.max()) + 1
        num_seats = game.spec.seats
        self.game = game
        self.seatings = seatings
        self.chance = streams(seed, CHANCE, first, last - first)[deals - first]
        self.states = game.spec.new_states(len(deals))
        # One stream for each deal, seat and entrant in it.
        number = (deals[:, None] * num_seats + np.arange(num_seats)) * num_seats + seatings
        low = int(number.min())
        self.luck = streams(seed, AGENT, low, int(number.max()) + 1 - low)[number - low]
        split(
            game.spec.kernels.start_all,
            self.states, game.option_codes, self.chance, count=len(deals),
        )  # fmt: skip

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
        actions = np.asarray(act(views, seats, luck))
        self.luck[index, seats] = luck
        if actions.shape != index.shape or not np.issubdtype(actions.dtype, np.integer):
            raise AgentError(f"{_name(act)} answered {actions.shape} {actions.dtype} to {len(index)} views")
        refused = split(
            kernels.play_all, self.states, index, actions.astype(np.int64), self.chance, count=len(index)
        )
        for k in refused:
            if k is not None and k != ALL_LEGAL:
                raise AgentError(f"{_name(act)} chose action {actions[k]}, which is not legal")


def _name(act: Act) -> str:
    return str(getattr(getattr(act, "__self__", None), "name", "an agent"))
