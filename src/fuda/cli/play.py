"""`fuda play`: a match against agents in the terminal."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown

from fuda.agents import Agent, agent_of
from fuda.agents.bot import BotAgent
from fuda.cli.options import (
    GameId,
    MatchSeed,
    RuleOptions,
    agent_seeds,
    data_folder,
    game_with,
    new_file,
    number_moves,
    player_name,
    tell_unlearned,
    tell_verdicts,
)
from fuda.core.errors import IllegalMove
from fuda.core.game import Game
from fuda.core.match import Match
from fuda.core.protocols import YOU, Terminal
from fuda.records import save

STAMP = "%Y%m%d-%H%M%S-%f"
FOR_PROGRAMS = "<!-- for programs -->"  # what follows it in a RULES.md is not for players


class LeaveTable(Exception):
    """The person wants to stop."""


def play(
    game: GameId,
    against: Annotated[
        list[str], typer.Option(help="The agent to play against; once, or once for each other seat.")
    ],
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: MatchSeed = None,
    option: RuleOptions = None,
    record: Annotated[
        Path | None, typer.Option(help="Where the record of the match goes; else your data folder.")
    ] = None,
) -> None:
    """Play a match in the terminal. The record is saved at the end, also when you leave early."""
    table = game_with(game, option)
    screen = table.spec.screen
    opponents = _seat_agents(table, against, seat, seed)
    tell_unlearned(table, opponents)
    names = _names(opponents, seat)
    match = table.start(seed, players=["you" if who is None else player_name(who.name) for who in opponents])
    path = (
        new_file(record)
        if record
        else data_folder() / "records" / f"{table.id}-{datetime.now():{STAMP}}.jsonl"
    )
    save(match, path)  # now, so that nobody plays a match that cannot be saved
    console = Console(highlight=False)
    console.print(f"[bold]{table.spec.title}[/] against {', '.join(against)}.", style="green")
    console.print(f"Type ? for help, {_leave_word(screen)} to leave the table.", style="green")
    width = getattr(screen, "WIDTH", 0)
    if console.is_terminal and console.width < width:
        console.print(f"The table needs {width} columns, not {console.width}.", style="red")
    with console.status("Preparing the table; the first time the rules are compiled ..."):
        for who in opponents:
            if who is not None:
                who.warm_up()
    try:
        while (mover := match.seat) is not None:
            player = opponents[mover]
            move = _ask(console, screen, match, seat, names) if player is None else player.choose(match)
            match.play(move)
            save(match, path)  # nothing is lost when the window is closed
            for event in match.events(seat):
                console.print(screen.say(event, names))
            note = player.note(mover) if isinstance(player, BotAgent) else None
            if note:
                console.print(f"{names[mover]}: {note}", markup=False, emoji=False)
    except (LeaveTable, EOFError, KeyboardInterrupt):
        console.print("\nYou left the table.")
    finally:
        console.print(f"Record: {path}", soft_wrap=True, markup=False)
        tell_verdicts(opponents)


def _leave_word(screen: Terminal) -> str:
    """What leaves the table: q, unless that is a card."""
    return "q" if getattr(screen, "typed", str)("q") == "q" else "quit"


def _seat_agents(table: Game, against: list[str], seat: int, seed: int | None) -> list[Agent | None]:
    """Who sits where; None is the person."""
    seats = table.spec.seats
    if not 0 <= seat < seats:
        raise ValueError(f"--seat is 0 to {seats - 1}, not {seat}")
    if len(against) not in (1, seats - 1):
        raise ValueError(f"give --against once, or {seats - 1} times, not {len(against)} times")
    names = against * (seats - 1) if len(against) == 1 else list(against)
    seeds = agent_seeds(seed, len(names))
    found: list[Agent | None] = [
        agent_of(table.id, name, luck) for name, luck in zip(names, seeds, strict=True)
    ]
    return [*found[:seat], None, *found[seat:]]


def _names(opponents: list[Agent | None], seat: int) -> list[str]:
    """What each seat is called; agents of one title get numbers, in order of play after the person."""
    names = [YOU if who is None else who.info.title for who in opponents]
    seats = len(names)
    twins = {name for name in names if names.count(name) > 1}
    met: Counter[str] = Counter()
    for place in range(seat + 1, seat + seats):
        name = names[place % seats]
        if name in twins:
            met[name] += 1
            names[place % seats] = f"{name} {met[name]}"
    return names


def _ask(console: Console, screen: Terminal, match: Match, seat: int, names: list[str]) -> str:
    """The person's move: a number or the move itself; anything else is explained and asked again."""
    view = match.view(seat)
    moves = screen.order(view["legal"])
    numbers = number_moves(screen, moves)
    by_number = {str(number): move for move, number in numbers.items()}
    read = getattr(screen, "typed", str)  # the game's own reading of what people type
    leave = _leave_word(screen)
    what_to_type = f"Type a number or a move; ? shows the rules, {leave} leaves the table."
    console.print(screen.draw(view, names, numbers))
    while True:
        typed = console.input("[bold]>[/] ").strip()
        if not typed:
            console.print(what_to_type)
        elif typed in ("?", "help"):
            rules = (match.game.spec.folder / "RULES.md").read_text(encoding="utf-8")
            console.print(Markdown(rules.partition(FOR_PROGRAMS)[0]))
            console.print(f"{what_to_type}\n")
            console.print(screen.draw(view, names, numbers))
        elif typed in (leave, "quit", "exit"):
            raise LeaveTable
        elif typed in by_number:
            return by_number[typed]
        elif read(typed) in moves:
            return str(read(typed))
        else:
            try:
                match.copy().play(read(typed))
            except IllegalMove as error:
                span = f"{min(numbers.values())} to {max(numbers.values())}"
                console.print(f"{error} (or a number from {span}).", style="red", markup=False)
