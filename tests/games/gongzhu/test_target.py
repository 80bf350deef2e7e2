"""A match of several deals: RULES.md, section 9, by number."""

import random

import numpy as np
import pytest

import fuda
from fuda.games import gongzhu
from fuda.games.gongzhu.rules import MAX_DEALS

from .reference import DECK, HEARTS, SUITS

# Seat 0 holds all spades, seat 1 all hearts, and so on: who leads takes all tricks, since nobody can follow.
ONE_SUIT_EACH = {"hands": [[card for card in DECK if card[0] == suit] for suit in SUITS]}
# Seat 1 has the ace of spades, and in its place seat 0 the ace of hearts, which no suit led brings out.
HANDS = [list(hand) for hand in ONE_SUIT_EACH["hands"]]
HANDS[0][12], HANDS[1][12] = "HA", "SA"
PIG_TO_SEAT_1 = {"hands": HANDS}


def finish_deal(match, luck=None):
    """Play to the end of a deal: the first legal card, or a random one."""
    while True:
        legal = match.legal()
        match.play(luck.choice(legal) if luck else legal[0])
        if match.dealt or match.over:
            return match


def start(deal=None, **options):
    return fuda.game("gongzhu", **options).start(seed=1, deal=deal)


def test_9_1_one_deal_by_default():
    match = start()
    assert match.record()["options"] == match.view(0)["options"] == {"leader": 0}
    assert not {"deal", "totals"} & set(match.view(0))
    assert match.first_deal_events(0) == []
    assert finish_deal(match, random.Random(1)).over


def test_9_1_points_add_up_until_a_team_has_lost_as_many():
    luck, match, sums = random.Random(2), start(target=1000), np.zeros(4, int)
    while not match.over:
        view = match.view(0)
        assert view["totals"] == sums.tolist()
        assert min(sums[0] + sums[2], sums[1] + sums[3]) > -1000
        assert view["deal"] == len(match.deals)
        finish_deal(match, luck)
        told = next(event for event in match.events(0) if event["type"] == "deal_over")
        sums += told["points"]
        assert told["totals"] == sums.tolist()
    assert match.scores == sums.tolist()
    assert min(sums[0] + sums[2], sums[1] + sums[3]) <= -1000
    assert len(match.deals) > 2
    assert fuda.replay(match.record()) == match


@pytest.mark.parametrize(("target", "over"), [(90, True), (100, True), (110, False)])
def test_9_1_the_target_itself_is_enough(target, over):
    """Seat 0 leads the pig to the ace of seat 1, which also takes the rest: the pig is all that it costs."""
    match = start(PIG_TO_SEAT_1, target=target)
    for card in ("SQ", "SA", "D2", "C2"):
        match.play(card)
    finish_deal(match)
    assert match.over == over
    points = next(event for event in match.events(0) if event["type"] == "deal_over")["points"]
    assert points[1] + points[3] == -100


def test_9_1_only_what_is_lost_ends_it():
    """Seat 0 takes all: +200 for the hearts, -100 and +100, doubled: +400. The match goes on."""
    match = finish_deal(start(ONE_SUIT_EACH, target=300))
    assert not match.over
    assert match.view(0)["totals"] == [400, 0, 0, 0]
    assert match.ended_round_view(0)["points"] == [400, 0, 0, 0]
    assert match.view(0)["points"] == [0, 0, 0, 0]


@pytest.mark.parametrize("leader", range(4))
def test_9_2_who_took_the_pig_leads_the_next_deal(leader):
    match = start(ONE_SUIT_EACH, leader=leader, target=1000)
    assert match.seat == leader
    finish_deal(match)  # the leader takes all tricks
    assert match.seat == match.view(0)["first_leader"] == leader
    luck = random.Random(leader)
    for _ in range(3):
        finish_deal(match, luck)
        if match.over:
            return
        piles = match.ended_round_view(0)["piles"]
        assert match.seat == next(seat for seat, pile in enumerate(piles) if "SQ" in pile)


def test_9_2_an_explicit_deal_may_name_another():
    match = start([ONE_SUIT_EACH, {**ONE_SUIT_EACH, "leader": 2}], target=1000)
    assert finish_deal(match).seat == 2


def test_9_3_the_match_ends_after_a_hundred_deals():
    match = start([ONE_SUIT_EACH] * MAX_DEALS, target=5000)
    for _ in range(MAX_DEALS - 1):
        assert not finish_deal(match).over
    assert finish_deal(match).over
    assert match.scores == [400 * MAX_DEALS, 0, 0, 0]


def test_9_4_the_margin_is_that_of_the_totals():
    match = start(target=100)
    while not match.over:
        finish_deal(match, random.Random(3))
    own = match.scores[0] + match.scores[2] - match.scores[1] - match.scores[3]
    assert match.margin(0) == match.margin(2) == own == -match.margin(1)


def test_a_search_looks_for_what_the_deal_is_worth():
    match, payoff = finish_deal(start(ONE_SUIT_EACH, target=1000)), np.zeros(4)
    gongzhu.SPEC.rules.payoff(match._state[0], payoff)
    assert payoff.tolist() == [0, 0, 0, 0]  # the next deal has just begun


def test_6_4_deals_are_told():
    match = start(ONE_SUIT_EACH, leader=1, target=1000)
    assert match.first_deal_events(1) == [{"type": "deal", "deal": 1, "leader": 1, "hand": HEARTS}]
    finish_deal(match)
    assert [event["type"] for event in match.events(0)] == ["play", "trick", "deal_over", "deal"]


@pytest.mark.parametrize("name", ["if", "greed", "best-raw"])
def test_players_play_matches_with_cards_shown(name):
    result = fuda.duel("gongzhu", f"gongzhu/{name}", "gongzhu/random", 4, seed=1, showing="on", target=300)
    assert result.games == 4
    assert result.mean_diff > 0
