"""`fuda record`: matches on disk."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fuda import records
from fuda.agents import agent_of
from fuda.cli.options import (
    GameId,
    MatchSeed,
    RuleOptions,
    agent_seeds,
    folder_for,
    game_with,
    new_file,
    player_name,
    tell_verdicts,
)
from fuda.core.errors import how_to_get
from fuda.core.match import Match

app = typer.Typer(help="Records of matches: make, import, show, replay.", no_args_is_help=True)

RecordFiles = Annotated[list[Path], typer.Argument(help="Record files.", metavar="FILES...")]


@app.command()
def new(
    game: GameId,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", help="Who plays: once, or once for each seat; else the random agent."),
    ] = None,
    seed: MatchSeed = None,
    option: RuleOptions = None,
) -> None:
    """Let agents play a match and save its record."""
    table = game_with(game, option)
    seats = table.spec.seats
    names = agents or [f"{table.id}/random"]
    if len(names) not in (1, seats):
        raise ValueError(f"give --agent once, or {seats} times, not {len(names)} times")
    names = names * seats if len(names) == 1 else names
    seeds = agent_seeds(seed, seats)
    players = [agent_of(table.id, name, luck) for name, luck in zip(names, seeds, strict=True)]
    new_file(out)  # before the work, not after it
    match = table.start(seed, players=[player_name(name) for name in names])
    while match.seat is not None:
        match.play(players[match.seat].choose(match))
    records.save(match, out)
    print(f"{out}: {len(match.moves)} moves, scores {match.scores}")
    tell_verdicts(players)


@app.command("import")
def import_files(
    game: GameId,
    files: Annotated[list[Path], typer.Argument(help="Files of another program.", metavar="FILES...")],
    out: Annotated[
        Path | None, typer.Option(help="A folder for the records; else they are only checked.")
    ] = None,
    packed: Annotated[
        Path | None,
        typer.Option(help="One file of all games, to learn from by fuda train --records.", metavar="FILE"),
    ] = None,
) -> None:
    """Import matches from another program's files; each is replayed and checked."""
    stems = Counter(file.stem for file in files)
    if out is not None and len(stems) < len(files):
        raise ValueError(f"{stems.most_common(1)[0][0]} is the name of two files; import them one by one")
    if packed is not None:
        new_file(packed)
    read = [records.load_foreign_all(game, file) for file in files]  # all are read before any is written
    if packed is not None:
        _pack(packed, [match for matches in read for match in matches])
    total: Counter[str] = Counter()
    for file, matches in zip(files, read, strict=True):
        for number, match in enumerate(matches, 1):
            total.update(matches=1, deals=len(match.deals), moves=len(match.moves))
            name = file.stem if len(matches) == 1 else f"{file.stem}-{number}"
            if out is not None:
                records.save(match, folder_for(out) / f"{name}.jsonl")
    told = [f"{total[what]} {what}" for what in ("matches", "deals", "moves")]
    print(f"{', '.join(told)}: all replayed")


def _pack(path: Path, matches: list[Match]) -> None:
    """Write one file of all games, to learn from."""
    try:
        from fuda.training.played import pack, write_games
    except ModuleNotFoundError as error:
        raise ValueError(f"games to learn from need {error.name}: {how_to_get('train')}") from None
    write_games(path, matches[0].game, pack(matches), {"imported": True})


@app.command()
def show(file: Annotated[Path, typer.Argument(help="A record file.", metavar="FILE")]) -> None:
    """Tell a match move by move."""
    told = records.load(file)
    console = Console(highlight=False)
    screen = told.game.spec.screen
    names = [f"{name} ({seat})" for seat, name in enumerate(told.players)]
    match: Match = told.game.start(told.seed, told.deals, told.players)
    options = ", ".join(f"{name} {value}" for name, value in told.game.options.items())
    console.print(f"[bold]{told.game.spec.title}[/], {options}", markup=True)
    for event in match.first_deal_events(0):
        console.print(screen.say(event, names))
    for seat, move in told.moves:
        match.play(move)
        for event in match.events(seat):
            console.print(screen.say(event, names))
    if not told.over:
        console.print("The match was not finished.")


@app.command()
def replay(files: RecordFiles) -> None:
    """Replay records and check every line of them."""
    for file in files:
        match = records.load(file)
        end = f"scores {match.scores}" if match.over else "not finished"
        print(f"{file}: {match.game.id}, {len(match.moves)} moves, {end}: good")
