"""The encoding without the fewest moves that empty a hand: what that input is worth shows in comparisons.

The words are the same, but the bits of the fewest moves, which are the highest, are no columns.
"""

from collections.abc import Sequence

from fuda.core.words import WordBlock, columns
from fuda.games.doudizhu import encoding

ENCODING_VERSION = 1
PLAYED_BY, DECISION_KINDS, UNTOLD = encoding.PLAYED_BY, encoding.DECISION_KINDS, encoding.UNTOLD
decision_kinds = encoding.decision_kinds
encode, encode_all = encoding.encode, encoding.encode_all
encode_move, encode_moves_all = encoding.encode_move, encoding.encode_moves_all


def _up_to(blocks: Sequence[WordBlock], name: str, bits: int) -> tuple[WordBlock, ...]:
    """The blocks, with fewer bits in the words of one."""
    return tuple(
        block._replace(bits=bits, meaning=block.meaning.replace(encoding.FEWEST_MEANING, ""))
        if block.name == name
        else block
        for block in blocks
    )


BLOCKS = _up_to(encoding.BLOCKS, "progress", encoding.OWN_FEWEST)
MOVE_BLOCKS = _up_to(encoding.MOVE_BLOCKS, "left", encoding.LEFT_FEWEST)
NUM_WORDS, NUM_MOVE_WORDS = encoding.NUM_WORDS, encoding.NUM_MOVE_WORDS
COLUMN_WORDS, COLUMN_SHIFTS = columns(BLOCKS)
MOVE_COLUMN_WORDS, MOVE_COLUMN_SHIFTS = columns(MOVE_BLOCKS)
NUM_COLUMNS, NUM_MOVE_COLUMNS = len(COLUMN_WORDS), len(MOVE_COLUMN_WORDS)
