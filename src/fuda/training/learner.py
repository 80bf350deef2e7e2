"""The GPU's half of Monte-Carlo training: which action is best, and a step of regression."""

import copy
import math
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.nets.token_transformer import Shape, TokenTransformer, unpack
from fuda.training.device import Replayed
from fuda.training.recipes import SelfPlayRecipe


class Learner:
    """A network, the average of its weights, and its optimizer."""

    def __init__(self, recipe: SelfPlayRecipe, encoding: Any, device: torch.device):
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.device = device
        self.net = new_network(recipe.shape, encoding).to(device)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self._learning_rate = torch.tensor(0.0, device=device)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), self._learning_rate, weight_decay=recipe.weight_decay,
            capturable=device.type == "cuda", fused=device.type == "cuda" or None,
        )  # fmt: skip
        self.num_steps = 0
        self._symmetries = torch.from_numpy(encoding.EQUAL_ATTRIBUTES).float().to(device)
        # Compiling pays on a GPU, where it also fuses the unpacking of bits into the first layer.
        self._forward = torch.compile(self._values) if device.type == "cuda" else self._values

    def _values(self, places: Tensor, progress: Tensor, read: Tensor, attributes: Tensor) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            bits = unpack(places, len(self.net.attributes)).to(self.net.value.weight.dtype)
            return self.net(bits, progress.float(), read, attributes)[:, :, 0].float()

    def prepare(self, group_size: int, num_places: int, num_progress: int, max_legal: int) -> None:
        """Make room for what is read, and record both steps."""
        sizes = (("act", group_size, max_legal), ("train", self.recipe.batch, 1))
        room = {}
        for name, rows, read in sizes:
            room[name] = [
                torch.zeros(rows, num_places, dtype=torch.int64, device=self.device),
                torch.zeros(rows, num_progress, dtype=torch.int8, device=self.device),
                torch.zeros(rows, read, dtype=torch.int64, device=self.device),
            ]
        num_legal = torch.ones(group_size, dtype=torch.int64, device=self.device)
        targets, weights = (torch.zeros(self.recipe.batch, device=self.device) for _ in range(2))
        self.act = Replayed(self._act, [*room["act"], num_legal])
        before = copy.deepcopy(self.net.state_dict())
        self.train = Replayed(self._train, [*room["train"], targets, weights, self.net.attributes.clone()])
        if self.device.type == "cuda":  # recording has run some steps: undo what they did
            self.net.load_state_dict(before)
            for state in self.optimizer.state.values():
                for value in state.values():
                    value.zero_()
            self.average.load_state_dict(before)

    def _act(
        self, places: Tensor, progress: Tensor, legal: Tensor, num_legal: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The index [B] of the best legal action, and its value [B]."""
        with torch.no_grad():
            values = self._forward(places, progress, legal, self.net.attributes)
            beyond = torch.arange(legal.shape[1], device=legal.device) >= num_legal[:, None]
            best = values.masked_fill(beyond, -math.inf).max(dim=1)
            return best.indices, best.values

    def _train(
        self,
        places: Tensor,
        progress: Tensor,
        action: Tensor,
        target: Tensor,
        weight: Tensor,
        attributes: Tensor,
    ) -> tuple[Tensor]:
        """A step towards the targets; the loss before it."""
        self.optimizer.zero_grad(set_to_none=True)
        found = self._forward(places, progress, action, attributes)[:, 0]
        errors = F.mse_loss(found, target, reduction="none")
        loss = (weight * errors).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.clip)
        self.optimizer.step()
        with torch.no_grad():
            averages: list[Tensor] = list(self.average.parameters())
            weights: list[Tensor] = list(self.net.parameters())
            torch._foreach_lerp_(averages, weights, 1 - self.recipe.average)
        return (loss.detach(),)

    def set_step(self, done: float) -> None:
        """Prepare the next step: the rate, and which of the deck's symmetries it is trained on.

        The rate warms up, then falls as a cosine to its end; `done` is the part of the run.
        """
        self.train.inputs[-1].copy_(self._symmetries[self.num_steps % len(self._symmetries)])
        recipe = self.recipe
        warm = min(1.0, (self.num_steps + 1) / recipe.warmup_steps)
        span = recipe.learning_rate - recipe.final_learning_rate
        rate = recipe.final_learning_rate + span * (1 + math.cos(math.pi * min(done, 1.0))) / 2
        self._learning_rate.fill_(warm * rate)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "num_steps": self.num_steps,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.num_steps = state["num_steps"]
        rate = self._learning_rate
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def new_network(shape: Shape, encoding: Any) -> TokenTransformer:
    """A network of a shape for an encoding, with fresh weights."""
    return TokenTransformer(
        torch.from_numpy(encoding.ATTRIBUTES),
        torch.from_numpy(encoding.PROGRESS_SCALES),
        encoding.NUM_PLACE_ROWS,
        shape,
    )
