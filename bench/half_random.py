"""The player for whom a beginner is meant: a game's hand-written one, half of whose moves are random.

fuda duel koikoi koikoi/beginner "half_random:HalfRandom,game=koikoi" --games 2000 --seed 1
"""

from typing import Any

import numpy as np

import fuda
from fuda.agents import Agent, AgentInfo
from fuda.core.generator import fork_all

FORKED = 2.0**63  # forked generators are below it


class HalfRandom(Agent):
    """Plays each move by the game's fallback or, as often, at random."""

    def __init__(self, game: str, seed: int = 0):
        spec = fuda.game(game).spec
        self._plain = fuda.agent(f"{game}/{spec.fallback}", seed)
        self._random = fuda.agent(f"{game}/random", seed)
        info = AgentInfo("Half random", "Half of its moves are those of the game's hand-written player.")
        super().__init__(f"half_random:HalfRandom,game={game}", spec, info, seed)

    def act(self, views: Any, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """Actions [K] of one or the other."""
        forked = np.zeros((len(views), 1), np.uint64)
        fork_all(rngs, forked, 0, len(views))
        plain, other = (player.act(views, seats, rngs) for player in (self._plain, self._random))
        return np.where(forked[:, 0] / FORKED < 0.5, plain, other)
