"""Learning from played matches: which of the legal actions did the player choose?

One network for each kind of decision, as in the Koi-Koi paper, or a single one for all; from fresh
weights, or from those of a model that learned by self-play. Only legal actions are read, so the
cross-entropy never sees any other. All samples stay on the device.

B samples of a batch, T tokens, R place rows, P progress rows, A the most legal actions, M matches.
"""

import copy
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from fuda.agents.model import model_folders
from fuda.games import part
from fuda.games import spec as find_spec
from fuda.nets.export import read_network, write_model
from fuda.nets.folder import ModelCard, read_card
from fuda.nets.token_transformer import TokenShape, TokenTransformer
from fuda.training.device import Replayed, origin
from fuda.training.learner import new_network
from fuda.training.samples import Samples

EVALUATE_BATCH = 4096
TIE = 1e-4  # logits this near are equal: two cards that a network cannot tell apart


@dataclass(frozen=True)
class SupervisedRecipe:
    """A classifier of the players' choices for each kind of decision."""

    game: str
    shape: TokenShape = field(default_factory=partial(TokenShape, contrast=True))
    shared: bool = False  # one network for all kinds of decisions instead of one for each
    start: str = ""  # a shipped model, whose shape and weights are the first ones; else they are fresh
    start_scale: float = 30.0  # what its values are multiplied by, to be the first logits
    epochs: tuple[int, ...] = (8, 20, 20)  # for each network, where nothing is held out
    max_epochs: tuple[int, ...] = (12, 30, 30)  # the same, where their number is chosen afterwards
    batch: int = 128
    learning_rate: float = 3e-4  # after the warm-up it stays, so that a run may end after any epoch
    warmup_steps: int = 100
    weight_decay: float = 0.05
    dropout: float = 0.1  # after each layer's residual part; the network itself has none
    average: float = 0.99  # of the weights, from step to step: what is tested and kept
    symmetries: bool = True  # each sample is seen as one of its equals, another in each epoch
    seed: int = 1

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


class Classifier:
    """A network that learns the choices among samples, and the average of its weights.

    It is made once for many runs: on a GPU its step is recorded, and `restart` keeps the recording.
    """

    def __init__(self, recipe: SupervisedRecipe, samples: Samples):
        device = samples.kind.device
        self.recipe = recipe
        self.samples = samples
        self.batch = min(recipe.batch, len(samples))
        self.net = first_network(recipe).to(device).train()
        self.net.set_dropout(recipe.dropout)
        self.average = copy.deepcopy(self.net).requires_grad_(False).eval()
        self._averages: list[Tensor] = list(self.average.parameters())
        self._weights: list[Tensor] = [weights.detach() for weights in self.net.parameters()]
        self._orders = torch.from_numpy(recipe.encoding.SYMMETRIES).to(device)
        self._learning_rate = torch.tensor(0.0, device=device)
        on_gpu = device.type == "cuda"
        self._optimizer = torch.optim.AdamW(
            self.net.parameters(), self._learning_rate, weight_decay=recipe.weight_decay,
            capturable=on_gpu, fused=on_gpu or None,
        )  # fmt: skip
        index = torch.zeros(self.batch, dtype=torch.int64, device=device)
        self._step = Replayed(self._train, [index, torch.zeros_like(index)])
        self.restart()

    def restart(self) -> None:
        """Forget everything; the first weights, and what is dropped out, follow from the recipe."""
        torch.manual_seed(self.recipe.seed)
        first = first_network(self.recipe).state_dict()
        for net in (self.net, self.average):
            net.load_state_dict(first)
        for state in self._optimizer.state.values():
            for value in state.values():
                value.zero_()
        self.num_steps = 0

    def step(self, index: Tensor, equal: Tensor) -> Tensor:
        """Learn from the samples `index` [B], each seen as its equal number `equal` [B]; the loss."""
        recipe = self.recipe
        self.num_steps += 1
        self._learning_rate.fill_(recipe.learning_rate * min(1.0, self.num_steps / recipe.warmup_steps))
        for room, fresh in zip(self._step.inputs, (index, equal), strict=True):
            room.copy_(fresh)
        loss = self._step()[0]
        # While there are few steps the average is of the later half of them.
        weight = max(1 - recipe.average, 2 / (self.num_steps + 1))
        torch._foreach_lerp_(self._averages, self._weights, weight)
        return loss

    def _train(self, index: Tensor, equal: Tensor) -> tuple[Tensor]:
        self._optimizer.zero_grad(set_to_none=True)
        device = index.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits = legal_logits(self.net, self.samples, index, self._orders[equal])
        loss = F.cross_entropy(logits, self.samples.choice[index])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimizer.step()
        return (loss.detach(),)


def first_network(recipe: SupervisedRecipe) -> TokenTransformer:
    """The network before any sample is seen; fresh weights follow from PyTorch's own generator."""
    encoding = recipe.encoding
    if not recipe.start:
        return new_network(recipe.shape, encoding)
    folder = start_folder(recipe)
    version = read_card(folder).encoding_version
    if version != encoding.ENCODING_VERSION:
        raise ValueError(
            f"{recipe.start} is of encoding version {version}; this fuda has {encoding.ENCODING_VERSION}"
        )
    attributes, scales = (torch.from_numpy(rows) for rows in (encoding.ATTRIBUTES, encoding.PROGRESS_SCALES))
    net = read_network(folder, attributes, scales)
    if net.value.out_features != 1:  # it tells outcomes: what it says of an action is learned anew
        net.value = torch.nn.Linear(net.value.in_features, 1)
        return net
    with torch.no_grad():
        net.value.weight.mul_(recipe.start_scale)
        net.value.bias.mul_(recipe.start_scale)
    return net


def start_folder(recipe: SupervisedRecipe) -> Path:
    """The folder of the model that the recipe starts from."""
    folders = model_folders(recipe.game)
    if recipe.start not in folders:
        raise ValueError(f"{recipe.game} has no model {recipe.start}; there are {', '.join(sorted(folders))}")
    return folders[recipe.start]


def legal_logits(net: TokenTransformer, samples: Samples, index: Tensor, orders: Tensor) -> Tensor:
    """Logits [B, A] of the legal actions of the samples `index` [B], others minus infinity.

    `orders` [B, T] says for each token whose place it takes: one of the encoding's symmetries. The
    tokens move and the actions with them, so the order of the legal actions stays.
    """
    shifts = orders.clamp(max=62)  # tokens beyond the cards get zeros, as in `unpack`
    bits = (samples.places[index][:, None, :] >> shifts[:, :, None]) & 1
    legal = orders.gather(1, samples.legal[index])
    found = net(bits.to(net.value.weight.dtype), samples.progress[index].float(), legal)[:, :, 0]
    beyond = torch.arange(legal.shape[1], device=legal.device) >= samples.num_legal[index][:, None]
    return found.float().masked_fill(beyond, -math.inf)


@torch.no_grad()
def hits(net: TokenTransformer, samples: Samples, index: Tensor) -> Tensor:
    """Whether the network's first choice is the player's, [B, 2] bool: the very card; it or an equal one.

    Equal cards, such as the two plain cards of a month, have the same attributes: the Koi-Koi paper's
    own program counts either as right. Logits of equal cards often tie; then the first is the choice.
    """
    found = []
    for some in index.split(EVALUATE_BATCH):
        plain = torch.arange(len(net.attributes), device=some.device).expand(len(some), -1)
        logits = legal_logits(net, samples, some, plain)
        best = (logits > logits.max(dim=1, keepdim=True).values - TIE).to(torch.uint8).argmax(dim=1)
        ours, theirs = (
            net.attributes[samples.legal[some].gather(1, place[:, None])[:, 0]]
            for place in (best, samples.choice[some])
        )
        found.append(torch.stack([best == samples.choice[some], (ours == theirs).all(dim=1)], dim=1))
    return torch.cat(found)


def fit(
    learner: Classifier, index: Tensor, epochs: int, watched: Tensor | None = None
) -> tuple[TokenTransformer, np.ndarray]:
    """A network trained from the first weights on the samples `index`, and which `watched` ones it hit.

    The hits are [epochs, number of watched samples, 2]: after each epoch, as in `hits`.
    """
    learner.restart()
    recipe, batch, device = learner.recipe, learner.batch, index.device
    index = index.repeat(math.ceil(batch / len(index)))  # one batch at least
    luck = torch.Generator(device).manual_seed(recipe.seed)
    num_equal = len(recipe.encoding.SYMMETRIES) if recipe.symmetries else 1
    watched = index[:0] if watched is None else watched
    curve = torch.zeros(epochs, len(watched), 2, dtype=torch.bool, device=device)
    for epoch in range(epochs):
        shuffled = index[torch.randperm(len(index), generator=luck, device=device)]
        equal = torch.randint(num_equal, (len(index),), generator=luck, device=device)
        for first in range(0, len(index) - batch + 1, batch):  # what is left over comes another time
            part = slice(first, first + batch)
            learner.step(shuffled[part], equal[part])
        if len(watched):
            curve[epoch] = hits(learner.average, learner.samples, watched)
    return copy.deepcopy(learner.average), curve.cpu().numpy()


def fit_all(recipe: SupervisedRecipe, samples: Samples) -> dict[str, TokenTransformer]:
    """The recipe's networks, each trained on all samples of its kinds for its epochs."""
    learner = Classifier(recipe, samples)
    return {
        name: fit(learner, _where(samples, kinds), epochs)[0]
        for (name, kinds), epochs in zip(recipe.networks.items(), recipe.epochs, strict=True)
    }


def _where(samples: Samples, kinds: Sequence[int], matches: Tensor | None = None) -> Tensor:
    """The numbers of the samples of some kinds, of the matches that are true in `matches` [M]."""
    wanted = torch.isin(samples.kind, torch.tensor(kinds, device=samples.kind.device))
    if matches is not None:
        wanted = wanted & matches[samples.match]
    return wanted.nonzero()[:, 0]


@dataclass(frozen=True)
class CrossValidation:
    """How one network's kinds of decisions were predicted in matches it had not seen.

    F folds, E epochs, K kinds. Hits are counted as in `hits`: the very card; it or an equal one.
    """

    kinds: tuple[int, ...]
    folds: np.ndarray  # [M] the fold of each match
    num_samples: np.ndarray  # [M, K]
    chosen: np.ndarray  # [F] the number of epochs, chosen without the fold
    curves: np.ndarray  # [E, M, K, 2] hits in the match after each epoch of training on the other folds

    @property
    def hits(self) -> np.ndarray:
        """Hits [M, K, 2] after the chosen number of epochs."""
        return self._after(self.chosen)

    @property
    def best_hits(self) -> np.ndarray:
        """Hits [M, K, 2] after the best epoch on the fold itself: this flatters."""
        folds = range(len(self.chosen))
        return self._after(np.array([_best(self.curves[:, self.folds == fold]) for fold in folds]))

    @property
    def epochs(self) -> int:
        """The best number of epochs over all folds: for training on everything."""
        return _best(self.curves)

    def _after(self, epochs: np.ndarray) -> np.ndarray:
        """Hits after a number of epochs for each fold [F]."""
        return self.curves[epochs[self.folds] - 1, np.arange(len(self.folds))]


def _best(curves: np.ndarray) -> int:
    """The number of epochs with the most hits, equal cards counted; `curves` is [E, M, K, 2]."""
    return int(curves[..., 1].sum(axis=(1, 2)).argmax()) + 1


def folds_of(num_matches: int, num_folds: int, seed: int) -> Tensor:
    """The fold of each match: sizes differ by one at most."""
    order = torch.randperm(num_matches, generator=torch.Generator().manual_seed(seed))
    folds = torch.empty(num_matches, dtype=torch.int64)
    folds[order] = torch.arange(num_matches) % num_folds
    return folds


def cross_validate(
    learner: Classifier,
    name: str,
    num_folds: int = 5,
    report: Callable[[str], None] = lambda line: None,
) -> CrossValidation:
    """Predict each fold of matches by the network `name`, trained on the others.

    Nothing is chosen on the fold itself. Its number of epochs is chosen by leaving out, in turn, one
    more fold: a network that saw neither of two folds serves the choice for both.
    """
    if num_folds < 3:
        raise ValueError(f"there must be at least 3 folds, not {num_folds}")
    recipe, samples = learner.recipe, learner.samples
    kinds = recipe.networks[name]
    epochs = recipe.max_epochs[list(recipe.networks).index(name)]
    num_matches = int(samples.match.max()) + 1
    folds = folds_of(num_matches, num_folds, recipe.seed).to(samples.match.device)

    def curves_of(tested: Tensor) -> np.ndarray:
        """Hits [E, M, K, 2] in the matches `tested` [M] of a network that learned from all others."""
        watched = _where(samples, kinds, tested)
        _, found = fit(learner, _where(samples, kinds, ~tested), epochs, watched)
        curves = np.zeros((epochs, num_matches, len(kinds), 2), np.int64)
        match, kind = samples.match[watched].cpu().numpy(), samples.kind[watched].cpu().numpy()
        for place, number in enumerate(kinds):
            mine = kind == number
            np.add.at(curves[:, :, place].swapaxes(0, 1), match[mine], found[:, mine].swapaxes(0, 1))
        return curves

    inner = np.zeros((num_folds, epochs, num_matches, len(kinds), 2), np.int64)
    for one, other in itertools.combinations(range(num_folds), 2):
        found = curves_of((folds == one) | (folds == other))
        for left_out, counted in ((one, other), (other, one)):
            inner[left_out] += found * (folds == counted).cpu().numpy()[:, None, None]
        report(f"without folds {one} and {other}")
    curves = np.zeros_like(inner[0])
    for fold in range(num_folds):
        curves += curves_of(folds == fold)
        report(f"without fold {fold}")
    return CrossValidation(
        kinds,
        folds.cpu().numpy(),
        num_samples=np.stack(
            [
                np.bincount(samples.match[_where(samples, [kind])].cpu().numpy(), minlength=num_matches)
                for kind in kinds
            ],
            axis=1,
        ),
        chosen=np.array([_best(curve) for curve in inner]),
        curves=curves,
    )


def export(
    folder: Path,
    recipe: SupervisedRecipe,
    nets: dict[str, TokenTransformer],
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


PAPER = SupervisedRecipe("koikoi")
SHARED = replace(PAPER, shared=True, epochs=(8,), max_epochs=(12,))
SELF_PLAY = replace(PAPER, start="rl-wp", epochs=(5, 12, 12), max_epochs=(8, 20, 20))
SELF_PLAY_SHARED = replace(SHARED, start="rl-wp", epochs=(5,), max_epochs=(8,))
