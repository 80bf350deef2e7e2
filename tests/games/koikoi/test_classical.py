"""The classical player: decisions that a person would call sensible, in deals written out in full."""

import pytest

import fuda
from fuda.core.generator import AGENT, streams
from fuda.games.koikoi.classical import choose
from fuda.games.koikoi.rules import CLAIM, DISCARD, PICK_FOR_DISCARD, PICK_FOR_DRAW
from fuda.games.koikoi.text import CARD_TEXTS

CLASSICAL = fuda.agent("koikoi/classical")


def table(hands, field, draws, moves, **options):
    """A match with these cards, seat 0 dealing, after these moves; unnamed cards end the stock."""
    named = [*hands[0].split(), *hands[1].split(), *field.split(), *draws.split()]
    rest = [card for card in CARD_TEXTS if card not in named]
    deal = {
        "dealer": 0,
        "hands": [hands[0].split(), hands[1].split()],
        "field": field.split(),
        "stock": draws.split() + rest,
    }
    match = fuda.game("koikoi", **options).start(seed=0, deal=deal)
    for move in moves.split():
        match.play(move)
    return match


# Seat 0 has taken the Crane and the Curtain; the Moon would make Three Lights.
TWO_LIGHTS = {
    "hands": ("1-3 3-3 8-3 5-3 2-3 6-3 7-3 9-3", "2-4 4-3 6-4 7-4 9-4 10-2 11-4 12-4"),
    "field": "1-1 3-1 8-1 8-4 5-4 10-3 4-4 12-3",
    "draws": "6-1 7-1 9-2 11-1",
    "moves": "1-3 2-4 3-3 11-4",
}


def test_takes_the_light_that_completes_three_lights():
    match = table(**TWO_LIGHTS)
    assert CLASSICAL.choose(match) == "8-3"
    match.play("8-3")
    assert match.legal() == ["8-1", "8-4"]
    assert CLASSICAL.choose(match) == "8-1"


def test_picks_the_light_for_a_drawn_card_too():
    position = TWO_LIGHTS | {
        "hands": ("1-3 3-3 2-3 5-3 8-2 6-3 7-3 9-3", TWO_LIGHTS["hands"][1]),
        "draws": "6-1 7-1 9-2 11-1 8-3",
    }
    match = table(**position)
    match.play("5-3")
    assert match.legal() == ["8-1", "8-4"]
    assert CLASSICAL.choose(match) == "8-1"


# Seat 1 has taken the Boar and the Deer, and the Butterfly lies on the field. Seat 0 can take it
# with its dross of month 6, or make a pair of no use to either player.
BUTTERFLY_LEFT = {
    "hands": ("6-3 5-3 2-3 3-3 4-3 11-3 8-3 12-2", "7-3 10-3 1-3 1-4 2-4 9-3 9-4 3-4"),
    "field": "7-1 10-1 6-1 5-4 12-3 12-4 8-4 11-4",
    "draws": "1-2 2-2 4-4 3-2 9-2",
    "moves": "4-3 7-3 2-3 10-3",
}


def test_takes_away_the_card_that_completes_the_opponents_yaku():
    match = table(**BUTTERFLY_LEFT)
    assert match.view(0)["piles"][1].count("7-1") == match.view(0)["piles"][1].count("10-1") == 1
    assert CLASSICAL.choose(match) == "6-3"


def test_does_not_throw_the_card_that_the_opponent_needs():
    # As above, but seat 0 holds the Butterfly itself, and no card of its hand matches the field.
    position = BUTTERFLY_LEFT | {
        "hands": ("6-1 4-3 2-3 3-3 5-3 5-2 9-1 6-2", "7-3 10-3 1-3 1-4 2-4 9-3 9-4 3-4"),
        "field": "7-1 10-1 8-1 8-3 12-3 12-4 11-1 11-4",
        "moves": "4-3 7-3 2-3 10-3",
    }
    match = table(**position)
    assert CLASSICAL.choose(match) not in ("6-1", "9-1")


# Flower Viewing Sake on the second turn, for one point. The Moon is on the field and seat 0 holds
# all its mates, so that nobody else can take it: Moon Viewing Sake and Three Lights are to come.
EARLY_SAKE = {
    "hands": ("3-3 9-3 8-2 8-3 8-4 12-2 1-3 1-4", "2-3 2-4 4-3 5-3 6-3 7-3 10-3 11-4"),
    "field": "3-1 9-1 8-1 12-1 1-1 4-4 5-4 7-4",
    "draws": "10-4 6-4 2-2",
    "moves": "3-3 2-3 9-3",
}


def test_claims_koikoi_early_with_strong_prospects():
    match = table(**EARLY_SAKE)
    assert match.legal() == ["koikoi", "stop"]
    assert CLASSICAL.choose(match) == "koikoi"


@pytest.mark.parametrize(("rounds", "answer"), [(1, "stop"), (8, "koikoi")])
def test_stops_with_the_point_that_wins_the_match(rounds, answer):
    # The same Flower Viewing Sake, with good ribbons to come but nothing certain. In the only round
    # one point wins the match; in the first of eight it is worth going on.
    position = EARLY_SAKE | {
        "hands": ("3-3 9-3 2-1 4-2 6-2 12-2 1-3 10-2", "2-3 2-4 4-3 5-3 6-3 7-3 8-3 11-4"),
        "field": "3-1 9-1 8-1 8-4 5-1 4-4 5-4 7-4",
    }
    match = table(**position, rounds=rounds)
    assert match.legal() == ["koikoi", "stop"]
    assert CLASSICAL.choose(match) == answer


def test_stops_with_a_big_hand_when_the_opponent_is_about_to_score():
    # Three Lights on the third turn, while seat 1 holds Boar and Deer with the Butterfly in sight.
    position = {
        "hands": ("1-3 3-3 8-3 2-3 2-4 4-3 11-3 5-3", "7-3 10-3 6-3 6-4 9-3 9-4 12-2 12-3"),
        "field": "1-1 3-1 8-1 7-1 10-1 6-1 5-4 4-4",
        "draws": "11-4 12-4 9-2 11-2 2-2",
        "moves": "1-3 7-3 3-3 10-3 8-3",
    }
    match = table(**position)
    assert match.legal() == ["koikoi", "stop"]
    assert CLASSICAL.choose(match) == "stop"


# Three Lights, five points, on seat 0's seventh and last but one turn; little else can follow.
LATE_LIGHTS = {
    "hands": ("1-3 3-3 2-3 5-3 6-3 7-3 12-2 4-3", "2-4 4-4 5-4 6-4 7-4 9-3 10-3 11-4"),
    "field": "1-1 3-1 12-1 8-2 8-3 9-4 10-4 11-3",
    "draws": "2-2 1-2 3-2 4-2 9-2 6-2 10-2 7-2 5-2 2-1 6-1 7-1 4-1",
    "moves": "1-3 2-4 3-3 4-4 2-3 5-4 5-3 6-4 6-3 7-4 7-3 9-3 12-2",
}


def test_stops_late_with_a_big_hand():
    match = table(**LATE_LIGHTS)
    assert match.view(0)["turn"] == 13
    assert match.legal() == ["koikoi", "stop"]
    assert CLASSICAL.choose(match) == "stop"


def test_its_moves_are_legal_in_every_phase():
    # One seat plays at random, so that odd positions come up; `play` refuses what is not legal.
    random = fuda.agent("koikoi/random", seed=1)
    phases = set()
    for seed in range(40):
        match = fuda.game("koikoi", rounds=1 + seed % 12, points=10 + seed).start(seed=seed)
        while not match.over:
            if match.seat == seed % 2:
                match.play(random.choose(match))
            else:
                phases.add(int(match.view_record(match.seat)[0].phase))
                match.play(CLASSICAL.choose(match))
    assert phases == {DISCARD, PICK_FOR_DISCARD, PICK_FOR_DRAW, CLAIM}


def test_the_choice_depends_on_the_view_alone():
    match = table(**TWO_LIGHTS)
    view = match.view_record(0)
    moves = {int(choose(view[0], 0, streams(seed, AGENT, 0, 1))) for seed in range(20)}
    assert moves == {CARD_TEXTS.index("8-3")}


def test_beats_random_by_far():
    result = fuda.duel("koikoi", "koikoi/classical", "koikoi/random", games=400, seed=11)
    assert result.win_rate > 0.95
    assert result.mean_diff > 25
