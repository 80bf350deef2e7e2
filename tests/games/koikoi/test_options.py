"""Section 6 of RULES.md: what other tables play. Each test names its rule."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.koikoi.rules import _count_by_options
from fuda.games.koikoi.text import CARD_TEXTS, read_pile, yaku_of
from fuda.games.koikoi.yaku import is_four_pairs, is_hand_yaku
from tests.games.koikoi.positions import deal_of, play, start
from tests.games.koikoi.test_rules import FIELD, MINE, SAKE_FIELD, THEIRS, whole_round
from tests.games.koikoi.test_yaku import BLUE, LIGHTS, RAINMAN, RED, SEEDS, reference

FLOWER, MOON, CUP = "3-1", "8-1", "9-1"


def worth(pile: list[str], claims: int = 0, theirs: int = 0, **options: object) -> list[tuple[str, int]]:
    """What a pile is worth to seat 0 under options, which must be what the rules count in the state."""
    game = fuda.game("koikoi", **options)
    state = game.spec.new_states(1)
    game.spec.rules.start(state[0], game.option_codes, streams(1, SAMPLE, 0, 1))
    state[0].pile[0], state[0].claims[0], state[0].claims[1] = read_pile(pile), claims, theirs
    _count_by_options(state[0], 0)
    found = yaku_of(state[0], 0)
    assert sum(points for _, points in found) == state[0].yaku_points[0]
    return found


@pytest.mark.parametrize(
    ("viewing", "before", "after"),
    [("rising", 1, 3), ("off", 0, 0), ("1", 1, 1), ("3", 3, 3), ("5", 5, 5)],
)
def test_6_1_viewing_sake_is_worth_what_the_option_says(viewing, before, after):
    for claims, each in ((0, before), (1, after)):
        found = worth([FLOWER, MOON, CUP], claims, viewing=viewing, bonus="off")
        expected = [("Flower Viewing Sake", each), ("Moon Viewing Sake", each)]
        assert found == (expected if each else [])


def test_6_1_without_viewing_yaku_nobody_is_asked_for_one():
    assert play(start(MINE, THEIRS, SAKE_FIELD, "9-3", viewing="off"), "3-1").seat == 1
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3", viewing=5), "3-1")
    assert match.legal() == ["koikoi", "stop"]
    assert match.view(1)["stakes"] == {"stop": 5, "koikoi": 6}


@pytest.mark.parametrize("viewing", ["rising", "1", "3", "5"])
def test_6_2_the_rainman_spoils_viewing_in_the_own_pile(viewing):
    assert worth([FLOWER, MOON, CUP, RAINMAN], viewing=viewing, rain="on") == []
    assert sum(points for _, points in worth([FLOWER, MOON, CUP, RAINMAN], viewing=viewing)) > 0
    assert sum(points for _, points in worth([FLOWER, MOON, CUP], viewing=viewing, rain="on")) > 0
    lights = worth([*LIGHTS, RAINMAN, CUP], viewing=viewing, rain="on")
    assert lights == [("Five Lights", 10)]


# Seat 0 makes Flower Viewing Sake, then takes the Rainman.
RAINY = (
    "3-1 11-3 1-1 1-2 2-1 5-1 6-1 7-1",
    "1-3 2-2 3-2 4-1 5-2 6-2 7-2 8-2",
    "3-3 9-1 11-1 10-1 10-2 12-1 12-2 12-3",
    "9-3 8-4 6-3",
)


@pytest.mark.parametrize(("rain", "left"), [("off", 5), ("on", 0)])
def test_6_2_points_can_become_fewer_and_nobody_is_asked(rain, left):
    match = play(start(*RAINY, viewing=5, bonus="off", rain=rain), "3-1 koikoi 4-1 11-3")
    assert match.seat == 1
    assert sum(points for _, points in match.view(0)["yaku"][0]) == left


@pytest.mark.parametrize(
    ("bonus", "by_claims"), [("rising", (5, 6, 7, 8, 10)), ("off", (5,) * 5), ("2", (5, 7, 9, 11, 13))]
)
def test_6_3_the_bonus_of_each_claim(bonus, by_claims):
    for claims, points in enumerate(by_claims):
        rest = [("Koi-Koi", points - 5)] if points > 5 else []
        assert worth(RED, claims, bonus=bonus) == [("Red Ribbons", 5), *rest]
        assert worth(RED[:2], claims, bonus=bonus) == []


def test_6_4_seven_points_or_more_count_double():
    on = {"seven": "on", "bonus": "off"}
    assert worth([*LIGHTS[:3], RAINMAN], **on) == [("Rainy Four Lights", 7), ("Seven or More", 7)]
    six = [*RED, "6-2", "9-2", "4-2"]  # 5, and 2 for six ribbons
    assert worth(six, **on) == [("Red Ribbons", 5), ("Tan", 2), ("Seven or More", 7)]
    assert worth(six[:-1], **on) == [("Red Ribbons", 5), ("Tan", 1)]


@pytest.mark.parametrize(
    ("claims", "bonus", "expected"),
    [
        (1, "1", [("Koi-Koi", 1), ("Seven or More", 7)]),  # 6 and 1 are 7: the bonus counts with them
        (1, "off", []),
        (1, "rising", [("Koi-Koi", 1), ("Seven or More", 7)]),
        (4, "rising", [("Koi-Koi", 6), ("Seven or More", 12)]),  # 4.4 doubles, and then 6.4
    ],
)
def test_6_4_a_call_and_the_doubling_at_seven(claims, bonus, expected):
    pile = [*RED, "6-2", "9-2"]
    assert worth(pile, claims, bonus=bonus, seven="on") == [("Red Ribbons", 5), ("Tan", 1), *expected]


def test_6_5_a_claim_of_the_opponent_doubles():
    against = {"against": "on", "bonus": "off"}
    assert worth(RED, theirs=0, **against) == [("Red Ribbons", 5)]
    for theirs in (1, 2):  # once, however often it was claimed
        assert worth(RED, theirs=theirs, **against) == [("Red Ribbons", 5), ("Against Koi-Koi", 5)]
    assert worth(RED[:2], theirs=1, **against) == []


def test_6_5_both_doublings_count_four_times_and_seven_is_asked_first():
    both = {"against": "on", "seven": "on", "bonus": "off"}
    seven = worth([*LIGHTS[:3], RAINMAN], theirs=1, **both)
    assert seven == [("Rainy Four Lights", 7), ("Seven or More", 7), ("Against Koi-Koi", 14)]
    assert worth(RED, theirs=1, **both) == [("Red Ribbons", 5), ("Against Koi-Koi", 5)]  # 10, not 20


# Seat 0 makes Flower Viewing Sake and goes on; seat 1 makes Three Lights with its second turn.
BOTH_HAVE = (
    "3-1 2-1 4-1 5-1 6-1 7-1 10-3 11-2",
    "1-1 8-1 2-2 4-2 5-2 6-2 7-2 11-3",
    "3-3 9-1 1-3 12-2 8-3 10-1 11-1 5-3",
    "9-3 12-1 4-3 6-3 3-4",
)


def both_have(**options: object) -> fuda.Match:
    return play(start(*BOTH_HAVE, viewing=5, bonus="off", **options), "3-1 koikoi 1-1 2-1 8-1")


def test_6_5_who_calls_gives_the_other_one_double_points():
    match = both_have(against="on")
    assert match.view(1)["stakes"] == {"stop": 10, "koikoi": 10}
    assert play(match, "stop").view(0)["points"] == [20, 40]
    assert play(both_have(), "stop").view(0)["points"] == [25, 35]


def test_6_6_a_claim_of_the_opponent_is_no_reason_to_be_asked():
    match = play(both_have(against="on"), "koikoi")
    for seat in (0, 1):
        assert match.view(seat)["yaku"][0] == [["Flower Viewing Sake", 5], ["Against Koi-Koi", 5]]
    match.play("7-1")
    assert match.seat == 1
    assert "yaku" not in [event["type"] for event in match.events(0)]


FOUR_OF_A_MONTH = "1-1 1-2 1-3 1-4 2-1 3-1 5-1 6-1"
FOUR_PAIRS = "1-1 1-2 2-1 2-3 3-2 3-3 4-1 4-4"
PLAIN_FIELD = "9-1 9-2 10-1 10-2 11-1 11-2 12-1 8-1"
PLAIN = "5-2 5-3 6-2 7-2 7-3 8-2 12-2 9-3"


@pytest.mark.parametrize(("hand", "name"), [(FOUR_OF_A_MONTH, "Four of a Month"), (FOUR_PAIRS, "Four Pairs")])
@pytest.mark.parametrize("owner", [0, 1])
def test_6_7_a_hand_yaku_wins_six_points_at_once(hand, name, owner):
    hands = (hand, PLAIN) if owner == 0 else (PLAIN, hand)
    match = start(*hands, PLAIN_FIELD, hand_yaku="on", seven="on", against="on", rounds=2)
    assert (match.seat, match.legal()) == (owner, ["stop"])
    for seat in (0, 1):
        view = match.view(seat)
        assert (view["phase"], view["stakes"]) == ("hand yaku", None)
        assert view["yaku"][owner] == [[name, 6]]
        assert view["yaku"][1 - owner] == []
        assert view["shown_hands"][owner] == hand.split()
        assert view["shown_hands"][1 - owner] is None
        dealt = match.first_deal_events(seat)
        assert dealt[1:] == [
            {"type": "hand_yaku", "seat": owner, "cards": hand.split(), "yaku": [(name, 6)], "points": 6}
        ]
    with pytest.raises(fuda.IllegalMove, match="a hand yaku ends the round: the answer is stop"):
        match.play("koikoi")
    match.play("stop")
    assert match.move_events(1 - owner) == [
        {"type": "stop", "seat": owner},
        {"type": "round_over", "winner": owner, "points": 6, "reason": "hand yaku"},
    ]
    view = match.view(0)
    assert view["points"] == ([36, 24] if owner == 0 else [24, 36])
    assert (view["round"], view["dealer"]) == (2, owner)
    assert view["shown_hands"] == [None, None]


def test_6_7_only_the_shown_hand_is_open():
    match = start(PLAIN, FOUR_PAIRS, PLAIN_FIELD, hand_yaku="on")
    seen = match.view_record(0)[0]
    assert int(seen.hand[1]) == read_pile(FOUR_PAIRS.split())
    assert int(match.view_record(1)[0].hand[0]) == 0
    rng = streams(1, SAMPLE, 0, 1)
    for seat in (0, 1):
        for _ in range(50):
            state = match.view_record(seat)
            match.game.spec.rules.redeal(state[0], seat, rng)
            assert int(state[0].hand[1]) == read_pile(FOUR_PAIRS.split())
            assert not is_hand_yaku(int(state[0].hand[0]))


def test_6_7_a_hidden_hand_is_none_that_would_have_been_shown():
    """Four cards of two pairs are played; with the hidden four it would be Four Pairs, or of a month."""
    theirs = "5-2 5-3 6-2 6-3 7-2 7-3 8-2 12-2"
    match = start("1-1 1-2 2-1 2-3 3-2 3-3 4-1 12-3", theirs, PLAIN_FIELD, dealer=1, hand_yaku="on")
    order = theirs.split()
    while match.view(0)["hand_sizes"][1] > 4:
        legal = match.legal()
        wanted = [card for card in order if card in legal]
        match.play(wanted[0] if match.seat == 1 and wanted else "koikoi" if "koikoi" in legal else legal[0])
    view, rng, found = match.view_record(0), streams(2, SAMPLE, 0, 1), 0
    played = read_pile(order[:4])
    for _ in range(3_000):
        state = view.copy()
        match.game.spec.rules.redeal(state[0], 0, rng)
        assert not is_hand_yaku(int(state[0].hand[1]) | played)
        plain = view.copy()
        plain[0].house = 0
        match.game.spec.rules.redeal(plain[0], 0, rng)
        found += bool(is_four_pairs(int(plain[0].hand[1]) | played))
    assert found > 0, "by default four pairs may be hidden"


@pytest.mark.parametrize(
    ("mine", "theirs", "field"),
    [
        (FOUR_PAIRS, "5-1 5-2 5-3 5-4 6-2 7-2 8-2 12-2", PLAIN_FIELD),
        (MINE, PLAIN.replace("8-2", "4-1"), "9-1 9-2 10-1 10-2 11-1 11-2 12-1 12-3"),
    ],
    ids=["both hands", "pairs on the field"],
)
def test_6_7_two_hand_yaku_or_one_on_the_field_are_dealt_again(mine, theirs, field):
    with pytest.raises(ValueError, match="the field or both hands have a hand yaku"):
        start(mine, theirs, field, hand_yaku="on")


def test_6_7_by_default_four_pairs_are_played_and_a_month_is_dealt_again():
    assert start(FOUR_PAIRS, PLAIN, PLAIN_FIELD).view(0)["phase"] == "discard"
    with pytest.raises(ValueError, match="all four cards of a month"):
        start(FOUR_OF_A_MONTH, PLAIN, PLAIN_FIELD)


@given(st.lists(st.sampled_from(range(48)), min_size=8, max_size=8, unique=True))
def test_6_7_hand_yaku_equal_a_slow_reference(cards):
    months = sorted(np.bincount(np.array(cards) // 4, minlength=12))
    hand = sum(1 << card for card in cards)
    assert is_four_pairs(hand) == (months[-4:] == [2, 2, 2, 2])
    assert is_hand_yaku(hand) == (months[-4:] == [2, 2, 2, 2] or months[-1] == 4)


def test_6_8_a_round_that_nobody_wins_and_the_dealer_deals_again():
    found = set()
    for seed in range(40):
        match = whole_round(fuda.game("koikoi", rounds=2, draw="nobody").start(seed=seed))
        over = next(event for event in match.events(0) if event["type"] == "round_over")
        if over["reason"] != "exhausted":
            continue
        found.add(match.deals[0]["dealer"])
        assert (over["winner"], over["points"]) == (None, 0)
        assert match.view(0)["points"] == [30, 30]
        assert match.view(0)["round_points"] == [0]
        assert match.deals[1]["dealer"] == match.deals[0]["dealer"]
        assert fuda.replay(match.record()) == match
    assert found == {0, 1}


def test_6_10_presets_are_these_options():
    assert fuda.game("koikoi", preset="paper") == fuda.game("koikoi")
    app = fuda.game("koikoi", preset="app")
    assert app == fuda.game(
        "koikoi", rounds=12, points=100, viewing=5, bonus="off", seven=True, against=True, hand_yaku=True,
        draw="nobody",
    )  # fmt: skip
    assert app.all_options["rain"] == "off"


OPTIONS = {option.name: option.words for option in fuda.game("koikoi").spec.options if option.implied}


def plain_points(pile: set[str], claims: int, theirs: int, options: dict[str, Any]) -> int:
    """Points under any options, written down a second time from what the paper's are."""
    viewed = (CUP in pile) * ((FLOWER in pile) + (MOON in pile))
    others = reference(pile, 0) - viewed
    each = {"rising": 3 if claims else 1, "off": 0}.get(options["viewing"], options["viewing"])
    total = others + (0 if options["rain"] == "on" and RAINMAN in pile else viewed * int(each))
    if total == 0:
        return 0
    if options["bonus"] == "rising":
        total = total + claims if claims < 4 else total * (claims - 2)
    elif options["bonus"] != "off":
        total += int(options["bonus"]) * claims
    total *= 1 + (options["seven"] == "on" and total >= 7)
    return total * (1 + (options["against"] == "on" and theirs > 0))


@given(
    st.sets(st.sampled_from([*CARD_TEXTS, *LIGHTS, *SEEDS, *RED, *BLUE])),
    st.integers(0, 7),
    st.integers(0, 7),
    st.fixed_dictionaries({name: st.sampled_from(words) for name, words in OPTIONS.items()}),
)
def test_points_under_any_options_equal_a_slow_reference(pile, claims, theirs, options):
    found = worth(sorted(pile), claims, theirs, **options)
    assert sum(points for _, points in found) == plain_points(pile, claims, theirs, options)


def test_records_name_what_is_played_and_replay():
    match = start(*RAINY, viewing=5, rain="on", rounds=3)
    assert match.record()["options"] == {"rounds": 3, "points": 30, "viewing": "5", "rain": "on"}
    play(match, "3-1 koikoi 4-1")
    assert fuda.replay(match.record()) == match
    assert start(MINE, THEIRS, FIELD).record()["options"] == {"rounds": 8, "points": 30}


def test_a_later_deal_tells_of_a_hand_yaku():
    deals = [deal_of(MINE, THEIRS, SAKE_FIELD, "9-3"), deal_of(PLAIN, FOUR_PAIRS, PLAIN_FIELD)]
    match = fuda.game("koikoi", rounds=2, hand_yaku="on").start(0, deals)
    play(match, "3-1 stop")
    assert [event["type"] for event in match.deal_events(0)] == ["deal", "hand_yaku"]
    assert match.seat == 1
    match.play("stop")
    assert match.scores == [25, 35]
