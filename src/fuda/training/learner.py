"""The GPU's half of Monte-Carlo training: which action is best, and a step of learning.

B positions, A the most legal actions, H aims, O numbers of a target: one for a reward, or the chances
of all classes of outcomes. A network has H x O outputs for each action: what follows if one goes on
playing for an aim.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack
from fuda.training.device import Replayed, in_shares
from fuda.training.recipes import SelfPlayRecipe
from fuda.training.run_folder import load_optimizer
from fuda.training.schedule import ema_weight, learning_rate


@dataclass
class Views:
    """What is decided on: views as the encoding tells them, legal actions, and what classes are worth."""

    places: Tensor  # [B, R] int64
    progress: Tensor  # [B, P] int8
    legal: Tensor  # [B, A] int64, filled up with the first
    num_legal: Tensor  # [B] int64
    worths: Tensor  # [B, O] float32
    aims: Tensor  # [B] int64

    def part(self, first: int, last: int) -> "Views":
        """Some of them."""
        return Views(*(tensor[first:last] for tensor in vars(self).values()))


class Player:
    """Networks that choose actions: one, or one for each kind of decision."""

    def __init__(self, nets: Sequence[TokenTransformer], owners: Sequence[int], encoding: Any, width: int):
        self.nets = nets
        self.encoding = encoding
        self.width = width
        self._owners = torch.tensor(owners, device=nets[0].attributes.device)  # of each kind of decision
        on_gpu = self._owners.is_cuda
        self._device = self._owners.device.type
        # Compiling pays on a GPU, where it also fuses the unpacking of bits into the first layer.
        self.outputs = torch.compile(self.eager_outputs, dynamic=False) if on_gpu else self.eager_outputs

    def eager_outputs(
        self, net: TokenTransformer, places: Tensor, progress: Tensor, read: Tensor, attributes: Tensor
    ) -> Tensor:
        """What a network says of the tokens that are read, [B, N, H x O]."""
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            bits = unpack(places, len(attributes))
            bits = bits.to(torch.bfloat16 if bits.is_cuda else net.value.weight.dtype)
            return net(bits, progress.float(), read, attributes).float()

    @torch.no_grad()
    def choose(self, views: Views, compiled: bool = True) -> tuple[Tensor, Tensor]:
        """The place [B] of the best action among the legal ones, and what is said of it [B, O]."""
        outputs = self.outputs if compiled else self.eager_outputs
        said = [outputs(net, views.places, views.progress, views.legal, net.attributes) for net in self.nets]
        found = said[0]
        if len(said) > 1:
            owner = self._owners[self.encoding.decision_kinds(views.progress).long()]
            found = torch.stack(said).gather(0, owner[None, :, None, None].expand(1, *found.shape))[0]
        found = of_aim(found.unflatten(2, (-1, self.width)), views.aims)  # [B, A, O]
        if self.width > 1:
            found = found.softmax(dim=2)
        values = (found * views.worths[:, None, : self.width]).sum(dim=2)
        beyond = torch.arange(values.shape[1], device=values.device) >= views.num_legal[:, None]
        best = values.masked_fill(beyond, -math.inf).argmax(dim=1)
        return best, found.gather(1, best[:, None, None].expand(-1, 1, self.width))[:, 0]


def of_aim(found: Tensor, aims: Tensor) -> Tensor:
    """What is said [B, A, O] for each position's own aim, from [B, A, H, O]."""
    if found.shape[2] == 1:
        return found[:, :, 0]
    index = aims[:, None, None, None].expand(-1, found.shape[1], 1, found.shape[3])
    return found.gather(2, index)[:, :, 0]


class Learner:
    """Networks that learn, the averages of their weights, which play, and their optimizers."""

    def __init__(self, recipe: SelfPlayRecipe, encoding: Any, width: int, device: torch.device):
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.encoding = encoding
        self.device = device
        self.width = width
        num_kinds = len(encoding.DECISION_KINDS)
        self.owners = [0] * num_kinds if recipe.shared else list(range(num_kinds))
        self.nets = [self._fresh() for _ in range(max(self.owners) + 1)]
        self.averages = self.nets
        if recipe.average:
            self.averages = [copy.deepcopy(net).requires_grad_(False) for net in self.nets]
        self._learning_rate = torch.tensor(0.0, device=device)
        on_gpu = device.type == "cuda"
        self.optimizers = [
            torch.optim.AdamW(
                net.parameters(), self._learning_rate, weight_decay=recipe.weight_decay,
                capturable=on_gpu, fused=on_gpu or None,
            )
            for net in self.nets
        ]  # fmt: skip
        self.player = Player(self.averages, self.owners, encoding, width)
        self.num_steps = 0
        self.losses = torch.zeros(2, num_kinds, device=device)  # sums and counts by kind of decision
        equal = encoding.EQUAL_ATTRIBUTES if recipe.symmetries else encoding.ATTRIBUTES[None]
        self._symmetries = torch.from_numpy(equal).float().to(device)

    def _fresh(self) -> TokenTransformer:
        outputs = len(self.recipe.aims) * self.width
        return new_network(self.recipe.shape, self.encoding, outputs).to(self.device)

    def prepare(self) -> None:
        """Make room for a batch, and record the step of each network."""
        batch, device, encoding = self.recipe.batch, self.device, self.encoding
        room = [
            torch.zeros(batch, encoding.NUM_PLACE_ROWS, dtype=torch.int64, device=device),
            torch.zeros(batch, encoding.NUM_PROGRESS, dtype=torch.int8, device=device),
            torch.zeros(batch, 1, dtype=torch.int64, device=device),  # the action that was taken
            torch.zeros(batch, self.width, device=device),  # its target
            torch.zeros(batch, dtype=torch.int64, device=device),  # the aim
            self._symmetries[0].clone(),
        ]
        before = copy.deepcopy([net.state_dict() for net in self.nets])
        self.steps = [
            Replayed(lambda *inputs, number=number: self._train(number, *inputs), room)
            for number in range(len(self.nets))
        ]
        for net, weights in zip(self.nets, before, strict=True):  # recording has run some steps: undo them
            net.load_state_dict(weights)
        for optimizer in self.optimizers:
            for state in optimizer.state.values():
                for value in state.values():
                    value.zero_()
        self.losses.zero_()

    def _train(
        self,
        number: int,
        places: Tensor,
        progress: Tensor,
        action: Tensor,
        target: Tensor,
        aims: Tensor,
        attributes: Tensor,
    ) -> tuple[Tensor]:
        """A step of one network towards the targets; the loss before it."""
        net, optimizer = self.nets[number], self.optimizers[number]
        optimizer.zero_grad(set_to_none=True)
        rows = (places, progress, action, target, aims)
        if self.device.type == "cuda":
            errors = self._errors(net, attributes, *rows)
            errors.mean().backward()
        else:
            errors, *slopes = in_shares(partial(self._slopes, net, attributes), rows)
            for weights, slope in zip(net.parameters(), slopes, strict=True):
                weights.grad = slope.sum(dim=0) / len(errors)
        torch.nn.utils.clip_grad_norm_(net.parameters(), self.recipe.clip)
        optimizer.step()
        with torch.no_grad():
            kinds = F.one_hot(self.encoding.decision_kinds(progress).long(), self.losses.shape[1]).float()
            self.losses += torch.stack([errors.detach() @ kinds, kinds.sum(dim=0)])
        return (errors.detach().mean(),)

    def _errors(
        self,
        net: TokenTransformer,
        attributes: Tensor,
        places: Tensor,
        progress: Tensor,
        action: Tensor,
        target: Tensor,
        aims: Tensor,
    ) -> Tensor:
        """How far off a network is, [B]."""
        said = self.player.outputs(net, places, progress, action, attributes)
        found = of_aim(said.unflatten(2, (-1, self.width)), aims)[:, 0]
        if self.width > 1:
            return F.cross_entropy(found, target, reduction="none")
        return F.mse_loss(found[:, 0], target[:, 0], reduction="none")

    def _slopes(self, net: TokenTransformer, attributes: Tensor, *rows: Tensor) -> tuple[Tensor, ...]:
        """The errors [B], and their slope in all weights of the network, each [1, ...]."""
        errors = self._errors(net, attributes, *rows)
        slopes = torch.autograd.grad(errors.sum(), list(net.parameters()))
        return (errors.detach(), *(slope[None] for slope in slopes))

    def step(self, number: int, done: float) -> None:
        """Learn from what lies in the room: `steps[number].inputs`, but for the last.

        The rate warms up, then falls as a cosine to its end (`done` is the part of the run), and steps
        take turns with the deck's symmetries, if the recipe says so.
        """
        recipe = self.recipe
        self.steps[number].inputs[-1].copy_(self._symmetries[self.num_steps % len(self._symmetries)])
        self._learning_rate.fill_(learning_rate(recipe, self.num_steps, done))
        self.steps[number]()
        self.num_steps += 1
        if recipe.average:
            averages: list[Tensor] = list(self.averages[number].parameters())
            weights: list[Tensor] = [weight.detach() for weight in self.nets[number].parameters()]
            torch._foreach_lerp_(averages, weights, ema_weight(recipe, self.num_steps - 1))

    def start_from(self, networks: Sequence[dict[str, Tensor]]) -> None:
        """Take over the weights of networks; what they say is learned anew if it is something else."""
        for mine in (self.nets, self.averages):
            for net, weights in zip(mine, networks, strict=True):
                net.take_over(weights)

    def mean_losses(self) -> dict[str, float]:
        """The mean loss by kind of decision since the last call."""
        sums, counts = self.losses.tolist()
        self.losses.zero_()
        kinds = self.encoding.DECISION_KINDS
        return {
            f"loss_{kind}": total / count
            for kind, total, count in zip(kinds, sums, counts, strict=True)
            if count
        }

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "nets": [net.state_dict() for net in self.nets],
            "averages": [net.state_dict() for net in self.averages],
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "num_steps": self.num_steps,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        for net, weights in zip(self.nets, state["nets"], strict=True):
            net.load_state_dict(weights)
        for net, weights in zip(self.averages, state["averages"], strict=True):
            net.load_state_dict(weights)
        self.num_steps = state["num_steps"]
        for optimizer, stored in zip(self.optimizers, state["optimizers"], strict=True):
            load_optimizer(optimizer, stored, self._learning_rate)


def new_network(shape: TokenShape, encoding: Any, outputs: int = 1) -> TokenTransformer:
    """A network of a shape for an encoding, with fresh weights."""
    return TokenTransformer(
        torch.from_numpy(encoding.ATTRIBUTES),
        torch.from_numpy(encoding.PROGRESS_SCALES),
        encoding.NUM_PLACE_ROWS,
        replace(shape, outputs=outputs),
    )
