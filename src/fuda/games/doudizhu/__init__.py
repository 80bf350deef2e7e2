"""Dou Dizhu, one landlord against two peasants: RULES.md says what is played here."""

from collections.abc import Mapping, Sequence

import numpy as np

from fuda.core.game import SWITCH, GameSpec, Option, Preset
from fuda.games.doudizhu import (
    action_encoding,
    auction,
    bidding,
    classical,
    cooperation_encoding,
    deeprocket_encoding,
    encoding,
    events,
    flat_encoding,
    full_encoding,
    game_text,
    group_encoding,
    plain_encoding,
    reasons,
    rules,
    scenarios,
    tells,
    text,
    wide_group_encoding,
)
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


def seatings(options: Mapping[str, object]) -> tuple[tuple[int, ...], ...]:
    """The lone seat is the landlord's; with bidding, where each seat is another place, all take turns."""
    lone = (0,) if options["bidding"] == "off" else range(rules.NUM_SEATS)
    return tuple(
        tuple(entrant if seat == alone else 1 - entrant for seat in range(rules.NUM_SEATS))
        for alone in lone
        for entrant in (0, 1)
    )


def roles(options: Mapping[str, object]) -> tuple[str, ...]:
    """What entrant 0 plays in each of these; with bidding anybody may become landlord."""
    if options["bidding"] == "off":
        return ("landlord", "peasants")
    return ("seat 0", "seats 1 and 2", "seat 1", "seats 0 and 2", "seat 2", "seats 0 and 1")


def deal_decisions(options: Mapping[str, object]) -> int:
    """Bids are one for each seat; with robbing who called is asked twice."""
    claims = rules.MAX_CLAIMS if options["bidding"] == "robbing" else rules.NUM_SEATS
    shows = rules.MAX_SHOWS if options["showing"] == "on" else 0
    return claims + shows + rules.MAX_PLAYS


SPEC = GameSpec(
    id="doudizhu",
    title="Dou Dizhu",
    rules_version=1,
    seats=rules.NUM_SEATS,
    num_sides=2,
    two_sided=True,
    num_actions=rules.NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    max_decisions=rules.MAX_DEALS * rules.MAX_CLAIMS + rules.MAX_SHOWS + rules.MAX_PLAYS,
    max_deal_decisions=rules.MAX_CLAIMS + rules.MAX_SHOWS + rules.MAX_PLAYS,
    deal_decisions=deal_decisions,
    deck=(*(rank for rank in range(BLACK) for _ in range(4)), BLACK, RED),
    options=(
        Option(
            "bidding",
            "off",
            "whether the landlord is found by bidding or by robbing, or is seat 0",
            words=(*SWITCH, "robbing"),
            neutral=True,  # to who plays the cards; who bids is told apart, by `AgentInfo.bids`
        ),
        Option(
            "score",
            "wp",
            "points: the win alone, or doubled by every bomb",
            words=("wp", "adp"),
        ),
        Option(
            "spring",
            "off",
            "whether points double for a side that has not played, or only led",
            words=SWITCH,
            implied=True,
        ),
        Option(
            "showing",
            "off",
            "whether the landlord may show its hand, to double the points",
            words=SWITCH,
            implied=True,
        ),
    ),
    seatings=seatings,
    roles=roles,
    margin=margin,
    max_deals=lambda options: 1 if options["bidding"] == "off" else rules.MAX_DEALS,
    # With `wp` the two peasants get the landlord's points each (RULES 5.2, 5.3).
    score_sum=lambda options: 0 if options["score"] == "adp" else None,
    rules=rules,
    text=text,
    events=events,
    terminal=f"{__name__}.terminal",
    policies=classical.POLICIES,
    players=PLAYERS,
    fallback="rhcp-partner",
    bidders=bidding.BIDDERS,
    presets=(
        Preset("paper", "As in the papers", "Seat 0 is the landlord; only the win counts.", {}),
        Preset(
            "bidding",
            "Bidding",
            "Bids in points; bombs and spring double.",
            {"bidding": "on", "score": "adp", "spring": "on"},
        ),
        Preset(
            "robbing",
            "Calling and robbing",
            "The landlord is called and robbed, and may show its hand; all that, bombs and spring double.",
            {"bidding": "robbing", "score": "adp", "spring": "on", "showing": "on"},
        ),
    ),
    is_bidding=rules.is_bidding,
    is_ruled=rules.is_ruled,
    encodings=(
        encoding,
        plain_encoding,
        auction,
        group_encoding,
        wide_group_encoding,
        action_encoding,
        cooperation_encoding,
        deeprocket_encoding,
        flat_encoding,
        full_encoding,
    ),
    scenarios=scenarios,
    tells=tells,
    reasons=reasons,
    text_importer=game_text.read_games,
)
