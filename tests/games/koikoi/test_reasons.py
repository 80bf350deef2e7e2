"""Why a card may be right, in positions written by hand."""

from fuda.games.koikoi.reasons import reason
from tests.games.koikoi.positions import play, start

MINE = "8-1 1-3 1-4 2-3 4-3 5-3 6-3 7-3"
THEIRS = "2-4 4-4 5-4 6-4 7-4 10-3 11-4 12-3"
FIELD = "8-2 9-1 12-1 10-4 3-3 11-2 2-1 7-1"


def why(match, move):
    return reason(match.view_record(match.seat)[0], match.legal_actions()[move])


def test_a_first_card_of_a_sake_yaku_leaves_one_short():
    match = start(MINE, THEIRS, FIELD)
    assert why(match, "8-1") == {"type": "near", "yaku": "Moon Viewing Sake"}
    assert why(match, "7-3") == {"type": "takes", "cards": ["7-1"]}
    assert why(match, "1-3") == {"type": "own"}
    assert why(match, "4-3") is None


def test_where_sake_yaku_do_not_count_the_light_does():
    match = start(MINE, THEIRS, FIELD, viewing="off")
    assert why(match, "8-1") == {"type": "takes", "cards": ["8-1"]}


def test_a_card_that_the_opponent_lacks_is_kept_from_it():
    mine, theirs = "1-3 1-4 2-3 9-3 5-3 6-3 7-3 4-3", "8-4 4-4 5-4 6-4 7-4 10-3 11-4 12-3"
    match = start(mine, theirs, "8-1 9-1 12-2 10-4 3-3 11-2 2-1 7-1", "4-1 3-4")
    play(match, "1-3 8-4")  # the opponent takes the Moon
    assert why(match, "9-3") == {"type": "keeps", "cards": ["9-1"], "yaku": "Moon Viewing Sake"}


def test_a_yaku_that_is_made_goes_first_and_the_question_is_about_more():
    mine, theirs = "8-1 9-3 1-3 2-3 4-3 5-3 6-3 7-3", "2-4 4-4 5-4 6-4 7-4 10-3 11-4 12-3"
    match = start(mine, theirs, "8-2 9-1 12-1 10-4 3-1 11-2 2-1 7-1", "12-4 1-4 2-2")
    play(match, "8-1 4-4")  # the Moon, and by the draw the Phoenix, which leaves one light to go
    assert why(match, "9-3") == {"type": "makes", "yaku": "Moon Viewing Sake"}
    play(match, "9-3")
    assert match.view(0)["phase"] == "koikoi"
    assert why(match, "koikoi") == {"type": "near", "yaku": "Three Lights"}
    assert why(match, "stop") is None


def test_a_card_that_one_other_can_take():
    """Two of its month have been taken, so one is left somewhere."""
    mine, theirs = "8-1 1-3 1-4 8-3 4-3 5-3 6-3 7-3", "2-4 4-4 5-4 6-4 7-4 10-3 11-4 12-3"
    match = start(mine, theirs, "8-2 9-1 12-1 10-4 3-3 11-2 2-1 7-1", "4-1 3-4")
    play(match, "8-1 10-3")
    assert why(match, "8-3") == {"type": "few"}


def test_of_two_matches_the_better_counts():
    match = start(
        "10-3 1-3 1-4 2-3 4-3 5-3 6-3 7-3",
        THEIRS.replace("10-3", "8-4"),
        "10-1 10-4 9-2 9-1 12-1 3-3 11-2 2-1",
    )
    assert why(match, "10-3") == {"type": "takes", "cards": ["10-1"]}
