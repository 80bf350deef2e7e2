"""Cards, moves, deals and views in text, and what is said about bad ones."""

import json

import pytest

import fuda
from fuda.games import doudizhu

LANDLORD, DOWN, UP = "33334444555566667777", "88889999TTTTJJJJQ", "QQQKKKKAAAA2222BR"
DEAL = {"hands": [LANDLORD, DOWN, UP], "bottom": "377"}
BIDDING_DEAL = {"hands": ["33334444555566667", DOWN, UP], "bottom": "777"}


@pytest.mark.parametrize(
    ("hand", "beat"),
    [
        ("", None), (None, None), (["3"], None), ("33333", None), ("BB", None), ("3x", None), ("3 4", None),
        ("t", None), (LANDLORD + "8", None), (3, None),
        ("3", "pass"), ("3", ""), ("3", "34"), ("3", 4), ("3", "44444"), ("3", "BR3"), ("3", "bid1"),
    ],
)  # fmt: skip
def test_bad_hands_and_moves_to_beat(hand, beat):
    with pytest.raises(ValueError, match=r"^[^\n]{10,160}$"):
        doudizhu.moves(hand, beat=beat)


@pytest.mark.parametrize("hand", ["3" * 100_000, "x" * 100_000])
def test_messages_stay_short(hand):
    with pytest.raises(ValueError, match=r"^.{10,160}$"):
        doudizhu.moves(hand)


def test_an_explicit_deal_is_dealt_and_written_back():
    match = fuda.game("doudizhu").start(seed=1, deal=DEAL)
    assert [match.view(seat)["hand"] for seat in range(3)] == DEAL["hands"]
    assert match.view(1)["bottom"] == "377"
    assert match.deals == [DEAL]
    assert fuda.replay(json.loads(json.dumps(match.record()))) == match


def test_cards_of_a_deal_come_in_any_order():
    turned = {"hands": [hand[::-1] for hand in DEAL["hands"]], "bottom": "773"}
    game = fuda.game("doudizhu")
    assert game.start(seed=1, deal=turned).state_bytes() == game.start(seed=1, deal=DEAL).state_bytes()


def test_a_bottom_that_is_not_given_is_drawn_from_the_landlords_cards():
    game = fuda.game("doudizhu")
    bottoms = {game.start(seed=seed, deal={"hands": DEAL["hands"]}).view(2)["bottom"] for seed in range(30)}
    assert len(bottoms) > 10
    assert all(set(bottom) <= set("34567") and len(bottom) == 3 for bottom in bottoms)
    first, again = (game.start(seed=4, deal={"hands": DEAL["hands"]}) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    "deal",
    [
        {}, [], [DEAL, DEAL], "deal", 3, {"bottom": "333"}, {**DEAL, "seed": 1},
        {"hands": DEAL["hands"][:2]}, {"hands": "abc"}, {"hands": [LANDLORD, DOWN, None]},
        {"hands": [LANDLORD[:-1], DOWN + "7", UP]}, {"hands": [LANDLORD, DOWN, UP[:-1] + "3"]},
        {"hands": [LANDLORD, UP, UP]}, {**DEAL, "bottom": "33"}, {**DEAL, "bottom": "8"},
        {**DEAL, "bottom": "337J"}, {**DEAL, "bottom": "338"}, {**DEAL, "bottom": None}, BIDDING_DEAL,
    ],
)  # fmt: skip
def test_bad_deals(deal):
    with pytest.raises(ValueError, match=r"^[^\n]{10,200}$"):
        fuda.game("doudizhu").start(seed=1, deal=deal)


@pytest.mark.parametrize("deal", [DEAL, {"hands": BIDDING_DEAL["hands"]}, {**BIDDING_DEAL, "bottom": "778"}])
def test_bad_deals_with_bidding(deal):
    with pytest.raises(ValueError, match=r"^[^\n]{10,200}$"):
        fuda.game("doudizhu", bidding="on").start(seed=1, deal=deal)


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ([], "pass", "leads"),
        ([], "43", "no move"),
        ([], "8", "not all in the hand"),
        ([], "44333", "rising order"),
        ([], "bid1", "bidding is over"),
        ([], "hello", "it is no move"),
        (["5"], "88", "does not beat 5"),
        (["5"], "3", "not all in the hand"),
    ],
)
def test_illegal_moves_are_explained(moves, move, why):
    match = fuda.game("doudizhu").start(seed=1, deal=DEAL)
    for played in moves:
        match.play(played)
    with pytest.raises(fuda.IllegalMove, match=why):
        match.play(move)


def test_illegal_bids_are_explained():
    match = fuda.game("doudizhu", bidding="on").start(seed=1, deal=BIDDING_DEAL)
    with pytest.raises(fuda.IllegalMove, match="time to bid"):
        match.play("3")
    match.play("bid2")
    with pytest.raises(fuda.IllegalMove, match="higher than 2"):
        match.play("bid1")


def test_a_view_has_what_the_rules_list():
    match = fuda.game("doudizhu").start(seed=1, deal=DEAL)
    for move in ("3333", "9999", "pass"):
        match.play(move)
    view = match.view(2)
    assert view["hand"] == UP
    assert view["hand_sizes"] == [16, 13, 17]
    assert view["played"] == ["3333", "9999", ""]
    assert view["bottom"] == "377"
    assert (view["beat"], view["beat_seat"], view["bombs"]) == ("9999", 1, 2)
    assert (view["landlord"], view["phase"], view["bids"]) == (0, "play", [None] * 3)
    assert (view["stake"], view["deal"]) == (1, 1)


def test_the_bottom_is_hidden_until_the_bidding_is_over():
    match = fuda.game("doudizhu", bidding="on").start(seed=1, deal=BIDDING_DEAL)
    assert match.view(0)["bottom"] is None
    assert match.view(0)["landlord"] is None
    assert match.view_record(0)[0].bottom == 0
    match.play("bid3")
    assert all(match.view(seat)["bottom"] == "777" for seat in range(3))
