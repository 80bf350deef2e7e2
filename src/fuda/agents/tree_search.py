"""Players by tree search over redeals of what they cannot see."""

import dataclasses
from threading import Timer

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.core.errors import echo
from fuda.core.game import GameSpec, SearchSetting
from fuda.core.threads import each
from fuda.search.uct import Searcher

MOST = {"trees": 100_000, "iterations": 10_000_000, "exploration": 1e9, "seconds": 1e6}


class TreeSearchAgent(Agent):
    """Plays the action that was visited most, over all trees.

    Parameters are those of the `SearchSetting`, and `seconds`: then a decision ends when that
    time has run out. Without it the same seed always gives the same decision.
    """

    def __init__(
        self,
        spec: GameSpec,
        setting: SearchSetting,
        seed: int = 0,
        seconds: float | None = None,
        **parameters: object,
    ):
        name = f"{spec.id}/{setting.name}"
        given = parameters if seconds is None else {**parameters, "seconds": seconds}
        for parameter, value in given.items():
            _check(name, spec, parameter, value)
        shown = "".join(f",{parameter}={value}" for parameter, value in given.items())
        super().__init__(name + shown, spec, AgentInfo(setting.title, setting.line, unit="points"), seed)
        self.setting = dataclasses.replace(setting, **parameters)  # type: ignore[arg-type]
        self.seconds = seconds
        self._grow = Searcher.of(spec, self.setting.rollout).grow

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """The most visited action [K] of each view."""
        best = each(lambda k: self._best(views, k, int(seats[k]), rngs[k : k + 1]), len(views))
        return np.array(best, np.int64)

    def evaluate(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> list[dict[int, float]]:
        """The mean outcome for the own side after each legal action, in the game's points."""
        values = []
        for k in range(len(views)):
            legal = self._legal(views, k)
            visits, totals = self._search(views, k, int(seats[k]), rngs[k : k + 1], len(legal))
            means = totals / np.maximum(visits, 1)
            values.append(dict(zip(legal.tolist(), means.tolist(), strict=True)))
        return values

    def _best(self, views: np.recarray, k: int, seat: int, rng: np.ndarray) -> int:
        legal = self._legal(views, k)
        if len(legal) == 1:
            return int(legal[0])
        if self.spec.is_bidding is not None and self.spec.is_bidding(views[k]):
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

    def _legal(self, views: np.recarray, k: int) -> np.ndarray:
        actions = np.empty(self.spec.max_legal, np.int64)
        return actions[: self.spec.rules.legal(views[k], actions)]


def _check(name: str, spec: GameSpec, parameter: str, value: object) -> None:
    """A `ValueError` unless the agent has the parameter and it may have the value."""
    rollouts = ("random", *(policy.name for policy in spec.policies))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match parameter:
        case "trees" | "iterations":
            good, what = (
                isinstance(value, int) and is_number and 1 <= value <= MOST[parameter],
                "whole number",
            )
        case "exploration" | "seconds":
            good, what = is_number and 0 < float(value) <= MOST[parameter], "number"  # type: ignore[arg-type]
        case "information_set":
            good, what = isinstance(value, bool), "True or False"
        case "rollout":
            good, what = value in rollouts, f"one of {', '.join(rollouts)}"
        case _:
            known = ("trees", "iterations", "exploration", "rollout", "information_set", "seconds")
            raise ValueError(f"{name} has no parameter {echo(parameter)}; it has {', '.join(known)}")
    if not good:
        limit = f" above 0, up to {MOST[parameter]:,.0f}" if parameter in MOST else ""
        raise ValueError(f"{parameter} of {name} is a {what}{limit}, not {echo(value)}")
