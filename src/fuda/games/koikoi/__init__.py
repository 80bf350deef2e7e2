"""Koi-Koi, the hanafuda game for two: RULES.md says what is played here."""

from collections.abc import Sequence

import numpy as np

from fuda.core.game import GameSpec, Option
from fuda.games.koikoi import classical, encoding, events, human_games, outcomes, rules, text, turn, winning
from fuda.games.koikoi.cards import NUM_CARDS
from fuda.games.koikoi.players import PLAYERS
from fuda.games.koikoi.text import points, yaku

__all__ = ["SPEC", "points", "yaku"]

# A turn has a discard, two picks and a koi-koi decision at most.
MAX_ROUND_DECISIONS = rules.NUM_TURNS * 4


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """Final points minus starting points: half the gap between the players."""
    gap = scores[..., 0] - scores[..., 1]
    return np.asarray(gap if mine[0] else -gap) / 2


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
        Option("rounds", 8, "rounds in a game", low=1, high=rules.MAX_ROUNDS),
        Option("points", 30, "points of each player at the start", low=1, high=1000),
    ),
    seatings=((0, 1), (1, 0)),
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
    importer=human_games.import_match,
)
