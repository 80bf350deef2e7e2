"""Agents whose values and choices are known, and a model folder whose attention is known."""

from pathlib import Path

import numpy as np
import torch

import fuda
from fuda.agents import Agent, AgentInfo
from fuda.games.koikoi import encoding
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.token_transformer import TokenShape, TokenTransformer

SPEC = fuda.game("koikoi").spec
SHAPE = TokenShape(first=16, width=32, blocks=2, heads=2, hidden=4)
HEAD_WIDTH = SHAPE.width // SHAPE.heads
NUM_SUITS = 12


class Highest(Agent):
    """Thinks that an action is worth its number, and plays the highest, but for what `slips` says."""

    def __init__(self, name: str = "koikoi/highest", slips=lambda view: False):
        super().__init__(name, SPEC, AgentInfo("Highest", "The higher the better.", "points"))
        self.slips = slips

    def evaluate(self, views, seats, rngs):
        return [{int(action): float(action) for action in _legal(view)} for view in views]

    def act(self, views, seats, rngs):
        return np.array([_legal(view)[0 if self.slips(view) else -1] for view in views], np.int64)


def _legal(view) -> np.ndarray:
    actions = np.empty(SPEC.max_legal, np.int64)
    return actions[: SPEC.rules.legal(view, actions)]


def suit_network(shift: int | None) -> TokenTransformer:
    """Head 1 of the first layer looks at cards of the suit `shift` further on; all others at all alike.

    With None that head looks at all alike too.
    """
    attributes, scales = torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES)
    net = TokenTransformer(attributes, scales, encoding.NUM_PLACE_ROWS, SHAPE)
    with torch.no_grad():
        for weights in net.parameters():
            weights.zero_()
        for block in (*net.blocks, net.last):
            block.attention_norm.weight.fill_(1)
            block.hidden_norm.weight.fill_(1)
        suits = torch.eye(NUM_SUITS)  # the first attributes are the suit
        net.from_attributes.weight[:NUM_SUITS, :NUM_SUITS] = suits
        net.narrow.weight[:NUM_SUITS, :NUM_SUITS] = suits
        if shift is not None:
            first = net.blocks[0]
            first.query.weight[:NUM_SUITS, :NUM_SUITS] = 20 * suits.roll(shift, dims=0)
            first.key_value.weight[:NUM_SUITS, :NUM_SUITS] = 20 * suits
    return net


def suit_agent(folder: Path, shift: int | None, per_kind: bool = False) -> Agent:
    """An agent of that network, or of one for each kind of decision, each with a shift of one more."""
    card = ModelCard(
        "koikoi", SPEC.rules_version, "encoding", encoding.ENCODING_VERSION, "Suits", "-", None, 1.0
    )
    kinds = [(kind,) for kind in encoding.DECISION_KINDS] if per_kind else [encoding.DECISION_KINDS]
    networks = [
        (suit_network(None if shift is None else shift + number), names) for number, names in enumerate(kinds)
    ]
    write_model(folder, card, networks)
    return fuda.agent(folder)
