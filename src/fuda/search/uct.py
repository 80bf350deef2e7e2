"""Determinized UCT and its information-set variant, over the functions of any game.

*Determinized*: several trees, each on one redeal of the hidden cards; their visits are added up.
*Information set*: one tree, with a new redeal for each iteration; a node is reached by its moves
whatever the hidden cards are, and a child competes only where it is legal (Cowling, Powley and
Whitehouse 2012). Both are the loop below: they differ in when `redeal` is called.

Every player maximises the outcome for its own side. A search ends where a deal ends.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.generator import below
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = hide = redeal = side = outcome = policy = rollout = unbound
MAX_LEGAL = NUM_ACTIONS = 0

NO_NODE = -1
ROOT = 0


def rollout_random(scratch, rng, moves):
    """Play the state scratch[1] to the end of the deal, uniformly."""
    state = scratch[1]
    while state.status == PLAYING:
        step(state, moves[below(rng, legal(state, moves))])


def rollout_policy(scratch, rng, moves):
    """Play the state scratch[1] to the end of the deal by a policy, which sees views only."""
    state = scratch[1]
    while state.status == PLAYING:
        scratch[2] = state
        hide(scratch[2], state.seat)
        step(state, policy(scratch[2], state.seat, rng))


def grow_tree(views, k, seat, rng, iterations, exploration, fresh, stop, scratch, visits, values):
    """Grow one tree from views[k]; add each root action's visits and outcomes to the totals.

    `visits` and `values` are in the order of the view's legal actions, values for the seat's side.
    `fresh` redeals for every iteration; `stop[0]` ends the search when another thread sets it;
    `scratch` is room for three records.
    """
    first_child = np.full(iterations + 1, NO_NODE, np.int32)
    next_sibling = np.full(iterations + 1, NO_NODE, np.int32)
    action_of = np.empty(iterations + 1, np.int32)
    num_visits = np.zeros(iterations + 1, np.int32)
    num_legal = np.zeros(iterations + 1, np.int32)  # how often a node could have been chosen
    total = np.zeros(iterations + 1, np.float64)  # outcomes for side 0
    path = np.empty(iterations + 2, np.int32)
    moves = np.empty(MAX_LEGAL, np.int64)
    seen = np.zeros(NUM_ACTIONS, np.int32)  # `token` where legal here, `-token` where a child too
    token = 0
    num_nodes = 1

    for iteration in range(iterations):
        if stop[0] and iteration > 0:
            break
        if fresh or iteration == 0:
            scratch[0] = views[k]
            redeal(scratch[0], seat, rng)
        scratch[1] = scratch[0]
        state = scratch[1]
        node = ROOT
        depth = 1
        path[0] = ROOT
        while state.status == PLAYING:
            count = legal(state, moves)
            token += 1
            for m in range(count):
                seen[moves[m]] = token
            sign = 1.0 if side(state, state.seat) == 0 else -1.0
            best = NO_NODE
            best_bound = -np.inf
            num_tried = 0
            child = first_child[node]
            while child != NO_NODE:
                if seen[action_of[child]] == token:
                    seen[action_of[child]] = -token
                    num_tried += 1
                    num_legal[child] += 1
                    n = num_visits[child]
                    bound = sign * total[child] / n + exploration * math.sqrt(math.log(num_legal[child]) / n)
                    if bound > best_bound:
                        best, best_bound = child, bound
                child = next_sibling[child]
            is_new = num_tried < count
            if is_new:
                skip = below(rng, count - num_tried)
                for m in range(count):
                    if seen[moves[m]] == token:
                        if skip == 0:
                            best = num_nodes
                            action_of[best] = moves[m]
                            break
                        skip -= 1
                num_nodes += 1
                num_legal[best] = 1
                next_sibling[best] = first_child[node]
                first_child[node] = best
            step(state, action_of[best])
            node = best
            path[depth] = node
            depth += 1
            if is_new:
                break
        rollout(scratch, rng, moves)
        result = outcome(state)
        for d in range(depth):
            num_visits[path[d]] += 1
            total[path[d]] += result

    sign = 1.0 if side(views[k], seat) == 0 else -1.0
    count = legal(views[k], moves)
    child = first_child[ROOT]
    while child != NO_NODE:
        for m in range(count):
            if moves[m] == action_of[child]:
                visits[m] += num_visits[child]
                values[m] += sign * total[child]
        child = next_sibling[child]


@dataclass(frozen=True)
class Searcher:
    """`grow_tree` compiled for a game and a way to play to the end."""

    grow: Any

    @classmethod
    def of(cls, spec: GameSpec, rollout_name: str = "random") -> "Searcher":
        """With uniform rollouts, or with those of one of the game's policies."""
        rules = spec.rules
        names = {"side": rules.side, "outcome": rules.outcome, "NUM_ACTIONS": spec.num_actions}
        if rollout_name == "random":
            roll = spec.kernels.bind(rollout_random, "random")
        else:
            roll = spec.kernels.bind(rollout_policy, rollout_name, policy=spec.policy(rollout_name).choose)
        return cls(spec.kernels.bind(grow_tree, rollout_name, rollout=roll, **names))
