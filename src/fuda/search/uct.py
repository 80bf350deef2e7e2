"""Determinized UCT and its information-set variant, over the functions of any game.

*Determinized*: several trees, each on one redeal of the hidden cards; their visits are added up.
*Information set*: one tree, with a new redeal for each iteration; a node is reached by its moves
whatever the hidden cards are, and a child competes only where it is legal (Cowling, Powley and
Whitehouse 2012). Both are the loop below: they differ in when `redeal` is called.

Every player maximises its own payoff. A search ends where a deal ends. A child's bound
counts how often it could have been chosen, in both variants: in a tree of one redeal that is how
often its parent was visited since the child is there.
"""

import functools
import math
from typing import Any

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.generator import below
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = hide = redeal = payoff = policy = rollout = unbound
MAX_LEGAL = NUM_ACTIONS = NUM_SEATS = 0

NO_NODE = -1
MAX_NODES = 2_000_000  # of one tree; it grows no further then
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
    """Grow one tree from views[k]; add each root action's visits and payoffs to the totals.

    `visits` and `values` are in the order of the view's legal actions, values for the seat.
    `fresh` redeals for every iteration; `stop[0]` ends the search when another thread sets it;
    `scratch` is room for three records.
    """
    capacity = min(iterations + 1, MAX_NODES)
    first_child = np.empty(capacity, np.int32)
    next_sibling = np.empty(capacity, np.int32)
    action_of = np.empty(capacity, np.int32)
    num_visits = np.empty(capacity, np.int32)
    num_legal = np.empty(capacity, np.int32)  # how often a node could have been chosen
    total = np.empty((capacity, NUM_SEATS), np.float64)  # payoffs of each seat
    payoffs = np.empty(NUM_SEATS, np.float64)
    path = np.empty(capacity + 1, np.int32)
    moves = np.empty(MAX_LEGAL, np.int64)
    seen = np.zeros(NUM_ACTIONS, np.int32)  # `token` where legal here, `-token` where a child too
    token = 0
    num_nodes = 1
    first_child[ROOT] = NO_NODE
    num_visits[ROOT] = 0
    total[ROOT] = 0.0

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
            mover = state.seat
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
                    bound = total[child, mover] / n + exploration * math.sqrt(math.log(num_legal[child]) / n)
                    if bound > best_bound:
                        best, best_bound = child, bound
                child = next_sibling[child]
            if num_tried == count:
                step(state, action_of[best])
                node = best
                path[depth] = node
                depth += 1
                continue
            # A move that was not tried here: try it, and play on from there.
            skip = below(rng, count - num_tried)
            untried = 0
            for m in range(count):
                if seen[moves[m]] == token:
                    if skip == 0:
                        untried = moves[m]
                    skip -= 1
            if num_nodes < capacity:
                path[depth] = num_nodes
                depth += 1
                action_of[num_nodes] = untried
                first_child[num_nodes] = NO_NODE
                next_sibling[num_nodes] = first_child[node]
                num_visits[num_nodes] = 0
                num_legal[num_nodes] = 1
                total[num_nodes] = 0.0
                first_child[node] = num_nodes
                num_nodes += 1
            step(state, untried)
            break
        rollout(scratch, rng, moves)
        payoff(state, payoffs)
        for d in range(depth):
            num_visits[path[d]] += 1
            for s in range(NUM_SEATS):
                total[path[d], s] += payoffs[s]

    count = legal(views[k], moves)
    child = first_child[ROOT]
    while child != NO_NODE:
        for m in range(count):
            if moves[m] == action_of[child]:
                visits[m] += num_visits[child]
                values[m] += total[child, seat]
        child = next_sibling[child]


@functools.cache
def searcher(spec: GameSpec, rollout_name: str = "random") -> Any:
    """`grow_tree` compiled for a game, with uniform rollouts or with those of one of its policies."""
    if rollout_name == "random":
        roll = spec.kernels.bind(rollout_random, "random")
    else:
        roll = spec.kernels.bind(rollout_policy, rollout_name, policy=spec.policy(rollout_name).choose)
    return spec.kernels.bind(
        grow_tree,
        rollout_name,
        rollout=roll,
        NUM_ACTIONS=spec.num_actions,
    )
