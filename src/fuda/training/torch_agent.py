"""An agent that plays networks where they are: in training, and in duels on a GPU."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from fuda.agents.action_outputs import ActionAgent
from fuda.agents.agent import Agent
from fuda.agents.decompositions import DecompositionAgent, Found
from fuda.agents.factored import FactoredAgent
from fuda.agents.model import model_agent, nets_of_kinds
from fuda.agents.move_values import MoveEvaluator
from fuda.agents.network import NetworkAgent
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.core.decompositions import Decompositions
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists
from fuda.nets.action_outputs import ActionNet, ActionReader
from fuda.nets.decompositions import DecompositionNet
from fuda.nets.export import (
    read_action_outputs,
    read_decompositions,
    read_factored,
    read_move_values,
    read_network,
    read_policy_value,
)
from fuda.nets.folder import read_card
from fuda.nets.group_reader import GroupReader, Members
from fuda.nets.policy_value import PolicyValueNet
from fuda.nets.readers import Reader, RowReader
from fuda.nets.strided import PlaneInput, StridedNet
from fuda.nets.token_transformer import TokenTransformer, unpack
from fuda.nets.words import WordInput, word_input
from fuda.training.chooser import choose
from fuda.training.deals import BY_VALUE

Net = TypeVar("Net", bound=torch.nn.Module)

RAW = "-raw"  # what the name of a player without search ends with, where there are others
GPU_DEALS, GPU_WORD_DEALS = 512, 2048  # for networks of tokens and of words, which are small
# Positions that a network takes at once.
TOKEN_BATCH, WORD_BATCH, MOVE_BATCH, GROUP_BATCH, ACTION_BATCH = 8192, 32768, 8192, 256, 2048
PLANE_BATCH = 4096


class TorchTokens:
    """Networks of tokens where they are, as players ask them; `net_of_kind` tells whose a decision is."""

    def __init__(self, nets: Sequence[TokenTransformer], net_of_kind: Sequence[int], encoding: Any):
        self._nets, self._net_of_kind, self._encoding = nets, np.asarray(net_of_kind), encoding

    @torch.no_grad()
    def __call__(self, places: np.ndarray, progress: np.ndarray, legal: Lists) -> np.ndarray:
        """Outputs [M, O] of the legal actions of all positions."""
        made_by = self._net_of_kind[self._encoding.decision_kinds(progress)]
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


def read_networks(
    folder: Path, encoding: Any, device: torch.device
) -> tuple[list[TokenTransformer], list[int]]:
    """The networks of a model, and which of them makes each kind of decision."""
    inputs = (torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES))
    card = read_card(folder)
    nets = [read_network(folder, *inputs, number).to(device) for number in range(len(card.networks))]
    return nets, nets_of_kinds(folder, card, encoding).tolist()


class TorchNetwork:
    """A network of words where it is, as players ask it."""

    def __init__(self, net: PolicyValueNet, unpack: WordInput):
        self._net, self._unpack = net, unpack
        self._names = list(net.gives())
        self.tells_holders = "owners" in self._names

    def __call__(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values [K] and the actions' numbers [K, A]."""
        actions, values = self._ask(words, "actions", "value")
        return values, actions

    def holders(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, H, A] of who holds each card, if the network has them."""
        return self._ask(words, "owners")[0]

    @torch.no_grad()
    def _ask(self, words: np.ndarray, *names: str) -> list[np.ndarray]:
        """The outputs of these names; only they are copied, which takes longer than finding them."""
        device = self._unpack.column_words.device
        wanted = [self._names.index(name) for name in names]
        parts = []
        with precise_enough():
            for start in range(0, len(words), WORD_BATCH):
                part = torch.from_numpy(words[start : start + WORD_BATCH]).to(device)
                found = self._net(self._unpack(part))
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


class TorchDecompositions:
    """Networks of decompositions where they are, as players ask them."""

    def __init__(self, nets: Sequence[DecompositionNet], net_of_kind: np.ndarray, reader: GroupReader):
        self._nets, self._net_of_kind, self._reader = nets, net_of_kind, reader

    def __call__(self, words: np.ndarray, found: Decompositions) -> Found:
        """Values of all decompositions, and of the groups of the best."""
        reader, device = self._reader, self._reader.device
        made_by = self._net_of_kind[reader.encoding.decision_kinds(words)]
        values = np.zeros(len(found.member_starts) - 1, np.float32)
        best = np.zeros(len(words), np.int64)
        moves = np.zeros((len(words), reader.encoding.MAX_GROUPS), np.float32)
        numbers = Lists(np.arange(len(values)), found.starts)
        for number, net in enumerate(self._nets):
            of_net = np.flatnonzero(made_by == number)
            for start in range(0, len(of_net), GROUP_BATCH):
                mine = of_net[start : start + GROUP_BATCH]
                members = Members.of(found.take(mine), device)
                by_value = torch.full((len(mine),), BY_VALUE, device=device)
                with precise_enough():
                    valued = reader.all_values(net, torch.from_numpy(words[mine]).to(device), members)
                    starts = members.starts[:-1]
                    chosen, _ = choose(valued.values, members.positions, starts, by_value)
                    rows, _ = members.table(chosen, moves.shape[1])
                    moves[mine] = reader.move_values(net, valued, chosen, rows).cpu().numpy()
                values[numbers.places(mine)] = valued.values.cpu().numpy()
                best[mine] = found.starts[mine] + (chosen - starts).cpu().numpy()
        return Found(values, best, moves)


class TorchActions:
    """Networks with an output for each action where they are, as players ask them."""

    def __init__(self, nets: Sequence[ActionNet], net_of_kind: np.ndarray, reader: ActionReader):
        self._nets, self._net_of_kind, self._reader = nets, net_of_kind, reader

    @torch.no_grad()
    def __call__(self, words: np.ndarray, legal: Lists) -> np.ndarray:
        """The outputs [M] of the legal actions."""
        made_by = self._net_of_kind[self._reader.encoding.decision_kinds(words)]
        found = np.empty(len(legal.items), np.float32)
        for number, net in enumerate(self._nets):
            of_net = np.flatnonzero(made_by == number)
            for start in range(0, len(of_net), ACTION_BATCH):
                mine = of_net[start : start + ACTION_BATCH]
                table, is_legal = legal.take(mine).padded()
                with precise_enough():
                    outputs, _ = self._reader.legal_outputs(net, words[mine], table)
                found[legal.places(mine)] = outputs.cpu().numpy()[is_legal]
        return found


class TorchFactored:
    """Networks that name actions part by part where they are, as players ask them."""

    def __init__(self, nets: Sequence[StridedNet], net_of_kind: np.ndarray, encoding: Any, device: Any):
        self._nets, self._net_of_kind, self._encoding = nets, net_of_kind, encoding
        layouts = (encoding.LAYOUT, encoding.FURTHER_LAYOUT)
        self._input, self._further_input = (PlaneInput(layout).to(device) for layout in layouts)

    def outputs(self, words: np.ndarray) -> np.ndarray:
        """Logits [K, O] of positions [K, W]."""
        return self._ask(self._net_of_kind[self._encoding.decision_kinds(words)], words, self._input)

    def further(self, words: np.ndarray) -> np.ndarray:
        """Logits [U, F] of the next part after prefixes [U, V]."""
        kind = list(self._encoding.DECISION_KINDS).index(self._encoding.FURTHER_KIND)
        return self._ask(np.full(len(words), self._net_of_kind[kind]), words, self._further_input)

    @torch.no_grad()
    def _ask(self, made_by: np.ndarray, words: np.ndarray, given: PlaneInput) -> np.ndarray:
        found = np.empty((len(words), len(given.legal_words)), np.float32)
        for number in np.unique(made_by):
            of_net = np.flatnonzero(made_by == number)
            for start in range(0, len(of_net), PLANE_BATCH):
                mine = of_net[start : start + PLANE_BATCH]
                some = torch.from_numpy(words[mine]).to(given.table.device)
                with precise_enough():
                    found[mine] = self._nets[number](given(some)).cpu().numpy()
        return found


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
        asked = played if isinstance(played, ScenarioAgent) else played.evaluator
        network = _move_network if isinstance(asked, MoveEvaluator) else _word_network
        asked.network = network(folder, asked.encoding, played.spec, device)
        played.deals_together = deals_on(device, GPU_WORD_DEALS)
        return played
    if isinstance(played, DecompositionAgent | ActionAgent | FactoredAgent):
        if torch.device(device).type != "cpu":  # there its files are as fast
            _ask_on(device, folder, played)
            played.deals_together = deals_on(device, GPU_DEALS)
        return played
    assert isinstance(played, NetworkAgent)
    played.outputs = TorchTokens(
        *read_networks(folder, played.encoding, torch.device(device)), played.encoding
    )
    played.deals_together = deals_on(device)
    return played


def _ask_on(
    device: torch.device | str, folder: Path, played: DecompositionAgent | ActionAgent | FactoredAgent
) -> None:
    """Let a player ask its networks there."""
    card, encoding = read_card(folder), played.encoding
    net_of_kind = nets_of_kinds(folder, card, encoding)

    def read(stored: Callable[..., Net]) -> list[Net]:
        nets = (stored(folder, encoding, number) for number in range(len(card.networks)))
        return [net.to(device).requires_grad_(False) for net in nets]

    if isinstance(played, FactoredAgent):
        played.network = TorchFactored(read(read_factored), net_of_kind, encoding, device)
    elif isinstance(played, ActionAgent):
        reader = ActionReader(encoding, device)
        played.network = TorchActions(read(read_action_outputs), net_of_kind, reader)
    else:
        groups = GroupReader(encoding, device)
        played.network = TorchDecompositions(read(read_decompositions), net_of_kind, groups)


def network_on(device: torch.device | str, folder: Path, name: str) -> Agent:
    """The player by a model's network alone, also where its first player searches."""
    played = model_on(device, folder, name)
    return model_on(device, folder, name, RAW) if played.info.searches else played


def _move_network(folder: Path, encoding: Any, spec: GameSpec, device: torch.device | str) -> TorchMoves:
    net = read_move_values(folder, encoding).to(device).requires_grad_(False)
    return TorchMoves(net, RowReader(encoding, spec, device))


def _word_network(folder: Path, encoding: Any, spec: GameSpec, device: torch.device | str) -> TorchNetwork:
    net = read_policy_value(folder, encoding).to(device).requires_grad_(False)
    return TorchNetwork(net, word_input(encoding, net.shape.diffuse, device))


def deals_on(device: torch.device | str, on_gpu: int = GPU_DEALS) -> int:
    """How many deals a duel should play together at least, where the networks are."""
    return on_gpu if torch.device(device).type == "cuda" else 1
