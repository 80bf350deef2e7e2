"""Players whose network reads a position once and each legal move as a row.

K positions, M legal moves of all of them, W words of a position, V of a move, O numbers of a move.
"""

from typing import Any, Protocol

import numpy as np

from fuda.agents.evaluator import Evaluator
from fuda.core.ragged import Lists
from fuda.core.threads import each, num_cores, split
from fuda.core.words import unpack_bits

MIN_SHARE = 64
ROWS = 256  # moves in one call, about: their layers stay in the cache of a core


class MoveNetwork(Protocol):
    """What players ask about moves [M, V] of positions [K, W], both words of bits, by `starts` [K + 1]."""

    num_outputs: int

    def __call__(self, words: np.ndarray, move_words: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Numbers [M, O]."""


class OnnxMoves:
    """A network of positions and moves, run by onnxruntime on all cores."""

    def __init__(self, session: Any, encoding: Any):
        self._session, self._encoding = session, encoding
        self.num_outputs = int(session.get_outputs()[0].shape[1])

    def __call__(self, words: np.ndarray, move_words: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Numbers [M, O]; how they are cut into calls does not change them."""
        encoding = self._encoding
        size = max(
            1, min(len(words), -(-ROWS * len(words) // len(move_words)), -(-len(words) // num_cores()))
        )

        def call(number: int) -> np.ndarray:
            first, last = number * size, min(len(words), (number + 1) * size)
            rows = move_words[starts[first] : starts[last]]
            obs = np.empty((last - first, encoding.NUM_COLUMNS), np.float32)
            moves = np.empty((len(rows), encoding.NUM_MOVE_COLUMNS), np.float32)
            unpack_bits(words[first:last], encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, obs, 0, len(obs))
            columns = (encoding.MOVE_COLUMN_WORDS, encoding.MOVE_COLUMN_SHIFTS)
            unpack_bits(rows, *columns, moves, 0, len(moves))
            positions = np.repeat(np.arange(last - first), np.diff(starts[first : last + 1]))
            kinds = encoding.decision_kinds(words[first:last])
            inputs = {"obs": obs, "kinds": kinds, "moves": moves, "owners": positions}
            found: np.ndarray = self._session.run(["values"], inputs)[0]
            return found

        return np.concatenate(each(call, -(-len(words) // size)))


class MoveEvaluator(Evaluator):
    """A network of positions and moves: what it says of each legal move."""

    def __init__(self, encoding: Any, network: MoveNetwork, unit: str | None, scale: float = 1.0):
        self.encoding, self.network, self.unit, self.output_scale = encoding, network, unit, scale

    def values(self, positions: np.recarray, seats: np.ndarray, legal: Lists) -> np.ndarray:
        """The chance to win [M], or the expected points."""
        encoding = self.encoding
        words = np.zeros((len(positions), encoding.NUM_WORDS), np.int64)
        move_words = np.zeros((len(legal.items), encoding.NUM_MOVE_WORDS), np.int64)
        split(encoding.encode_all, positions, seats, words, count=len(positions), min_share=MIN_SHARE)
        split(
            encoding.encode_moves_all, positions, legal.items, legal.starts, move_words,
            count=len(positions), min_share=MIN_SHARE,
        )  # fmt: skip
        return in_unit(self.network(words, move_words, legal.starts), self.unit, self.output_scale)


def in_unit(found: np.ndarray, unit: str | None, scale: float) -> np.ndarray:
    """What outputs [M, O] say in a unit [M].

    One is the logit of a win, or points; three are that logit, the points if won, and if lost.
    """
    if found.shape[1] == 1 and unit == "points":
        return np.asarray(scale * found[:, 0])
    chance = 1 / (1 + np.exp(-found[:, 0]))
    if unit == "probability":
        return np.asarray(chance)
    return np.asarray(scale * (chance * found[:, 1] + (1 - chance) * found[:, 2]))
