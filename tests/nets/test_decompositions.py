"""Networks of decompositions: groups that are read once and shared, against the naive form; as a file."""

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest
import torch

import fuda
from fuda.core.decompositions import Decompositions
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import group_encoding as encoding
from fuda.games.doudizhu.moves import PASS, beats
from fuda.nets.decompositions import GroupShape
from fuda.nets.export import to_onnx
from fuda.nets.group_reader import BEYOND, GroupReader, Members

torch.set_num_threads(1)  # test processes share the cores

TINY = GroupShape(channels=3, features=10, rows=(8, 12, 14), heads=(9, 7), playable=True)
PAPER = replace(TINY, playable=False)


def network(shape: GroupShape = TINY):
    torch.manual_seed(1)
    net = GroupReader(encoding, "cpu").new(shape)
    with torch.no_grad():  # fresh norms and biases are all equal, which hides mistakes
        for weights in net.parameters():
            weights.add_(torch.randn_like(weights) / 2)
    return net.requires_grad_(False)


def positions(count: int = 16, limit: int = 16) -> tuple[np.ndarray, Decompositions]:
    """Positions of random games, and some of their decompositions."""
    luck = np.random.default_rng(2)
    words = []
    for seed in range(count):
        match = fuda.game("doudizhu").start(seed)
        for _ in range(luck.integers(25)):
            match.play(str(luck.choice(match.legal())))
            if match.over:
                match = fuda.game("doudizhu").start(seed)
        row = np.zeros((1, encoding.NUM_WORDS), np.int64)
        encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), row, 0, 1)
        words.append(row)
    told = np.concatenate(words)
    return told, encoding.decompose(told, limit, streams(3, SAMPLE, 0, count))


def numbers_of(words: np.ndarray) -> torch.Tensor:
    """What is told of a position beside groups, digit by digit."""
    following, before = int(words[encoding.SIZES]) & 31, int(words[encoding.SIZES]) >> 5
    unseen = [int(words[0]) >> bit & 1 for bit in range(60)]
    shares = (following / (following + before), before / (following + before))
    return torch.tensor([bit * share for share in shares for bit in unseen])


def bits_of(action: int) -> torch.Tensor:
    return torch.tensor([float(int(encoding.GROUP_BITS[action]) >> bit & 1) for bit in range(60)])


def can_be_played(words: np.ndarray, groups: np.ndarray) -> torch.Tensor:
    """Of each group: it is a legal move by the rules of following."""
    beaten = int(words[encoding.BEAT])
    can = [beaten == PASS or group == PASS or beats(int(group), beaten) for group in groups]
    return torch.tensor(can)


def naive(net, words: np.ndarray, groups: np.ndarray) -> tuple[float, list[float]]:
    """A decomposition by itself: every group is read for it alone."""
    can = can_be_played(words, groups)
    last = torch.stack([net.convolutions(bits_of(int(words[place]))[None])[0] for place in (2, 3)])
    told = net.position(last[None], numbers_of(words)[None])
    rows = torch.cat([
        net.rows(net.convolutions(bits_of(action)[None]), told, can[k : k + 1])
        for k, action in enumerate(groups)
    ])  # fmt: skip
    global_row = rows.max(dim=0).values
    moves = [float(net.move_values(global_row[None], row[None, None])) for row in rows]
    return float(net.decomposition_head(global_row)), moves


def test_features_are_those_of_convolutions():
    net = network().convolutions
    bits = torch.randint(0, 2, (50, 60), generator=torch.Generator().manual_seed(1)).float()

    def convolved(rows: torch.Tensor, layer: torch.nn.Linear, size: int, **how: int) -> torch.Tensor:
        kernel = layer.weight.unflatten(1, (size, -1)).transpose(1, 2)  # [out, in, size]
        return torch.conv1d(rows, kernel, layer.bias, **how)

    parts = [convolved(bits[:, None], layer, size + 1, stride=4) for size, layer in enumerate(net.kernels)]
    ranks = torch.cat(parts, dim=1).relu()
    inner = convolved(ranks, net.expand, 3, padding=1).relu()
    ranks = (ranks + convolved(inner, net.contract, 3, padding=1)).relu()
    expected = convolved(ranks, net.widen, 1).relu().mean(dim=2)
    assert torch.allclose(net(bits), expected, atol=1e-4)


@pytest.mark.parametrize("shape", [TINY, PAPER])
def test_shared_groups_give_the_values_of_the_naive_form(shape):
    net, reader = network(shape), GroupReader(encoding, "cpu")
    words, found = positions()
    members = Members.of(found, torch.device("cpu"))
    valued = reader.all_values(net, torch.from_numpy(words), members)
    expected = [naive(net, words[k], groups)[0] for k in range(len(words)) for groups in found.of(k)]
    assert len(expected) > 80
    assert np.ptp(expected) > 0.1, "values that are all alike would prove nothing"
    np.testing.assert_allclose(valued.values, expected, rtol=1e-3, atol=1e-4)


def test_one_decomposition_has_the_same_values_alone():
    net, reader = network(), GroupReader(encoding, "cpu")
    words, found = positions()
    members = Members.of(found, torch.device("cpu"))
    told = torch.from_numpy(words)
    valued = reader.all_values(net, told, members)
    chosen = torch.from_numpy(found.starts[1:]) - 1  # the last of each
    rows, is_member = members.table(chosen, encoding.MAX_GROUPS)
    groups = torch.where(is_member, members.groups[rows], BEYOND)
    value, moves = reader.one_value(net, told, groups, members.playable[rows])
    again = net.move_values(valued.global_rows[chosen], valued.rows[rows])
    assert torch.allclose(value, valued.values[chosen], atol=1e-4)
    assert torch.allclose(moves, again, atol=1e-4)
    assert members.positions[chosen].tolist() == list(range(len(words)))
    for k in range(len(words)):
        mine = groups[k][is_member[k]].numpy()
        assert mine.tolist() == found.of(k)[-1].tolist()
        np.testing.assert_allclose(moves[k][is_member[k]], naive(net, words[k], mine)[1], atol=1e-3)
        assert torch.allclose(moves[k][~is_member[k]], moves[k][0])


def test_the_order_of_groups_changes_nothing():
    net, reader = network(), GroupReader(encoding, "cpu")
    words, found = positions(1)
    groups = max(found.of(0), key=len).astype(np.int64)
    turned = torch.from_numpy(np.stack([groups, groups[::-1]]))
    can = can_be_played(words[0], groups)
    given = torch.from_numpy(words).expand(2, -1), turned, torch.stack([can, can.flip(0)])
    value, moves = reader.one_value(net, *given)
    assert torch.allclose(value[0], value[1])
    assert torch.allclose(moves[0], moves[1].flip(0))


@pytest.mark.parametrize(("k", "shape"), [(0, TINY), (7, TINY), (7, PAPER)])
def test_a_file_finds_the_best_decomposition_and_values_its_groups(k, shape):
    net, reader = network(shape), GroupReader(encoding, "cpu")
    words, found = positions()
    one = found.between(k, k + 1)
    content = to_onnx(net)
    net.load_state_dict({name: value.half().float() for name, value in net.state_dict().items()})
    members = Members.of(one, torch.device("cpu"))
    valued = reader.all_values(net, torch.from_numpy(words[k : k + 1]), members)
    table, _ = one.table(np.arange(len(valued.values)))
    inputs = {
        "groups": reader.bits(members.groups).numpy(),
        "last": reader.bits(torch.from_numpy(words[k, list(encoding.LAST_GROUPS)])).numpy(),
        "numbers": reader.numbers(torch.from_numpy(words[k : k + 1])).numpy(),
        "members": table,
        **({"playable": one.playable.astype(np.float32)} if shape.playable else {}),
    }
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    values, moves = session.run(["decompositions", "moves"], inputs)
    np.testing.assert_allclose(values, valued.values, atol=1e-4)
    best = int(values.argmax())
    expected = net.move_values(valued.global_rows[best][None], valued.rows[table[best]][None])[0]
    np.testing.assert_allclose(moves, expected, atol=1e-4)
