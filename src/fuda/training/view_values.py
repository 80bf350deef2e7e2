"""Monte-Carlo self-play on views, from nothing: no search, no hidden hands, each decision used once.

One process. In each tick every game of a group makes one decision: the CPU plays the network's choices and
encodes the next views, the GPU values the cards. While a round is played, the network learns from the
round before: the value of the card taken is regressed on what its side gained from then on.

A *critic* that sees all hands may help in training: the targets are drawn towards its values, which know
more than any player and so are less noisy than the outcome. It plays no part in the player.

B positions, T ticks of a round, A actions, W words of an encoded view.
"""

import copy
import importlib
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.agents.rollouts import RolloutAgent, rollout_setting
from fuda.games import game as find_game
from fuda.nets.policy_value import CardMlp, MlpShape, PolicyValueNet, dueling
from fuda.training.conduct import Progress, TrainingRun, conduct
from fuda.training.device import Mark, Replayed, pinned
from fuda.training.run_folder import load_optimizer, packed, read_checkpoint, unpacked, write_checkpoint
from fuda.training.torch_agent import deals_on, torch_network, word_input
from fuda.training.view_play import ViewPlay


@dataclass(frozen=True)
class ViewRecipe:
    """All that determines a run, but for its length."""

    game: str
    line: str
    shape: MlpShape
    critic: MlpShape | None = None  # sees all hands, in training only
    keep: float = 1.0  # lambda of the returns; 1 learns from outcomes alone
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 8192  # games that are played together
    games: int = 30_000_000  # the length of the schedules, unless the run is given minutes
    batch: int = 16_384
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5  # by a cosine
    warmup_steps: int = 300
    weight_decay: float = 1e-4
    clip: float = 2.0
    average: float = 0.999  # of the weights, from step to step
    epsilon: float = 0.15
    final_epsilon: float = 0.02
    epsilon_until: float = 0.7  # the part of the run after which epsilon stays
    scale: float = 100.0  # points in one of the network's units
    seed: int = 1

    @property
    def encoding(self) -> ModuleType:
        """The encoding of views of the recipe's game."""
        return importlib.import_module(f"fuda.games.{self.game}.view_encoding")

    @property
    def open_encoding(self) -> ModuleType | None:
        """The encoding of states, if there is a critic."""
        return None if self.critic is None else importlib.import_module(f"fuda.games.{self.game}.encoding")


PLAIN = MlpShape(first=0, second=0, width=640, blocks=4, norm=1, value_scale=1, diffuse=0)
VIEWS = ViewRecipe(
    "gongzhu",
    "Gongzhu from views: each card's value regressed on how the deal ended.",
    PLAIN,  # 4 million weights: 7.6 MiB
)
RECIPES = {
    "gongzhu-views": VIEWS,
    "gongzhu-views-wide": replace(
        VIEWS, line="The same with a network too large to ship.", shape=replace(PLAIN, width=1024)
    ),
    "gongzhu-views-critic": replace(
        VIEWS,
        line="The same, with targets drawn towards a critic that sees all hands.",
        critic=MlpShape(first=1024, second=1024, width=512, blocks=2, norm=1, value_scale=1),
        keep=0.85,
    ),
    "gongzhu-views-small": replace(
        VIEWS,
        line="A small network of views for two CPU cores and ten minutes.",
        shape=replace(PLAIN, width=128, blocks=2),
        group_size=128,
        games=100_000,
        batch=512,
        warmup_steps=100,
        average=0.995,
    ),
}


class Learner:
    """A network of views, the average of its weights, maybe a critic, and their optimizer."""

    def __init__(self, recipe: ViewRecipe, device: torch.device):
        torch.manual_seed(recipe.seed)
        spec, encoding = find_game(recipe.game).spec, recipe.encoding
        self.recipe = recipe
        self.device = device
        self.net = CardMlp(encoding.NUM_COLUMNS, spec.num_actions, recipe.shape).to(device)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self.input = word_input(encoding, 0).to(device)
        self.critic: CardMlp | None = None
        self.num_open_words = 0
        if recipe.critic is not None:
            open_encoding = recipe.open_encoding
            assert open_encoding is not None
            self.critic = CardMlp(open_encoding.NUM_COLUMNS, 1, recipe.critic).to(device)
            self.open_input = word_input(open_encoding, recipe.critic.diffuse).to(device)
            self.num_open_words = open_encoding.NUM_WORDS
        self._weights = [*self.net.parameters(), *(self.critic.parameters() if self.critic else ())]
        self._cards = torch.arange(spec.num_actions, device=device)
        self._legal_word = int(encoding.LEGAL)
        self._learning_rate = torch.tensor(0.0, device=device)
        self.optimizer = torch.optim.AdamW(
            self._weights, self._learning_rate, weight_decay=recipe.weight_decay,
            capturable=device.type == "cuda", fused=device.type == "cuda" or None,
        )  # fmt: skip
        self.num_steps = 0
        self._totals = torch.zeros(2, device=device)  # both errors, summed over the steps
        self._told = 0  # after this one
        is_gpu = device.type == "cuda"
        self._forward = torch.compile(self._values) if is_gpu else self._values
        self._criticise = torch.compile(self._critic_values) if is_gpu else self._critic_values
        # A round of each group, and the one before it, which is learned from.
        shape = (recipe.groups, 2, spec.max_deal_decisions * recipe.group_size)
        self.words = torch.zeros(*shape, encoding.NUM_WORDS, dtype=torch.int64, device=device)
        self.open_words = torch.zeros(*shape, self.num_open_words, dtype=torch.int64, device=device)
        self.actions = torch.zeros(*shape, dtype=torch.int64, device=device)
        self.targets, self.returns = (torch.zeros(*shape, device=device) for _ in range(2))
        self._prepare(encoding.NUM_WORDS)

    def _values(self, words: Tensor) -> Tensor:
        """Values [B, A] of all cards, of meaning where they are legal; others minus infinity."""
        device = self.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            actions, value = self.net(self.input(words))
        legal = (words[:, self._legal_word, None] >> self._cards & 1).bool()
        return dueling(actions, value, legal).masked_fill(~legal, -math.inf)

    def _critic_values(self, open_words: Tensor) -> Tensor:
        """What the side to move will gain [B], by who sees all hands."""
        assert self.critic is not None
        device = self.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            return self.critic(self.open_input(open_words))[1]

    def _prepare(self, num_words: int) -> None:
        """Record both steps."""
        recipe, device = self.recipe, self.device
        views = torch.zeros(recipe.group_size, num_words, dtype=torch.int64, device=device)
        views[:, self._legal_word] = 1
        states = torch.zeros(recipe.group_size, self.num_open_words, dtype=torch.int64, device=device)
        self.act = Replayed(self._act, [views, states])
        before = copy.deepcopy([self.net.state_dict(), self.critic.state_dict() if self.critic else {}])
        batch = [
            torch.zeros(recipe.batch, num_words, dtype=torch.int64, device=device),
            torch.zeros(recipe.batch, self.num_open_words, dtype=torch.int64, device=device),
            torch.zeros(recipe.batch, dtype=torch.int64, device=device),
            torch.zeros(recipe.batch, device=device),
            torch.zeros(recipe.batch, device=device),
        ]
        batch[0][:, self._legal_word] = 1
        self.train = Replayed(self._train, batch)
        if device.type == "cuda":  # recording has run some steps: undo what they did
            self.net.load_state_dict(before[0])
            self.average.load_state_dict(before[0])
            if self.critic is not None:
                self.critic.load_state_dict(before[1])
            for state in self.optimizer.state.values():
                for value in state.values():
                    value.zero_()
            self._totals.zero_()

    def _act(self, words: Tensor, open_words: Tensor) -> tuple[Tensor, Tensor]:
        """The best card [B], and what the side to move will gain [B], by the critic if there is one."""
        with torch.no_grad():
            best = self._forward(words).max(dim=1)
            values = best.values if self.critic is None else self._criticise(open_words)
            return best.indices, values

    def _train(
        self, words: Tensor, open_words: Tensor, actions: Tensor, targets: Tensor, returns: Tensor
    ) -> tuple[Tensor]:
        """A step towards the targets."""
        self.optimizer.zero_grad(set_to_none=True)
        found = self._forward(words).gather(1, actions[:, None])[:, 0]
        error = F.mse_loss(found, targets)
        errors = [error, torch.zeros_like(error)]
        if self.critic is not None:
            errors[1] = F.mse_loss(self._criticise(open_words), returns)
        loss = errors[0] + errors[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._weights, self.recipe.clip)
        self.optimizer.step()
        with torch.no_grad():
            averages: list[Tensor] = list(self.average.parameters())
            weights: list[Tensor] = list(self.net.parameters())
            torch._foreach_lerp_(averages, weights, 1 - self.recipe.average)
            self._totals += torch.stack(errors)
        return (loss.detach(),)

    def learn(self, group: int, half: int, index: Tensor, done: float) -> None:
        """A step on the decisions `index` [B] of a group's round."""
        rooms = (self.words, self.open_words, self.actions, self.targets, self.returns)
        for fresh, room in zip(self.train.inputs, rooms, strict=True):
            torch.index_select(room[group, half], 0, index, out=fresh)
        recipe = self.recipe
        warm = min(1.0, (self.num_steps + 1) / recipe.warmup_steps)
        span = recipe.learning_rate - recipe.final_learning_rate
        rate = recipe.final_learning_rate + span * (1 + math.cos(math.pi * min(done, 1.0))) / 2
        self._learning_rate.fill_(warm * rate)
        self.train()
        self.num_steps += 1

    def errors(self) -> tuple[float, float]:
        """The mean errors of the network and the critic since the last call."""
        found = (self._totals / max(1, self.num_steps - self._told)).tolist()
        self._totals.zero_()
        self._told = self.num_steps
        return found[0], found[1]

    def state(self) -> dict[str, Any]:
        """For a checkpoint; the rounds are kept too, so that no decision is lost."""
        rooms = (self.words, self.open_words, self.actions, self.targets, self.returns)
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "critic": self.critic.state_dict() if self.critic else {},
            "optimizer": self.optimizer.state_dict(), "num_steps": self.num_steps,
            "rooms": [room.cpu() for room in rooms],
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        if self.critic is not None:
            self.critic.load_state_dict(state["critic"])
        self.num_steps = self._told = state["num_steps"]
        load_optimizer(self.optimizer, state["optimizer"], self._learning_rate)
        rooms = (self.words, self.open_words, self.actions, self.targets, self.returns)
        for room, stored in zip(rooms, state["rooms"], strict=True):
            room.copy_(stored)


class Group:
    """Games that are played together, and the decisions of their last round to learn from."""

    def __init__(self, number: int, run: "Run"):
        recipe, size, device = run.recipe, run.recipe.group_size, run.device
        self.number = number
        self.play = ViewPlay(
            run.game, recipe.encoding, recipe.open_encoding, size, recipe.seed * 1000 + number
        )
        self.words = pinned((size, recipe.encoding.NUM_WORDS), torch.int64, device)
        self.open_words = pinned((size, run.learner.num_open_words), torch.int64, device)
        self.chosen = pinned((size,), torch.int64, device)
        self.values = pinned((size,), torch.float32, device)
        self.valued = Mark(device)
        self.rounds = 0
        self.order = torch.zeros(
            0, dtype=torch.int64, device=device
        )  # the last round's decisions with a choice, shuffled
        self.learned = 0  # batches of them that are done

    @property
    def half(self) -> int:
        """The half of the learner's room that the round under way is written to."""
        return self.rounds % 2

    def value(self, run: "Run") -> None:
        """Queue the valuing of the views that are due, and keep them to learn from."""
        learner, tick, size = run.learner, self.play.tick, self.play.size
        self.play.observe(self.words.numpy(), self.open_words.numpy())
        learner.act.inputs[0].copy_(self.words, non_blocking=True)
        learner.act.inputs[1].copy_(self.open_words, non_blocking=True)
        rows = slice(tick * size, (tick + 1) * size)
        learner.words[self.number, self.half, rows].copy_(learner.act.inputs[0])
        learner.open_words[self.number, self.half, rows].copy_(learner.act.inputs[1])
        chosen, values = learner.act()
        self.chosen.copy_(chosen, non_blocking=True)
        self.values.copy_(values, non_blocking=True)
        self.valued.set()

    def advance(self, run: "Run") -> None:
        """Play what was chosen, and learn as much of the last round as is due by now."""
        self.valued.wait()
        play, recipe = self.play, run.recipe
        play.play(self.chosen.numpy(), self.values.numpy(), run.epsilon)
        if play.tick == play.num_ticks:
            self._end_round(run)
        self.value(run)
        num_batches = len(self.order) // recipe.batch
        due = num_batches * (play.tick + 1) // play.num_ticks
        while self.learned < due:
            index = self.order[self.learned * recipe.batch : (self.learned + 1) * recipe.batch]
            run.learner.learn(self.number, 1 - self.half, index, run.done)
            self.learned += 1

    def _end_round(self, run: "Run") -> None:
        play, learner, recipe = self.play, run.learner, run.recipe
        play.end_round(recipe.keep, recipe.scale)
        for room, fresh in (
            (learner.actions, play.actions), (learner.targets, play.targets), (learner.returns, play.returns),
        ):  # fmt: skip
            room[self.number, self.half].copy_(torch.from_numpy(fresh).reshape(-1))
        choices = (torch.from_numpy(play.counts).to(run.device).flatten() > 1).nonzero()[:, 0]
        number = recipe.seed * 1_000_003 + self.rounds * recipe.groups + self.number
        luck = torch.Generator(run.device).manual_seed(number)
        self.order = choices[torch.randperm(len(choices), generator=luck, device=run.device)]
        self.learned = 0
        self.rounds += 1


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ViewRecipe

    def __init__(self, recipe: ViewRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.learner = Learner(recipe, device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        for group in self.groups:
            group.value(self)

    @property
    def epsilon(self) -> float:
        """The chance of a random card now."""
        recipe = self.recipe
        part = min(1.0, self.done / recipe.epsilon_until)
        return recipe.epsilon + part * (recipe.final_epsilon - recipe.epsilon)

    def advance(self) -> None:
        """One decision in every game."""
        for group in self.groups:
            group.advance(self)
        self.num_games = sum(group.play.num_games for group in self.groups)

    def save(self) -> None:
        """Write a checkpoint."""
        groups = []
        for group in self.groups:
            group.valued.wait()
            groups.append(packed(group.play.arrays()) | {
                "chosen": group.chosen.clone(), "expected": group.values.clone(),
                "order": group.order.cpu(), "counts_of": torch.tensor([group.rounds, group.learned]),
            })  # fmt: skip
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "learner": self.learner.state(), "groups": groups,
            "seconds": self.seconds,
        })  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        for group in self.groups:
            group.valued.wait()
        self.learner.load(stored["learner"])
        self.seconds = stored["seconds"]
        for group, state in zip(self.groups, stored["groups"], strict=True):
            group.play.restore(unpacked(state, group.play.arrays()))
            group.chosen.copy_(state["chosen"])
            group.values.copy_(state["expected"])
            group.order = state["order"].to(self.device)
            group.rounds, group.learned = state["counts_of"].tolist()
        self.num_games = sum(group.play.num_games for group in self.groups)

    def figures(self) -> dict[str, float]:
        """Steps of learning, and the chance of a random card."""
        return {"steps": self.learner.num_steps, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean squared errors of the network and the critic, in its units."""
        error, critic_error = self.learner.errors()
        return {"error": error} | ({} if self.learner.critic is None else {"critic_error": critic_error})

    def player(self) -> RolloutAgent:
        """The averaged network, playing its best card."""
        network = torch_network(self.network, self.learner.input)
        spec = self.game.spec
        name = f"{spec.id}/in-training"
        player = RolloutAgent(name, spec, self.encoding, network, rollout_setting(spec), self.scale)
        player.deals_together = deals_on(self.device)
        return player

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
        """How many points one of the network's units is."""
        return self.recipe.scale


def train(
    recipe: ViewRecipe,
    out: Path,
    *,
    minutes: float | None = None,
    resume: bool = False,
    device: torch.device,
    progress: Progress | None = None,
) -> None:
    """Run a recipe to its end in a folder; a run that was killed goes on with `resume`."""
    conduct(Run(recipe, out, device, minutes), resume=resume, progress=progress)
