"""Monte-Carlo self-play on views, from nothing: no search, no hidden hands, each decision used once.

One process. In each tick every game of a group makes one decision: the CPU plays the network's choices and
encodes the next views, the GPU values the cards. While a round is played, the network learns from the
round before: the value of the card taken is regressed on what its side gained from then on. Most of that is
the luck of later tricks: it can be drawn towards what was expected at the decisions after the card (lambda
returns), which pays while games are few.

What no player sees may help in training, and plays no part in the player. A *critic* sees all hands: its
values are those that targets are drawn towards, and the luck that it finds is taken off them (`critic.py`).
A *belief* head guesses who holds each unseen card, and learns it from the hands.

The GPU's queue is never empty and never waited for but for the values of a group's cards: its steps are
recorded, take their inputs from fixed places, and what the CPU writes is in memory that is copied from
without waiting. A group's memory is written again only after its next values have arrived, which are
queued behind all that reads it.

B positions, T ticks of a round, A actions, W words of an encoded view, O of an encoded state, H other seats.
"""

import copy
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.agents.rollouts import RolloutAgent, rollout_setting
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.policy_value import CardMlp, MlpShape, PolicyValueNet, dueling
from fuda.nets.words import word_input
from fuda.training.conduct import OneNetworkRun
from fuda.training.critic import Critic
from fuda.training.device import Mark, Replayed, compiled_on, pinned
from fuda.training.run_folder import (
    load_optimizer,
    packed,
    read_checkpoint,
    read_games,
    unpacked,
    write_checkpoint,
)
from fuda.training.schedule import ema_weight, epsilon, follow, learning_rate
from fuda.training.torch_agent import GPU_WORD_DEALS, TorchNetwork, deals_on
from fuda.training.view_play import Told, ViewPlay

IMPOSSIBLE = -1e4  # a logit
DTYPES: dict[Any, torch.dtype] = {np.int8: torch.int8, np.float32: torch.float32}
ROOMS = ("words", "open_words", "hidden", "actions", "targets", "returns")  # what is kept of decisions


@dataclass(frozen=True)
class ViewRecipe:
    """All that determines a run, but for its length."""

    game: str
    line: str
    shape: MlpShape
    critic: MlpShape | None = None  # sees all hands, in training only
    keep: float = 1.0  # lambda of the returns; 1 learns from outcomes alone
    belief: float = 0.0  # weight of the guess who holds the unseen cards, for a shape with `owners`
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 16_384  # games that are played together
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
    scale: float = field(kw_only=True)  # points in one of the network's units
    further: bool = False  # goes on from a model or a run
    seed: int = 1

    @property
    def encoding(self) -> ModuleType:
        """The encoding of views of the recipe's game."""
        return part(self.game, "view_encoding")

    @property
    def open_encoding(self) -> ModuleType | None:
        """The encoding of states, if there is a critic."""
        return None if self.critic is None else part(self.game, "encoding")


class Learner:
    """A network of views, the average of its weights, maybe a critic, and their optimizer."""

    def __init__(self, recipe: ViewRecipe, device: torch.device):
        torch.manual_seed(recipe.seed)
        spec, encoding = find_game(recipe.game).spec, recipe.encoding
        self.recipe = recipe
        self.device = device
        self.net = CardMlp(encoding.NUM_COLUMNS, spec.num_actions, recipe.shape).to(device)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self.input = word_input(encoding, 0, device)
        self.critic: Critic | None = None
        self.num_open_words = 0
        if recipe.critic is not None:
            open_encoding = recipe.open_encoding
            assert open_encoding is not None
            self.critic = Critic(open_encoding, recipe.critic, recipe.shape.width, device)
            self.num_open_words = open_encoding.NUM_WORDS
        self.num_hidden = encoding.NUM_HIDDEN if recipe.shape.owners else 0
        self._learning = [self.net, *([self.critic] if self.critic else [])]
        self._cards = torch.arange(spec.num_actions, device=device)
        self._legal_word, self._progress_word = int(encoding.LEGAL), int(encoding.PROGRESS)
        self._cannot_hold = torch.from_numpy(encoding.CANNOT_HOLD).to(device)
        self._learning_rate, self._ema_weight = torch.zeros((), device=device), torch.ones((), device=device)
        self.optimizer = torch.optim.AdamW(
            [weights for each in self._learning for weights in each.parameters()],
            self._learning_rate, weight_decay=recipe.weight_decay,
            capturable=device.type == "cuda", fused=device.type == "cuda" or None,
        )  # fmt: skip
        self.num_steps = 0
        self._totals = torch.zeros(3, device=device)  # the errors, summed over the steps
        self._told = 0  # after this one
        # Room for a round of each group, and the one before it, which is learned from.
        self.round_size = spec.max_deal_decisions * recipe.group_size
        room = recipe.groups * 2 * self.round_size
        self.words = torch.zeros(room, encoding.NUM_WORDS, dtype=torch.int64, device=device)
        self.open_words = torch.zeros(room, self.num_open_words, dtype=torch.int64, device=device)
        self.hidden = torch.zeros(room, self.num_hidden, dtype=torch.int64, device=device)
        self.actions = torch.zeros(room, dtype=torch.int8, device=device)
        self.targets, self.returns = (torch.zeros(room, device=device) for _ in range(2))
        self.words[:, self._legal_word] = 1  # the first card, which is action 0: recording needs a legal one
        self._choose = compiled_on(device, self._best)
        self._find_errors = compiled_on(device, self._errors)
        self._prepare()

    def room_of(self, group: int, half: int) -> slice:
        """The rows of one half of a group's room; each tick has `group_size` of them."""
        first = (2 * group + half) * self.round_size
        return slice(first, first + self.round_size)

    def _outputs(self, words: Tensor) -> tuple[Tensor, ...]:
        """Features [B, width], values [B, A] of all cards, minus infinity where they are not legal; maybe
        owners [B, H, A].
        """
        device = self.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            features = self.net.features(self.input(words))
            actions, value, *owners = self.net.heads(features)
        legal = (words[:, self._legal_word, None] >> self._cards & 1).bool()
        return features, dueling(actions, value, legal).masked_fill(~legal, -math.inf), *owners

    def _best(self, words: Tensor, open_words: Tensor) -> tuple[Tensor, Tensor]:
        """The best card [B], and what the side to move will gain [B], by the critic if there is one."""
        best = self._outputs(words)[1].max(dim=1)
        values = best.values if self.critic is None else self.critic(open_words)
        return best.indices, values

    def _errors(
        self,
        words: Tensor,
        open_words: Tensor,
        hidden: Tensor,
        actions: Tensor,
        targets: Tensor,
        returns: Tensor,
    ) -> Tensor:
        """The errors [3] of the values, of the critic with its guess, and of the belief, or 0.

        That of the values is against the targets: with a critic against what luck leaves of them.
        """
        features, values, *owners = self._outputs(words)
        critic = belief = torch.zeros((), device=words.device)
        if self.critic is not None:
            luck, critic = self.critic.luck(open_words, features, returns)
            targets = targets - luck
        error = F.mse_loss(values.gather(1, actions.long()[:, None])[:, 0], targets)
        if owners:
            cannot = (words[:, self._progress_word, None, None] >> self._cannot_hold & 1).bool()
            belief = owners_error(owners[0], hidden, cannot)
        return torch.stack([error, critic, belief])

    def _prepare(self) -> None:
        """Record both steps."""
        recipe, device = self.recipe, self.device
        views = self.words[: recipe.group_size].clone()
        states = self.open_words[: recipe.group_size].clone()
        self.act = Replayed(self._act, [views, states])
        before = copy.deepcopy([self.net.state_dict(), self.critic.state_dict() if self.critic else {}])
        self.train = Replayed(self._train, [torch.zeros(recipe.batch, dtype=torch.int64, device=device)])
        if device.type == "cuda":
            self._forget(*before)

    def _forget(self, net: dict[str, Tensor], critic: dict[str, Tensor]) -> None:
        """Undo the steps that recording has run, in place."""
        self.net.load_state_dict(net)
        self.average.load_state_dict(net)
        if self.critic is not None:
            self.critic.load_state_dict(critic)
        for state in self.optimizer.state.values():
            for value in state.values():
                value.zero_()
        self._totals.zero_()

    def _act(self, words: Tensor, open_words: Tensor) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            return self._choose(words, open_words)

    def _train(self, index: Tensor) -> tuple[Tensor]:
        """A step towards the targets of the decisions `index` [B]."""
        self.optimizer.zero_grad(set_to_none=True)
        errors = self._find_errors(*(getattr(self, room)[index] for room in ROOMS))
        loss = errors[0] + errors[1] + self.recipe.belief * errors[2]
        loss.backward()
        for each in self._learning:
            torch.nn.utils.clip_grad_norm_(each.parameters(), self.recipe.clip)
        self.optimizer.step()
        with torch.no_grad():
            follow(self.average, self.net, self._ema_weight)
            self._totals += errors.detach()
        return (loss.detach(),)

    def learn(self, index: Tensor, done: float) -> None:
        """A step on the decisions in the rows `index` [B] of the rooms."""
        self.train.inputs[0].copy_(index)
        self._learning_rate.fill_(learning_rate(self.recipe, self.num_steps, done))
        self._ema_weight.fill_(ema_weight(self.recipe, self.num_steps))
        self.train()
        self.num_steps += 1

    def errors(self) -> dict[str, float]:
        """The mean errors since the last call."""
        found = (self._totals / max(1, self.num_steps - self._told)).tolist()
        self._totals.zero_()
        self._told = self.num_steps
        parts = {"error": True, "critic_error": self.critic is not None, "belief_error": self.num_hidden > 0}
        return {name: value for (name, there), value in zip(parts.items(), found, strict=True) if there}

    def start_from(self, net: PolicyValueNet) -> None:
        """Take over the weights of another network, as far as it has the same layers."""
        mine = self.net.state_dict()
        given = {name: value for name, value in net.state_dict().items() if name in mine}
        if any(value.shape != mine[name].shape for name, value in given.items()):
            raise ValueError("the network has another shape than the recipe's")
        for each in (self.net, self.average):
            each.load_state_dict(given, strict=False)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "critic": self.critic.state_dict() if self.critic else {},
            "optimizer": self.optimizer.state_dict(), "num_steps": self.num_steps,
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; in place, so that what is recorded stays valid."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        if self.critic is not None:
            self.critic.load_state_dict(state["critic"])
        self.num_steps = self._told = state["num_steps"]
        load_optimizer(self.optimizer, state["optimizer"], self._learning_rate)

    def rooms(self) -> dict[str, Tensor]:
        """The decisions, for a checkpoint too, so that none is lost."""
        return {name: getattr(self, name).cpu() for name in ROOMS}

    def load_rooms(self, rooms: dict[str, Tensor]) -> None:
        """The same decisions again."""
        for name in ROOMS:
            getattr(self, name).copy_(rooms[name])


def owners_error(logits: Tensor, hidden: Tensor, cannot: Tensor) -> Tensor:
    """How wrong the guess is who holds the hidden cards: the mean cross-entropy of a card.

    Logits [B, H, A], the true hands `hidden` [B, H] as bits, `cannot` [B, H, A] where it is known not to.
    """
    held = hidden[:, :, None] >> torch.arange(logits.shape[2], device=logits.device) & 1
    chances = F.log_softmax(logits.float().masked_fill(cannot, IMPOSSIBLE), dim=1)
    return -(held * chances).sum() / held.sum().clamp(min=1)


class Group:
    """Games that are played together, and the decisions of their last round to learn from."""

    def __init__(self, number: int, run: "Run"):
        recipe, size, device, learner = run.recipe, run.recipe.group_size, run.device, run.learner
        self.number = number
        self.words = pinned((size, recipe.encoding.NUM_WORDS), torch.int64, device)
        self.open_words = pinned((size, learner.num_open_words), torch.int64, device)
        self.hidden = pinned((size, learner.num_hidden), torch.int64, device)
        self.chosen = pinned((size,), torch.int64, device)
        self.values = pinned((size,), torch.float32, device)
        self.play = ViewPlay(
            run.game, recipe.encoding, recipe.open_encoding, size, recipe.seed,
            Told(self.words.numpy(), self.open_words.numpy(), self.hidden.numpy()),
            lambda shape, dtype: pinned(shape, DTYPES[dtype], device).numpy(), number,
        )  # fmt: skip
        self.valued = Mark(device)
        self.rounds = 0
        # Where the last round's decisions with a choice are, shuffled, in whole batches.
        self.order = torch.zeros(0, dtype=torch.int64, device=device)
        self.learned = 0  # batches of them that are done

    @property
    def half(self) -> int:
        """The half of the learner's room that the round under way is written to."""
        return self.rounds % 2

    def value(self, run: "Run") -> None:
        """Queue the valuing of the views that are due, and keep them to learn from."""
        learner, size = run.learner, self.play.size
        for fixed, fresh in zip(learner.act.inputs, (self.words, self.open_words), strict=True):
            fixed.copy_(fresh, non_blocking=True)
        first = learner.room_of(self.number, self.half).start + self.play.tick * size
        rows = slice(first, first + size)
        learner.words[rows].copy_(learner.act.inputs[0])
        learner.open_words[rows].copy_(learner.act.inputs[1])
        learner.hidden[rows].copy_(self.hidden, non_blocking=True)
        for kept, found in zip((self.chosen, self.values), learner.act(), strict=True):
            kept.copy_(found, non_blocking=True)
        self.valued.set()

    def advance(self, run: "Run") -> None:
        """Play what was chosen, and learn as much of the last round as is due by now."""
        self.valued.wait()
        play, batch = self.play, run.recipe.batch
        play.play(self.chosen.numpy(), self.values.numpy(), run.epsilon)
        if play.tick == play.num_ticks:
            self._end_round(run)
        self.value(run)
        due = len(self.order) // batch * (play.tick + 1) // play.num_ticks
        while self.learned < due:
            run.learner.learn(self.order[self.learned * batch : (self.learned + 1) * batch], run.done)
            self.learned += 1

    def _end_round(self, run: "Run") -> None:
        play, learner, recipe, device = self.play, run.learner, run.recipe, run.device
        play.end_round(recipe.keep, recipe.scale)
        rows = learner.room_of(self.number, self.half)
        for name in ("actions", "targets", "returns"):
            fresh = torch.from_numpy(getattr(play, name).reshape(-1))
            getattr(learner, name)[rows].copy_(fresh, non_blocking=True)
        # Sorted by chance, forced decisions last: on a GPU nothing of this is waited for.
        forced = torch.from_numpy(play.counts.reshape(-1)).to(device, non_blocking=True) <= 1
        number = recipe.seed * 1_000_003 + self.rounds * recipe.groups + self.number
        luck = torch.Generator(device).manual_seed(number)
        keys = torch.rand(len(forced), generator=luck, device=device) + forced
        num_choices = int((play.counts > 1).sum())
        self.order = keys.argsort()[: num_choices // recipe.batch * recipe.batch] + rows.start
        self.learned = 0
        self.rounds += 1

    def state(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        self.valued.wait()
        return packed(self.play.arrays()) | {
            "chosen": self.chosen.clone(), "expected": self.values.clone(),
            "order": self.order.cpu(), "counts_of": torch.tensor([self.rounds, self.learned]),
        }  # fmt: skip

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on where `state` was taken."""
        self.valued.wait()
        self.play.restore(unpacked(state, self.play.arrays()))
        self.chosen.copy_(state["chosen"])
        self.values.copy_(state["expected"])
        self.order = state["order"].to(self.order.device)
        self.rounds, self.learned = state["counts_of"].tolist()


class Run(OneNetworkRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ViewRecipe
    is_quick = True  # its network alone

    def __init__(self, recipe: ViewRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.learner = Learner(recipe, device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        for group in self.groups:
            group.value(self)

    @property
    def epsilon(self) -> float:
        """The chance of a random card now."""
        return epsilon(self.recipe, self.done)

    def advance(self) -> None:
        """One decision in every game."""
        for group in self.groups:
            group.advance(self)
        self.num_games = sum(group.play.num_games for group in self.groups)

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        games = None
        if with_games:
            games = {"groups": [group.state() for group in self.groups], "rooms": self.learner.rooms()}
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "learner": self.learner.state(), "seconds": self.seconds,
            "start": self.start, "num_games": [group.play.num_games for group in self.groups],
        }, games, self.learner.num_steps)  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        for group, num_games in zip(self.groups, stored["num_games"], strict=True):
            group.valued.wait()
            group.play.num_games = num_games
        self.learner.load(stored["learner"])
        self.start, self.seconds = stored["start"], stored["seconds"]
        games = read_games(self.out, stored)
        if games is not None:
            self.learner.load_rooms(games["rooms"])
        for number, group in enumerate(self.groups):
            if games is not None:
                group.restore(games["groups"][number])
            else:
                group.value(self)
        self.num_games = sum(group.play.num_games for group in self.groups)

    def take_over(self, net: PolicyValueNet) -> None:
        """Begin with the weights of another network, and with its values."""
        self.learner.start_from(net)
        for group in self.groups:
            group.value(self)

    def figures(self) -> dict[str, float]:
        """Steps of learning, and the chance of a random card."""
        return {"steps": self.learner.num_steps, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean squared errors of the network and the critic, in its units, and that of the belief."""
        return self.learner.errors()

    def player(self) -> RolloutAgent:
        """The averaged network, playing its best card."""
        network = TorchNetwork(self.network, self.learner.input)
        spec = self.game.spec
        name = f"{spec.id}/in-training"
        player = RolloutAgent(name, spec, self.encoding, network, rollout_setting(spec, "-raw"), self.scale)
        player.deals_together = deals_on(self.device, GPU_WORD_DEALS)
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
