"""The chance to win the match after a round: from (rounds left, next dealer, lead), exactly.

How a round ends is taken as independent of the score: the dealer's points in many rounds are
counted in a histogram, and the chances follow by backward induction from the last round.
"""

from typing import NamedTuple

import numpy as np

from fuda.core.compile import compiled
from fuda.core.state import OVER, PLAYING
from fuda.games.koikoi.rules import MAX_ROUNDS as MAX_ROUNDS

MAX_GAIN = 120  # points in one round; more are counted as this
MAX_LEAD = 240  # my points minus theirs; more are counted as this
NUM_GAINS, NUM_LEADS = 2 * MAX_GAIN + 1, 2 * MAX_LEAD + 1


COUNTED_ROUNDS = 500_000  # older rounds fade, as the players change


def first_gains() -> np.ndarray:
    """A histogram [NUM_GAINS] to begin with: the dealer wins or loses 1 to 10 points, all the same."""
    gains = np.zeros(NUM_GAINS)
    for points in range(1, 11):
        gains[MAX_GAIN + points] = gains[MAX_GAIN - points] = 1
    return gains


def count_gains(states: np.recarray, gains: np.ndarray) -> None:
    """Add rounds that just ended to a histogram of the dealer's points."""
    won = states["round_points"][np.arange(len(states)), states["round_index"]].astype(np.int64)
    won = np.where(states["dealer"] == 0, won, -won)
    gains += np.bincount(np.clip(won, -MAX_GAIN, MAX_GAIN) + MAX_GAIN, minlength=NUM_GAINS)
    if gains.sum() > COUNTED_ROUNDS:
        gains /= 2


def induce(dealer_gains: np.ndarray, total_points: int) -> np.ndarray:
    """The dealer's chance to win [rounds left, lead + MAX_LEAD] from a histogram of its gains.

    `dealer_gains` [NUM_GAINS] counts rounds by the dealer's points + MAX_GAIN. With 0 rounds left the
    match is over. A draw is one half; who has no points left has lost (RULES 5.5).
    """
    chance = dealer_gains / dealer_gains.sum()
    leads = np.arange(-MAX_LEAD, MAX_LEAD + 1)
    table = np.empty((MAX_ROUNDS + 1, NUM_LEADS))
    table[0] = (np.sign(leads) + 1) / 2
    gains = (np.flatnonzero(chance) - MAX_GAIN).tolist()
    for left in range(1, MAX_ROUNDS + 1):
        table[left] = 0
        for gain in gains:
            after = np.clip(leads + 2 * gain, -MAX_LEAD, MAX_LEAD)
            # The winner of the round deals next: its chance is looked up from its own side.
            deals = after if gain > 0 else -after
            value = table[left - 1][deals + MAX_LEAD]
            value = np.where(np.abs(after) >= total_points, (np.sign(deals) + 1) / 2, value)
            table[left] += chance[gain + MAX_GAIN] * (value if gain > 0 else 1 - value)
    return table


class Rounds(NamedTuple):
    """The starts of rounds of whole matches, and how the matches ended. N rounds."""

    left: np.ndarray  # [N] rounds left to play, this one included
    lead: np.ndarray  # [N] the dealer's
    result: np.ndarray  # [N] of the match for the dealer: 1, 0.5 or 0


class RoundStarts:
    """Notes the starts of the rounds of matches [B] while they are played, each until it is over."""

    def __init__(self, num_matches: int):
        shape = (num_matches, MAX_ROUNDS)
        self._left, self._dealers = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self._leads = np.zeros(shape, np.int64)  # of seat 0
        self._seen = np.zeros(shape, np.bool_)
        self._final = np.zeros(num_matches, np.int64)  # the sign of seat 0's lead at the end
        self._over = np.zeros(num_matches, np.bool_)

    @property
    def all_over(self) -> bool:
        """Whether every match is over."""
        return bool(self._over.all())

    def note(self, states: np.recarray) -> None:
        """Before a decision: which rounds of matches that are not over have begun."""
        going = np.flatnonzero(~self._over)
        at = states["round_index"][going].astype(np.int64)
        fresh = ~self._seen[going, at]
        going, at = going[fresh], at[fresh]
        self._left[going, at] = states["rounds"][going] - at
        self._dealers[going, at] = states["dealer"][going]
        self._leads[going, at] = _leads(states[going])
        self._seen[going, at] = True

    def note_ended(self, states: np.recarray) -> None:
        """After a decision, before the next match begins in its place: which matches are over."""
        ended = (states["status"] == OVER) & ~self._over
        self._final[ended] = np.sign(_leads(states[ended]))
        self._over |= ended

    def rounds(self) -> Rounds:
        """All rounds that were noted, match by match."""
        seen = self._seen
        mine = np.where(self._dealers == 0, 1, -1)
        result = (mine * self._final[:, None] + 1) / 2
        return Rounds(self._left[seen], (mine * self._leads)[seen], result[seen])


def _leads(states: np.ndarray) -> np.ndarray:
    """Seat 0's points minus seat 1's."""
    return np.asarray(states["points"][:, 0].astype(np.int64) - states["points"][:, 1])


POINTS_UNIT = 10.0  # both rewards have a standard deviation near 1 in these units
CHANCE_UNIT = 0.2


@compiled
def points_reward(state, seat, table, out):
    """Write what a seat won in the round that just ended."""
    won = state.round_points[state.round_index] / POINTS_UNIT
    out[0] = won if seat == 0 else -won


@compiled
def winning_reward(state, seat, table, out):
    """Write by how much the round that just ended raised a seat's chance to win the match."""
    rise = (win_chance(state, table) - win_chance_before(state, table)) / CHANCE_UNIT
    out[0] = rise if seat == 0 else -rise


REWARDS = {"points": (points_reward, POINTS_UNIT), "probability": (winning_reward, CHANCE_UNIT)}  # by unit


@compiled
def win_chance_before(state, table):
    """Seat 0's chance to win at the start of the round that is played, or that just ended."""
    gain = 0 if state.status == PLAYING else int(state.round_points[state.round_index])
    lead = int(state.points[0]) - int(state.points[1]) - 2 * gain
    return _chance(table, state.rounds - state.round_index, state.dealer == 0, lead)


@compiled
def _chance(table, left, deals, lead):
    """A seat's chance with so many rounds left, its lead, and whether it deals."""
    own = lead if deals else -lead
    chance = table[left, max(min(own, MAX_LEAD), -MAX_LEAD) + MAX_LEAD]
    return chance if deals else 1 - chance


@compiled
def chance_after(view, seat, gain, table):
    """The seat's chance to win the match if it gains so many points in the round that is played."""
    lead = int(view.points[seat]) - int(view.points[1 - seat]) + 2 * gain
    total = int(view.points[0]) + int(view.points[1])
    left = view.rounds - 1 - view.round_index
    if left == 0 or abs(lead) >= total:  # the match is over
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    return _chance(table, left, gain > 0, lead)


@compiled
def win_chance(state, table):
    """Seat 0's chance to win after a round that just ended, or its result when the match is over."""
    lead = int(state.points[0]) - int(state.points[1])
    if state.status == OVER:
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    deals = state.round_points[state.round_index] > 0  # seat 0 deals next
    return _chance(table, state.rounds - 1 - state.round_index, deals, lead)


def value_in_unit(
    views: np.recarray,
    seats: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    unit: str,
    scale: float,
    table: np.ndarray | None,
) -> np.ndarray:
    """A network's values [M] of actions in views[rows[M]], as people read them.

    As "points": what the round is expected to bring the seat. As "probability": the chance to win the
    match; the network tells by how much the round changes it, the table where it began.
    """
    if unit == "points":
        return values * scale
    table = check_table(table)
    first = np.array([win_chance_before(view, table) for view in views])
    before = np.where(seats == 0, first, 1 - first)
    return np.clip(before[rows] + values * scale, 0, 1)


def check_table(table: np.ndarray | None) -> np.ndarray:
    """The table, if it is one of winning chances."""
    if table is None or table.shape != (MAX_ROUNDS + 1, NUM_LEADS):
        raise ValueError(f"chances to win need the table [{MAX_ROUNDS + 1}, {NUM_LEADS}] of winning chances")
    return table
