"""A small game that is unlike the others, for the contract tests: RULES.md says what is played."""

from collections.abc import Sequence

import numpy as np

from fuda.core.game import GameSpec, Option
from planted import classical, encoding, events, rules, text

__all__ = ["SPEC"]


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """The mean of the own seats minus the mean of the others."""
    own = np.asarray(mine)
    return np.asarray(scores @ (own / own.sum() - ~own / (~own).sum()), float)


PLAYERS = {
    "search": {
        "uct": {
            "title": "Tree search",
            "line": "Searches redeals of hands and gifts.",
            "trees": 2,
            "iterations": 60,
            "exploration": 2.0,
        },
    },
}
MOST_PLAYS = rules.NUM_SEATS + rules.NUM_CARDS

SPEC = GameSpec(
    id="planted",
    title="Planted",
    rules_version=1,
    seats=rules.NUM_SEATS,
    num_sides=rules.NUM_SEATS,
    two_sided=False,
    num_actions=rules.NUM_ACTIONS,
    max_legal=rules.MAX_LEGAL,
    max_decisions=rules.MAX_DEALS * MOST_PLAYS,
    max_deal_decisions=MOST_PLAYS,
    deck=tuple(range(rules.NUM_CARDS)),
    options=(Option("deals", 2, "how many deals a match has", low=1, high=rules.MAX_DEALS),),
    seatings=lambda options: ((0, 1, 0, 1), (1, 0, 1, 0)),
    roles=lambda options: ("seats 0 and 2", "seats 1 and 3"),
    margin=margin,
    max_deals=lambda options: int(options["deals"]),
    score_sum=None,
    rules=rules,
    text=text,
    events=events,
    terminal=f"{__name__}.terminal",
    policies=classical.POLICIES,
    players=PLAYERS,
    fallback="modest",
    encodings=(encoding,),
)
