"""The exact solver where everybody plays alone, against a slow search of everything."""

import numpy as np
import pytest

import fuda
from fuda.core.state import PLAYING
from fuda.search.exact import solve, solved_payoffs
from tests.payoffs import payoff_of

PLANTED = fuda.game("planted").spec


def near_the_end(seed: int, cards_left: int) -> np.recarray | None:
    """A state in which each seat has so many cards left; None if the deal ended before."""
    match = fuda.game("planted", deals=1).start(seed=seed)
    luck = np.random.default_rng(seed)
    while not match.over:
        state = match._state
        if state[0].num_gifts == 4 and match.view(0)["hand_sizes"] == [cards_left] * 4:
            return state.copy()
        match.play(str(luck.choice(match.legal())))
    return None


def slow_payoffs(state: np.recarray) -> list[float]:
    """What each seat gets if all play their best; of equal moves the first."""
    if state[0].status != PLAYING:
        return [payoff_of(PLANTED, state[0], seat) for seat in range(4)]
    moves, mover = np.zeros(PLANTED.max_legal, np.int64), int(state[0].seat)
    found = []
    for action in moves[: PLANTED.rules.legal(state[0], moves)].tolist():
        after = state.copy()
        PLANTED.rules.step(after[0], action)
        found.append(slow_payoffs(after))
    return max(found, key=lambda payoffs: payoffs[mover])


@pytest.mark.parametrize("cards_left", [1, 2])
def test_everybody_alone_gets_what_a_slow_search_finds(cards_left):
    states = [state for seed in range(60) if (state := near_the_end(seed, cards_left)) is not None][:3]
    assert states
    for state in states:
        moves = np.zeros(PLANTED.max_legal, np.int64)
        count = PLANTED.rules.legal(state[0], moves)
        assert solved_payoffs(PLANTED, state)[0].tolist() == slow_payoffs(state)
        values = solve(PLANTED, state).row(0)
        for place, action in enumerate(moves[:count].tolist()):
            after = state.copy()
            PLANTED.rules.step(after[0], action)
            assert values[place] == slow_payoffs(after)[int(state[0].seat)]
        assert len(values) == count
