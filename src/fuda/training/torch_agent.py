"""An agent that plays networks where they are: in training, and in duels on a GPU."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.model import model_agent, owners_of
from fuda.agents.move_values import MoveAgent
from fuda.agents.network import NetworkAgent, reading
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists
from fuda.games import spec as find_spec
from fuda.nets.export import read_move_values, read_network, read_policy_value
from fuda.nets.folder import read_card
from fuda.nets.policy_value import PolicyValueNet
from fuda.nets.readers import Reader, RowReader
from fuda.nets.token_transformer import TokenTransformer, unpack
from fuda.nets.words import WordInput, word_input

GPU_DEALS, GPU_WORD_DEALS = 512, 2048  # for networks of tokens and of words, which are small
TOKEN_BATCH, WORD_BATCH, MOVE_BATCH = 8192, 32768, 8192  # positions that a network takes at once


class TorchTokens:
    """Networks of tokens where they are, as players ask them; `owners` tells whose a decision is."""

    def __init__(self, nets: Sequence[TokenTransformer], owners: Sequence[int], encoding: Any):
        self._nets, self._owners, self._encoding = nets, np.asarray(owners), encoding

    @torch.no_grad()
    def __call__(self, places: np.ndarray, progress: np.ndarray, legal: Lists) -> np.ndarray:
        """Outputs [M, O] of the legal actions of all positions."""
        made_by = self._owners[self._encoding.decision_kinds(progress)]
        found = np.empty((len(legal.items), self._nets[0].value.out_features), np.float32)
        for number, net in enumerate(self._nets):
            mine = np.flatnonzero(made_by == number)
            with precise_enough():
                for start in range(0, len(mine), TOKEN_BATCH):
                    rows = mine[start : start + TOKEN_BATCH]
                    read, is_legal = legal.take(rows).padded()
                    given = (places[rows], progress[rows], read.astype(np.int64))
                    inputs = (torch.from_numpy(array) for array in given)
                    bits, numbers, tokens = (each.to(net.attributes.device) for each in inputs)
                    outputs = net(unpack(bits, len(net.attributes)).float(), numbers.float(), tokens)
                    found[legal.places(rows)] = outputs.cpu().numpy()[is_legal]
        return found


def torch_agent(
    nets: Sequence[TokenTransformer],
    owners: Sequence[int],
    game_id: str,
    encoding: Any,
    unit: str | None,
    table: np.ndarray | None = None,
    scale: float = 1.0,
) -> NetworkAgent:
    """The networks of a run as a player."""
    spec = find_spec(game_id)
    info = AgentInfo("In training", "A run's network.", unit)
    tell = reading(spec, unit, scale, table, nets[0].value.out_features)
    outputs = TorchTokens(nets, owners, encoding)
    return NetworkAgent(f"{game_id}/in-training", spec, encoding, outputs, info, in_unit=tell)


def read_networks(
    folder: Path, encoding: Any, device: torch.device
) -> tuple[list[TokenTransformer], list[int]]:
    """The networks of a model, and which of them makes each kind of decision."""
    inputs = (torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES))
    card = read_card(folder)
    nets = [read_network(folder, *inputs, number).to(device) for number in range(len(card.networks))]
    return nets, owners_of(folder, card, encoding).tolist()


class TorchNetwork:
    """A network of words where it is, as players ask it."""

    def __init__(self, net: PolicyValueNet, spread: WordInput):
        self._net, self._spread = net, spread
        self._names = list(net.gives())
        self.tells_owners = "owners" in self._names

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values [K] and the actions' numbers [K, A]."""
        actions, values = self._ask(words, "actions", "value")
        return values, actions

    def owners(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, H, A] of who holds each card, if the network has them."""
        return self._ask(words, "owners")[0]

    @torch.no_grad()
    def _ask(self, words: np.ndarray, *names: str) -> list[np.ndarray]:
        """The outputs of these names; only they are copied, which takes longer than finding them."""
        device = self._spread.column_words.device
        wanted = [self._names.index(name) for name in names]
        parts = []
        with precise_enough():
            for start in range(0, len(words), WORD_BATCH):
                part = torch.from_numpy(words[start : start + WORD_BATCH]).to(device)
                found = self._net(self._spread(part))
                parts.append([found[place] for place in wanted])
        return [torch.cat(each).float().cpu().numpy() for each in zip(*parts, strict=True)]


class TorchMoves:
    """A network where it is, as players ask it for moves."""

    def __init__(self, net: Any, reader: Reader):
        self._net, self._reader = net, reader
        self.num_outputs = net.shape.outputs

    @torch.no_grad()
    def __call__(self, words: np.ndarray, move_words: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Numbers [M, O]."""
        parts = []
        with precise_enough():
            for first in range(0, len(words), MOVE_BATCH):
                last = min(len(words), first + MOVE_BATCH)
                rows = move_words[starts[first] : starts[last]]
                mine = starts[first : last + 1] - starts[first]
                positions = np.repeat(np.arange(last - first), np.diff(mine))
                arrays = (words[first:last], rows, positions, mine[:-1])
                some, *moves = (torch.from_numpy(array).to(self._reader.device) for array in arrays)
                told = self._reader.position(self._net, some)
                found = self._reader.all_values(self._net, told, *moves)
                parts.append(found.float().cpu().numpy())
        return np.concatenate(parts)


def _move_player(net: Any, reader: Reader, spec: GameSpec, info: AgentInfo, scale: float) -> Agent:
    player = MoveAgent(f"{spec.id}/in-training", spec, reader.encoding, TorchMoves(net, reader), info, scale)
    player.deals_together = deals_on(reader.device, GPU_WORD_DEALS)
    return player


# Who plays a network that learns, by the encoding's PLAYED_BY: (net, reader, spec, info, scale) -> player
PLAYERS: dict[str, Callable[[Any, Reader, GameSpec, AgentInfo, float], Agent]] = {"moves": _move_player}


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
    played.device = torch.device(device).type
    if isinstance(played, ScenarioAgent | RolloutAgent):
        net = read_policy_value(folder, played.encoding).to(device).requires_grad_(False)
        played.network = TorchNetwork(net, word_input(played.encoding, net.shape.diffuse, device))
        played.deals_together = deals_on(device, GPU_WORD_DEALS)
        return played
    if isinstance(played, MoveAgent):
        moves = read_move_values(folder, played.encoding).to(device).requires_grad_(False)
        played.network = TorchMoves(moves, RowReader(played.encoding, played.spec, device))
        played.deals_together = deals_on(device, GPU_WORD_DEALS)
        return played
    assert isinstance(played, NetworkAgent)
    played.outputs = TorchTokens(
        *read_networks(folder, played.encoding, torch.device(device)), played.encoding
    )
    played.deals_together = deals_on(device)
    return played


def deals_on(device: torch.device | str, on_gpu: int = GPU_DEALS) -> int:
    """How many deals a duel should play together at least, where the networks are."""
    return on_gpu if torch.device(device).type == "cuda" else 1
