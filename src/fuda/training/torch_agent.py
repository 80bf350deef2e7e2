"""An agent that plays networks where they are: in training, and in duels on a GPU."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.model import model_agent
from fuda.agents.network import NetworkAgent, reading
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.games import spec as find_spec
from fuda.nets.export import read_mlp, read_network
from fuda.nets.folder import read_card
from fuda.nets.policy_value import PolicyValueNet
from fuda.nets.token_transformer import TokenTransformer, unpack
from fuda.nets.words import WordInput

GPU_DEALS, GPU_WORD_DEALS = 512, 2048  # for networks of tokens and of words, which are small
GPU_COLUMNS = 32
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


def word_input(encoding: Any, diffuse: int, device: torch.device | str) -> WordInput:
    """What writes an encoding's words out for a network; `diffuse` as in its shape."""
    widened = encoding.WIDENED if diffuse else (0, 0)
    shared = getattr(encoding, "SHARED", (None,))
    # The fast kernels of a GPU need rows of whole 16 bytes, and of more they like more.
    multiple = GPU_COLUMNS if torch.device(device).type == "cuda" else 1
    spread = WordInput(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, widened, *shared, multiple=multiple)
    return spread.to(device)


class TorchNetwork:
    """A network of words where it is, as players ask it."""

    def __init__(self, net: PolicyValueNet, spread: WordInput):
        self._net, self._spread = net, spread
        self.tells_owners = "owners" in net.gives()

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values [K] and the actions' numbers [K, A]."""
        actions, values = self._outputs(words)[:2]
        return values, actions

    def owners(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, H, A] of who holds each card, if the network has them."""
        return self._outputs(words)[2]

    @torch.no_grad()
    def _outputs(self, words: np.ndarray) -> list[np.ndarray]:
        device = self._spread.column_words.device
        parts = []
        with precise_enough():
            for start in range(0, len(words), WORD_BATCH):
                part = torch.from_numpy(words[start : start + WORD_BATCH]).to(device)
                parts.append(self._net(self._spread(part)))
        return [torch.cat(each).float().cpu().numpy() for each in zip(*parts, strict=True)]


@contextmanager
def precise_enough() -> Iterator[None]:
    """Products on a GPU in TF32 meanwhile: several times as fast, and rounded less than stored weights."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


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
        played.network = TorchNetwork(net, word_input(played.encoding, net.shape.diffuse, device))
        played.deals_together = deals_on(device, GPU_WORD_DEALS)
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


def deals_on(device: torch.device | str, on_gpu: int = GPU_DEALS) -> int:
    """How many deals a duel should play together at least, where the networks are."""
    return on_gpu if torch.device(device).type == "cuda" else 1
