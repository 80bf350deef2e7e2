"""Dealing, bidding, playing and scoring, in positions written as text."""

import numpy as np
import pytest

import fuda
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu.rules import MAX_DEALS

LANDLORD, DOWN, UP = "33334444555566667777", "88889999TTTTJJJJQ", "QQQKKKKAAAA2222BR"
DEAL = {"hands": [LANDLORD, DOWN, UP], "bottom": "377"}
BIDDING_DEAL = {"hands": ["33334444555566667", DOWN, UP], "bottom": "777"}


def play(moves: str, deal: object = None, **options: str) -> fuda.Match:
    """A match after some moves; seats follow from the rules."""
    bidding = options.get("bidding") == "on"
    match = fuda.game("doudizhu", **options).start(seed=1, deal=deal or (BIDDING_DEAL if bidding else DEAL))
    for move in moves.split():
        match.play(move)
    return match


def test_2_1_and_2_2_seat_0_is_the_landlord_and_leads():
    match = fuda.game("doudizhu").start(seed=3)
    assert match.seat == 0
    assert [len(match.view(seat)["hand"]) for seat in range(3)] == [20, 17, 17]
    assert match.view(1)["landlord"] == 0
    assert "pass" not in match.legal()  # RULES 4.1


@pytest.mark.parametrize(
    ("bids", "legal"),
    [
        ("", "bid0 bid1 bid2 bid3"), ("bid0", "bid0 bid1 bid2 bid3"), ("bid1", "bid0 bid2 bid3"),
        ("bid2 bid0", "bid0 bid3"), ("bid1 bid2", "bid0 bid3"),
    ],
)  # fmt: skip
def test_2_3_a_bid_is_0_or_higher(bids, legal):
    assert play(bids, bidding="on").legal() == legal.split()


@pytest.mark.parametrize(
    ("bids", "landlord", "stake"),
    [
        ("bid3", 0, 3), ("bid1 bid3", 1, 3), ("bid1 bid2 bid3", 2, 3), ("bid1 bid0 bid0", 0, 1),
        ("bid0 bid2 bid0", 1, 2), ("bid0 bid0 bid1", 2, 1),
    ],
)  # fmt: skip
def test_2_4_and_2_6_the_highest_bidder_takes_the_bottom_and_leads(bids, landlord, stake):
    match = play(bids, bidding="on")
    view = match.view(landlord)
    assert match.seat == view["landlord"] == landlord
    assert view["stake"] == stake
    assert len(view["hand"]) == view["hand_sizes"][landlord] == 20
    assert view["bottom"] == "777"
    assert "pass" not in match.legal()


def test_2_5_cards_that_nobody_wants_are_dealt_again():
    match = play("bid0 bid0 bid0", bidding="on")
    assert match.seat == 0
    assert len(match.deals) == 2
    assert match.view(0)["deal"] == 2
    assert match.view(0)["bids"] == [None, None, None]
    assert match.deals[0] != match.deals[1]


def test_2_5_after_many_deals_the_match_ends_without_points():
    match = fuda.game("doudizhu", bidding="on").start(seed=1)
    for _ in range(3 * MAX_DEALS):
        match.play("bid0")
    assert match.over
    assert match.scores == [0, 0, 0]
    assert SPEC.margin(np.array(match.scores), [True, False, False]) == 0


def test_4_2_seats_follow_in_turn():
    match = play("3 9")
    assert match.seat == 2
    assert "pass" in match.legal()
    assert set(match.legal()) == {"pass", "Q", "K", "A", "2", "B", "R", "KKKK", "AAAA", "2222", "BR"}


def test_4_5_two_passes_give_the_lead_back():
    match = play("3 9 pass pass")
    assert match.seat == 1
    assert "pass" not in match.legal()
    assert match.view(0)["beat"] is None


def test_4_5_a_play_between_passes_keeps_the_move_to_beat():
    match = play("3 pass Q pass")
    assert match.seat == 1
    assert match.legal() == ["8888", "9999", "JJJJ", "TTTT", "pass"]


def test_4_6_who_passed_may_play_again():
    match = play("3 pass Q 4444 8888")
    assert match.view(0)["beat"] == "8888"
    assert match.view(0)["beat_seat"] == 1


def finish(match: fuda.Match, mover: int) -> None:
    """One seat sheds its hand, solo by solo or better, while the others pass."""
    while not match.over:
        legal = match.legal()
        if match.seat != mover and "pass" in legal:
            match.play("pass")
        else:
            match.play(max((move for move in legal if move != "pass"), key=len))


def test_5_1_and_5_2_the_landlord_wins():
    match = play("")
    finish(match, 0)
    assert match.scores == [1, -1, -1]
    assert match.view(0)["hand_sizes"][0] == 0


def test_5_1_and_5_2_a_peasant_wins_for_both():
    match = play("3 9 pass pass")
    finish(match, 1)
    assert match.scores == [-1, 1, 1]


@pytest.mark.parametrize(
    ("opening", "bombs"), [("", 0), ("3333 pass pass", 1), ("3333 pass BR pass pass", 2)]
)
def test_5_3_every_bomb_doubles(opening, bombs):
    match = play(opening, score="adp")
    assert match.view(1)["bombs"] == bombs
    mover = match.seat
    finish(match, mover)
    bombs = match.view(1)["bombs"]
    stake = 2**bombs if mover == 0 else -(2**bombs)
    assert match.scores == [2 * stake, -stake, -stake]


def test_5_3_a_quad_with_kickers_does_not_double():
    assert play("333344 pass pass", score="adp").view(0)["bombs"] == 0


@pytest.mark.parametrize(("score", "unit"), [("wp", [-3, 3, -3]), ("adp", [-3, 6, -3])])
def test_5_4_the_bid_multiplies(score, unit):
    match = play("bid0 bid3", bidding="on", score=score)
    finish(match, 1)
    assert match.view(0)["landlord"] == 1
    factor = 2 ** match.view(0)["bombs"] if score == "adp" else 1
    assert match.scores == [points * factor for points in unit]


@pytest.mark.parametrize(
    ("scores", "single", "pair"),
    [
        ([1, -1, -1], 1, -1), ([-1, 1, 1], -1, 1), ([8, -4, -4], 8, -8), ([-2, 1, 1], -2, 2),
        ([-1, 1, -1], -0.5, 0.5), ([-4, 8, -4], -4, 4), ([3, 3, -3], 1.5, -1.5), ([0, 0, 0], 0, 0),
    ],
)  # fmt: skip
def test_7_margins_are_opposite(scores, single, pair):
    assert SPEC.margin(np.array(scores), [True, False, False]) == single
    assert SPEC.margin(np.array(scores), [False, True, True]) == pair
    batch = np.array([scores, scores])
    assert SPEC.margin(batch, [False, True, True]).tolist() == [pair, pair]


def test_the_history_keeps_all_plays():
    match = play("3 9 pass pass")
    view = match.view_record(0)[0]
    played = [SPEC.text.move_text(int(move)) for move in view.plays[: view.num_plays]]
    assert played == ["3", "9", "pass", "pass"]
