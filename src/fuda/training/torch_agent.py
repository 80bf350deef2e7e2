"""An agent that plays networks where they are: in training, and in duels on a GPU."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fuda.agents.agent import AgentInfo
from fuda.agents.network import NetworkAgent, reading
from fuda.games import spec as find_spec
from fuda.nets.export import read_network
from fuda.nets.folder import read_card
from fuda.nets.token_transformer import TokenTransformer, unpack


def torch_agent(
    nets: Sequence[TokenTransformer],
    owners: Sequence[int],
    game_id: str,
    encoding: Any,
    unit: str | None,
    table: np.ndarray | None = None,
    scale: float = 1.0,
    name: str = "in-training",
) -> NetworkAgent:
    """Networks, of which `owners` says who makes each kind of decision, as a player."""

    @torch.no_grad()
    def values(places: np.ndarray, progress: np.ndarray, read: np.ndarray) -> np.ndarray:
        made_by = np.asarray(owners)[encoding.decision_kinds(progress)]
        found = np.empty((*read.shape, nets[0].value.out_features), np.float32)
        for number, net in enumerate(nets):
            rows = np.flatnonzero(made_by == number)
            device = net.attributes.device
            inputs = (torch.from_numpy(array[rows]).to(device) for array in (places, progress, read))
            bits, numbers, tokens = inputs
            found[rows] = (
                net(unpack(bits, len(net.attributes)).float(), numbers.float(), tokens).cpu().numpy()
            )
        return found

    spec = find_spec(game_id)
    info = AgentInfo("In training", "A run's network.", unit)
    tell = reading(spec, unit, scale, table, nets[0].value.out_features)
    return NetworkAgent(f"{game_id}/{name}", spec, encoding, values, info, in_unit=tell)


def read_networks(
    folder: Path, encoding: Any, device: torch.device
) -> tuple[list[TokenTransformer], list[int]]:
    """The networks of a model, and which of them makes each kind of decision."""
    inputs = (torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES))
    files = read_card(folder).networks
    nets = [read_network(folder, *inputs, number).to(device) for number in range(len(files))]
    owners = [
        next(number for number, file in enumerate(files) if kind in file.decisions)
        for kind in encoding.DECISION_KINDS
    ]
    return nets, owners


def model_on(device: torch.device, folder: Path, encoding: Any, name: str) -> NetworkAgent:
    """The agent of a model folder, played by PyTorch: on a GPU many times as fast in a duel."""
    card = read_card(folder)
    nets, owners = read_networks(folder, encoding, device)
    return torch_agent(nets, owners, card.game, encoding, card.unit, card.table(folder), card.scale, name)
