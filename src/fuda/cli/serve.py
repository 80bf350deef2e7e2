"""`fuda serve`: the table in the browser."""

import re
from pathlib import Path
from typing import Annotated

import typer

from fuda.cli.options import data_folder
from fuda.core.errors import echo

MAX_PORT = 65535
NOT_INSTALLED = "fuda serve needs some more packages; install them by: pip install 'fuda[web]'"


def serve(
    port: Annotated[
        str, typer.Option(help="The port, 0 to 65535; 0 is any that is free.", metavar="PORT")
    ] = "8642",
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
    names = tuple(_check_name(text) for text in name or ())
    run(Config(data or data_folder() / "table", host, _read_port(port), names), browser)


def _read_port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > MAX_PORT:
        raise ValueError(
            f"a port is a whole number from 0 to {MAX_PORT}, not {echo(text)}; give another --port"
        )
    return int(text)


def _check_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]", text):
        raise ValueError(
            f"a --name is a host's name such as cards.example.org, without http:// and port, not {echo(text)}"
        )
    return text
