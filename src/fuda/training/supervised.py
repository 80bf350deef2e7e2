"""Learning from played matches: which of the legal actions did the player choose?

One network for each kind of decision, as in the Koi-Koi paper, or a single one for all. Only legal
actions are read, so the cross-entropy never sees any other. All samples stay on the device.

B samples of a batch, T tokens, R place rows, P progress rows, A the most legal actions.
"""

import copy
import importlib
import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from safetensors.torch import load_file, save_file
from torch import Tensor

from fuda.agents.network import NetworkAgent
from fuda.core.provenance import commit, machine, versions
from fuda.games import spec as find_spec
from fuda.nets.token_transformer import Shape, TokenTransformer
from fuda.training.device import Replayed
from fuda.training.learner import new_network
from fuda.training.samples import Samples
from fuda.training.torch_agent import torch_agent

EVALUATE_BATCH = 4096
TIE = 1e-4  # logits this near are equal: two cards that a network cannot tell apart
RUN = "run.json"


@dataclass(frozen=True)
class SupervisedRecipe:
    """A classifier of the players' choices for each kind of decision."""

    game: str
    shape: Shape = field(default_factory=Shape)
    shared: bool = False  # one network for all kinds of decisions instead of one for each
    epochs: tuple[int, ...] = (12, 60, 60)  # for each network, where nothing is held out
    max_epochs: tuple[int, ...] = (24, 80, 80)  # the same, where their number is chosen afterwards
    batch: int = 128
    learning_rate: float = 3e-4  # after the warm-up it stays, so that a run may end after any epoch
    warmup_steps: int = 100
    weight_decay: float = 0.05
    gain: float = 2.5  # of the first weights of inputs and attention: without it a long plateau
    dropout: float = 0.2  # after each layer's residual part; the network itself has none
    average: float = 0.99  # of the weights, from step to step: what is tested and kept
    symmetries: bool = True  # each sample is seen as one of its equals, another in each epoch
    seed: int = 1

    @property
    def encoding(self) -> ModuleType:
        """The encoding of the recipe's game."""
        return importlib.import_module(f"fuda.games.{self.game}.encoding")

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
        self.net = new_network(recipe.shape, recipe.encoding).to(device)
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
        """Forget everything; the first weights, and what is dropped out, follow from the seed."""
        torch.manual_seed(self.recipe.seed)
        fresh = new_network(self.recipe.shape, self.recipe.encoding)
        fresh.enlarge(self.recipe.gain)
        for net in (self.net, self.average):
            net.load_state_dict(fresh.state_dict())
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

    Cards that the network cannot tell apart have equal logits; then the first is its choice.
    """
    found = []
    for part in index.split(EVALUATE_BATCH):
        plain = torch.arange(len(net.attributes), device=part.device).expand(len(part), -1)
        logits = legal_logits(net, samples, part, plain)
        best = logits > logits.max(dim=1, keepdim=True).values - TIE
        choice = samples.choice[part]
        exact = best.to(torch.uint8).argmax(dim=1) == choice
        found.append(torch.stack([exact, best.gather(1, choice[:, None])[:, 0]], dim=1))
    return torch.cat(found)


def fit(
    learner: Classifier, index: Tensor, epochs: int, watched: Sequence[Tensor] = ()
) -> tuple[TokenTransformer, np.ndarray]:
    """A network trained from nothing on the samples `index`, and how many `watched` samples it hit.

    The hits are [epochs, number of watched sets, 2]: after each epoch, as in `hits`.
    """
    learner.restart()
    recipe, batch, device = learner.recipe, learner.batch, index.device
    index = index.repeat(math.ceil(batch / len(index)))  # one batch at least
    luck = torch.Generator(device).manual_seed(recipe.seed)
    num_equal = len(recipe.encoding.SYMMETRIES) if recipe.symmetries else 1
    curve = torch.zeros(epochs, len(watched), 2, dtype=torch.int64, device=device)
    for epoch in range(epochs):
        shuffled = index[torch.randperm(len(index), generator=luck, device=device)]
        equal = torch.randint(num_equal, (len(index),), generator=luck, device=device)
        for first in range(0, len(index) - batch + 1, batch):  # what is left over comes another time
            part = slice(first, first + batch)
            learner.step(shuffled[part], equal[part])
        for number, some in enumerate(watched):
            curve[epoch, number] = hits(learner.average, learner.samples, some).sum(dim=0)
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
    num_samples: np.ndarray  # [F, K]
    chosen: np.ndarray  # [F] the number of epochs, chosen without the fold
    curves: np.ndarray  # [F, E, K, 2] hits in the fold after each epoch of training on the others

    @property
    def hits(self) -> np.ndarray:
        """Hits [F, K, 2] after the chosen number of epochs."""
        return np.stack([curve[epochs - 1] for curve, epochs in zip(self.curves, self.chosen, strict=True)])

    @property
    def best_hits(self) -> np.ndarray:
        """Hits [F, K, 2] after the best epoch on the fold itself: this flatters."""
        return np.stack([curve[_best(curve) - 1] for curve in self.curves])

    @property
    def epochs(self) -> int:
        """The best number of epochs over all folds: for training on everything."""
        return _best(self.curves.sum(axis=0))


def _best(curve: np.ndarray) -> int:
    """The number of epochs with the most hits of the very card; `curve` is [E, K, 2]."""
    return int(curve[:, :, 0].sum(axis=1).argmax()) + 1


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
    folds = folds_of(int(samples.match.max()) + 1, num_folds, recipe.seed).to(samples.match.device)
    tests = [[_where(samples, [kind], folds == fold) for kind in kinds] for fold in range(num_folds)]
    inner = np.zeros((num_folds, epochs, len(kinds), 2), np.int64)
    for one, other in itertools.combinations(range(num_folds), 2):
        index = _where(samples, kinds, (folds != one) & (folds != other))
        _, curve = fit(learner, index, epochs, tests[one] + tests[other])
        inner[other] += curve[:, : len(kinds)]  # hits in fold `one`
        inner[one] += curve[:, len(kinds) :]
        report(f"without folds {one} and {other}")
    curves = []
    for fold in range(num_folds):
        index = _where(samples, kinds, folds != fold)
        curves.append(fit(learner, index, epochs, tests[fold])[1])
        report(f"without fold {fold}")
    return CrossValidation(
        kinds,
        num_samples=np.array([[len(index) for index in row] for row in tests]),
        chosen=np.array([_best(curve) for curve in inner]),
        curves=np.stack(curves),
    )


def save(
    folder: Path, recipe: SupervisedRecipe, nets: dict[str, TokenTransformer], figures: dict[str, Any]
) -> None:
    """Write each network's weights and what is needed to use them, with their origin."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = recipe.encoding.DECISION_KINDS
    for name, net in nets.items():
        save_file({key: value.contiguous().cpu() for key, value in net.state_dict().items()},
                  folder / f"{name}.safetensors")  # fmt: skip
    described = {
        "kind": "supervised",
        "game": recipe.game,
        "rules_version": find_spec(recipe.game).rules_version,
        "encoding_version": recipe.encoding.ENCODING_VERSION,
        "shape": asdict(recipe.shape),
        "networks": {
            f"{name}.safetensors": [kinds[kind] for kind in made] for name, made in recipe.networks.items()
        },
        "recipe": asdict(recipe),
    }
    (folder / RUN).write_text(json.dumps(described | figures | origin(), indent=1) + "\n")


def origin() -> dict[str, Any]:
    """Where figures of this run come from."""
    where = machine()
    if torch.cuda.is_available():
        where["gpu"] = torch.cuda.get_device_name()
    return {"commit": commit(), "versions": versions() | {"torch": torch.__version__}, "machine": where}


def load(folder: Path, device: torch.device) -> tuple[SupervisedRecipe, dict[str, TokenTransformer]]:
    """What `save` wrote; a folder of other rules or another encoding is refused."""
    told = json.loads((folder / RUN).read_text())
    stored = told["recipe"]
    recipe = SupervisedRecipe(
        **stored
        | {"shape": Shape(**stored["shape"])}
        | {name: tuple(stored[name]) for name in ("epochs", "max_epochs")}
    )
    now = (find_spec(recipe.game).rules_version, recipe.encoding.ENCODING_VERSION)
    then = (told["rules_version"], told["encoding_version"])
    if then != now:
        raise ValueError(f"{folder} is of rules and encoding versions {then}; this fuda has {now}")
    nets = {}
    for name in recipe.networks:
        net = new_network(recipe.shape, recipe.encoding)
        net.load_state_dict(load_file(folder / f"{name}.safetensors"))
        nets[name] = net.to(device).requires_grad_(False).eval()
    return recipe, nets


def player(name: str, recipe: SupervisedRecipe, nets: dict[str, TokenTransformer]) -> NetworkAgent:
    """An agent that plays what its networks hold most likely for a player of the samples."""
    made = list(recipe.networks.values())
    kinds = range(len(recipe.encoding.DECISION_KINDS))
    owners = [next(number for number, some in enumerate(made) if kind in some) for kind in kinds]
    return torch_agent(list(nets.values()), owners, recipe.game, recipe.encoding, None, name=name)


PAPER = SupervisedRecipe("koikoi")
SHARED = replace(PAPER, shared=True, epochs=(12,), max_epochs=(24,))
