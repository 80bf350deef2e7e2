"""One player in some of the seats, and another in all others: who wins there, deal by deal."""

from collections.abc import Sequence

import numpy as np

from fuda.agents import Agent, agent_of
from fuda.core.game import Game
from fuda.core.runner import LockStep


def wins(
    game: Game, player: Agent, others: Agent | str, seats: Sequence[int], games: int, seed: int
) -> np.ndarray:
    """Whether the player won [games], deal by deal of a seed: whether it scored in the first of its seats."""
    beside = agent_of(game.id, others) if isinstance(others, str) else others
    seating = np.ones((games, game.spec.seats), np.int64)
    seating[:, list(seats)] = 0
    table = LockStep(game, seed, np.arange(games), seating)
    return np.asarray(table.play([player.act, beside.act])[:, seats[0]] > 0)


def games_won(
    game: Game, player: Agent, others: Agent | str, seats: Sequence[int], games: int, seed: int
) -> tuple[float, float]:
    """The part of so many games that the player won, and its standard error."""
    share = float(wins(game, player, others, seats, games, seed).mean())
    return share, float(np.sqrt(share * (1 - share) / games))
