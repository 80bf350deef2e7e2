"""Learning from played games: which of the possible choices did the player make?

One network for each kind of decision, as in the Koi-Koi paper, or a single one for all; from fresh weights,
or from those of a model that learned by self-play. Samples are rows of any encoding, with logits of what
could have been chosen (`samples.py`); all stay on the device.

B samples of a batch, A choices of a sample.
"""

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.agents.model import model_folders
from fuda.games import part
from fuda.games import spec as find_spec
from fuda.nets.export import write_model
from fuda.nets.exportable import Exportable
from fuda.nets.folder import ModelCard, read_card
from fuda.nets.readers import READERS
from fuda.nets.token_transformer import TokenShape
from fuda.training.device import origin
from fuda.training.trainer import Parts, Trainer, TrainerRecipe


@dataclass(frozen=True)
class ClassifierRecipe:
    """All that determines what is learned of samples; found by its name in the game's recipes."""

    game: str
    shape: TokenShape = field(default_factory=partial(TokenShape, contrast=True))
    shared: bool = False  # one network for all kinds of decisions instead of one for each
    start: str = ""  # a shipped model, whose shape and weights are the first ones; else they are fresh
    start_scale: float = 30.0  # what its values are multiplied by, to be the first logits
    epochs: tuple[int, ...] = (8, 20, 20)  # for each network, where nothing is held out
    max_epochs: tuple[int, ...] = (12, 30, 30)  # the same, where their number is chosen afterwards
    batch: int = 128
    optimizer: str = "adamw"
    learning_rate: float = 3e-4  # after the warm-up it stays, so that a run may end after any epoch
    warmup_steps: int = 100
    weight_decay: float = 0.05
    clip: float = 1.0
    dropout: float = 0.1  # after each layer's residual part; the network itself has none
    average: float = 0.99  # of the weights, from step to step: what is tested and kept
    symmetries: bool = True  # each sample is seen as one of its equals, another in each epoch
    seed: int = 1

    @property
    def final_learning_rate(self) -> float:
        """The same."""
        return self.learning_rate

    @property
    def encoding(self) -> ModuleType:
        """The encoding of the recipe's game."""
        return part(self.game, "encoding")

    @property
    def networks(self) -> dict[str, tuple[int, ...]]:
        """The networks' names, with the kinds of decisions that each of them makes."""
        kinds = self.encoding.DECISION_KINDS
        made: dict[str, tuple[int, ...]] = {name: (number,) for number, name in enumerate(kinds)}
        if self.shared:
            made = {"shared": tuple(range(len(kinds)))}
        if not len(made) == len(self.epochs) == len(self.max_epochs):
            raise ValueError(f"the recipe has {len(made)} networks: give epochs and max_epochs of each")
        return made


class LearnerRecipe(TrainerRecipe, Protocol):
    """What a recipe says about how one network learns."""

    @property
    def batch(self) -> int:
        """Samples of a step."""

    @property
    def dropout(self) -> float:
        """The part that is dropped out in training; 0 for networks that know none."""

    @property
    def seed(self) -> int:
        """Of the first weights, and of what is dropped out."""


R = TypeVar("R", bound=LearnerRecipe)


class Samples(Protocol):
    """What is learned: decisions that somebody made, as rows of tensors on a device.

    A sample may be seen as any of its equals; as which one is part of its number, so sample k as its first
    equal is number k x num_equal.
    """

    num_equal: int
    kind: Tensor  # [N] of decision
    match: Tensor  # [N] which match it was made in

    def __len__(self) -> int: ...

    def rows(self, numbers: Tensor) -> Sequence[Tensor]:
        """What is known of samples [B], the place of what was chosen [B] last."""

    def logits(self, net: Any, *rows: Tensor) -> Tensor:
        """Logits [B, A] of all choices of such rows but the last, minus infinity where there are fewer."""

    def hits(self, net: Any, index: Tensor) -> Tensor:
        """Whether the network's first choice is the player's, [B, 2] bool: the very one; it or its equal."""


class Classifier(Generic[R]):
    """A network that learns the choices among samples, and the average of its weights.

    It is made once for many runs: on a GPU its step is recorded, and `restart` keeps the recording. Networks
    of a kind that no reader has may be made by `new`, which draws from PyTorch's own generator.
    """

    def __init__(self, recipe: R, samples: Samples, new: Callable[[], Any] | None = None):
        device = samples.kind.device
        self.recipe, self.samples = recipe, samples
        self.batch = min(recipe.batch, len(samples))
        if new is None:
            assert isinstance(recipe, ClassifierRecipe)
            new = partial(first_network, recipe)
        self._new = new
        net = self._new().to(device).train()
        if recipe.dropout:
            net.set_dropout(recipe.dropout)
        self.trainer = Trainer(net, recipe)
        self.average = self.trainer.average.eval()
        self.trainer.record(self._errors, samples.rows, self.batch, is_random=recipe.dropout > 0)
        self.restart()

    def restart(self) -> None:
        """Forget everything; the first weights, and what is dropped out, follow from the recipe."""
        torch.manual_seed(self.recipe.seed)
        self.trainer.restart(nn.ModuleList([self._new()]).state_dict())

    def _errors(self, net: nn.Module, *rows: Tensor) -> Parts:
        *given, choice = rows
        device = choice.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits = self.samples.logits(net, *given)
        return {"error": F.cross_entropy(logits, choice, reduction="none")}


def first_network(recipe: ClassifierRecipe) -> Any:
    """The network before any sample is seen; fresh weights follow from PyTorch's own generator."""
    encoding = recipe.encoding
    reader = READERS[encoding.PLAYED_BY](encoding, find_spec(recipe.game), "cpu")
    if not recipe.start:
        return reader.new(recipe.shape, 1)
    folder = start_folder(recipe)
    version = read_card(folder).encoding_version
    if version != encoding.ENCODING_VERSION:
        raise ValueError(
            f"{recipe.start} is of encoding version {version}; this fuda has {encoding.ENCODING_VERSION}"
        )
    net: Any = reader.stored(folder, 0)
    if net.value.out_features != 1:  # it tells outcomes: what it says of an action is learned anew
        net.value = nn.Linear(net.value.in_features, 1)
        return net
    with torch.no_grad():
        net.value.weight.mul_(recipe.start_scale)
        net.value.bias.mul_(recipe.start_scale)
    return net


def start_folder(recipe: ClassifierRecipe) -> Path:
    """The folder of the model that the recipe starts from."""
    folders = model_folders(recipe.game)
    if recipe.start not in folders:
        raise ValueError(f"{recipe.game} has no model {recipe.start}; there are {', '.join(sorted(folders))}")
    return folders[recipe.start]


def fit(
    learner: Classifier[ClassifierRecipe], index: Tensor, epochs: int, watched: Tensor | None = None
) -> tuple[Any, np.ndarray]:
    """A network trained from the first weights on the samples `index`, and which `watched` ones it hit.

    The hits are [epochs, number of watched samples, 2]: after each epoch, as in `Samples.hits`.
    """
    learner.restart()
    recipe, batch, samples, device = learner.recipe, learner.batch, learner.samples, index.device
    index = index.repeat(math.ceil(batch / len(index)))  # one batch at least
    rng = torch.Generator(device).manual_seed(recipe.seed)
    watched = index[:0] if watched is None else watched
    curve = torch.zeros(epochs, len(watched), 2, dtype=torch.bool, device=device)
    for epoch in range(epochs):
        shuffled = index[torch.randperm(len(index), generator=rng, device=device)]
        num_equal = samples.num_equal if recipe.symmetries else 1
        equal = torch.randint(num_equal, (len(index),), generator=rng, device=device)
        numbers = shuffled * samples.num_equal + equal
        for some in numbers.split(batch)[: len(index) // batch]:  # what is left over comes another time
            learner.trainer.step(some, 0.0)
        if len(watched):
            curve[epoch] = samples.hits(learner.average, watched)
    return copy.deepcopy(learner.average), curve.cpu().numpy()


def fit_all(recipe: ClassifierRecipe, samples: Samples) -> dict[str, Any]:
    """The recipe's networks, each trained on all samples of its kinds for its epochs."""
    learner = Classifier(recipe, samples)
    return {
        name: fit(learner, of_kinds(samples, kinds), epochs)[0]
        for (name, kinds), epochs in zip(recipe.networks.items(), recipe.epochs, strict=True)
    }


def of_kinds(samples: Samples, kinds: Sequence[int], matches: Tensor | None = None) -> Tensor:
    """The numbers of the samples of some kinds, of the matches that are true in `matches` [M]."""
    wanted = torch.isin(samples.kind, torch.tensor(kinds, device=samples.kind.device))
    if matches is not None:
        wanted = wanted & matches[samples.match]
    return wanted.nonzero()[:, 0]


def export(
    folder: Path,
    recipe: ClassifierRecipe,
    nets: dict[str, Exportable],
    figures: dict[str, Any],
    at: str | None = None,
) -> None:
    """Write the networks as a model folder, made `at` a commit; their values are logits, without a unit."""
    encoding = recipe.encoding
    card = ModelCard(
        recipe.game, find_spec(recipe.game).rules_version,
        encoding.__name__.rpartition(".")[2], encoding.ENCODING_VERSION,
        title="Supervised", line="Plays what a person most likely would.", unit=None, scale=1.0,
        made={"recipe": asdict(recipe)} | figures | origin(at),
    )  # fmt: skip
    made = recipe.networks
    kinds = {name: [encoding.DECISION_KINDS[kind] for kind in made[name]] for name in nets}
    write_model(folder, card, [(net, kinds[name]) for name, net in nets.items()])
