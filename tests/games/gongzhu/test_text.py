"""Texts, deals, views and events; and what is said about bad ones."""

import json

import numpy as np
import pytest

import fuda
from fuda.games import gongzhu
from fuda.games.tricks.french import CARDS

from .reference import DECK, SUITS

HANDS = [[card for card in DECK if card[0] == suit] for suit in SUITS]
GAME = fuda.game("gongzhu")


def test_cards_and_moves():
    texts = [gongzhu.text.move_text(action) for action in range(52)]
    assert texts == DECK
    assert texts[10] == "SQ"
    assert [CARDS.read(text) for text in texts] == list(range(52))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("SQ", "cards are a list"),
        (None, "cards are a list"),
        ({"SQ": 1}, "cards are a list"),
        (["SQ", "SQ"], "card SQ is there twice"),
        (["S1"], "a card is text such as SQ or C10: a suit of S, H, D, C and a rank, not 'S1'"),
        (["ST"], "a card is text"),
        (["sq"], "a card is text"),
        ([" SQ"], "a card is text"),
        (["QS"], "a card is text"),
        ([10], "not 10"),
        ([["SQ"]], "a card is text"),
        (["X" * 100], r"\.\.\."),
    ],
)
def test_bad_piles(cards, message):
    with pytest.raises(ValueError, match=message):
        gongzhu.points(cards)


def test_points_takes_lists_tuples_and_sets():
    assert (
        gongzhu.points(["SQ", "C10"])
        == gongzhu.points(("SQ", "C10"))
        == gongzhu.points({"SQ", "C10"})
        == -200
    )
    assert type(gongzhu.points([])) is int


def changed(seat, place, card):
    hands = [list(hand) for hand in HANDS]
    hands[seat][place] = card
    return hands


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({}, "a Gongzhu deal is a dictionary with the key hands"),
        ([], "deals"),
        ("SQ", "a Gongzhu deal is a dictionary"),
        ({"leader": 0}, "key hands"),
        ({"hands": HANDS, "dealer": 0}, "key hands"),
        ({"hands": HANDS[:3]}, "hands are 4 lists of 13 cards"),
        ({"hands": "SHDC"}, "hands are 4 lists of 13 cards"),
        ({"hands": [*HANDS[:3], HANDS[3][:12]]}, "the hand of seat 3 is a list of 13 cards"),
        ({"hands": [*HANDS[:3], None]}, "the hand of seat 3 is a list of 13 cards, not None"),
        ({"hands": changed(2, 0, "SA")}, "card SA is dealt twice"),
        ({"hands": changed(2, 0, "D1")}, "a card is text such as SQ"),
        ({"hands": changed(2, 0, 5)}, "not 5"),
        ({"hands": HANDS, "leader": 4}, "the leader is a seat from 0 to 3, not 4"),
        ({"hands": HANDS, "leader": -1}, "the leader is a seat"),
        ({"hands": HANDS, "leader": None}, "the leader is a seat"),
        ({"hands": HANDS, "leader": True}, "the leader is a seat"),
        ({"hands": HANDS, "leader": "0"}, "the leader is a seat"),
        ([{"hands": HANDS}, {"hands": HANDS}], "deals"),
    ],
)
def test_6_2_bad_deals(deal, message):
    with pytest.raises(ValueError, match=message) as caught:
        GAME.start(seed=0, deal=deal)
    assert "\n" not in str(caught.value)


def test_6_2_the_leader_of_a_deal_goes_before_the_option():
    game = fuda.game("gongzhu", leader=2)
    assert game.start(seed=0, deal={"hands": HANDS}).seat == 2
    assert game.start(seed=0, deal={"hands": HANDS, "leader": 1}).seat == 1
    assert game.start(seed=0, deal={"hands": HANDS, "leader": np.int64(3)}).seat == 3


def test_6_2_deals_are_written_as_they_are_read():
    match = fuda.game("gongzhu", leader=3).start(seed=11)
    (deal,) = match.deals
    assert deal["leader"] == 3
    again = GAME.start(seed=0, deal=deal)
    assert again.state_bytes() == match.state_bytes()
    shuffled = {"hands": [hand[::-1] for hand in deal["hands"]], "leader": 3}
    assert GAME.start(seed=0, deal=shuffled).state_bytes() == match.state_bytes()


@pytest.mark.parametrize(("name", "value"), [("leader", 4), ("leader", -1), ("leader", "0"), ("rounds", 2)])
def test_bad_options(name, value):
    with pytest.raises(ValueError, match=name):
        fuda.game("gongzhu", **{name: value})


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("SQ", "you must follow diamonds"),
        ("H2", "the card is not in the hand"),
        ("D9", "the card is not in the hand"),
        ("pass", "a card is text such as SQ"),
        ("sq", "a card is text such as SQ"),
        ("SQ ", "a card is text such as SQ"),
        ("", "a card is text such as SQ"),
        (None, "a move is text"),
        (10, "a move is text"),
    ],
)
def test_illegal_moves_say_why_and_change_nothing(move, why):
    hands = [list(hand) for hand in HANDS]
    hands[0][0], hands[2][0] = "D2", "S2"  # seat 0 follows with one diamond
    match = GAME.start(seed=0, deal={"hands": hands, "leader": 2})
    match.play("D9")
    match.play("C2")
    before = match.state_bytes()
    with pytest.raises(fuda.IllegalMove, match=why):
        match.play(move)
    assert match.state_bytes() == before
    assert match.legal() == ["D2"]


def test_no_move_after_the_end():
    match = GAME.start(seed=1)
    while not match.over:
        match.play(match.legal()[0])
    with pytest.raises(fuda.IllegalMove, match="over"):
        match.play("SQ")


def test_6_3_the_view():
    match = GAME.start(seed=0, deal={"hands": HANDS, "leader": 1})
    for move in ("H5", "D2", "CA", "S2", "HA", "DK"):
        match.play(move)
    view = match.view(3)
    assert json.loads(json.dumps(view)) == view
    assert view == {
        "game": "gongzhu",
        "seat": 3,
        "to_move": 3,
        "legal": sorted(card for card in HANDS[3] if card != "CA"),
        "history": [[1, "H5"], [2, "D2"], [3, "CA"], [0, "S2"], [1, "HA"], [2, "DK"]],
        "options": {"leader": 0},
        "trick": 2,
        "phase": "play",
        "first_leader": 1,
        "leader": 1,
        "hand": HANDS[3][:-1],
        "hand_sizes": [12, 11, 11, 12],
        "table": [[1, "HA"], [2, "DK"]],
        "piles": [[], ["S2", "H5", "D2", "CA"], [], []],
        "points": [0, -10, 0, 0],
        "voids": [["H"], [], ["H"], ["H"]],
        "tricks": [{"leader": 1, "cards": ["H5", "D2", "CA", "S2"], "winner": 1}],
        "settled": None,
    }


def test_6_3_the_view_at_the_end():
    match = GAME.start(seed=2)
    while not match.over:
        match.play(match.legal()[-1])
    for seat in range(4):
        view = match.view(seat)
        assert json.loads(json.dumps(view)) == view
        assert (view["phase"], view["trick"], view["leader"], view["to_move"]) == ("over", 13, None, None)
        assert view["hand"] == []
        assert view["table"] == []
        assert view["hand_sizes"] == [0] * 4
        assert view["points"] == view["settled"] == match.scores
        assert len(view["tricks"]) == 13


def test_5_1_a_view_does_not_depend_on_the_hands_that_it_hides():
    other = {"hands": [HANDS[0], HANDS[2], HANDS[3], HANDS[1]]}
    views = [GAME.start(seed=0, deal=deal).view(0) for deal in ({"hands": HANDS}, other)]
    assert views[0] == views[1]


class TestEvents:
    def test_6_4_a_play(self):
        match = GAME.start(seed=0, deal={"hands": HANDS, "leader": 1})
        match.play("HA")
        for seat in range(4):
            assert match.events(seat) == [{"type": "play", "seat": 1, "card": "HA"}]

    def test_6_4_the_end_of_a_trick(self):
        match = GAME.start(seed=0, deal={"hands": HANDS, "leader": 2})
        for move in ("D3", "CA", "S2", "HA"):
            match.play(move)
        assert match.events(0) == [
            {"type": "play", "seat": 1, "card": "HA"},
            {"type": "trick", "winner": 2, "cards": ["D3", "CA", "S2", "HA"]},
        ]

    def test_6_4_the_end_of_the_match(self):
        match = GAME.start(seed=5)
        plays, tricks = 0, 0
        while not match.over:
            match.play(match.legal()[0])
            seen = match.events(2)
            assert json.loads(json.dumps(seen)) == seen
            plays += sum(event["type"] == "play" for event in seen)
            tricks += sum(event["type"] == "trick" for event in seen)
        assert (plays, tricks) == (52, 13)
        assert seen[-1] == {"type": "match_over", "scores": match.scores}
