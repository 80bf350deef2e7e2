"""What helps in training and plays no part in the player: it is told what no player sees.

A *critic* sees all hands. What it expects beyond what the mover's view can tell is the advantage of the
hidden cards, whatever the mover did. As a control variate it is subtracted from the outcome, so that this
part of the variance is no noise in what is learned of the moves. On average over the deals that look the
same to the mover it is zero, once the guess of it is learned; until then all moves of a view are shifted
alike. So nothing that the mover could know is lost. Lambda returns are drawn towards the critic's values.

A *belief* head of the network guesses who holds each hidden card, and learns it from the hands.

B positions, W words of an encoded view, E extra ones of what is told here, A actions, H other seats.
"""

from abc import ABC, abstractmethod
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.policy_value import CardMlp, MlpShape, in_full
from fuda.nets.readers import Position, Reader
from fuda.nets.words import word_input
from fuda.training.rewards import Mean, Reward
from fuda.training.trainer import Parts

IMPOSSIBLE = -1e4  # a logit


class Auxiliary(ABC):
    """It learns from words beside those of a position, and the network's layers learn from it."""

    num_words: int
    encode: Any  # compiled: (state, seat, words)
    modules: tuple[nn.Module, ...] = ()  # that learn beside the network
    weight_of: dict[str, float] = {}  # of parts of the loss, where it is not one  # noqa: RUF012

    @abstractmethod
    def errors(
        self, position: Position, words: Tensor, extra_words: Tensor, targets: Tensor
    ) -> tuple[Parts, Tensor]:
        """Its own errors, each [B], and the targets [B, C] that the network is to learn."""


class Critic(Auxiliary):
    """A network of all hands, and a guess from what is found of a view what it will say of them."""

    def __init__(self, encoding: ModuleType, shape: MlpShape, reader: Reader, net: Any, reward: Reward):
        if not isinstance(reward, Mean) or reward.outputs > 1:
            raise ValueError("a critic is for rewards that are the mean of a number")
        self.num_words, self.encode = encoding.NUM_WORDS, encoding.encode
        self._reader, self._scale = reader, reward.scale
        device = reader.device
        self._input = word_input(encoding, shape.diffuse, device)
        self.net = CardMlp(encoding.NUM_COLUMNS, 1, shape).to(device)
        nothing = torch.zeros(1, reader.num_words, dtype=torch.int64, device=device)
        with torch.no_grad():
            width = reader.features(reader.position(net, nothing)).shape[1]
        self.guess = nn.Linear(width, 1).to(device)
        self.modules = (nn.ModuleList([self.net, self.guess]),)

    def values(self, extra_words: Tensor) -> Tensor:
        """What the mover's target will be, in the network's units [B]."""
        with self._reader.precision():
            return self.net(self._input(extra_words))[1]

    def expected(self, extra_words: Tensor) -> Tensor:
        """The same as a target."""
        return self._scale * self.values(extra_words)[:, None]

    def errors(
        self, position: Position, words: Tensor, extra_words: Tensor, targets: Tensor
    ) -> tuple[Parts, Tensor]:
        """The critic's against the outcome plus the guess's against it; the targets without the advantage.

        The guess also teaches the layers that it reads: what a deal is worth on average, with little noise.
        """
        seen = self.values(extra_words)
        guessed = in_full(self.guess, self._reader.features(position))[:, 0]
        error = (seen - targets[:, -1] / self._scale) ** 2 + (guessed - seen.detach()) ** 2
        return {"critic_error": error}, targets - self._scale * (seen - guessed).detach()[:, None]


class Belief(Auxiliary):
    """A head that tells who holds the cards that the mover does not see."""

    def __init__(self, encoding: Any, weight: float, num_holders: int, device: torch.device):
        if num_holders != encoding.NUM_HIDDEN:
            raise ValueError(f"a belief is for a network that tells of {encoding.NUM_HIDDEN} other hands")
        self.num_words, self.encode = encoding.NUM_HIDDEN, encoding.encode_hidden
        self.weight_of = {"belief_error": weight}
        self._word = int(encoding.PROGRESS)
        self._cannot_hold = torch.from_numpy(encoding.CANNOT_HOLD).to(device)

    def errors(
        self, position: Position, words: Tensor, extra_words: Tensor, targets: Tensor
    ) -> tuple[Parts, Tensor]:
        """By the last of what is found of positions: logits [B, H, A]."""
        cannot = (words[:, self._word, None, None] >> self._cannot_hold & 1).bool()
        return {"belief_error": holders_error(position[-1], extra_words, cannot)}, targets


def holders_error(logits: Tensor, hidden: Tensor, cannot: Tensor) -> Tensor:
    """How wrong the guess is who holds the hidden cards: the mean cross-entropy of a card [B].

    Logits [B, H, A], the true hands `hidden` [B, H] as bits, `cannot` [B, H, A] where it is known not to.
    """
    held = hidden[:, :, None] >> torch.arange(logits.shape[2], device=logits.device) & 1
    chances = F.log_softmax(logits.float().masked_fill(cannot, IMPOSSIBLE), dim=1)
    return -(held * chances).sum(dim=(1, 2)) / held.sum(dim=(1, 2)).clamp(min=1)
