"""Players that look to the end of their turn: over all their moves and all cards that they may draw.

A network tells what a position is worth to the player who waits; the rest of the turn is known exactly.

K positions, A actions, N nodes of a tree, L leaves, C classes of outcomes.
"""

from types import ModuleType

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.network import NetworkAgent, Outputs, softmax
from fuda.core.game import GameSpec
from fuda.core.threads import each, split

WAITING = "waiting"  # what a model's card calls the kind of decision that its network is for


class TurnSearchAgent(NetworkAgent):
    """Plays the move with the best mean, over the draws, of what the turn can be brought to."""

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
        super().__init__(name, spec, encoding, outputs, info, lambda views, seats, values: values, seed)
        if spec.turn is None or spec.outcomes is None or info.unit is None:
            raise ValueError(f"{spec.id} has no turns that a player could search")
        self._turn, self._outcomes, self._unit = spec.turn, spec.outcomes, info.unit
        self._table = table

    def _values(self, views: np.recarray, seats: np.ndarray, actions: np.ndarray) -> np.ndarray:
        found = each(lambda k: self._search(views, k, int(seats[k])), len(views))
        values = np.zeros(actions.shape)
        for k, row in enumerate(found):
            values[k, : len(row)] = row
        return values

    def _search(self, views: np.recarray, k: int, seat: int) -> np.ndarray:
        """The value of each legal action, in their order."""
        turn, outcomes = self._turn, self._outcomes
        states = self.spec.new_states(turn.MAX_NODES)
        kinds, parents, gains = (np.zeros(turn.MAX_NODES, np.int64) for _ in range(3))
        count = turn.grow(views[k], seat, states, kinds, parents, gains)
        kinds = kinds[:count]
        waiting, ended = np.flatnonzero(kinds == turn.WAITING), np.flatnonzero(kinds == turn.ENDED)
        chances = np.zeros((count, outcomes.NUM_CLASSES), np.float32)
        if len(waiting):
            chances[waiting] = softmax(self._wait(states[waiting].view(np.recarray), seat))
        chances[ended, outcomes.class_of(gains[ended])] = 1
        here = views[k : k + 1], np.array([seat])
        values = outcomes.value_of_chances(*here, chances[None], self._unit, self._table)[0]
        values = values.astype(np.float64)
        turn.back_up(kinds, parents, values, count)
        return values[np.flatnonzero(parents[:count] == 0)]

    def _wait(self, leaves: np.recarray, seat: int) -> np.ndarray:
        """What the network says [L, C] of the ends of the turn."""
        encoding, count = self.encoding, len(leaves)
        places = np.zeros((count, encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((count, encoding.NUM_PROGRESS), np.int8)
        seats = np.full(count, seat)
        split(encoding.encode_waiting_all, leaves, seats, places, progress, count=count)
        read = np.full((count, 1), self._turn.WAIT_ACTION)
        return self._outputs(places, progress, read)[:, 0]
