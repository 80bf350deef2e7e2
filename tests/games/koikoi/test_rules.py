"""Sections 2, 3 and 5 of RULES.md; each test names its rule."""

import pytest

import fuda
from tests.games.koikoi.positions import deal_of, play, start

# A quiet deal: seat 0 deals, no card of a hand or of the first draws matches by accident.
MINE = "1-1 1-2 2-1 3-1 5-1 6-1 7-1 8-1"
THEIRS = "1-3 2-2 3-2 4-1 5-2 6-2 7-2 8-2"
FIELD = "9-1 9-2 10-1 10-2 11-1 11-2 12-1 12-2"


def test_2_2_each_has_eight_cards_and_the_stock_24():
    view = start(MINE, THEIRS, FIELD).view(0)
    assert view["hand"] == MINE.split()
    assert view["field"] == FIELD.split()
    assert view["hand_sizes"] == [8, 8]
    assert view["stock_size"] == 24


@pytest.mark.parametrize(
    ("mine", "theirs", "field"),
    [
        ("1-1 1-2 1-3 1-4 5-1 6-1 7-1 8-1", "2-1 2-2 3-2 4-1 5-2 6-2 7-2 8-2", FIELD),
        (MINE, "2-2 2-3 3-2 4-1 4-2 4-3 4-4 8-2", FIELD),
        (MINE, THEIRS, "9-1 9-2 9-3 9-4 11-1 11-2 12-1 12-2"),
    ],
)
def test_2_3_a_whole_month_is_dealt_again(mine, theirs, field):
    with pytest.raises(ValueError, match="all four cards of a month"):
        start(mine, theirs, field)


@pytest.mark.parametrize("dealer", [0, 1])
def test_3_1_the_dealer_moves_first_and_the_players_alternate(dealer):
    match = start(MINE, THEIRS, FIELD, "4-2 4-3", dealer)
    assert match.seat == dealer
    match.play("1-1" if dealer == 0 else "1-3")
    assert match.seat == 1 - dealer


def test_3_1_all_cards_of_the_hand_can_be_discarded():
    assert start(MINE, THEIRS, FIELD).legal() == sorted(MINE.split())


def test_3_2_without_a_match_both_cards_stay():
    view = play(start(MINE, THEIRS, FIELD, "4-2"), "1-1").view(0)
    assert {"1-1", "4-2"} <= set(view["field"])
    assert view["piles"] == [[], []]
    assert view["hand"] == MINE.split()[1:]


def test_3_2_one_match_is_taken():
    field = "9-1 8-3 10-1 10-2 11-1 11-2 12-1 12-2"
    view = play(start(MINE, THEIRS, field, "9-3"), "8-1").view(1)
    assert view["piles"] == [["8-1", "8-3", "9-1", "9-3"], []]
    turn = view["turns"][0]
    assert (turn["discard"], turn["discard_took"]) == ("8-1", ["8-3"])
    assert (turn["draw"], turn["draw_took"], turn["koikoi"]) == ("9-3", ["9-1"], None)


def test_3_2_of_two_matches_the_player_chooses_even_equal_dross():
    match = start(MINE, THEIRS, "8-3 8-4 10-1 10-2 11-1 11-2 12-1 12-2", "4-2")
    match.play("8-1")
    assert match.seat == 0
    assert match.legal() == ["8-3", "8-4"]
    view = match.view(0)
    assert (view["phase"], view["shown"]) == ("pick", "8-1")
    assert "8-1" not in view["field"] + view["hand"] + view["piles"][0]
    match.play("8-4")
    assert match.view(0)["piles"][0] == ["8-1", "8-4"]
    assert "8-3" in match.view(0)["field"]


def test_3_2_of_two_matches_of_the_draw_the_player_chooses():
    match = play(start(MINE, THEIRS, FIELD, "10-3"), "1-1")
    assert match.legal() == ["10-1", "10-2"]
    assert match.view(1)["shown"] == "10-3"  # all see the drawn card
    play(match, "10-1")
    assert match.view(0)["piles"][0] == ["10-1", "10-3"]
    assert match.seat == 1


def test_3_2_three_matches_are_all_taken():
    match = start(MINE, THEIRS.replace("8-2", "2-3"), "8-2 8-3 8-4 10-1 10-2 11-1 11-2 12-1", "4-2")
    match.play("8-1")
    assert match.view(0)["piles"][0] == ["8-1", "8-2", "8-3", "8-4"]
    assert match.seat == 1


def test_3_2_the_draw_may_take_the_card_just_discarded():
    view = play(start(MINE, THEIRS, FIELD, "1-4"), "1-1").view(0)
    assert view["piles"][0] == ["1-1", "1-4"]


# Seat 0 makes Flower Viewing Sake on its first turn: Curtain with 3-3, Sake Cup by the draw.
SAKE_FIELD = "3-3 9-1 10-1 10-2 11-1 11-2 12-1 12-2"


def test_3_3_a_new_yaku_offers_koikoi():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3"), "3-1")
    assert match.seat == 0
    assert match.legal() == ["koikoi", "stop"]
    assert match.view(0)["yaku"][0] == [["Flower Viewing Sake", 1]]


def test_the_view_tells_what_each_answer_is_worth():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3 4-2 4-3"), "3-1")
    # Flower Viewing Sake: 1 point now, 3 and the bonus of 1 after a claim (4.3, 4.4); both players may know.
    assert [match.view(seat)["stakes"] for seat in (0, 1)] == [{"stop": 1, "koikoi": 4}] * 2
    assert play(match, "koikoi").view(0)["stakes"] is None


def test_3_3_a_turn_that_adds_nothing_offers_none():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3 4-2 4-3"), "3-1 koikoi 4-1 1-1")
    assert match.view(0)["phase"] == "discard"
    assert match.seat == 1


def test_3_3_three_lights_to_rainy_four_lights_offers_again():
    mine = "1-1 3-1 8-1 12-1 5-1 6-1 7-1 2-1"
    theirs = "1-2 2-2 3-2 4-1 5-2 6-2 7-2 8-2"
    field = "1-3 3-3 8-3 9-2 10-1 10-2 11-1 4-3"
    # Seat 0 takes Crane, Curtain, Moon; seat 1 plays cards that take nothing of it.
    match = start(mine, theirs, field, "9-3 6-3 2-3 6-4 7-3 5-3 11-2")
    play(match, "1-1 5-2 3-1 2-2 8-1")
    assert match.view(0)["yaku"][0] == [["Three Lights", 5]]
    play(match, "koikoi 7-2")
    match.play("5-1")  # the draw 11-2 takes the Rainman
    assert match.view(0)["yaku"][0] == [["Rainy Four Lights", 7], ["Koi-Koi", 1]]
    assert match.legal() == ["koikoi", "stop"]


def test_5_1_who_stops_gets_the_own_points_and_5_3_deals():
    match = start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=2)
    play(match, "3-1 stop")
    view = match.view(1)
    assert view["points"] == [31, 29]
    assert view["round_points"] == [1]
    assert (view["round"], view["dealer"], view["to_move"]) == (2, 0, 0)


def test_4_3_the_bonus_counts_from_the_next_stop_on():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3 4-2 4-3"), "3-1 koikoi")
    assert match.view(0)["koikoi"] == [1, 0]
    assert match.view(0)["yaku"][0] == [["Flower Viewing Sake", 3], ["Koi-Koi", 1]]


def test_a_match_of_several_rounds_goes_on_by_itself():
    match = start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=3)
    play(match, "3-1 stop")
    assert not match.over
    assert len(match.view(0)["hand"]) == 8


def whole_round(match: fuda.Match) -> fuda.Match:
    """Seat 0 and 1 discard in the order of the deck and always answer koi-koi."""
    number = len(match.deals)
    while not match.over and len(match.deals) == number:
        legal = match.legal()
        match.play("koikoi" if "koikoi" in legal else legal[0])
    return match


def test_5_2_if_nobody_stops_the_dealer_gets_a_point_and_deals_again():
    found = 0
    for seed in range(60):
        match = whole_round(fuda.game("koikoi", rounds=2).start(seed=seed))
        over = next(event for event in match.events(0) if event["type"] == "round_over")
        if over["reason"] != "exhausted":
            continue
        found += 1
        dealer = match.deals[0]["dealer"]
        assert over["winner"] == dealer
        assert match.view(0)["round_points"] == [1 if dealer == 0 else -1]
        assert match.deals[1]["dealer"] == dealer
    assert found > 10


def test_3_4_on_the_eighth_turn_higher_points_stop_the_round():
    found = 0
    for seed in range(80):
        match = whole_round(fuda.game("koikoi", rounds=1).start(seed=seed))
        over = next(event for event in match.events(0) if event["type"] == "round_over")
        if over["reason"] != "last turn":
            continue
        found += 1
        turns = match.view(0)["turns"]
        assert len(turns) > 14
        assert turns[-1]["koikoi"] is None
        assert turns[-1]["seat"] == over["winner"]
    assert found > 10


def test_5_4_the_match_has_so_many_rounds_and_points():
    match = start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=1, points=5)
    play(match, "3-1 stop")
    assert match.over
    assert match.scores == [6, 4]


def test_5_5_a_player_without_points_loses_at_once():
    match = start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=8, points=1)
    play(match, "3-1 stop")
    assert match.over
    assert match.scores == [2, 0]
    assert len(match.deals) == 1


def test_5_5_points_are_not_clamped():
    mine = "1-1 3-1 8-1 5-1 6-1 7-1 2-1 4-2"
    theirs = "1-2 2-2 3-2 4-1 5-2 6-2 7-2 8-2"
    field = "1-3 3-3 8-3 9-2 10-1 10-2 11-1 12-2"
    match = start(mine, theirs, field, "9-3 6-3 2-3 6-4 4-3", points=2)
    play(match, "1-1 5-2 3-1 2-2 8-1 stop")
    assert match.scores == [7, -3]


def test_a_later_dealer_must_agree_with_5_3():
    deals = [deal_of(MINE, THEIRS, SAKE_FIELD, "9-3"), deal_of(MINE, THEIRS, FIELD, dealer=1)]
    match = fuda.game("koikoi").start(0, deals)
    play(match, "3-1")
    before = match.state_bytes()
    with pytest.raises(ValueError, match="seat 0 won the last round and deals, not 1"):
        match.play("stop")
    assert match.state_bytes() == before
    assert match.legal() == ["koikoi", "stop"]


def test_missing_rounds_come_from_the_seed_whether_or_not_earlier_ones_were_given():
    seeded = fuda.game("koikoi", rounds=3).start(11)
    given = fuda.game("koikoi", rounds=3).start(11, deal=seeded.deals[0])
    assert given == seeded
    for match in (seeded, given):
        whole_round(match)
    assert given == seeded


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ("", "4-4", "the card is not in the hand"),
        ("", "koikoi", "no koi-koi decision is offered now"),
        ("", "Moon", "a card is text from 1-1 to 12-4"),
        ("1-1", "9-2", "choose a field card that matches 10-3"),
        ("1-1 10-1 4-1 3-1", "koikoi", "no koi-koi decision"),
    ],
)
def test_an_illegal_move_says_why(moves, move, why):
    match = play(start(MINE, THEIRS, FIELD, "10-3 4-2"), moves)
    with pytest.raises(fuda.IllegalMove, match=why):
        match.play(move)


def test_the_answer_to_koikoi_says_what_is_asked():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3"), "3-1")
    with pytest.raises(fuda.IllegalMove, match="the answer is koikoi or stop"):
        match.play("1-1")
