"""ScrofaZero's training, from nothing: games with open hands, by trees whose leaves a network values.

One process. Epoch by epoch: games are played by tree search (`tree_play.py`, the CPU's half), then the
network learns from the decisions of the last epochs: for its policy softmax(0.2 x value) of the legal cards,
for its value what the best of them gains from now on. Groups of games take turns, so that one is on the
CPU while the network values the leaves of another.

B positions, A the most legal actions, W words of an encoded position.
"""

import copy
import importlib
import math
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.agents.scenarios import ScenarioAgent, scenario_setting
from fuda.core.threads import split
from fuda.games import game as find_game
from fuda.nets.policy_value import FC24, CardMlp, CardResNet, MlpShape, PolicyValueNet, ResNetShape
from fuda.search.network_tree import TreeSetting
from fuda.training.conduct import Progress, TrainingRun, conduct
from fuda.training.device import Mark, Replayed, pinned
from fuda.training.run_folder import load_optimizer, packed, read_checkpoint, unpacked, write_checkpoint
from fuda.training.torch_agent import deals_on, torch_network, word_input
from fuda.training.tree_play import TreePlay


@dataclass(frozen=True)
class OpenHandsRecipe:
    """All that determines a run, but for its length."""

    game: str
    line: str
    shape: MlpShape | ResNetShape = field(default_factory=MlpShape)
    groups: int = 1  # in turn: one is played on the CPU while the GPU works for another
    group_size: int = 64  # games that are played together
    refill: bool = (
        False  # a game that is over makes room for the next at once; else an epoch's end is waited for
    )
    games: int = 256_000  # the length of the schedules, unless the run is given minutes
    epoch_games: int = 64
    window: int = 3  # epochs that are learned from
    passes: int = 3  # over the window, in each epoch
    late_after: float = 1.0  # the part of the run after which the next two hold
    late_epoch_games: int = 128
    late_window: int = 1
    batch: int = 64
    learning_rate: float = 5e-5
    final_learning_rate: float = 5e-5  # by a cosine
    warmup_steps: int = 1
    decoupled: bool = False  # weight decay beside Adam (AdamW) instead of in its gradient
    weight_decay: float = 1e-4
    betas: tuple[float, float] = (0.3, 0.999)
    eps: float = 1e-7
    clip: float = 0.0  # the largest norm of a gradient; 0 for any
    average: float = 0.0  # of the weights, from step to step; 0 for the newest
    value_weight: float = 0.03  # of the value's error (root mean square, in points) beside the policy's
    mask: str = (
        "zero"  # illegal logits are "zero" before softmax, masked "after" it, or not among the "legal"
    )
    sharpness: float = 0.2  # of the policy's targets
    per_legal: int = 2  # iterations of a tree for each legal card
    exploration: float = 30.0
    skip_forced: bool = False  # forced cards are neither searched nor learned from
    explore: float = 0.0  # the chance of a card drawn by the policy's target instead of the best
    hidden: bool = False  # search a redeal of what the mover cannot see, instead of the truth
    seed: int = 1

    @property
    def encoding(self) -> ModuleType:
        """The encoding of the recipe's game."""
        return importlib.import_module(f"fuda.games.{self.game}.encoding")


AUTHORS = OpenHandsRecipe(
    "gongzhu", "Gongzhu as ScrofaZero's authors trained it.", shape=FC24, late_after=0.6
)
OURS = OpenHandsRecipe(
    "gongzhu",
    "Gongzhu by tree search with open hands: large batches, averaged weights, many games.",
    shape=MlpShape(first=768, second=512, width=384, blocks=4, norm=1),  # 2.1 million weights: 4 MiB
    groups=2,
    group_size=8192,
    refill=True,
    games=4_000_000,
    epoch_games=2048,
    window=2,
    passes=1,
    batch=4096,
    learning_rate=1e-3,
    final_learning_rate=1e-5,
    warmup_steps=300,
    decoupled=True,
    betas=(0.9, 0.99),
    clip=1.0,
    average=0.999,
    mask="legal",
    skip_forced=True,
    explore=0.1,
)
RECIPES = {
    "gongzhu-authors": AUTHORS,
    "gongzhu-open": OURS,
    "gongzhu-small": replace(
        OURS,
        line="A small network for two CPU cores and ten minutes.",
        shape=MlpShape(first=256, second=256, width=128, blocks=2, norm=1),
        group_size=64,
        games=30_000,
        epoch_games=32,
        window=3,
        batch=256,
        warmup_steps=50,
        average=0.99,
    ),
}


def new_network(shape: MlpShape | ResNetShape, encoding: ModuleType, num_actions: int) -> PolicyValueNet:
    """A network of a shape for an encoding, with fresh weights."""
    if isinstance(shape, ResNetShape):
        return CardResNet(encoding.NUM_COLUMNS, encoding.PLANES, shape)
    return CardMlp(encoding.NUM_COLUMNS, num_actions, shape)


def losses(
    mask: str,
    sharpness: float,
    logits: Tensor,
    values: Tensor,
    actions: Tensor,
    counts: Tensor,
    gains: Tensor,
) -> tuple[Tensor, Tensor]:
    """Of logits [B, num_actions] and values [B]: the policy's divergence and the value's error in points.

    Targets are the gains [B, A] of the first `counts` [B] of `actions` [B, A].
    """
    valid = torch.arange(actions.shape[1], device=actions.device) < counts[:, None]
    legal = torch.zeros_like(logits).scatter_add_(1, actions, valid.to(logits.dtype)) > 0
    if mask == "zero":
        chances = F.log_softmax(logits * legal, dim=1)
    elif mask == "after":
        chances = F.log_softmax(logits, dim=1)
    else:
        chances = F.log_softmax(logits.masked_fill(~legal, -math.inf), dim=1)
    target = torch.softmax((sharpness * gains).masked_fill(~valid, -math.inf), dim=1)
    found = chances.gather(1, actions).masked_fill(~valid, 0.0)
    divergence = (torch.xlogy(target, target) - target * found).sum(dim=1).mean()
    best = gains.masked_fill(~valid, -math.inf).max(dim=1).values
    return divergence, F.mse_loss(values, best).sqrt()


class Learner:
    """A network, the average of its weights, its optimizer, and the decisions that it learns from."""

    def __init__(self, recipe: OpenHandsRecipe, device: torch.device):
        torch.manual_seed(recipe.seed)
        spec, encoding = find_game(recipe.game).spec, recipe.encoding
        self.recipe = recipe
        self.device = device
        self.net = new_network(recipe.shape, encoding, spec.num_actions).to(device)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self.input = word_input(encoding, recipe.shape.diffuse).to(device)
        self._learning_rate = torch.tensor(0.0, device=device)
        kind = torch.optim.AdamW if recipe.decoupled else torch.optim.Adam
        self.optimizer = kind(
            self.net.parameters(), self._learning_rate, betas=recipe.betas, eps=recipe.eps,
            weight_decay=recipe.weight_decay, capturable=device.type == "cuda",
            fused=device.type == "cuda" or None,
        )  # fmt: skip
        self.num_steps = 0
        # Room for the decisions of the window's epochs, each in a part of its own.
        self.part_size = max(recipe.epoch_games, recipe.late_epoch_games) * spec.max_deal_decisions
        room, most = recipe.window * self.part_size, spec.max_legal
        self.words = torch.zeros(room, encoding.NUM_WORDS, dtype=torch.int64, device=device)
        self.actions = torch.zeros(room, most, dtype=torch.int8, device=device)
        self.counts = torch.ones(room, dtype=torch.int8, device=device)
        self.gains = torch.zeros(room, most, device=device)
        self._totals = torch.zeros(2, device=device)  # both losses, summed over steps
        self._forward = torch.compile(self._outputs) if device.type == "cuda" else self._outputs
        self._prepare()

    def _outputs(self, words: Tensor, average: bool) -> tuple[Tensor, Tensor]:
        device = self.device.type
        net = self.average if average else self.net
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            return net(self.input(words))

    def _prepare(self) -> None:
        """Record both steps."""
        recipe, device = self.recipe, self.device
        num_words = self.words.shape[1]
        leaves = torch.zeros(recipe.group_size, num_words, dtype=torch.int64, device=device)
        self.value = Replayed(self._value, [leaves])
        before = copy.deepcopy(self.net.state_dict())
        index = torch.zeros(recipe.batch, dtype=torch.int64, device=device)
        self.train = Replayed(self._train, [index])
        if device.type == "cuda":  # recording has run some steps: undo what they did
            self.net.load_state_dict(before)
            for state in self.optimizer.state.values():
                for value in state.values():
                    value.zero_()
            self.average.load_state_dict(before)

    def _value(self, words: Tensor) -> tuple[Tensor]:
        """What the side to move will gain [B], by the averaged weights."""
        with torch.no_grad():
            return (self._forward(words, True)[1],)

    def _train(self, index: Tensor) -> tuple[Tensor, Tensor]:
        """A step on the decisions `index` [B]; both losses before it."""
        recipe = self.recipe
        self.optimizer.zero_grad(set_to_none=True)
        logits, values = self._forward(self.words[index], False)
        divergence, error = losses(
            recipe.mask, recipe.sharpness, logits, values,
            self.actions[index].long(), self.counts[index].long(), self.gains[index],
        )  # fmt: skip
        (divergence + recipe.value_weight * error).backward()
        if recipe.clip:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), recipe.clip)
        self.optimizer.step()
        with torch.no_grad():
            averages: list[Tensor] = list(self.average.parameters())
            weights: list[Tensor] = list(self.net.parameters())
            torch._foreach_lerp_(averages, weights, 1 - recipe.average)
            self._totals += torch.stack([divergence, error])
        return divergence.detach(), error.detach()

    def store(self, part: int, samples: tuple[np.ndarray, ...]) -> int:
        """Put an epoch's words, actions, counts and gains into a part of the room; how many they are."""
        first, count = part * self.part_size, len(samples[0])
        for room, fresh in zip((self.words, self.actions, self.counts, self.gains), samples, strict=True):
            room[first : first + count] = torch.from_numpy(fresh).to(self.device)
        return count

    def learn(self, index: Tensor, done: float) -> Tensor:
        """Pass over the decisions `index` in this order, what does not fill a batch left out; mean losses."""
        batch = self.recipe.batch
        num_batches = len(index) // batch
        self._totals.zero_()
        for number in range(num_batches):
            if number == 0 or self.num_steps <= self.recipe.warmup_steps:
                self._set_rate(done)
            self.train.inputs[0].copy_(index[number * batch : (number + 1) * batch])
            self.train()
            self.num_steps += 1
        return self._totals / max(1, num_batches)

    def _set_rate(self, done: float) -> None:
        """The rate warms up, then falls as a cosine to its end; `done` is the part of the run."""
        recipe = self.recipe
        warm = min(1.0, (self.num_steps + 1) / recipe.warmup_steps)
        span = recipe.learning_rate - recipe.final_learning_rate
        rate = recipe.final_learning_rate + span * (1 + math.cos(math.pi * min(done, 1.0))) / 2
        self._learning_rate.fill_(warm * rate)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(), "num_steps": self.num_steps,
            "window": [each.cpu() for each in (self.words, self.actions, self.counts, self.gains)],
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.num_steps = state["num_steps"]
        load_optimizer(self.optimizer, state["optimizer"], self._learning_rate)
        rooms = (self.words, self.actions, self.counts, self.gains)
        for room, stored in zip(rooms, state["window"], strict=True):
            room.copy_(stored)


class Group:
    """Games that are played together, with the leaves that wait for their values."""

    def __init__(self, number: int, run: "Run"):
        recipe, size = run.recipe, run.recipe.group_size
        self.play = TreePlay(
            run.game, recipe.encoding, size, recipe.seed * 1000 + number,
            TreeSetting(recipe.exploration, skip_forced=recipe.skip_forced),
            per_legal=recipe.per_legal, refill=recipe.refill, hidden=recipe.hidden,
            explore=recipe.explore, sharpness=recipe.sharpness,
        )  # fmt: skip
        self.words = pinned((size, recipe.encoding.NUM_WORDS), torch.int64, run.device)
        self.found = pinned((size,), torch.float32, run.device)
        self.valued = Mark(run.device)

    def ask(self, run: "Run") -> None:
        """Queue the valuing of the leaves."""
        leaves = self.play.trees.leaves
        seats = leaves["seat"].astype(np.int64)
        split(
            run.recipe.encoding.encode_all, leaves, seats, self.words.numpy(),
            count=self.play.size, min_share=512,
        )  # fmt: skip
        value = run.learner.value
        value.inputs[0].copy_(self.words, non_blocking=True)
        self.found.copy_(value()[0], non_blocking=True)
        self.valued.set()

    def advance(self) -> list[tuple[np.ndarray, ...]]:
        """Take the values and go to the next leaves; the decisions of games that ended."""
        self.valued.wait()
        self.play.advance(self.found.numpy())
        return self.play.harvest()


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: OpenHandsRecipe

    def __init__(self, recipe: OpenHandsRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.learner = Learner(recipe, device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        self.pending: list[tuple[np.ndarray, ...]] = []  # games that ended after an epoch was full
        self.sizes: list[int] = []  # decisions in each part of the window, the newest last
        self.parts: list[int] = []  # which part that is
        self.epochs = 0
        self.num_decisions = 0
        self._losses: list[Tensor] = []
        for group in self.groups:
            group.ask(self)

    def advance(self) -> None:
        """An epoch: play its games, and learn from those of the window."""
        recipe = self.recipe
        is_late = self.done >= recipe.late_after
        self._collect(self._play(recipe.late_epoch_games if is_late else recipe.epoch_games))
        keep = recipe.late_window if is_late else recipe.window
        self.sizes, self.parts = self.sizes[-keep:], self.parts[-keep:]
        starts = [part * self.learner.part_size for part in self.parts]
        index = torch.cat([
            torch.arange(start, start + size, device=self.device)
            for start, size in zip(starts, self.sizes, strict=True)
        ])  # fmt: skip
        luck = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + self.epochs)
        for _ in range(recipe.passes):
            order = index[torch.randperm(len(index), generator=luck, device=self.device)]
            self._losses.append(self.learner.learn(order, self.done))
        self.epochs += 1
        if not recipe.refill:  # the first leaves of the next games wait: they are for the new weights
            for group in self.groups:
                group.ask(self)

    def _play(self, count: int) -> list[tuple[np.ndarray, ...]]:
        """The decisions of so many games."""
        while len(self.pending) < count:
            for group in self.groups:
                self.pending += group.advance()
                if group.play.idle.all():
                    group.play.open()
                group.ask(self)
        found, self.pending = self.pending[:count], self.pending[count:]
        return found

    def _collect(self, games: list[tuple[np.ndarray, ...]]) -> None:
        """Put the games' decisions in place of the oldest of the window."""
        samples = tuple(np.concatenate(each) for each in zip(*games, strict=True))
        part = self.epochs % self.recipe.window
        self.sizes.append(self.learner.store(part, samples))
        self.parts.append(part)
        self.num_games += len(games)
        self.num_decisions += self.sizes[-1]

    def save(self) -> None:
        """Write a checkpoint."""
        for group in self.groups:
            group.valued.wait()
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe),
            "learner": self.learner.state(),
            "groups": [packed(group.play.arrays()) | {"found": group.found.clone()} for group in self.groups],
            "pending": [[torch.from_numpy(each) for each in game] for game in self.pending],
            "sizes": self.sizes, "parts": self.parts, "epochs": self.epochs, "num_games": self.num_games,
            "num_decisions": self.num_decisions, "seconds": self.seconds,
        })  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        self.learner.load(stored["learner"])
        for group, state in zip(self.groups, stored["groups"], strict=True):
            group.valued.wait()
            group.play.restore(unpacked(state, group.play.arrays()))
            group.found.copy_(state["found"])
        self.pending = [tuple(each.numpy() for each in game) for game in stored["pending"]]
        for name in ("sizes", "parts", "epochs", "num_games", "num_decisions", "seconds"):
            setattr(self, name, stored[name])

    def figures(self) -> dict[str, float]:
        """Epochs, decisions learned from and steps of learning."""
        return {"epochs": self.epochs, "decisions": self.num_decisions, "steps": self.learner.num_steps}

    def errors(self) -> dict[str, float]:
        """The policy's divergence and the value's error in points."""
        found, self._losses = self._losses, []
        if not found:
            return {}
        divergence, error = torch.stack(found).mean(dim=0).tolist()
        return {"policy_loss": divergence, "value_error": error}

    def player(self) -> ScenarioAgent:
        """The network one ply deep, with hidden hands: the curve of the paper's Fig. 2."""
        return torch_player(self.network, self.recipe, self.device, "-raw")

    @property
    def network(self) -> PolicyValueNet:
        """The averaged network."""
        return self.learner.average

    @property
    def encoding(self) -> ModuleType:
        """What it sees."""
        return self.recipe.encoding

    @property
    def scale(self) -> float:
        """Its values are points."""
        return 1.0


def train(
    recipe: OpenHandsRecipe,
    out: Path,
    *,
    minutes: float | None = None,
    resume: bool = False,
    device: torch.device,
    progress: Progress | None = None,
) -> None:
    """Run a recipe to its end in a folder; a run that was killed goes on with `resume`."""
    conduct(Run(recipe, out, device, minutes), resume=resume, progress=progress)


def torch_player(
    net: PolicyValueNet, recipe: OpenHandsRecipe, device: torch.device, suffix: str = "", **given: object
) -> ScenarioAgent:
    """A player by scenarios with a network of a recipe where it is."""
    spec = find_game(recipe.game).spec
    network = torch_network(net, word_input(recipe.encoding, recipe.shape.diffuse).to(device))
    name = f"{spec.id}/in-training{suffix}"
    player = ScenarioAgent(name, spec, recipe.encoding, network, scenario_setting(spec, suffix), 0, given)
    player.deals_together = deals_on(device)
    return player
