"""Players that take their hand apart first: the best decomposition, then the best group in it.

K positions, M legal actions of all of them, R groups, D decompositions of all of them, G the most members
of one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from fuda.agents.agent import AgentInfo
from fuda.agents.values import ValueAgent
from fuda.core.decompositions import Decompositions
from fuda.core.game import GameSpec
from fuda.core.match import Match
from fuda.core.ragged import Lists
from fuda.core.threads import each, split
from fuda.core.words import unpack_bits

MIN_SHARE = 64
DECOMPOSITIONS = 1000  # of a hand, at most
BESIDE = 30  # of those with a legal move that is in none of the drawn ones, for its value alone


class Found(NamedTuple):
    """What networks find of the decompositions of positions."""

    values: np.ndarray  # [D] of all
    best: np.ndarray  # [K] the best one of each position, counted over all
    moves: np.ndarray  # [K, G] values of its members


class DecompositionNetwork(Protocol):
    """What players ask about the decompositions of positions, words [K, W]."""

    def __call__(self, words: np.ndarray, found: Decompositions) -> Found:
        """Values of all decompositions, and of the groups of the best."""


class OnnxDecompositions:
    """Networks of decompositions, one for each kind of decision or for several, run by onnxruntime."""

    def __init__(self, sessions: Sequence[Any], net_of_kind: np.ndarray, encoding: Any):
        self._sessions, self._net_of_kind, self._encoding = sessions, net_of_kind, encoding
        self._shifts = np.arange(np.prod(encoding.GROUP_SHAPE))
        self._ask_playable = [
            any(given.name == "playable" for given in session.get_inputs()) for session in sessions
        ]

    def __call__(self, words: np.ndarray, found: Decompositions) -> Found:
        """Values of all decompositions, and of the groups of the best."""
        encoding = self._encoding
        numbers = np.empty((len(words), encoding.NUM_COLUMNS), np.float32)
        unpack_bits(words, encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, numbers, 0, len(words))
        numbers *= np.stack(encoding.shares(words), axis=1)[:, encoding.COLUMN_SHARES].astype(np.float32)
        made_by = self._net_of_kind[encoding.decision_kinds(words)]
        values = np.zeros(len(found.member_starts) - 1, np.float32)
        best, moves = np.zeros(len(words), np.int64), np.zeros((len(words), encoding.MAX_GROUPS), np.float32)

        def ask(k: int) -> None:
            mine = found.between(k, k + 1)
            inputs = {
                "groups": self._bits(mine.groups),
                "last": self._bits(words[k, list(encoding.LAST_GROUPS)]),
                "numbers": numbers[k : k + 1],
                "members": mine.table(np.arange(len(mine.member_starts) - 1))[0],
            }
            if self._ask_playable[made_by[k]]:
                inputs["playable"] = mine.playable.astype(np.float32)
            of_all, of_best = self._sessions[made_by[k]].run(["decompositions", "moves"], inputs)
            values[found.starts[k] : found.starts[k + 1]] = of_all
            best[k] = found.starts[k] + of_all.argmax()
            moves[k, : len(of_best)] = of_best

        each(ask, len(words))
        return Found(values, best, moves)

    def _bits(self, groups: np.ndarray) -> np.ndarray:
        """Groups [N] as numbers [N, bits]."""
        return (self._encoding.GROUP_BITS[groups, None] >> self._shifts & 1).astype(np.float32)


class Opinion(NamedTuple):
    """What a player thinks of a position."""

    action: int  # that it plays
    decomposition: np.ndarray  # actions: the groups among which it chose
    values: dict[int, float]  # of the legal actions


class DecompositionAgent(ValueAgent):
    """Takes hands apart, asks networks, plays the best group that can be played.

    The value of a move is the one that it has in the best decomposition with it, so that the move it plays
    need not have the highest: it is the best in the best decomposition.
    """

    def __init__(
        self, name: str, spec: GameSpec, encoding: Any, network: DecompositionNetwork, info: AgentInfo,
        seed: int = 0,
    ):  # fmt: skip
        super().__init__(name, spec, info, seed)
        self.encoding, self.network, self.limit = encoding, network, DECOMPOSITIONS

    def decide(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists) -> np.ndarray:
        """Actions [K]."""
        return self.take_apart(views, seats, rngs)[0]

    def take_apart(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """The action [K] of each view, and the decomposition that it is of."""
        words = self._words(views, seats)
        found = self.encoding.decompose(words, self.limit, rngs)
        return self._choose(found, self.network(words, found))

    def legal_values(
        self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray, legal: Lists
    ) -> np.ndarray:
        """The value [M] of each legal action in the best decomposition with it."""
        opinions = self.opinions(views, seats, rngs)
        return np.array(
            [opinion.values[action] for k, opinion in enumerate(opinions) for action in legal.row(k).tolist()]
        )

    def opinion(self, match: Match) -> Opinion:
        """What it thinks of the position of the seat to move."""
        return self.opinions(*self._ask(match))[0]

    def opinions(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> list[Opinion]:
        """What is played [K], from which decomposition, and what all legal actions are worth."""
        words, legal = self._words(views, seats), self.spec.kernels.legal_lists(views)
        found = self.encoding.decompose(words, self.limit, rngs)
        valued = self.network(words, found)
        actions, taken_apart = self._choose(found, valued)
        return [
            Opinion(
                int(actions[k]), taken_apart[k],
                self._values(
                    words[k], legal.row(k), found.between(k, k + 1),
                    valued.values[found.starts[k] : found.starts[k + 1]], rngs[k : k + 1],
                ),
            )
            for k in range(len(views))
        ]  # fmt: skip

    def _values(
        self, words: np.ndarray, legal: np.ndarray, found: Decompositions, values: np.ndarray, rng: np.ndarray
    ) -> dict[int, float]:
        """The value of each legal action of one position, whose decompositions have these values [D]."""
        best_first = np.argsort(-values, kind="stable")
        rank = np.empty_like(best_first)
        rank[best_first] = np.arange(len(best_first))
        of_group = np.full(len(found.groups), len(best_first))  # the rank of the best decomposition with it
        np.minimum.at(of_group, found.members, np.repeat(rank, np.diff(found.member_starts)))
        there = {int(found.groups[row]): int(of_group[row]) for row in np.flatnonzero(found.playable)}
        ranks = np.unique(list(there.values()))
        alone = found.alone(best_first[ranks])
        moves = self.network(np.repeat(words[None], len(ranks), axis=0), alone).moves
        worth = {}
        for action, place in zip(there, np.searchsorted(ranks, list(there.values())), strict=True):
            groups = alone.groups[alone.group_starts[place] : alone.group_starts[place + 1]]
            worth[action] = moves[place, np.flatnonzero(groups == action)[0]]
        others = np.setdiff1d(legal, list(there))
        if len(others):
            many = np.repeat(words[None], len(others), axis=0)
            beside = self.encoding.decompose_with(many, others, BESIDE, np.repeat(rng, len(others)))
            valued = self.network(many, beside)
            places = np.diff(beside.member_starts)[valued.best] - 1
            worth |= dict(zip(others.tolist(), valued.moves[np.arange(len(others)), places], strict=True))
        ordered = [float(worth[action]) for action in legal.tolist()]
        return dict(zip(legal.tolist(), self._in_unit(np.array(ordered)).tolist(), strict=True))

    def _in_unit(self, values: np.ndarray) -> np.ndarray:
        return chance_to_win(values) if self.unit == "probability" else values

    def _words(self, views: np.recarray, seats: np.ndarray) -> np.ndarray:
        words = np.zeros((len(views), self.encoding.NUM_WORDS), np.int64)
        split(self.encoding.encode_all, views, seats, words, count=len(views), min_share=MIN_SHARE)
        return words

    def _choose(self, found: Decompositions, valued: Found) -> tuple[np.ndarray, list[np.ndarray]]:
        rows, is_member = found.table(valued.best)
        can = found.playable[rows] & is_member
        places = np.where(can, valued.moves[:, : rows.shape[1]], -np.inf).argmax(axis=1)
        taken_apart = [found.groups[row[there]] for row, there in zip(rows, is_member, strict=True)]
        return found.groups[rows[np.arange(len(rows)), places]].astype(np.int64), taken_apart


def chance_to_win(values: np.ndarray) -> np.ndarray:
    """The chances for which these values are learned best, if wins are 1 and losses -1, by Huber's loss.

    It is squared up to an error of 1 and linear beyond, so that more likely outcomes pull values further
    than to the mean: chance p gives 2 - 1/p where p is a half or more.
    """
    likely = 1 / (2 - np.minimum(np.abs(values), 1))
    return np.where(values >= 0, likely, 1 - likely)
