"""ScrofaZero's training, from nothing: games with open hands, by trees whose leaves a network values.

One process. Epoch by epoch: games are played by tree search (`tree_play.py`, the CPU's half), then the
network learns from the decisions of the last epochs: for its policy softmax(sharpness x value) of the legal
moves, for its value what the best of them gains from now on. Groups of games take turns, so that one is on
the CPU while the network values the leaves of another; or an epoch's games are played while the epoch before
is learned from.

B positions, A the most legal actions, W words of an encoded position.
"""

import copy
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.core.game import GameSpec
from fuda.games import part
from fuda.nets.export import read_policy_value, write_model
from fuda.nets.folder import CARD, read_card
from fuda.nets.policy_value import CardMlp, CardResNet, MlpShape, PolicyValueNet, ResNetShape, parameters
from fuda.nets.words import word_input
from fuda.search.network_tree import TreeSetting
from fuda.training.conduct import MODEL, TrainingRun
from fuda.training.device import Mark, Replayed, aside, compiled_on, pinned
from fuda.training.run_folder import packed, read_checkpoint, read_games, unpacked, write_checkpoint
from fuda.training.torch_agent import network_on
from fuda.training.trainer import Parts, Trainer
from fuda.training.tree_play import Decisions, TreePlay, room_of


@dataclass(frozen=True)
class TreesRecipe:
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
    optimizer: str = "adam"
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
    per_legal: int = 2  # iterations of a tree for each legal move
    exploration: float = field(kw_only=True)  # in points
    skip_forced: bool = False  # forced moves are neither searched nor learned from
    explore: float = 0.0  # the chance of a move drawn by the policy's target instead of the best
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


def new_network(shape: MlpShape | ResNetShape, encoding: ModuleType, num_actions: int) -> PolicyValueNet:
    """A network of a shape for an encoding, with fresh weights."""
    if isinstance(shape, ResNetShape):
        return CardResNet(encoding.NUM_COLUMNS, encoding.PLANES, shape)
    return CardMlp(encoding.NUM_COLUMNS, num_actions, shape)


def errors_of(
    mask: str,
    sharpness: float,
    logits: Tensor,
    values: Tensor,
    actions: Tensor,
    counts: Tensor,
    gains: Tensor,
) -> Parts:
    """Of logits [B, num_actions] and values [B]: the policy's divergence and the value's squared error.

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
    divergence = (torch.xlogy(target, target) - target * found).sum(dim=1)
    best = gains.masked_fill(~valid, -math.inf).max(dim=1).values
    return {"policy_loss": divergence, "value_error": (values - best) ** 2}


class Window:
    """The decisions of the last epochs on the device, each epoch's in a part of its own."""

    def __init__(self, spec: GameSpec, recipe: TreesRecipe, device: torch.device):
        self._part_size = max(recipe.epoch_games, recipe.late_epoch_games) * spec.max_deal_decisions
        self._num_parts = recipe.window
        empty = room_of(spec, recipe.encoding, (recipe.window * self._part_size,))
        self.columns = [torch.from_numpy(column).to(device) for column in empty]
        self.parts: list[int] = []  # those that are learned from, the newest last
        self.sizes: list[int] = []  # decisions in each of them

    def add(self, epoch: int, found: Decisions) -> None:
        """Put an epoch's decisions in place of the oldest."""
        part, count = epoch % self._num_parts, len(found.words)
        first = part * self._part_size
        for column, fresh in zip(self.columns, found[1:], strict=True):
            column[first : first + count] = torch.from_numpy(fresh).to(column.device)
        self.parts.append(part)
        self.sizes.append(count)

    def leave(self, count: int) -> None:
        """Learn from the last epochs alone."""
        self.parts, self.sizes = self.parts[-count:], self.sizes[-count:]

    def index(self) -> Tensor:
        """The rows of all decisions."""
        firsts = [part * self._part_size for part in self.parts]
        return torch.cat([
            torch.arange(first, first + size, device=self.columns[0].device)
            for first, size in zip(firsts, self.sizes, strict=True)
        ])  # fmt: skip

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        columns = [column.cpu() for column in self.columns]
        return {"columns": columns, "parts": self.parts, "sizes": self.sizes}

    def load(self, state: dict[str, Any]) -> None:
        """The same decisions again."""
        for column, stored in zip(self.columns, state["columns"], strict=True):
            column.copy_(stored)
        self.parts, self.sizes = state["parts"], state["sizes"]


class Group:
    """Games that are played together, with the leaves that wait for their values."""

    def __init__(self, number: int, run: "Run"):
        recipe, size = run.recipe, run.recipe.group_size
        self.words = pinned((size, recipe.encoding.NUM_WORDS), torch.int64, run.device)
        self.values = pinned((size,), torch.float32, run.device)
        self.play = TreePlay(
            run.game, recipe.encoding, size, recipe.seed,
            TreeSetting(recipe.exploration, skip_forced=recipe.skip_forced),
            per_legal=recipe.per_legal, refill=recipe.refill, hidden=recipe.hidden,
            explore=recipe.explore, sharpness=recipe.sharpness, asked=self.words.numpy(), group=number,
        )  # fmt: skip
        self.valued = Mark(run.device)

    def ask(self, value: Replayed) -> None:
        """Queue the valuing of the leaves."""
        value.inputs[0].copy_(self.words, non_blocking=True)
        self.values.copy_(value()[0], non_blocking=True)
        self.valued.set()

    def advance(self) -> Decisions:
        """Take the values and go to the next leaves; the decisions of games that ended."""
        self.valued.wait()
        self.play.advance(self.values.numpy())
        return self.play.harvest()

    def state(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        self.valued.wait()
        return packed(self.play.arrays()) | {"values": self.values.clone()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on where `state` was taken."""
        self.valued.wait()
        self.play.restore(unpacked(state, self.play.arrays()))
        self.values.copy_(state["values"])


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: TreesRecipe
    evaluated = "its network, which looks one move ahead"

    def __init__(self, recipe: TreesRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        torch.manual_seed(recipe.seed)
        spec = self.game.spec
        if not spec.two_sided:
            raise ValueError(f"{spec.id} has more than two sides; trees are for games of two")
        net = new_network(recipe.shape, recipe.encoding, spec.num_outputs(recipe.encoding)).to(device)
        self._learned = Mark(device)
        self.trainer = Trainer(net, recipe, betas=recipe.betas, eps=recipe.eps)
        # The network that plays: the averaged one, or as it was an epoch before.
        self.playing = copy.deepcopy(net).requires_grad_(False) if recipe.ahead else self.network
        self.input = word_input(recipe.encoding, recipe.shape.diffuse, device)
        self.window = Window(spec, recipe, device)
        leaves = torch.zeros(recipe.group_size, recipe.encoding.NUM_WORDS, dtype=torch.int64, device=device)
        self._expect = compiled_on(device, self._expected)
        self.value = Replayed(self._value, [leaves])
        self.trainer.record(self._errors, self._decisions, recipe.batch, self._loss)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        self.pending: list[Decisions] = []  # of games that ended after an epoch was full
        self.epochs = 0
        self.num_decisions = 0
        self._beside = torch.cuda.Stream(device) if recipe.ahead and device.type == "cuda" else None
        self._ask_all()

    def _outputs(self, net: PolicyValueNet, words: Tensor) -> tuple[Tensor, ...]:
        device = self.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda" and self.recipe.bfloat16):
            return net(self.input(words))

    def _expected(self, words: Tensor) -> Tensor:
        """What the side to move will gain [B], by the network that plays."""
        return self._outputs(self.playing, words)[1]

    @torch.no_grad()
    def _value(self, words: Tensor) -> tuple[Tensor]:
        return (self._expect(words),)

    def _decisions(self, index: Tensor) -> list[Tensor]:
        """Words, actions, counts and gains of some rows of the window."""
        return [column[index] for column in self.window.columns]

    def _errors(
        self, net: PolicyValueNet, words: Tensor, actions: Tensor, counts: Tensor, gains: Tensor
    ) -> Parts:
        logits, values = self._outputs(net, words)
        mask, sharpness = self.recipe.mask, self.recipe.sharpness
        return errors_of(mask, sharpness, logits, values, actions.long(), counts.long(), gains)

    def _loss(self, means: Parts) -> Tensor:
        return means["policy_loss"] + self.recipe.value_weight * means["value_error"].sqrt()

    def _ask_all(self) -> None:
        for group in self.groups:
            group.ask(self.value)

    def advance(self) -> None:
        """An epoch: play its games, and learn from those of the window."""
        recipe = self.recipe
        is_late = self.done >= recipe.late_after
        found = self._play(recipe.late_epoch_games if is_late else recipe.epoch_games)
        self._learned.wait()
        if recipe.ahead:
            self.playing.load_state_dict(self.trainer.net.state_dict())
        self.window.add(self.epochs, found)
        self.window.leave(recipe.late_window if is_late else recipe.window)
        self.num_games += len(found.lengths)
        self.num_decisions += len(found.words)
        with aside(self._beside):
            self._learn()
            self._learned.set()
        self.epochs += 1
        if not recipe.refill:  # the leaves that wait are for the new weights
            self._ask_all()

    def _play(self, count: int) -> Decisions:
        """The decisions of so many games."""
        num_pending = sum(len(each.lengths) for each in self.pending)
        while num_pending < count:
            for group in self.groups:
                found = group.advance()
                if len(found.lengths):
                    self.pending.append(found)
                    num_pending += len(found.lengths)
                if group.play.is_idle:
                    group.play.open()
                group.ask(self.value)
        wanted, rest = Decisions.joined(self.pending).cut(count)
        self.pending = [rest]
        return wanted

    def _learn(self) -> None:
        """Pass over the decisions of the window; what does not fill a batch is left out."""
        recipe, index = self.recipe, self.window.index()
        rng = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + self.epochs)
        for _ in range(recipe.passes):
            order = index[torch.randperm(len(index), generator=rng, device=self.device)]
            for batch in order.split(recipe.batch)[: len(order) // recipe.batch]:
                self.trainer.step(batch, self.done)

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        self._learned.wait()
        games = None
        if with_games:
            games = {
                "groups": [group.state() for group in self.groups], "window": self.window.state(),
                "pending": [[torch.from_numpy(each) for each in found] for found in self.pending],
            }  # fmt: skip
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "trainer": self.trainer.state(), "epochs": self.epochs,
            "playing": self.playing.state_dict(), "num_games": self.num_games,
            "num_decisions": self.num_decisions, "seconds": self.seconds, "start": self.start,
        }, games, self.epochs)  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        self.trainer.load(stored["trainer"])
        self.playing.load_state_dict(stored["playing"])
        for name in ("epochs", "num_games", "num_decisions", "seconds", "start"):
            setattr(self, name, stored[name])
        games = read_games(self.out, stored)
        if games is None:
            self._ask_all()
            return
        self.window.load(games["window"])
        for group, state in zip(self.groups, games["groups"], strict=True):
            group.restore(state)
        self.pending = [Decisions(*(each.numpy() for each in found)) for found in games["pending"]]

    def start_from(self, folder: Path) -> None:
        """Take over the network of a model or a run, and its values: its games are behind this one."""
        model = folder if (folder / CARD).exists() else folder / MODEL
        card = read_card(model)
        weights = read_policy_value(model, self.recipe.encoding).state_dict()
        try:
            self.trainer.start_from(weights)
        except ValueError:
            raise ValueError(
                f"{folder} has a network of another shape; start from one of this recipe"
            ) from None
        self.playing.load_state_dict(weights)
        self.start_after(folder, card)
        self._ask_all()

    def figures(self) -> dict[str, float]:
        """Epochs, decisions learned from and steps of learning."""
        return {"epochs": self.epochs, "decisions": self.num_decisions, "steps": self.trainer.num_steps}

    def errors(self) -> dict[str, float]:
        """The policy's divergence, and the root of the value's mean squared error, in points."""
        self._learned.wait()
        found = self.trainer.errors()
        return found | {name: math.sqrt(value) for name, value in found.items() if name == "value_error"}

    def evaluate(self, games: int) -> dict[str, float]:
        """The network one ply deep, with hidden hands, against those without learning: the paper's Fig. 2."""
        self.export()
        player = network_on(self.device, self.out / MODEL, f"{self.game.id}/in-training")
        return self.against(player, ("random", *(policy.name for policy in self.game.spec.policies)), games)

    def export(self) -> None:
        """The averaged network as a model folder."""
        encoding = self.recipe.encoding
        made_by = [(self.network, encoding.DECISION_KINDS)]
        write_model(self.out / MODEL, self.card(encoding, "points", 1.0), made_by)

    @property
    def num_parameters(self) -> int:
        """How many numbers the network has."""
        return parameters(self.network)

    @property
    def network(self) -> PolicyValueNet:
        """The averaged network, or the newest where there is no average."""
        self._learned.wait()
        return self.trainer.average  # type: ignore[return-value]
