"""The outcome of a duel, with errors over deals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Result:
    """A duel from the first agent's side. Errors are standard errors over whole deals.

    A deal is played in every seating and counts once: the games on it are not independent.
    With a single deal the errors are not known (nan).
    """

    wins: int
    draws: int
    losses: int
    win_rate: float  # a draw is one half
    win_rate_stderr: float
    mean_diff: float  # the game's own unit, per game
    stderr: float  # of mean_diff
    games: int
    roles: "dict[str, Result]"  # the same for each seating alone, by the first agent's role in it

    @property
    def win_rate_text(self) -> str:
        """Games won, with the error if it is known."""
        error = "" if math.isnan(self.win_rate_stderr) else f" ± {self.win_rate_stderr:.1%}"
        return f"{self.win_rate:.1%}{error}"

    @property
    def points_text(self) -> str:
        """Points a game, with the error if it is known."""
        error = "" if math.isnan(self.stderr) else f" ± {self.stderr:.2f}"
        return f"{self.mean_diff:+.2f}{error}"

    def __str__(self) -> str:
        return (
            f"{self.win_rate_text} of {self.games} games won, {self.points_text} points a game "
            f"({self.wins} won, {self.draws} drawn, {self.losses} lost)"
        )

    @classmethod
    def from_margins(cls, margins: np.ndarray, roles: Sequence[str] = ()) -> "Result":
        """The statistics of margins [D, number of seatings]: above 0 is a win."""
        points = (np.sign(margins) + 1) / 2
        return cls(
            wins=int((margins > 0).sum()),
            draws=int((margins == 0).sum()),
            losses=int((margins < 0).sum()),
            win_rate=float(points.mean()),
            win_rate_stderr=_stderr(points.mean(axis=1)),
            mean_diff=float(margins.mean()),
            stderr=_stderr(margins.mean(axis=1)),
            games=margins.size,
            roles={role: cls.from_margins(margins[:, [number]]) for number, role in enumerate(roles)},
        )

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "Result":
        """What `as_dict` wrote."""
        values: dict[str, Any] = {key: math.nan if value is None else value for key, value in stored.items()}
        values["roles"] = {role: cls.from_dict(part) for role, part in stored.get("roles", {}).items()}
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no nan: an unknown error is null."""
        values: dict[str, Any] = {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in vars(self).items()
            if key != "roles"
        }
        if self.roles:
            values["roles"] = {role: part.as_dict() for role, part in self.roles.items()}
        return values


def _stderr(per_deal: np.ndarray) -> float:
    if len(per_deal) < 2:
        return math.nan
    return float(per_deal.std(ddof=1) / math.sqrt(len(per_deal)))
