"""The command `fuda`: each subcommand in a file of its own."""

import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from fuda import __version__
from fuda.cli import (
    agents,
    bench,
    bot,
    duel,
    explain,
    models,
    play,
    prepare,
    ratings,
    record,
    review,
    serve,
    tournament,
    train,
)
from fuda.cli.voice import is_first, let_first_speak
from fuda.core.errors import AgentError

app = typer.Typer(
    help="Card games with hidden hands: play against the agents and rate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},  # of the subcommands, too
)


def show_version(wanted: bool) -> None:
    """Answer `fuda --version`."""
    if wanted:
        print(f"fuda {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Show fuda's version.", is_eager=True, callback=show_version)
    ] = False,
) -> None:
    """Card games with hidden hands: play against the agents and rate them."""


app.command()(serve.serve)
app.command()(play.play)
app.command()(duel.duel)
app.command(cls=tournament.Command)(tournament.tournament)
app.command()(ratings.ratings)
app.command()(train.train)
app.command()(agents.agents)
app.command()(models.models)
app.command()(bench.bench)
app.command()(explain.explain)
app.command()(review.review)
app.command()(prepare.prepare)
app.add_typer(record.app, name="record")
app.add_typer(bot.app, name="bot")

USAGE, INTERRUPTED = 2, 130
PATIENCE, STOPPING = 10.0, 2.0  # seconds that the first of several processes has to speak for all


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; bad input is one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without these characters still plays
    try:
        code = app(arguments, prog_name="fuda", standalone_mode=False)
    except (ValueError, AgentError) as error:
        _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        let_first_speak(STOPPING)
        if is_first():
            print("\nstopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # a disk that is full, a folder that cannot be made
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except Exception as error:
        # Typer's usage errors have no public base class, but all can format themselves.
        if not hasattr(error, "format_message"):
            raise
        sentence = (error.format_message() or "a command is missing").removesuffix(".")
        _fail(f"{sentence}. Try: {_command_path(arguments)} --help")
    if code == INTERRUPTED:  # some versions of Typer return it
        let_first_speak(STOPPING)
    sys.exit(code if isinstance(code, int) else 0)


def _command_path(arguments: Sequence[str] | None) -> str:
    """The command that a line is for. Not all of Typer's errors know it, but its name comes first."""
    path, command = "fuda", typer.main.get_command(app)
    for word in sys.argv[1:] if arguments is None else arguments:
        commands = getattr(command, "commands", {})
        if word not in commands:
            break
        path, command = f"{path} {word}", commands[word]
    return path


def _fail(sentence: str) -> None:
    let_first_speak(PATIENCE)
    print(f"fuda: {' '.join(sentence.split())}", file=sys.stderr)
    sys.exit(USAGE)
