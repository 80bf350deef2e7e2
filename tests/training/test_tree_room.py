"""Trees of self-play whose edges ran out of room go on from a checkpoint as if nothing had happened."""

import numpy as np

import fuda
from fuda.games.gongzhu import encoding
from fuda.search import network_tree
from fuda.search.network_tree import TreeSetting
from fuda.training.run_folder import packed, unpacked
from fuda.training.tree_play import TreePlay


def play() -> TreePlay:
    return TreePlay(fuda.game("gongzhu"), encoding, 24, 5, TreeSetting(30.0), sharpness=0.2)


def made_up(words: np.ndarray) -> np.ndarray:
    """Values that look random but are a function of the position."""
    return (words.sum(axis=1) % 1009 / 10 - 50).astype(np.float32)


def advance(games: TreePlay, steps: int) -> None:
    for _ in range(steps):
        games.advance(made_up(games.asked))


def test_edges_that_grew_are_restored(monkeypatch):
    wide = play()
    monkeypatch.setattr(network_tree, "FIRST_EDGES", 0)
    first = play()
    narrow = first.trees.edges.child.shape[1]
    advance(first, 200)
    assert first.trees.edges.child.shape[1] > narrow
    again = play()
    again.restore(unpacked(packed(first.arrays()), again.arrays()))
    advance(first, 100)
    advance(again, 100)
    advance(wide, 300)
    for name in ("states", "rng", "num_decisions", "actions", "gains"):
        mine = first.arrays()[name].tobytes()
        assert again.arrays()[name].tobytes() == mine
        assert wide.arrays()[name].tobytes() == mine
