"""RULES 7.4: what a seat saw happen."""

from tests.games.koikoi.positions import play, start
from tests.games.koikoi.test_rules import FIELD, MINE, SAKE_FIELD, THEIRS


def kinds(match, seat=0):
    return [event["type"] for event in match.events(seat)]


def test_before_the_first_move_nothing_has_happened():
    assert start(MINE, THEIRS, FIELD).events(0) == []


def test_discard_and_draw_that_stay():
    match = play(start(MINE, THEIRS, FIELD, "4-2"), "1-1")
    assert match.events(1) == [
        {"type": "discard", "seat": 0, "card": "1-1"},
        {"type": "stay", "card": "1-1"},
        {"type": "draw", "seat": 0, "card": "4-2"},
        {"type": "stay", "card": "4-2"},
    ]


def test_a_choice_for_the_draw_splits_the_turn():
    match = play(start(MINE, THEIRS, FIELD, "10-3"), "1-1")
    assert match.events(0)[-1] == {"type": "choose", "seat": 0, "card": "10-3", "between": ["10-1", "10-2"]}
    match.play("10-2")
    assert match.events(0) == [{"type": "take", "seat": 0, "cards": ["10-3", "10-2"]}]


def test_a_choice_for_the_discard_comes_before_the_draw():
    match = play(start(MINE, THEIRS, "8-3 8-4 10-1 10-2 11-1 11-2 12-1 12-2", "4-2"), "8-1")
    assert kinds(match) == ["discard", "choose"]
    match.play("8-3")
    assert kinds(match) == ["take", "draw", "stay"]


def test_yaku_answer_and_the_next_deal():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=2), "3-1")
    assert kinds(match) == ["discard", "take", "draw", "take", "yaku"]
    assert match.events(1)[-1] == {
        "type": "yaku",
        "seat": 0,
        "yaku": [("Flower Viewing Sake", 1)],
        "points": 1,
    }
    match.play("stop")
    assert match.events(1) == [
        {"type": "stop", "seat": 0},
        {"type": "round_over", "winner": 0, "points": 1, "reason": "stop"},
        {"type": "deal", "round": 2, "dealer": 0},
    ]


def test_the_end_of_the_match():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3", rounds=1), "3-1 stop")
    assert match.events(0)[-1] == {"type": "match_over", "scores": [31, 29]}


def test_koikoi_is_an_event_without_points():
    match = play(start(MINE, THEIRS, SAKE_FIELD, "9-3"), "3-1 koikoi")
    assert match.events(1) == [{"type": "koikoi", "seat": 0}]
