"""The tables of docs/training.md that list the recipes of each game, from the games' folders."""

from collections.abc import Callable
from functools import partial

from markdown_text import table

import fuda
from fuda.training.registry import find_recipe, recipe_names


def recipes(game: str) -> str:
    """The recipes of a game, in the order of its file."""
    rows = []
    for name in recipe_names():
        algorithm, recipe = find_recipe(name)
        if recipe.game == game:
            rows.append([
                f"`{name}`", algorithm.__name__.rpartition(".")[2], recipe.line,
                f"{recipe.groups * recipe.group_size:,}", f"{recipe.games:,}",
            ])  # fmt: skip
    return table(["recipe", "algorithm", "", "games at once", "games in all"], rows)


TABLES: dict[str, Callable[[], str]] = {
    f"recipes {game}": partial(recipes, game) for game in fuda.list_games()
}
