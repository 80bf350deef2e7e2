"""A second, deeper look at a choice: two moves of a view, played out in the same deals of what it cannot see.

Every seat plays what an agent does from its own view, to the end of the deal, or once around the table; then
the agent's value stands for the rest, which leaves out much noise. The two moves share deals and luck, so
that only their difference is noise.

K choices, S scenarios of each, P = K x 2 x S play-outs.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from fuda.agents import Agent
from fuda.agents.draw import drawer_of
from fuda.agents.rollouts import partners_all, pay_all, play_on_all
from fuda.agents.values import ValueAgent
from fuda.core.game import GameSpec
from fuda.core.generator import AGENT, fork_all, streams
from fuda.core.kernels import unbound
from fuda.core.ragged import segment_max
from fuda.core.state import PLAYING
from fuda.core.threads import split
from fuda.nets.folder import read_card

TOGETHER = 1 << 13  # play-outs that advance together: their observations take some 100 MB
MIN_SHARE = 256

reward = unbound  # a stand-in for the game's, replaced when the loop is bound


def reward_all(states, seats, table, rewards, first, last):
    """What deals that have ended did to the chances of seats to win the match, [P]."""
    out = np.empty(1, np.float64)
    for k in range(first, last):
        reward(states[k], seats[k], table, out)
        rewards[k] = out[0]


@cache
def _loops(spec: GameSpec) -> Any:
    return [spec.kernels.bind(loop) for loop in (play_on_all, pay_all, partners_all)]


@cache
def _reward_loop(spec: GameSpec, unit: str) -> Any:
    assert spec.winning is not None
    return spec.kernels.bind(reward_all, unit, reward=spec.winning.REWARDS[unit][0])


class SecondLook:
    """Plays choices out. What it finds depends on the seed, and on how much it was asked before."""

    def __init__(self, player: Agent, unit: str, options: Mapping[str, Any], judge: Agent, seed: int = 0):
        self._player, self._unit = player, unit
        self._spec, self._seed, self._asked = player.spec, seed, 0
        self._table = _winning_table(judge, options) if unit == "probability" else None
        # Whether the player's values can stand for the rest of a deal.
        self._foretells = (
            isinstance(player, ValueAgent) and player.info.unit == unit and player.spec.two_sided
        )
        self._play_on, self._pay, self._partners = _loops(player.spec)

    def compare(
        self, views: np.recarray, seats: np.ndarray, better: np.ndarray, played: np.ndarray, scenarios: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """By how much `better` is worth more than `played` in each view [K], and the standard errors [K]."""
        ahead, errors = np.zeros(len(views)), np.zeros(len(views))
        both = np.stack([better, played], axis=1).astype(np.int64)
        luck = streams(self._seed, AGENT, self._asked, len(views))
        self._asked += len(views)
        size = max(1, TOGETHER // (2 * scenarios))
        for first in range(0, len(views), size):
            part = slice(first, first + size)
            some = views[part].view(np.recarray)
            ahead[part], errors[part] = self._compare(some, seats[part], both[part], luck[part], scenarios)
        return ahead, errors

    def _compare(
        self, views: np.recarray, seats: np.ndarray, actions: np.ndarray, luck: np.ndarray, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        shape = (len(views), count)
        weights, scenarios = np.zeros(shape), self._spec.new_states(len(views) * count).reshape(shape)
        split(drawer_of(self._spec), views, seats, False, True, luck, scenarios, weights, count=len(views))
        forked = np.zeros(shape, np.uint64)
        split(fork_all, luck, forked, count=len(views))
        states = np.repeat(scenarios[:, None], 2, axis=1).reshape(-1).view(np.recarray)
        rngs = np.repeat(forked[:, None], 2, axis=1).reshape(-1)
        rows = np.repeat(np.arange(len(views)), 2 * count)
        told = self._play_out(states, seats[rows], np.repeat(actions.ravel(), count), rngs)
        worths = np.where(np.isnan(told), self._worths(states, views, seats, rows), told)
        worths = worths.reshape(len(views), 2, count)
        differences = worths[:, 0] - worths[:, 1]
        ahead = (weights * differences).sum(axis=1)
        # Weights are equal but where a game draws its scenarios otherwise; then fewer count.
        errors = np.sqrt((weights**2 * (differences - ahead[:, None]) ** 2).sum(axis=1))
        return ahead, errors

    def _play_out(
        self, states: np.recarray, seats: np.ndarray, actions: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """Play actions [P] in states [P] and go on; what the seats expect then [P], NaN if a deal ended."""
        told, active, plies = np.full(len(states), np.nan), np.arange(len(states)), 0
        while True:
            split(self._play_on, states, active, actions, count=len(active), min_share=MIN_SHARE)
            active = active[states["status"][active] == PLAYING]
            if not len(active):
                return told
            views, movers = self._spec.new_states(len(active)), np.zeros(len(active), np.int64)
            split(self._spec.kernels.view_movers, states, active, views, movers, count=len(active))
            luck = rngs[active]
            if plies == self._spec.seats and self._foretells:
                told[active] = self._foretold(states[active], views, movers, seats[active], luck)
                return told
            actions = np.asarray(self._player.act(views, movers, luck), np.int64)
            rngs[active] = luck
            plies += 1

    def _foretold(
        self, states: np.ndarray, views: np.recarray, movers: np.ndarray, seats: np.ndarray, luck: np.ndarray
    ) -> np.ndarray:
        """What open states are worth to seats [P], by the values that the player has for the movers."""
        assert isinstance(self._player, ValueAgent)
        legal = self._spec.kernels.legal_lists(views)
        values = segment_max(self._player.legal_values(views, movers, luck, legal), legal.starts)
        same = np.zeros(len(states), bool)
        split(self._partners, states, seats, movers, same, count=len(states), min_share=MIN_SHARE)
        return np.where(same, values, 1 - values if self._unit == "probability" else -values)

    def _worths(
        self, states: np.recarray, views: np.recarray, seats: np.ndarray, rows: np.ndarray
    ) -> np.ndarray:
        """What ended deals are worth to the seats of the views rows[P], in the unit."""
        found, own = np.zeros(len(states)), seats[rows]
        if self._table is None:
            split(self._pay, states, own, found, count=len(states), min_share=MIN_SHARE)
            return found if self._unit == "points" else (np.sign(found) + 1) / 2
        loop, winning = _reward_loop(self._spec, self._unit), self._spec.winning
        split(loop, states, own, self._table, found, count=len(states), min_share=MIN_SHARE)
        assert winning is not None
        return winning.value_in_unit(views, seats, rows, found, self._unit, 1.0, self._table)


def _winning_table(judge: Agent, options: Mapping[str, Any]) -> np.ndarray | None:
    """The chances to win a match of several deals: the judge's own, or those that training begins with."""
    winning = judge.spec.winning
    if winning is None:
        return None
    folder = getattr(judge, "folder", None)
    stored = None if folder is None else read_card(folder).table(folder)
    if stored is not None:
        return stored
    tables = list(getattr(winning, "TABLES", {}).values())
    return tables[0](options).table if tables else None
