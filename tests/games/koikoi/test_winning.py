"""The chance to win the match: by hand, by another way of counting, and against played matches."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import fuda
from fuda.core.runner import LockStep
from fuda.core.state import AWAITING_DEAL, OVER, PLAYING
from fuda.games.koikoi import winning
from fuda.games.koikoi.rules import MAX_ROUNDS
from fuda.games.koikoi.winning import MAX_GAIN, MAX_LEAD, induce, value_in_unit, win_chance, win_chance_before

ENDLESS = 10_000  # so many points that nobody runs out of them


def histogram(chances: dict[int, float]) -> np.ndarray:
    gains = np.zeros(2 * MAX_GAIN + 1)
    for gain, chance in chances.items():
        gains[MAX_GAIN + gain] = chance
    return gains


def chance(table: np.ndarray, left: int, lead: int) -> float:
    return float(table[left, MAX_LEAD + lead])


def test_after_the_last_round_the_lead_decides():
    table = induce(histogram({1: 1}), ENDLESS)
    assert [chance(table, 0, lead) for lead in (-240, -2, 0, 2, 240)] == [0, 0, 0.5, 1, 1]


def test_one_round_left_by_hand():
    """The dealer wins 1 point in six of ten rounds, and loses 2 in four: leads change by +2 and -4."""
    table = induce(histogram({1: 6, -2: 4}), ENDLESS)
    expected = {-4: 0, -3: 0, -2: 0.3, -1: 0.6, 0: 0.6, 2: 0.6, 3: 0.6, 4: 0.8, 5: 1, 6: 1}
    for lead, value in expected.items():
        assert chance(table, 1, lead) == pytest.approx(value), lead


def test_two_rounds_left_by_hand():
    """Who wins the first round deals the second: from lead 0 the dealer needs both, or its loss undone."""
    table = induce(histogram({1: 6, -2: 4}), ENDLESS)
    # Won (.6): lead 2, deals: .6. Lost (.4): lead -4, the other deals and wins unless it loses 2: draw.
    assert chance(table, 2, 0) == pytest.approx(0.6 * 0.6 + 0.4 * 0.4 * 0.5)


def test_a_certain_outcome():
    table = induce(histogram({3: 1}), ENDLESS)
    for left in range(MAX_ROUNDS + 1):
        for lead in range(-100, 101):
            after = lead + 6 * left  # the dealer wins every round and deals again
            assert chance(table, left, lead) == (1 if after > 0 else 0 if after < 0 else 0.5)


def test_without_an_advantage_of_the_dealer_the_players_are_equal():
    table = induce(winning.first_gains(), 60)
    for left in range(MAX_ROUNDS + 1):
        assert chance(table, left, 0) == pytest.approx(0.5)
        assert np.allclose(table[left] + table[left][::-1], 1)
        assert (np.diff(table[left]) >= -1e-12).all()


def test_dealing_is_worth_something_if_dealers_win_more():
    gains = winning.first_gains()
    gains[MAX_GAIN + 1] += 3
    table = induce(gains, 60)
    assert all(chance(table, left, 0) > 0.5 for left in range(1, MAX_ROUNDS + 1))


def test_who_has_no_points_left_has_lost():
    """Two points each: a loss of 2 ends the match, however many rounds are left (RULES 5.5)."""
    table = induce(histogram({1: 1, -2: 1}), 4)
    assert chance(table, 2, 0) == pytest.approx(0.5 * 0.5)  # both rounds won; the second brings all points
    assert chance(table, 12, -2) == pytest.approx(0.5 * chance(table, 11, 0))
    rich = induce(histogram({1: 1, -2: 1}), ENDLESS)
    assert chance(rich, 12, -2) > chance(table, 12, -2)


@pytest.mark.parametrize("points", [3, 6, 30])
def test_against_another_way_of_counting(points):
    """From both players' points and seats, as the rules say it; no leads, no turning of sides."""
    chances = {1: 0.3, 2: 0.15, 5: 0.1, -1: 0.2, -3: 0.25}

    @cache
    def wins(first: int, second: int, dealer: int, left: int) -> float:
        if left == 0 or first <= 0 or second <= 0:
            return 1.0 if first > second else 0.0 if first < second else 0.5
        total = 0.0
        for gain, part in chances.items():
            won = gain if dealer == 0 else -gain
            total += part * wins(first + won, second - won, 0 if won > 0 else 1, left - 1)
        return total

    table = induce(histogram(chances), 2 * points)
    for left in range(6):
        for moved in range(1 - points, points):
            expected = wins(points + moved, points - moved, 0, left)
            assert chance(table, left, 2 * moved) == pytest.approx(expected)
            expected = wins(points + moved, points - moved, 1, left)
            assert 1 - chance(table, left, -2 * moved) == pytest.approx(expected)


@pytest.fixture(scope="module")
def random_matches() -> tuple[np.recarray, np.ndarray]:
    """Matches by random players, whose rounds do not depend on the score; and who dealt first."""
    deals = np.arange(6000)
    runner = LockStep(fuda.game("koikoi"), 5, deals, np.zeros((len(deals), 2), np.int64))
    first_dealers = runner.states["dealer"].copy()
    runner.play([fuda.agent("koikoi/random").act])
    return runner.states, first_dealers


def dealer_gains(states: np.recarray, first_dealers: np.ndarray) -> np.ndarray:
    """A histogram from whole matches."""
    gains = np.zeros(2 * MAX_GAIN + 1)
    for state, first in zip(states, first_dealers, strict=True):
        won = state.round_points[: state.round_index + 1].tolist()
        dealers = [first, *(0 if points > 0 else 1 for points in won)]
        for points, dealer in zip(won, dealers, strict=False):
            gains[MAX_GAIN + (points if dealer == 0 else -points)] += 1
    return gains


def test_against_played_matches(random_matches):
    states, first_dealers = random_matches
    table = induce(dealer_gains(states, first_dealers), 60)
    lead = states["points"][:, 0] - states["points"][:, 1]
    won = (np.sign(np.where(first_dealers == 0, lead, -lead)) + 1) / 2  # by the first dealer
    assert abs(won.mean() - chance(table, 8, 0)) < 4 * won.std() / np.sqrt(len(won))
    # And after four rounds, all leads together: the mean of what was foretold is what came.
    foretold, came = [], []
    for state, outcome in zip(states, (np.sign(lead) + 1) / 2, strict=True):
        if state.round_index >= 4:
            points = state.round_points.tolist()
            middle = 2 * sum(points[:4])
            told = chance(table, 4, middle) if points[3] > 0 else 1 - chance(table, 4, -middle)
            foretold.append(told)
            came.append(outcome)
    error = np.array(foretold) - came
    assert abs(error.mean()) < 4 * error.std() / np.sqrt(len(error))
    bold = np.array(foretold) > 0.8
    assert abs(error[bold].mean()) < 4 * error[bold].std() / np.sqrt(bold.sum())


def test_gains_are_the_dealers_points(random_matches):
    states = random_matches[0][:500]
    gains = winning.gains_of(states)
    expected = np.zeros(2 * MAX_GAIN + 1)
    for state in states:
        won = int(state.round_points[state.round_index])
        expected[MAX_GAIN + (won if state.dealer == 0 else -won)] += 1
    assert gains.tolist() == expected.tolist()


def test_the_table_follows_the_rounds_of_all_ranks_and_old_ones_fade(random_matches):
    states = random_matches[0][:500]
    chances = winning.InducedChances({"points": 30})
    table, first = chances.table, chances.table.copy()
    assert np.array_equal(first, induce(winning.first_gains(), 60))
    for half in (states[:200], states[200:]):
        chances.note(half)
    assert np.array_equal(table, first)
    chances.refit(lambda numbers: 2 * numbers, None)  # two ranks, both with these rounds
    known = winning.first_gains() + 2 * winning.gains_of(states)
    assert table == pytest.approx(induce(known, 60))
    chances.note(states[:10])
    chances.refit(lambda numbers: winning.COUNTED_ROUNDS * numbers, None)
    gains = chances.arrays()["gains"]
    assert gains.sum() == pytest.approx(winning.COUNTED_ROUNDS)
    assert table == pytest.approx(induce(winning.gains_of(states[:10]), 60), abs=1e-3)


def ended(state: np.recarray, gain: int) -> np.recarray:
    """The round of a state ended by the dealer's gain, as the rules end it."""
    after = state.copy()
    won = gain if state[0].dealer == 0 else -gain
    after[0].points[:] = state[0].points[0] + won, state[0].points[1] - won
    after[0].round_points[state[0].round_index] = won
    broke = min(after[0].points) <= 0
    last = state[0].round_index == state[0].rounds - 1
    after[0].status = OVER if broke or last else AWAITING_DEAL
    return after


def starts() -> list[np.recarray]:
    """Rounds of every number, with both dealers and several leads, about to be played."""
    match = fuda.game("koikoi").start(1)
    found = []
    for index in range(8):
        for dealer in (0, 1):
            for lead in (-20, -3, 0, 1, 12, 29):
                state = match._state.copy()
                state[0].round_index, state[0].dealer = index, dealer
                state[0].points[:] = 30 + lead, 30 - lead
                found.append(state)
    return found


def test_the_chance_before_a_round_is_the_mean_of_the_chances_after_it():
    chances = {1: 0.4, 6: 0.15, -2: 0.25, -7: 0.1, 35: 0.1}
    table = induce(histogram(chances), 60)
    for state in starts():
        before = win_chance_before(state[0], table)
        assert state[0].status == PLAYING
        after = {gain: ended(state, gain) for gain in chances}
        mean = sum(part * win_chance(after[gain][0], table) for gain, part in chances.items())
        assert mean == pytest.approx(before)
        for gain, part in after.items():
            assert win_chance_before(part[0], table) == pytest.approx(before), gain
            reward, raised = np.zeros(1), win_chance(part[0], table) - before
            for seat, sign in ((0, 1), (1, -1)):
                winning.winning_reward(part[0], seat, table, reward)
                assert reward[0] == pytest.approx(sign * raised)


def test_rewards_of_a_match_add_up_to_its_result():
    match = fuda.game("koikoi").start(2)
    table = induce(winning.first_gains(), 60)
    agent = fuda.agent("koikoi/random")
    chances = [win_chance_before(match._state[0], table)]
    while not match.over:
        match.play(agent.choose(match))
        if match._stepped[0].status != PLAYING:
            assert win_chance_before(match._stepped[0], table) == pytest.approx(chances[-1])
            chances.append(win_chance(match._stepped[0], table))
    gap = match.scores[0] - match.scores[1]
    assert chances[-1] == (1 if gap > 0 else 0 if gap < 0 else 0.5)
    assert len(chances) == 9
    assert all(0 <= chance <= 1 for chance in chances)
    assert any(before != after for before, after in pairwise(chances))


def test_values_in_points_and_as_chances():
    table = induce(winning.first_gains(), 60)
    state = starts()[-1]  # the last round, seat 1 deals, seat 0 leads by 58
    views = np.concatenate([state, state]).view(np.recarray)
    seats, rows, values = np.array([0, 1]), np.array([0, 0, 1, 1]), np.array([0.5, -0.5, 0.5, -9.0])
    assert value_in_unit(views, seats, rows, values, "points", 10.0, None).tolist() == [5, -5, 5, -90]
    told = value_in_unit(views, seats, rows, values, "probability", 0.2, table)
    assert told == pytest.approx([1.0, 0.9, 0.1, 0.0])
    for wrong in (None, table[:, :10]):
        with pytest.raises(ValueError, match="need the table"):
            value_in_unit(views, seats, rows, values, "probability", 0.2, wrong)


def test_the_starts_of_rounds_are_noted_until_a_match_is_over():
    """Two matches: of two rounds, and of one, in whose place the next match begins."""
    states = fuda.game("koikoi", rounds=2).spec.new_states(2)
    noted = winning.RoundStarts(2)

    def put(b: int, index: int, dealer: int, lead: int, status: int = PLAYING) -> None:
        states[b].rounds, states[b].round_index, states[b].dealer = 2 - b, index, dealer
        states[b].points[:], states[b].status = (30 + lead, 30 - lead), status

    put(0, index=0, dealer=1, lead=0)
    put(1, index=0, dealer=0, lead=0)
    noted.note(states)
    noted.note_ended(np.zeros(0, np.int64), states[:0])
    noted.note(states)  # each round once
    put(0, index=0, dealer=1, lead=4, status=AWAITING_DEAL)
    put(1, index=0, dealer=0, lead=0, status=OVER)
    noted.note_ended(np.array([0, 1]), states)
    assert not noted.all_over
    put(0, index=1, dealer=0, lead=4)
    put(1, index=0, dealer=1, lead=0)  # of another match
    noted.note(states)
    put(0, index=1, dealer=0, lead=-3, status=OVER)
    put(1, index=0, dealer=1, lead=9, status=OVER)
    noted.note_ended(np.array([1]), states[1:])
    noted.note_ended(np.array([0]), states[:1])
    assert noted.all_over
    found = noted.rounds()
    assert found.left.tolist() == [2, 1, 1]
    assert found.lead.tolist() == [0, 8, 0]  # the dealer's, which is seat 1 in the first
    assert found.result.tolist() == [1, 0, 0.5]
