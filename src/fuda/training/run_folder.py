"""The folder of a training run: one run at a time, files that are whole, figures line by line."""

import fcntl
import json
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from fuda.core.files import replacing
from fuda.nets.folder import CARD, read_card
from fuda.training.ranks import ALONE, Ranks

CHECKPOINT = "checkpoint.pt"
DESCRIPTION = "run.json"
LOG = "log.jsonl"


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder: two runs in it would overwrite each other."""
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"another run is training in {folder}; wait for it or choose another folder"
            ) from None
        yield


def write_checkpoint(
    folder: Path, content: dict[str, Any], games: Any, number: int, ranks: Ranks = ALONE
) -> None:
    """Write a checkpoint; who is killed meanwhile leaves the old one.

    The games under way are large and of little worth, so they have a file of their own with the number in
    its name, one of each rank, which is written first. Without it (`games` None, or lost) the checkpoint goes
    on with new ones.
    """
    parts = [""] if ranks.count == 1 else [f"-{rank}" for rank in range(ranks.count)]
    names = [f"games-{number}{part}.pt" for part in parts]
    if games is not None:
        write_whole(folder / names[ranks.number], games)
    ranks.meet()
    if ranks.is_first:
        write_whole(folder / CHECKPOINT, content | {"games": names, "log_bytes": _size(folder / LOG)})
        for old in folder.glob("games-*.pt"):
            if old.name not in names:
                old.unlink()
    ranks.meet()


def num_ranks_of(checkpoint: dict[str, Any]) -> int:
    """By how many ranks a checkpoint was written."""
    names = checkpoint["games"]
    return 1 if isinstance(names, str) else len(names)  # older ones have one name


def read_games(folder: Path, checkpoint: dict[str, Any], ranks: Ranks = ALONE) -> Any:
    """This rank's games under way of a checkpoint.

    None if the file of one rank is not there, or if there were more or fewer ranks.
    """
    names = checkpoint["games"]
    path = folder / (names if isinstance(names, str) else names[ranks.number % len(names)])
    if not ranks.least(num_ranks_of(checkpoint) == ranks.count and path.exists()):
        return None
    return torch.load(path, map_location="cpu", weights_only=True)


def write_whole(path: Path, content: Any) -> None:
    """Write a file of tensors that is never seen in part."""
    with replacing(path) as (file,):
        torch.save(content, file)


def describe(folder: Path, told: dict[str, Any]) -> None:
    """Write down what a run was told, and where it runs."""
    with replacing(folder / DESCRIPTION) as (file,):
        file.write((json.dumps(told, indent=1) + "\n").encode())


def described(folder: Path) -> dict[str, Any]:
    """What the run in a folder was told, as far as it got to write that down."""
    path = folder / DESCRIPTION
    return dict(json.loads(path.read_text())) if path.exists() else {}


def read_checkpoint(folder: Path, recipe: dict[str, Any] | None = None) -> dict[str, Any]:
    """The checkpoint of a folder, or a `ValueError` if there is none, or none of this recipe."""
    path = folder / CHECKPOINT
    try:
        stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise ValueError(f"there is no checkpoint in {folder}; give the folder of an earlier run") from None
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError):
        raise ValueError(f"{path} is damaged; resume from another folder") from None
    if recipe is not None and stored.get("recipe") != recipe:
        raise ValueError(f"{path} was made by another recipe; resume with the same one")
    return stored


def game_of(folder: Path) -> str:
    """Which game the model or run in a folder plays, or a `ValueError` if there is neither."""
    if (folder / CARD).exists():
        return read_card(folder).game
    if (folder / CHECKPOINT).exists():
        return str(read_checkpoint(folder)["recipe"]["game"])
    model = next(folder.glob(f"model*/{CARD}"), None)  # what is left of a run without its checkpoint
    if model is not None:
        return read_card(model.parent).game
    raise ValueError(f"there is no model and no run in {folder}")


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The figures of a run, as many lines as are whole."""
    path = folder / LOG
    told = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in told[: told.rfind("\n") + 1].splitlines()]


def is_finished(folder: Path, games: int) -> bool:
    """Whether the log of a run tells that it ended, after so many games."""
    lines = read_log(folder)
    return bool(lines) and "wall_seconds" in lines[-1] and lines[-1]["games"] == games


def drop_lost(folder: Path) -> list[dict[str, Any]]:
    """Cut off the figures that a killed run told after its checkpoint; those that stay.

    They are told again by the run that goes on from there. The line of a run's end is of its last checkpoint,
    though it comes after it.
    """
    path = folder / LOG
    told = path.read_bytes() if path.exists() else b""
    kept = read_checkpoint(folder).get("log_bytes", told.rfind(b"\n") + 1)  # older ones do not know
    last, whole, _ = told[kept:].partition(b"\n")
    if whole and b'"wall_seconds"' in last:
        kept += len(last) + 1
    if kept < len(told):
        with path.open("r+b") as file:
            file.truncate(kept)
    return [json.loads(line) for line in told[:kept].splitlines()]


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def packed(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Arrays of any kind as bytes, which a checkpoint can hold."""
    return {
        name: torch.from_numpy(np.ascontiguousarray(array).reshape(-1).view(np.uint8).copy())
        for name, array in arrays.items()
    }


def unpacked(stored: dict[str, torch.Tensor], like: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays again, of the kinds and shapes of `like`, but for the second axis, which may have grown."""
    shapes = {
        name: (len(array), -1, *array.shape[2:]) if array.ndim > 1 else -1 for name, array in like.items()
    }
    return {
        name: stored[name].numpy().view(array.dtype).reshape(shapes[name]) for name, array in like.items()
    }


def log(folder: Path, writer: SummaryWriter, games: int, line: dict[str, Any]) -> None:
    """Add a line to the run's figures and to TensorBoard."""
    with (folder / LOG).open("a") as file:
        file.write(json.dumps({"games": games} | line) + "\n")
    show(writer, games, line)


def show(writer: SummaryWriter, games: int, line: dict[str, Any]) -> None:
    """The same for TensorBoard alone."""
    for name, value in line.items():
        writer.add_scalar(name, value, games)
