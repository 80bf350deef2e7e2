"""Players by a network of views, which play close decisions out before they make them.

The candidates of a decision, the actions that the network holds for about as good as the best, are played out
in scenarios of the hidden cards, all of a view in the same ones: to the end of the deal, to an ending that is
small enough to be solved, or for some plies, after which the network values them. Every seat plays what the
network says of its own view, so nobody sees what it could not. All play-outs of all views advance together.

V views, S scenarios of each, M legal actions of all views, P play-outs.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.draw import draw_believed, draw_scenarios, has_strata
from fuda.agents.evaluator import Evaluator
from fuda.agents.parameters import with_parameters
from fuda.agents.settings import RolloutSetting, settings
from fuda.agents.values import ValueAgent
from fuda.core.game import Game, GameSpec
from fuda.core.generator import AGENT, streams
from fuda.core.kernels import unbound
from fuda.core.protocols import BID
from fuda.core.ragged import Lists, segment_argmax, segment_max, segment_mean, starts_of
from fuda.core.state import PLAYING
from fuda.core.threads import split
from fuda.search.belief import sharpness_of
from fuda.search.exact import solved_payoffs

MAX_PLAY_OUTS = 1 << 16  # that advance together; more take turns
MIN_SHARE = 256
BEHIND = 0.001  # so far, in parts of the game's point scale, what was not looked at is behind what was
EMPTY: Mapping[str, object] = {}

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = payoff = side = unbound
MAX_LEGAL = NUM_SEATS = 0


def play_on_all(states, active, actions, first, last):
    """Play actions[k] in states[active[k]], and what is forced after it, up to a choice or the end."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        state = states[active[k]]
        step(state, actions[k])
        while legal(state, moves) == 1:
            step(state, moves[0])


def pay_all(states, seats, payoffs, first, last):
    """What states have been worth to seats so far, [P]."""
    out = np.empty(NUM_SEATS, np.float64)
    for k in range(first, last):
        payoff(states[k], out)
        payoffs[k] = out[seats[k]]


def partners_all(states, seats, others, found, first, last):
    """Whether seats and others [P] play for one side."""
    for k in range(first, last):
        found[k] = side(states[k], seats[k]) == side(states[k], others[k])


@cache
def _loops(spec: GameSpec) -> Any:
    return [spec.kernels.bind(loop) for loop in (play_on_all, pay_all, partners_all)]


def rollout_setting(spec: GameSpec, suffix: str = "") -> RolloutSetting:
    """The setting of a game's players by networks of views whose names end so."""
    return settings(spec, RolloutSetting)[suffix]


class RolloutAgent(ValueAgent):
    """Values actions by a network of views; or further."""

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        evaluator: Evaluator,
        setting: RolloutSetting,
        seed: int = 0,
        parameters: Mapping[str, object] = EMPTY,
    ):
        self.setting, shown = with_parameters(name, spec, setting, parameters)
        info = AgentInfo(setting.title, setting.line, evaluator.unit, searches=self.setting.searches)
        super().__init__(name + shown, spec, info, seed)
        if self.setting.weighting == "belief" and not evaluator.tells_holders:
            if "weighting" in parameters:
                raise ValueError(f"{name} has no belief: its network does not guess who holds what")
            self.setting = replace(self.setting, weighting="bayes")
        if self.setting.sampling == "stratified" and not has_strata(spec):
            raise ValueError(f"sampling of {name} cannot be stratified: {spec.id} has no strata")
        if self.setting.plies and not spec.two_sided:
            raise ValueError(f"plies of {name} must be 0: {spec.id} has more sides than a value tells of")
        self.evaluator = evaluator
        if BID in evaluator.encoding.DECISION_KINDS:
            self.bidder = None  # it bids itself
            if not getattr(evaluator.encoding, "UNTOLD", {}):
                self.ruler = None  # and makes all other decisions before play, too
        self._play_on, self._pay_all, self._partners_all = _loops(spec)

    def warm_up(self) -> None:
        """Decide once, and look further in a deal that has begun, whatever the network says."""
        super().warm_up()
        if not self.setting.searches:
            return
        match = Game(self.spec, {}).start(0)
        for _ in range(2 * self.spec.seats):
            match.play(match.legal()[-1])
        assert match.seat is not None
        view, seats = match.view_record(match.seat), np.array([match.seat])
        setting, self.setting = self.setting, replace(self.setting, close=np.inf)
        self.all_values(view, seats, streams(0, AGENT, 0, 1))
        self.setting = setting
        if setting.exact:
            solved_payoffs(self.spec, self.spec.new_states(0))

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """The expected payoff of the deal after each action, or the chance to win it."""
        found = self.evaluator.values(views, seats, legal)
        if self.setting.scenarios:
            self._look_further(views, seats, rngs, legal, found)
        # The network tells what is still to be gained.
        return found + self._worth(views, seats)[legal.rows]

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
        size = max(1, MAX_PLAY_OUTS // (setting.scenarios * max(setting.candidates, setting.pool)))
        for start in range(0, len(wanted), size):
            some = wanted[start : start + size]
            own_rngs = rngs[some]
            states, weights = self._draw(views[some].view(np.recarray), seats[some], own_rngs)
            rngs[some] = own_rngs
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
        logits = self.evaluator.holders(views, seats)
        encoding = self.evaluator.encoding
        return draw_believed(self.spec, encoding, setting.scenarios, views, seats, rngs, logits)

    def _play_out(
        self, scenarios: np.ndarray, rows: np.ndarray, seats: np.ndarray, actions: np.ndarray
    ) -> np.ndarray:
        """What the mover gains [C, S] by actions [C] in all scenarios of the views rows[C]."""
        shape = (len(rows), scenarios.shape[1])
        states = scenarios[rows].reshape(-1).view(np.recarray)
        movers, played = np.repeat(seats[rows], shape[1]), np.repeat(actions, shape[1])
        before = self._worth(states, movers)
        worth = np.full(len(states), np.nan)  # what the movers get, where a play-out did not go to the end
        plies, active = 0, np.arange(len(states))
        while True:
            split(self._play_on, states, active, played, count=len(active), min_share=MIN_SHARE)
            active = self._open(states, movers, active, worth)
            if not len(active):
                break
            leaves = states[active].view(np.recarray)
            at_turn, legal = leaves["seat"].astype(np.int64), self.spec.kernels.legal_lists(leaves)
            if plies and plies == self.setting.plies:
                worth[active] = self._foretold(leaves, at_turn, movers[active], legal)
                break
            numbers = self.evaluator.preferences(leaves, at_turn, legal)
            played = legal.items[segment_argmax(numbers, legal.starts)].astype(np.int64)
            plies += 1
        after = np.where(np.isnan(worth), self._worth(states, movers), worth)
        return np.asarray((after - before).reshape(shape))

    def _foretold(
        self, states: np.recarray, seats: np.ndarray, movers: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """What states [P] will be worth to the movers by what the network says for the seats to move."""
        values = segment_max(self.evaluator.values(states, seats, legal), legal.starts)
        values += self._worth(states, seats)
        partners = np.zeros(len(states), bool)
        split(self._partners_all, states, seats, movers, partners, count=len(states), min_share=MIN_SHARE)
        return np.where(partners, values, 1 - values if self.unit == "probability" else -values)

    def _worth(self, states: np.recarray, seats: np.ndarray) -> np.ndarray:
        """What states have been worth to seats so far, [P]."""
        payoffs = np.zeros(len(states))
        split(self._pay_all, states, seats, payoffs, count=len(states), min_share=MIN_SHARE)
        return self._in_unit(payoffs)

    def _in_unit(self, payoffs: np.ndarray) -> np.ndarray:
        """Payoffs as the values tell them: whether a deal is won, where they are chances."""
        return payoffs if self.unit == "points" else (payoffs > 0).astype(np.float64)

    def _open(
        self, states: np.recarray, movers: np.ndarray, active: np.ndarray, worth: np.ndarray
    ) -> np.ndarray:
        """Those of the active play-outs that go on; others are over, or near enough to be solved."""
        active = active[states["status"][active] == PLAYING]
        if not self.setting.exact or not len(active):
            return active
        assert self.spec.scenarios is not None
        near = self.spec.scenarios.left_to_solve(states[active]) <= self.setting.exact
        ready = active[near]
        if len(ready):
            payoffs = solved_payoffs(self.spec, states[ready].view(np.recarray))
            worth[ready] = self._in_unit(payoffs[np.arange(len(ready)), movers[ready]])
        return active[~near]

    def _policy(self, views: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """The network's preferences as logits, for beliefs."""
        evaluator = self.evaluator
        return np.asarray(
            sharpness_of(self.spec) * evaluator.scale * evaluator.preferences(views, seats, legal)
        )


def change(
    values: np.ndarray,
    gains: np.ndarray,
    weights: np.ndarray,
    starts: np.ndarray,
    doubt: float,
    deviation: float,
) -> np.ndarray:
    """What play-outs add to the network's values [C] of candidates, which are lists of their views.

    Gains [C, S] are compared within each scenario, so that what a deal is worth to all candidates of a
    view is no noise, and so are the values. The differences and the network's own are combined by
    inverse-variance weighting: the network's are held to have the error `doubt`, and before any was
    played out, a difference the standard deviation `deviation` over deals. What a view is worth stays.
    """

    def mean(each: np.ndarray) -> np.ndarray:
        return np.repeat(segment_mean(each, starts), np.diff(starts), axis=0)

    ahead = gains - mean(gains)
    played_out = (weights * ahead).sum(axis=1)
    variance = (ahead - played_out[:, None]) ** 2 + deviation**2 / gains.shape[1]
    error = mean((weights**2 * variance).sum(axis=1))
    trust = doubt**2 / (doubt**2 + error)
    return np.asarray(trust * (played_out - (values - mean(values))))
