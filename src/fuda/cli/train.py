"""`fuda train`: an agent of your own."""

import math
import os
import shlex
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from fuda.cli.options import RuleOptions, options_of
from fuda.cli.progress import COMPILING_FOR_GPU, shown
from fuda.cli.voice import is_first
from fuda.core.errors import echo, how_to_get
from fuda.core.figures import PRESET
from fuda.games import game

MAX_TRAINING_SEED = 2**32 - 1  # PyTorch's seeds have 64 bits, and some are computed from this one


def train(
    recipe: Annotated[str, typer.Argument(help="The recipe, e.g. koikoi-small.", metavar="RECIPE")],
    out: Annotated[
        Path | None, typer.Option(help="A new folder for checkpoints, figures and the agent.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="How long to train; else as many games as the recipe says.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder.")] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="Begin with the networks of this model, or of another run."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Of weights and deals; else the recipe's, or that of the run.", min=0, max=MAX_TRAINING_SEED
        ),
    ] = None,
    evaluate: Annotated[bool, typer.Option(help="Play other players now and then, for the curve.")] = True,
    records: Annotated[
        Path | None,
        typer.Option(
            help="Learn from the games of this file (fuda record import --packed) instead of a teacher's.",
            metavar="FILE",
        ),
    ] = None,
    keep: Annotated[
        float | None, typer.Option(help="Keep the agents of every so many minutes, for a curve afterwards.")
    ] = None,
    option: RuleOptions = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
) -> None:
    """Train an agent. It can be stopped or killed at any time and goes on with --resume.

    Several GPUs or machines: torchrun --nproc-per-node N -m fuda train RECIPE ...
    """
    try:
        from fuda.training import conduct, run_folder
        from fuda.training.device import GPU_GAMES, choose_device
        from fuda.training.ranks import num_ranks, ranks_of
        from fuda.training.registry import find_recipe, small_recipe
        from fuda.training.watch import LOST, RankLost
    except ModuleNotFoundError as error:
        raise ValueError(f"training needs {error.name}: {how_to_get('train')}") from None
    algorithm, chosen = find_recipe(recipe)
    count = num_ranks()
    if count > 1 and not algorithm.Run.is_parallel:
        raise ValueError(f"{recipe} trains in one process: start it as fuda train, without torchrun")
    if (out is None) == (resume is None):
        raise ValueError("give either --out with a new folder or --resume with that of an earlier run")
    if minutes is not None and not 0 < minutes <= 60 * 24 * 30:
        raise ValueError(f"--minutes is a number above 0, not {minutes}")
    if keep is not None and not keep > 0:
        raise ValueError(f"--keep is a number of minutes above 0, not {keep}")
    folder = out or resume
    assert folder is not None
    console = Console(stderr=True, quiet=not is_first())
    before = count
    if resume is not None:
        checkpoint = run_folder.read_checkpoint(resume)
        earlier, before = checkpoint["recipe"]["seed"], run_folder.num_ranks_of(checkpoint)
        if seed not in (None, earlier):
            raise ValueError(f"the run in {resume} has the seed {earlier}; leave --seed out")
        seed = earlier
        if hasattr(chosen, "records"):
            chosen = replace(chosen, records=checkpoint["recipe"].get("records", ""))
        if option and not _are_same(
            chosen.game, _under(chosen, option, recipe).options, checkpoint["recipe"]
        ):
            raise ValueError(f"the run in {resume} learns other rules; leave --option out")
        if "options" in checkpoint["recipe"]:
            chosen = replace(chosen, options=checkpoint["recipe"]["options"])
    elif option:
        chosen = _under(chosen, option, recipe)
    if seed is not None:
        chosen = replace(chosen, seed=seed)
    if records is not None:
        if not hasattr(chosen, "records"):
            raise ValueError(f"{recipe} learns from its own games; --records is for those with a teacher")
        if resume is not None:
            raise ValueError("a run goes on with the records that it began with; leave --records out")
        chosen = replace(chosen, records=str(records.resolve()))
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        begun = (out / run_folder.CHECKPOINT).exists()
        way = f"go on with --resume {out}, or choose another folder" if begun else "choose another folder"
        raise ValueError(f"{out} is not empty; {way}")
    if start is not None and resume is not None:
        raise ValueError(
            "give --start or --resume, not both: a run that was begun goes on with --resume alone"
        )
    if start is not None and (theirs := run_folder.game_of(start)) != chosen.game:
        raise ValueError(f"{start} plays {echo(theirs)}, and {recipe} trains {chosen.game}")
    if chosen.further and start is None and resume is None:
        raise ValueError(f"{recipe} goes on from a model or a run: give it with --start")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill ends like Ctrl-C
    if before != count:
        change = f"ranks: {count} instead of {before}"
        console.print(f"{change}, so the run goes on with its weights and new games", soft_wrap=True)
    there, num_games = choose_device(device), chosen.groups * chosen.group_size
    if there.type == "cpu" and num_games >= GPU_GAMES:
        at_once = f"{recipe} plays {num_games:,} games at once, which is for a GPU"
        slow = f"here a step may take minutes; {small_recipe(recipe)} is for a CPU"
        console.print(f"{at_once}: {slow}", soft_wrap=True, highlight=False)
    command = _resuming(recipe, folder, count)
    try:
        with (
            ranks_of(there, f"{command} goes on from the last checkpoint") as ranks,
            shown(console, recipe) as bar,
        ):
            if there.type == "cuda":
                bar.announce(COMPILING_FOR_GPU)
            shared = {"ranks": ranks} if count > 1 else {}
            run = algorithm.Run(chosen, folder, there, minutes, **shared)
            conduct.conduct(
                run,
                resume=resume is not None,
                start=start,
                evaluate=evaluate,
                keep_minutes=keep or math.inf,
                name=recipe,
                progress=bar.update,
            )
    except RankLost as lost:
        if str(lost):
            print(f"fuda: {lost}", file=sys.stderr, flush=True)
        os._exit(LOST)  # what would be tidied up may wait for the rank that is gone
    except KeyboardInterrupt:
        if (folder / run_folder.CHECKPOINT).exists():
            console.print(f"{command} goes on from here", soft_wrap=True, markup=False, highlight=False)
        raise
    console.print(f"done: {folder / 'log.jsonl'} has the figures", soft_wrap=True, highlight=False)
    if run.num_games == 0:
        longer = f"train longer, with --resume {shlex.quote(str(folder))} and more --minutes"
        sentence = f"not one game was finished, so the agent has hardly learned: {longer}"
        console.print(sentence, soft_wrap=True, markup=False, highlight=False)
    rules = game(chosen.game, **getattr(chosen, "options", {})).changed_options
    typed = [f"-o{name}={value}" for name, value in rules.items()]
    duel = ["fuda", "duel", chosen.game, str(folder / run.models[-1]), f"{chosen.game}/random", *typed]
    command = shlex.join(duel)
    console.print(f"try it: {command}", soft_wrap=True, markup=False, highlight=False)


def _under(chosen: Any, given: list[str], name: str) -> Any:
    """A recipe under rule options as typed, which go before its own."""
    if not hasattr(chosen, "options"):
        raise ValueError(f"{name} learns the default rules alone: leave --option out")
    typed = options_of(chosen.game, given)
    own = {} if PRESET in typed else chosen.options  # a preset says all options
    return replace(chosen, options=game(chosen.game, **own | typed).options)


def _are_same(game_id: str, options: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether these rule options are those of a stored recipe, however they were named."""
    return bool(game(game_id, **options) == game(game_id, **stored["options"]))


def _resuming(recipe: str, folder: Path, num_ranks: int) -> str:
    """The command that goes on with a run."""
    command = shlex.join(["fuda", "train", recipe, "--resume", str(folder)])
    if num_ranks == 1:
        return command
    here = int(os.environ["LOCAL_WORLD_SIZE"])
    machines = f"--nnodes {num_ranks // here} ... " if num_ranks > here else ""
    return f"torchrun {machines}--nproc-per-node {here} -m {command}"
