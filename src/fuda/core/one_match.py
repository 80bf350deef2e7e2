"""The steps of a single match as one compiled call each: play and look, or a seat's view.

Such a call takes about a microsecond, where Python would take ten to copy a record or to read its fields.
The positions of a match are three records: before its last move, after it, and after the deal that followed.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from fuda.core.entry import Entered
from fuda.core.state import PLAYING

BEFORE, STEPPED, NOW, NUM_POSITIONS = range(4)
# What is to know of a position: three numbers, then its legal actions.
SEAT, STATUS, NUM_LEGAL, FIRST_LEGAL = range(4)


def unbound(*_: object) -> Any:
    """What a loop calls before it is bound to a game."""
    raise NotImplementedError("these loops are used through the Kernels of a game")


# Stand-ins for the game's functions and sizes, replaced when a loop is bound.
legal = step = hide = unbound
MAX_LEGAL = NUM_ACTIONS = 0


def look_at(positions, facts):
    """Write the seat, the status, how many actions are legal, and as many of these as there is room for."""
    state = positions[NOW]
    count = 0
    if state.status == PLAYING:
        moves = np.empty(NUM_ACTIONS, np.int64)  # room for all, whatever the game declares
        count = legal(state, moves)
        for m in range(min(count, MAX_LEGAL)):
            facts[FIRST_LEGAL + m] = moves[m]
    facts[SEAT], facts[STATUS], facts[NUM_LEGAL] = state.seat, state.status, count


def play_action(positions, action, played, facts):
    """Write the positions after a legal action, no cards dealt yet, and what is to know of the last."""
    played[BEFORE] = positions[NOW]
    played[STEPPED] = positions[NOW]
    step(played[STEPPED], action)
    played[NOW] = played[STEPPED]
    look_at(played, facts)


def view_of(positions, seat, view):
    """Write what a seat sees now."""
    view[0] = positions[NOW]
    hide(view[0], seat)


class OneMatch:
    """These calls for one game."""

    def __init__(self, bind: Callable[..., Any], dtype: np.dtype[Any], max_legal: int):
        self._dtype, self._room = dtype, FIRST_LEGAL + max_legal
        looked = bind(look_at)
        played, viewed = bind(play_action, look_at=looked), bind(view_of)
        self._look, self._play, self._view = Entered(looked), Entered(played), Entered(viewed)

    def look(self, positions: np.ndarray) -> list[int]:
        """What is to know of the last position."""
        facts = np.empty(self._room, np.int64)
        self._look(_readable(positions), facts)
        return _listed(facts)

    def play(self, positions: np.ndarray, action: int) -> tuple[np.ndarray, list[int]]:
        """The positions after a legal action, and what is to know of the last."""
        played, facts = np.empty(NUM_POSITIONS, self._dtype), np.empty(self._room, np.int64)
        self._play(_readable(positions), action, _readable(played), facts)
        return played, _listed(facts)

    def view(self, positions: np.ndarray, seat: int) -> np.ndarray:
        """What a seat sees now, [1]."""
        view = np.empty(1, self._dtype)
        self._view(_readable(positions), seat, _readable(view))
        return view


def _readable(records: np.ndarray) -> np.ndarray:
    """The same records; plain Python reads their fields as those of a record array alone."""
    return records.view(np.recarray) if numba.config.DISABLE_JIT else records


def _listed(facts: np.ndarray) -> list[int]:
    """Of too many legal actions as many as there is room for."""
    return list(facts[: FIRST_LEGAL + facts[NUM_LEGAL]].tolist())
