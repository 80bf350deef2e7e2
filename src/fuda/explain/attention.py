"""What a model's networks look at: attention between tokens, and how much of it stays in a suit.

K positions, T tokens, L layers, H heads. Needs PyTorch: the files that play tell values alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from fuda.agents import Agent
from fuda.agents.network import NetworkAgent
from fuda.core.match import Match
from fuda.explain.walk import views_of
from fuda.nets.export import read_network
from fuda.nets.folder import read_card
from fuda.nets.token_transformer import unpack

CHUNK = 256  # positions at a time


@dataclass(frozen=True)
class Attention:
    """The attention of one network in some positions."""

    decisions: list[str]  # the kinds that the network makes
    index: np.ndarray  # [K] which of the positions they are
    weights: np.ndarray  # [L, K, H, T, T]: how much of a token's attention is on each token
    readers: np.ndarray  # [L, K, T] whose attention the network uses: in the last layer the legal moves


class AttentionReader:
    """The networks of an agent from a model folder, ready to tell their attention."""

    def __init__(self, agent: Agent):
        if not isinstance(agent, NetworkAgent):
            kind = "its kind of network has none" if agent.weights else "it is no network"
            raise ValueError(f"{agent.name} has no attention to show: {kind}; a Transformer of tokens has it")
        if agent.folder is None:
            raise ValueError(f"{agent.name} has no attention to show: it is not from a model folder")
        self._agent = agent
        self.encoding: Any = agent.encoding
        if not hasattr(self.encoding, "SUITS") or not hasattr(self.encoding, "token_places"):
            raise ValueError(f"the encoding of {agent.name} does not tell suits and places of tokens")
        rows = (self.encoding.ATTRIBUTES, self.encoding.PROGRESS_SCALES)
        attributes, scales = (torch.from_numpy(row) for row in rows)
        self.decisions = [stored.decisions for stored in read_card(agent.folder).networks]
        self.networks = [
            read_network(agent.folder, attributes, scales, number) for number in range(len(self.decisions))
        ]

    @torch.no_grad()
    def read(self, matches: Sequence[Match]) -> list[Attention]:
        """The attention in positions, by the network that decides there."""
        encoding = self.encoding
        places, progress = self._agent.encode(*views_of(matches))
        kinds = np.array(encoding.DECISION_KINDS)[encoding.decision_kinds(progress)]
        legal = np.zeros((len(matches), encoding.NUM_TOKENS), bool)
        for k, match in enumerate(matches):
            legal[k, list(match.legal_actions().values())] = True
        found = []
        for net, decisions in zip(self.networks, self.decisions, strict=True):
            index = np.flatnonzero(np.isin(kinds, decisions))
            if not len(index):
                continue
            bits = unpack(torch.from_numpy(places[index]), encoding.NUM_TOKENS).float()
            weights = torch.stack(net.attentions(bits, torch.from_numpy(progress[index]).float())).numpy()
            readers = np.ones((len(weights), len(index), encoding.NUM_TOKENS), bool)
            readers[-1] = legal[index]
            found.append(Attention(decisions, index, weights, readers))
        return found

    def token_places(self, match: Match) -> list[tuple[str, list[int]]]:
        """The tokens of a position by where they are, names with tokens."""
        places, _ = self._agent.encode(*views_of([match]))
        return list(self.encoding.token_places(places[0]))


@dataclass(frozen=True)
class SuitMass:
    """How much attention of a head stays in the suit, as parts of all its attention."""

    decisions: list[str]
    layer: int  # from 1
    head: int
    others: float  # on the other tokens of the own suit
    stderr: float | None  # of `others`, over matches; None if there was only one
    uniform: float  # what `others` were if all tokens got the same
    itself: float  # on the token itself
    positions: int


def suit_masses(reader: AttentionReader, batches: Iterable[tuple[np.ndarray, list[Match]]]) -> list[SuitMass]:
    """The mean over positions, which come as (number of the match of each, positions)."""
    suits = np.asarray(reader.encoding.SUITS)
    parts: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    for numbers, matches in batches:
        for first in range(0, len(matches), CHUNK):
            for one in reader.read(matches[first : first + CHUNK]):
                of_match = numbers[first : first + CHUNK][one.index]
                network = reader.decisions.index(one.decisions)
                parts.setdefault(network, []).append(
                    (of_match, mass_in_suit(one.weights, one.readers, suits))
                )
    masses = []
    for network, found in sorted(parts.items()):
        of_match = np.concatenate([each for each, _ in found])
        mass = np.concatenate([each for _, each in found], axis=2)  # [3, L, K, H]
        for layer in range(mass.shape[1]):
            told = ~np.isnan(mass[0, layer, :, 0])  # positions in which tokens with a suit are read
            if not told.any():
                continue
            for head in range(mass.shape[3]):
                others, itself, uniform = mass[:, layer, told, head]
                masses.append(
                    SuitMass(
                        reader.decisions[network], layer + 1, head + 1,
                        float(others.mean()), stderr_over_matches(others, of_match[told]),
                        float(uniform.mean()), float(itself.mean()), int(told.sum()),
                    )
                )  # fmt: skip
    return masses


def mass_in_suit(weights: np.ndarray, readers: np.ndarray, suits: np.ndarray) -> np.ndarray:
    """The mean attention of the readers with a suit on: its other tokens, itself, its others if uniform.

    [3, L, K, H] from weights [L, K, H, T, T], readers [L, K, T] and suits [T], negative where a token has
    none. NaN where no token with a suit is read.
    """
    same = (suits[:, None] == suits[None, :]) & (suits >= 0)[:, None]
    others = same & ~np.eye(len(suits), dtype=bool)
    asked = (readers & (suits >= 0)).astype(weights.dtype)  # [L, K, T]
    with np.errstate(invalid="ignore"):
        asked = asked / asked.sum(axis=-1, keepdims=True)
    on_others = np.einsum("lkhqt,qt,lkq->lkh", weights, others, asked, optimize=True)
    on_itself = np.einsum("lkhqq,lkq->lkh", weights, asked)
    uniform = np.einsum("q,lkq->lk", others.mean(axis=1), asked)[:, :, None]
    return np.stack([on_others, on_itself, np.broadcast_to(uniform, on_others.shape)])


def stderr_over_matches(values: np.ndarray, of_match: np.ndarray) -> float | None:
    """The standard error of a mean over positions whose matches are the independent units."""
    matches, place = np.unique(of_match, return_inverse=True)
    if len(matches) < 2:
        return None
    deviations = np.bincount(place, values - values.mean())
    return float(np.sqrt((deviations**2).sum() * len(matches) / (len(matches) - 1)) / len(values))
