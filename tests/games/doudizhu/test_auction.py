"""What a network that bids is told: that of the cards, and bids by a plain account."""

import random

import numpy as np
import torch

import fuda
from fuda.games.doudizhu import auction, encoding
from tests.games.doudizhu.test_encoding import (
    action_of,
    bits,
    blocks_of,
    fewest,
    one_hot,
    told_of_moves,
    told_of_position,
)


def positions(seed: int, **options: object) -> list[fuda.Match]:
    """Every position of a random match; most deals are bid for."""
    luck = random.Random(seed)
    match = fuda.game("doudizhu", **options).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def told(match: fuda.Match, record: np.recarray) -> dict[str, list]:
    words = np.full((1, auction.NUM_WORDS), -1, np.int64)
    auction.encode_all(record, np.array([match.seat]), words, 0, 1)
    return blocks_of(auction.BLOCKS, words[0], auction.COLUMN_WORDS, auction.COLUMN_SHIFTS)


def slow_auction(view: dict) -> list[int]:
    """By what a person sees."""
    bids = [view["bids"][(view["seat"] + other) % 3] for other in range(3)]
    told_bids = [bit for bid in bids for bit in one_hot(5, 0 if bid is None else 1 + bid)]
    return told_bids + one_hot(4, view["stake"])


def test_positions_are_those_of_the_cards_and_the_bids():
    num_bids = 0
    for seed in range(12):
        for options in ({"bidding": "on"}, {"bidding": "off"}):
            for match in positions(seed, **options):
                view = match.view(match.seat)
                expected = told_of_position(match) | {"auction": [slow_auction(view)]}
                assert told(match, match.view_record(match.seat)) == expected
                # In training the truth is given, with the bottom in it that nobody has seen.
                assert told(match, match._state) == expected
                num_bids += view["phase"] == "bid"
    assert num_bids > 20


def rows_of(match: fuda.Match) -> list[dict[str, list]]:
    """What is told of the legal moves, over noise."""
    actions = np.array(sorted(match.legal_actions().values()))
    words = np.full((len(actions), auction.NUM_MOVE_WORDS), -1, np.int64)
    view = match.view_record(match.seat)
    auction.encode_moves_all(view, actions, np.array([0, len(actions)]), words, 0, 1)
    columns = auction.MOVE_COLUMN_WORDS, auction.MOVE_COLUMN_SHIFTS
    return [blocks_of(auction.MOVE_BLOCKS, row, *columns) for row in words]


def test_rows_of_bids_and_of_cards():
    seen = set()
    for seed in range(6):
        for match in positions(seed, bidding="on"):
            actions, view = match.legal_actions(), match.view(match.seat)
            moves = sorted(actions, key=actions.__getitem__)
            if view["phase"] == "bid":
                hand = view["hand"]
                expected = [
                    {
                        "cards": [bits(None)], "rest": [bits(hand)], "shape": [[0] * encoding.NUM_SHAPE_BITS],
                        "left": [one_hot(21, 17) + fewest(hand)], "bid": [one_hot(4, int(move[-1]))],
                    }
                    for move in moves
                ]  # fmt: skip
                seen |= set(moves)
            else:
                expected = [row | {"bid": [[0] * 4]} for row in told_of_moves(match, moves)]
                assert [action_of(move) for move in moves] == sorted(actions.values())
            assert rows_of(match) == expected
    assert seen == {"bid0", "bid1", "bid2", "bid3"}


def test_the_kind_of_a_decision_is_the_seats_part_of_it():
    """As arrays, and as tensors in training."""
    kinds = set()
    for match in positions(1, bidding="on"):
        view = match.view(match.seat)
        words = np.zeros((1, auction.NUM_WORDS), np.int64)
        auction.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
        bids = view["landlord"] is None
        kind = "bid" if bids else ("landlord", "down", "up")[(match.seat - view["landlord"]) % 3]
        number = auction.DECISION_KINDS.index(kind)
        assert auction.decision_kinds(words).tolist() == [number]
        assert auction.decision_kinds(torch.from_numpy(words)).tolist() == [number]
        kinds.add(kind)
    assert kinds == set(auction.DECISION_KINDS)
