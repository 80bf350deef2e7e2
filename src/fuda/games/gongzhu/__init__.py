"""Gongzhu, the Chinese trick-taking game of the pig: RULES.md says what is played here."""

from collections.abc import Sequence

import numpy as np

from fuda.core.game import GameSpec, Option, RolloutSetting, ScenarioSetting, SearchSetting
from fuda.games.gongzhu import classical, events, rules, scenarios, tells, text
from fuda.games.gongzhu.cards import NUM_CARDS
from fuda.games.gongzhu.text import points

__all__ = ["SPEC", "points"]


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """Own team minus other team (RULES 4.4)."""
    return np.asarray(scores @ np.where(mine, 1, -1), float)


SPEC = GameSpec(
    id="gongzhu",
    title="Gongzhu",
    rules_version=1,
    seats=rules.NUM_SEATS,
    num_actions=rules.NUM_ACTIONS,
    max_legal=rules.MAX_LEGAL,
    max_decisions=NUM_CARDS,
    max_deal_decisions=NUM_CARDS,
    deck=tuple(range(NUM_CARDS)),
    options=(Option("leader", 0, "the seat that leads the first trick", low=0, high=rules.NUM_SEATS - 1),),
    # WPG, the published measure, plays each deal twice; the second time each hand moves one seat up
    # and the leader with it, so that the tested team gets the other pair of hands. Swapping the two
    # entrants over the same seats is the same thing: the rules know no seat but the leader.
    seatings=((0, 1, 0, 1), (1, 0, 1, 0)),
    roles=lambda options: ("seats 0 and 2", "seats 1 and 3"),
    margin=margin,
    max_deals=lambda options: 1,
    score_sum=None,
    rules=rules,
    text=text,
    events=events,
    policies=classical.POLICIES,
    searches=(
        SearchSetting(
            "uct",
            "Tree search",
            "Deals the hidden hands 5 times and searches 200 lines in each, to the last trick.",
            trees=5,
            iterations=200,
            exploration=100.0,
        ),
    ),
    scenarios=scenarios,
    tells=tells,
    scenario_players=(
        ScenarioSetting(
            "",
            "ScrofaZero",
            "Searches in nine deals by where the key cards lie, weighed by what the others played.",
        ),
        ScenarioSetting(
            "-raw",
            "ScrofaZero's network",
            "Values each card one ply deep in five deals of the hidden hands.",
            scenarios=5,
            sampling="uniform",
            weighting="none",
            per_legal=1,
            extra=0,
        ),
        ScenarioSetting(
            "-policy",
            "ScrofaZero's policy",
            "Plays what the network's policy prefers, a third of each unseen card in each hand.",
            method="policy",
            scenarios=0,
            weighting="none",
        ),
    ),
    rollout_players=(
        RolloutSetting(
            "",
            "Values of views, played out",
            "Plays its best cards out in 32 deals of the hidden hands before it chooses.",
            scenarios=32,
            close=60.0,
            exact=3,
        ),
        RolloutSetting("-raw", "Values of views", "Plays the card that its network values most."),
    ),
    fallback="greed",
)
