"""Endings with open hands, against a search of everything that knows no limits and no hashes."""

import itertools

import numpy as np
import pytest

import fuda
from fuda.core.state import PLAYING
from fuda.games.doudizhu import SPEC, endings
from fuda.games.doudizhu.text import read_cards
from fuda.search.exact import solved_payoffs
from tests.payoffs import payoff_of


def endings_of(count: int, cards: int, **options: str) -> np.recarray:
    """Of games of rule players the first position with a choice and at most so many cards in the hands."""
    player, found = fuda.agent("doudizhu/rhcp"), []
    seeds = itertools.count()
    while len(found) < count:
        match = fuda.game("doudizhu", **options).start(next(seeds))
        while not match.over and (match._state[0].sizes.sum() > cards or len(match.legal()) == 1):
            match.play(player.choose(match))
        if not match.over:
            found.append(match._state.copy())
    return np.concatenate(found).view(np.recarray)


def slow_worth(state: np.recarray, known: dict) -> float:
    """What the landlord gets if all play their best."""
    row = state[0]
    if row.status != PLAYING:
        return payoff_of(SPEC, row, int(row.landlord))
    key = (*map(int, row.hand), int(row.seat), int(row.beat), int(row.passes), int(row.bombs))
    if key not in known:
        moves, found = np.zeros(SPEC.max_legal, np.int64), []
        for action in moves[: SPEC.rules.legal(row, moves)]:
            after = state.copy()
            SPEC.rules.step(after[0], action)
            found.append(slow_worth(after, known))
        known[key] = max(found) if row.seat == row.landlord else min(found)
    return known[key]


@pytest.mark.parametrize("options", [{}, {"score": "adp"}, {"bidding": "on", "score": "adp"}], ids=str)
def test_worths_are_those_of_a_search_of_everything(options):
    states = endings_of(12, 8, **options)
    found = solved_payoffs(SPEC, states)  # in one call, so that they share a table
    worths = [slow_worth(states[k : k + 1], {}) for k in range(len(states))]
    for k, worth in enumerate(worths):
        landlord = int(states[k].landlord)
        assert found[k].tolist() == [worth if seat == landlord else -worth for seat in range(3)]
    assert len({np.sign(worth) for worth in worths}) == 2


def solved(hands: list[str], seat: int, beat: int, passes: int, doubles: bool) -> float:
    """One ending, whose hands are left as they were."""
    held = np.array([read_cards("hand", cards, 1, 20) for cards in hands])
    keys, bounds = np.zeros(endings.TABLE_SIZE, np.int64), np.zeros((endings.TABLE_SIZE, 2))
    before = held.copy()
    worth = endings.worth(held, seat, beat, passes, doubles, keys, bounds, endings.new_stack())
    assert (held == before).all()
    return worth


def test_a_bomb_to_come_doubles_where_bombs_do():
    given = (["44445", "9", "T"], 0, 0, 0)
    assert solved(*given, False) == 1
    assert solved(*given, True) == 2


def test_peasants_play_together():
    """The second leads low for the first, who has one card left; alone it would lose."""
    assert solved(["7Q", "9", "5K"], 2, 0, 0, False) == -1
    assert solved(["TQ", "9", "5J"], 2, 0, 0, False) == 1
