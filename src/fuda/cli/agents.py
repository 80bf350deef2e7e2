"""`fuda agents`: who can be played against."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fuda.agents import agent_info, list_agents


def agents(
    game: Annotated[str | None, typer.Argument(help="Only the agents of this game.", metavar="GAME")] = None,
) -> None:
    """List the agents with a line each."""
    table = Table("agent", "title", "how it plays", box=None)
    for name in list_agents(game):
        info = agent_info(name)
        table.add_row(name, info.title, info.line)
    Console().print(table)
