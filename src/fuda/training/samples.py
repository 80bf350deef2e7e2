"""Decisions of played matches as samples to learn from: what a classifier of tokens is given.

N decisions, B some of them, T tokens, R place rows, P progress rows, A the most legal actions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.core.match import Match
from fuda.core.threads import split
from fuda.records import load_foreign

EVALUATE_BATCH = 4096
TIE = 1e-4  # logits this near are equal: two cards that a network cannot tell apart


@dataclass(frozen=True)
class TokenSamples:
    """What the movers saw, what they could do, and what they did."""

    places: Tensor  # [N, R] int64
    progress: Tensor  # [N, P] int8
    legal: Tensor  # [N, A] int64, filled up with the first
    num_legal: Tensor  # [N] int64
    choice: Tensor  # [N] int64, the place of the action among the legal ones
    kind: Tensor  # [N] int64, which kind of decision it was
    match: Tensor  # [N] int64, which match it was made in
    orders: Tensor  # [symmetries, T] int64, for each token whose place it takes; the first changes nothing

    def __len__(self) -> int:
        return len(self.kind)

    def to(self, device: torch.device) -> "TokenSamples":
        """The same samples on a device."""
        return replace(self, **{name: column.to(device) for name, column in vars(self).items()})

    @property
    def num_equal(self) -> int:
        """As many as the encoding has symmetries."""
        return len(self.orders)

    def rows(self, numbers: Tensor) -> list[Tensor]:
        """Places, progress, legal actions and how many they are, the order of the tokens; the choice."""
        index, equal = numbers // self.num_equal, numbers % self.num_equal
        columns = (self.places, self.progress, self.legal, self.num_legal)
        return [*(column[index] for column in columns), self.orders[equal], self.choice[index]]

    def logits(
        self, net: Any, places: Tensor, progress: Tensor, legal: Tensor, num_legal: Tensor, orders: Tensor
    ) -> Tensor:
        """Of the legal actions [B, A]; only they are read.

        `orders` [B, T] are symmetries of the encoding. The tokens move and the actions with them, so the
        order of the legal actions stays.
        """
        shifts = orders.clamp(max=62)  # tokens beyond the cards get zeros, as in `unpack`
        bits = (places[:, None, :] >> shifts[:, :, None]) & 1
        found = net(bits.to(net.value.weight.dtype), progress.float(), orders.gather(1, legal))[:, :, 0]
        beyond = torch.arange(legal.shape[1], device=legal.device) >= num_legal[:, None]
        return found.float().masked_fill(beyond, -math.inf)

    @torch.no_grad()
    def hits(self, net: Any, index: Tensor) -> Tensor:
        """Whether the network's first choice is the player's, [B, 2] bool: the very card; it or an equal one.

        Equal cards, such as the two plain cards of a month, have the same attributes: the Koi-Koi paper's
        own program counts either as right. Logits of equal cards often tie; then the first is the choice.
        """
        found = []
        for some in index.split(EVALUATE_BATCH):
            *given, choice = self.rows(some * self.num_equal)
            logits = self.logits(net, *given)
            best = (logits > logits.max(dim=1, keepdim=True).values - TIE).to(torch.uint8).argmax(dim=1)
            ours, theirs = (
                net.attributes[self.legal[some].gather(1, place[:, None])[:, 0]] for place in (best, choice)
            )
            found.append(torch.stack([best == choice, (ours == theirs).all(dim=1)], dim=1))
        return torch.cat(found)


def read_folder(game_id: str, folder: str | Path) -> list[Match]:
    """The matches of another program's files in a folder, in the order of their names."""
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise ValueError(f"there are no games (*.json) in {folder}")
    return [load_foreign(game_id, file) for file in files]


def samples_of(matches: Sequence[Match], encoding: ModuleType) -> TokenSamples:
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
    columns = (places, progress, legal, num_legal, choice, kind, numbers, encoding.SYMMETRIES)
    return TokenSamples(*(torch.from_numpy(column) for column in columns))
