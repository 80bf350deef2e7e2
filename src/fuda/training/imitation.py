"""Learning to play as a teacher does, by the chances of actions in parts (DeepRocket's way).

A teacher plays games from a seed, in rounds; their choices are learned in random order by the kit's
classifier (`classifier.py`): what was the first part of the action, and what, by a network of its own, were
the further ones. Forced plays and forced parts are not learned. Games of a file may stand in the teacher's
place.

A round follows from its number alone, so a run goes on from any checkpoint as if nothing had happened.

B rows of a batch, N choices, W words, O outputs.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from fuda.agents import Agent
from fuda.agents import agent as find_agent
from fuda.agents.agent import POLICY
from fuda.agents.model import model_players
from fuda.core.game import Game
from fuda.core.planes import PlaneLayout
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.export import read_factored, write_model
from fuda.nets.folder import CARD, read_card
from fuda.nets.policy_value import parameters
from fuda.nets.strided import PlaneInput, StridedNet, StridedShape
from fuda.training.classifier import Classifier
from fuda.training.conduct import MODEL, TrainingRun
from fuda.training.played import Choices, Replayer, Stored, Teacher
from fuda.training.run_folder import read_checkpoint, write_checkpoint
from fuda.training.torch_agent import model_on
from fuda.training.trainer import Trainer

LEARNED, HELD_OUT = 0, 1  # groups of the teacher's games: those that are learned from, those that are not
HELD_OUT_GAMES, HELD_OUT_GAMES_ON_CPU = 8192, 256
# Choices of a game that a GPU has room for on average: of one role, of further parts.
ROOM, LEAST_ROOM = 24, 4096
EVALUATE_BATCH = 2048


@dataclass(frozen=True)
class ImitationRecipe:
    """All that determines a run, but for its length."""

    groups: ClassVar[int] = 1  # of games

    game: str
    line: str
    teacher: str  # an agent of the game, which plays all seats
    options: dict[str, int | str] = field(default_factory=dict)  # of the game
    encoding: str = "encoding"  # the file in the game's folder
    shape: StridedShape = field(default_factory=StridedShape)
    further_shape: StridedShape = field(default_factory=StridedShape)
    shared: bool = False  # one network for the first parts of all roles instead of one for each
    records: str = ""  # a file of games to learn from instead of the teacher's
    group_size: int = 131_072  # games of a round
    times: float = 1.0  # how often a choice is learned from
    batch: int = 4096
    further_batch: int = 4096
    games: int = 8_000_000  # the length of the schedules, unless the run is given minutes
    optimizer: str = "adamw"
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5  # by a cosine
    warmup_steps: int = 200
    weight_decay: float = 0.01
    clip: float = 1.0
    dropout: float = 0.0
    average: float = 0.999  # of the weights, from step to step
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


class PlaneSamples:
    """The choices of a round for one network, in room that stays where it is."""

    num_equal = 1

    def __init__(self, layout: PlaneLayout, num_words: int, room: int, device: torch.device):
        self.words = torch.zeros(room, num_words, dtype=torch.int64, device=device)
        self.labels = torch.zeros(room, dtype=torch.int64, device=device)
        self.kind = self.match = torch.zeros(room, dtype=torch.int64, device=device)
        self.input = PlaneInput(layout).to(device)
        self.count = 0

    def __len__(self) -> int:
        return len(self.labels)

    def fill(self, words: np.ndarray, labels: np.ndarray) -> None:
        """Take these choices [N] in place of the others, as many as there is room for."""
        self.count = min(len(labels), len(self))
        for mine, given in ((self.words, words), (self.labels, labels)):
            mine[: self.count].copy_(torch.from_numpy(given[: self.count]))

    def rows(self, numbers: Tensor) -> Sequence[Tensor]:
        """Words [B, W] and the chosen output [B]."""
        return [self.words[numbers], self.labels[numbers]]

    def logits(self, net: Any, *rows: Tensor) -> Tensor:
        """Logits [B, O] of the legal outputs, minus infinity for the others."""
        (words,) = rows
        found: Tensor = net(self.input(words)).float()
        return found.masked_fill(~self.input.legal(words), -torch.inf)

    @torch.no_grad()
    def hits(self, net: Any, index: Tensor) -> Tensor:
        """Whether the network's first choice is the player's [B, 2]: equal moves are one here."""
        found = []
        for some in index.split(EVALUATE_BATCH):
            words, label = self.rows(some)
            found.append(self.logits(net, words).argmax(dim=1) == label)
        return torch.cat(found)[:, None].expand(-1, 2)


class Learner:
    """One network, the roles whose choices it learns, and the choices of a round."""

    def __init__(self, number: int, run: "Run", kinds: list[int] | None):
        recipe, encoding = run.recipe, run.encoding
        is_further = kinds is None
        self.number, self.kinds = number, kinds
        self.names = [encoding.FURTHER_KIND] if kinds is None else [encoding.DECISION_KINDS[k] for k in kinds]
        self.layout = encoding.FURTHER_LAYOUT if is_further else encoding.LAYOUT
        num_outputs = encoding.NUM_FURTHER_OUTPUTS if is_further else encoding.NUM_OUTPUTS
        shape = recipe.further_shape if is_further else recipe.shape
        self.num_words = encoding.NUM_FURTHER_WORDS if is_further else encoding.NUM_WORDS
        self._encoding, self._recipe = encoding, recipe
        room = max(LEAST_ROOM, ROOM * recipe.group_size * len(kinds or [0]) // 2)
        samples = PlaneSamples(self.layout, self.num_words, room, run.device)
        mine = replace(
            recipe, seed=recipe.seed + number, batch=recipe.further_batch if is_further else recipe.batch
        )
        self.classifier = Classifier(mine, samples, lambda: StridedNet(self.layout.shape, num_outputs, shape))
        self.samples, self.trainer = samples, self.classifier.trainer

    @property
    def net(self) -> StridedNet:
        """That plays."""
        average = self.trainer.average
        assert isinstance(average, StridedNet)
        return average

    def select(self, choices: Choices) -> tuple[np.ndarray, np.ndarray]:
        """The words [N, W] and the chosen outputs [N] that are this network's."""
        if self.kinds is None:
            return choices.further_words, choices.further_parts
        mine = np.isin(self._encoding.decision_kinds(choices.words), self.kinds)
        outputs = self._encoding.OUTPUT_OF[choices.actions[mine]].astype(np.int64)
        return choices.words[mine], outputs

    def learn(self, choices: Choices, round_number: int, done: float) -> None:
        """The steps that the choices of a round are worth."""
        self.samples.fill(*self.select(choices))
        count, batch, recipe = self.samples.count, self.classifier.batch, self._recipe
        rng = np.random.default_rng((recipe.seed, self.number, round_number))
        passes = [rng.permutation(count) for _ in range(int(np.ceil(recipe.times)))]
        order = torch.from_numpy(np.concatenate(passes)[: int(recipe.times * count)])
        for some in order.to(self.samples.labels.device).split(batch)[: len(order) // batch]:
            self.trainer.step(some, done)

    def hits(self, choices: Choices) -> np.ndarray:
        """Whether the network's first choice is the player's, of its own choices in order."""
        words, labels = self.select(choices)
        found = []
        for start in range(0, len(labels), len(self.samples)):
            self.samples.fill(words[start:], labels[start:])
            index = torch.arange(self.samples.count, device=self.samples.labels.device)
            found.append(self.samples.hits(self.net, index)[:, 0].cpu().numpy())
        return np.concatenate(found) if found else np.zeros(0, bool)


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ImitationRecipe
    evaluated = "its networks, as they play"

    def __init__(self, recipe: ImitationRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.game = find_game(recipe.game, **recipe.options)
        self.encoding = encoding = part(recipe.game, recipe.encoding)
        self.check_told(encoding)
        if not recipe.records and self.game.spec.max_deals(self.game.all_options) != 1:
            options = ", ".join(f"{name}={value}" for name, value in self.game.changed_options.items())
            raise ValueError(f"a teacher's games have one deal each, with {options} they may have more")
        names = encoding.DECISION_KINDS
        roles = [number for number, name in enumerate(names) if name != encoding.FURTHER_KIND]
        kinds: list[list[int] | None] = [roles] if recipe.shared else [[role] for role in roles]
        if encoding.FURTHER_KIND in names:
            kinds.append(None)
        self.learners = [Learner(number, self, made) for number, made in enumerate(kinds)]
        self._teacher: Agent | None = None
        self._sources: dict[int, Teacher | Stored] = {}
        self._replayers: dict[Game, Replayer] = {}
        self._held_out: Choices | None = None
        if recipe.records:  # a file that is none is refused before anything is written
            self._sources[LEARNED] = self._source(LEARNED)
        self.num_rounds = self.num_choices = 0

    @property
    def trainers(self) -> list[Trainer]:
        """What learns, network by network."""
        return [learner.trainer for learner in self.learners]

    def advance(self) -> None:
        """One round: games of the teacher, then the steps of learning that they are worth."""
        choices = self.choices(LEARNED, self.num_games, self.recipe.group_size)
        for learner in self.learners:
            learner.learn(choices, self.num_rounds, self.done)
        self.num_rounds += 1
        self.num_games += self.recipe.group_size
        self.num_choices += len(choices.actions)

    def choices(self, group: int, first: int, count: int) -> Choices:
        """The choices of the teacher's games, or of a file's."""
        if group not in self._sources:
            self._sources[group] = self._source(group)
        source = self._sources[group]
        if source.game not in self._replayers:
            self._replayers[source.game] = Replayer(source.game, self.encoding)
        return self._replayers[source.game].choices(source.games(first, count))

    def _source(self, group: int) -> Teacher | Stored:
        recipe = self.recipe
        if recipe.records and group != HELD_OUT:
            stored = Stored(Path(recipe.records))
            if stored.game.id != recipe.game:
                raise ValueError(f"{recipe.records} has games of {stored.game.id}, not of {recipe.game}")
            return stored
        if self._teacher is None:
            self._teacher = teacher_on(self.device, recipe.game, recipe.teacher)
        return Teacher(self.game, self._teacher, recipe.seed, group)

    def figures(self) -> dict[str, float]:
        """Steps of learning, choices that were learned from."""
        return {"steps": sum(trainer.num_steps for trainer in self.trainers), "choices": self.num_choices}

    def errors(self) -> dict[str, float]:
        """The mean cross-entropy, by what is decided."""
        return {
            f"{what}_{'-'.join(learner.names)}": error
            for learner in self.learners
            for what, error in learner.trainer.errors().items()
        }

    def evaluate(self, games: int) -> dict[str, float]:
        """How often the first choice is the teacher's, in games not learned from; games against others."""
        found = {f"agrees_{name}": share for name, share in self.agreement().items()}
        self.export()
        player = model_on(self.device, self.out / MODEL, f"{self.game.id}/in-training")
        return found | self.against(player, self.recipe.opponents, games)

    def agreement(self) -> dict[str, float]:
        """The share of hits among held-out choices, by network."""
        if self._held_out is None:
            count = HELD_OUT_GAMES if self.device.type == "cuda" else HELD_OUT_GAMES_ON_CPU
            self._held_out = self.choices(HELD_OUT, 0, count)
        return {
            "-".join(learner.names): float(learner.hits(self._held_out).mean()) for learner in self.learners
        }

    def export(self) -> None:
        """The networks as a model folder."""
        card = self.card(self.encoding, POLICY, 1.0)
        write_model(self.out / MODEL, card, [(learner.net, learner.names) for learner in self.learners])

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint; there are no games under way between rounds."""
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "trainers": [trainer.state() for trainer in self.trainers],
            "seconds": self.seconds, "num_games": self.num_games, "num_rounds": self.num_rounds,
            "num_choices": self.num_choices, "start": self.start,
        }, None, self.num_rounds)  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        for trainer, state in zip(self.trainers, stored["trainers"], strict=True):
            trainer.load(state)
        self.seconds, self.num_games, self.start = stored["seconds"], stored["num_games"], stored["start"]
        self.num_rounds, self.num_choices = stored["num_rounds"], stored["num_choices"]

    def start_from(self, folder: Path) -> None:
        """Take over the networks of a model or a run: its games are behind it, the schedules begin anew."""
        model = folder if (folder / CARD).exists() else folder / MODEL
        card = read_card(model)
        made_by = [network.decisions for network in card.networks]
        if made_by != [learner.names for learner in self.learners]:
            raise ValueError(f"the networks in {model} are for other decisions than the recipe's")
        for number, learner in enumerate(self.learners):
            learner.trainer.start_from(read_factored(model, self.encoding, number).state_dict())
        self.start_after(folder, card)

    @property
    def num_parameters(self) -> int:
        """How many numbers the networks learn."""
        return sum(parameters(learner.net) for learner in self.learners)


def teacher_on(device: torch.device, game_id: str, name: str) -> Agent:
    """An agent of a game by its short name; one with networks has them on the device."""
    players = model_players(game_id)
    if name in players:
        folder, suffix = players[name]
        return model_on(device, folder, f"{game_id}/{name}", suffix)
    return find_agent(f"{game_id}/{name}")
