"""Decompositions of a hand: the multisets of moves, pass apart, whose cards are the hand's together.

There may be over a hundred thousand. They are counted first: a decomposition is written in one order only,
as a path of *nodes*. A node is the cards that are left and the least move that may come next. The next move
always has the lowest card that is left, and moves with the same lowest rank rise, so no decomposition has
two paths. Many paths share their nodes, and what is left without three of a rank and without a chain is
counted at once: its pairs are moves or not, its jokers the rocket or not. So decomposition number k is
found by going down the counts, and drawing distinct numbers draws distinct decompositions uniformly.

A decision is a hand and the move to beat. Who follows may pass, so pass is one more group of each
decomposition then.

K decisions, D decompositions of all of them.
"""

from typing import NamedTuple

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.decompositions import Decompositions
from fuda.core.generator import below
from fuda.core.ragged import starts_of
from fuda.core.threads import split
from fuda.games.doudizhu.moves import (
    BOMB,
    CHAIN_RANKS,
    FIRST_MOVE,
    GROUP_AT,
    JOKERS,
    KICKER_WAYS,
    MAX_HAND,
    MAX_LEGAL,
    MOVE_CARDS,
    NUM_MOVES,
    PAIR,
    PAIR_CHAIN,
    PASS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET_MOVE,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_CHAIN,
    TRIO_CHAIN_PAIRS,
    TRIO_CHAIN_SOLOS,
    TRIO_PAIR,
    TRIO_SOLO,
    at_least,
    beats,
    count_of,
    num_cards,
    run_starts,
    write_with_kickers,
)

MAX_GROUPS = MAX_HAND + 1  # of a decomposition: every card alone, and pass
SHORTEST_SOLOS, SHORTEST_PAIRS, SHORTEST_TRIOS = 5, 3, 2  # chains
MAX_NODES, MAX_EDGES = 1 << 14, 1 << 16  # a search over 20-card hands found 6,698 and 21,536
NUM_SLOTS = 1 << 15  # of the hash table of nodes, a power of two
NOBODY, SIMPLE = -1, -2  # no node; one whose cards are counted at once
ROOM = 1 << 12  # numbers of each kind, at first
MIN_SHARE = 16  # decisions that are worth a thread of their own


class Graph(NamedTuple):
    """The nodes of a hand and the moves that lead on from them."""

    rests: np.ndarray  # [nodes] the cards that are left, packed
    leasts: np.ndarray  # [nodes] the least move that may come next
    counts: np.ndarray  # [nodes] decompositions from there on
    first_edges: np.ndarray  # [nodes]
    last_edges: np.ndarray  # [nodes]
    others: np.ndarray  # [nodes] another node with as many cards left, or NOBODY
    of_size: np.ndarray  # [MAX_HAND + 1] the first of these
    moves: np.ndarray  # [edges]
    ends: np.ndarray  # [edges] decompositions by this edge and those before it of its node
    nodes: np.ndarray  # [edges] where it leads, or SIMPLE
    slots: np.ndarray  # [NUM_SLOTS] hash table: a node, or NOBODY
    places: np.ndarray  # [nodes] where it is in this table
    found: np.ndarray  # [2] how many nodes and edges there are


@compiled
def new_graph():
    """Room for the nodes and edges of any hand."""
    return Graph(
        np.empty(MAX_NODES, np.int64), np.empty(MAX_NODES, np.int64), np.empty(MAX_NODES, np.int64),
        np.empty(MAX_NODES, np.int32), np.empty(MAX_NODES, np.int32), np.empty(MAX_NODES, np.int32),
        np.empty(MAX_HAND + 1, np.int32),
        np.empty(MAX_EDGES, np.int64), np.empty(MAX_EDGES, np.int64), np.empty(MAX_EDGES, np.int32),
        np.full(NUM_SLOTS, NOBODY, np.int32), np.empty(MAX_NODES, np.int32), np.zeros(2, np.int64),
    )  # fmt: skip


@compiled
def is_simple(rest, least):
    """Whether its solos, pairs and rocket are all that the cards can be."""
    if least or at_least(rest, 3):
        return False
    chains = run_starts(at_least(rest, 1), SHORTEST_SOLOS) | run_starts(at_least(rest, 2), SHORTEST_PAIRS)
    return chains == 0


@compiled
def count_simple(rest):
    """How many decompositions such cards have; 1 of none."""
    count = np.int64(2) if rest & JOKERS == JOKERS else np.int64(1)
    twos = at_least(rest, 2)
    while twos:
        twos &= twos - 1
        count *= 2
    return count


@compiled
def write_simple(rest, number, out, count):
    """Append the moves of decomposition `number` of such cards."""
    if rest & JOKERS == JOKERS:
        if number & 1:
            out[count] = ROCKET_MOVE
            count += 1
            rest -= JOKERS
        number >>= 1
    while rest:
        rank = lowest(rest) >> 2
        is_two = count_of(rest, rank) == 2
        if is_two and number & 1:
            out[count] = FIRST_MOVE[GROUP_AT[PAIR, 1]] + rank
            count += 1
        else:
            for _ in range(1 + is_two):
                out[count] = FIRST_MOVE[GROUP_AT[SOLO, 1]] + rank
                count += 1
        number >>= np.int64(is_two)
        rest &= ~(np.int64(15) << (4 * rank))
    return count


@compiled
def moves_with_lowest(rest, out):
    """Write the moves of these cards that have one of the lowest rank; returns how many."""
    low = lowest(rest) & ~3
    first = np.int64(1) << low  # the lowest rank as a mask
    rank = low >> 2
    copies = count_of(rest, rank)
    ones, twos, threes = at_least(rest, 1), at_least(rest, 2), at_least(rest, 3)
    out[0] = FIRST_MOVE[GROUP_AT[SOLO, 1]] + rank
    count = 1
    if copies >= 2:
        out[count] = FIRST_MOVE[GROUP_AT[PAIR, 1]] + rank
        count += 1
    if copies >= 3:
        out[count] = FIRST_MOVE[GROUP_AT[TRIO, 1]] + rank
        count += 1
    if copies == 4:
        out[count] = FIRST_MOVE[GROUP_AT[BOMB, 1]] + rank
        count += 1
    if rest == JOKERS:
        out[count] = ROCKET_MOVE
        count += 1
    count = _write_chains_from(rank, ones, SOLO_CHAIN, SHORTEST_SOLOS, out, count)
    count = _write_chains_from(rank, twos, PAIR_CHAIN, SHORTEST_PAIRS, out, count)
    if threes:
        count = _write_chains_from(rank, threes, TRIO_CHAIN, SHORTEST_TRIOS, out, count)
        count = _write_trios_with_one(rest, rank, TRIO_SOLO, threes, ones, out, count)
        count = _write_trios_with_one(rest, rank, TRIO_PAIR, threes, twos, out, count)
        fours = at_least(rest, 4)
        if fours:
            for kind in (QUAD_SOLOS, QUAD_PAIRS):
                count = _write_those_with(first, fours, kind, 1, rest, out, count)
        length = SHORTEST_TRIOS
        starts = run_starts(threes, length)
        while starts:
            for kind in (TRIO_CHAIN_SOLOS, TRIO_CHAIN_PAIRS):
                if GROUP_AT[kind, length] >= 0:
                    count = _write_those_with(first, starts, kind, length, rest, out, count)
            length += 1
            starts &= (threes & CHAIN_RANKS) >> (4 * (length - 1))
    assert count <= MAX_LEGAL
    return count


@compiled
def _write_chains_from(rank, mask, kind, shortest, out, count):
    """Append the chains that start at a rank, from a mask of ranks with enough cards."""
    mask = (mask & CHAIN_RANKS) >> (4 * rank)
    length = 0
    while mask & 1:
        length += 1
        if length >= shortest:
            out[count] = FIRST_MOVE[GROUP_AT[kind, length]] + rank
            count += 1
        mask >>= 4
    return count


@compiled
def _write_trios_with_one(rest, rank, kind, threes, kickers, out, count):
    """Append the trios with one kicker where the lowest rank is the trio's or the kicker's."""
    first = np.int64(1) << (4 * rank)
    group = GROUP_AT[kind, 1]
    if threes & first:
        others = kickers & ~first
        ways = KICKER_WAYS[group + rank]
        end = FIRST_MOVE[group + rank] + ways[0, 1]
        while others:
            out[count] = end - ways[lowest(others) >> 2, 1]
            others &= others - 1
            count += 1
    if kickers & first:
        mains = threes & ~first
        while mains:
            main = lowest(mains) >> 2
            mains &= mains - 1
            ways = KICKER_WAYS[group + main]
            out[count] = FIRST_MOVE[group + main] + ways[0, 1] - ways[rank, 1]
            count += 1
    return count


@compiled
def _write_those_with(first, starts, kind, length, rest, out, count):
    """Append the moves with kickers that have a card of the rank `first`."""
    end = write_with_kickers(starts, kind, length, rest, out, count)
    for k in range(count, end):
        if MOVE_CARDS[out[k]] & 15 * first:
            out[count] = out[k]
            count += 1
    return count


@compiled
def _node_of(graph, rest, least):
    """The node of these cards, a new one if there is none yet."""
    mixed = np.uint64(rest + least * MAX_LEGAL) * np.uint64(0x9E37_79B9_7F4A_7C15)
    slot = np.int64(mixed >> np.uint64(40)) & (NUM_SLOTS - 1)
    while graph.slots[slot] != NOBODY:
        node = graph.slots[slot]
        if graph.rests[node] == rest and graph.leasts[node] == least:
            return node
        slot = (slot + 1) & (NUM_SLOTS - 1)
    node = np.int32(graph.found[0])
    assert node < MAX_NODES
    graph.found[0] += 1
    graph.slots[slot] = node
    graph.places[node] = slot
    graph.rests[node], graph.leasts[node] = rest, least
    size = num_cards(rest)
    graph.others[node] = graph.of_size[size]
    graph.of_size[size] = node
    return node


@compiled
def count_decompositions(hand, graph):
    """How many decompositions a hand of up to 20 cards has; fills the graph, which knows them all then."""
    for node in range(graph.found[0]):  # of the hand before
        graph.slots[graph.places[node]] = NOBODY
    graph.found[:] = 0
    graph.of_size[:] = NOBODY
    if is_simple(hand, 0):
        return count_simple(hand)
    moves = np.empty(MAX_LEGAL, np.int64)
    most = num_cards(hand)
    _node_of(graph, hand, 0)
    # A move leads to fewer cards: first all nodes from many cards to few, then their counts the other way.
    for size in range(most, 0, -1):
        node = graph.of_size[size]
        while node != NOBODY:
            _find_edges(graph, node, moves)
            node = graph.others[node]
    for size in range(1, most + 1):
        node = graph.of_size[size]
        while node != NOBODY:
            total = np.int64(0)
            for edge in range(graph.first_edges[node], graph.last_edges[node]):
                if graph.nodes[edge] == SIMPLE:
                    total += count_simple(graph.rests[node] - MOVE_CARDS[graph.moves[edge]])
                else:
                    total += graph.counts[graph.nodes[edge]]
                graph.ends[edge] = total
            graph.counts[node] = total
            node = graph.others[node]
    return graph.counts[0]


@compiled
def _find_edges(graph, node, moves):
    rest, least = graph.rests[node], graph.leasts[node]
    lowest_rank = np.int64(15) << (lowest(rest) & ~3)
    edge = graph.found[1]
    graph.first_edges[node] = edge
    for move in moves[: moves_with_lowest(rest, moves)]:
        if move >= least:
            left = rest - MOVE_CARDS[move]
            next_least = move if left & lowest_rank else 0
            assert edge < MAX_EDGES
            graph.moves[edge] = move
            graph.nodes[edge] = SIMPLE if is_simple(left, next_least) else _node_of(graph, left, next_least)
            edge += 1
    graph.last_edges[node] = edge
    graph.found[1] = edge


@compiled
def write_decomposition(hand, number, graph, out, count):
    """Append the groups of decomposition `number` of the hand that the graph was filled for."""
    rest, node = hand, np.int64(0 if graph.found[0] else SIMPLE)
    while node != SIMPLE:
        low, high = graph.first_edges[node], graph.last_edges[node] - 1
        first = low
        while low < high:  # the first edge whose end is beyond the number
            middle = (low + high) >> 1
            if graph.ends[middle] > number:
                high = middle
            else:
                low = middle + 1
        if low > first:
            number -= graph.ends[low - 1]
        out[count] = graph.moves[low]
        count += 1
        rest -= MOVE_CARDS[graph.moves[low]]
        node = graph.nodes[low]
    return write_simple(rest, number, out, count)


@compiled
def draw_distinct(total, limit, rng, numbers, slots):
    """Write `limit` distinct numbers below `total`, every such set equally likely (Floyd's algorithm).

    `slots` is a hash table of twice as many numbers and more, a power of two.
    """
    slots[:] = -1
    size = len(slots)
    for k in range(limit):
        top = total - limit + k
        number = below(rng, top + 1)
        for candidate in (number, top):
            slot = candidate & (size - 1)
            while slots[slot] != -1 and slots[slot] != candidate:
                slot = (slot + 1) & (size - 1)
            if slots[slot] == -1:  # the top itself was never drawn before
                slots[slot] = candidate
                numbers[k] = candidate
                break


class Found(NamedTuple):
    """What a share of the decisions has: groups, places among them, and how many of each."""

    groups: np.ndarray
    playable: np.ndarray
    members: np.ndarray
    sizes: np.ndarray  # of the decompositions


@compiled
def decompose_all(hands, beaten, limit, rngs, group_counts, counts, first, last):
    """The decompositions of decisions first..last-1, up to `limit` of each.

    Writes to group_counts[k] and counts[k] how many groups and decompositions decision k has here. All where
    there are not more; else as many distinct ones, drawn uniformly. rngs[k] is advanced only then.
    """
    graph = new_graph()
    num_slots = 2
    while num_slots < 2 * limit:
        num_slots *= 2
    numbers, slots = np.empty(limit, np.int64), np.empty(num_slots, np.int64)
    places, listed_for = np.empty(NUM_MOVES, np.int16), np.full(NUM_MOVES, -1, np.int64)
    one = np.empty(MAX_GROUPS, np.int64)
    groups, playable = np.empty(ROOM, np.int16), np.empty(ROOM, np.bool_)
    members, sizes = np.empty(ROOM, np.int16), np.empty(ROOM, np.int8)
    num_groups = num_members = num_sizes = 0
    for k in range(first, last):
        total = count_decompositions(hands[k], graph)
        drawn = min(total, limit)
        if total > limit:
            draw_distinct(total, limit, rngs[k : k + 1], numbers, slots)
        # No hand has more groups than it has legal leads and pass.
        groups = with_room(groups, num_groups, MAX_LEGAL)
        playable = with_room(playable, num_groups, MAX_LEGAL)
        members = with_room(members, num_members, drawn * MAX_GROUPS)
        sizes = with_room(sizes, num_sizes, drawn)
        begin = num_groups
        for i in range(drawn):
            count = 0
            if beaten[k] != PASS:
                one[0] = PASS
                count = 1
            count = write_decomposition(hands[k], numbers[i] if total > limit else i, graph, one, count)
            for group in one[:count]:
                if listed_for[group] != k:
                    listed_for[group] = k
                    places[group] = num_groups - begin
                    groups[num_groups] = group
                    playable[num_groups] = beaten[k] == PASS or group == PASS or beats(group, beaten[k])
                    num_groups += 1
                members[num_members] = places[group]
                num_members += 1
            sizes[num_sizes] = count
            num_sizes += 1
        group_counts[k], counts[k] = num_groups - begin, drawn
    return Found(groups[:num_groups], playable[:num_groups], members[:num_members], sizes[:num_sizes])


@compiled
def with_room(array, used, more):
    """The array, or a longer one that begins like it, with room for more."""
    if used + more <= len(array):
        return array
    longer = np.empty(max(2 * len(array), used + more), array.dtype)
    longer[:used] = array[:used]
    return longer


def decompose(hands: np.ndarray, beaten: np.ndarray, limit: int, rngs: np.ndarray) -> Decompositions:
    """The decompositions of decisions [K], up to `limit` of each, by all cores.

    `hands` are packed, `beaten` are the moves to beat, pass where there is none; `rngs` [K] are generators of
    which those are advanced whose hands have more decompositions.
    """
    group_counts, counts = np.zeros((2, len(hands)), np.int64)
    shares = split(
        decompose_all, hands, beaten, limit, rngs, group_counts, counts,
        count=len(hands), min_share=MIN_SHARE,
    )  # fmt: skip
    found = Found(*(np.concatenate(parts) for parts in zip(*shares, strict=True)))
    return Decompositions(
        found.groups, found.playable, starts_of(group_counts),
        found.members, starts_of(found.sizes), starts_of(counts),
    )  # fmt: skip
