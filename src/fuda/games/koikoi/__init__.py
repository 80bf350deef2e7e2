"""Koi-Koi, the hanafuda game for two: RULES.md says what is played here."""

from collections.abc import Sequence

import numpy as np

from fuda.core.game import SWITCH, GameSpec, Option, Preset
from fuda.games.koikoi import (
    classical,
    encoding,
    events,
    human_games,
    outcomes,
    reasons,
    rules,
    text,
    turn,
    winning,
)
from fuda.games.koikoi.cards import NUM_CARDS
from fuda.games.koikoi.players import PLAYERS
from fuda.games.koikoi.text import points, yaku
from fuda.games.koikoi.yaku import BONUS_WORDS, VIEWING_WORDS

__all__ = ["SPEC", "points", "yaku"]

# A turn has a discard, two picks and a koi-koi decision at most.
MAX_ROUND_DECISIONS = rules.NUM_TURNS * 4


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """Final points minus starting points: half the gap between the players."""
    gap = scores[..., 0] - scores[..., 1]
    return np.asarray(gap if mine[0] else -gap) / 2


# Section 6 of RULES.md; rules.py knows them by this order.
HOUSE_OPTIONS = (
    Option(
        "viewing", "rising", "Flower and Moon Viewing Sake: 1 point, 3 after koi-koi; or so many; or off",
        words=VIEWING_WORDS, implied=True,
    ),
    Option("rain", "off", "whether the Rainman spoils the two Viewing Sake", words=SWITCH, implied=True),
    Option(
        "bonus", "rising", "points for each koi-koi: the paper's, that rise; or so many; or off",
        words=BONUS_WORDS, implied=True,
    ),
    Option("seven", "off", "whether 7 points or more count double", words=SWITCH, implied=True),
    Option(
        "against", "off", "whether points count double when the opponent has called koi-koi", words=SWITCH,
        implied=True,
    ),
    Option(
        "hand_yaku", "off", "whether four of a month or four pairs in the first hand win 6 points at once",
        words=SWITCH, implied=True,
    ),
    Option(
        "draw", "dealer", "who gets a point when all hands are played: the dealer or nobody",
        words=("dealer", "nobody"), implied=True,
    ),
)  # fmt: skip
PRESETS = (
    Preset("paper", "The paper's rules", "8 rounds, a bonus for each koi-koi that rises, nothing doubled."),
    Preset(
        "app",
        "Japanese app rules",
        "12 rounds; sake views for 5, 7 or more doubled, doubled against koi-koi, winning hands.",
        {
            "rounds": 12, "points": 100, "viewing": "5", "bonus": "off", "seven": "on", "against": "on",
            "hand_yaku": "on", "draw": "nobody",
        },
    ),
)  # fmt: skip

SPEC = GameSpec(
    id="koikoi",
    title="Koi-Koi",
    rules_version=1,
    seats=2,
    num_sides=2,
    two_sided=True,
    num_actions=rules.NUM_ACTIONS,
    max_legal=rules.MAX_LEGAL,
    max_decisions=rules.MAX_ROUNDS * MAX_ROUND_DECISIONS,
    max_deal_decisions=MAX_ROUND_DECISIONS,
    deck=tuple(range(NUM_CARDS)),
    options=(
        Option("rounds", 8, "rounds in a game", low=1, high=rules.MAX_ROUNDS, neutral=True),
        Option("points", 30, "points of each player at the start", low=1, high=1000, neutral=True),
        *HOUSE_OPTIONS,
    ),
    presets=PRESETS,
    seatings=lambda options: ((0, 1), (1, 0)),
    roles=lambda options: (),  # the seats are equal
    margin=margin,
    max_deals=lambda options: int(options["rounds"]),
    score_sum=lambda options: 2 * int(options["points"]),
    rules=rules,
    text=text,
    events=events,
    terminal=f"{__name__}.terminal",
    policies=classical.POLICIES,
    players=PLAYERS,
    encodings=(encoding,),
    fallback="classical",
    outcomes=outcomes,
    winning=winning,
    turn=turn,
    reasons=reasons,
    importer=human_games.import_match,
)
