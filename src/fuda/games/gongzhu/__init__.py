"""Gongzhu, the Chinese trick-taking game of the pig: RULES.md says what is played here."""

from collections.abc import Sequence

import numpy as np

from fuda.core.game import SWITCH, GameSpec, Option, Preset
from fuda.games.gongzhu import (
    classical,
    encoding,
    events,
    reasons,
    rules,
    scenarios,
    showing,
    shown_encoding,
    tells,
    text,
    view_encoding,
)
from fuda.games.gongzhu.players import PLAYERS
from fuda.games.gongzhu.text import points
from fuda.games.tricks.french import NUM_CARDS
from fuda.games.tricks.play import NUM_SEATS

__all__ = ["SPEC", "points"]


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """Own team minus other team (RULES 4.4)."""
    return np.asarray(scores @ np.where(mine, 1, -1), float)


SPEC = GameSpec(
    id="gongzhu",
    title="Gongzhu",
    rules_version=1,
    seats=NUM_SEATS,
    num_sides=2,
    two_sided=True,
    num_actions=rules.NUM_ACTIONS,
    max_legal=rules.MAX_LEGAL,
    max_decisions=rules.MAX_DEALS * (NUM_CARDS + rules.MAX_SHOWS),
    max_deal_decisions=NUM_CARDS + rules.MAX_SHOWS,
    deal_decisions=lambda options: NUM_CARDS + (rules.MAX_SHOWS if options["showing"] == "on" else 0),
    deck=rules.DECK,
    options=(
        Option("leader", 0, "the seat that leads the first trick", low=0, high=NUM_SEATS - 1, neutral=True),
        Option(
            "showing", "off", "whether four cards may be shown, to count double", words=SWITCH, implied=True
        ),
        Option(
            "target",
            0,
            "deals go on until a team has lost so many points; 0: one deal",
            low=0,
            high=5000,
            implied=True,
            neutral=True,
        ),
    ),
    # WPG, the published measure, plays each deal twice; the second time each hand moves one seat up
    # and the leader with it, so that the tested team gets the other pair of hands. Swapping the two
    # entrants over the same seats is the same thing: the rules know no seat but the leader.
    seatings=lambda options: ((0, 1, 0, 1), (1, 0, 1, 0)),
    roles=lambda options: ("seats 0 and 2", "seats 1 and 3"),
    margin=margin,
    max_deals=lambda options: rules.MAX_DEALS if options["target"] else 1,
    score_sum=None,
    rules=rules,
    text=text,
    events=events,
    point_scale=100.0,
    terminal=f"{__name__}.terminal",
    policies=classical.POLICIES,
    players=PLAYERS,
    encodings=(encoding, view_encoding, shown_encoding),
    scenarios=scenarios,
    tells=tells,
    reasons=reasons,
    fallback="greed",
    presets=(
        Preset("paper", "As in the paper", "One deal; nothing is shown.", {}),
        Preset(
            "showing",
            "Cards shown",
            "The pig, the sheep, the transformer and the ace of hearts may be shown; one deal.",
            {"showing": "on"},
        ),
        Preset(
            "match",
            "To -1000",
            "Cards may be shown; deals follow each other until a team is at -1000.",
            {"showing": "on", "target": 1000},
        ),
    ),
    is_bidding=showing.is_showing,
)
