"""The outcome of a duel, with errors over deals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fuda.arena.sprt import Sprt, Verdict

NORMAL_95 = 1.959964  # standard errors on each side that hold 95%
FEW = 10  # of games won, or not won: with fewer the error is no ± any more


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
    win_rate_interval: tuple[float, float]  # that holds 95%, near 0 and 1 too (Wilson)
    sprt: Verdict | None = None  # how the sequential test ended, if there was one
    # Of bots that failed or resigned, by agent: in how many matches, by the verdict's name.
    verdicts: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def win_rate_text(self) -> str:
        """Games won, with the error if it is known, and near 0 and 1 with the interval that holds 95%."""
        if self.games * min(self.win_rate, 1 - self.win_rate) < FEW:
            low, high = self.win_rate_interval
            return f"{self.win_rate:.1%} (95%: {low:.1%} to {high:.1%})"
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
    def from_margins(
        cls, margins: np.ndarray, roles: Sequence[str] = (), sprt: Sprt | None = None
    ) -> "Result":
        """The statistics of margins [D, number of seatings]: above 0 is a win.

        A sequential test ends them at the deal that decides it.
        """
        if sprt is not None:
            verdict = sprt.verdict(margins)
            return replace(cls.from_margins(margins[: verdict.deals], roles), sprt=verdict)
        points = (np.sign(margins) + 1) / 2
        win_rate, error = float(points.mean()), _stderr(points.mean(axis=1))
        return cls(
            wins=int((margins > 0).sum()),
            draws=int((margins == 0).sum()),
            losses=int((margins < 0).sum()),
            win_rate=win_rate,
            win_rate_stderr=error,
            mean_diff=float(margins.mean()),
            stderr=_stderr(margins.mean(axis=1)),
            games=margins.size,
            roles={role: cls.from_margins(margins[:, [number]]) for number, role in enumerate(roles)},
            win_rate_interval=wilson(win_rate, error, len(margins)),
        )

    @classmethod
    def from_dict(cls, stored: dict[str, Any], num_seatings: int | None = None) -> "Result":
        """What `as_dict` wrote. How many seatings a deal was played in is for results without intervals."""
        values: dict[str, Any] = {key: math.nan if value is None else value for key, value in stored.items()}
        values["roles"] = {role: cls.from_dict(part, 1) for role, part in stored.get("roles", {}).items()}
        if "win_rate_interval" not in stored:  # stored before there were any
            if num_seatings is None:
                raise ValueError("a result without an interval needs the number of seatings of a deal")
            deals = values["games"] // num_seatings
            values["win_rate_interval"] = wilson(values["win_rate"], values["win_rate_stderr"], deals)
        values["win_rate_interval"] = tuple(values["win_rate_interval"])
        if "sprt" in stored:
            values["sprt"] = Verdict.from_dict(stored["sprt"])
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no nan: an unknown error is null."""
        values: dict[str, Any] = {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in vars(self).items()
            if key not in ("roles", "win_rate_interval", "sprt", "verdicts")
        }
        values["win_rate_interval"] = list(self.win_rate_interval)
        if self.sprt is not None:
            values["sprt"] = self.sprt.as_dict()
        if self.roles:
            values["roles"] = {role: part.as_dict() for role, part in self.roles.items()}
        if self.verdicts:
            values["verdicts"] = self.verdicts
        return values


def wilson(rate: float, stderr: float, deals: int) -> tuple[float, float]:
    """The interval that holds 95%, honest where nearly all or nearly no games were won.

    As many independent games as have this error count; where it says nothing, each deal is one.
    """
    count = rate * (1 - rate) / stderr**2 if stderr > 0 else deals
    share = NORMAL_95**2 / count
    middle = (rate + share / 2) / (1 + share)
    half = math.sqrt(rate * (1 - rate) * share + share**2 / 4) / (1 + share)
    return max(0.0, middle - half), min(1.0, middle + half)


def _stderr(per_deal: np.ndarray) -> float:
    if len(per_deal) < 2:
        return math.nan
    return float(per_deal.std(ddof=1) / math.sqrt(len(per_deal)))
