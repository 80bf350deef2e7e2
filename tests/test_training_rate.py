"""The script that measures how fast Koi-Koi trains, with a tiny network."""

import json
import sys

import pytest
import torch

import fuda
from fuda.games.koikoi import encoding
from fuda.games.koikoi.recipes import RECIPES
from fuda.nets.policy_value import parameters
from fuda.nets.readers import TokenReader
from fuda.training import imitation
from fuda.training.registry import find_recipe
from tests.training import test_imitation

torch.set_num_threads(1)  # test processes share the cores
TINY = RECIPES["koikoi"] | {
    "shape": {
        "first": 16, "width": 8, "blocks": 1, "heads": 2, "hidden": 16, "contrast": True, "suits": 12,
    },
    "group_size": 8, "batch": 8, "guests": {},
}  # fmt: skip


@pytest.fixture
def script(monkeypatch, bench_script):
    module = bench_script("training_rate")
    monkeypatch.setitem(RECIPES, "koikoi", TINY)
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


def test_rounds_of_a_teacher_are_measured(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "find_recipe", lambda name: (imitation, test_imitation.TINY))
    arguments = ["doudizhu-deeprocket", "--seconds", "0.2", "--device", "cpu", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["training_rate.py", *arguments])
    script.main()
    stored = json.loads((tmp_path / "train-rate-doudizhu-deeprocket.json").read_text())
    assert stored["decisions per second"] > stored["games per second"] > 0
    parts = stored["parts of a round's time"]
    assert parts["learning"] + parts["the teacher's games, and what was seen in them"] == pytest.approx(
        1, abs=0.01
    )


def test_the_papers_network_has_its_numbers(script):
    """As many as the first runs of the paper's network had."""
    paper = script.with_paper_network(find_recipe("koikoi-further").recipe)
    assert (paper.reward, len(paper.aims), paper.waiting_share) == ("gain", 1, 0)
    net = TokenReader(encoding, fuda.game("koikoi").spec, "cpu").new(paper.shape, 1)
    assert parameters(net) == 1_319_937
