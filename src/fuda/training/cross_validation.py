"""How well choices are predicted in matches that were not learned from.

F folds, M matches, E epochs, K kinds of decisions.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from fuda.training.classifier import Classifier, ClassifierRecipe, fit, of_kinds


@dataclass(frozen=True)
class CrossValidation:
    """How one network's kinds of decisions were predicted in matches it had not seen.

    Hits are counted as in `Samples.hits`: the very card; it or an equal one.
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
    learner: Classifier[ClassifierRecipe],
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
        watched = of_kinds(samples, kinds, tested)
        _, found = fit(learner, of_kinds(samples, kinds, ~tested), epochs, watched)
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
                np.bincount(samples.match[of_kinds(samples, [kind])].cpu().numpy(), minlength=num_matches)
                for kind in kinds
            ],
            axis=1,
        ),
        chosen=np.array([_best(curve) for curve in inner]),
        curves=curves,
    )
