"""`fuda ratings`: the ladder of a game's agents."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fuda import arena
from fuda.arena.ratings import Ratings, Row
from fuda.cli.options import GameId, RuleOptions, game_with


def ratings(
    game: GameId,
    places: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders or files of stored duels and tournaments.")
    ],
    anchor: Annotated[
        str | None,
        typer.Option(help="The agent that has the rating 0: else the random one, or the weakest."),
    ] = None,
    option: RuleOptions = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ladder as JSON.")] = False,
) -> None:
    """Rate agents by the deals of stored duels: one ladder, with errors."""
    found = arena.ratings(game_with(game, option), *places, anchor=anchor)
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    show(found, Console(highlight=False))


def show(found: Ratings, console: Console) -> None:
    """The ladder, and what is to be said of it."""
    if not found.rows:
        console.print(f"nothing of {found.game} can be rated")
    else:
        console.print(ladder(found))
        console.print(f"rating 0: {found.anchor}; ± is one standard error of the gap to it", soft_wrap=True)
    for term in found.roles:
        console.print(
            f"as {term.role}: {term.rating:+.0f} ± {term.stderr:.0f} over the other side", soft_wrap=True
        )
    for pair in found.surprises:
        console.print(
            f"no ladder tells {pair.first} over {pair.second}: won {pair.win_rate:.1%} of {pair.games:,} "
            f"games, {pair.expected:.1%} expected ({pair.residual:+.1%} ± {pair.stderr:.1%})",
            soft_wrap=True,
        )
    for group in found.apart:
        console.print(f"not connected with {found.anchor} by games: {', '.join(group)}", soft_wrap=True)
    for why, count in Counter(one.why for one in found.left_out).items():
        console.print(f"not rated, {why}: {count} duel{'s' if count > 1 else ''}", soft_wrap=True)


def ladder(found: Ratings) -> Table:
    """The rows as a table."""
    roles = list(found.rows[0].by_role) if found.rows else []
    table = Table("", box=None)
    table.add_column("agent", no_wrap=True)
    for head in ("rating", "±", "above next", "games", "won", "points", *(f"as {role}" for role in roles)):
        table.add_column(head, justify="right")
    for place, row in enumerate(found, 1):
        table.add_row(
            str(place),
            row.agent.removeprefix(f"{found.game}/"),
            f"{row.rating:.0f}",
            "" if row.agent == found.anchor else f"{row.stderr:.0f}",
            "" if row.above_next is None else _chance(row),
            f"{row.games:,}",
            f"{row.win_rate:.1%}",
            f"{row.points:+.2f}",
            *(f"{row.by_role[role].win_rate:.1%}" for role in roles),
        )
    return table


def _chance(row: Row) -> str:
    """Samples cannot tell more than that it is above 99.9%."""
    chance = row.above_next or 0.0
    return ">99.9%" if chance == 1 else f"{chance:.1%}"
