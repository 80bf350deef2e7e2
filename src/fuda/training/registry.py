"""The recipes of all games by name: plain data of a game's recipes.py, for the algorithm that it names."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, get_args, get_type_hints

from fuda.core.errors import echo
from fuda.core.game import Game
from fuda.core.protocols import BID
from fuda.games import list_games, part
from fuda.training.classifier import ClassifierRecipe

# The recipe's class of each algorithm, by its file in this folder.
ALGORITHMS = {
    "values": "ValuesRecipe", "trees": "TreesRecipe", "q_learning": "QLearningRecipe",
    "actor_critic": "ActorCriticRecipe", "imitation": "ImitationRecipe",
}  # fmt: skip
SMALL = "-small"  # how names of recipes for a CPU end


class Found(NamedTuple):
    """A recipe, and the file whose `Run` runs it."""

    algorithm: ModuleType
    recipe: Any


def recipe_names() -> list[str]:
    """The names of all recipes."""
    return [name for game in list_games() for name in _recipes(game)]


def find_recipe(name: str) -> Found:
    """The recipe of a name, or a `ValueError` that lists them."""
    for game in list_games():
        if name in _recipes(game):
            return _read(game, _recipes(game)[name])
    raise ValueError(f"there is no recipe {echo(name)}; there are {', '.join(recipe_names())}")


def recipes_under(game: Game) -> list[str]:
    """The recipes for a game whose networks make all decisions under its options."""
    found = []
    for name, plain in _recipes(game.id).items():
        encoding = part(game.id, str(plain.get("encoding", "encoding")))
        if BID in encoding.DECISION_KINDS and not game.untold(encoding):
            found.append(name)
    return found


def find_classifier(game: str, name: str) -> ClassifierRecipe:
    """The recipe of a name for what is learned from played games."""
    found: ClassifierRecipe = _filled(
        ClassifierRecipe, {"game": game, **part(game, "recipes").CLASSIFIERS[name]}
    )
    return found


def small_recipe(name: str) -> str:
    """The recipe for a CPU that does the same as the one of this name: NAME-small, or of a shorter NAME."""
    found = find_recipe(name)
    stems = [other.removesuffix(SMALL) for other in recipe_names() if other.endswith(SMALL)]
    for stem in sorted(stems, key=len, reverse=True):
        like = find_recipe(stem + SMALL)
        if name.startswith(stem) and like.algorithm == found.algorithm:
            return stem + SMALL
    return name


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
    """What a field is given; of several dataclasses that it may be, the first that has all names."""
    kinds = [each for each in get_args(kind) or (kind,) if is_dataclass(each)]
    if not kinds or not isinstance(plain, Mapping):
        return plain
    fitting = (each for each in kinds if set(plain) <= {field.name for field in fields(each)})
    return _filled(next(fitting, kinds[0]), plain)
