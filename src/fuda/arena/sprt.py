"""The sequential probability ratio test: play until two hypotheses about the strength can be told apart.

Strengths are in normalized Elo, as in fastchess and fishtest: 800 / ln 10 times the lead over one half in
games won, in standard deviations of a single game. A lead of 5 takes as many games to be seen in any game,
however much cards or draws decide there.

The unit is the deal, played in every seating: its games are not independent, so their spread is that of their
mean. The ratio is that of a normal model whose spread is fitted under each hypothesis, which stays finite
when all deals are won, lost or drawn. N deals, mean m above one half.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fuda.core.errors import echo

NORMALIZED_ELO = 800 / math.log(10)


@dataclass(frozen=True)
class Sprt:
    """What is tested: `elo0` or less against `elo1` or more, in normalized Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often `elo1` is taken where `elo0` is true
    beta: float = 0.05  # how often `elo0` is taken where `elo1` is true

    def __post_init__(self) -> None:
        """The numbers make a test, or a `ValueError` says why not."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                f"a sequential test needs two strengths in rising order, not {echo((self.elo0, self.elo1))}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                "the error rates of a sequential test are above 0 and less than 1 together, "
                f"not {echo((self.alpha, self.beta))}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends: at the lower bound `elo0` is taken, at the upper `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratios(self, margins: np.ndarray) -> np.ndarray:
        """The log likelihood ratio after each of the deals [N], by margins [N, number of seatings]."""
        points = np.sign(margins).mean(axis=1) / 2  # above one half
        counts = np.arange(1, len(points) + 1)
        means, squares = np.cumsum(points) / counts, np.cumsum(points**2) / counts
        leads = [elo * math.sqrt(margins.shape[1]) / NORMALIZED_ELO for elo in (self.elo0, self.elo1)]
        under = [_likelihoods(means, squares, lead) for lead in leads]
        return np.asarray(counts * (under[1] - under[0]))

    def verdict(self, margins: np.ndarray) -> "Verdict":
        """What the deals so far say. The first that reaches a bound ends the test."""
        lower, upper = self.bounds
        ratios = self.ratios(margins)
        reached = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        deals = int(reached[0]) + 1 if len(reached) else len(ratios)
        ratio = float(ratios[deals - 1]) if deals else 0.0
        accepted = (self.elo1 if ratio >= upper else self.elo0) if len(reached) else None
        return Verdict(self.elo0, self.elo1, self.alpha, self.beta, ratio, deals, accepted)


@dataclass(frozen=True)
class Verdict(Sprt):
    """How a test has ended, or stands."""

    ratio: float = 0.0  # the log likelihood ratio
    deals: int = 0
    accepted: float | None = None  # the strength that was taken; None: neither, within the longest length

    @property
    def stopped_early(self) -> bool:
        """Whether a bound was reached: then the estimate leans towards what ended the test."""
        return self.accepted is not None

    def __str__(self) -> str:
        lower, upper = self.bounds
        said = (
            f"ratio {self.ratio:.2f} of {lower:.2f} to {upper:.2f}, errors {self.alpha:g} and {self.beta:g}"
        )
        if self.accepted is None:
            return f"undecided between {self.elo0:+g} and {self.elo1:+g} normalized Elo ({said})"
        likely = "or more" if self.accepted == self.elo1 else "or less"
        return f"stopped early at {self.accepted:+g} normalized Elo {likely} ({said})"

    def as_dict(self) -> dict[str, Any]:
        """For JSON, with the unit."""
        return asdict(self) | {"unit": "normalized Elo", "stopped_early": self.stopped_early}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "Verdict":
        """What `as_dict` wrote."""
        return cls(**{key: stored[key] for key in cls.__dataclass_fields__})


def _likelihoods(means: np.ndarray, squares: np.ndarray, lead: float) -> np.ndarray:
    """Log likelihood a deal where the mean is `lead` spreads, at the spread that fits best.

    With u = 1 / spread it is log u - squares u² / 2 + lead means u - lead² / 2.
    """
    safe = np.where(squares > 0, squares, 1.0)
    root = np.sqrt((lead * means) ** 2 + 4 * safe)
    u = (lead * means + root) / (2 * safe)
    found = np.log(u) - safe * u**2 / 2 + lead * means * u - lead**2 / 2
    # Where all deals are even the spread goes to 0, alike under both hypotheses.
    return np.asarray(np.where(squares > 0, found, -(lead**2) / 2))
