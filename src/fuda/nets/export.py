"""From a network in PyTorch to a model folder that plays without it, and back."""

import copy
import io
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from fuda.nets.action_outputs import ActionNet
from fuda.nets.decompositions import DecompositionNet, GroupShape, sizes_of
from fuda.nets.exportable import Exportable
from fuda.nets.folder import ModelCard, NetworkFile, read_card, write_files
from fuda.nets.move_values import MoveShape, MoveValueNet
from fuda.nets.policy_value import CardMlp, CardResNet, MlpShape, PolicyValueNet, ResNetShape
from fuda.nets.strided import StridedNet, StridedShape
from fuda.nets.token_transformer import TokenShape, TokenTransformer

OPSET = 17  # the first with LayerNormalization
TOLERANCE = 1e-4  # between PyTorch and the file, with the same rounded weights, relative above 1
HALF = ".half"  # added to the name of a weight that is stored in half precision


Net = TypeVar("Net", bound=torch.nn.Module)


def write_model(
    folder: Path,
    card: ModelCard,
    networks: Sequence[tuple[Exportable, Sequence[str]]],
    table: np.ndarray | None = None,
) -> None:
    """Write networks, each with the kinds of decisions that it is for, and the card that describes them."""
    files, listed = {}, []
    for net, decisions in networks:
        name = "model.onnx" if len(networks) == 1 else "-".join(decisions) + ".onnx"
        files[name] = to_onnx(net)
        listed.append(NetworkFile(name, list(decisions), net.sizes()))
    write_files(folder, replace(card, networks=listed), files, table)


def to_onnx(net: Exportable) -> bytes:
    """The network as an ONNX file: weights in half precision, computed in single precision.

    It takes and gives what the network does, by the names that it has for them. What is written was run
    and agrees with PyTorch.
    """
    net = copy.deepcopy(net).cpu().float().eval().requires_grad_(False)
    with torch.no_grad():
        for weights in net.parameters():
            weights.copy_(weights.half().float())
    packed = io.BytesIO()
    with warnings.catch_warnings():  # the new exporter needs packages that the training machine lacks
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, net.example(3), packed, dynamo=False,  # type: ignore[arg-type]
            opset_version=OPSET,
            do_constant_folding=False,  # so that the weights keep their names; the runtime folds anyway
            input_names=list(net.takes()), output_names=list(net.gives()),
            dynamic_axes={**net.takes(), **net.gives()},
        )  # fmt: skip
    model = onnx.load_model_from_string(packed.getvalue())
    _halve(model.graph)
    onnx.checker.check_model(model)
    content = bytes(model.SerializeToString())
    _compare(net, content)
    return content


def read_network(
    folder: Path, attributes: torch.Tensor, scales: torch.Tensor, number: int = 0
) -> TokenTransformer:
    """A network of a model folder in PyTorch, for what needs more than values: attention, training."""
    stored, weights = _stored(folder, number)
    num_places = weights["from_places.weight"].shape[1]
    net = TokenTransformer(attributes, scales, num_places, TokenShape(**stored.shape))
    return _filled(net, weights)


def read_policy_value(folder: Path, encoding: Any, number: int = 0) -> PolicyValueNet:
    """The same for a network of the actions and of the position: batched play on a GPU, training."""
    stored, weights = _stored(folder, number)
    if "channels" in stored.shape:
        shape = ResNetShape(**stored.shape)
        return _filled(CardResNet(encoding.NUM_COLUMNS, encoding.PLANES, shape), weights)
    num_columns, num_actions = weights["layers.0.weight"].shape[1], weights["actions.weight"].shape[0]
    return _filled(CardMlp(num_columns, num_actions, MlpShape(**stored.shape)), weights)


def read_move_values(folder: Path, encoding: Any, number: int = 0) -> MoveValueNet:
    """The same for a network of positions and moves."""
    stored, weights = _stored(folder, number)
    columns = (encoding.NUM_COLUMNS, encoding.NUM_MOVE_COLUMNS)
    return _filled(MoveValueNet(*columns, MoveShape(**stored.shape)), weights)


def read_decompositions(folder: Path, encoding: Any, number: int = 0) -> DecompositionNet:
    """The same for a network of decompositions."""
    stored, weights = _stored(folder, number)
    return _filled(DecompositionNet(*sizes_of(encoding), _group_shape(stored)), weights)


def read_action_outputs(folder: Path, encoding: Any, number: int = 0) -> ActionNet:
    """The same for a network with an output for each action."""
    stored, weights = _stored(folder, number)
    return _filled(ActionNet(*sizes_of(encoding), _group_shape(stored), encoding.NUM_OUTPUTS), weights)


def read_factored(folder: Path, encoding: Any, number: int = 0) -> StridedNet:
    """The same for a network that names a part of an action."""
    stored, weights = _stored(folder, number)
    is_further = encoding.FURTHER_KIND in stored.decisions
    layout = encoding.FURTHER_LAYOUT if is_further else encoding.LAYOUT
    num_outputs = encoding.NUM_FURTHER_OUTPUTS if is_further else encoding.NUM_OUTPUTS
    return _filled(StridedNet(layout.shape, num_outputs, StridedShape(**stored.shape)), weights)


def _group_shape(stored: NetworkFile) -> GroupShape:
    plain: dict[str, Any] = {  # JSON has no tuples
        name: tuple(size) if isinstance(size, list) else size for name, size in stored.shape.items()
    }
    return GroupShape(**plain)


def _stored(folder: Path, number: int) -> tuple[NetworkFile, dict[str, np.ndarray]]:
    """A network's entry in the card, and its weights by name."""
    card = read_card(folder)
    stored = card.networks[number]
    graph = onnx.load_model_from_string(card.network(folder, number)).graph
    weights = {
        weight.name.removesuffix(HALF): numpy_helper.to_array(weight).astype(np.float32)
        for weight in graph.initializer
    }
    for node in graph.node:  # equal weights are stored once
        if node.op_type == "Identity" and node.input[0] in weights:
            weights[node.output[0]] = weights[node.input[0]]
    return stored, weights


def _filled(net: Net, weights: dict[str, np.ndarray]) -> Net:
    net.load_state_dict({name: torch.from_numpy(weights[name].copy()) for name in net.state_dict()})
    return net.eval()


def _halve(graph: Any) -> None:
    """Store the weights in half precision, each with a cast back: the runtime computes as before."""
    casts = []
    for weight in graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            name = weight.name
            half = numpy_helper.to_array(weight).astype(np.float16)
            weight.CopyFrom(numpy_helper.from_array(half, name + HALF))
            casts.append(helper.make_node("Cast", [name + HALF], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def _compare(net: Exportable, content: bytes) -> None:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    example = net.example(5)  # other sizes than those that were traced
    named = {name: value.numpy() for name, value in zip(net.takes(), example, strict=True)}
    expected = net(*example)
    expected = (expected,) if isinstance(expected, torch.Tensor) else expected
    for name, ours in zip(net.gives(), expected, strict=True):
        theirs = session.run([name], named)[0]
        difference = np.abs(theirs - ours.numpy()).max() / max(1.0, float(ours.abs().max()))
        if not difference < TOLERANCE:
            raise RuntimeError(f"the exported network differs from PyTorch's by {difference}")
