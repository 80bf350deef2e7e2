"""Players that search with open hands in scenarios of what they cannot see: ScrofaZero's way.

Scenarios are drawn for each view and weighed by what the others have played; in each a tree grows, with
the network's values at its leaves; a card is worth the weighted mean of its values. All scenarios' trees,
of all views, grow together, so the network is asked in common batches.

V views, S scenarios of each, M legal actions of all of them, W words of an encoded position.
"""

import dataclasses
from collections.abc import Mapping

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.draw import draw_scenarios
from fuda.agents.parameters import with_parameters
from fuda.agents.settings import ScenarioSetting, settings
from fuda.agents.values import ValueAgent
from fuda.agents.words import WordNetwork
from fuda.core.game import GameSpec
from fuda.core.generator import fork_all
from fuda.core.protocols import WordEncoding
from fuda.core.ragged import Lists, segment_min
from fuda.core.threads import split
from fuda.search.belief import sharpness_of
from fuda.search.exact import solve
from fuda.search.network_tree import NetworkTrees, TreeSetting

MAX_TREES = 1 << 15  # that grow together; more take turns
EMPTY: Mapping[str, object] = {}


def scenario_setting(spec: GameSpec, suffix: str = "") -> ScenarioSetting:
    """The setting of a game's players by scenarios whose names end so."""
    return settings(spec, ScenarioSetting)[suffix]


class ScenarioAgent(ValueAgent):
    """Plays the card with the best weighted value over scenarios."""

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: WordEncoding,
        network: WordNetwork,
        setting: ScenarioSetting,
        seed: int = 0,
        parameters: Mapping[str, object] = EMPTY,
    ):
        self.setting, shown = with_parameters(name, spec, setting, parameters)
        info = AgentInfo(setting.title, setting.line, unit="points", searches=self.setting.searches)
        super().__init__(name + shown, spec, info, seed)
        self.encoding = encoding
        self.network = network
        if self.setting.weighting == "belief":
            raise ValueError(f"weighting of {name} cannot be belief: its network sees all hands")
        if self.setting.scenarios == 0 and self.setting.method == "search":
            raise ValueError(f"{name} cannot search without scenarios: give 1 or more")
        if self.setting.method == "policy":  # its values are of no unit: they have no zero
            self.info = dataclasses.replace(self.info, unit=None)

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """The expected payoff of the deal after each action, in points."""
        values = np.zeros(len(legal.items))
        size = max(1, MAX_TREES // max(1, self.setting.scenarios))
        for start in range(0, len(views), size):
            part = np.arange(start, min(start + size, len(views)))
            own_rngs, some = rngs[part], views[part].view(np.recarray)
            values[legal.places(part)] = self._some_values(some, seats[part], own_rngs, legal.take(part))
            rngs[part] = own_rngs
        return values

    def _some_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        setting = self.setting
        if setting.scenarios == 0:
            return self._policy(views, seats, legal)
        states, weights = self.draw(views, seats, rngs)
        of_view = np.repeat(np.arange(len(views)), weights.shape[1])  # of each scenario
        same = legal.take(of_view)  # a view's legal actions are those of its scenarios
        if setting.method == "policy":
            found = self._policy(states, seats[of_view], same)
        else:
            forked = np.zeros(weights.shape, np.uint64)
            split(fork_all, rngs, forked, count=len(views))
            found = self._search(states, same, forked.ravel())
        weighted = np.repeat(weights.ravel(), same.counts) * found
        return np.bincount(legal.places(of_view), weighted, minlength=len(legal.items))

    def draw(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> tuple[np.recarray, np.ndarray]:
        """Scenarios [V x S] of the views [V], and their weights [V, S], which sum to one for each view."""

        def logits(seen: np.recarray, movers: np.ndarray, legal: Lists) -> np.ndarray:
            return np.asarray(self._consult(seen, movers)[1][legal.rows, legal.items])

        return draw_scenarios(self.spec, self.setting, views, seats, rngs, logits)

    def _policy(self, states: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """What the network thinks of legal actions [M], in points but for a constant."""
        return self._consult(states, seats)[1][legal.rows, legal.items] / sharpness_of(self.spec)

    def _search(self, states: np.recarray, legal: Lists, rngs: np.ndarray) -> np.ndarray:
        """Values [M] of the legal actions in each scenario."""
        setting = self.setting
        values = np.zeros(len(legal.items))
        solved = np.zeros(len(states), bool)
        if setting.exact:
            assert self.spec.scenarios is not None
            solved = self.spec.scenarios.left_to_solve(states) <= setting.exact
            ready = np.flatnonzero(solved)
            values[legal.places(ready)] = solve(self.spec, states[ready].view(np.recarray)).items
        open_ = np.flatnonzero(~solved)
        if len(open_):
            iterations = setting.extra + setting.per_legal * legal.counts[open_]
            trees = NetworkTrees(
                self.spec, len(open_), int(iterations.max()),
                TreeSetting(setting.exploration, setting.use_prior, setting.skip_forced),
            )  # fmt: skip
            trees.roots[:] = states[open_]
            visits, found = trees.search(iterations, rngs[open_], self._consult)
            # An action that a tree with a prior never tried is no better than the worst that it did.
            tried = np.where(visits.items > 0, found.items, np.inf)
            worst = segment_min(tried, found.starts)[found.rows]
            values[legal.places(open_)] = np.where(visits.items > 0, found.items, worst)
        return np.where(np.isfinite(values), values, 0.0)

    def _consult(self, states: np.recarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The network's gains [K] and logits [K, num_actions]."""
        words = np.zeros((len(states), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, states, seats, words, count=len(states), min_share=1024)
        return self.network(words)
