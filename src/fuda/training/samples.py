"""Decisions of played matches as samples to learn from.

N decisions, R place rows, P progress rows, A the most legal actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType

import numpy as np
import torch
from torch import Tensor

from fuda.core.match import Match
from fuda.core.threads import split
from fuda.records import load_foreign


@dataclass(frozen=True)
class Samples:
    """What the movers saw, what they could do, and what they did."""

    places: Tensor  # [N, R] int64
    progress: Tensor  # [N, P] int8
    legal: Tensor  # [N, A] int64, filled up with the first
    num_legal: Tensor  # [N] int64
    choice: Tensor  # [N] int64, the place of the action among the legal ones
    kind: Tensor  # [N] int64, which kind of decision it was
    match: Tensor  # [N] int64, which match it was made in

    def __len__(self) -> int:
        return len(self.kind)

    def to(self, device: torch.device) -> "Samples":
        """The same samples on a device."""
        return Samples(*(getattr(self, each.name).to(device) for each in fields(self)))


def read_folder(game_id: str, folder: str | Path) -> list[Match]:
    """The matches of another program's files in a folder, in the order of their names."""
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise ValueError(f"there are no games (*.json) in {folder}")
    return [load_foreign(game_id, file) for file in files]


def samples_of(matches: Sequence[Match], encoding: ModuleType) -> Samples:
    """Every decision of every seat, forced ones included, in the order of play."""
    spec = matches[0].game.spec
    count = sum(len(match.moves) for match in matches)
    views, seats = spec.new_states(count), np.zeros(count, np.int64)
    actions, numbers = np.zeros(count, np.int64), np.zeros(count, np.int64)
    row = 0
    for number, match in enumerate(matches):
        again = match.game.start(match.seed, match.deals)
        for seat, move in match.moves:
            views[row] = again.view_record(seat)[0]
            seats[row], actions[row], numbers[row] = seat, again.legal_actions()[move], number
            again.play(move)
            row += 1
    legal, num_legal = np.zeros((count, spec.max_legal), np.int64), np.zeros(count, np.int64)
    split(spec.kernels.legal_all, views, legal, num_legal, count=count)
    places = np.zeros((count, encoding.NUM_PLACE_ROWS), np.int64)
    progress = np.zeros((count, encoding.NUM_PROGRESS), np.int8)
    split(encoding.encode_all, views, seats, places, progress, count=count)
    choice = (legal == actions[:, None]).argmax(axis=1)
    kind = encoding.decision_kinds(progress).astype(np.int64)
    columns = (places, progress, legal, num_legal, choice, kind, numbers)
    return Samples(*(torch.from_numpy(column) for column in columns))
