"""The recipes of all games by name: plain data of a game's recipes.py, for the algorithm that it names."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, get_type_hints

from fuda.core.errors import echo
from fuda.games import list_games, part

# The recipe's class of each algorithm, by its file in this folder.
ALGORITHMS = {"values": "ValuesRecipe"}


class Found(NamedTuple):
    """A recipe, and the file whose `Run` runs it."""

    algorithm: ModuleType
    recipe: Any


def recipe_names() -> list[str]:
    """The names of all recipes, game by game."""
    return [name for game in list_games() for name in _recipes(game)]


def find_recipe(name: str) -> Found:
    """The recipe of a name, or a `ValueError` that lists them."""
    for game in list_games():
        if name in _recipes(game):
            return _read(game, _recipes(game)[name])
    raise ValueError(f"there is no recipe {echo(name)}; there are {', '.join(recipe_names())}")


def _recipes(game: str) -> Mapping[str, Mapping[str, Any]]:
    try:
        return part(game, "recipes").RECIPES
    except ModuleNotFoundError:
        return {}


def _read(game: str, plain: Mapping[str, Any]) -> Found:
    name = plain["algorithm"]
    algorithm = import_module(f"fuda.training.{name}")
    given = {key: value for key, value in plain.items() if key != "algorithm"}
    return Found(algorithm, _filled(getattr(algorithm, ALGORITHMS[name]), {"game": game, **given}))


def _filled(kind: Any, plain: Mapping[str, Any]) -> Any:
    """A dataclass of plain data, with those in it."""
    types = get_type_hints(kind)
    unknown = set(plain) - {each.name for each in fields(kind)}
    if unknown:
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**{name: _value(types[name], value) for name, value in plain.items()})


def _value(kind: Any, plain: Any) -> Any:
    return _filled(kind, plain) if is_dataclass(kind) and isinstance(plain, Mapping) else plain
