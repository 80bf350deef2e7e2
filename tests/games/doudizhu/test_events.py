"""What a seat is told, move by move."""

import fuda

DEAL = {"hands": ["33334444555566667777", "88889999TTTTJJJJQ", "QQQKKKKAAAA2222BR"], "bottom": "377"}
BIDDING_DEAL = {"hands": ["33334444555566667", *DEAL["hands"][1:]], "bottom": "777"}


def seen(match: fuda.Match, move: str) -> list[dict]:
    """The events of a move, which must be the same for all seats where no hand is told."""
    match.play(move)
    told = [match.events(seat) for seat in range(3)]
    assert told[0] == told[1] == told[2]
    return told[0]


def test_plays_passes_bombs_and_leads():
    match = fuda.game("doudizhu").start(seed=1, deal=DEAL)
    assert seen(match, "33") == [{"type": "play", "seat": 0, "cards": "33", "left": 18}]
    assert seen(match, "8888") == [
        {"type": "play", "seat": 1, "cards": "8888", "left": 13},
        {"type": "bomb", "seat": 1, "cards": "8888", "bombs": 1},
    ]
    assert seen(match, "pass") == [{"type": "pass", "seat": 2}]
    assert seen(match, "pass") == [{"type": "pass", "seat": 0}, {"type": "lead", "seat": 1}]


def test_the_end():
    match = fuda.game("doudizhu", score="adp").start(seed=1, deal=DEAL)
    for move in (
        "33",
        "pass",
        "pass",
        "444455",
        "pass",
        "pass",
        "556666",
        "pass",
        "pass",
        "7777",
        "pass",
        "pass",
    ):
        match.play(move)
    assert seen(match, "33") == [
        {"type": "play", "seat": 0, "cards": "33", "left": 0},
        {"type": "match_over", "scores": [4, -2, -2]},
    ]


def test_bidding():
    match = fuda.game("doudizhu", bidding="on").start(seed=1, deal=BIDDING_DEAL)
    assert seen(match, "bid1") == [{"type": "bid", "seat": 0, "bid": 1}]
    assert seen(match, "bid3") == [
        {"type": "bid", "seat": 1, "bid": 3},
        {"type": "landlord", "seat": 1, "bid": 3, "bottom": "777"},
    ]


def test_a_deal_that_nobody_wants_tells_each_seat_its_new_hand():
    match = fuda.game("doudizhu", bidding="on").start(seed=1, deal=BIDDING_DEAL)
    for _ in range(3):
        match.play("bid0")
    for seat in range(3):
        assert match.events(seat) == [
            {"type": "bid", "seat": 2, "bid": 0},
            {"type": "nobody_bid"},
            {"type": "deal", "deal": 2, "hand": match.view(seat)["hand"]},
        ]
