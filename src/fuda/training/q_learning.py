"""Deep Q-learning of choices, in one stage or in two.

Combinatorial Q-learning chooses in two: first which decomposition of the hand, then which of its groups is
played, so that the decision of a seat is two of an augmented process (`two_stages.py`). Naive deep Q-learning
has one output for each move (`one_stage.py`). The encoding says which: by its players.

Each kind of decision (a seat's role) has its own agent (`roles.py`): a network, a copy of it that is renewed
now and then (the target network), and a memory of transitions (replay). A transition keeps, instead of the
decompositions of the next hand, the state of the generator that they were drawn by: they are drawn again when
it is learned from.

Targets are one-step, by double Q-learning: the network says what is best next, the target network what that
is worth. Or they are the outcome of the deal.

B games or transitions, W words of a position, G the most groups that one is chosen from.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from fuda.nets.action_outputs import ActionReader
from fuda.nets.decompositions import GroupShape
from fuda.training.one_stage import OneStage
from fuda.training.roles import Choices, Ends, RoleAgent, RoleRun
from fuda.training.trainer import Trainer
from fuda.training.two_stages import TwoStages


@dataclass(frozen=True)
class QLearningRecipe:
    """All that determines a run, but for its length."""

    groups: ClassVar[int] = 1  # of games

    game: str
    line: str
    options: dict[str, int | str] = field(default_factory=dict)  # of the game
    encoding: str = "group_encoding"  # the file in the game's folder
    shape: GroupShape = field(default_factory=GroupShape)
    decompositions: int = 100  # of a hand, at most; not used where every move has an output
    guest: str = ""  # a policy of the game that is played against, not learned from, where it sits
    guest_seats: tuple[int, ...] = ()  # all seats of one side
    bootstrap: bool = True  # one-step targets by double Q-learning; else the outcome of the deal
    gamma: float = 0.99  # from each state of the (augmented) process to the next
    reward: str = "win"  # of the end of a deal (`rewards.py`)
    group_size: int = 1024  # games that are played together
    replay: int = 100_000  # transitions of each agent that are kept
    batch: int = 1024
    times: float = 2.0  # how often a transition is learned from, on average
    target_steps: int = 250  # after so many the target network is renewed
    exploration: tuple[tuple[float, float], ...] = (
        (0.0, 0.1),
        (1.0, 0.1),
    )  # parts of the run, the chance then
    games: int = 3_000_000  # the length of the schedules, unless the run is given minutes
    optimizer: str = "adam"
    learning_rate: float = 1e-4
    final_learning_rate: float = 1e-4  # by a cosine
    warmup_steps: int = 1
    weight_decay: float = 0.0
    clip: float = 10.0
    average: float = 0.0  # of the weights, from step to step
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


class Replay:
    """The last transitions of an agent, in a ring."""

    def __init__(self, room: int, num_words: int, num_groups: int):
        self.room = room
        self.choices = Choices.blank(room, num_words, num_groups)
        self.ends = Ends(
            np.zeros(room, np.float32), np.zeros(room, np.int16),
            np.zeros((room, num_words), np.int64), np.zeros(room, np.uint64),
        )  # fmt: skip
        self.num_added = 0

    def add(self, choices: Choices, ends: Ends) -> None:
        """Keep these, in place of the oldest."""
        count = len(choices.places)
        rows = (self.num_added + np.arange(count)) % self.room
        self.choices.write(rows, choices)
        for mine, fresh in zip(self.ends, ends, strict=True):
            mine[rows] = fresh
        self.num_added += count

    def __len__(self) -> int:
        return min(self.room, self.num_added)

    def sample(self, rng: np.random.Generator, count: int) -> tuple[Choices, Ends]:
        """So many, uniformly."""
        rows = rng.integers(len(self), size=count)
        return self.choices.take(rows), Ends(*(column[rows] for column in self.ends))

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        there = len(self)
        columns = {f"choices_{name}": column[:there] for name, column in self.choices._asdict().items()}
        columns |= {f"ends_{name}": column[:there] for name, column in self.ends._asdict().items()}
        return columns

    def restore(self, arrays: dict[str, Tensor], num_added: int) -> None:
        """Go on where `arrays`, packed, was taken."""
        self.num_added = num_added
        for name, mine in self.arrays().items():
            mine[...] = arrays[name].numpy().view(mine.dtype).reshape(mine.shape)


class Agent(RoleAgent):
    """One kind of decision: its network, the target network, what it remembers."""

    def __init__(self, number: int, recipe: QLearningRecipe, stages: OneStage | TwoStages):
        self.number, self.recipe, self.stages = number, recipe, stages
        device, encoding = stages.reader.device, stages.reader.encoding
        self.trainer = Trainer(stages.new(recipe.shape).to(device), recipe)
        self.target = stages.new(recipe.shape).to(device).requires_grad_(False)
        self.replay = Replay(recipe.replay, encoding.NUM_WORDS, encoding.MAX_GROUPS)
        self.num_due = 0.0  # steps
        batch = recipe.batch
        # Words, groups, which can be played, the place of the one that was, the targets.
        self._batch = [
            torch.zeros(batch, encoding.NUM_WORDS, dtype=torch.int64, device=device),
            torch.zeros(batch, encoding.MAX_GROUPS, dtype=torch.int64, device=device),
            torch.zeros(batch, encoding.MAX_GROUPS, dtype=torch.bool, device=device),
            torch.zeros(batch, dtype=torch.int64, device=device),
            torch.zeros(batch, stages.num_values, device=device),
        ]
        self._all = torch.arange(batch, device=device)
        self.trainer.record(stages.errors, lambda index: [column[index] for column in self._batch], batch)
        self.renew_target()

    def renew_target(self) -> None:
        """Let the target network be as the network is."""
        self.target.load_state_dict(self.trainer.net.state_dict())

    def choose(self, words: np.ndarray, seeds: np.ndarray, chances: np.ndarray, epsilon: float) -> Choices:
        """The best, or with a chance of epsilon anything, uniformly."""
        at_random = np.where(chances[:, :1] < epsilon, chances[:, 1:], -1.0)
        return Choices(words, seeds, *self.stages.choose(self.net, words, seeds, at_random))

    def remember(self, choices: Choices, ends: Ends) -> None:
        """Keep transitions, which makes steps due."""
        self.replay.add(choices, ends)
        self.num_due += len(choices.places) * self.recipe.times / self.recipe.batch

    def learn(self, done: float) -> None:
        """The steps that are due."""
        recipe, device = self.recipe, self.stages.reader.device
        while self.num_due >= 1 and len(self.replay) >= recipe.batch:
            self.num_due -= 1
            rng = np.random.default_rng((recipe.seed, self.number, self.trainer.num_steps))
            choices, ends = self.replay.sample(rng, recipe.batch)
            fresh = (choices.words, choices.groups, choices.playable, choices.places)
            for room, rows in zip(self._batch, fresh, strict=False):
                room.copy_(torch.from_numpy(rows).to(device))
            self._batch[-1].copy_(self.targets(choices, ends))
            self.trainer.step(self._all, done)
            if self.trainer.num_steps % recipe.target_steps == 0:
                self.renew_target()

    def targets(self, choices: Choices, ends: Ends) -> Tensor:
        """What the choices should have been valued at, stage by stage [B, stages]."""
        gamma, stages, device = self.recipe.gamma, self.stages, self.stages.reader.device
        if not self.recipe.bootstrap:
            discounted = ends.outcomes * gamma ** stages.states_of(ends.decisions_left).astype(np.float64)
            return stages.from_outcomes(torch.from_numpy(discounted).to(device), gamma).float()
        words, groups, playable = (
            torch.from_numpy(array).to(device)
            for array in (choices.words, choices.groups.astype(np.int64), choices.playable)
        )
        after = torch.from_numpy(ends.outcomes.copy()).to(device)
        goes_on = np.flatnonzero(ends.decisions_left)
        if len(goes_on):
            value = stages.next_values(
                self.trainer.net, self.target, ends.next_words[goes_on], ends.next_seeds[goes_on]
            )
            after[torch.from_numpy(goes_on).to(device)] = gamma * value
        return stages.targets(self.trainer.net, self.target, words, groups, playable, after, gamma)

    def errors(self) -> dict[str, float]:
        """The mean parts of the error since the last call."""
        return self.trainer.errors()

    def start_from(self, folder: Path, number: int) -> None:
        """Take over a network of a model."""
        self.trainer.start_from(self.stages.stored(folder, self.stages.reader.encoding, number).state_dict())
        self.renew_target()

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "trainer": self.trainer.state(), "target": self.target.state_dict(), "due": self.num_due,
            "num_added": self.replay.num_added,
        }  # fmt: skip

    def arrays(self) -> dict[str, np.ndarray]:
        """The transitions, for a checkpoint."""
        return self.replay.arrays()

    def restore(self, state: dict[str, Any], arrays: dict[str, Tensor] | None) -> None:
        """Go on from a checkpoint; without its transitions they are gathered anew."""
        self.trainer.load(state["trainer"])
        self.target.load_state_dict(state["target"])
        if arrays is not None:
            self.num_due = state["due"]
            self.replay.restore(arrays, state["num_added"])


class Run(RoleRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: QLearningRecipe

    def new_agent(self, number: int) -> Agent:
        """What learns the decisions of a kind."""
        if isinstance(self.reader, ActionReader):
            return Agent(number, self.recipe, OneStage(self.reader))
        return Agent(number, self.recipe, TwoStages(self.reader, self.recipe.decompositions))

    @property
    def unit(self) -> str:
        """Of the values: outcomes that are not discounted tell a chance, else they are points."""
        recipe = self.recipe
        is_chance = recipe.reward == "win" and recipe.gamma == 1 and not recipe.bootstrap
        return "probability" if is_chance else "points"

    @property
    def epsilon(self) -> float:
        """The chance of a random choice now."""
        parts, chances = zip(*self.recipe.exploration, strict=True)
        return float(np.interp(self.done, parts, chances))
