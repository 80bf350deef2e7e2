"""A critic that sees all hands, in training only: it tells how much of an outcome was luck.

A deal that the critic values higher than one could know from the mover's view was a lucky one, whatever the
mover did; taken off the outcome, that luck is no noise in what is learned of the cards. On average over the
deals that look the same to the mover it is zero, once the guess of it is learned; until then all cards of a
view are shifted alike. So nothing that the mover could know is lost.

B positions, O words of an encoded state.
"""

from types import ModuleType

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.policy_value import CardMlp, MlpShape, in_full
from fuda.nets.words import word_input


class Critic(nn.Module):
    """A network of states, and a guess from the features of a view what it will say of the state."""

    def __init__(self, encoding: ModuleType, shape: MlpShape, width: int, device: torch.device):
        super().__init__()
        self.input = word_input(encoding, shape.diffuse, device)
        self.net = CardMlp(encoding.NUM_COLUMNS, 1, shape).to(device)
        self.guess = nn.Linear(width, 1).to(device)

    def forward(self, words: Tensor) -> Tensor:
        """What the side to move will gain [B], of states [B, O]."""
        device = words.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            return self.net(self.input(words))[1]

    def luck(self, words: Tensor, features: Tensor, returns: Tensor) -> tuple[Tensor, Tensor]:
        """How much more the states [B, O] are worth than their views [B, width] tell, [B]; the error.

        The error: the critic's against the outcome, plus the guess's against the critic. The guess also
        teaches the layers that the features are from: what a deal is worth on average, with little noise.
        """
        seen = self(words)
        guessed = in_full(self.guess, features)[:, 0]
        error = F.mse_loss(seen, returns) + F.mse_loss(guessed, seen.detach())
        return (seen - guessed).detach(), error
