"""What two ranks do for test_ranks.py, started by torchrun; each leaves what it found in a folder."""

import math
import signal
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import torch

from fuda.games.koikoi.winning import InducedChances
from fuda.training import conduct, values
from fuda.training.ranks import ALONE, Ranks, ranks_of
from tests.training import test_koikoi
from tests.training.test_values import CPU, TINY

RECIPE = replace(TINY, games=40, warmup_steps=1)
# With guests, a table that follows the play of all ranks, and who waits.
KOIKOI = replace(test_koikoi.TINY, warmup_steps=1)
CHECKPOINT_TICK, KILLED_TICK, STOPPED_TICK = 30, 33, 6  # the last one counts from the checkpoint


class Killed(BaseException):
    """Nothing comes after it, as after SIGKILL."""


def new_run(out: Path, ranks: Ranks = ALONE, recipe: values.ValuesRecipe = RECIPE) -> values.Run:
    return values.Run(recipe, out, CPU, None, ranks)


def first_update(run: values.Run) -> dict[str, Any]:
    """The decisions that are learned from first, the gradient of all ranks, the weights after the step."""
    found: dict[str, Any] = {}
    (trainer,), (store,) = run.trainers, run.stores
    step, update = trainer.step, trainer._take_step

    def told(index: torch.Tensor, done: float) -> None:
        if not found:
            found["decisions"] = [column[index] for column in store.columns]
        step(index, done)
        found.setdefault("weights", weights(run))

    def noted(gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found.setdefault("gradient", gradient.clone())
        return update(gradient)

    trainer.step, trainer._update._function = told, noted
    while not found:
        run.advance()
    return found


def weights(run: values.Run) -> list[torch.Tensor]:
    (trainer,) = run.trainers
    return [value.clone() for net in (trainer.net, trainer.average) for value in net.state_dict().values()]


def end_of(run: values.Run, asked: list[int]) -> dict[str, Any]:
    states = [group.deals.games.states.tobytes() for group in run.groups]
    deals = sha256(b"".join(states)).hexdigest()
    counts = (run.num_games, run.num_ticks, run.trainers[0].num_steps, run.seconds)
    return {"weights": weights(run), "counts": counts, "deals": deals, "evaluations": asked}


def train(run: values.Run, *, resume: bool = False) -> list[int]:
    """To its end; how many games were asked for in evaluations."""
    asked: list[int] = []
    run.evaluate = lambda games: asked.append(games) or {}  # type: ignore[method-assign]
    conduct.conduct(run, resume=resume)
    return asked


def disturb(run: values.Run, ticks: int, how: Any) -> None:
    """Let something happen before the tick of that number, and a checkpoint be due after CHECKPOINT_TICK."""
    advance, calls = run.advance, []

    def disturbed() -> None:
        calls.append(1)
        conduct.CHECKPOINT_SECONDS = 0.0 if len(calls) == CHECKPOINT_TICK else math.inf
        if len(calls) == ticks:
            how()
        advance()

    run.advance = disturbed  # type: ignore[method-assign]


def kill() -> None:
    raise Killed


def main(folder: Path) -> None:
    with ranks_of(CPU) as ranks:
        torch.save(first_update(new_run(folder / "update", ranks)), folder / f"update-{ranks.number}.pt")
        InducedChances.refit_ticks = 30
        run = new_run(folder / "koikoi", ranks, KOIKOI)
        found = first_update(run)
        while run.num_ticks < 60:
            run.advance()
        found["end"], found["table"] = weights(run), torch.from_numpy(run.table)
        torch.save(found, folder / f"koikoi-{ranks.number}.pt")
        undisturbed = new_run(folder / "undisturbed", ranks)
        asked = train(undisturbed)
        torch.save(end_of(undisturbed, asked), folder / f"undisturbed-{ranks.number}.pt")
        run = new_run(folder / "disturbed", ranks)
        disturb(run, KILLED_TICK, kill)
        with pytest.raises(Killed):
            train(run)
        run = new_run(folder / "disturbed", ranks)
        if ranks.number == 1:  # one of them alone is told to stop
            disturb(run, STOPPED_TICK, lambda: signal.raise_signal(signal.SIGTERM))
        with pytest.raises(KeyboardInterrupt):
            train(run, resume=True)
        assert run.num_ticks == CHECKPOINT_TICK + STOPPED_TICK
        run = new_run(folder / "disturbed", ranks)
        asked = train(run, resume=True)
        torch.save(end_of(run, asked), folder / f"disturbed-{ranks.number}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
