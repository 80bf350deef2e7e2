"""Networks with a policy and a value: the paper's sizes, the same numbers everywhere."""

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest
import torch

import fuda
from fuda.games.gongzhu import encoding, view_encoding
from fuda.nets import export
from fuda.nets.folder import ModelCard
from fuda.nets.policy_value import (
    FC16,
    FC24,
    CardMlp,
    CardResNet,
    MlpShape,
    ResNetShape,
    dueling,
    parameters,
)
from fuda.nets.words import WordInput

torch.set_num_threads(1)  # test processes share the cores

TINY = MlpShape(first=24, second=20, width=16, blocks=2)
CARD = ModelCard("gongzhu", 1, "encoding", 1, "Title", "A line.", "points", 1.0)


def network(shape: MlpShape = TINY) -> CardMlp:
    torch.manual_seed(1)
    return CardMlp(encoding.NUM_COLUMNS, 52, shape)


def conv(shape: ResNetShape) -> CardResNet:
    torch.manual_seed(1)
    return CardResNet(encoding.NUM_COLUMNS, encoding.PLANES, shape)


def test_the_papers_networks_have_the_papers_sizes():
    assert parameters(network(FC24)) == 11_416_629  # the paper prints 11,416,299
    assert parameters(network(FC16)) == 9_315_381
    assert abs(parameters(conv(ResNetShape())) - 11_199_093) < 100_000  # its shape is not told


def test_layers_may_be_left_out():
    short = CardMlp(20, 52, replace(TINY, first=0, second=0))
    assert [tuple(layer.weight.shape) for layer in short.layers] == [(16, 20)]
    assert [tuple(layer.weight.shape) for layer in network().layers] == [(24, 434), (20, 24), (16, 20)]


def positions() -> tuple[np.recarray, np.ndarray]:
    """States and views of a random match, in turn."""
    luck = fuda.agent("gongzhu/random", seed=2)
    match = fuda.game("gongzhu").start(2)
    records, seats = [], []
    while not match.over:
        state = np.frombuffer(match.state_bytes(), match.game.spec.rules.STATE)
        records += [state, match.view_record(match.seat)]
        seats += [match.seat] * 2
        match.play(luck.choose(match))
    return np.concatenate(records).view(np.recarray), np.array(seats)


@pytest.mark.parametrize("diffuse", [False, True])
def test_words_are_spread_as_on_the_cpu(diffuse):
    states, seats = positions()
    words = np.zeros((len(states), encoding.NUM_WORDS), np.int64)
    obs = np.zeros((len(states), encoding.NUM_COLUMNS), np.float32)
    encoding.encode_all(states, seats, words, 0, len(words))
    encoding.spread_all(words, diffuse, obs, 0, len(words))
    spread = WordInput(
        encoding.COLUMN_WORDS,
        encoding.COLUMN_SHIFTS,
        encoding.WIDENED if diffuse else (0, 0),
        *encoding.SHARED,
    )
    given = torch.from_numpy(words)
    assert np.array_equal(spread(given).numpy(), obs)
    assert np.array_equal(given.numpy(), words)


def test_words_of_views_are_spread():
    states, seats = positions()
    words = np.zeros((len(states), view_encoding.NUM_WORDS), np.int64)
    view_encoding.encode_all(states, seats, words, 0, len(words))
    spread = WordInput(view_encoding.COLUMN_WORDS, view_encoding.COLUMN_SHIFTS)
    bits = spread(torch.from_numpy(words)).numpy()
    assert bits.sum() == sum(int(word).bit_count() for word in words.ravel().astype(np.uint64))


@pytest.mark.parametrize(
    "net",
    [network(), network(replace(TINY, norm=1)), conv(ResNetShape(channels=8, stages=2, blocks=1))],
    ids=["fully connected", "normalised", "convolutions"],
)
def test_exported_networks_give_the_same(net):
    with torch.no_grad():
        net.value.bias.add_(5)
        obs = net.example(33)[0]
        actions, value = net(obs)
    assert actions.shape == (33, 52)
    assert value.shape == (33,)
    session = onnxruntime.InferenceSession(export.to_onnx(net), providers=["CPUExecutionProvider"])
    for rows in (slice(0, 33), slice(4, 5)):
        found = session.run(["actions", "value"], {"obs": obs[rows].numpy()})
        assert found[0] == pytest.approx(actions[rows].numpy(), abs=2e-3)
        assert found[1] == pytest.approx(value[rows].numpy(), rel=2e-3, abs=2e-3)


@pytest.mark.parametrize(
    "net",
    [network(replace(TINY, norm=1)), conv(ResNetShape(channels=8, stages=2, blocks=1))],
    ids=["fully connected", "convolutions"],
)
def test_back_into_pytorch(tmp_path, net):
    export.write_model(tmp_path, CARD, [(net, ["card"])])
    again = export.read_policy_value(tmp_path, encoding)
    assert again.shape == net.shape
    for name, value in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], value.half().float()), name


def test_the_planes_are_the_deck():
    """Each card of each plane is the column of that very card."""
    obs = torch.arange(encoding.NUM_COLUMNS, dtype=torch.float32)
    planes = encoding.PLANES.reshape(-1, 52)
    assert planes.shape == (11, 52)
    used = planes[planes >= 0]
    assert len(set(used.tolist())) == len(used) == encoding.NUM_COLUMNS - 6  # but for the table's margins
    assert obs[planes[2, 17]] == 2 * 52 + 17
    state = fuda.game("gongzhu").spec.new_states(1)
    state[0].hand[:] = [1 << 3, 1 << 20, 0, 0]
    state[0].pile[:] = [1 << 10, 0, 0, 1 << 25]
    state[0].plays[0], state[0].num_plays = 51, 1
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    obs = np.zeros((1, encoding.NUM_COLUMNS), np.float32)
    encoding.encode_all(state, np.array([0]), words, 0, 1)
    words[0, encoding.UNSEEN] = 0
    encoding.spread_all(words, False, obs, 0, 1)
    pictures = np.append(obs, 0)[planes]
    assert {tuple(place) for place in np.argwhere(pictures)} == {(0, 3), (1, 20), (4, 10), (7, 25), (8, 51)}


def test_a_dueling_head_is_centred_over_legal_actions():
    actions, value = torch.randn(4, 6), torch.randn(4)
    legal = torch.tensor([[1, 1, 0, 0, 0, 1]] * 4).bool()
    found = dueling(actions, value, legal)
    assert torch.allclose((found * legal).sum(1) / 3, value, atol=1e-6)
    assert torch.allclose(found[:, 0] - found[:, 1], actions[:, 0] - actions[:, 1], atol=1e-6)
