"""Players that look to the end of their turn: over their best moves and all cards that they may draw.

A network tells what a position is worth to the player who waits; the rest of the turn is known exactly.

K positions, A actions, L leaves, C classes of outcomes.
"""

from types import ModuleType

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.network import NetworkAgent, Outputs, reading, softmax
from fuda.agents.ties import tie_digits
from fuda.core.game import GameSpec
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

    def _values(self, views: np.recarray, seats: np.ndarray, actions: np.ndarray) -> np.ndarray:
        _, counts = self._legal(views)
        values = super()._values(views, seats, actions).astype(np.float64)
        values[np.arange(actions.shape[1]) >= counts[:, None]] = -np.inf
        digits = tie_digits(self.spec, self._unit)
        behind = 10.0 ** (1 - digits)  # so much at least is what was not searched behind what was
        wanted = among_best(values.round(digits), self.candidates) & (values > -np.inf)
        for first in range(0, len(views), TOGETHER):
            some = slice(first, first + TOGETHER)
            found = self._search(views[some].view(np.recarray), seats[some], wanted[some])
            for k, row in enumerate(found, first):
                values[k] = np.minimum(values[k], row.min() - behind)  # what was not searched
                values[k, wanted[k]] = row
        return values

    def _search(self, views: np.recarray, seats: np.ndarray, wanted: np.ndarray) -> list[np.ndarray]:
        """For each view the values of its wanted [K, A] legal actions, in their order."""
        turn, num_views = self._turn, len(views)
        shape = (num_views, turn.MAX_NODES)
        states = self.spec.new_states(num_views * turn.MAX_NODES).reshape(shape)
        kinds, parents, gains = np.full(shape, NO_NODE), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        counts = np.zeros(num_views, np.int64)
        trees = (states, kinds, parents, gains, counts)
        split(turn.grow_all, views, seats, wanted, *trees, count=num_views, min_share=1)
        values = np.zeros(shape)
        waiting, ended = np.nonzero(kinds == turn.WAITING), np.nonzero(kinds == turn.ENDED)
        for leaves, chances in (
            (waiting, self._wait(states[waiting].view(np.recarray), seats[waiting[0]])),
            (ended, np.eye(self._outcomes.NUM_CLASSES)[self._outcomes.class_of(gains[ended])]),
        ):
            here = views[leaves[0]].view(np.recarray), seats[leaves[0]]
            found = self._outcomes.value_of_chances(*here, chances[:, None], self._unit, self._table)
            values[leaves] = found[:, 0]
        split(turn.back_up_all, kinds, parents, values, counts, count=num_views, min_share=1)
        return [
            row[:count][parent[:count] == 0]
            for row, parent, count in zip(values, parents, counts, strict=True)
        ]

    def _wait(self, leaves: np.recarray, seats: np.ndarray) -> np.ndarray:
        """The chances [L, C] at the ends of turns."""
        encoding, count = self.encoding, len(leaves)
        if not count:
            return np.zeros((0, self._outcomes.NUM_CLASSES))
        places = np.zeros((count, encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((count, encoding.NUM_PROGRESS), np.int8)
        split(encoding.encode_waiting_all, leaves, seats, places, progress, count=count)
        read = np.full((count, 1), self._turn.WAIT_ACTION)
        return softmax(self.outputs(places, progress, read)[:, 0])


def among_best(values: np.ndarray, count: int) -> np.ndarray:
    """Which of values [K, A] are among the highest `count` different ones of their row."""
    order = (-values).argsort(axis=1)
    ranked = np.take_along_axis(values, order, axis=1)
    ranks = np.zeros(values.shape, np.int64)
    ranks[:, 1:] = (ranked[:, 1:] < ranked[:, :-1]).cumsum(axis=1)
    found = np.empty(values.shape, bool)
    np.put_along_axis(found, order, ranks < count, axis=1)
    return found
