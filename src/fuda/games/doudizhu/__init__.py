"""Dou Dizhu, one landlord against two peasants: RULES.md says what is played here."""

from collections.abc import Mapping, Sequence

import numpy as np

from fuda.core.game import SWITCH, GameSpec, Option
from fuda.games.doudizhu import classical, encoding, events, rules, text
from fuda.games.doudizhu.moves import BLACK, MAX_LEGAL, RED
from fuda.games.doudizhu.players import PLAYERS
from fuda.games.doudizhu.text import moves

__all__ = ["SPEC", "moves"]


def margin(scores: np.ndarray, mine: Sequence[bool]) -> np.ndarray:
    """The landlord's points, of which each peasant's half is the opposite, summed over own seats.

    Without bidding that is the landlord's points for seat 0, and the opposite for the two others
    together. With bidding an entrant's two seats may be landlord and peasant; each peasant still
    settles half of the stake with the landlord, so that the two sides' margins are opposite.
    """
    signs = np.sign(scores)
    is_landlord = signs == -signs.sum(axis=-1, keepdims=True)  # the one against the two others
    stake = np.where(is_landlord, scores, 0).sum(axis=-1, keepdims=True)
    shares = np.where(is_landlord, stake, -stake / 2)
    return np.asarray(shares[..., np.asarray(mine, bool)].sum(axis=-1))


def roles(options: Mapping[str, object]) -> tuple[str, ...]:
    """What entrant 0 plays in the two seatings; with bidding anybody may become landlord."""
    return ("landlord", "peasants") if options["bidding"] == "off" else ("seat 0", "seats 1 and 2")


SPEC = GameSpec(
    id="doudizhu",
    title="Dou Dizhu",
    rules_version=1,
    seats=rules.NUM_SEATS,
    num_sides=2,
    two_sided=True,
    num_actions=rules.NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    max_decisions=rules.MAX_DEALS * rules.NUM_SEATS + rules.MAX_PLAYS,
    max_deal_decisions=rules.NUM_SEATS + rules.MAX_PLAYS,
    deck=(*(rank for rank in range(BLACK) for _ in range(4)), BLACK, RED),
    options=(
        Option("bidding", "off", "whether the landlord is found by bidding, or is seat 0", words=SWITCH),
        Option("score", "wp", "points: the win alone, or doubled by every bomb", words=("wp", "adp")),
    ),
    seatings=((0, 1, 1), (1, 0, 0)),
    roles=roles,
    margin=margin,
    max_deals=lambda options: rules.MAX_DEALS if options["bidding"] == "on" else 1,
    score_sum=None,  # with `wp` the two peasants get the landlord's points each
    rules=rules,
    text=text,
    events=events,
    terminal=f"{__name__}.terminal",
    policies=classical.POLICIES,
    players=PLAYERS,
    fallback="rhcp-partner",
    is_bidding=rules.is_bidding,
    encodings=(encoding,),
)
