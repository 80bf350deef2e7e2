"""One contract for networks: values of moves, from the words of positions and of moves.

An encoding says by PLAYED_BY which reader its networks have. A reader takes any network of its kind: first it
reads positions, then values moves in them, all legal ones or one in each. What it finds of positions may also
go to others who learn from them.

B positions, M moves of all positions in one list, W words of a position, V of a move (one, the action, where
a network knows actions by their number), O outputs, T tokens, A actions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.core.compile import bind, compiled
from fuda.core.game import GameSpec
from fuda.core.kernels import unbound
from fuda.nets.export import read_move_values, read_network, read_policy_value
from fuda.nets.exportable import Exportable
from fuda.nets.move_values import MoveInputs, MoveShape, MoveValueNet
from fuda.nets.policy_value import CardMlp, MlpShape, dueling
from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack
from fuda.nets.words import word_input

Position = tuple[Tensor, ...]  # what a reader has found of positions, [B, ...] each
CHUNK = 16_384  # rows of moves that a GPU values at once, where they are rows of their own
BYTES = 8  # of a word

encode = unbound  # replaced when a function is bound
NUM_PLACE_ROWS = NUM_PROGRESS = 0


@compiled
def encode_action(view, action, words):
    """A move as its number."""
    words[0] = action


class Reader(ABC):
    """Networks of one kind, where an encoding's words are."""

    num_words: int
    num_move_words: int
    encode: Callable[..., None]  # compiled: (view, seat, words [W])
    encode_move: Callable[..., None]  # compiled: (view, action, words [V])
    encode_waiting: Callable[..., None]  # as `encode`, for who waits, where the encoding can tell that
    is_quick = False  # whether games of its networks are quick on a CPU
    has_columns = False  # each action has a column: positions alone tell which are legal, and their values

    def __init__(self, encoding: Any, spec: GameSpec, device: torch.device | str, half: bool = False):
        self.encoding, self.device = encoding, torch.device(device)
        self.num_actions, self.max_legal = spec.num_outputs(encoding), spec.max_legal
        self._is_half = half and self.device.type == "cuda"

    @abstractmethod
    def new(self, shape: Any, outputs: int) -> Exportable:
        """A network of these sizes with fresh weights, and so many outputs for each move."""

    @abstractmethod
    def stored(self, folder: Path, number: int) -> Exportable:
        """A network of a model folder."""

    @abstractmethod
    def kinds(self, words: Any) -> Any:
        """The kind of each decision [B], of an array or a tensor."""

    @abstractmethod
    def position(self, net: Any, words: Tensor) -> Position:
        """What moves are told of positions [B, W]."""

    @abstractmethod
    def features(self, told: Position) -> Tensor:
        """What was found of positions as one row of numbers each [B, width], for others to learn from."""

    @abstractmethod
    def all_values(
        self, net: Any, told: Position, moves: Tensor, positions: Tensor, starts: Tensor
    ) -> Tensor:
        """Outputs [M, O] of moves [M, V]; those of position b are the rows from starts[b] on [B].

        `positions` [M] says whose a row is. Behind the last there may be rows of any moves, to fill up.
        """

    @abstractmethod
    def one_value(self, net: Any, told: Position, moves: Tensor) -> Tensor:
        """Outputs [B, O] of one move [B, V] in each position."""

    def chunk(self, num_positions: int) -> int:
        """How many moves of so many positions a GPU values in one call."""
        return num_positions * self.max_legal

    def turn_deck(self, net: Any, step: int) -> None:  # noqa: B027 - few encodings know any
        """Let a network that learns see the deck as another that is equal, where the encoding knows such."""

    def precision(self) -> AbstractContextManager[Any]:
        """Half precision on a GPU, if that is wanted."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self._is_half)


class RowReader(Reader):
    """Every move is a row of its own words (`move_values.py`)."""

    is_quick = True

    def __init__(self, encoding: Any, spec: GameSpec, device: torch.device | str, half: bool = False):
        super().__init__(encoding, spec, device, half)
        self.num_words, self.num_move_words = encoding.NUM_WORDS, encoding.NUM_MOVE_WORDS
        self.encode, self.encode_move = encoding.encode, encoding.encode_move
        self._inputs = MoveInputs(encoding, device)

    def new(self, shape: MoveShape, outputs: int) -> MoveValueNet:
        """With outputs of its own for each kind of decision."""
        shape = replace(shape, kinds=len(self.encoding.DECISION_KINDS), outputs=outputs)
        return MoveValueNet(self.encoding.NUM_COLUMNS, self.encoding.NUM_MOVE_COLUMNS, shape)

    def stored(self, folder: Path, number: int) -> MoveValueNet:
        """A network of a model folder."""
        return read_move_values(folder, self.encoding, number)

    def kinds(self, words: Any) -> Any:
        """By the encoding."""
        return self.encoding.decision_kinds(words)

    def position(self, net: MoveValueNet, words: Tensor) -> Position:
        """What moves are told [B, move width], the position's part of the values [B, O], the kinds [B]."""
        # A network of an encoding with fewer kinds is not asked about the last ones.
        kinds = self._inputs.kinds(words).clamp(max=net.shape.kinds - 1)
        with self.precision():
            return (*net.position(self._inputs.position(words), kinds), kinds)

    def features(self, told: Position) -> Tensor:
        """What moves are told."""
        return told[0]

    def all_values(
        self, net: MoveValueNet, told: Position, moves: Tensor, positions: Tensor, starts: Tensor
    ) -> Tensor:
        """Row by row."""
        with self.precision():
            part, values, kinds = told
            return net.move_values(part, values, kinds, self._inputs.move(moves), positions)

    def one_value(self, net: MoveValueNet, told: Position, moves: Tensor) -> Tensor:
        """The same: each position has one row."""
        rows = torch.arange(len(moves), device=moves.device)
        return self.all_values(net, told, moves, rows, rows)

    def chunk(self, num_positions: int) -> int:
        """The same whatever the positions."""
        return CHUNK


class TokenReader(Reader):
    """A move is a token that is read (`token_transformer.py`).

    A position's words are its places, and its progress as bytes.
    """

    def __init__(self, encoding: Any, spec: GameSpec, device: torch.device | str, half: bool = False):
        super().__init__(encoding, spec, device, half)
        places, progress = encoding.NUM_PLACE_ROWS, encoding.NUM_PROGRESS
        self.num_words, self.num_move_words = places + -(-progress // BYTES), 1
        sizes = {"NUM_PLACE_ROWS": places, "NUM_PROGRESS": progress}
        self.encode, self.encode_move = _as_words(encoding.encode, sizes), encode_action
        if hasattr(encoding, "encode_waiting"):
            self.encode_waiting = _as_words(encoding.encode_waiting, sizes)
        numbers = np.arange(progress)
        self._words = torch.from_numpy(places + numbers // BYTES).to(self.device)
        self._shifts = torch.from_numpy(numbers % BYTES * BYTES).to(self.device)
        equal = getattr(encoding, "EQUAL_ATTRIBUTES", encoding.ATTRIBUTES[None])
        self._equal = torch.from_numpy(equal).float().to(self.device)

    def new(self, shape: TokenShape, outputs: int) -> TokenTransformer:
        """One network of all kinds of decisions."""
        num_places = self.encoding.NUM_PLACE_ROWS
        return TokenTransformer(*self._constants(), num_places, replace(shape, outputs=outputs))

    def stored(self, folder: Path, number: int) -> TokenTransformer:
        """A network of a model folder."""
        return read_network(folder, *self._constants(), number)

    def kinds(self, words: Any) -> Any:
        """By the encoding, of the progress."""
        if isinstance(words, Tensor):
            return self.encoding.decision_kinds(self._progress(words))
        progress = np.ascontiguousarray(words[:, self.encoding.NUM_PLACE_ROWS :]).view(np.int8)
        return self.encoding.decision_kinds(progress)

    def position(self, net: TokenTransformer, words: Tensor) -> Position:
        """The tokens [B, T, width] before the last block."""
        with self.precision():
            bits = unpack(words[:, : self.encoding.NUM_PLACE_ROWS], len(net.attributes))
            bits = bits.to(torch.bfloat16 if self._is_half else net.value.weight.dtype)
            return (net.tokens(bits, self._progress(words).float()),)

    def features(self, told: Position) -> Tensor:
        """The mean of the tokens."""
        return told[0].mean(dim=1)

    def all_values(
        self, net: TokenTransformer, told: Position, moves: Tensor, positions: Tensor, starts: Tensor
    ) -> Tensor:
        """As a table of the moves of each position, as wide as the longest list; on a GPU as any could be."""
        most = self.max_legal
        if not moves.is_cuda:
            most = int(torch.bincount(positions, minlength=len(starts)).max())
        places = torch.arange(most, device=moves.device)
        table = moves[(starts[:, None] + places).clamp(max=len(moves) - 1), 0]
        with self.precision():
            found = net.read(told[0], table).float()
        place = torch.arange(len(moves), device=moves.device) - starts[positions]
        return found[positions, place.clamp(0, most - 1)]

    def one_value(self, net: TokenTransformer, told: Position, moves: Tensor) -> Tensor:
        """Of the one token."""
        with self.precision():
            return net.read(told[0], moves[:, :1])[:, 0].float()

    def turn_deck(self, net: TokenTransformer, step: int) -> None:
        """The symmetries take turns."""
        net.attributes.copy_(self._equal[step % len(self._equal)])

    def _constants(self) -> tuple[Tensor, Tensor]:
        """What tokens are, and what the small numbers are divided by."""
        return torch.from_numpy(self.encoding.ATTRIBUTES), torch.from_numpy(self.encoding.PROGRESS_SCALES)

    def _progress(self, words: Tensor) -> Tensor:
        """The small numbers [B, P] int8."""
        return (words[:, self._words] >> self._shifts).to(torch.int8)


class ColumnReader(Reader):
    """A move is a column: an advantage, beside the position's value (`policy_value.py`)."""

    is_quick = has_columns = True

    def __init__(self, encoding: Any, spec: GameSpec, device: torch.device | str, half: bool = False):
        super().__init__(encoding, spec, device, half)
        self.num_words, self.num_move_words = encoding.NUM_WORDS, 1
        self.encode, self.encode_move = encoding.encode, encode_action
        self._input = word_input(encoding, 0, device)
        self._actions = torch.arange(self.num_actions, device=self.device)

    def new(self, shape: MlpShape, outputs: int) -> CardMlp:
        """With one output for each action."""
        if outputs != 1:
            raise ValueError(f"a column tells one number of a move, not {outputs}")
        return CardMlp(self.encoding.NUM_COLUMNS, self.num_actions, shape)

    def stored(self, folder: Path, number: int) -> Exportable:
        """A network of a model folder."""
        return read_policy_value(folder, self.encoding, number)

    def kinds(self, words: Any) -> Any:
        """There is one."""
        return words[:, 0] * 0

    def position(self, net: CardMlp, words: Tensor) -> Position:
        """Values [B, A] of the legal actions, the features [B, width] behind them, what other heads say."""
        with self.precision():
            features = net.features(self._input(words))
            actions, value, *others = net.heads(features)
        return dueling(actions, value, self.legal(words)), features, *others

    def legal(self, words: Tensor) -> Tensor:
        """Which actions are legal [B, A]."""
        return (words[:, self.encoding.LEGAL, None] >> self._actions & 1).bool()

    def features(self, told: Position) -> Tensor:
        """What the heads read."""
        return told[1]

    def all_values(
        self, net: CardMlp, told: Position, moves: Tensor, positions: Tensor, starts: Tensor
    ) -> Tensor:
        """The column of each move."""
        return told[0][positions, moves[:, 0]][:, None].float()

    def one_value(self, net: CardMlp, told: Position, moves: Tensor) -> Tensor:
        """The column of the move."""
        return told[0].gather(1, moves[:, :1]).float()


READERS: dict[str, type[Reader]] = {"moves": RowReader, "tokens": TokenReader, "views": ColumnReader}


def _as_words(function: Callable[..., None], sizes: dict[str, int]) -> Any:
    """An encoding's function of places and progress, which writes both into one row of words."""
    return bind(_encode_words, f"{function.__module__}.{function.__name__}", {"encode": function, **sizes})


def _encode_words(view, seat, words):
    encode(view, seat, words[:NUM_PLACE_ROWS], words[NUM_PLACE_ROWS:].view(np.int8)[:NUM_PROGRESS])
