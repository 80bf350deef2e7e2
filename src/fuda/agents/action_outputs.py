"""Players by networks with an output for each action: the legal action with the highest one is played.

K positions, M legal actions of all of them, A actions, L last groups.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.values import ValueAgent
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists
from fuda.core.threads import each, split
from fuda.core.words import unpack_bits

MIN_SHARE = 64
CHUNK = 32  # positions in one call


class ActionOutputs(Protocol):
    """What players ask about positions, words [K, W]."""

    def __call__(self, words: np.ndarray, legal: Lists) -> np.ndarray:
        """The outputs [M] of the legal actions."""


class OnnxActions:
    """Such networks, one for each kind of decision or for several, run by onnxruntime."""

    def __init__(self, sessions: Sequence[Any], net_of_kind: np.ndarray, encoding: Any):
        self._sessions, self._net_of_kind, self._encoding = sessions, net_of_kind, encoding
        self._shifts = np.arange(np.prod(encoding.GROUP_SHAPE))

    def __call__(self, words: np.ndarray, legal: Lists) -> np.ndarray:
        """The outputs [M] of the legal actions."""
        encoding = self._encoding
        numbers = np.empty((len(words), encoding.NUM_COLUMNS), np.float32)
        unpack_bits(words, encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, numbers, 0, len(words))
        numbers *= np.stack(encoding.shares(words), axis=1)[:, encoding.COLUMN_SHARES].astype(np.float32)
        made_by = self._net_of_kind[encoding.decision_kinds(words)]
        found = np.empty(len(legal.items), np.float32)
        parts = [
            (number, mine[start : start + CHUNK])
            for number in range(len(self._sessions))
            for mine in [np.flatnonzero(made_by == number)]
            for start in range(0, len(mine), CHUNK)
        ]

        def ask(part: int) -> None:
            number, mine = parts[part]
            last = encoding.GROUP_BITS[words[mine][:, list(encoding.LAST_GROUPS)]]
            inputs = {
                "hand": self._bits(words[mine, encoding.HAND_BITS]), "last": self._bits(last),
                "numbers": numbers[mine],
            }  # fmt: skip
            [outputs] = self._sessions[number].run(["actions"], inputs)
            some = legal.take(mine)
            found[legal.places(mine)] = outputs[some.rows, some.items]

        each(ask, len(parts))
        return found

    def _bits(self, words: np.ndarray) -> np.ndarray:
        """Words [..] as numbers [.., bits]."""
        return (words[..., None] >> self._shifts & 1).astype(np.float32)


class ActionAgent(ValueAgent):
    """Plays the legal action with the highest output."""

    def __init__(
        self, name: str, spec: GameSpec, encoding: Any, network: ActionOutputs, info: AgentInfo, seed: int = 0
    ):
        super().__init__(name, spec, info, seed)
        self.encoding, self.network = encoding, network

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """The outputs [M]: values, or logits of the chances with which they were played in training."""
        words = np.zeros((len(views), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, views, seats, words, count=len(views), min_share=MIN_SHARE)
        return self.network(words, legal)
