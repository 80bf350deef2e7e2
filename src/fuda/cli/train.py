"""`fuda train`: an agent of your own."""

import shlex
import signal
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from fuda.core.errors import echo


def train(
    recipe: Annotated[str, typer.Argument(help="The recipe, e.g. koikoi-small.", metavar="RECIPE")],
    out: Annotated[
        Path | None, typer.Option(help="A new folder for checkpoints, figures and the agent.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="How long to train; else as many games as the recipe says.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
) -> None:
    """Train an agent. It can be stopped or killed at any time and goes on with --resume."""
    try:
        from fuda.training import monte_carlo
        from fuda.training.device import choose_device
        from fuda.training.recipes import RECIPES
        from fuda.training.report import model_names
    except ModuleNotFoundError as error:
        raise ValueError(f"training needs {error.name}: run make dev in fuda's folder") from None
    if recipe not in RECIPES:
        raise ValueError(f"there is no recipe {echo(recipe)}; there are {', '.join(RECIPES)}")
    if (out is None) == (resume is None):
        raise ValueError("give either --out with a new folder or --resume with that of an earlier run")
    if minutes is not None and not 0 < minutes <= 60 * 24 * 30:
        raise ValueError(f"--minutes is a number above 0, not {minutes}")
    folder = out or resume
    assert folder is not None
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        begun = (out / monte_carlo.CHECKPOINT).exists()
        way = f"go on with --resume {out}, or choose another folder" if begun else "choose another folder"
        raise ValueError(f"{out} is not empty; {way}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill ends like Ctrl-C
    console = Console(stderr=True)
    columns = (TextColumn(recipe), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting", total=1.0)
        try:
            monte_carlo.train(
                RECIPES[recipe],
                folder,
                minutes=minutes,
                resume=resume is not None,
                device=choose_device(device),
                progress=lambda done, text: bar.update(task, completed=done, description=text),
            )
        except KeyboardInterrupt:
            bar.stop()
            console.print(f"fuda train {recipe} --resume {folder} goes on from here", soft_wrap=True)
            raise
    console.print(f"done: {folder / 'log.jsonl'} has the figures", soft_wrap=True, highlight=False)
    game = RECIPES[recipe].game
    model = list(model_names(RECIPES[recipe].aims).values())[-1]
    command = shlex.join(["fuda", "duel", game, str(folder / model), f"{game}/random"])
    console.print(f"try it: {command}", soft_wrap=True, markup=False, highlight=False)
