"""The chance to win the match after a round: from (rounds left, next dealer, lead), exactly.

How a round ends is taken as independent of the score: the dealer's points in many rounds are
counted in a histogram, and the chances follow by backward induction from the last round.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from fuda.core.compile import compiled
from fuda.core.state import OVER, PLAYING
from fuda.games.koikoi.rules import MAX_ROUNDS as MAX_ROUNDS
from fuda.games.koikoi.rules import next_dealer

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


def gains_of(ended: np.recarray) -> np.ndarray:
    """A histogram [NUM_GAINS] of the dealer's points in rounds that just ended."""
    won = ended["round_points"][np.arange(len(ended)), ended["round_index"]].astype(np.int64)
    won = np.where(ended["dealer"] == 0, won, -won)
    return np.bincount(np.clip(won, -MAX_GAIN, MAX_GAIN) + MAX_GAIN, minlength=NUM_GAINS)


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
            deals = after if gain >= 0 else -after  # RULES 6.8: without a winner the dealer stays
            value = table[left - 1][deals + MAX_LEAD]
            value = np.where(np.abs(after) >= total_points, (np.sign(deals) + 1) / 2, value)
            table[left] += chance[gain + MAX_GAIN] * (value if gain >= 0 else 1 - value)
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

    def note_ended(self, index: np.ndarray, ended: np.recarray) -> None:
        """After a decision: how rounds of the matches `index` have ended; of some it was the last."""
        last = (ended["status"] == OVER) & ~self._over[index]
        self._final[index[last]] = np.sign(_leads(ended[last]))
        self._over[index[last]] = True

    def rounds(self) -> Rounds:
        """All rounds that were noted, match by match."""
        seen = self._seen
        mine = np.where(self._dealers == 0, 1, -1)
        result = (mine * self._final[:, None] + 1) / 2
        return Rounds(self._left[seen], (mine * self._leads)[seen], result[seen])


def _leads(states: np.ndarray) -> np.ndarray:
    """Seat 0's points minus seat 1's."""
    return np.asarray(states["points"][:, 0].astype(np.int64) - states["points"][:, 1])


class InducedChances:
    """The chances by backward induction from how the dealer fares in self-play."""

    refit_ticks = 200

    def __init__(self, options: Mapping[str, Any]):
        self._total_points = 2 * options["points"]
        self._gains, self._fresh = first_gains(), np.zeros(NUM_GAINS)
        self.table = induce(self._gains, self._total_points)

    def note(self, ended: np.recarray) -> None:
        """Count rounds that just ended."""
        self._fresh += gains_of(ended)

    def refit(self, total: Callable[[np.ndarray], np.ndarray], play_matches: object) -> None:
        """Count those of all ranks, the newest most."""
        self._gains += total(self._fresh)
        self._gains *= min(1.0, COUNTED_ROUNDS / self._gains.sum())
        self._fresh[:] = 0
        self.table[:] = induce(self._gains, self._total_points)

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        return {"gains": self._gains, "fresh": self._fresh, "table": self.table}


class FittedChances:
    """The chances as in the Koi-Koi paper: a logistic regression for each round, on greedy self-play."""

    refit_ticks = 1000  # it takes matches that are played for it
    num_matches = 1024

    def __init__(self, options: Mapping[str, Any]):
        self.table = induce(first_gains(), 2 * options["points"])

    def note(self, ended: np.recarray) -> None:
        """What is explored in training is not counted."""

    def refit(self, total: Callable[[np.ndarray], np.ndarray], play_matches: Callable[..., None]) -> None:
        """Play matches and fit them; the same on all ranks, but for rounding, of which the mean is taken."""
        starts = RoundStarts(self.num_matches)
        play_matches(starts, self.num_matches)
        found = np.append(fit_logistic(starts.rounds()), 1)
        *chances, num_ranks = total(found)
        self.table[:] = np.reshape(chances, self.table.shape) / num_ranks

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        return {"table": self.table}


TABLES = {"induced": InducedChances, "fitted": FittedChances}


def fit_logistic(rounds: Rounds) -> np.ndarray:
    """The table of chances to win from played rounds; a draw is half a win and half a loss."""
    from sklearn.linear_model import LogisticRegression  # for training alone

    leads = np.arange(-MAX_LEAD, MAX_LEAD + 1)
    table = np.empty((MAX_ROUNDS + 1, NUM_LEADS))
    table[0] = (np.sign(leads) + 1) / 2
    for left in range(1, len(table)):
        those = rounds.left == left
        if not those.any():
            table[left] = table[left - 1]  # a longer match than is played: the nearest that is known
            continue
        lead = np.concatenate([rounds.lead[those]] * 2)[:, None]
        won = np.repeat([1, 0], those.sum())
        weight = np.concatenate([rounds.result[those], 1 - rounds.result[those]])
        table[left] = LogisticRegression().fit(lead, won, weight).predict_proba(leads[:, None])[:, 1]
    return table


POINTS_UNIT, CHANCE_UNIT = 10.0, 0.2  # both rewards have a standard deviation near 1 in these units


@compiled
def points_reward(state, seat, table, out):
    """Write what a seat won in the round that just ended."""
    won = state.round_points[state.round_index]
    out[0] = won if seat == 0 else -won


@compiled
def winning_reward(state, seat, table, out):
    """Write by how much the round that just ended raised a seat's chance to win the match."""
    rise = win_chance(state, table) - win_chance_before(state, table)
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
    return _chance(table, left, gain > 0 or (gain == 0 and view.dealer == seat), lead)


@compiled
def win_chance(state, table):
    """Seat 0's chance to win after a round that just ended, or its result when the match is over."""
    lead = int(state.points[0]) - int(state.points[1])
    if state.status == OVER:
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    return _chance(table, state.rounds - 1 - state.round_index, next_dealer(state) == 0, lead)


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
