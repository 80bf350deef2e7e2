"""What several subcommands share: arguments, and how they are read."""

import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fuda.agents import Agent
from fuda.agents.bot import BotAgent
from fuda.core.errors import echo
from fuda.core.game import Game
from fuda.core.generator import MAX_SEED
from fuda.core.match import MAX_NAME
from fuda.core.protocols import Terminal
from fuda.games import game, spec

GameId = Annotated[str, typer.Argument(help="The game, e.g. koikoi.", metavar="GAME", show_default=False)]
RuleOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="A rule option, e.g. rounds=4, or preset=NAME; may be repeated.",
        metavar="NAME=VALUE",
    ),
]
MatchSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="For experiments: the same deals and agents' luck each time, which can be foreseen. "
        "Else nobody can foresee the deals.",
    ),
]


def agent_seeds(seed: int | None, count: int) -> list[int]:
    """Seeds for the luck of so many agents at a table; without one for the match they are secret."""
    if seed is None:
        return [secrets.randbits(128) for _ in range(count)]
    return [(seed + place) % MAX_SEED for place in range(count)]


def player_name(name: str) -> str:
    """A name as a record can keep it: a bot's command may be long."""
    text = "".join(char if char.isprintable() else "?" for char in name)
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 3]}..."


def tell_verdicts(players: Sequence[Agent | None]) -> None:
    """Say where bots failed, so that the game's fallback played for them."""
    for player in players:
        if isinstance(player, BotAgent) and player.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(player.verdicts.items()))
            print(f"{player.info.title} did not play to the end ({counts}): {'; '.join(player.examples)}")


def data_folder() -> Path:
    """Where fuda keeps what a person has played."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "fuda"


def new_file(path: Path) -> Path:
    """A path to write to: never one that holds something, and in a folder that is there."""
    if path.exists():
        raise ValueError(f"{path} exists; choose another file or remove it")
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {path.parent}")
    return path


def folder_for(path: Path) -> Path:
    """A folder to write to, made where it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise ValueError(f"{path} is a file; choose a folder") from None
    return path


def game_with(game_id: str, given: list[str] | None) -> Game:
    """A game with options as typed, `name=value` each."""
    return game(game_id, **options_of(game_id, given))


def options_of(game_id: str, given: list[str] | None) -> dict[str, object]:
    """Options as typed, `name=value` each; what is wrong with them the game says."""
    known = {option.name: option for option in spec(game_id).options}
    options: dict[str, object] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"an option is written name=value, not {echo(text)}")
        options[name] = known[name].parse(value) if name in known else value
    return options


def tell_unlearned(table: Game, players: Sequence[Agent | None]) -> None:
    """Say who did not learn the rules of a table, on the error output: figures stay alone on the other."""
    for name, player in {player.name: player for player in players if player is not None}.items():
        others = player.info.other_options(table)
        if others:
            rules = ", ".join(f"{option}={value}" for option, value in others.items())
            print(f"{name} did not learn {rules}: it plays on by the rules that it knows", file=sys.stderr)


def number_moves(screen: Terminal, moves: list[str]) -> dict[str, int]:
    """The number of each move on a screen: from 1 on, if the game does not number moves otherwise."""
    if hasattr(screen, "number"):
        return dict(screen.number(moves))
    return {move: number for number, move in enumerate(moves, 1)}
