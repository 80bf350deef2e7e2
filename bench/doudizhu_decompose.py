"""How long it takes to take hands apart (CQL paper, Section 5.1); into doudizhu-decompose.json.

    python bench/doudizhu_decompose.py [--hands 200]

Three ways to find all decompositions of a random hand, all compiled: naive depth-first search, dancing links,
and counting (`games/doudizhu/decompose.py`); then counting for 100 and 1,000 of them. Processor time of one
core, the best of some rounds.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from results_folder import add_results, write

from fuda.core.compile import compiled
from fuda.core.generator import SAMPLE, shuffle, streams
from fuda.core.provenance import commit, machine, versions
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu.decompose import count_decompositions, decompose_all, new_graph
from fuda.games.doudizhu.moves import (
    MAX_HAND,
    MAX_LEGAL,
    MOVE_CARDS,
    NUM_RANKS,
    ONE_EACH,
    PASS,
    count_of,
    legal_leads,
)

SIZES = (5, 8, 11, 14, 17, 20)
SAMPLES = (100, 1000)
ROUNDS = 3
FEW = 10  # hands of naive search from 17 cards on
SEED = 1
MANY = 1 << 18  # more decompositions than any hand has


@compiled
def fits(cards, rest):
    """Whether a packed set has no more of any rank than another."""
    return ((rest | 8 * ONE_EACH) - cards) & 8 * ONE_EACH == 8 * ONE_EACH


@compiled
def by_naive_search(hand):
    """How many decompositions there are: moves in rising order, each as often as it fits."""
    leads = np.empty(MAX_LEGAL, np.int64)
    num_leads = legal_leads(hand, leads)
    tried = np.zeros(MAX_HAND + 2, np.int64)  # the move that each level tries
    rest, level, found = hand, 0, 0
    while level >= 0:
        if tried[level] == num_leads or rest == 0:
            found += rest == 0
            level -= 1
            if level >= 0:
                rest += MOVE_CARDS[leads[tried[level]]]
                tried[level] += 1
        elif fits(MOVE_CARDS[leads[tried[level]]], rest):
            rest -= MOVE_CARDS[leads[tried[level]]]
            tried[level + 1] = tried[level]
            level += 1
        else:
            tried[level] += 1
    return found


class Links(NamedTuple):
    """A list of moves for each rank, all linked up and down: what is unlinked knows where it was."""

    up: np.ndarray
    down: np.ndarray  # links 0..NUM_RANKS-1 are the heads of the lists
    rank_of: np.ndarray
    move_of: np.ndarray
    first_link: np.ndarray  # of each move; it has one in the list of each of its ranks
    lengths: np.ndarray  # of the lists
    trail: np.ndarray  # the moves that are unlinked, in this order
    hidden: np.ndarray  # [1] how many they are


@compiled
def linked(moves):
    """All moves in the lists of their ranks."""
    room = NUM_RANKS * (len(moves) + 1)
    links = Links(
        np.arange(room), np.arange(room), np.arange(room), np.empty(room, np.int64),
        np.empty(len(moves) + 1, np.int64), np.zeros(NUM_RANKS, np.int64),
        np.empty(len(moves), np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
    count = NUM_RANKS
    for number in range(len(moves)):
        links.first_link[number] = count
        for rank in range(NUM_RANKS):
            if count_of(MOVE_CARDS[moves[number]], rank):
                links.rank_of[count], links.move_of[count] = rank, number
                links.up[count], links.down[count] = links.up[rank], rank
                links.down[links.up[rank]] = count
                links.up[rank] = count
                links.lengths[rank] += 1
                count += 1
    links.first_link[len(moves)] = count
    return links


@compiled
def hide(links, number):
    """Unlink a move from all lists."""
    for link in range(links.first_link[number], links.first_link[number + 1]):
        links.down[links.up[link]] = links.down[link]
        links.up[links.down[link]] = links.up[link]
        links.lengths[links.rank_of[link]] -= 1
    links.trail[links.hidden[0]] = number
    links.hidden[0] += 1


@compiled
def unhide(links, mark):
    """Link again what was unlinked since there were `mark` such moves."""
    while links.hidden[0] > mark:
        links.hidden[0] -= 1
        number = links.trail[links.hidden[0]]
        for link in range(links.first_link[number + 1] - 1, links.first_link[number] - 1, -1):
            links.down[links.up[link]] = link
            links.up[links.down[link]] = link
            links.lengths[links.rank_of[link]] += 1


@compiled
def hide_misfits(links, moves, number, rest):
    """Unlink the moves that share a rank with this one and no longer fit."""
    for own in range(links.first_link[number], links.first_link[number + 1]):
        head = links.rank_of[own]
        link = links.down[head]
        while link != head:
            following = links.down[link]
            if not fits(MOVE_CARDS[moves[links.move_of[link]]], rest):
                hide(links, links.move_of[link])
            link = following


@compiled
def scarcest_rank(links, rest):
    """Of the ranks that are left, the one with the fewest moves; -1 where no card is left."""
    found = -1
    for rank in range(NUM_RANKS):
        if count_of(rest, rank) and (found < 0 or links.lengths[rank] < links.lengths[found]):
            found = rank
    return found


@compiled
def by_dancing_links(hand):
    """The same by exact cover: ranks are covered as often as they are held, the scarcest one first.

    What was tried on a level stays unlinked until that level is done, so no decomposition is found twice.
    """
    leads = np.empty(MAX_LEGAL, np.int64)
    moves = leads[: legal_leads(hand, leads)]
    links = linked(moves)
    ranks, tried = np.empty(MAX_HAND + 1, np.int64), np.empty(MAX_HAND + 1, np.int64)
    begun, marks = np.zeros(MAX_HAND + 1, np.int64), np.zeros(MAX_HAND + 1, np.int64)
    rest, level, found = hand, 0, 0
    ranks[0] = scarcest_rank(links, rest)
    while True:
        rank = ranks[level]
        if rank < 0 or links.lengths[rank] == 0:
            found += rank < 0
            unhide(links, begun[level])
            if level == 0:
                return found
            level -= 1
            unhide(links, marks[level])
            rest += MOVE_CARDS[moves[tried[level]]]
            hide(links, tried[level])
        else:
            number = links.move_of[links.down[rank]]
            tried[level], marks[level] = number, links.hidden[0]
            rest -= MOVE_CARDS[moves[number]]
            hide_misfits(links, moves, number, rest)
            level += 1
            begun[level] = links.hidden[0]
            ranks[level] = scarcest_rank(links, rest)


def random_hands(size: int, count: int) -> np.ndarray:
    """Hands of so many cards, packed."""
    deck, rng = np.array(SPEC.deck), streams(SEED, SAMPLE, size, 1)
    hands = np.zeros(count, np.int64)
    for k in range(count):
        shuffle(rng, deck, len(deck))
        hands[k] = (np.int64(1) << 4 * deck[:size].astype(np.int64)).sum()
    return hands


def milliseconds(work: Callable[[], object], hands: int) -> float:
    """Of one hand, the best of some rounds."""
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return float(f"{1000 * min(spent) / hands:.3g}")


def taken_apart(hands: np.ndarray, limit: int) -> float:
    """Milliseconds for up to `limit` decompositions of a hand."""
    beaten, (group_counts, counts) = np.full(len(hands), PASS), np.zeros((2, len(hands)), np.int64)
    rngs = streams(SEED, SAMPLE, 0, len(hands))
    return milliseconds(
        lambda: decompose_all(hands, beaten, limit, rngs, group_counts, counts, 0, len(hands)), len(hands)
    )


def row(size: int, num_hands: int) -> dict[str, object]:
    """The figures of one hand size."""
    hands = random_hands(size, num_hands)
    graph = new_graph()
    counts = np.array([count_decompositions(hand, graph) for hand in hands])
    few = hands[: FEW if size >= 17 else num_hands]
    found: dict[str, object] = {
        "hands": num_hands, "median": float(np.median(counts)), "most": int(counts.max()),
    }  # fmt: skip
    for name, search, some in (
        ("naive search", by_naive_search, few),
        ("dancing links", by_dancing_links, hands),
    ):
        if not np.array_equal([search(hand) for hand in some], counts[: len(some)]):
            raise RuntimeError(f"{name} finds other decompositions")
        found[f"{name}, ms"] = milliseconds(
            lambda search=search, some=some: [search(hand) for hand in some], len(some)
        )
        found[f"{name}, hands"] = len(some)
    found["counted, all, ms"] = taken_apart(hands, MANY)
    for limit in SAMPLES:
        found[f"counted, {limit}, ms"] = taken_apart(hands, limit)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How long it takes to take hands apart.")
    parser.add_argument("--hands", type=int, default=200)
    add_results(parser)
    arguments = parser.parse_args()
    figures = {
        "kind": "decompositions", "by cards": {str(size): row(size, arguments.hands) for size in SIZES},
    }  # fmt: skip
    origin = {"commit": commit(), "machine": machine(), "versions": versions()}
    path = arguments.results / "doudizhu-decompose.json"
    write(path, figures | origin)
    print(path.read_text())


if __name__ == "__main__":
    main()
