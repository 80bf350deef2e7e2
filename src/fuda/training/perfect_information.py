"""ScrofaZero's training, from nothing: games with open hands, by trees whose leaves a network values.

One process. Epoch by epoch: games are played by tree search (`tree_play.py`, the CPU's half), then the
network learns from the decisions of the last epochs: for its policy softmax(0.2 x value) of the legal cards,
for its value what the best of them gains from now on. Groups of games take turns, so that one is on the
CPU while the network values the leaves of another; or an epoch's games are played while the epoch before is
learned from.

B positions, A the most legal actions, W words of an encoded position.
"""

import copy
import math
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.agents.scenarios import ScenarioAgent, scenario_setting
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.policy_value import FC24, CardMlp, CardResNet, MlpShape, PolicyValueNet, ResNetShape
from fuda.nets.words import word_input
from fuda.search.network_tree import TreeSetting
from fuda.training.conduct import OneNetworkRun
from fuda.training.device import Mark, Replayed, aside, compiled_on, pinned
from fuda.training.run_folder import (
    load_optimizer,
    packed,
    read_checkpoint,
    read_games,
    unpacked,
    write_checkpoint,
)
from fuda.training.schedule import follow, learning_rate, pace
from fuda.training.torch_agent import GPU_WORD_DEALS, TorchNetwork, deals_on
from fuda.training.tree_play import Decisions, TreePlay


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
    sharpness: float = field(kw_only=True)  # of the policy's targets: what a point counts
    per_legal: int = 2  # iterations of a tree for each legal card
    exploration: float = field(kw_only=True)  # in points
    skip_forced: bool = False  # forced cards are neither searched nor learned from
    explore: float = 0.0  # the chance of a card drawn by the policy's target instead of the best
    hidden: bool = False  # search a redeal of what the mover cannot see, instead of the truth
    ahead: bool = False  # an epoch's games are played while the one before is learned from, by older weights
    bfloat16: bool = True  # on a GPU; in small batches the casting of the weights costs more than it gains
    further: bool = False  # goes on from a model or a run
    seed: int = 1

    def __post_init__(self) -> None:
        if self.ahead and self.average:
            raise ValueError("games are played ahead by older weights, not by averaged ones")

    @property
    def encoding(self) -> ModuleType:
        """The encoding of the recipe's game."""
        return part(self.game, "encoding")


AUTHORS = OpenHandsRecipe(
    "gongzhu",
    "Gongzhu as ScrofaZero's authors trained it.",
    sharpness=0.2,
    exploration=30.0,
    shape=FC24,
    group_size=128,
    late_after=0.6,
    ahead=True,
    bfloat16=False,
)
OURS = OpenHandsRecipe(
    "gongzhu",
    "Gongzhu by tree search with open hands: large batches, averaged weights, many games.",
    sharpness=0.2,
    exploration=30.0,
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
    "gongzhu-hour": replace(
        OURS,
        line="A middling network for an hour of a CPU core.",
        shape=MlpShape(first=384, second=256, width=192, blocks=3, norm=1),
        group_size=512,
        games=400_000,
        epoch_games=256,
        batch=1024,
        average=0.998,
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
        apart = recipe.average > 0 or recipe.ahead
        self.average = copy.deepcopy(self.net).requires_grad_(False) if apart else self.net
        self.input = word_input(encoding, recipe.shape.diffuse, device)
        self._learning_rate, self._pace = torch.zeros((), device=device), torch.ones((), device=device)
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
        self._expect = compiled_on(device, self._expected)
        self._find_losses = compiled_on(device, self._losses)
        self._prepare()

    def _outputs(self, net: PolicyValueNet, words: Tensor) -> tuple[Tensor, ...]:
        device = self.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda" and self.recipe.bfloat16):
            return net(self.input(words))

    def _expected(self, words: Tensor) -> Tensor:
        """What the side to move will gain [B], by the averaged weights."""
        return self._outputs(self.average, words)[1]

    def _losses(self, words: Tensor, actions: Tensor, counts: Tensor, gains: Tensor) -> Tensor:
        """Both losses [2] on some decisions."""
        logits, values = self._outputs(self.net, words)
        found = losses(
            self.recipe.mask, self.recipe.sharpness, logits, values, actions.long(), counts.long(), gains
        )
        return torch.stack(found)

    def _prepare(self) -> None:
        """Record both steps."""
        recipe, device = self.recipe, self.device
        leaves = torch.zeros(recipe.group_size, self.words.shape[1], dtype=torch.int64, device=device)
        self.value = Replayed(self._value, [leaves])
        before = copy.deepcopy(self.net.state_dict())
        self.train = Replayed(self._train, [torch.zeros(recipe.batch, dtype=torch.int64, device=device)])
        if device.type == "cuda":
            self._forget(before)

    def _forget(self, net: dict[str, Tensor]) -> None:
        """Undo the steps that recording has run, in place."""
        self.net.load_state_dict(net)
        self.average.load_state_dict(net)
        for state in self.optimizer.state.values():
            for value in state.values():
                value.zero_()
        self._totals.zero_()

    def _value(self, words: Tensor) -> tuple[Tensor]:
        with torch.no_grad():
            return (self._expect(words),)

    def _train(self, index: Tensor) -> tuple[Tensor]:
        """A step on the decisions `index` [B]; both losses before it."""
        recipe = self.recipe
        self.optimizer.zero_grad(set_to_none=True)
        rooms = (self.words, self.actions, self.counts, self.gains)
        found = self._find_losses(*(room[index] for room in rooms))
        (found[0] + recipe.value_weight * found[1]).backward()
        if recipe.clip:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), recipe.clip)
        self.optimizer.step()
        with torch.no_grad():
            if recipe.average:
                follow(self.average, self.net, self._pace)
            self._totals += found.detach()
        return (found.detach(),)

    def renew(self) -> None:
        """Play and value by the newest weights."""
        self.average.load_state_dict(self.net.state_dict())

    def store(self, part: int, found: Decisions) -> int:
        """Put an epoch's decisions into a part of the room; how many they are."""
        first, count = part * self.part_size, len(found.words)
        for room, fresh in zip((self.words, self.actions, self.counts, self.gains), found[1:], strict=True):
            room[first : first + count] = torch.from_numpy(fresh).to(self.device)
        return count

    def learn(self, index: Tensor, done: float) -> Tensor:
        """Pass over the decisions `index` in this order, what does not fill a batch left out; mean losses."""
        batch = self.recipe.batch
        num_batches = len(index) // batch
        self._totals.zero_()
        for number in range(num_batches):
            self._learning_rate.fill_(learning_rate(self.recipe, self.num_steps, done))
            self._pace.fill_(pace(self.recipe, self.num_steps))
            self.train.inputs[0].copy_(index[number * batch : (number + 1) * batch])
            self.train()
            self.num_steps += 1
        return self._totals / max(1, num_batches)

    def start_from(self, net: PolicyValueNet) -> None:
        """Take over the weights of another network of the same shape."""
        for mine in (self.net, self.average):
            try:
                mine.load_state_dict(net.state_dict())
            except RuntimeError:
                raise ValueError("the network has another shape than the recipe's") from None

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(), "num_steps": self.num_steps,
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.num_steps = state["num_steps"]
        load_optimizer(self.optimizer, state["optimizer"], self._learning_rate)

    def rooms(self) -> list[Tensor]:
        """The decisions of the window, for a checkpoint too."""
        return [each.cpu() for each in (self.words, self.actions, self.counts, self.gains)]

    def load_rooms(self, rooms: list[Tensor]) -> None:
        """The same decisions again."""
        for room, stored in zip((self.words, self.actions, self.counts, self.gains), rooms, strict=True):
            room.copy_(stored)


class Group:
    """Games that are played together, with the leaves that wait for their values."""

    def __init__(self, number: int, run: "Run"):
        recipe, size = run.recipe, run.recipe.group_size
        self.words = pinned((size, recipe.encoding.NUM_WORDS), torch.int64, run.device)
        self.found = pinned((size,), torch.float32, run.device)
        self.play = TreePlay(
            run.game, recipe.encoding, size, recipe.seed,
            TreeSetting(recipe.exploration, skip_forced=recipe.skip_forced),
            per_legal=recipe.per_legal, refill=recipe.refill, hidden=recipe.hidden,
            explore=recipe.explore, sharpness=recipe.sharpness, asked=self.words.numpy(), group=number,
        )  # fmt: skip
        self.valued = Mark(run.device)

    def ask(self, run: "Run") -> None:
        """Queue the valuing of the leaves."""
        value = run.learner.value
        value.inputs[0].copy_(self.words, non_blocking=True)
        self.found.copy_(value()[0], non_blocking=True)
        self.valued.set()

    def advance(self) -> Decisions:
        """Take the values and go to the next leaves; the decisions of games that ended."""
        self.valued.wait()
        self.play.advance(self.found.numpy())
        return self.play.harvest()


class Run(OneNetworkRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: OpenHandsRecipe
    evaluated = "its network, which looks one move ahead"

    def __init__(self, recipe: OpenHandsRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.learner = Learner(recipe, device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        self.pending: list[Decisions] = []  # of games that ended after an epoch was full
        self.sizes: list[int] = []  # decisions in each part of the window, the newest last
        self.parts: list[int] = []  # which part that is
        self.epochs = 0
        self.num_decisions = 0
        self._losses: list[Tensor] = []
        self._beside = torch.cuda.Stream(device) if recipe.ahead and device.type == "cuda" else None
        self._learned = Mark(device)
        for group in self.groups:
            group.ask(self)

    def advance(self) -> None:
        """An epoch: play its games, and learn from those of the window."""
        recipe = self.recipe
        is_late = self.done >= recipe.late_after
        found = self._play(recipe.late_epoch_games if is_late else recipe.epoch_games)
        self._learned.wait()
        if recipe.ahead:
            self.learner.renew()
        self._collect(found)
        keep = recipe.late_window if is_late else recipe.window
        self.sizes, self.parts = self.sizes[-keep:], self.parts[-keep:]
        with aside(self._beside):
            self._learn()
            self._learned.set()
        self.epochs += 1
        if not recipe.refill:  # the leaves that wait are for the new weights
            for group in self.groups:
                group.ask(self)

    def _learn(self) -> None:
        """Pass over the decisions of the window."""
        recipe = self.recipe
        starts = [part * self.learner.part_size for part in self.parts]
        index = torch.cat([
            torch.arange(start, start + size, device=self.device)
            for start, size in zip(starts, self.sizes, strict=True)
        ])  # fmt: skip
        luck = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + self.epochs)
        for _ in range(recipe.passes):
            order = index[torch.randperm(len(index), generator=luck, device=self.device)]
            self._losses.append(self.learner.learn(order, self.done))

    def _play(self, count: int) -> Decisions:
        """The decisions of so many games."""
        num_pending = sum(len(each.lengths) for each in self.pending)
        while num_pending < count:
            for group in self.groups:
                found = group.advance()
                if len(found.lengths):
                    self.pending.append(found)
                    num_pending += len(found.lengths)
                if group.play.idle.all():
                    group.play.open()
                group.ask(self)
        wanted, rest = Decisions.joined(self.pending).cut(count)
        self.pending = [rest]
        return wanted

    def _collect(self, found: Decisions) -> None:
        """Put an epoch's decisions in place of the oldest of the window."""
        part = self.epochs % self.recipe.window
        self.sizes.append(self.learner.store(part, found))
        self.parts.append(part)
        self.num_games += len(found.lengths)
        self.num_decisions += self.sizes[-1]

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        self._learned.wait()
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "learner": self.learner.state(), "epochs": self.epochs,
            "num_games": self.num_games, "num_decisions": self.num_decisions, "seconds": self.seconds,
            "start": self.start,
        }, self._games() if with_games else None, self.epochs)  # fmt: skip

    def _games(self) -> dict[str, Any]:
        """The games under way and the decisions that are learned from, for a checkpoint."""
        for group in self.groups:
            group.valued.wait()
        return {
            "groups": [packed(group.play.arrays()) | {"found": group.found.clone()} for group in self.groups],
            "pending": [[torch.from_numpy(each) for each in found] for found in self.pending],
            "rooms": self.learner.rooms(), "sizes": self.sizes, "parts": self.parts,
        }  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        for group in self.groups:
            group.valued.wait()
        self.learner.load(stored["learner"])
        for name in ("epochs", "num_games", "num_decisions", "seconds", "start"):
            setattr(self, name, stored[name])
        games = read_games(self.out, stored)
        if games is None:
            for group in self.groups:
                group.ask(self)
            return
        self.learner.load_rooms(games["rooms"])
        for group, state in zip(self.groups, games["groups"], strict=True):
            group.play.restore(unpacked(state, group.play.arrays()))
            group.found.copy_(state["found"])
        self.pending = [Decisions(*(each.numpy() for each in found)) for found in games["pending"]]
        self.sizes, self.parts = games["sizes"], games["parts"]

    def take_over(self, net: PolicyValueNet) -> None:
        """Begin with the weights of another network, and with its values."""
        self.learner.start_from(net)
        for group in self.groups:
            group.ask(self)

    def figures(self) -> dict[str, float]:
        """Epochs, decisions learned from and steps of learning."""
        return {"epochs": self.epochs, "decisions": self.num_decisions, "steps": self.learner.num_steps}

    def errors(self) -> dict[str, float]:
        """The policy's divergence and the value's error in points."""
        self._learned.wait()
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
        """The averaged network; where games are played ahead by older weights, the newest."""
        if self.recipe.ahead:
            self._learned.wait()
            return self.learner.net
        return self.learner.average

    @property
    def encoding(self) -> ModuleType:
        """What it sees."""
        return self.recipe.encoding

    @property
    def scale(self) -> float:
        """Its values are points."""
        return 1.0


def torch_player(
    net: PolicyValueNet, recipe: OpenHandsRecipe, device: torch.device, suffix: str = "", **given: object
) -> ScenarioAgent:
    """A player by scenarios with a network of a recipe where it is."""
    spec = find_game(recipe.game).spec
    network = TorchNetwork(net, word_input(recipe.encoding, recipe.shape.diffuse, device))
    name = f"{spec.id}/in-training{suffix}"
    player = ScenarioAgent(name, spec, recipe.encoding, network, scenario_setting(spec, suffix), 0, given)
    player.deals_together = deals_on(device, GPU_WORD_DEALS)
    return player
