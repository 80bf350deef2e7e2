"""Who plays in which games of a group, for what: itself, or a guest on one side, learned against, not from.

A guest is a policy of the game, a model that ships, or the run's own networks as they were.
"""

import copy
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.agents.model import model_folders, nets_of_kinds
from fuda.core.game import GameSpec
from fuda.nets.folder import read_card
from fuda.nets.readers import READERS, Reader
from fuda.training.chooser import Nets, new_chooser
from fuda.training.deals import NOBODY, Seating
from fuda.training.ranks import Ranks
from fuda.training.rewards import Mean

PAST = "past"  # the guest that is the run's own networks as they were

Ranges = dict[str, tuple[int, int]]  # from which game to before which, of each guest


def seated(
    spec: GameSpec, guests: Mapping[str, float], num_aims: int, group_size: int, num_lanes: int, ranks: Ranks
) -> tuple[Seating, Ranges]:
    """The games of this rank, which are whole lanes, and those of each guest, by its share of all.

    Game b is of this rank's lane b % lanes, so that every lane has its part of each guest and these have
    their games in one range, on all sides and for all aims in turn.
    """
    lanes, lane_size = ranks.part_of(num_lanes, "lanes"), group_size // num_lanes
    place, lane = np.divmod(np.arange(lanes * lane_size), lanes)
    lane += ranks.number * lanes
    aims, sides = np.divmod(lane + place, spec.num_sides)
    ends = np.cumsum([0.0, *guests.values()])
    if ends[-1] > 1 + 1e-9:
        raise ValueError("the guests' shares add up to more than all games")
    rows = [round(end * lane_size) * lanes for end in ends]
    ranges = dict(zip(guests, pairwise(rows), strict=True))
    names = [name for name in guests if name in {policy.name for policy in spec.policies}]
    policies = np.full(len(place), NOBODY)
    for number, name in enumerate(names):
        policies[slice(*ranges[name])] = number
    guest_sides = np.where(np.arange(len(place)) < rows[-1], sides, NOBODY)
    return Seating(lane * lane_size + place, aims % num_aims, guest_sides, policies, names), ranges


class NetworkGuests:
    """The guests that are networks: each chooses in its range of games."""

    def __init__(self, spec: GameSpec, players: Nets, aims: Tensor, seating: Seating, ranges: Ranges):
        self.past = [copy.deepcopy(net).requires_grad_(False) for net in players.nets if PAST in ranges]
        self._choosers = []
        for name, (first, last) in ranges.items():
            if name in seating.names or first == last:
                continue
            nets = players.like(self.past) if name == PAST else _shipped(spec, players.reader, name)
            self._choosers.append((new_chooser(nets, aims[first:last], first, compiled=False), first, last))

    def __bool__(self) -> bool:
        return bool(self._choosers)

    def __call__(self, choices: Any, given: Tensor, moves: Tensor, places: Tensor) -> None:
        """Put their choices among `places` [B] where `moves` [B] says that a guest is to move."""
        for chooser, first, last in self._choosers:
            if moves[first:last].any():
                theirs, _, _ = chooser(choices, given)
                mine = places[first:last]
                mine.copy_(torch.where(moves[first:last].to(mine.device, non_blocking=True), theirs, mine))

    def follow(self, nets: Sequence[Any]) -> None:
        """Let past selves be these networks as they are now."""
        for past, net in zip(self.past, nets, strict=bool(self.past)):
            past.load_state_dict(net.state_dict())


def _shipped(spec: GameSpec, reader: Reader, name: str) -> Nets:
    folder = model_folders(spec.id).get(name)
    if folder is None:
        raise ValueError(f"the recipe's guest {name} is no policy and no model of {spec.id} that ships")
    card = read_card(folder)
    nets = [reader.stored(folder, number).to(reader.device) for number in range(len(card.networks))]
    if any(net.sizes()["outputs"] != 1 for net in nets):
        raise ValueError(f"the recipe's guest {name} tells more than one number of a move")
    return Nets(nets, nets_of_kinds(folder, card, reader.encoding).tolist(), reader, Mean(None))


def fixed_net(spec: GameSpec, name: str, reader: Reader, outputs: int) -> Any:
    """The network of a model that ships, for a recipe whose encoding has more columns behind its own."""
    folder = model_folders(spec.id).get(name)
    if folder is None:
        raise ValueError(f"the recipe's {name} is no model of {spec.id} that ships")
    card = read_card(folder)
    own = READERS[reader.encoding.PLAYED_BY](spec.encoding(card.encoding), spec, reader.device)
    net = own.stored(folder, 0)
    if len(card.networks) != 1 or net.sizes()["outputs"] != outputs:
        raise ValueError(f"the recipe's {name} has not one network with {outputs} outputs of a move")
    return net.to(reader.device).requires_grad_(False)
