"""The loops of an encoding over many positions and moves, from the functions that write one."""

from collections.abc import Callable
from typing import Any

from fuda.core.compile import bind


def over_positions(encode: Callable[..., None]) -> Callable[..., None]:
    """The loop over positions `encode_all`, from `encode`."""
    return bind(encode_all, encode.__module__, {"encode": encode})


def over_moves(encode_move: Callable[..., None]) -> Callable[..., None]:
    """The loop over moves `encode_moves_all`, from `encode_move`."""
    return bind(encode_moves_all, encode_move.__module__, {"encode_move": encode_move})


def encode(*_: object) -> Any:
    """Stands for the function of an encoding until the loop is bound to it."""
    raise NotImplementedError("a loop is used as `over_positions` and `over_moves` give it")


encode_move = encode


def encode_all(views, seats, words, first, last):
    """Encode views first..last-1 into words [K, NUM_WORDS] int64."""
    for k in range(first, last):
        encode(views[k], seats[k], words[k])


def encode_moves_all(views, actions, starts, words, first, last):
    """Encode the moves of views first..last-1, `actions` [M] by `starts` [K + 1], into words [M, V] int64."""
    for k in range(first, last):
        for m in range(starts[k], starts[k + 1]):
            encode_move(views[k], actions[m], words[m])
