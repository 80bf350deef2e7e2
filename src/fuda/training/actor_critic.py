"""An actor with a critic: A3C in its synchronous form (A2C), all games at once without asynchronous workers.

Each kind of decision has its own agent (`roles.py`): a network that tells for all actions how likely each is
to be played, illegal ones apart, and what the position is worth. Moves are drawn from that. When a deal has
ended its decisions are learned from, each once, in batches: the move that was made becomes likelier by as
much as the outcome, discounted from the end of the deal, was better than the critic had expected.

B decisions, W words of a position, L the most legal actions of one.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from torch import Tensor

from fuda.nets.action_outputs import ActionReader, among
from fuda.nets.decompositions import GroupShape
from fuda.nets.export import read_action_outputs
from fuda.training.roles import Choices, Ends, RoleAgent, RoleRun
from fuda.training.trainer import Parts, Sum, Trainer


@dataclass(frozen=True)
class ActorCriticRecipe:
    """All that determines a run, but for its length."""

    groups: ClassVar[int] = 1  # of games

    game: str
    line: str
    options: dict[str, int | str] = field(default_factory=dict)  # of the game
    encoding: str = "action_encoding"  # the file in the game's folder
    shape: GroupShape = field(default_factory=GroupShape)
    guest: str = ""  # a policy of the game that is played against, not learned from, where it sits
    guest_seats: tuple[int, ...] = ()  # all seats of one side
    gamma: float = 0.99  # from each decision of a seat to its next
    reward: str = "win"  # of the end of a deal (`rewards.py`)
    entropy: float = 0.01  # weight of the policy's entropy, which keeps it open
    value: float = 0.5  # weight of the critic's squared error
    group_size: int = 1024  # games that are played together
    batch: int = 1024
    games: int = 3_000_000  # the length of the schedules, unless the run is given minutes
    optimizer: str = "adam"
    learning_rate: float = 1e-4
    final_learning_rate: float = 1e-4  # by a cosine
    warmup_steps: int = 1
    weight_decay: float = 0.0
    clip: float = 0.5
    average: float = 0.0  # of the weights, from step to step
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


class Decisions(NamedTuple):
    """What is to be learned from."""

    words: np.ndarray  # [B, W]
    actions: np.ndarray  # [B]
    returns: np.ndarray  # [B] the outcome, discounted

    @classmethod
    def blank(cls, num_words: int) -> "Decisions":
        """None yet."""
        return cls(np.zeros((0, num_words), np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))


class Agent(RoleAgent):
    """One kind of decision: its network, and decisions that are still to be learned from."""

    def __init__(self, recipe: ActorCriticRecipe, reader: ActionReader):
        self.recipe, self.reader = recipe, reader
        self.trainer = Trainer(reader.new(recipe.shape).to(reader.device), recipe)
        encoding, batch = reader.encoding, recipe.batch
        self.waiting = Decisions.blank(encoding.NUM_WORDS)
        # Words, legal actions, the place of the one that was played among them, returns.
        self._batch = [
            torch.zeros(batch, encoding.NUM_WORDS, dtype=torch.int64, device=reader.device),
            torch.zeros(batch, encoding.MAX_LEGAL, dtype=torch.int64, device=reader.device),
            torch.zeros(batch, dtype=torch.int64, device=reader.device),
            torch.zeros(batch, device=reader.device),
        ]
        self._all = torch.arange(batch, device=reader.device)
        loss = Sum(value=recipe.value, entropy=recipe.entropy)
        self.trainer.record(
            self._errors, lambda index: [column[index] for column in self._batch], batch, loss
        )

    @torch.no_grad()
    def choose(self, words: np.ndarray, seeds: np.ndarray, chances: np.ndarray, epsilon: float) -> Choices:
        """Moves drawn from the policy; it explores by itself."""
        legal = self.reader.encoding.legal_table(words)
        logits, _ = self.reader.legal_outputs(self.trainer.net, words, legal)
        reached = logits.softmax(dim=1).cumsum(dim=1).cpu().numpy()
        # The sum may be a little below 1.
        places = np.minimum((reached <= chances[:, :1]).sum(axis=1), (legal >= 0).sum(axis=1) - 1)
        chosen = np.take_along_axis(legal, places[:, None], axis=1)
        return Choices(words, seeds, chosen, np.ones(chosen.shape, bool), np.zeros(len(chosen), np.int8))

    def remember(self, choices: Choices, ends: Ends) -> None:
        """Keep decisions until there is a batch of them."""
        returns = (ends.outcomes * self.recipe.gamma**ends.decisions_left).astype(np.float32)
        fresh = Decisions(choices.words, choices.groups[:, 0].astype(np.int64), returns)
        self.waiting = Decisions(*map(np.concatenate, zip(self.waiting, fresh, strict=True)))

    def learn(self, done: float) -> None:
        """The steps that are due."""
        batch = self.recipe.batch
        while len(self.waiting.actions) >= batch:
            words, actions, returns = (column[:batch] for column in self.waiting)
            self.waiting = Decisions(*(column[batch:] for column in self.waiting))
            legal = self.reader.encoding.legal_table(words).astype(np.int64)
            places = (legal == actions[:, None]).argmax(axis=1)
            if self.reader.device.type == "cpu":  # no wider than it has to be
                self._batch[1] = torch.from_numpy(legal)
            else:
                self._batch[1].fill_(-1)[:, : legal.shape[1]].copy_(torch.from_numpy(legal))
            for room, rows in zip(self._batch[::2], (words, places), strict=True):
                room.copy_(torch.from_numpy(rows))
            self._batch[3].copy_(torch.from_numpy(returns))
            self.trainer.step(self._all, done)

    def _errors(self, net: Any, words: Tensor, legal: Tensor, places: Tensor, returns: Tensor) -> Parts:
        """What the policy and the critic are to change [B], and the policy's entropy, which is to grow."""
        actions, value = self.reader.outputs(net, words)
        chances = among(actions, legal).log_softmax(dim=1)
        entropy = -(chances.exp() * chances.masked_fill(legal < 0, 0.0)).sum(dim=1)
        advantage = returns - value.float()
        own = chances.gather(1, places[:, None])[:, 0]
        return {"policy": -own * advantage.detach(), "value": advantage**2, "entropy": -entropy}

    def errors(self) -> dict[str, float]:
        """The mean parts of the error since the last call."""
        return self.trainer.errors()

    def start_from(self, folder: Path, number: int) -> None:
        """Take over a network of a model."""
        self.trainer.start_from(read_action_outputs(folder, self.reader.encoding, number).state_dict())

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"trainer": self.trainer.state()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The decisions, for a checkpoint."""
        return self.waiting._asdict()

    def restore(self, state: dict[str, Any], arrays: dict[str, Tensor] | None) -> None:
        """Go on from a checkpoint."""
        self.trainer.load(state["trainer"])
        if arrays is not None:
            mine = self.waiting._asdict()
            self.waiting = Decisions(
                *(
                    arrays[name].numpy().view(mine[name].dtype).reshape(-1, *mine[name].shape[1:])
                    for name in mine
                )
            )


class Run(RoleRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ActorCriticRecipe
    unit = None  # logits are no values

    def new_agent(self, number: int) -> Agent:
        """What learns the decisions of a kind."""
        if not isinstance(self.reader, ActionReader):
            raise ValueError(f"{self.recipe.encoding} is no encoding with an output for each action")
        return Agent(self.recipe, self.reader)
