"""Players with an output for each action: their files say what PyTorch says; the best legal one is played."""

import numpy as np
import pytest
import torch

import fuda
from fuda.arena import duel
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu import action_encoding as encoding
from fuda.nets.action_outputs import ActionReader
from fuda.nets.decompositions import GroupShape
from fuda.nets.export import read_action_outputs, write_model
from fuda.nets.folder import ModelCard
from fuda.training.torch_agent import TorchActions

torch.set_num_threads(1)  # test processes share the cores

TINY = GroupShape(channels=2, features=8, rows=(8, 12), heads=(8,))
ROLES = [["landlord"], ["down", "up"]]  # of two networks


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    nets = []
    for seed, kinds in enumerate(ROLES):
        torch.manual_seed(seed)
        net = ActionReader(encoding, "cpu").new(TINY)
        for weights in net.parameters():
            weights.data += torch.randn(weights.shape) / 2
        nets.append((net, kinds))
    found = tmp_path_factory.mktemp("model")
    card = ModelCard(
        "doudizhu", SPEC.rules_version, "action_encoding", encoding.ENCODING_VERSION, "Title", "A line.",
        unit="points", scale=1.0,
    )  # fmt: skip
    write_model(found, card, nets)
    return found


def test_files_say_what_pytorch_says_and_the_best_is_played(folder):
    player, luck, looks = fuda.agent(folder), np.random.default_rng(5), []
    for seed in range(12):
        match = fuda.game("doudizhu").start(seed)
        for _ in range(luck.integers(12)):
            match.play(str(luck.choice(match.legal())))
        looks.append(match.view_record(match.seat))
    views = np.concatenate(looks).view(np.recarray)
    seats, rngs = views["seat"].astype(np.int64), streams(1, SAMPLE, 0, len(views))
    told, actions = player.evaluate(views, seats, rngs), player.act(views, seats, rngs)
    nets = [read_action_outputs(folder, encoding, number) for number in range(2)]
    player.network = TorchActions(nets, np.array([0, 1, 1]), ActionReader(encoding, "cpu"))
    again = player.evaluate(views, seats, rngs)
    legal = SPEC.kernels.legal_lists(views)
    for k in range(len(views)):
        assert list(told[k]) == legal.row(k).tolist()
        assert told[k] == pytest.approx(again[k], abs=1e-3)
        assert told[k][int(actions[k])] == pytest.approx(max(told[k].values()), abs=1e-5)
    assert {int(kind) for kind in seats} == {0, 1, 2}


def test_it_plays_whole_games(folder):
    assert duel("doudizhu", fuda.agent(folder), "doudizhu/random", 8, 1).games == 8
