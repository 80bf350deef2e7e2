"""A group of self-play matches on its way between CPU and GPU.

B matches, S rows of the ring, A the most legal actions, O numbers of a target.
"""

import math
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import torch

from fuda.core.game import GameSpec
from fuda.training.device import Mark, pinned
from fuda.training.learner import Views
from fuda.training.lock_step import NO_SIDE, SelfPlay, spread
from fuda.training.recipes import SelfPlayRecipe

if TYPE_CHECKING:
    from fuda.training.monte_carlo import Run

# A decision waits so many ticks at most until a batch of its kind is full; then its slot is used again.
SPARE_ROWS = 8
KEPT = ("chosen", "found", "old_places", "old_progress")  # tensors of a checkpoint


class Group:
    """Matches that advance together, and their decisions waiting to be learned from."""

    def __init__(self, number: int, run: "Run"):
        recipe, encoding, spec, size, device = (
            run.recipe, run.encoding, run.game.spec, run.recipe.group_size, run.device,
        )  # fmt: skip
        self.number = number
        self.hosts = Hosts(recipe, spec, size)
        self.play = SelfPlay(
            run.game, run.rows, recipe.seed, run.judge, run.width,
            self.hosts.sides(0.0), self.hosts.by_policy, run.policy, recipe.forced, number,
        )  # fmt: skip
        self.inputs = Views(
            pinned((size, encoding.NUM_PLACE_ROWS), torch.int64, device),
            pinned((size, encoding.NUM_PROGRESS), torch.int8, device),
            pinned((size, spec.max_legal), torch.int64, device),
            pinned((size,), torch.int64, device),
            pinned((size, run.width), torch.float32, device),
            pinned((size,), torch.int64, device),
        )
        self.inputs.worths.fill_(1)
        # Aims take turns, so that each has its part of every guest's matches, on every side.
        self.inputs.aims.numpy()[:] = np.arange(size) // spec.num_sides % len(recipe.aims)
        self._units = np.array([run.outcomes.AIMS.index(aim) for aim in recipe.aims])[self.inputs.aims]
        self.aims = self.inputs.aims.to(device)
        self.guest_moves = pinned((size,), torch.bool, device)
        self.chosen = pinned((size,), torch.int64, device)
        self.found = pinned((size, run.width), torch.float32, device)
        self.old_places = torch.zeros(
            run.rows, size, encoding.NUM_PLACE_ROWS, dtype=torch.int64, device=device
        )
        self.old_progress = torch.zeros(
            run.rows, size, encoding.NUM_PROGRESS, dtype=torch.int8, device=device
        )
        self.kinds = np.zeros((run.rows, size), np.int8)  # of decisions
        self.waits = np.zeros((run.rows, size), np.bool_)  # slots that tell what the one who waits sees
        self.pending = np.zeros((0, 2), np.int64)  # slots to learn from, and the tick that gave them
        room = size + run.recipe.batch * len(run.learner.nets)
        self.slots = pinned((room,), torch.int64, device)
        self.actions = pinned((room,), torch.int64, device)
        self.targets = pinned((room, run.width), torch.float32, device)
        self.waiting = (
            pinned((size,), torch.int64, device),
            pinned((size, encoding.NUM_PLACE_ROWS), torch.int64, device),
            pinned((size, encoding.NUM_PROGRESS), torch.int8, device),
        )
        self.told = Mark(device)
        self.valued = Mark(device)
        self.copied = Mark(device)

    def encode(self, run: "Run") -> None:
        """The movers' views, as the network sees them, into pinned memory."""
        play, inputs = self.play, self.inputs
        places, progress = inputs.places.numpy(), inputs.progress.numpy()
        spread(run.encoding.encode_all, play.views, play.seats, places, progress, count=play.size)
        inputs.legal.numpy()[:] = play.legal_actions
        inputs.num_legal.numpy()[:] = play.num_legal
        self.guest_moves.numpy()[:] = play.guest_moves
        self.kinds[play.tick % run.rows] = run.encoding.decision_kinds(progress)
        if run.recipe.classes:
            worths = inputs.worths.numpy()
            write = run.outcomes.write_worths
            spread(write, play.views, play.seats, self._units, run.table, worths, count=play.size)

    def encode_waiting(self, run: "Run", turn: ModuleType) -> list[torch.Tensor]:
        """At the beginning of some turns: which matches, and what the player who waits sees there."""
        play = self.play
        row = play.tick % run.rows
        luck = np.random.default_rng((run.recipe.seed, self.number, play.tick, 1))
        chosen = luck.random(play.size) < run.recipe.waiting_share
        self.waits[row] = chosen & turn.turn_begins(play.states) & (play.guest_sides == NO_SIDE)
        index = np.flatnonzero(self.waits[row])
        count = len(index)
        self.told.wait()
        self.waiting[0].numpy()[:count] = index
        places, progress = (tensor.numpy() for tensor in self.waiting[1:])
        views, seats = run.game.spec.new_states(count), np.zeros(count, np.int64)
        spread(run.view_waiting, play.states, index, views, seats, count=count)
        spread(run.encoding.encode_waiting_all, views, seats, places, progress, count=count)
        told = [tensor[:count].to(run.device, non_blocking=True) for tensor in self.waiting]
        self.told.set()
        return told

    def labels(self, slots: np.ndarray, run: "Run") -> tuple[np.ndarray, np.ndarray]:
        """The actions [N] and targets [N, O] of slots; for the one who waits the outcome is turned round."""
        play = self.play
        actions = play.actions.reshape(-1)[slots]
        targets = play.targets.reshape(-1, run.width)[slots]
        waits = self.waits.reshape(-1)[slots]
        if run.turn is not None:
            actions[waits] = run.turn.WAIT_ACTION
            targets[waits] = targets[waits][:, ::-1]
        return actions, targets

    def ripe(self, run: "Run") -> np.ndarray:
        """Add the row whose deals have all ended, and give all slots that wait to be learned from."""
        play, recipe = self.play, run.recipe
        if play.tick + 1 + SPARE_ROWS >= play.rows:
            row = (play.tick + 1 + SPARE_ROWS) % play.rows  # the next of those that are overwritten
            some = np.flatnonzero(play.learned[row] | self.waits[row])
            luck = np.random.default_rng((recipe.seed, self.number, play.tick))
            some = luck.permutation(some)[: math.ceil(recipe.learn_share * len(some))]
            fresh = np.stack([row * play.size + some, np.full(len(some), play.tick)], axis=1)
            kept = self.pending[self.pending[:, 1] + SPARE_ROWS > play.tick]
            self.pending = np.concatenate([kept, fresh])
        return self.pending[:, 0]

    def state(self) -> dict[str, torch.Tensor]:
        """For a checkpoint."""
        arrays = self.play.arrays() | {
            "pending": self.pending,
            "kinds": self.kinds,
            "waits": self.waits,
        }
        arrays["states"] = arrays["states"].view(np.uint8)
        arrays["chance"], arrays["luck"] = arrays["chance"].view(np.int64), arrays["luck"].view(np.int64)
        tensors = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
        return tensors | {name: getattr(self, name).cpu() for name in KEPT}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Go on where `state` was taken."""
        for name in KEPT:
            getattr(self, name).copy_(state.pop(name))
        self.pending = state.pop("pending").numpy()
        self.kinds[:] = state.pop("kinds").numpy()
        self.waits[:] = state.pop("waits").numpy()
        arrays = {name: tensor.numpy() for name, tensor in state.items()}
        arrays["states"] = arrays["states"].view(self.play.states.dtype)
        arrays["chance"], arrays["luck"] = arrays["chance"].view(np.uint64), arrays["luck"].view(np.uint64)
        self.play.restore(arrays)


class Hosts:
    """Which matches of a group have which guest: the first ones, one guest after the other."""

    def __init__(self, recipe: SelfPlayRecipe, spec: GameSpec, size: int):
        self._recipe = recipe
        self._num_sides = spec.num_sides
        ends = np.cumsum([0, *(round(guest.share * size) for guest in recipe.guests)]).tolist()
        if ends[-1] > size:
            raise ValueError("the guests' shares add up to more than all matches")
        self.ranges = {
            guest.name: (ends[number], ends[number + 1]) for number, guest in enumerate(recipe.guests)
        }
        policies = {policy.name for policy in spec.policies}
        self.by_policy = np.zeros(size, np.bool_)
        for name, (first, last) in self.ranges.items():
            self.by_policy[first:last] = name in policies

    def sides(self, done: float) -> np.ndarray:
        """The side that a guest plays in each match: all in turn, or none."""
        found = np.full(len(self.by_policy), NO_SIDE)
        for guest in self._recipe.guests:
            first, last = self.ranges[guest.name]
            if done < guest.until:
                found[first:last] = np.arange(first, last) % self._num_sides
        return found
