"""Players that name moves part by part: their files say what PyTorch says, chances are those of the parts."""

from collections import Counter

import numpy as np
import pytest
import torch

import fuda
from fuda.arena import duel
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu import deeprocket_encoding as encoding
from fuda.games.doudizhu.kickers import KICKERS
from fuda.games.doudizhu.moves import MOVE_GROUP
from fuda.nets.export import read_factored, write_model
from fuda.nets.folder import ModelCard
from fuda.nets.strided import PlaneInput, StridedNet, StridedShape
from fuda.training.torch_agent import TorchFactored

torch.set_num_threads(1)  # test processes share the cores

TINY = StridedShape(filters=6, layers=3, strided=2)
LANDLORD = "33344455566677789TJQ"  # five trios in a chain
OTHERS = "34567" + "".join(4 * rank for rank in "KA2") + "".join(3 * rank for rank in "89TJQ") + "BR"
TRIO_CHAIN_DEAL = {"hands": [LANDLORD, OTHERS[:17], OTHERS[17:]], "bottom": "333"}
KINDS = [["landlord"], ["down", "up"], ["kicker"]]  # of three networks


def tiny_nets() -> list[tuple[StridedNet, list[str]]]:
    found = []
    for seed, kinds in enumerate(KINDS):
        torch.manual_seed(seed)
        is_kicker = kinds == ["kicker"]
        layout = encoding.FURTHER_LAYOUT if is_kicker else encoding.LAYOUT
        outputs = encoding.NUM_FURTHER_OUTPUTS if is_kicker else encoding.NUM_OUTPUTS
        found.append((StridedNet(layout.shape, outputs, TINY), kinds))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("model")
    card = ModelCard(
        "doudizhu", SPEC.rules_version, "deeprocket_encoding", encoding.ENCODING_VERSION, "Title", "A line.",
        unit="policy", scale=1.0,
    )  # fmt: skip
    write_model(found, card, tiny_nets())
    return found


@pytest.fixture(scope="module")
def views():
    luck, looks = np.random.default_rng(5), []
    for seed in range(12):
        match = fuda.game("doudizhu").start(seed)
        for _ in range(luck.integers(12)):
            match.play(str(luck.choice(match.legal())))
        looks.append(match.view_record(match.seat))
    match = fuda.game("doudizhu").start(1, TRIO_CHAIN_DEAL)  # many kickers are to be had
    return np.concatenate([*looks, match.view_record(0)]).view(np.recarray)


def asked(views):
    return views, views["seat"].astype(np.int64), streams(1, SAMPLE, 0, len(views))


def chance(logits, legal, wanted):
    """A softmax over the legal ones, one number at a time."""
    exponentials = {number: np.exp(np.float64(logits[number])) for number in legal}
    return exponentials[wanted] / sum(exponentials.values())


def test_chances_are_products_of_those_of_the_parts(folder, views):
    """Against a plain account of each move: its group among the legal ones, then kicker after kicker."""
    player = fuda.agent(folder)
    network, most_kickers = player.network, 0
    for k, told in enumerate(player.evaluate(*asked(views))):
        view, seats = views[k : k + 1], views["seat"][k : k + 1].astype(np.int64)
        words = np.zeros((1, encoding.NUM_WORDS), np.int64)
        encoding.encode_all(view, seats, words, 0, 1)
        logits = network.outputs(words)[0]
        moves = list(told)
        assert sum(told.values()) == pytest.approx(1)
        most = max(moves, key=lambda move: (KICKERS[move] >= 0).sum())
        for move in {most, *moves[:: max(1, len(moves) // 12)]}:
            expected = chance(logits, {int(MOVE_GROUP[other]) for other in moves}, int(MOVE_GROUP[move]))
            like = [other for other in moves if MOVE_GROUP[other] == MOVE_GROUP[move]]
            for done, kicker in enumerate(KICKERS[move][KICKERS[move] >= 0]):
                like = [other for other in like if (KICKERS[other, :done] == KICKERS[move, :done]).all()]
                words = np.zeros((1, encoding.NUM_FURTHER_WORDS), np.int64)
                encoding.encode_further(view[0], seats[0], move, done, words[0])
                next_ones = {int(KICKERS[other, done]) for other in like}
                expected *= chance(network.further(words)[0], next_ones, int(kicker))
                most_kickers = max(most_kickers, done + 1)
            assert told[move] == pytest.approx(expected, rel=1e-4)
    assert most_kickers == 5


def test_the_best_group_is_played_with_the_best_kickers_one_by_one(folder, views):
    player = fuda.agent(folder)
    told, actions = player.evaluate(*asked(views)), player.act(*asked(views))
    for of_moves, action in zip(told, actions.tolist(), strict=True):
        groups = Counter()
        for move, value in of_moves.items():
            groups[int(MOVE_GROUP[move])] += value
        assert groups[int(MOVE_GROUP[action])] == pytest.approx(max(groups.values()))
        for done in range(int((KICKERS[action] >= 0).sum())):
            parts = Counter()
            for move, value in of_moves.items():
                is_like = (KICKERS[move, :done] == KICKERS[action, :done]).all()
                if is_like and MOVE_GROUP[move] == MOVE_GROUP[action]:
                    parts[int(KICKERS[move, done])] += value
            assert parts[int(KICKERS[action, done])] == pytest.approx(max(parts.values()))


def test_files_say_what_pytorch_says(folder, views):
    player = fuda.agent(folder)
    told = player.evaluate(*asked(views))
    nets = [read_factored(folder, encoding, number) for number in range(3)]
    player.network = TorchFactored(nets, np.array([0, 1, 1, 2]), encoding, "cpu")
    for ours, theirs in zip(told, player.evaluate(*asked(views)), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-4)


def test_planes_are_the_same_in_pytorch_and_without(views):
    words = np.zeros((len(views), encoding.NUM_WORDS), np.int64)
    encoding.encode_all(views, views["seat"].astype(np.int64), words, 0, len(views))
    given = PlaneInput(encoding.LAYOUT)
    assert np.array_equal(given(torch.from_numpy(words)).numpy(), encoding.LAYOUT.planes(words))
    legal = encoding.LAYOUT.legal(words)
    assert np.array_equal(given.legal(torch.from_numpy(words)).numpy(), legal)
    for k, mine in enumerate(legal):
        assert set(np.flatnonzero(mine)) == set(MOVE_GROUP[SPEC.kernels.legal_lists(views[k : k + 1]).items])


def test_it_plays_whole_games_and_bids_by_its_own_module(folder):
    player = fuda.agent(folder)
    assert player.info.bids
    assert player.info.bid_unit is None
    assert player.bidder.name == "doudizhu/control-tidiness"
    assert fuda.agent(folder, bids="control").bidder.name == "doudizhu/control"
    with pytest.raises(ValueError, match="control-tidiness, control, or the folder"):
        fuda.agent(folder, bids="nothing")
    assert duel(fuda.game("doudizhu", bidding="on"), player, "doudizhu/random", 12, 1).games == 12


def test_a_network_for_another_part_is_refused(tmp_path):
    nets = tiny_nets()
    wrong = [(nets[2][0], ["landlord", "down", "up"]), (nets[2][0], ["kicker"])]
    card = ModelCard(
        "doudizhu", SPEC.rules_version, "deeprocket_encoding", encoding.ENCODING_VERSION, "Title", "A line.",
        unit="policy", scale=1.0,
    )  # fmt: skip
    write_model(tmp_path, card, wrong)
    with pytest.raises(ValueError, match="takes other inputs than deeprocket_encoding gives"):
        fuda.agent(tmp_path)


def test_sizes_are_those_of_the_paper():
    """Ten layers and one; at most seven million weights; 512 filters as an option."""
    for shape, most in ((StridedShape(), 7e6), (StridedShape(filters=512), 30e6)):
        net = StridedNet(encoding.LAYOUT.shape, encoding.NUM_OUTPUTS, shape)
        assert len(net.layers) == 10
        assert most / 2 < sum(weights.numel() for weights in net.parameters()) <= most
        dense = StridedNet(
            encoding.LAYOUT.shape, encoding.NUM_OUTPUTS, StridedShape(filters=shape.filters, convolved=False)
        )
        ratio = sum(w.numel() for w in dense.parameters()) / sum(w.numel() for w in net.parameters())
        assert 0.99 < ratio <= 1
