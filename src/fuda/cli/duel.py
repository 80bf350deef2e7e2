"""`fuda duel`: two agents on the same deals."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fuda import arena
from fuda.agents import Agent, agent_of, model_of
from fuda.agents.bot import BotAgent
from fuda.arena.sprt import Sprt
from fuda.arena.verdicts import verdict_lines
from fuda.cli.options import GameId, RuleOptions, game_with, tell_unlearned
from fuda.cli.progress import shown
from fuda.cli.stopping import Stop
from fuda.core.errors import echo, how_to_get

DEVICES = ("auto", "cpu", "cuda")


def duel(
    game: GameId,
    first: Annotated[str, typer.Argument(help="The agent whose result is shown.", metavar="A")],
    second: Annotated[str, typer.Argument(help="Its opponent.", metavar="B")],
    games: Annotated[int, typer.Option(help="Single games, rounded up to whole deals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Determines the deals and the agents' luck.")] = 0,
    option: RuleOptions = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Store the result here; a run that was killed goes on where it was."),
    ] = None,
    device: Annotated[
        str, typer.Option(help="Where networks are played: auto (a GPU if there is one), cpu or cuda.")
    ] = "auto",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="E0 E1",
            help="Stop as soon as E0 normalized Elo or less, or E1 or more, is shown; after --games at the "
            "latest.",
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="With --sprt: how often E1 is taken where E0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="With --sprt: how often E0 is taken where E1 is true.")] = 0.05,
) -> None:
    """Play two agents against each other: every deal in every seating."""
    table = game_with(game, option)
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    console = Console(stderr=True)
    stop = Stop()
    entrants = agent_of(table.id, first, seed), agent_of(table.id, second, seed)
    tell_unlearned(table, entrants)
    one, other = on_device(device, *entrants)
    with shown(console, f"{first} v {second}", transient=True) as bar:
        starts: list[tuple[float, int]] = []  # when games were counted first, and how many there were

        def show(done: int, total: int) -> None:
            stop.check()
            now, text = time.monotonic(), f"{done:,} of {total:,} games"
            if len(starts) < 2:  # before all is compiled, and after
                starts.append((now, done))
            elif done > starts[-1][1]:
                rate = (done - starts[-1][1]) / (now - starts[-1][0])
                text += f", {rate:,.0f} games/s" if rate >= 10 else f", {rate:.1f} games/s"
            bar.update(done / total, text)

        try:
            result = arena.duel(table, one, other, games, seed, out=out, progress=show, sprt=test)
        except KeyboardInterrupt:
            kept = f"the same command with --out {out} goes on from here"
            sentence = f"stopped; {kept if out else 'its games are lost: with --out FILE they are kept'}"
            console.print(sentence, soft_wrap=True, markup=False, highlight=False)
            raise
    if as_json:
        print(json.dumps(result.as_dict()))
        return
    whole_deals = f" ({games:,} rounded up to whole deals)" if result.games > games else ""
    Console().print(
        f"{first} over {second}: [bold]{result.win_rate_text}[/] of games, "
        f"[bold]{result.points_text}[/] points a game\n"
        f"{result.wins} won, {result.draws} drawn, {result.losses} lost; "
        f"{result.games:,} games{whole_deals}, seed {seed}"
        + (", on a GPU" if "cuda" in (one.device, other.device) else ""),
        highlight=False,
        soft_wrap=True,
    )
    if result.sprt is not None:
        print(f"  {result.sprt}")
    for role, part in result.roles.items():
        print(f"  as {role}: {part.win_rate_text}, {part.points_text} points")
    for line in verdict_lines(result.verdicts, [one, other]):
        print(f"  {line}")


def on_device(device: str, *entrants: Agent) -> Sequence[Agent]:
    """The agents with their networks on a GPU, if that is asked for, or there is one; else as they are.

    Without a GPU networks are played by onnxruntime, and PyTorch need not be there.
    """
    if device not in DEVICES:
        raise ValueError(f"--device is {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, not {echo(device)}")
    learned = [entrant.weights is not None and not isinstance(entrant, BotAgent) for entrant in entrants]
    if device == "cpu" or (device == "auto" and not any(learned)):
        return entrants
    try:
        from fuda.training.device import choose_device
        from fuda.training.torch_agent import model_on
    except ModuleNotFoundError as error:
        if device == "auto":
            return entrants
        raise ValueError(f"a GPU needs {error.name}: {how_to_get('train')}") from None
    chosen = choose_device(device)
    if chosen.type == "cpu":
        return entrants

    def moved(player: Agent) -> Agent:
        folder, suffix = model_of(player.name) or (Path(player.name), "")
        return model_on(chosen, folder, player.name, suffix)

    return [
        moved(entrant) if is_learned else entrant
        for entrant, is_learned in zip(entrants, learned, strict=True)
    ]
