"""Weaker players for people who learn: another's values, chosen by less strictly.

Of its best few moves one is drawn, the better the likelier: a small loss happens often, a large one
seldom, as with people. Nothing else of the player is changed, so that it gets stronger with the one it is of.

V views, M legal actions of all of them.
"""

import hashlib
from collections.abc import Mapping

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.parameters import with_parameters
from fuda.agents.settings import SoftenedSetting
from fuda.agents.values import ValueAgent
from fuda.core.generator import fork_all
from fuda.core.ragged import Lists, segment_max
from fuda.core.threads import split

EMPTY: Mapping[str, object] = {}
FORKED = 2.0**63  # forked generators are below it


class SoftenedAgent(ValueAgent):
    """Draws one of another's best moves by their values."""

    def __init__(
        self,
        name: str,
        base: ValueAgent,
        setting: SoftenedSetting,
        seed: int = 0,
        parameters: Mapping[str, object] = EMPTY,
    ):
        self.setting, shown = with_parameters(name, base.spec, setting, parameters)
        super().__init__(name + shown, base.spec, softened_info(self.setting, base.info), seed)
        self.base = base
        self.unit = base.unit
        self.bidder = base.bidder
        self.bid_weights = base.bid_weights
        assert base.weights is not None
        self.weights = softened_weights(self.setting, base.weights)

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """Those of the player that it is of."""
        return self.base.legal_values(views, seats, rngs, legal)

    def decide(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists) -> np.ndarray:
        """An action [V] drawn from the best few, with odds of e to the values over the temperature."""
        values = self.legal_values(views, seats, rngs, legal)
        forked = np.zeros((len(views), 1), np.uint64)
        split(fork_all, rngs, forked, count=len(views))
        return draw(legal, values, self.setting.temperature, self.setting.among, forked[:, 0] / FORKED)


def draw(legal: Lists, values: np.ndarray, temperature: float, among: int, numbers: np.ndarray) -> np.ndarray:
    """An action [V] of each list by its values [M], with a number [V] from 0 to 1 for each."""
    rows = legal.rows
    best_first = np.lexsort((-values, rows))  # each list stays in its place; equal values keep their order
    ranks = np.arange(len(values)) - legal.starts[rows]
    behind = values[best_first] - segment_max(values, legal.starts)[rows]
    odds = np.where(ranks < among, np.exp(behind / temperature), 0.0)
    sums = np.cumsum(odds)
    ends = sums[legal.starts[1:] - 1]
    before = np.concatenate(([0.0], ends[:-1]))
    found = np.searchsorted(sums, before + numbers * (ends - before), side="right")
    last = legal.starts[:-1] + np.minimum(legal.counts, among) - 1  # where rounding went past the end
    return np.asarray(legal.items[best_first[np.minimum(found, last)]], np.int64)


def softened_info(setting: SoftenedSetting, base: AgentInfo) -> AgentInfo:
    """What people are told: it shows no values, since it does not play by them strictly."""
    return AgentInfo(
        setting.title, setting.line, bids=base.bids, bid_unit=base.bid_unit,
        learned_options=base.learned_options,
    )  # fmt: skip


def softened_weights(setting: SoftenedSetting, base: str) -> str:
    """A hash of what it has learned and of how loosely it chooses: results of another are not its own."""
    told = f"{base} {setting.temperature} {setting.among}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]
