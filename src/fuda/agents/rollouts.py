"""Players by a network of views, which play close decisions out before they make them.

The candidates of a decision, the actions that the network holds for about as good as the best, are played to
the end of the deal in scenarios of the hidden cards, all of a view in the same ones. Every seat plays what
the network says of its own view, so nobody sees what it could not. All play-outs of all views advance
together.

V views, S scenarios of each, M legal actions of all views, P play-outs.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.draw import draw_believed, draw_scenarios
from fuda.agents.parameters import with_parameters
from fuda.agents.settings import RolloutSetting, settings
from fuda.agents.values import ValueAgent
from fuda.agents.words import WordNetwork
from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.core.protocols import ViewEncoding
from fuda.core.ragged import Lists, segment_max, segment_mean, starts_of
from fuda.core.state import PLAYING
from fuda.core.threads import split
from fuda.search.belief import sharpness_of
from fuda.search.exact import solved_payoffs

MAX_PLAY_OUTS = 1 << 16  # that advance together; more take turns
MIN_SHARE = 256
BEHIND = 0.001  # so far, in parts of the game's point scale, what was not looked at is behind what was
EMPTY: Mapping[str, object] = {}

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = payoff = unbound
MAX_LEGAL = NUM_SEATS = 0


def begin_all(states, actions, first, last):
    """Play actions [P], and what is forced after them, until there is a choice or the end."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        step(states[k], actions[k])
        while legal(states[k], moves) == 1:
            step(states[k], moves[0])


def play_best_all(states, active, numbers, first, last):
    """The same with the legal action of the highest of numbers [K, num_actions] in states[active[k]]."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        state = states[active[k]]
        best = 0
        for m in range(1, legal(state, moves)):
            if numbers[k, moves[m]] > numbers[k, moves[best]]:
                best = m
        step(state, moves[best])
        while legal(state, moves) == 1:
            step(state, moves[0])


def pay_all(states, seats, payoffs, first, last):
    """What states have been worth to seats so far, [P]."""
    out = np.empty(NUM_SEATS, np.float64)
    for k in range(first, last):
        payoff(states[k], out)
        payoffs[k] = out[seats[k]]


@cache
def _loops(spec: GameSpec) -> Any:
    return [spec.kernels.bind(loop) for loop in (begin_all, play_best_all, pay_all)]


def rollout_setting(spec: GameSpec, suffix: str = "") -> RolloutSetting:
    """The setting of a game's players by networks of views whose names end so."""
    return settings(spec, RolloutSetting)[suffix]


class RolloutAgent(ValueAgent):
    """Values actions by a network of views: its value and the actions' advantages over it; or further."""

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: ViewEncoding,
        network: WordNetwork,
        setting: RolloutSetting,
        scale: float,
        seed: int = 0,
        parameters: Mapping[str, object] = EMPTY,
    ):
        self.setting, shown = with_parameters(name, setting, parameters)
        info = AgentInfo(setting.title, setting.line, unit="points", searches=self.setting.searches)
        super().__init__(name + shown, spec, info, seed)
        if self.setting.weighting == "belief" and not network.tells_owners:
            if "weighting" in parameters:
                raise ValueError(f"{name} has no belief: its network does not guess who holds what")
            self.setting = replace(self.setting, weighting="bayes")
        self.encoding = encoding
        self.network = network
        self._scale = scale  # the network's numbers times this are points
        self._begin, self._play_best, self._pay_all = _loops(spec)

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """The expected payoff of the deal after each action, in points."""
        rows = legal.rows
        values, advantages = self._ask_network(views, seats)
        found = advantages[rows, legal.items]
        found = self._scale * (found + (values - segment_mean(found, legal.starts))[rows])
        if self.setting.scenarios:
            self._look_further(views, seats, rngs, legal, found)
        # The network tells what is still to be gained.
        return found + self._payoffs(views, seats)[rows]

    def _look_further(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists, found: np.ndarray
    ) -> None:
        """Write better values of the candidates of close decisions to `found` [M]."""
        setting, rows = self.setting, legal.rows
        best_first = np.lexsort((-found, rows))  # within each view; of equal ones the first
        ranks = np.arange(len(rows)) - legal.starts[rows]
        best = segment_max(found, legal.starts)
        is_close = (ranks < setting.candidates) & (found[best_first] >= best[rows] - setting.close)
        num_close = np.bincount(rows[is_close], minlength=len(views))
        candidates = Lists(best_first[is_close], starts_of(num_close))
        wanted = np.flatnonzero(num_close > 1)
        behind, is_looked_at = np.full(len(views), np.inf), np.zeros(len(rows), bool)
        size = max(1, MAX_PLAY_OUTS // (setting.scenarios * setting.candidates))
        for start in range(0, len(wanted), size):
            some = wanted[start : start + size]
            luck = rngs[some]
            states, weights = self._draw(views[some].view(np.recarray), seats[some], luck)
            rngs[some] = luck
            looked = candidates.take(some)
            own, places = looked.rows, looked.items
            played = legal.items[places].astype(np.int64)
            gains = self._play_out(states.reshape(weights.shape), own, seats[some], played)
            found[places] += change(
                found[places], gains, weights[own], looked.starts, setting.doubt, setting.deviation
            )
            behind[some] = segment_max(found[places], looked.starts) - self.spec.point_scale * BEHIND
            is_looked_at[places] = True
        np.copyto(found, np.minimum(found, behind[rows]), where=~is_looked_at)

    def _draw(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> tuple[np.recarray, np.ndarray]:
        """Scenarios [V x S] of the views [V], and their weights [V, S]."""
        setting = self.setting
        if setting.weighting != "belief":
            return draw_scenarios(self.spec, setting, views, seats, rngs, self._policy)
        logits = self.network.owners(self._encode(views, seats))
        return draw_believed(self.spec, self.encoding, setting.scenarios, views, seats, rngs, logits)

    def _play_out(
        self, scenarios: np.ndarray, rows: np.ndarray, seats: np.ndarray, actions: np.ndarray
    ) -> np.ndarray:
        """What the mover gains [C, S] by actions [C] in all scenarios of the views rows[C]."""
        shape = (len(rows), scenarios.shape[1])
        states = scenarios[rows].reshape(-1).view(np.recarray)
        movers, played = np.repeat(seats[rows], shape[1]), np.repeat(actions, shape[1])
        before = self._payoffs(states, movers)
        split(self._begin, states, played, count=len(states), min_share=MIN_SHARE)
        solved = np.full(len(states), np.nan)  # what the movers get, where a play-out ended in a solution
        active = self._open(states, movers, np.arange(len(states)), solved)
        while len(active):
            leaves = states[active].view(np.recarray)
            numbers = self._ask_network(leaves, leaves["seat"].astype(np.int64))[1]
            split(self._play_best, states, active, numbers, count=len(active), min_share=MIN_SHARE)
            active = self._open(states, movers, active, solved)
        after = np.where(np.isnan(solved), self._payoffs(states, movers), solved)
        return np.asarray((after - before).reshape(shape))

    def _payoffs(self, states: np.recarray, seats: np.ndarray) -> np.ndarray:
        """What states have been worth to seats so far, [P]."""
        payoffs = np.zeros(len(states))
        split(self._pay_all, states, seats, payoffs, count=len(states), min_share=MIN_SHARE)
        return payoffs

    def _open(
        self, states: np.recarray, movers: np.ndarray, active: np.ndarray, solved: np.ndarray
    ) -> np.ndarray:
        """Those of the active play-outs that go on; others are over, or near enough to be solved."""
        active = active[states["status"][active] == PLAYING]
        if not self.setting.exact or not len(active):
            return active
        assert self.spec.scenarios is not None
        near = self.spec.scenarios.rounds_left(states[active]) <= self.setting.exact
        ready = active[near]
        if len(ready):
            payoffs = solved_payoffs(self.spec, states[ready].view(np.recarray))
            solved[ready] = payoffs[np.arange(len(ready)), movers[ready]]
        return active[~near]

    def _policy(self, views: np.recarray, seats: np.ndarray) -> np.ndarray:
        """The network's values as logits, for beliefs."""
        return sharpness_of(self.spec) * self._scale * self._ask_network(views, seats)[1]

    def _ask_network(self, views: np.recarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.network(self._encode(views, seats))

    def _encode(self, views: np.recarray, seats: np.ndarray) -> np.ndarray:
        words = np.zeros((len(views), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, views, seats, words, count=len(views), min_share=1024)
        return words


def change(
    values: np.ndarray,
    gains: np.ndarray,
    weights: np.ndarray,
    starts: np.ndarray,
    doubt: float,
    deviation: float,
) -> np.ndarray:
    """What play-outs add to the network's values [C] of candidates, which are lists of their views.

    Gains [C, S] are compared within each scenario, so that what a deal is worth to all candidates of a view
    is no noise, and so are the values. The differences are believed as far as their error allows: as of
    two measurements, of which the network's has the error `doubt`. Before any was played out, a difference is
    thought to have the standard deviation `deviation` over deals. What a view is worth stays.
    """

    def mean(each: np.ndarray) -> np.ndarray:
        return np.repeat(segment_mean(each, starts), np.diff(starts), axis=0)

    ahead = gains - mean(gains)
    played_out = (weights * ahead).sum(axis=1)
    spread = (ahead - played_out[:, None]) ** 2 + deviation**2 / gains.shape[1]
    error = mean((weights**2 * spread).sum(axis=1))
    trust = doubt**2 / (doubt**2 + error)
    return np.asarray(trust * (played_out - (values - mean(values))))
