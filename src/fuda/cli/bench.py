"""`fuda bench`: how fast the engines are here."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fuda.arena.speed import measure
from fuda.cli.options import folder_for
from fuda.games import list_games, spec


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(help="The games; else all.", metavar="[GAME]...")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the figures as JSON, one file for each game.")
    ] = None,
) -> None:
    """Measure the speed of the engines by random play."""
    chosen = [spec(game).id for game in games or list_games()]
    if out is not None:
        folder_for(out)  # before the work, not after it
    console = Console()
    for game in chosen:
        figures = measure(game)
        table = Table("", "figure", title=f"{spec(game).title}: {figures['unit']}", title_justify="left")
        for name, value in figures.items():
            if isinstance(value, int | float) and name != "rules_version":
                table.add_row(name, f"{value:,}")
        console.print(table)
        if out is not None:
            path = out / f"engine-{game}.json"
            path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
            console.print(f"written to {path}", soft_wrap=True, markup=False)
    console.print(f"{figures['machine']['processor']}, {figures['machine']['cores']} cores", highlight=False)
