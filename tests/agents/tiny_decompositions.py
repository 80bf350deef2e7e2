"""A model folder of a player that takes its hand apart, with small networks of chance weights."""

from dataclasses import replace
from pathlib import Path

import torch

from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu import group_encoding as encoding
from fuda.nets.decompositions import GroupShape
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.group_reader import GroupReader

TINY = GroupShape(channels=2, features=8, rows=(8, 12), heads=(8,))


def write_tiny(folder: Path, playable: bool = False) -> Path:
    """Write a network for each role."""
    nets = []
    for seed, kind in enumerate(encoding.DECISION_KINDS):
        torch.manual_seed(seed)
        net = GroupReader(encoding, "cpu").new(replace(TINY, playable=playable))
        for weights in net.parameters():
            weights.data += torch.randn(weights.shape) / 2
        nets.append((net, [kind]))
    card = ModelCard(
        "doudizhu", SPEC.rules_version, "group_encoding", encoding.ENCODING_VERSION, "Title", "A line.",
        unit="probability", scale=1.0,
    )  # fmt: skip
    write_model(folder, card, nets)
    return folder
