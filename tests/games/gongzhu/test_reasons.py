"""Why a card may be right, in positions written by hand."""

import fuda
from fuda.games.gongzhu.reasons import reason

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [suit + rank for suit in "SHDC" for rank in RANKS]


def start(*hands, **options):
    """Hands of cards that matter; the rest is dealt to them in the deck's order, the highest first."""
    named = [hand.split() for hand in hands]
    rest = [card for card in DECK if not any(card in hand for hand in named)]
    dealt = [hand + [rest.pop() for _ in range(13 - len(hand))] for hand in named]
    return fuda.game("gongzhu", **options).start(0, deal={"hands": dealt, "leader": 0})


def play(match, moves):
    for move in moves.split():
        match.play(move)
    return match


def why(match, move):
    return reason(match.view_record(match.seat)[0], match.legal_actions()[move])


def test_leads():
    match = start("S2 S3 SA D2", "SQ", "", "")
    assert why(match, "S3") == {"type": "hunts"}
    assert why(match, "SA") == {"type": "highest"}
    assert why(match, "D2") == {"type": "lowest"}


def test_the_last_to_play_knows_what_is_in_the_trick():
    match = play(start("SJ", "SQ", "S3", "S4 SK D2"), "SJ SQ S3")
    assert why(match, "SK") == {"type": "takes", "cards": ["SQ"]}
    assert why(match, "S4") == {"type": "under", "cards": ["SQ"]}


def test_what_hurts_is_given_away():
    others = "H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ"
    match = play(start("C9", "C2", "C3", f"SQ HK {others}"), "C9 C2 C3")
    assert why(match, "SQ") == {"type": "gives", "cards": ["SQ"], "seat": 0}
    assert why(match, "H2") is None
    match = play(start("C2", "C9", "C3", f"SQ S2 {others}"), "C2 C9 C3")
    assert why(match, "SQ") is None  # the partner would get it
    match = play(start("C9", "C2", f"SQ S2 {others}", "C3"), "C9 C2")
    assert why(match, "SQ") == {"type": "throws", "cards": ["SQ"]}  # who wins it is not known yet
    match = play(start("C2", "C3", "C9", "DJ D2 H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ"), "C2 C3 C9")
    assert why(match, "DJ") is None  # an opponent would get the sheep
    match = play(start("C2", "C9", "C3", "DJ D2 H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ"), "C2 C9 C3")
    assert why(match, "DJ") == {"type": "gives", "cards": ["DJ"], "seat": 1}


def test_tricks_without_points_and_suits_that_run_out():
    match = play(start("C9", "C2", "C3", "C4 CJ"), "C9 C2 C3")
    assert why(match, "CJ") == {"type": "free"}
    hand = "D2 S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SK SA"
    match = play(start("C9", "C2", "C3", hand), "C9 C2 C3")
    assert why(match, "D2") == {"type": "void", "suit": "D"}


def test_a_guarded_pig_may_be_shown():
    match = start("SQ S2 S3 S4 S5 D2 D3 D4 D5 D6 C2 C3 C4", "", "", "", showing="on")
    assert why(match, "showSQ") == {"type": "guarded", "count": 4}
    assert why(match, "noshow") is None
    match = start("SQ S2 S3 S4 D2 D3 D4 D5 D6 C2 C3 C4 C5", "", "", "", showing="on")
    assert why(match, "showSQ") is None
