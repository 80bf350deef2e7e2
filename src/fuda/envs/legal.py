"""The legal actions of many positions, as one flat list with starts."""

from typing import NamedTuple

import numpy as np


class Legal(NamedTuple):
    """Those of environment b are ids[starts[b] : starts[b + 1]], in rising order."""

    ids: np.ndarray  # [M]
    starts: np.ndarray  # [B + 1] int64

    @property
    def counts(self) -> np.ndarray:
        """How many each environment has [B]."""
        return np.diff(self.starts)

    def row(self, env: int) -> np.ndarray:
        """Those of one environment."""
        return np.asarray(self.ids[self.starts[env] : self.starts[env + 1]])

    def mask(self, num_actions: int) -> np.ndarray:
        """The same as yes or no, [B, num_actions]."""
        counts = self.counts
        mask = np.zeros((len(counts), num_actions), bool)
        mask[np.repeat(np.arange(len(counts)), counts), self.ids] = True
        return mask

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """One of each environment's actions [B], all equally likely."""
        places = self.starts[:-1] + (rng.random(len(self.starts) - 1) * self.counts).astype(np.int64)
        return np.asarray(self.ids[places])
