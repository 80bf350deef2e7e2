"""`fuda bot`: programs of others as players, and our agents as such programs."""

import json
import os
import sys
from typing import Annotated

import typer
from rich.console import Console

from fuda.agents import agent
from fuda.agents.bot import BotAgent
from fuda.agents.bot_server import serve_agent
from fuda.agents.loader import read_bot_name
from fuda.arena.bot_check import Report, check_bot
from fuda.cli.progress import shown
from fuda.games import spec

app = typer.Typer(help="Bots: programs that play by JSON lines.", no_args_is_help=True, add_completion=False)
NOT_SOUND = 1  # the exit code of a check that found something
MAX_MATCHES = 1_000_000


@app.command()
def check(
    command: Annotated[str, typer.Argument(help="The bot's command, or its name: bot,key=value:COMMAND.")],
    game: Annotated[str, typer.Option(help="The game that it is to play.", metavar="GAME")],
    matches: Annotated[int, typer.Option(help="How many to play, rounded up.")] = 100,
    seed: Annotated[int, typer.Option(help="Determines the deals and the luck.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Play matches with a bot and say which rules of the protocol it keeps; exit code 1 if not all."""
    if not 1 <= matches <= MAX_MATCHES:
        raise ValueError(f"--matches is from 1 to {MAX_MATCHES:,}, not {matches}")
    words, parameters = read_bot_name(command)
    bot = BotAgent(words, spec(game).id, seed, parameters)
    with shown(Console(stderr=True), "matches", transient=True) as bar:
        report = check_bot(
            bot, matches, seed, lambda done, total: bar.update(done / total, f"{done:,} of {total:,} matches")
        )
    bot.close()
    if as_json:
        print(json.dumps(report.as_dict()))
    else:
        _show(report)
    raise typer.Exit(0 if report.is_sound else NOT_SOUND)


def _show(report: Report) -> None:
    by = f" by {report.author}" if report.author else ""
    print(f"{report.title}{by}: {report.agent}")
    for rule in report.rules:
        detail = f": {rule.detail}" if rule.detail else ""
        print(f"  {'ok    ' if rule.is_kept else 'FAILED'}  {rule.name}{detail}")
    for name, value in report.figures.items():
        print(f"  {value:,.{0 if value == int(value) else 2}f} {name}")
    for note in report.notes:
        print(f"  {note}")
    print("It keeps all rules." if report.is_sound else "It does not keep all rules.")


@app.command()
def serve(
    name: Annotated[str, typer.Argument(help="The agent, e.g. koikoi/best.", metavar="AGENT")],
) -> None:
    """Speak the protocol for an agent of fuda, over standard input and output."""
    player = agent(name)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an agent prints must not be taken for an answer
    player.warm_up()
    serve_agent(player, sys.stdin.buffer, answers)
