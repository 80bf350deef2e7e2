"""What observations are: the columns of a game's encoding as blocks, and how views become such numbers.

B views, M legal moves, C columns of a view, D of a move.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fuda.core.entry import Entered
from fuda.core.game import Game, GameSpec
from fuda.core.parts import file_name
from fuda.core.protocols import BID
from fuda.core.threads import split
from fuda.core.words import runs_of
from fuda.envs import loops
from fuda.envs.legal import Legal

MIN_SHARE = 128  # views that are worth a thread of their own


class Block(NamedTuple):
    """Some columns of one meaning."""

    name: str
    first: int
    width: int
    meaning: str
    scale: int = 1  # what its numbers were divided by


class Layout(ABC):
    """The observations of a game: the columns of a view and of a legal move, all float32."""

    def __init__(
        self, spec: GameSpec, encoding: Any, loop: Any, blocks: Sequence[Block], move_blocks: Sequence[Block]
    ):
        self.encoding_name = file_name(encoding)
        self.version = int(encoding.ENCODING_VERSION)
        self.blocks, self.move_blocks = tuple(blocks), tuple(move_blocks)
        self.width, self.move_width = (sum(block.width for block in each) for each in (blocks, move_blocks))
        self.low, self.high = np.zeros(self.width, np.float32), np.ones(self.width, np.float32)
        # loop(views, seats, table, out, first, last); the table is what it needs of the encoding.
        self._write, self._one = loop, Entered(loop)
        self._table: np.ndarray

    def write(self, views: np.recarray, seats: np.ndarray, out: np.ndarray) -> None:
        """Write what the seats [B], who are to move, see in their views [B] to `out` [B, C]."""
        split(self._write, views, seats, self._table, out, count=len(views), min_share=MIN_SHARE)

    def tell(self, view: np.recarray, seat: int) -> np.ndarray:
        """What one seat that is to move sees [C], from its view [1]."""
        out = np.empty((1, self.width), np.float32)
        self._one(view, np.array([seat]), self._table, out, 0, 1)
        return np.asarray(out[0])

    @abstractmethod
    def write_moves(self, views: np.recarray, seats: np.ndarray, legal: Legal, out: np.ndarray) -> None:
        """Write what their legal moves are to `out` [M, D]."""


class _Words(Layout):
    """An encoding of words; a move is its action's number, one-hot."""

    def __init__(self, spec: GameSpec, encoding: Any, move_blocks: Sequence[Block] | None = None):
        one_hot = Block("action", 0, spec.num_actions, "the action's number, one-hot")
        blocks = _blocks(getattr(encoding, "BLOCKS", None), encoding.NUM_COLUMNS)
        names = {"encode": encoding.encode, "NUM_WORDS": encoding.NUM_WORDS}
        loop = spec.kernels.bind(loops.write_words, file_name(encoding), **names)
        super().__init__(spec, encoding, loop, blocks, move_blocks or (one_hot,))
        self._table = runs_of(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)

    def write_moves(self, views: np.recarray, seats: np.ndarray, legal: Legal, out: np.ndarray) -> None:
        out[:] = 0
        out[np.arange(len(out)), legal.ids] = 1


class _MoveWords(_Words):
    """An encoding of words with words of each legal move."""

    def __init__(self, spec: GameSpec, encoding: Any):
        found = _blocks(getattr(encoding, "MOVE_BLOCKS", None), encoding.NUM_MOVE_COLUMNS)
        super().__init__(spec, encoding, found)
        self._move_runs = runs_of(encoding.MOVE_COLUMN_WORDS, encoding.MOVE_COLUMN_SHIFTS)
        names = {"encode_move": encoding.encode_move, "NUM_WORDS": encoding.NUM_MOVE_WORDS}
        self._write_moves = spec.kernels.bind(loops.write_move_words, self.encoding_name, **names)

    def write_moves(self, views: np.recarray, seats: np.ndarray, legal: Legal, out: np.ndarray) -> None:
        arguments = (views, *legal, self._move_runs, out)
        split(self._write_moves, *arguments, count=len(views), min_share=MIN_SHARE)


class _Tokens(Layout):
    """An encoding of tokens, one for each action: a move is its token."""

    def __init__(self, spec: GameSpec, encoding: Any):
        self._attributes = np.asarray(encoding.ATTRIBUTES, np.float32)
        self._table = np.asarray(encoding.PROGRESS_SCALES, np.float32)
        rows, tokens = encoding.NUM_PLACE_ROWS, encoding.NUM_TOKENS
        num_attributes = self._attributes.shape[1]
        places = _blocks(getattr(encoding, "PLACE_BLOCKS", None), rows)
        attributes = _blocks(getattr(encoding, "ATTRIBUTE_BLOCKS", None), num_attributes)
        progress = _blocks(getattr(encoding, "PROGRESS_BLOCKS", None), encoding.NUM_PROGRESS)
        blocks = [
            Block(block.name, block.first * tokens, block.width * tokens, _of_tokens(block, tokens))
            for block in places
        ]
        blocks += [block._replace(first=block.first + rows * tokens) for block in progress]
        in_sets = [block._replace(first=block.first + num_attributes) for block in places]
        names = {"encode": encoding.encode, "NUM_ATTRIBUTES": num_attributes}
        names |= {name: getattr(encoding, name) for name in ("NUM_PLACE_ROWS", "NUM_PROGRESS", "NUM_TOKENS")}
        loop, self._write_moves = (
            spec.kernels.bind(each, file_name(encoding), **names)
            for each in (loops.write_tokens, loops.write_token_moves)
        )
        super().__init__(spec, encoding, loop, blocks, [*attributes, *in_sets])
        smallest, largest = np.iinfo(np.int8).min, np.iinfo(np.int8).max
        self.low[rows * tokens :], self.high[rows * tokens :] = smallest / self._table, largest / self._table

    def write_moves(self, views: np.recarray, seats: np.ndarray, legal: Legal, out: np.ndarray) -> None:
        arguments = (views, seats, *legal, self._attributes, out)
        split(self._write_moves, *arguments, count=len(views), min_share=MIN_SHARE)


# By the players that an encoding is for; encodings of open hands or of parts of hands are not among them.
LAYOUTS: dict[str, type[Any]] = {"tokens": _Tokens, "views": _Words, "moves": _MoveWords}


def encoding_of(game: Game) -> Any | None:
    """The first encoding of a game that tells all that a seat sees; where the options have bids, bids too."""
    for encoding in game.spec.encodings:
        tells_bids = BID in encoding.DECISION_KINDS or not game.has_bids
        if encoding.PLAYED_BY in LAYOUTS and tells_bids and not game.untold(encoding):
            return encoding
    return None


def layout_of(game: Game) -> Layout:
    """The layout by which environments tell what a seat sees."""
    encoding = encoding_of(game)
    if encoding is None:
        raise ValueError(f"{game.id} has no encoding of its views: read them as they are, from env.views")
    found: Layout = LAYOUTS[encoding.PLAYED_BY](game.spec, encoding)
    return found


def _blocks(declared: Sequence[Any] | None, width: int) -> list[Block]:
    """An encoding's blocks with their places; where it does not name any, one."""
    if declared is None:
        return [Block("numbers", 0, width, "as the encoding has them")]
    found, first = [], 0
    for block in declared:
        if block.width:
            found.append(Block(block.name, first, block.width, block.meaning, getattr(block, "scale", 1)))
            first += block.width
    return found


def _of_tokens(block: Block, tokens: int) -> str:
    """What is meant, where each row of a block is a set of tokens."""
    return f"{block.width} sets of {tokens} tokens: {block.meaning}"
