"""`fuda tournament`: every pair of some agents on the same deals."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
from rich.console import Console, RenderableType

from fuda import arena
from fuda.agents import agent_of
from fuda.arena.cluster import LOCAL, RayWorkers
from fuda.arena.ratings import Played, Ratings, rate
from fuda.arena.tournament import Tournament
from fuda.arena.verdicts import verdict_lines
from fuda.arena.workers import LocalWorkers, ThisProcess, Workers
from fuda.cli.duel import on_device
from fuda.cli.options import GameId, RuleOptions, game_with
from fuda.cli.progress import Shown, shown
from fuda.cli.ratings import ladder, show
from fuda.cli.stopping import Stop
from fuda.core.errors import echo

ADDRESS = re.compile(rf"auto|{LOCAL}|(ray://)?(\[[0-9a-fA-F:]+\]|[\w.-]+):[0-9]{{1,5}}")  # of a Ray cluster
LIVE_SECONDS, LIVE_SAMPLES = 2.0, 40  # of the table while it goes on: its errors are rough


class Command(typer.core.TyperCommand):
    """Lets `--ray` stand without an address: by itself Typer would take the next word for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words of the command line, read."""
        return super().parse_args(ctx, with_addresses(args))


def with_addresses(words: Sequence[str]) -> list[str]:
    """The same with the address of a cluster of one's own behind each `--ray` that has none."""
    found: list[str] = []
    for number, word in enumerate(words):
        found.append(word)
        if word == "--ray" and not ADDRESS.fullmatch("".join(words[number + 1 : number + 2])):
            found.append(LOCAL)
    return found


def tournament(
    game: GameId,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Two or more agents.")],
    out: Annotated[
        Path, typer.Option(help="The folder for the results; a run that was killed goes on where it was.")
    ],
    deals: Annotated[int, typer.Option(help="That each pair plays, in every seating.")] = 256,
    seed: Annotated[int, typer.Option(help="Determines the deals and the agents' luck.")] = 0,
    option: RuleOptions = None,
    gauntlet: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Only the pairs with this agent.")
    ] = None,
    device: Annotated[
        str, typer.Option(help="Where networks are played: auto (a GPU if there is one), cpu or cuda.")
    ] = "auto",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes on this machine: one a core. On a GPU there is one.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="[ADDRESS]",
            help="Play on the Ray cluster at auto or HOST:PORT; without an address on one of this machine.",
        ),
    ] = None,
) -> None:
    """Play every pair of agents on the same deals in all seatings, and rate them."""
    table = game_with(game, option)
    stop = Stop()
    names = list(dict.fromkeys([*agents, gauntlet] if gauntlet else agents))
    if ray is not None and not ADDRESS.fullmatch(ray):
        raise ValueError(f"the address of a Ray cluster is auto or HOST:PORT, not {echo(ray)}")
    if ray is not None and device == "cuda":
        raise ValueError("with --ray networks are played on the CPU")
    made = [agent_of(table.id, name, seed) for name in names]
    entrants = made if ray is not None else list(on_device(device, *made))
    crew: Workers
    if ray is not None:
        crew = RayWorkers(ray)
    elif workers == 1 or any(entrant.device != "cpu" for entrant in entrants):
        crew = ThisProcess(table, entrants)
    else:
        crew = LocalWorkers(workers)
    played = Tournament(table, entrants, deals, seed, gauntlet)
    console = Console(stderr=True)
    latest: list[Ratings] = []
    with shown(
        console, f"{table.id}, {len(played.pairs)} pairs", transient=True, above=lambda: _live(latest)
    ) as bar:
        tell = _teller(bar, latest, is_live=console.is_terminal)

        def progress(now: Tournament) -> None:
            stop.check()
            tell(now)

        try:
            played.run(out, crew, progress)
        except KeyboardInterrupt:
            console.print(
                f"stopped; the same command goes on from here: {out} has what is finished",
                soft_wrap=True, markup=False, highlight=False,
            )  # fmt: skip
            raise
    shown_on = Console(highlight=False)
    show(arena.ratings(table, *(played.path(out, pair) for pair in played.pairs)), shown_on)
    for line in verdict_lines(played.verdicts_in_all(), entrants):
        shown_on.print(line, soft_wrap=True, markup=False)


def _teller(bar: Shown, latest: list[Ratings], *, is_live: bool) -> Callable[[Tournament], None]:
    """Tells how far a tournament is, by a bar and now and then by the ladder so far."""
    rated = 0.0

    def tell(now: Tournament) -> None:
        nonlocal rated
        if is_live and time.monotonic() - rated > LIVE_SECONDS:
            latest[:] = [rate(now.table, so_far(now), samples=LIVE_SAMPLES)]
            rated = time.monotonic()
        bar.update(now.deals_played / now.deals_in_all, f"{now.deals_played:,} of {now.deals_in_all:,} deals")

    return tell


def so_far(now: Tournament) -> list[Played]:
    """The deals of each pair up to the first that is not played yet."""
    found = []
    for (one, other), margins in now.margins.items():
        whole = now.first_deals(one, other)
        if whole:
            found.append(Played(now.names[one], now.names[other], now.seed, margins[:whole]))
    return found


def _live(latest: list[Ratings]) -> RenderableType:
    return ladder(latest[0]) if latest and latest[0].rows else ""
