"""How a round can end, in classes that a network gives chances to: what the round pays a player.

From such chances both the expected points and the chance to win the match follow, whatever the score:
the winner of a round deals the next one, so its points say all that matters for the match.

C classes, K positions, M actions of all of them.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.core.threads import split
from fuda.games.koikoi.winning import MAX_GAIN, chance_after, check_table

# Up to 16 points each number is a class of its own; beyond, a class has the numbers from its entry to
# the next and stands for the entry in the middle. Classes mirror each other: C - 1 - c is c for the other.
FIRST_OF_CLASS = (*range(1, 17), 17, 19, 21, 24, 28, 34, 42, 56)
STANDS_FOR = (*range(1, 17), 17, 19, 22, 25, 30, 37, 47, 64)
NUM_CLASSES = 2 * len(FIRST_OF_CLASS)

# [C] the points that a class stands for, from the worst to the best.
POINTS = np.array([*(-points for points in reversed(STANDS_FOR)), *STANDS_FOR], np.int64)


def _classes() -> np.ndarray:
    """The class [2 * MAX_GAIN + 1] of each number of points + MAX_GAIN; 0 points have none of their own."""
    number = np.searchsorted(FIRST_OF_CLASS, np.arange(MAX_GAIN + 1), side="right") - 1
    upper = NUM_CLASSES // 2 + np.maximum(number, 0)
    return np.concatenate([NUM_CLASSES - 1 - upper[:0:-1], upper])


CLASS_OF = _classes()
WON_BY_ONE, LOST_BY_ONE = int(CLASS_OF[MAX_GAIN + 1]), int(CLASS_OF[MAX_GAIN - 1])


def chances_of(points: np.ndarray) -> np.ndarray:
    """The classes of numbers of points [N] as chances [N, C], as `outcome` has them."""
    chances = np.eye(NUM_CLASSES)[CLASS_OF[np.clip(points, -MAX_GAIN, MAX_GAIN) + MAX_GAIN]]
    chances[points == 0] = (np.eye(NUM_CLASSES)[WON_BY_ONE] + np.eye(NUM_CLASSES)[LOST_BY_ONE]) / 2
    return chances


@compiled
def outcome(state, seat, table, out):
    """Write the class of the round that just ended, for a seat, as chances [C]: one is 1.

    A round without a winner (RULES 6.8) is as likely a point won as one lost.
    """
    out[:] = 0
    points = int(state.round_points[state.round_index])
    if points == 0:
        out[WON_BY_ONE] = out[LOST_BY_ONE] = 0.5
        return
    if seat == 1:
        points = -points
    out[CLASS_OF[max(min(points, MAX_GAIN), -MAX_GAIN) + MAX_GAIN]] = 1


AIMS = ("points", "probability")


@compiled
def write_worths(view, seat, aim, table, worths):
    """What each class is worth to the seat [C]: its points, or the chance to win the match after it.

    `aim` is a place in AIMS.
    """
    for c in range(NUM_CLASSES):
        worths[c] = POINTS[c] if aim == 0 else chance_after(view, seat, POINTS[c], table)


@compiled
def write_chances_all(views, seats, table, worths, first, last):
    """The chances to win the match after each class [K, C]."""
    for k in range(first, last):
        write_worths(views[k], seats[k], 1, table, worths[k])


def value_of_chances(
    views: np.recarray,
    seats: np.ndarray,
    rows: np.ndarray,
    chances: np.ndarray,
    unit: str,
    table: np.ndarray | None,
) -> np.ndarray:
    """The value [M] in a unit of actions in views[rows[M]], whose classes have the chances [M, C]."""
    if unit == "points":
        return np.asarray(chances @ POINTS)
    worths = np.empty((len(views), NUM_CLASSES), np.float32)
    split(write_chances_all, views, seats, check_table(table), worths, count=len(views))
    return np.asarray(np.einsum("mc,mc->m", chances, worths[rows]))
