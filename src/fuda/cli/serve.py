"""`fuda serve`: the table in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from fuda.cli.options import data_folder

NOT_INSTALLED = "fuda serve needs some more packages; install them by: pip install 'fuda[web]'"


def serve(
    port: Annotated[int, typer.Option(help="The port; 0 is any that is free.", min=0, max=65535)] = 8642,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A further name under which browsers reach it.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Where games are kept; else your data folder.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser; games go on where they were, also after a restart."""
    try:
        from fuda.serve.config import Config
        from fuda.serve.run import run
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "fuda":
            raise
        raise ValueError(NOT_INSTALLED) from None
    run(Config(data or data_folder() / "table", host, port, tuple(name or ())), browser)
