"""A training run from its start, or from where it was stopped, to its end: whatever is trained.

An algorithm's `Run` says how to go on, what to keep and who plays; here are the clock, the checkpoints, the
figures and the model folder.
"""

import itertools
import math
import shutil
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter

from fuda.agents.agent import Agent
from fuda.agents.model import model_folders
from fuda.arena import duel
from fuda.core.provenance import commit, sources
from fuda.games import game as find_game
from fuda.nets.folder import ModelCard
from fuda.training.card import write_cards
from fuda.training.device import origin
from fuda.training.ranks import ALONE, Ranks
from fuda.training.registry import recipes_under
from fuda.training.run_folder import (
    describe,
    described,
    drop_lost,
    is_finished,
    log,
    only_one,
    read_log,
    show,
)
from fuda.training.torch_agent import model_on

MODEL = "model"  # the folder of the averaged network, as good as it is
CHECKPOINT_SECONDS = 120.0
EXPORT_SECONDS = 45.0
LOG_SECONDS = 10.0
FIRST_EVALUATION, EVALUATE_SECONDS = 5.0, 60.0  # of training: at first often, as that is where curves rise
EVALUATE_GAMES, LAST_GAMES = 512, 2048
EVALUATE_GAMES_ON_CPU = 64  # there a game takes a hundred times as long, for most
CHOOSING_SEED = 1_000_003  # deals on which checkpoints are compared: never trained on, never reported

Progress = Callable[[float, str], None]  # the part that is done, and what to say


class TrainingRun(ABC):
    """A run of a recipe in a folder; a recipe is a dataclass with `game`, `line` and `games` at least."""

    first_evaluation = FIRST_EVALUATION  # on a GPU, in seconds
    evaluated = "its network alone, without search"  # who plays in the evaluations
    is_quick = False  # whether games of its player are quick on a CPU too
    is_parallel = False  # whether several ranks can train it together
    ranks: Ranks = ALONE  # those of a parallel run; the first writes all but games under way
    models: Sequence[str] = (MODEL,)  # the folders that it exports to, the main one last

    def __init__(self, recipe: Any, out: Path, device: torch.device, minutes: float | None):
        self.recipe = recipe
        self.out = out
        self.device = device
        self.minutes = minutes
        self.game = find_game(recipe.game)
        self.seconds = 0.0  # spent in training, over all sessions
        self.num_games = 0  # finished, over all sessions
        self.start: dict[str, Any] = {}  # the model or run that was gone on from, if any, and its games

    @property
    def done(self) -> float:
        """The part of the run that is behind it."""
        if self.minutes is not None:
            return self.seconds / (60 * self.minutes)
        return self.num_games / float(self.recipe.games)

    @abstractmethod
    def advance(self) -> None:
        """Play and learn a little."""

    @abstractmethod
    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint; with the games under way, else it goes on with new ones."""

    @abstractmethod
    def restore(self) -> None:
        """Go on from the checkpoint."""

    @abstractmethod
    def start_from(self, folder: Path) -> None:
        """Begin with the network of a model folder instead of fresh weights, and set `start`."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """How far the run is, in its own terms."""

    @abstractmethod
    def errors(self) -> dict[str, float]:
        """The mean losses since the last call."""

    @abstractmethod
    def evaluate(self, games: int) -> dict[str, float]:
        """The averaged networks against some other players, so many games each, on CHOOSING_SEED."""

    @abstractmethod
    def export(self) -> None:
        """Write the averaged networks as model folders, which `fuda duel` and `fuda play` take."""

    @property
    @abstractmethod
    def num_parameters(self) -> int:
        """How many numbers are learned."""

    def against(
        self, player: Agent, opponents: Sequence[str], games: int, prefix: str = ""
    ) -> dict[str, float]:
        """A player's figures over others, so many games each, on CHOOSING_SEED."""
        found: dict[str, float] = {}
        models = model_folders(self.game.id)
        for opponent in opponents:
            name = f"{self.game.id}/{opponent}"
            other = model_on(self.device, models[opponent], name) if opponent in models else name
            result = duel(self.game, player, other, games, CHOOSING_SEED)
            found |= {
                f"{prefix}{opponent}_win_rate": result.win_rate,
                f"{prefix}{opponent}_win_rate_stderr": result.win_rate_stderr,
                f"{prefix}{opponent}_points": result.mean_diff,
                f"{prefix}{opponent}_stderr": result.stderr,
            }
        return found

    def check_told(self, encoding: Any) -> None:
        """Raise a `ValueError` where the encoding does not tell of all that the options bring."""
        untold = self.game.untold(encoding)
        if untold:
            others = ", ".join(recipes_under(self.game))
            raise ValueError(
                f"the networks of this recipe are not told of {' and '.join(untold)}: "
                + (f"those of {others} are" if others else "leave it out")
            )

    def made(self) -> dict[str, Any]:
        """How a model of this run was made, for its card."""
        return {
            "recipe": asdict(self.recipe), "games": self.num_games, "minutes": round(self.seconds / 60, 2),
            "commit": commit(), "sources": sources(), "device": self.device.type, "start": self.start,
        }  # fmt: skip

    def card(self, encoding: ModuleType, unit: str, scale: float) -> ModelCard:
        """The card of a model of this run."""
        spec = self.game.spec
        return ModelCard(
            spec.id, spec.rules_version, encoding.__name__.rpartition(".")[2], encoding.ENCODING_VERSION,
            title=self.out.resolve().name, line=self.recipe.line, unit=unit, scale=scale,
            options=self.game.options, made=self.made(),
        )  # fmt: skip

    def start_after(self, folder: Path, card: ModelCard) -> None:
        """Remember a folder that was started from: its games are behind this run."""
        before = (card.made.get("start") or {}).get("games", 0)
        self.start = {"name": folder.resolve().name, "games": card.made.get("games", 0) + before}


def conduct(
    run: TrainingRun,
    *,
    resume: bool = False,
    start: Path | None = None,
    evaluate: bool = True,
    keep_minutes: float = math.inf,
    name: str = "",
    progress: Progress | None = None,
) -> None:
    """Train to the end; a run that was killed goes on with `resume`, a new one may `start` from a model.

    A run that is done stays as it is. Without `evaluate` no games are played but those that are learned
    from. Every `keep_minutes` the models are kept as they are then, in folders at-GAMES-SECONDS. The cards of
    the models tell the recipe's `name`.
    """
    if resume:
        run.restore()
        run.minutes = run.minutes or described(run.out).get("minutes")
        if run.ranks.least(run.done >= 1 and is_finished(run.out, run.num_games)):
            return
    elif start is not None:
        run.start_from(start)
    told = {
        "name": name,
        "recipe": asdict(run.recipe),
        "minutes": run.minutes,
        "parameters": run.num_parameters,
        "ranks": run.ranks.count,
    }
    with _files(run, told, resume) as writer, _few_threads(run.device), _polite() as wish:
        if not resume:
            run.save(with_games=False)  # who is killed before the next goes on from here, with the same deals
        is_whole = _train(
            run, writer, evaluate, 60 * keep_minutes, progress or (lambda done, text: None), wish
        )
        run.ranks.meet()
    if not is_whole or wish.to_stop:
        raise KeyboardInterrupt


@contextmanager
def _files(run: TrainingRun, told: dict[str, Any], resume: bool) -> Iterator[SummaryWriter | None]:
    """The folder of the run, locked and described, and TensorBoard's writer; for the first rank alone."""
    if not run.ranks.is_first:
        yield None
        return
    run.out.mkdir(parents=True, exist_ok=True)
    with only_one(run.out), _figures(run, resume) as writer:
        describe(run.out, told | origin())
        yield writer


@contextmanager
def _figures(run: TrainingRun, resume: bool) -> Iterator[SummaryWriter]:
    """TensorBoard's writer. Who goes on drops what was told after the checkpoint, also in the log."""
    kept = drop_lost(run.out) if resume else []
    with SummaryWriter(run.out, purge_step=run.num_games if resume else None) as writer:
        for line in kept:
            if line["games"] == run.num_games:  # TensorBoard has dropped what it knew of this very step, too
                show(writer, line.pop("games"), line)
        yield writer


class _Wish:
    """Whether somebody wants the run to stop."""

    to_stop = False


@contextmanager
def _polite() -> Iterator[_Wish]:
    """Let a first Ctrl-C or kill be a wish, which is heard between two steps: a checkpoint is of a whole one.

    A second one interrupts at once.
    """
    wish = _Wish()
    if threading.current_thread() is not threading.main_thread():  # only that one hears signals
        yield wish
        return

    def hear(number: int, frame: FrameType | None) -> None:
        wish.to_stop = True
        signal.signal(number, signal.default_int_handler)

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield wish
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _few_threads(device: torch.device) -> Iterator[None]:
    """On a CPU one thread for PyTorch: rows are shared out among the cores instead (`core/threads.py`)."""
    before = torch.get_num_threads()
    if device.type == "cpu":
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _train(
    run: TrainingRun,
    writer: SummaryWriter | None,
    evaluate: bool,
    keep_seconds: float,
    progress: Progress,
    wish: _Wish,
) -> bool:
    """Train until the run is whole, or somebody wants it to stop; whether it is whole."""
    is_gpu = run.device.type == "cuda"
    games, last_games = EVALUATE_GAMES, LAST_GAMES
    if not (is_gpu or run.is_quick):
        games = last_games = EVALUATE_GAMES_ON_CPU
    checkpointed = logged = exported = first = time.perf_counter()
    evaluation = next_evaluation(run) if evaluate else math.inf
    games_before, seconds_before = run.num_games, run.seconds
    kept = run.seconds // keep_seconds

    def tell(line: dict[str, float]) -> None:
        assert writer is not None
        log(run.out, writer, run.num_games, {"minutes": round(run.seconds / 60, 3)} | run.figures() | line)

    for tick in itertools.count():
        to_save, to_stop = _agree(run, time.perf_counter() - checkpointed > CHECKPOINT_SECONDS, wish.to_stop)
        if to_stop or run.done >= 1:
            break
        if to_save:
            run.save()
            checkpointed = time.perf_counter()
        began = time.perf_counter()
        run.advance()
        now = time.perf_counter()
        run.seconds += now - began
        if not run.ranks.is_first:
            continue
        if tick == 0:  # what has to be compiled to play is compiled
            progress(run.done, f"{run.num_games:,} games")
        if now - logged > LOG_SECONDS:
            rate = (run.num_games - games_before) / (run.seconds - seconds_before)
            tell({"games_per_second": rate} | run.errors())
            games_before, seconds_before, logged = run.num_games, run.seconds, now
            progress(run.done, f"{run.num_games:,} games, {rate:,.0f}/s")
        if run.seconds > evaluation:
            tell(run.evaluate(games) | {"evaluation_games": games})
            evaluation = next_evaluation(run)
        if run.seconds // keep_seconds > kept:
            kept = run.seconds // keep_seconds
            _keep_models(run)
            exported = time.perf_counter()
        if now - exported > EXPORT_SECONDS:
            _export(run)
            exported = time.perf_counter()
    if run.ranks.is_first:
        _export(run)
    run.save()
    if to_stop or not run.ranks.is_first:
        return not to_stop
    found = {}
    if evaluate:
        progress(1.0, "the last evaluation")
        found = run.evaluate(last_games) | {"evaluation_games": last_games}
    tell(found | {"wall_seconds": time.perf_counter() - first})
    _write_cards(run)
    return True


def _agree(run: TrainingRun, is_due: bool, wishes: bool) -> tuple[bool, bool]:
    """Set the clock by the first rank's; whether that one says to save, and whether any wants to stop."""
    mine = (run.seconds, is_due) if run.ranks.is_first else (0.0, False)
    run.seconds, num_due, num_wishes = run.ranks.sums(*mine, wishes)
    return num_due > 0, num_wishes > 0


def _export(run: TrainingRun) -> None:
    """Write the models, and the cards of what is known of them."""
    run.export()
    _write_cards(run)


def _write_cards(run: TrainingRun) -> None:
    write_cards(run.out, described(run.out), read_log(run.out), run.evaluated, CHOOSING_SEED, run.done)


def _keep_models(run: TrainingRun) -> None:
    """Write the models as they are now, and a copy of them that stays."""
    _export(run)
    for folder in run.out.glob(f"{MODEL}*"):
        kept = run.out / f"at-{run.num_games}-{run.seconds:.0f}" / folder.name
        shutil.copytree(folder, kept, dirs_exist_ok=True)


def next_evaluation(run: TrainingRun) -> float:
    """After how many seconds of training the next evaluation is due: each half as late again as the last."""
    due = run.first_evaluation if run.device.type == "cuda" else EVALUATE_SECONDS
    while due <= run.seconds:
        due = min(1.5 * due, due + EVALUATE_SECONDS)
    return due
