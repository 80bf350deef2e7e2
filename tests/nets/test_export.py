"""Networks as ONNX files: the same function, half the size, any batch; and back."""

from dataclasses import replace

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from fuda.nets import export
from fuda.nets.folder import ModelCard, read_card
from fuda.nets.token_transformer import TokenShape, TokenTransformer

TOKENS, PLACES, PROGRESS = 12, 5, 4
TINY = TokenShape(first=24, width=16, blocks=3, heads=4, hidden=20)
CARD = ModelCard("chess", 3, "encoding", 4, "Title", "A line.", "points", 10.0, made={"games": 7})


def network(shape: TokenShape = TINY) -> TokenTransformer:
    torch.manual_seed(1)
    attributes = torch.randint(0, 2, (TOKENS, 3))
    net = TokenTransformer(attributes, torch.tensor([1.0, 2.0, 5.0, 10.0]), PLACES, shape)
    with torch.no_grad():  # fresh norms and biases are all equal, which hides mistakes
        for weights in net.parameters():
            weights.add_(torch.randn_like(weights) / 10)
    return net


def inputs(batch: int, read: int) -> dict[str, np.ndarray]:
    luck = np.random.default_rng(batch)
    return {
        "places": luck.integers(0, 2, (batch, TOKENS, PLACES)).astype(np.float32),
        "progress": luck.integers(-9, 9, (batch, PROGRESS)).astype(np.float32),
        "read": luck.integers(0, TOKENS, (batch, read)),
    }


def run(content: bytes, given: dict[str, np.ndarray]) -> np.ndarray:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(["values"], given)[0]


@pytest.mark.parametrize(
    "shape",
    [TINY, replace(TINY, contrast=True), replace(TINY, contrast=True, suits=12)],
    ids=["plain", "contrast", "suits"],
)
@pytest.mark.parametrize(("batch", "read"), [(1, 1), (1, 8), (2, 3), (33, 8)])
def test_the_same_values_whatever_the_batch(batch, read, shape):
    net = network(shape)
    given = inputs(batch, read)
    with torch.no_grad():
        expected = net(*(torch.from_numpy(value) for value in given.values())).numpy()
    found = run(export.to_onnx(net), given)
    assert found.shape == (batch, read, 1)
    assert found.dtype == np.float32
    assert np.abs(found - expected).max() < 2e-3 * max(1, np.abs(expected).max())
    assert np.abs(expected).max() > 0.1, "values near zero would prove nothing"


def test_the_papers_network_fits_into_three_mebibytes():
    net = TokenTransformer(torch.zeros(50, 27), torch.ones(160), 74, TokenShape())
    content = export.to_onnx(net)
    assert 2 * sum(weights.numel() for weights in net.parameters()) < len(content) < 2.7 * 2**20


def test_no_weight_is_stored_in_single_precision():
    kinds = {
        weight.data_type
        for weight in onnx.load_model_from_string(export.to_onnx(network())).graph.initializer
    }
    assert onnx.TensorProto.FLOAT16 in kinds
    assert onnx.TensorProto.FLOAT not in kinds


def test_exporting_changes_neither_the_network_nor_its_mode_nor_global_randomness():
    net = network().train()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    torch.manual_seed(5)
    export.to_onnx(net)
    following = torch.rand(3)
    torch.manual_seed(5)
    assert torch.equal(torch.rand(3), following)
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert net.training
    assert all(weights.requires_grad for weights in net.parameters())


def test_a_weight_that_half_precision_cannot_hold_is_noticed():
    net = network()
    with torch.no_grad():
        net.narrow.weight[0, 0] = 1e6
    with pytest.raises(RuntimeError, match="differs from PyTorch"):
        export.to_onnx(net)


def test_back_into_pytorch(tmp_path):
    nets = [network(), network(replace(TINY, blocks=1))]
    export.write_model(tmp_path, CARD, [(nets[0], ["a"]), (nets[1], ["b", "c"])])
    assert {file.name for file in tmp_path.iterdir()} == {"a.onnx", "b-c.onnx", "model.json"}
    for number, net in enumerate(nets):
        again = export.read_network(tmp_path, net.attributes, net.scales, number)
        for name, value in net.state_dict().items():
            assert torch.equal(again.state_dict()[name], value.half().float()), name


def test_equal_weights_survive_the_way_back(tmp_path):
    """Fresh norms are all ones: the exporter stores them once."""
    torch.manual_seed(1)
    net = TokenTransformer(torch.zeros(TOKENS, 3), torch.ones(PROGRESS), PLACES, TINY)
    export.write_model(tmp_path, CARD, [(net, ["a"])])
    again = export.read_network(tmp_path, net.attributes, net.scales)
    for name, value in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], value.half().float()), name


def test_what_is_written(tmp_path):
    folder = tmp_path / "deep" / "model"
    export.write_model(folder, CARD, [(network(), ["a", "b"])], table=np.arange(6.0).reshape(2, 3))
    assert sorted(file.name for file in folder.iterdir()) == ["model.json", "model.onnx", "table.npy"]
    card = read_card(folder)
    assert replace(card, networks=[], table_sha256="") == CARD
    assert [(network.file, network.decisions) for network in card.networks] == [("model.onnx", ["a", "b"])]
    assert TokenShape(**card.networks[0].shape) == TINY
    assert card.table(folder).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_writing_again_leaves_a_card_for_people_alone(tmp_path):
    export.write_model(tmp_path, CARD, [(network(), ["a"])])
    (tmp_path / "CARD.md").write_text("by hand")
    export.write_model(tmp_path, replace(CARD, title="Newer"), [(network(), ["a"])])
    assert read_card(tmp_path).title == "Newer"
    assert (tmp_path / "CARD.md").read_text() == "by hand"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["CARD.md", "model.json", "model.onnx"]
