"""`fuda explain`: what agents think of a position, what they look at, where they disagree."""

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from fuda import records
from fuda.agents import Agent, agent_of
from fuda.cli.options import GameId, RuleOptions, game_with, new_file, number_moves
from fuda.core.errors import how_to_get
from fuda.core.game import Game
from fuda.core.protocols import YOU
from fuda.explain import Explanation, disagreements, explain_move, valued_models
from fuda.explain.values import UNIT_WORDS, value_text
from fuda.explain.walk import walk

BEST, PLAYED = "*", "played"
GAMES, TOP = 20, 10
# What goes with each of the three questions.
USED = {
    "--record": {"--move", "--agent", "--attention"},
    "--suits": {"--agent", "--games", "--seed", "--option"},
    "--disagree": {"--games", "--seed", "--top", "--out", "--option"},
}


def explain(
    game: GameId,
    record: Annotated[Path | None, typer.Option(help="A record: explain a position of it.")] = None,
    move: Annotated[int | None, typer.Option(help="The move, from 1, before which the position is.")] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", help="Whose values; may be repeated. Else the models that tell values at once."
        ),
    ] = None,
    attention: Annotated[
        Path | None, typer.Option(help="Draw the attention of the first agent's network: .svg or .png.")
    ] = None,
    suits: Annotated[
        bool, typer.Option("--suits", help="How much attention stays in a suit, by layer and head.")
    ] = False,
    disagree: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Two agents: which choices of the second lose most by the first's values?"),
    ] = None,
    games: Annotated[int | None, typer.Option(help=f"Games of self-play; {GAMES} if not given.")] = None,
    seed: Annotated[int | None, typer.Option(help="Determines the games; 0 if not given.")] = None,
    top: Annotated[int | None, typer.Option(help=f"How many decisions to tell; {TOP} if not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="A file for the record of the worst decision.")] = None,
    option: RuleOptions = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain agents: --record FILE --move N, --suits --agent A, or --disagree A B."""
    questions = {"--record": record, "--suits": suits or None, "--disagree": disagree}
    asked = [name for name, given in questions.items() if given is not None]
    if len(asked) != 1:
        raise ValueError("ask one thing: --record FILE --move N, --suits --agent A, or --disagree A B")
    details = {
        "--move": move, "--agent": agents, "--attention": attention, "--games": games, "--seed": seed,
        "--top": top, "--out": out, "--option": option,
    }  # fmt: skip
    for name, given in details.items():
        if given not in (None, []) and name not in USED[asked[0]]:
            raise ValueError(f"{name} does not go with {asked[0]}")
    games, seed = GAMES if games is None else games, seed or 0
    if record is not None:
        _explain_record(game, record, move, agents, attention, as_json)
    elif disagree is not None:
        _find_disagreements(
            game_with(game, option), disagree, games, seed, TOP if top is None else top, out, as_json
        )
    else:
        _tell_suits(game_with(game, option), agents, games, seed, as_json)


def _explain_record(
    game_id: str,
    record: Path,
    move: int | None,
    names: list[str] | None,
    attention: Path | None,
    as_json: bool,
) -> None:
    """The values of all legal moves, side by side."""
    if move is None:
        raise ValueError("say with --move which move of the record, from 1")
    game = game_with(game_id, None)
    told = records.load(record)
    if told.game.spec is not game.spec:
        raise ValueError(f"{record} is a record of {told.game.id}, not of {game.id}")
    if not as_json:
        _ = game.spec.screen  # before the work, not after it
    agents = _agents(game, names)
    if attention is not None:
        new_file(attention)
    explanation = explain_move(told, move, agents)
    if attention is not None:
        _draw_attention(agents[0], explanation, attention)
    if as_json:
        print(json.dumps(explanation.as_dict()))
        return
    console = Console(highlight=False)
    show(explanation, console)
    if attention is not None:
        console.print(f"attention of {agents[0].name}: {attention}", soft_wrap=True, markup=False)


def show(explanation: Explanation, console: Console) -> None:
    """Print a position as its mover sees it, and what the agents think of it."""
    match = explanation.match
    seat = match.seat
    assert seat is not None
    screen = match.game.spec.screen
    names = [YOU if place == seat else f"{name} ({place})" for place, name in enumerate(match.players)]
    view = match.view(seat)
    console.print(screen.draw(view, names, number_moves(screen, screen.order(view["legal"]))))
    console.print(f"\nBefore move {len(match.moves) + 1}, by seat {seat}:")
    table = Table("move", box=None, padding=(0, 2, 0, 0))
    for one in explanation.judgements:
        table.add_column(f"{escape(one.agent)}\n[dim]{one.unit_words}[/]", justify="right")
    table.add_column()
    label = _label(match.game)
    for move in explanation.moves():
        cells = []
        for one in explanation.judgements:
            is_best = move == one.best
            text = f"{one.value_text(move)} {BEST if is_best else ' '}"
            cells.append(f"[bold green]{text}[/]" if is_best else text)
        table.add_row(label(move), *cells, PLAYED if move == explanation.played else "")
    console.print(table)
    console.print(f"{BEST} the best move of each agent")
    for one in explanation.judgements:
        if one.decomposition:
            groups = "  ".join(one.decomposition)
            console.print(f"{one.agent} takes the hand apart: {groups}", soft_wrap=True, markup=False)


def _draw_attention(who: Agent, explanation: Explanation, path: Path) -> None:
    with _needs("a picture of attention"):
        from fuda.explain.attention import AttentionReader
        from fuda.explain.picture import check_format, draw_attention
    title = f"{who.name} before move {len(explanation.match.moves) + 1}"
    draw_attention(AttentionReader(who), explanation.match, title, check_format(path))


def _tell_suits(game: Game, names: list[str] | None, games: int, seed: int, as_json: bool) -> None:
    """How much attention stays in a suit, over positions of self-play."""
    with _needs("the attention of a network"):
        from fuda.explain.attention import AttentionReader, suit_masses
    found = {}
    for who in _agents(game, names):
        reader = AttentionReader(who)
        with _progress(f"{who.name} v itself") as progress:
            found[who.name] = suit_masses(reader, walk(game, who, games, seed, progress))
    if as_json:
        print(json.dumps({name: [asdict(mass) for mass in masses] for name, masses in found.items()}))
        return
    console = Console(highlight=False)
    for name, masses in found.items():
        table = Table("network", "layer", "head", box=None, title=escape(name), title_justify="left")
        for column in ("other cards of the suit", "if uniform", "ratio", "itself", "positions"):
            table.add_column(column, justify="right")
        several = len({tuple(mass.decisions) for mass in masses}) > 1
        for mass in masses:
            error = "" if mass.stderr is None else f" ± {mass.stderr:.1%}"
            table.add_row(
                ", ".join(mass.decisions) if several else "all", str(mass.layer), str(mass.head),
                f"{mass.others:.1%}{error}", f"{mass.uniform:.1%}",
                f"{mass.others / mass.uniform:.1f}", f"{mass.itself:.1%}", f"{mass.positions:,}",
            )  # fmt: skip
        console.print(table)
    console.print(f"Part of the attention, over {games} games of each agent against itself, seed {seed}.")


def _find_disagreements(
    game: Game, names: tuple[str, str], games: int, seed: int, top: int, out: Path | None, as_json: bool
) -> None:
    """The choices of one agent that lose most by another's values."""
    if out is not None:
        new_file(out)  # before the work, not after it
    judge, other = (agent_of(game.id, name) for name in names)
    with _progress(f"{judge.name} v itself") as progress:
        found = disagreements(game, judge, other, games, seed, top, progress)
    if found and out is not None:
        records.save(found[0].match, out)
    if as_json:
        rows = [
            {
                "seed": one.match.seed,
                "move": one.number,
                "seat": one.seat,
                "best": one.best,
                "chosen": one.chosen,
                "loss": one.loss,
            }
            for one in found
        ]
        print(json.dumps({"judge": judge.name, "other": other.name, "unit": judge.info.unit, "found": rows}))
        return
    console = Console(highlight=False)
    if not found:
        console.print(f"{other.name} agrees with {judge.name} in all {games} games.", soft_wrap=True)
        return
    label = _label(game)
    table = Table("game's seed", "move", "loss", escape(judge.name), escape(other.name), box=None)
    for one in found:
        loss = value_text(one.loss, judge.info.unit).removeprefix("+")
        table.add_row(str(one.match.seed), str(one.number), loss, label(one.best), label(one.chosen))
    console.print(table)
    console.print(
        f"What the choice of {other.name} loses by the values of {judge.name}: "
        f"{UNIT_WORDS[str(judge.info.unit)]}.",
        soft_wrap=True, markup=False,
    )  # fmt: skip
    if out is not None:
        command = ["fuda", "explain", game.id, "--record", str(out), "--move", str(found[0].number)]
        command += [word for name in names for word in ("--agent", name)]
        console.print(f"Explain the first: {shlex.join(command)}", soft_wrap=True, markup=False)


def _agents(game: Game, names: list[str] | None) -> list[Agent]:
    """The agents by name, or the models of the game that tell values at once."""
    chosen = names or valued_models(game.id)
    if not chosen:
        raise ValueError(f"{game.id} has no models that tell values; name agents with --agent")
    return [agent_of(game.id, name) for name in chosen]


def _label(game: Game) -> Callable[[str], str]:
    """The game's own words for a move, where it has some."""
    return getattr(game.spec.screen, "label", escape) if game.spec.terminal else escape


@contextmanager
def _needs(what: str) -> Iterator[None]:
    """Around imports of packages that playing does not need."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ValueError(f"{what} needs {error.name}: {how_to_get('explain')}") from None


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for games finished."""
    console = Console(stderr=True)
    columns = (
        TextColumn(title, markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        yield lambda done, total: bar.update(task, completed=done, total=total)
