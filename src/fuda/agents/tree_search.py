"""Players by tree search over redeals of what they cannot see."""

import dataclasses
import operator
from collections.abc import Mapping
from threading import Timer
from typing import Any

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.settings import SearchSetting
from fuda.core.errors import echo
from fuda.core.game import GameSpec
from fuda.core.threads import each
from fuda.search.uct import searcher

MOST = {"trees": 100_000, "iterations": 10_000_000, "exploration": 1_000_000, "seconds": 1_000_000}
EMPTY: Mapping[str, object] = {}


class TreeSearchAgent(Agent):
    """Plays the action that was visited most, over all trees.

    Parameters are those of the `SearchSetting`, and `seconds`: then a decision ends when that
    time has run out. Without it the same seed always gives the same decision.
    """

    def __init__(
        self, spec: GameSpec, setting: SearchSetting, seed: int = 0, parameters: Mapping[str, object] = EMPTY
    ):
        name = f"{spec.id}/{setting.name}"
        given = {key: _checked(name, spec, key, value) for key, value in sorted(parameters.items())}
        shown = "".join(f",{key}={value}" for key, value in given.items())
        info = AgentInfo(setting.title, setting.line, unit="points", searches=True)
        super().__init__(name + shown, spec, info, seed)
        self.seconds: float | None = given.pop("seconds", None)
        self.setting = dataclasses.replace(setting, **given)
        self._grow = searcher(spec, self.setting.rollout)

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The most visited action [K] of each view."""
        legal = self.spec.kernels.legal_lists(views)
        best = each(lambda k: self._best(views, k, int(seats[k]), rngs[k : k + 1], legal.row(k)), len(views))
        return np.array(best, np.int64)

    def evaluate(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> list[dict[int, float]]:
        """The mean payoff after each legal action that was tried, in points."""
        values: list[dict[int, float]] = []
        lists = self.spec.kernels.legal_lists(views)
        for k in range(len(views)):
            if self._bids(views, k):
                values.append({})  # a bid is not searched
                continue
            legal = lists.row(k)
            visits, totals = self._search(views, k, int(seats[k]), rngs[k : k + 1], len(legal))
            tried = np.flatnonzero(visits)
            means = totals[tried] / visits[tried]
            values.append(dict(zip(legal[tried].tolist(), means.tolist(), strict=True)))
        return values

    def _best(self, views: np.recarray, k: int, seat: int, rng: np.ndarray, legal: np.ndarray) -> int:
        if len(legal) == 1:
            return int(legal[0])
        if self._bids(views, k):
            return int(self.spec.policy(self.spec.fallback).choose(views[k], seat, rng))
        visits, totals = self._search(views, k, seat, rng, len(legal))
        # Equal visits are common in short searches: the better mean decides.
        return int(legal[np.lexsort((totals / np.maximum(visits, 1), visits))[-1]])

    def _search(
        self, views: np.recarray, k: int, seat: int, rng: np.ndarray, num_legal: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Visits and summed outcomes of the legal actions, in their order."""
        setting = self.setting
        visits, totals = np.zeros(num_legal, np.int64), np.zeros(num_legal)
        trees, iterations = setting.trees, setting.iterations
        if setting.information_set:
            trees, iterations = 1, trees * iterations
        scratch = self.spec.new_states(3)
        stop = np.zeros(1, np.uint8)  # compiled code has no clock: another thread tells it to end
        timer = None if self.seconds is None else Timer(self.seconds, lambda: stop.fill(1))
        if timer is not None:
            timer.daemon = True
            timer.start()
        for _ in range(trees):
            self._grow(
                views, k, seat, rng, iterations, setting.exploration, setting.information_set,
                stop, scratch, visits, totals,
            )  # fmt: skip
            if stop[0]:
                break
        if timer is not None:
            timer.cancel()
        return visits, totals

    def _bids(self, views: np.recarray, k: int) -> bool:
        """Whether this is a bid, which the game's fallback policy makes."""
        return self.spec.is_bidding is not None and bool(self.spec.is_bidding(views[k]))


def _checked(name: str, spec: GameSpec, parameter: str, value: object) -> Any:
    """The parameter's value, or a `ValueError` that says what it may be."""
    match parameter:
        case "trees" | "iterations":
            number = operator.index(value) if isinstance(value, int | np.integer) else 0
            if 1 <= number <= MOST[parameter] and not isinstance(value, bool):
                return number
            allowed = f"a whole number from 1 to {MOST[parameter]:,}"
        case "exploration" | "seconds":
            is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if is_number and 0 < float(value) <= MOST[parameter]:  # type: ignore[arg-type]
                return float(value)  # type: ignore[arg-type]
            allowed = f"a number above 0, up to {MOST[parameter]:,}"
        case "information_set":
            if isinstance(value, bool):
                return value
            allowed = "True or False"
        case "rollout":
            known = ("random", *(policy.name for policy in spec.policies))
            if isinstance(value, str) and value in known:
                return value
            allowed = f"one of {', '.join(known)}"
        case _:
            known = ("trees", "iterations", "exploration", "rollout", "information_set", "seconds")
            raise ValueError(f"{name} has no parameter {echo(parameter)}; it has {', '.join(known)}")
    raise ValueError(f"{parameter} of {name} is {allowed}, not {echo(value)}")
