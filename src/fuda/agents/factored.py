"""Players whose networks name an action part by part: first one of some outputs, then what belongs to it.

The chance of an action is the product of its parts' chances, each a softmax over what is legal there. Such a
player takes the best output, then the best of each further part, as it asks for them; the chances of all
legal actions are found by the same calls, a batch for each further part.

K positions, M legal actions of all of them, U prefixes of actions, W words of a position, V of a prefix,
O outputs, F outputs for further parts.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.ties import DIGITS
from fuda.agents.values import ValueAgent
from fuda.core.game import GameSpec
from fuda.core.planes import PlaneLayout
from fuda.core.ragged import Lists, segment_argmax
from fuda.core.threads import each, num_cores, split

MIN_SHARE = 64
CHUNK = 8  # positions in one call: their layers stay in the cache of a core
NO_PART = -1  # behind an action's last further part


class FactoredNetworks(Protocol):
    """What players ask."""

    def outputs(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, O] of positions [K, W]."""

    def further(self, words: np.ndarray) -> np.ndarray:
        """Logits [U, F] of the next part after prefixes [U, V]."""


class OnnxFactored:
    """Such networks, one for each kind of decision or for several, run by onnxruntime."""

    def __init__(self, sessions: Sequence[Any], net_of_kind: np.ndarray, encoding: Any):
        self._sessions, self._net_of_kind, self._encoding = sessions, net_of_kind, encoding

    def outputs(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, O] of positions [K, W], each by the network of its kind."""
        made_by = self._net_of_kind[self._encoding.decision_kinds(words)]
        return self._run(made_by, words, self._encoding.LAYOUT, self._encoding.NUM_OUTPUTS)

    def further(self, words: np.ndarray) -> np.ndarray:
        """Logits [U, F] of the next part after prefixes [U, V]."""
        encoding = self._encoding
        owner = self._net_of_kind[list(encoding.DECISION_KINDS).index(encoding.FURTHER_KIND)]
        made_by = np.full(len(words), owner)
        return self._run(made_by, words, encoding.FURTHER_LAYOUT, encoding.NUM_FURTHER_OUTPUTS)

    def _run(
        self, made_by: np.ndarray, words: np.ndarray, layout: PlaneLayout, num_outputs: int
    ) -> np.ndarray:
        """Logits [K, num_outputs]; how rows are cut into calls does not change them."""
        size = max(1, min(CHUNK, -(-len(words) // num_cores())))
        calls = [
            (number, mine[start : start + size])
            for number in np.unique(made_by)
            for mine in [np.flatnonzero(made_by == number)]
            for start in range(0, len(mine), size)
        ]
        found = np.empty((len(words), num_outputs), np.float32)

        def call(k: int) -> None:
            number, index = calls[k]
            inputs = {"planes": layout.planes(words[index])}
            [found[index]] = self._sessions[number].run(["logits"], inputs)

        each(call, len(calls))
        return found


class FactoredAgent(ValueAgent):
    """Plays the best output, with the best further parts one by one.

    What it tells is how likely each legal action is; the one that it plays need not be the most likely.
    """

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        encoding: Any,
        network: FactoredNetworks,
        info: AgentInfo,
        seed: int = 0,
    ):
        super().__init__(name, spec, info, seed)
        self.encoding, self.network = encoding, network

    def decide(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists) -> np.ndarray:
        """The action [K] of the best parts."""
        further = self.encoding.FURTHER
        actions, rows = legal.items.astype(np.int64), legal.rows
        outputs = self.encoding.OUTPUT_OF[actions]
        logits = self.network.outputs(self._words(views, seats))[rows, outputs]
        alive = _of_the_best(outputs, logits, legal.starts)  # actions that begin as the chosen one does
        for done in range(further.shape[1]):
            has_more = further[actions[alive], done] != NO_PART
            asked = alive[has_more]
            if not len(asked):
                break
            positions, starts = np.unique(rows[asked], return_index=True)
            logits = self.network.further(
                self._prefix_words(views, seats, positions, actions[asked[starts]], done)
            )
            parts = further[actions[asked], done]
            own = logits[np.searchsorted(positions, rows[asked]), parts]
            goes_on = asked[_of_the_best(parts, own, np.append(starts, len(asked)))]
            alive = np.sort(np.concatenate([alive[~has_more], goes_on]))
        return actions[alive]

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """How likely each legal action is [M]."""
        encoding, words = self.encoding, self._words(views, seats)
        actions, rows = legal.items.astype(np.int64), legal.rows
        outputs = encoding.OUTPUT_OF[actions].astype(np.int64)
        logs = _log_chances(self.network.outputs(words), encoding.LAYOUT.legal(words))[rows, outputs]
        prefixes = rows * encoding.NUM_OUTPUTS + outputs  # a number for what was chosen so far
        for done in range(encoding.FURTHER.shape[1]):
            parts = encoding.FURTHER[actions, done].astype(np.int64)
            asked = np.flatnonzero(parts != NO_PART)
            if not len(asked):
                break
            _, examples, prefix_of = np.unique(prefixes[asked], return_index=True, return_inverse=True)
            examples = asked[examples]
            words = self._prefix_words(views, seats, rows[examples], actions[examples], done)
            log_chances = _log_chances(self.network.further(words), encoding.FURTHER_LAYOUT.legal(words))
            logs[asked] += log_chances[prefix_of, parts[asked]]
            prefixes[asked] = prefix_of * encoding.NUM_FURTHER_OUTPUTS + parts[asked]
        return np.asarray(np.exp(logs))

    def _words(self, views: np.recarray, seats: np.ndarray) -> np.ndarray:
        words = np.zeros((len(views), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, views, seats, words, count=len(views), min_share=MIN_SHARE)
        return words

    def _prefix_words(
        self, views: np.recarray, seats: np.ndarray, rows: np.ndarray, actions: np.ndarray, done: int
    ) -> np.ndarray:
        """Of the first `done` further parts of actions in the positions `rows`, words [U, V]."""
        words = np.zeros((len(rows), self.encoding.NUM_FURTHER_WORDS), np.int64)
        split(
            self.encoding.encode_further_all, views, seats, rows, actions, done, words,
            count=len(rows), min_share=MIN_SHARE,
        )  # fmt: skip
        return words


def _of_the_best(parts: np.ndarray, logits: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Which of lists' items have the part of each list's highest logit; ties as for any values."""
    best = parts[segment_argmax(np.round(logits, DIGITS), starts)]
    return np.flatnonzero(parts == np.repeat(best, np.diff(starts)))


def _log_chances(logits: np.ndarray, is_legal: np.ndarray) -> np.ndarray:
    """Logarithms of the chances of legal outputs by logits [N, O]; minus infinity for the others."""
    masked = np.where(is_legal, logits.astype(np.float64), -np.inf)
    masked -= masked.max(axis=1, keepdims=True)
    return np.asarray(masked - np.log(np.exp(masked).sum(axis=1, keepdims=True)))
