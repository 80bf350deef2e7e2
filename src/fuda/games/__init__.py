"""The games. Each folder here with a `rules.py` is one; there is no list to edit."""

import functools
import importlib
from pathlib import Path

from fuda.core.errors import echo
from fuda.core.game import Game, GameSpec


@functools.cache
def _ids() -> tuple[str, ...]:
    return tuple(sorted(file.parent.name for file in Path(__file__).parent.glob("*/rules.py")))


def list_games() -> list[str]:
    """The ids of all games, sorted."""
    return list(_ids())


def spec(game_id: object) -> GameSpec:
    """The descriptor of a game, or a `ValueError` that lists the games."""
    if game_id not in _ids():
        raise ValueError(f"there is no game {echo(game_id)}; the games are {', '.join(_ids())}")
    module = importlib.import_module(f"{__name__}.{game_id}")
    return module.SPEC


def game(game_id: str, **options: object) -> Game:
    """A game by its id, with rule options as keywords."""
    return Game(spec(game_id), options)
