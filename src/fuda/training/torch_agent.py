"""An agent that plays networks where they are: in training, and in duels on a GPU."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.model import model_agent
from fuda.agents.network import NetworkAgent, reading
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.agents.words import WordNetwork
from fuda.games import spec as find_spec
from fuda.nets.export import read_mlp, read_network
from fuda.nets.folder import read_card
from fuda.nets.policy_value import PolicyValueNet
from fuda.nets.token_transformer import TokenTransformer, unpack
from fuda.nets.words import WordInput

GPU_DEALS = 512
WORD_BATCH = 32768  # positions that a network of words takes at once


def torch_agent(
    nets: Sequence[TokenTransformer],
    owners: Sequence[int],
    game_id: str,
    encoding: Any,
    unit: str | None,
    table: np.ndarray | None = None,
    scale: float = 1.0,
    name: str = "",
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
    return NetworkAgent(name or f"{game_id}/in-training", spec, encoding, values, info, in_unit=tell)


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


def word_input(encoding: Any, diffuse: int) -> WordInput:
    """What writes an encoding's words out for a network; `diffuse` as in its shape."""
    widened = encoding.WIDENED if diffuse else (0, 0)
    shared = getattr(encoding, "SHARED", ())
    return WordInput(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, widened, *shared)


def torch_network(net: PolicyValueNet, spread: WordInput) -> WordNetwork:
    """A network of words where it is, as players ask it."""
    device = spread.column_words.device

    @torch.no_grad()
    def outputs(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        parts = []
        for start in range(0, len(words), WORD_BATCH):
            part = torch.from_numpy(words[start : start + WORD_BATCH]).to(device)
            actions, values = net(spread(part))
            parts.append((values.float().cpu().numpy(), actions.float().cpu().numpy()))
        found_values, found_actions = (np.concatenate(each) for each in zip(*parts, strict=True))
        return found_values, found_actions

    return outputs


def model_on(
    device: torch.device | str,
    folder: Path,
    name: str,
    suffix: str = "",
    parameters: Mapping[str, object] | None = None,
) -> Agent:
    """A player of a model folder, played by PyTorch: on a GPU many times as fast in a duel."""
    played = model_agent(folder, name, parameters=parameters, suffix=suffix)
    if isinstance(played, ScenarioAgent | RolloutAgent):
        net = read_mlp(folder).to(device).requires_grad_(False)
        played.network = torch_network(net, word_input(played.encoding, net.shape.diffuse).to(device))
        played.deals_together = deals_on(device)
        return played
    assert isinstance(played, NetworkAgent)
    card = read_card(folder)
    nets, owners = read_networks(folder, played.encoding, torch.device(device))
    agent = torch_agent(
        nets, owners, card.game, played.encoding, card.unit, card.table(folder), card.scale, name
    )
    agent.weights, agent.info = played.weights, played.info
    agent.deals_together = deals_on(device)
    return agent


def deals_on(device: torch.device | str) -> int:
    """How many deals a duel should play together at least, where the networks are."""
    return GPU_DEALS if torch.device(device).type == "cuda" else 1
