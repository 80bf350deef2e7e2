"""`fuda serve`: the table in the browser."""

import re
from pathlib import Path
from typing import Annotated

import typer

from fuda.cli.options import data_folder
from fuda.core.errors import echo, how_to_get

MAX_PORT = 65535


def serve(
    port: Annotated[
        str, typer.Option(help="The port, 0 to 65535; 0 is any that is free.", metavar="PORT")
    ] = "8642",
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A further name under which browsers reach it.")
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let devices of your network in, by a link; not encrypted.")
    ] = False,
    public_url: Annotated[
        str, typer.Option(help="Where a proxy with TLS makes it public.", metavar="https://HOST")
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="From where that proxy speaks; else this machine.", metavar="ADDRESS[/BITS]"),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(help="A bot that may sit at tables; may be repeated.", metavar="NAME=COMMAND"),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Where games are kept; else your data folder.")] = None,
    backup: Annotated[
        Path | None,
        typer.Option(help="Copy the games to a file and end, also while a server runs.", metavar="FILE"),
    ] = None,
    keep_days: Annotated[
        int | None,
        typer.Option(min=1, help="Remove games so long after their last move; else never.", metavar="DAYS"),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Look at games, agents and processes, and end; nothing changes.")
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser; games go on where they were, also after a restart."""
    try:
        from fuda.serve.addresses import read_proxy
        from fuda.serve.check import check as check_all
        from fuda.serve.config import Config
        from fuda.serve.network import read_public_url
        from fuda.serve.roster import served_bot
        from fuda.serve.run import run
        from fuda.serve.store import back_up
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "fuda":
            raise
        raise ValueError(f"the table in the browser needs {error.name}: {how_to_get('web')}") from None
    if backup is not None:
        back_up(data or data_folder() / "table", backup)
        print(f"fuda: the games are copied to {backup}")
        return
    if proxy and not public_url:
        raise ValueError("a --proxy passes on what comes to a --public-url; give that, too")
    names = tuple(_check_name(text) for text in name or ())
    bots = tuple(served_bot(text) for text in bot or ())
    config = Config(
        data or data_folder() / "table",
        host=host,
        port=_read_port(port),
        names=names,
        bots=bots,
        lan=lan,
        public_url=read_public_url(public_url) if public_url else "",
        proxies=tuple(read_proxy(text) for text in proxy or ()),
        keep_days=keep_days,
    )
    if check:
        if not check_all(config):
            raise typer.Exit(1)
        return
    run(config, browser)


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
