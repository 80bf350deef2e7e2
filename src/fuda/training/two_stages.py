"""Decisions in two stages, as in the CQL paper: which decomposition of the hand, then which of its groups.

B positions, W words of one, G the most groups of a decomposition.
"""

from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.core.decompositions import Decompositions
from fuda.core.threads import split
from fuda.nets.decompositions import DecompositionNet, GroupShape
from fuda.nets.export import read_decompositions
from fuda.nets.group_reader import BEYOND, GroupReader, Members
from fuda.training.chooser import choose
from fuda.training.deals import BY_VALUE
from fuda.training.trainer import Parts

MIN_POSITIONS = 8  # fewer are not worth a core


class TwoStages:
    """Values of up to `limit` decompositions, then of the groups of the best."""

    stored = staticmethod(read_decompositions)
    num_values = 2  # of a decision: the decomposition's, and the group's

    def __init__(self, reader: GroupReader, limit: int):
        self.reader, self.limit = reader, limit

    def new(self, shape: GroupShape) -> DecompositionNet:
        """A network with fresh weights."""
        return self.reader.new(shape)

    def choose(
        self, net: Any, words: np.ndarray, seeds: np.ndarray, draws: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As `choose_among`, from decompositions that the generators `seeds` [B] draw."""
        found = self.reader.encoding.decompose(words, self.limit, seeds.copy())
        return choose_among(self.reader, net, words, found, draws)

    def errors(
        self, net: Any, words: Tensor, groups: Tensor, playable: Tensor, places: Tensor, targets: Tensor
    ) -> Parts:
        """How far off the values of the chosen decompositions and groups are (Huber), [B] each."""
        value, moves = self.reader.one_value(net, words, groups, playable)
        own = moves.gather(1, places[:, None])[:, 0]
        found = {"decomposition": value, "group": own}
        return {
            name: F.smooth_l1_loss(values, targets[:, stage], reduction="none")
            for stage, (name, values) in enumerate(found.items())
        }

    def from_outcomes(self, after: Tensor, gamma: float) -> Tensor:
        """Targets [B, 2], where `after` [B] is what followed the groups."""
        return torch.stack([gamma * after, after], dim=1)

    def states_of(self, decisions: np.ndarray) -> np.ndarray:
        """How many states of the process so many decisions are."""
        return 2 * decisions

    @torch.no_grad()
    def targets(
        self,
        net: Any,
        target: Any,
        words: Tensor,
        groups: Tensor,
        playable: Tensor,
        after: Tensor,
        gamma: float,
    ) -> Tensor:
        """The same by double Q-learning: a decomposition is worth its best group that can be played."""
        given = words, groups, playable
        best = self.reader.one_value(net, *given)[1].masked_fill(~playable, -torch.inf).argmax(1)
        of_groups = self.reader.one_value(target, *given)[1].gather(1, best[:, None])[:, 0]
        return torch.stack([gamma * of_groups, after], dim=1)

    @torch.no_grad()
    def next_values(self, net: Any, target: Any, words: np.ndarray, seeds: np.ndarray) -> Tensor:
        """What positions [B] are worth by double Q-learning: the best decomposition's value."""
        device = self.reader.device
        chosen, playable, _ = self.choose(net, words, seeds, None)
        given = (torch.from_numpy(array).to(device) for array in (words, chosen.astype(np.int64), playable))
        return self.reader.one_value(target, *given)[0]


def choose_among(
    reader: GroupReader,
    net: DecompositionNet,
    words: np.ndarray,
    found: Decompositions,
    draws: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best decomposition of each position and the best group in it, on a CPU by all cores.

    Or random ones, both uniformly, by `draws` [B, 2] from 0 to 1, below 0 where the best are wanted. Returns
    the groups of the decomposition [B, G], which of them can be played, and the place of the chosen one [B].
    """
    share = partial(_choose_share, reader, net, words, found, draws)
    if reader.device.type == "cuda":
        return share(0, len(words))
    shares = split(share, count=len(words), min_share=MIN_POSITIONS)
    groups, playable, places = (np.concatenate(parts) for parts in zip(*shares, strict=True))
    return groups, playable, places


@torch.no_grad()
def _choose_share(
    reader: GroupReader,
    net: DecompositionNet,
    words: np.ndarray,
    found: Decompositions,
    draws: np.ndarray | None,
    first: int,
    last: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for positions first..last-1."""
    device = reader.device
    members = Members.of(found.between(first, last), device)
    valued = reader.all_values(net, torch.from_numpy(words[first:last]).to(device), members)
    drawn = torch.full((last - first, 2), -1.0, dtype=torch.float64, device=device)
    if draws is not None:
        drawn.copy_(torch.from_numpy(draws[first:last]))
    is_drawn = drawn[:, 0] >= 0
    counts = members.starts.diff()
    given = torch.where(is_drawn, (drawn[:, 0] * counts).long(), BY_VALUE)
    chosen, _ = choose(valued.values, members.positions, members.starts[:-1], given)
    rows, is_member = members.table(chosen, reader.encoding.MAX_GROUPS)
    playable = members.playable[rows] & is_member
    moves = reader.move_values(net, valued, chosen, rows).masked_fill(~playable, -torch.inf)
    number = (drawn[:, 1] * playable.sum(dim=1)).long()
    at_random = (playable.cumsum(dim=1) > number[:, None]).int().argmax(dim=1)
    places = torch.where(is_drawn, at_random, moves.argmax(dim=1))
    groups = torch.where(is_member, members.groups[rows], BEYOND)
    return groups.cpu().numpy(), playable.cpu().numpy(), places.cpu().numpy()
