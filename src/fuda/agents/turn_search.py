"""Players that look to the end of their turn: over their best moves and all cards that they may draw.

A network tells what a position is worth to the player who waits; the rest of the turn is known exactly.

K positions, M legal actions of all of them, L leaves, C classes of outcomes.
"""

from types import ModuleType

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.network import NetworkAgent, Outputs, reading, softmax
from fuda.agents.ties import tie_digits
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists, segment_min, starts_of
from fuda.core.threads import split

TOGETHER = 64  # trees that grow together: their nodes take some 60 MB
NO_NODE = -1
WAITING = "waiting"  # how a model's card says that its network tells this beside its decisions


class TurnSearchAgent(NetworkAgent):
    """Plays the move with the best mean, over the draws, of what the turn can be brought to.

    The network's own values say which moves are worth the search.
    """

    candidates = 2  # moves of a turn that are searched; those of equal cards count as one

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: ModuleType,
        outputs: Outputs,
        info: AgentInfo,
        table: np.ndarray | None,
        seed: int = 0,
    ):
        if spec.turn is None or spec.outcomes is None or info.unit is None:
            raise ValueError(f"{spec.id} has no turns that a player could search")
        tell = reading(spec, info.unit, 1.0, table, spec.outcomes.NUM_CLASSES)
        super().__init__(name, spec, encoding, outputs, info, tell, seed)
        self._turn, self._outcomes, self._unit = spec.turn, spec.outcomes, info.unit
        self._table = table

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """What the turn can be brought to, for the moves worth the search; others are behind."""
        values = super().legal_values(views, seats, rngs, legal).astype(np.float64)
        digits = tie_digits(self.spec, self._unit)
        behind = 10.0 ** (1 - digits)  # so much at least is what was not searched behind what was
        wanted = among_best(values.round(digits), legal.starts, self.candidates)
        for first in range(0, len(views), TOGETHER):
            some = np.arange(first, min(first + TOGETHER, len(views)))
            places = legal.places(some)
            mine = Lists(wanted[places], legal.take(some).starts)
            found = self._search(views[some].view(np.recarray), seats[some], mine)
            worst = segment_min(found, starts_of(np.bincount(mine.rows[mine.items], minlength=len(some))))
            values[places] = np.minimum(values[places], worst[mine.rows] - behind)  # what was not searched
            values[places[mine.items]] = found
        return values

    def _search(self, views: np.recarray, seats: np.ndarray, wanted: Lists) -> np.ndarray:
        """The values of the legal actions that are wanted, in their order."""
        turn, num_views = self._turn, len(views)
        shape = (num_views, turn.MAX_NODES)
        states = self.spec.new_states(num_views * turn.MAX_NODES).reshape(shape)
        kinds, parents, gains = np.full(shape, NO_NODE), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        counts = np.zeros(num_views, np.int64)
        trees = (states, kinds, parents, gains, counts)
        split(turn.grow_all, views, seats, *wanted, *trees, count=num_views, min_share=1)
        values = np.zeros(shape)
        waiting, ended = np.nonzero(kinds == turn.WAITING), np.nonzero(kinds == turn.ENDED)
        for leaves, chances in (
            (waiting, self._wait(states[waiting].view(np.recarray), seats[waiting[0]])),
            (ended, self._outcomes.chances_of(gains[ended])),
        ):
            values[leaves] = self._outcomes.value_of_chances(
                views, seats, leaves[0], chances, self._unit, self._table
            )
        split(turn.back_up_all, kinds, parents, values, counts, count=num_views, min_share=1)
        return np.asarray(values[(parents == 0) & (np.arange(shape[1]) < counts[:, None])])

    def _wait(self, leaves: np.recarray, seats: np.ndarray) -> np.ndarray:
        """The chances [L, C] at the ends of turns."""
        encoding, count = self.encoding, len(leaves)
        if not count:
            return np.zeros((0, self._outcomes.NUM_CLASSES))
        places = np.zeros((count, encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((count, encoding.NUM_PROGRESS), np.int8)
        split(encoding.encode_waiting_all, leaves, seats, places, progress, count=count)
        read = Lists(np.full(count, self._turn.WAIT_ACTION), np.arange(count + 1))
        return softmax(self.outputs(places, progress, read))


def among_best(values: np.ndarray, starts: np.ndarray, count: int) -> np.ndarray:
    """Which of values [M] are among the highest `count` different ones of their list."""
    rows = Lists(values, starts).rows
    order = np.lexsort((-values, rows))
    ranked = values[order]
    falls = np.zeros(len(values), np.int64)  # so far, over all lists
    falls[1:] = (ranked[1:] < ranked[:-1]).cumsum()
    found = np.empty(len(values), bool)
    found[order] = falls - falls[starts[rows]] < count
    return found
