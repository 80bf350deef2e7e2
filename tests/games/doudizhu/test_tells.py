"""What the last plays of the others tell: their views, rebuilt move by move from the start."""

import random

import numpy as np
import pytest

import fuda
from fuda.games.doudizhu import SPEC, tells


def positions(seed: int, bidding: str) -> list[fuda.Match]:
    """All positions of a random game but those of the bidding."""
    luck, match, found = random.Random(seed), fuda.game("doudizhu", bidding=bidding).start(seed), []
    while not match.over:
        if match._state[0].landlord >= 0:
            found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


@pytest.mark.parametrize("bidding", ["off", "on"])
def test_in_the_true_deal_they_tell_what_the_players_saw(bidding):
    checked, whole = 0, positions(4, bidding)
    for at, match in enumerate(whole):
        seat, counts = match.seat, np.zeros(1, np.int64)
        numbers = [number for number in range(max(0, at - tells.NUM_TOLD), at) if whole[number].seat != seat]
        tells.count_told_all(match.view_record(seat), np.array([seat]), counts, 0, 1)
        assert counts[0] == len(numbers)
        views, (movers, actions) = SPEC.new_states(len(numbers)), np.zeros((2, len(numbers)), np.int64)
        given = (match._state, np.array([seat]), np.zeros(1, np.int64), SPEC.new_states(1))
        tells.tell_all(*given, views, movers, actions, 0, 1)
        for row, number in enumerate(numbers):
            earlier = whole[number]
            assert movers[row] == earlier.seat
            assert views[row].tobytes() == earlier.view_record(earlier.seat)[0].tobytes()
            assert SPEC.text.move_text(int(actions[row])) == whole[number + 1].moves[-1][1]
            checked += 1
    assert checked > 100


def test_a_play_is_compared_with_all_that_was_legal():
    match = positions(5, "off")[0]
    legal = SPEC.kernels.legal_lists(match._state)
    compared = np.zeros(len(legal.items), bool)
    tells.compare_all(match._state, legal.items[:1], legal.items, legal.starts, compared, 0, 1)
    assert compared.all()
