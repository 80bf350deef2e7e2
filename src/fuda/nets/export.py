"""From a network in PyTorch to a model folder that plays without it, and back.

B positions, T tokens, R place rows, P progress rows, N tokens read.
"""

import copy
import io
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from fuda.nets.folder import ModelCard, NetworkFile, read_card, read_file, write_files
from fuda.nets.token_transformer import Shape, TokenTransformer

OPSET = 17  # the first with LayerNormalization
INPUTS, OUTPUT = ("places", "progress", "read"), "values"
TOLERANCE = 1e-4  # between PyTorch and the file, with the same rounded weights
HALF = ".half"  # added to the name of a weight that is stored in half precision


def write_model(
    folder: Path,
    card: ModelCard,
    networks: Sequence[tuple[TokenTransformer, Sequence[str]]],
    table: np.ndarray | None = None,
) -> None:
    """Write networks, each with the kinds of decisions that it is for, and the card that describes them."""
    files, listed = {}, []
    for net, decisions in networks:
        name = "model.onnx" if len(networks) == 1 else "-".join(decisions) + ".onnx"
        files[name] = to_onnx(net)
        listed.append(NetworkFile(name, list(decisions), _sizes(net)))
    write_files(folder, replace(card, networks=listed), files, table)


def to_onnx(net: TokenTransformer) -> bytes:
    """The network as an ONNX file: weights in half precision, computed in single precision.

    It takes bits [B, T, R], numbers [B, P] (both float32) and the tokens to read [B, N] (int64), and
    gives their values [B, N, outputs]. What is written was run and agrees with PyTorch.
    """
    net = copy.deepcopy(net).cpu().float().eval().requires_grad_(False)
    with torch.no_grad():
        for weights in net.parameters():
            weights.copy_(weights.half().float())
    packed = io.BytesIO()
    with warnings.catch_warnings():  # the new exporter needs packages that the training machine lacks
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, _example(net, 3, 4), packed, dynamo=False,  # type: ignore[arg-type]
            opset_version=OPSET,
            do_constant_folding=False,  # so that the weights keep their names; the runtime folds anyway
            input_names=list(INPUTS), output_names=[OUTPUT],
            dynamic_axes={name: {0: "batch"} for name in (*INPUTS, OUTPUT)} | {
                "read": {0: "batch", 1: "tokens"}, OUTPUT: {0: "batch", 1: "tokens"},
            },
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
    card = read_card(folder)
    stored = card.networks[number]
    graph = onnx.load_model_from_string(read_file(folder, stored.file, stored.sha256)).graph
    weights = {
        weight.name.removesuffix(HALF): numpy_helper.to_array(weight).astype(np.float32)
        for weight in graph.initializer
    }
    for node in graph.node:  # equal weights are stored once
        if node.op_type == "Identity" and node.input[0] in weights:
            weights[node.output[0]] = weights[node.input[0]]
    num_places = weights["from_places.weight"].shape[1]
    net = TokenTransformer(attributes, scales, num_places, Shape(**stored.shape))
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


def _compare(net: TokenTransformer, content: bytes) -> None:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    example = _example(net, 5, 7)  # other sizes than those that were traced
    named = {name: value.numpy() for name, value in zip(INPUTS, example, strict=True)}
    difference = np.abs(session.run([OUTPUT], named)[0] - net(*example).numpy()).max()
    if not difference < TOLERANCE:
        raise RuntimeError(f"the exported network differs from PyTorch's by {difference}")


def _example(net: TokenTransformer, batch: int, read: int) -> tuple[torch.Tensor, ...]:
    """Inputs to trace and to compare with, without touching global randomness."""
    luck = torch.Generator().manual_seed(1)
    num_tokens, num_places = len(net.attributes), net.from_places.in_features
    return (
        torch.randint(0, 2, (batch, num_tokens, num_places), generator=luck).float(),
        torch.randint(0, 3, (batch, len(net.scales)), generator=luck).float(),
        torch.randint(0, num_tokens, (batch, read), generator=luck),
    )


def _sizes(net: TokenTransformer) -> dict[str, Any]:
    """The `Shape` that the network was made with."""
    return {
        "first": net.narrow.in_features,
        "width": net.narrow.out_features,
        "blocks": len(net.blocks) + 1,
        "heads": net.last.heads,
        "hidden": net.last.expand.out_features,
        "outputs": net.value.out_features,
        "contrast": net.contrast,
    }
