"""Scenarios of what a seat cannot see, weighed by what the others have played.

V views, S scenarios of each, R plays that tell something.
"""

from collections.abc import Callable

import numpy as np

from fuda.agents.settings import RolloutSetting, ScenarioSetting
from fuda.core.game import GameSpec
from fuda.core.protocols import ViewEncoding
from fuda.core.threads import split
from fuda.search.belief import log_factors, resample_all, score_owners_all, sharpness_of, weigh

# policy(views [R], seats [R]) -> logits [R, num_actions]: values in points times `sharpness_of` the game
AskPolicy = Callable[[np.recarray, np.ndarray], np.ndarray]

POOL = 16  # deals of which one becomes a scenario, where a guess chooses them
MIN_SHARE = 64  # views or scenarios: each takes microseconds


def draw_scenarios(
    spec: GameSpec,
    setting: ScenarioSetting | RolloutSetting,
    views: np.recarray,
    seats: np.ndarray,
    rngs: np.ndarray,
    policy: AskPolicy,
) -> tuple[np.recarray, np.ndarray]:
    """Scenarios [V x S] of the views [V], and their weights [V, S], which sum to one for each view."""
    drawer = spec.scenarios
    assert drawer is not None
    weights = np.zeros((len(views), setting.scenarios))
    states = spec.new_states(weights.size).reshape(weights.shape)
    split(
        drawer.draw_all, views, seats, setting.sampling == "stratified", setting.counted, rngs,
        states, weights, count=len(views), min_share=MIN_SHARE,
    )  # fmt: skip
    flat = states.reshape(-1).view(np.recarray)
    if setting.weighting != "none":
        weights = weigh(weights, _scores(spec, setting, views, seats, flat, weights.shape, policy))
    return flat, weights


def draw_believed(
    spec: GameSpec,
    encoding: ViewEncoding,
    num_scenarios: int,
    views: np.recarray,
    seats: np.ndarray,
    rngs: np.ndarray,
    logits: np.ndarray,
) -> tuple[np.recarray, np.ndarray]:
    """The same by a guess who holds which card, logits [V, H, A]: of many deals those that fit it best.

    They are drawn as often as they should count, so all weigh the same.
    """
    drawer = spec.scenarios
    assert drawer is not None
    shape = (len(views), POOL * num_scenarios)
    states = spec.new_states(shape[0] * shape[1]).reshape(shape)
    split(
        drawer.draw_all, views, seats, False, True, rngs, states, np.zeros(shape),
        count=len(views), min_share=MIN_SHARE // POOL,
    )  # fmt: skip
    words = np.zeros((states.size, encoding.NUM_HIDDEN), np.int64)
    flat = states.reshape(-1).view(np.recarray)
    split(encoding.encode_hidden_all, flat, np.repeat(seats, shape[1]), words, count=len(flat))
    scores, chosen = np.zeros(shape), np.zeros((shape[0], num_scenarios), np.int64)
    hidden = words.reshape(*shape, -1)
    split(score_owners_all, logits, hidden, scores, count=len(views), min_share=MIN_SHARE)
    split(resample_all, scores, rngs, chosen, count=len(views), min_share=MIN_SHARE)
    kept = np.take_along_axis(states, chosen, axis=1)
    return kept.reshape(-1).view(np.recarray), np.full(kept.shape, 1 / num_scenarios)


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
    counts = np.repeat(counts, setting.scenarios)
    starts = np.cumsum(counts) - counts
    total = int(counts.sum())
    if total == 0:
        return np.zeros(shape)
    told, movers = spec.new_states(total), np.zeros(total, np.int64)
    played, legal, compared = (np.zeros(total, np.int64) for _ in range(3))
    split(
        teller.tell_all, states, np.repeat(seats, setting.scenarios), starts, spec.new_states(len(states)),
        told, movers, played, legal, compared, count=len(states), min_share=MIN_SHARE,
    )  # fmt: skip
    factors = log_factors(
        setting.weighting, policy(told, movers), played, legal, compared, sharpness_of(spec), setting.beta
    )
    owners = np.repeat(np.arange(len(states)), counts)
    return np.bincount(owners, factors, minlength=len(states)).reshape(shape)
