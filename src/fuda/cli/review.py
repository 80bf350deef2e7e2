"""`fuda review`: what a seat's moves gave away in a match, and what was luck."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fuda import records
from fuda.cli.options import new_file
from fuda.core.files import replacing
from fuda.core.game import GameSpec
from fuda.explain.review import Review
from fuda.explain.review import review as review_match
from fuda.explain.review_page import review_page
from fuda.explain.review_words import (
    amount,
    headline,
    judged_by,
    label,
    signed,
    standing_line,
    sum_line,
    unlearned_rules,
    where,
)


def review(
    file: Annotated[Path, typer.Argument(help="A record file.", metavar="FILE")],
    seat: Annotated[int, typer.Option(help="Whose moves.")] = 0,
    agent: Annotated[
        str | None,
        typer.Option(help="By whose values; else by the game's strongest that tells them at once."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="Print a page, whole in one file.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="A file for what would be printed as JSON or HTML.")
    ] = None,
) -> None:
    """Review a match: what the moves of a seat gave away, its mistakes, and its luck."""
    if as_json and as_html:
        raise ValueError("give --json or --html, not both")
    if out is not None:
        if not (as_json or as_html):
            raise ValueError("--out goes with --json or --html")
        new_file(out)  # before the work, not after it
    told = records.load(file)
    console = Console(stderr=True)
    with console.status("valuing the moves"):
        found = review_match(told, seat, agent)
    if not (as_json or as_html):
        show(found, told.game.spec, Console(highlight=False))
        return
    text = json.dumps(found.as_dict()) if as_json else review_page(found, told.game.spec)
    if out is None:
        print(text, end="" if as_html else "\n")
        return
    with replacing(out, sync=False) as (target,):
        target.write(text.encode())


def show(found: Review, spec: GameSpec, console: Console) -> None:
    """Print the headline, the mistakes and the costs by kind of decision."""
    console.print(f"{spec.title}, seat {found.seat}", style="bold")
    console.print(headline(found), markup=False)
    console.print(sum_line(found), markup=False)
    if found.standing:
        console.print(standing_line(found), markup=False)
    decisions = {one.index: one for one in found.decisions}
    if found.mistakes:
        table = Table("mistake", "played", "better", box=None, padding=(0, 2, 0, 0))
        table.add_column("cost", justify="right")
        table.add_column("played out", justify="right")
        for one in found.mistakes:
            looked = f"{signed(one.second_cost, found.unit)} ± {amount(one.stderr, found.unit)}".lstrip("+")
            table.add_row(
                where(spec, decisions[one.index]), label(spec, one.move), label(spec, one.best),
                amount(one.cost, found.unit), looked,
            )  # fmt: skip
        console.print(table)
    else:
        console.print("No mistake that can be told from noise.")
    kinds = ", ".join(f"{kind} {amount(cost, found.unit)}" for kind, cost in found.costs_by_kind.items())
    if kinds:
        console.print(f"Cost by kind of decision: {kinds}.", markup=False)
    console.print(judged_by(found), style="dim", markup=False)
    if found.unlearned:
        console.print(f"{unlearned_rules(found)}.", markup=False)
