"""Positions of self-play: matches of one agent against itself that advance together."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fuda.agents import Agent
from fuda.core.game import Game
from fuda.core.generator import AGENT, MAX_SEED, check_seed, streams
from fuda.core.match import MAX_NAME, Match

MAX_GAMES = 100_000

Progress = Callable[[int, int], None]  # games finished, games in all


def walk(
    game: Game, agent: Agent, games: int, seed: int, progress: Progress | None = None
) -> Iterator[tuple[np.ndarray, list[Match]]]:
    """Before each move, the matches in which the agent has a choice, with their numbers.

    The agent plays all seats. The matches go on when the next are asked for: copy what is to stay.
    Match k has seed `seed` + k.
    """
    check_games(games)
    if agent.spec is not game.spec:
        raise ValueError(f"{agent.name} does not play {game.id}")
    check_seed(seed)
    players = [agent.name[-MAX_NAME:]] * game.spec.seats
    matches = [game.start((seed + k) % MAX_SEED, players=players) for k in range(games)]
    luck = streams(seed, AGENT, 0, games)
    running = np.arange(games)
    while len(running):
        free = [k for k in running if len(matches[k].legal_actions()) > 1]
        if free:
            yield np.array(free), [matches[k] for k in free]
        views, seats = views_of([matches[k] for k in running])
        rngs = luck[running]
        actions = agent.act(views, seats, rngs)
        luck[running] = rngs
        for k, action in zip(running, actions, strict=True):
            matches[k].play(game.spec.text.move_text(int(action)))
        running = np.array([k for k in running if not matches[k].over], np.int64)
        if progress is not None:
            progress(games - len(running), games)


def check_games(games: int) -> int:
    """A number of games that can advance together."""
    if not 1 <= games <= MAX_GAMES:
        raise ValueError(f"games are from 1 to {MAX_GAMES:,}, not {games}")
    return games


def views_of(matches: Sequence[Match]) -> tuple[np.recarray, np.ndarray]:
    """The movers' views [K] and their seats [K]."""
    seats = [match.seat for match in matches if match.seat is not None]
    views = [match.view_record(seat) for match, seat in zip(matches, seats, strict=True)]
    return np.concatenate(views).view(np.recarray), np.array(seats)
