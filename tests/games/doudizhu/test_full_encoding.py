"""What a network that makes every decision is told: that of bids, and the rest by a plain account."""

import itertools
import random

import numpy as np

import fuda
from fuda.games.doudizhu import auction, full_encoding
from fuda.games.doudizhu.text import BEFORE_PLAY
from tests.games.doudizhu.test_auction import told as told_of_auction
from tests.games.doudizhu.test_encoding import bits, blocks_of, fewest, one_hot, told_of_moves

VARIANTS = [
    {"bidding": bidding, "showing": showing}
    for bidding, showing in itertools.product(("off", "on", "robbing"), ("off", "on"))
]


def positions(seed: int, **options: object) -> list[fuda.Match]:
    """Every position before play of a random match, and some of the play."""
    luck, match, found = random.Random(seed), fuda.game("doudizhu", **options).start(seed), []
    while not match.over:
        if match.awaits_bid or luck.random() < 0.1:
            found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def told(match: fuda.Match, record: np.recarray) -> dict[str, list]:
    words = np.full((1, full_encoding.NUM_WORDS), -1, np.int64)
    full_encoding.encode_all(record, np.array([match.seat]), words, 0, 1)
    return blocks_of(full_encoding.BLOCKS, words[0], full_encoding.COLUMN_WORDS, full_encoding.COLUMN_SHIFTS)


def test_positions_are_those_of_bids_and_what_was_claimed_and_shown():
    open_hands, before = set(), set()
    for seed in range(8):
        for options in VARIANTS:
            for match in positions(seed, **options):
                view = match.view(match.seat)
                shown, doublings = view.get("shown"), view.get("doublings", 0)
                said = len([move for _, move in view["history"] if move in ("show", "noshow")])
                expected = told_of_auction(match, match.view_record(match.seat)) | {
                    "open": [bits(shown)],
                    "before play": [
                        [int(match.awaits_bid), *one_hot(5, doublings), *one_hot(3, 2 if shown else said)]
                    ],
                }
                assert told(match, match.view_record(match.seat)) == expected
                # In training the truth is given, with hands in it that nobody has shown.
                assert told(match, match._state) == expected
                open_hands.add(shown)
                before.add((view["phase"], doublings))
    assert len(open_hands) > 20
    assert {("bid", 0), ("bid", 1), ("bid", 2), ("show", 0), ("show", 2), ("play", 3)} <= before


def test_rows_of_all_decisions():
    seen = set()
    for seed in range(8):
        for options in VARIANTS:
            for match in positions(seed, **options):
                actions = match.legal_actions()
                moves = sorted(actions, key=actions.__getitem__)
                words = np.full((len(moves), full_encoding.NUM_MOVE_WORDS), -1, np.int64)
                legal = np.array(sorted(actions.values()))
                view = match.view_record(match.seat)
                full_encoding.encode_moves_all(view, legal, np.array([0, len(legal)]), words, 0, 1)
                columns = full_encoding.MOVE_COLUMN_WORDS, full_encoding.MOVE_COLUMN_SHIFTS
                rows = [blocks_of(full_encoding.MOVE_BLOCKS, row, *columns) for row in words]
                if match.awaits_bid:
                    hand = match.view(match.seat)["hand"]
                    left = one_hot(21, len(hand)) + fewest(hand)
                    for row, move in zip(rows, moves, strict=True):
                        assert row["cards"] == [bits(None)]
                        assert row["rest"] == [bits(hand)]
                        assert row["left"] == [left]
                        assert not any(row["shape"][0])
                        assert row["before play"] == [one_hot(10, BEFORE_PLAY.index(move))]
                    seen |= set(moves)
                else:
                    nothing = {"before play": [[0] * 10]}
                    assert rows == [row | nothing for row in told_of_moves(match, moves)]
    assert seen == set(BEFORE_PLAY)


def test_what_is_decided_before_play_is_a_kind_of_its_own():
    for options in VARIANTS:
        for match in positions(1, **options):
            words = np.zeros((1, full_encoding.NUM_WORDS), np.int64)
            full_encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
            kind = full_encoding.DECISION_KINDS[int(full_encoding.decision_kinds(words)[0])]
            assert (kind == "bid") == match.awaits_bid
            if not match.awaits_bid:
                assert auction.decision_kinds(words)[0] == full_encoding.decision_kinds(words)[0]
