"""Tree search with open hands, many trees at once: a network values the leaves, in common batches.

Each step every tree walks down to a new leaf (compiled, on all cores), the evaluator values all leaves in
one call, and the values are backed up. What is in a tree depends on its root, its number of iterations and
its generator alone, not on the other trees or the number of cores.

*UCT*, as ScrofaZero has it: mean value plus c sqrt(2 ln N / n), unvisited actions first.
*PUCT* (`use_prior`): mean value plus c P sqrt(N) / (1 + n), with the network's policy P; the root is valued
first, and an unvisited action counts as its parent does.

A node's legal actions are edges, one after the other in its tree's own row of them: memory follows the
actions that there are.

B trees, K of them active, N nodes and E edges of a tree, S seats, V values of a leaf: the mover's where two
sides play against each other, else one for each seat.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from fuda.core.game import GameSpec
from fuda.core.generator import below
from fuda.core.kernels import unbound
from fuda.core.ragged import Lists, starts_of
from fuda.core.state import PLAYING
from fuda.core.threads import split

# Stand-ins for the game's functions and sizes, replaced when the loops are bound.
legal = step = side = payoff = unbound
back_up_leaf = add_node = back_up = choose = begin = descend = accept = unbound
MAX_LEGAL = NUM_SEATS = 0
TWO_SIDED = True

NO_NODE = -1
CHILD, ACTION, PRIOR = range(3)  # the arrays of edges, as the loops see them
ROOT = 0
MIN_SHARE = 128  # trees: a walk takes a microsecond or more
FIRST_EDGES = 16  # room for so many edges of a node, at first

# evaluate(leaves [K], seats [K]) -> what the seats will gain from here on [K], and the logits of all
# actions [K, num_actions], or None if the search uses no prior
Evaluate = Callable[[np.recarray, np.ndarray], tuple[np.ndarray, np.ndarray | None]]

TREE = np.dtype(
    [
        ("num_nodes", np.int32),
        ("num_edges", np.int32),
        ("left", np.int32),  # iterations to come
        ("depth", np.int32),  # nodes on the way to the leaf, the root and the leaf among them
        ("waiting", np.int32),  # 1 while the leaf has no value yet
    ]
)


@dataclass(frozen=True)
class TreeSetting:
    """How trees grow."""

    exploration: float  # in points
    use_prior: bool = False
    skip_forced: bool = False  # a leaf is never a position with one legal action


def node_dtype(spec: GameSpec) -> np.dtype:
    """A node; its edges are num_legal from `first` on."""
    return np.dtype(
        [
            ("total", np.float64, spec.seats),  # payoffs of each seat, summed over visits
            ("visits", np.int32),
            ("first", np.uint32),  # unsigned: no index of an edge is counted from the end
            ("num_legal", np.uint32),
        ],
        align=True,
    )


class Edges(NamedTuple):
    """The legal actions of nodes [B, E]: where they lead, which they are, and a policy where one is used."""

    child: np.ndarray  # int32
    action: np.ndarray  # the smallest type that holds them
    prior: np.ndarray  # float32, or [B, 0]


def add_node_of(tree, nodes, edges, b, at, state, moves):
    """A fresh node for a state; where the deal is over it has no edges."""
    node = nodes[b, at]
    node.visits = 0
    for s in range(NUM_SEATS):
        node.total[s] = 0.0
    node.first = tree[b].num_edges
    node.num_legal = legal(state, moves) if state.status == PLAYING else 0
    for m in range(node.num_legal):
        edges[CHILD][b, node.first + m] = NO_NODE
        edges[ACTION][b, node.first + m] = moves[m]
    tree[b].num_edges += node.num_legal


def back_up_in(nodes, path, b, depth, payoffs):
    """Add the payoffs of all seats to all nodes on the way."""
    for d in range(depth):
        node = nodes[b, path[b, d]]
        node.visits += 1
        for s in range(NUM_SEATS):
            node.total[s] += payoffs[s]


def back_up_leaf_in(nodes, path, b, depth, state, gains, payoffs):
    """Back up a leaf from which on the seats gain so much: gains [V]; `payoffs` is room for [S]."""
    payoff(state, payoffs)
    for s in range(NUM_SEATS):
        if not TWO_SIDED:
            payoffs[s] += gains[s]
        elif side(state, s) == side(state, state.seat):
            payoffs[s] += gains[0]
        else:
            payoffs[s] -= gains[0]
    back_up(nodes, path, b, depth, payoffs)


def choose_in(nodes, edges, b, at, mover, exploration, use_prior, rng):
    """The place of the edge that the mover follows from the node `at`."""
    node = nodes[b, at]
    first, last = node.first, node.first + node.num_legal
    best = first
    best_bound = -np.inf
    if use_prior:
        root = math.sqrt(node.visits)
        for e in range(first, last):
            mean, visits = node.total[mover] / node.visits, 0
            if edges[CHILD][b, e] != NO_NODE:
                child = nodes[b, edges[CHILD][b, e]]
                mean, visits = child.total[mover] / child.visits, child.visits
            bound = mean + exploration * edges[PRIOR][b, e] * root / (1 + visits)
            if bound > best_bound:
                best, best_bound = e, bound
        return best
    num_untried = 0
    for e in range(first, last):
        if edges[CHILD][b, e] == NO_NODE:
            num_untried += 1
    if num_untried:
        skip = below(rng, num_untried)
        for e in range(first, last):
            if edges[CHILD][b, e] == NO_NODE:
                if skip == 0:
                    return e
                skip -= 1
    log = 2 * math.log(node.visits)
    for e in range(first, last):
        child = nodes[b, edges[CHILD][b, e]]
        bound = child.total[mover] / child.visits + exploration * math.sqrt(log / child.visits)
        if bound > best_bound:
            best, best_bound = e, bound
    return best


def begin_at(tree, nodes, edges, path, root, leaf, b, iterations, use_prior, moves):
    """Plant tree b at root[b]; with a prior it waits for the root's policy first."""
    tree[b].num_nodes = 1
    tree[b].num_edges = 0
    tree[b].left = iterations
    tree[b].depth = 1
    tree[b].waiting = 0
    path[b, 0] = ROOT
    add_node(tree, nodes, edges, b, ROOT, root[b], moves)
    if use_prior:
        leaf[b] = root[b]
        tree[b].waiting = 1


def descend_in(
    tree, nodes, edges, path, root, leaf, b, exploration, use_prior, skip_forced, rng, moves, payoffs
):  # fmt: skip
    """Walk to new leaves until one needs the network; False when all iterations are made.

    At most one new node, that leaf, has edges.
    """
    while tree[b].left > 0:
        tree[b].left -= 1
        leaf[b] = root[b]
        state = leaf[b]
        at = ROOT
        depth = 1
        is_new = False
        while state.status == PLAYING and not is_new:
            edge = choose(nodes, edges, b, at, state.seat, exploration, use_prior, rng)
            step(state, np.int64(edges[ACTION][b, edge]))
            if skip_forced:
                while legal(state, moves) == 1:
                    step(state, moves[0])
            at = edges[CHILD][b, edge]
            if at == NO_NODE:
                at = tree[b].num_nodes
                tree[b].num_nodes += 1
                edges[CHILD][b, edge] = at
                add_node(tree, nodes, edges, b, at, state, moves)
                is_new = True
            path[b, depth] = at
            depth += 1
        tree[b].depth = depth
        if state.status == PLAYING:
            tree[b].waiting = 1
            return True
        payoff(state, payoffs)
        back_up(nodes, path, b, depth, payoffs)
    return False


def accept_at(tree, nodes, edges, path, leaf, b, gains, logits, use_prior, payoffs):
    """Give the leaf of tree b its values [V], and its policy where there is one."""
    back_up_leaf(nodes, path, b, tree[b].depth, leaf[b], gains, payoffs)
    tree[b].waiting = 0
    if use_prior:
        node = nodes[b, path[b, tree[b].depth - 1]]
        first, last = node.first, node.first + node.num_legal
        highest = -np.inf
        for e in range(first, last):
            highest = max(highest, logits[edges[ACTION][b, e]])
        total = 0.0
        for e in range(first, last):
            edges[PRIOR][b, e] = math.exp(logits[edges[ACTION][b, e]] - highest)
            total += edges[PRIOR][b, e]
        for e in range(first, last):
            edges[PRIOR][b, e] /= total


def begin_all(tree, nodes, edges, path, root, leaf, iterations, use_prior, first, last):
    """Plant trees first..last-1."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        begin(tree, nodes, edges, path, root, leaf, b, iterations[b], use_prior, moves)


def advance_all(
    tree, nodes, edges, path, root, leaf, active, gains, logits, exploration, use_prior, skip_forced,
    rngs, first, last,
):  # fmt: skip
    """Trees active[first..last-1]: take their leaves' values, and walk to the next leaves."""
    moves, payoffs = np.empty(MAX_LEGAL, np.int64), np.empty(NUM_SEATS, np.float64)
    for k in range(first, last):
        b = active[k]
        if tree[b].waiting:
            accept(tree, nodes, edges, path, leaf, b, gains[k], logits[k], use_prior, payoffs)
        descend(
            tree, nodes, edges, path, root, leaf, b, exploration, use_prior, skip_forced,
            rngs[b : b + 1], moves, payoffs,
        )  # fmt: skip


def read_all(nodes, edges, root, starts, visits, values, first, last):
    """Visits and mean values of the roots' actions, for the mover: lists from `starts` on."""
    for b in range(first, last):
        node = nodes[b, ROOT]
        for m in range(node.num_legal):
            at = edges[CHILD][b, node.first + m]
            if at != NO_NODE:
                child = nodes[b, at]
                visits[starts[b] + m] = child.visits
                values[starts[b] + m] = child.total[root[b].seat] / child.visits


@functools.cache
def loops(spec: GameSpec) -> Any:
    """The functions above, compiled for a game."""
    names: dict[str, Any] = {}
    for name, function in (
        ("add_node", add_node_of), ("back_up", back_up_in), ("back_up_leaf", back_up_leaf_in),
        ("choose", choose_in), ("begin", begin_at), ("descend", descend_in), ("accept", accept_at),
        ("begin_all", begin_all), ("advance_all", advance_all), ("read_all", read_all),
    ):  # fmt: skip
        names[name] = spec.kernels.bind(function, **names)
    return SimpleNamespace(**names)


class NetworkTrees:
    """B trees that grow together."""

    def __init__(self, spec: GameSpec, size: int, max_iterations: int, setting: TreeSetting):
        self.spec = spec
        self.setting = setting
        self.size = size
        num_nodes = max_iterations + 1
        self.trees = np.zeros(size, TREE).view(np.recarray)
        self.nodes = np.zeros((size, num_nodes), node_dtype(spec)).view(np.recarray)
        self.paths = np.zeros((size, min(num_nodes, spec.max_deal_decisions + 1)), np.int32)
        self._most_edges = num_nodes * spec.max_legal
        shape = (size, min(self._most_edges, FIRST_EDGES * num_nodes + 2 * spec.max_legal))
        prior = np.zeros(shape if setting.use_prior else (size, 0), np.float32)
        self.edges = Edges(np.zeros(shape, np.int32), np.zeros(shape, spec.kernels.item_type), prior)
        self.roots, self.leaves = spec.new_states(size), spec.new_states(size)
        self._loops = loops(spec)

    def search(self, iterations: np.ndarray, rngs: np.ndarray, evaluate: Evaluate) -> tuple[Lists, Lists]:
        """Grow a tree from each of the `roots` by `iterations` [B]; lists of visits and mean values.

        Values are the mover's, in the order of the root's legal actions; the generators `rngs` [B]
        are advanced. An action without visits has the value minus infinity.
        """
        setting = self.setting
        if iterations.max(initial=0) >= self.nodes.shape[1]:
            raise ValueError(f"these trees have room for {self.nodes.shape[1] - 1} iterations")
        split(
            self._loops.begin_all, *self.arrays, iterations, setting.use_prior,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        active = np.arange(self.size)
        gains, logits = np.zeros((self.size, 1)), np.zeros((self.size, 1), np.float32)
        if not setting.use_prior:
            self._advance(active, gains, logits, rngs)
        while True:
            active = active[self.trees["waiting"][active] == 1]
            if not len(active):
                break
            leaves = self.leaves[active].view(np.recarray)
            gains, found = self._value(leaves, evaluate)
            if found is not None:
                logits = found
            self._advance(active, gains, logits, rngs)
        starts = starts_of(self.nodes["num_legal"][:, ROOT])
        visits, values = np.zeros(starts[-1], np.int64), np.full(starts[-1], -np.inf)
        split(
            self._loops.read_all, self.nodes, tuple(self.edges), self.roots, starts, visits, values,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        return Lists(visits, starts), Lists(values, starts)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the loops work on; the edges are others after `make_room`."""
        return self.trees, self.nodes, tuple(self.edges), self.paths, self.roots, self.leaves

    def make_room(self) -> None:
        """Before trees go on: room for the edges of one more node in each, or for a new tree's first two."""
        room = self.edges.child.shape[1]
        if room == self._most_edges:
            return
        wanted = int(self.trees["num_edges"].max(initial=0)) + self.spec.max_legal
        if wanted > room:
            more = min(wanted + wanted // 2, self._most_edges) - room
            self.edges = Edges(
                *(np.pad(array, ((0, 0), (0, more if array.size else 0))) for array in self.edges)
            )

    def _value(self, leaves: np.recarray, evaluate: Evaluate) -> tuple[np.ndarray, np.ndarray | None]:
        """The values [K, V] of leaves, and the mover's logits."""
        movers = leaves["seat"].astype(np.int64)
        if self.spec.two_sided:
            gains, logits = evaluate(leaves, movers)
            return gains[:, None], logits
        num_seats = self.spec.seats
        everyone = np.tile(np.arange(num_seats), len(leaves))
        gains, logits = evaluate(np.repeat(leaves, num_seats).view(np.recarray), everyone)
        own = np.arange(len(leaves)) * num_seats + movers
        return gains.reshape(-1, num_seats), None if logits is None else logits[own]

    def _advance(self, active: np.ndarray, gains: np.ndarray, logits: np.ndarray, rngs: np.ndarray) -> None:
        setting = self.setting
        self.make_room()
        split(
            self._loops.advance_all, *self.arrays, active, np.asarray(gains, np.float64),
            np.asarray(logits, np.float32), setting.exploration, setting.use_prior, setting.skip_forced,
            rngs, count=len(active), min_share=MIN_SHARE,
        )  # fmt: skip
