"""The script that measures how fast Koi-Koi trains, with a tiny network."""

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fuda.games.koikoi import encoding
from fuda.nets.policy_value import parameters
from fuda.nets.token_transformer import TokenShape
from fuda.training.learner import new_network
from fuda.training.recipes import RECIPES

torch.set_num_threads(1)  # test processes share the cores
BENCH = Path(__file__).parent.parent / "bench"
TINY = replace(
    RECIPES["koikoi"],
    shape=TokenShape(first=16, width=8, blocks=1, heads=2, hidden=16, contrast=True, suits=12),
    groups=2, group_size=8, batch=8, guests=(),
)  # fmt: skip


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    module = importlib.import_module("training_rate")
    monkeypatch.setitem(module.RECIPES, "koikoi", TINY)
    return module


@pytest.mark.parametrize(("changes", "share"), [((), 0.35), (("--paper-network", "--all"), 1)])
def test_rate_and_parts(script, changes, share, tmp_path, monkeypatch):
    arguments = ["koikoi", "--seconds", "0.3", "--device", "cpu", "--out", str(tmp_path), *changes]
    monkeypatch.setattr(sys, "argv", ["training_rate.py", *arguments])
    script.main()
    name = "koikoi" + "".join(changes).replace("--", "-")
    stored = json.loads((tmp_path / f"train-rate-{name}.json").read_text())
    assert stored["decisions per second"] > 0
    assert stored["a step of learning, ms"] > 0
    assert stored["learn share"] == share
    assert stored["parameters"] > 1000


def test_the_papers_network_has_its_numbers(script):
    """As many as the first runs of the paper's network had."""
    paper = script.with_paper_network(RECIPES["koikoi-further"])
    assert (paper.classes, len(paper.aims), paper.waiting_share) == (False, 1, 0)
    assert parameters(new_network(paper.shape, encoding)) == 1_319_937
