"""Decisions among all legal moves at once, each an output of the network: naive deep Q-learning.

B positions, W words of one, A actions, L the most legal ones of a position.
"""

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.nets.action_outputs import ActionNet, ActionReader
from fuda.nets.decompositions import GroupShape
from fuda.nets.export import read_action_outputs
from fuda.training.trainer import Parts


class OneStage:
    """Values of the legal moves; the one that is played is a choice from a single group."""

    stored = staticmethod(read_action_outputs)
    num_values = 1  # of a decision

    def __init__(self, reader: ActionReader):
        self.reader = reader

    def new(self, shape: GroupShape) -> ActionNet:
        """A network with fresh weights."""
        return self.reader.new(shape)

    @torch.no_grad()
    def choose(
        self, net: Any, words: np.ndarray, seeds: np.ndarray, draws: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best moves [B, 1], or by `draws` [B, 2] any, uniformly, where they are not below 0."""
        legal = self.reader.encoding.legal_table(words)
        values, _ = self.reader.legal_outputs(net, words, legal)
        places = values.argmax(dim=1).cpu().numpy()
        if draws is not None:
            at_random = (draws[:, 1] * (legal >= 0).sum(axis=1)).astype(np.int64)
            places = np.where(draws[:, 1] >= 0, at_random, places)
        chosen = np.take_along_axis(legal, places[:, None], axis=1)
        return chosen, np.ones(chosen.shape, bool), np.zeros(len(chosen), np.int8)

    def errors(
        self, net: Any, words: Tensor, groups: Tensor, playable: Tensor, places: Tensor, targets: Tensor
    ) -> Parts:
        """How far off the values of the moves are (Huber), [B]."""
        values, _ = self.reader.outputs(net, words)
        own = values.gather(1, groups)[:, 0].float()
        return {"move": F.smooth_l1_loss(own, targets[:, 0], reduction="none")}

    def from_outcomes(self, after: Tensor, gamma: float) -> Tensor:
        """Targets [B, 1], where `after` [B] is what followed the moves."""
        return after[:, None]

    def states_of(self, decisions: np.ndarray) -> np.ndarray:
        """How many states of the process so many decisions are."""
        return decisions

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
        """The same by double Q-learning."""
        return after[:, None]

    @torch.no_grad()
    def next_values(self, net: Any, target: Any, words: np.ndarray, seeds: np.ndarray) -> Tensor:
        """What positions [B] are worth: the network says which move is best, the target network how good."""
        chosen, _, _ = self.choose(net, words, seeds, None)
        device = self.reader.device
        values, _ = self.reader.outputs(target, torch.from_numpy(words).to(device))
        own = values.gather(1, torch.from_numpy(chosen.astype(np.int64)).to(device))
        return own[:, 0].float()
