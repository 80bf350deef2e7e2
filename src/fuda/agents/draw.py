"""Scenarios of what a seat cannot see, weighed by what the others have played.

V views, S scenarios of each, R plays that tell something, M legal actions of all of them.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fuda.agents.settings import RolloutSetting, ScenarioSetting
from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.core.protocols import ViewEncoding
from fuda.core.ragged import Lists
from fuda.core.threads import split
from fuda.search.belief import log_factors, resample_all, score_owners_all, sharpness_of, weigh

# policy(views [R], seats [R], legal) -> logits [M]: values in points times `sharpness_of` the game
AskPolicy = Callable[[np.recarray, np.ndarray, Lists], np.ndarray]

POOL = 16  # deals of which one becomes a scenario, where a guess chooses them
MIN_SHARE = 64  # views or scenarios: each takes microseconds

redeal = unbound  # a stand-in for the game's, replaced when the loop is bound


def redeal_all(views, seats, stratified, counted, rngs, states, weights, first, last):
    """`Scenarios.draw_all` without strata: all deals that agree with a view are as likely."""
    num_scenarios = weights.shape[1]
    for v in range(first, last):
        for s in range(num_scenarios):
            states[v, s] = views[v]
            redeal(states[v, s], seats[v], rngs[v : v + 1])
            weights[v, s] = 1.0 / num_scenarios


@cache
def drawer_of(spec: GameSpec) -> Any:
    """What draws a game's scenarios: as its `scenarios.py` says, or by `redeal`."""
    return spec.scenarios.draw_all if has_strata(spec) else spec.kernels.bind(redeal_all)  # type: ignore[union-attr]


def has_strata(spec: GameSpec) -> bool:
    """Whether a game says how its scenarios are drawn."""
    return hasattr(spec.scenarios, "draw_all")


def draw_scenarios(
    spec: GameSpec,
    setting: ScenarioSetting | RolloutSetting,
    views: np.recarray,
    seats: np.ndarray,
    rngs: np.ndarray,
    policy: AskPolicy,
) -> tuple[np.recarray, np.ndarray]:
    """Scenarios [V x S] of the views [V], and their weights [V, S], which sum to one for each view."""
    weighs = setting.weighting != "none"
    weights = np.zeros((len(views), setting.scenarios * (setting.pool if weighs else 1)))
    states = spec.new_states(weights.size).reshape(weights.shape)
    split(
        drawer_of(spec), views, seats, setting.sampling == "stratified", setting.counted, rngs,
        states, weights, count=len(views), min_share=MIN_SHARE,
    )  # fmt: skip
    flat = states.reshape(-1).view(np.recarray)
    if weighs:
        scores = _scores(spec, setting, views, seats, flat, weights.shape, policy)
        if setting.pool > 1:
            return resample(states, np.log(weights) + scores, setting.scenarios, rngs)
        weights = weigh(weights, scores)
    return flat, weights


def resample(
    states: np.ndarray, scores: np.ndarray, num_chosen: int, rngs: np.ndarray
) -> tuple[np.recarray, np.ndarray]:
    """Of the deals [V, P] as many as wanted, each as often as its score [V, P], a logarithm, says.

    They are drawn as often as they should count, so all weigh the same.
    """
    chosen = np.zeros((len(states), num_chosen), np.int64)
    split(resample_all, scores, rngs, chosen, count=len(states), min_share=MIN_SHARE)
    kept = np.take_along_axis(states, chosen, axis=1)
    return kept.reshape(-1).view(np.recarray), np.full(kept.shape, 1 / num_chosen)


def draw_believed(
    spec: GameSpec,
    encoding: ViewEncoding,
    num_scenarios: int,
    views: np.recarray,
    seats: np.ndarray,
    rngs: np.ndarray,
    logits: np.ndarray,
) -> tuple[np.recarray, np.ndarray]:
    """The same by a guess who holds which card, logits [V, H, A]: of many deals those that fit it best."""
    shape = (len(views), POOL * num_scenarios)
    states = spec.new_states(shape[0] * shape[1]).reshape(shape)
    split(
        drawer_of(spec), views, seats, False, True, rngs, states, np.zeros(shape),
        count=len(views), min_share=MIN_SHARE // POOL,
    )  # fmt: skip
    words = np.zeros((states.size, encoding.NUM_HIDDEN), np.int64)
    flat = states.reshape(-1).view(np.recarray)
    split(encoding.encode_hidden_all, flat, np.repeat(seats, shape[1]), words, count=len(flat))
    scores, hidden = np.zeros(shape), words.reshape(*shape, -1)
    split(score_owners_all, logits, hidden, scores, count=len(views), min_share=MIN_SHARE)
    return resample(states, scores, num_scenarios, rngs)


def _scores(
    spec: GameSpec,
    setting: ScenarioSetting | RolloutSetting,
    views: np.recarray,
    seats: np.ndarray,
    states: np.recarray,
    shape: tuple[int, ...],
    policy: AskPolicy,
) -> np.ndarray:
    """The logarithm of each scenario's score, [V, S]: the product of the factors of what was played."""
    teller = spec.tells
    assert teller is not None
    counts = np.zeros(len(views), np.int64)
    split(teller.count_told_all, views, seats, counts, count=len(views))
    counts = np.repeat(counts, shape[1])
    starts = np.cumsum(counts) - counts
    total = int(counts.sum())
    if total == 0:
        return np.zeros(shape)
    seen, movers = spec.new_states(total), np.zeros(total, np.int64)
    actions = np.zeros(total, np.int64)
    split(
        teller.tell_all, states, np.repeat(seats, shape[1]), starts, spec.new_states(len(states)),
        seen, movers, actions, count=len(states), min_share=MIN_SHARE,
    )  # fmt: skip
    scenarios = np.repeat(np.arange(len(states)), counts)
    # What was forced says nothing.
    legal = spec.kernels.legal_lists(seen)
    free = np.flatnonzero(legal.counts > 1)
    if not len(free):
        return np.zeros(shape)
    seen, movers = seen[free].view(np.recarray), movers[free]
    actions, scenarios = actions[free], scenarios[free]
    legal = legal.take(free)
    compared = np.zeros(len(legal.items), bool)
    split(
        teller.compare_all, seen, actions, legal.items, legal.starts, compared,
        count=len(seen), min_share=MIN_SHARE,
    )  # fmt: skip
    played = np.flatnonzero(legal.items == actions[legal.rows])
    factors = log_factors(
        setting.weighting, policy(seen, movers, legal), legal.starts, played, compared,
        sharpness_of(spec), setting.beta, setting.floor,
    )  # fmt: skip
    return np.bincount(scenarios, factors, minlength=len(states)).reshape(shape)
