"""The example of docs/environments.md: it runs, and in `make soak` it learns."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import torch

import fuda

FILE = Path(__file__).parents[2] / "examples" / "koikoi_ppo.py"
OPPONENT = "koikoi/random"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("koikoi_ppo", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ppo_updates_every_weight_and_plays_legal_moves(example, soak):
    """Two small updates; in `make soak` the example's own sizes, and twenty updates that win points."""
    num_envs, width, updates, rounds = (256, 256, 20, 2000) if soak else (8, 32, 2, 20)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        env = fuda.vector("koikoi", num_envs, seed=1, opponents={1: OPPONENT}, rounds=1)
        player = example.Player(env, width)
        optimizer = torch.optim.Adam(player.parameters(), lr=5e-4)
        before, weights = (
            example.points(player, OPPONENT, rounds),
            [each.clone() for each in player.parameters()],
        )
        for _ in range(updates):
            example.learn(env, player, optimizer)
        after = example.points(player, OPPONENT, rounds)
    for old, new in zip(weights, player.parameters(), strict=True):
        assert new.isfinite().all()
        assert (old != new).any()
    chances = player(*player.look(env))[0].probs
    legal = torch.from_numpy(env.legal_mask())
    assert not chances[~legal].any()
    assert (chances[legal] > 0).all()
    if soak:
        assert after > before + 0.3
