"""The games. Each folder here with a `rules.py` is one, and each entry point of the group `fuda.games`.

So a game may also live in another package: its entry point is named as the game and leads to the module that
has `SPEC`. There is no list to edit.
"""

import functools
import importlib
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from fuda.core.errors import echo
from fuda.core.game import Game, GameSpec

GROUP = "fuda.games"


@functools.cache
def _packages() -> dict[str, str]:
    """The package of each game, by its id."""
    found = {file.parent.name: f"{__name__}.{file.parent.name}" for file in _own_rules()}
    for entry in entry_points(group=GROUP):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ValueError(f"two packages have a game {entry.name}: {found[entry.name]} and {entry.value}")
    return dict(sorted(found.items()))


def _own_rules() -> list[Path]:
    return list(Path(__file__).parent.glob("*/rules.py"))


def list_games() -> list[str]:
    """The ids of all games, sorted."""
    return list(_packages())


def spec(game_id: object) -> GameSpec:
    """The descriptor of a game, or a `ValueError` that lists the games."""
    packages = _packages()
    if not isinstance(game_id, str) or game_id not in packages:
        raise ValueError(f"there is no game {echo(game_id)}; the games are {', '.join(packages)}")
    found = importlib.import_module(packages[game_id]).SPEC
    if found.id != game_id:
        raise ValueError(
            f"the game in {packages[game_id]} calls itself {found.id}: its SPEC needs id={game_id!r}"
        )
    return found


def part(game_id: str, name: str) -> ModuleType:
    """One file of a game's folder, as a module."""
    return importlib.import_module(f"{_packages()[game_id]}.{name}")


def game(game_id: str, **options: object) -> Game:
    """A game by its id, with rule options as keywords, or `preset` for those that players know by a name."""
    return Game(spec(game_id), options)
