"""The fewest moves that empty a hand if nobody else plays: what its cards are worth as groups. Exact.

Most hands have no four cards of a rank, no trio chain and enough kickers for their trios. A trio with its
kicker is one move, so the moves are the chains and what is left of solos and pairs. Chains never reach over
a rank that is missing: a table knows the best of each run of ranks, `RUNS`.

In any other hand solo, pair and trio chains are taken out in every way. What is left has no
chains: its cost depends only on how many ranks have one, two, three and four cards, and on the trio
chains taken, whose kickers may come from it. Tables answer that.

Which rank a kicker is of hardly ever matters, so there are two tables. In `RELAXED` any card that is not
in a group may be a kicker: never more than the truth. In `STRICT` only those that are allowed in every
case (RULES 3.3, 3.4): never less. Where they differ, which is rare, the moves are searched.

T sets of trio chains side by side, numbered by `TRIO_CHAINS`.
"""

import itertools

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled
from fuda.games.doudizhu.moves import (
    CHAIN_RANKS,
    JOKERS,
    MAX_HAND,
    MAX_LEGAL,
    MOVE_CARDS,
    ONE_EACH,
    TWO,
    at_least,
    legal_leads,
    run_starts,
)

# The trio chains that a hand of 20 cards can have side by side.
TRIO_CHAINS = ((), (2,), (3,), (4,), (5,), (6,), (2, 2), (2, 3), (2, 4), (3, 3), (2, 2, 2))
NUM_TRIO_CHAINS = len(TRIO_CHAINS)
LONGEST_TRIO_CHAIN = 6
MAX_PAIRS, MAX_TRIOS, MAX_QUADS = MAX_HAND // 2, MAX_HAND // 3, MAX_HAND // 4
# [ranks with one, two, three and four cards, T]
TABLE_SHAPE = (MAX_HAND + 1, MAX_PAIRS + 1, MAX_TRIOS + 1, MAX_QUADS + 1, NUM_TRIO_CHAINS)
MANY = 100  # more moves than any hand needs
MAX_NODES, MAX_HANDS = 96, 4096  # that wait at once; a search over 20-card hands found 54 nodes

# [T, length] the trio chains with one more; -1 where they have too many cards.
ONE_MORE = np.full((NUM_TRIO_CHAINS, LONGEST_TRIO_CHAIN + 1), -1, np.int64)
for _number, _lengths in enumerate(TRIO_CHAINS):
    for _length in range(2, LONGEST_TRIO_CHAIN + 1):
        _more = tuple(sorted((*_lengths, _length)))
        if _more in TRIO_CHAINS:
            ONE_MORE[_number, _length] = TRIO_CHAINS.index(_more)
del _number, _lengths, _length, _more

# Chains in the order in which they are taken: cards of a rank, shortest length. Trios come first, for
# what they leave of four cards of a rank may still go into a solo chain.
SHORTEST_PAIRS, SHORTEST_SOLOS = 3, 5
CHAIN_COPIES, SHORTEST = np.array([3, 2, 1]), np.array([2, SHORTEST_PAIRS, SHORTEST_SOLOS])
UNKNOWN = -1
# What a group and a chain count in the tables of runs.
GROUP, CHAIN = np.int8(8), np.int8(1)
NO_TRIO = TWO


def _most_kickers(groups: list[int]) -> np.ndarray:
    """[solos, pairs] the most kickers that groups with these numbers of places take from so many cards.

    A group has all its places filled with solos, or all with pairs, or none.
    """
    taken = np.zeros((MAX_HAND + 1, MAX_PAIRS + 1), bool)
    taken[0, 0] = True
    for places in groups:
        with_solos, with_pairs = np.zeros_like(taken), np.zeros_like(taken)
        with_solos[places:] = taken[:-places]
        with_pairs[:, places:] = taken[:, :-places]
        taken |= with_solos | with_pairs
    solos, pairs = np.indices(taken.shape)
    most = np.where(taken, solos + pairs, 0)
    return np.maximum.accumulate(np.maximum.accumulate(most, axis=0), axis=1)


def _without_breaking() -> np.ndarray:
    """[TABLE_SHAPE] the fewest moves beside the trio chains if pairs, trios and quads stay together."""
    solos, pairs = np.indices(TABLE_SHAPE[:2])
    table = np.full(TABLE_SHAPE, MANY, np.int8)
    for trios in range(MAX_TRIOS + 1):
        for quads in range(MAX_QUADS + 1):
            for number, chains in enumerate(TRIO_CHAINS):
                if 3 * trios + 4 * quads + 3 * sum(chains) <= MAX_HAND:
                    groups = [1] * trios + [2] * quads + list(chains)
                    moves = trios + quads + solos + pairs - _most_kickers(groups)
                    table[:, :, trios, quads, number] = moves
    return table


# Ways to break what ranks have: how many more ranks with one, two, three and four cards there are then,
# and how many parts are moves of their own: of the strict ways no rank gives more than one pair or two
# solos as kickers, and none to its own trio.
RELAXED_BREAKS = (
    (2, -1, 0, 0, 0),
    (3, 0, -1, 0, 0), (1, 1, -1, 0, 0),
    (4, 0, 0, -1, 0), (2, 1, 0, -1, 0), (0, 2, 0, -1, 0), (1, 0, 1, -1, 0),
)  # fmt: skip
STRICT_BREAKS = (
    (2, -1, 0, 0, 0),
    (1, 0, -1, 0, 1), (0, 1, -1, 0, 1),
    (0, 1, 0, -1, 1), (0, 0, 1, -1, 1),
)  # fmt: skip


def _with_breaking(table: np.ndarray, breaks: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """The same if they may be broken: each entry from those with fewer cards together."""
    table = table.copy()
    for quads in range(MAX_QUADS + 1):
        for trios in range(MAX_TRIOS + 1):
            for pairs in range(MAX_PAIRS + 1):
                here = table[:, pairs, trios, quads]  # [solos, T]
                for one, two, three, four, alone in breaks:
                    place = (pairs + two, trios + three, quads + four)
                    if min(place) >= 0 and place[0] <= MAX_PAIRS and place[1] <= MAX_TRIOS:
                        broken = table[:, *place]
                        last = len(here) - one
                        np.minimum(here[:last], broken[one:] + np.int8(alone), out=here[:last])
    return table


_unbroken = _without_breaking()
RELAXED = _with_breaking(_unbroken, RELAXED_BREAKS)
STRICT = _with_breaking(_unbroken, STRICT_BREAKS)
del _unbroken


def _cheapest() -> np.ndarray:
    """[3^TWO] 8 x the fewest groups + the chains among them, the fewest of those: kickers are no chains.

    Of chain ranks with up to two cards each, numbered as digits to the base three.
    """
    cheapest = np.zeros(1, np.int8)
    for rank in range(TWO):  # the highest that is there: it is left alone, or a chain ends with it
        one, two = cheapest + GROUP, cheapest + GROUP
        for length in range(SHORTEST_PAIRS, rank + 2):
            by_rank = (*(3,) * (length - 1), -1)
            with_card, without = (slice(1, 3),) * (length - 1), (slice(0, 2),) * (length - 1)
            if length >= SHORTEST_SOLOS:
                for block, rest in ((one, cheapest), (two, one)):
                    here = block.reshape(by_rank)[with_card]
                    np.minimum(here, rest.reshape(by_rank)[without] + GROUP + CHAIN, out=here)
            here = two.reshape(by_rank)[(2,) * (length - 1)]
            rest = cheapest.reshape(by_rank)[(0,) * (length - 1)]
            np.minimum(here, rest + GROUP + CHAIN, out=here)
        cheapest = np.concatenate([cheapest, one, two])
    return cheapest


def _gains() -> np.ndarray:
    """[place of a trio or NO_TRIO, 1 << length | ranks with two cards] what chains gain in a run of ranks.

    8 x the groups that they save + the chains, less one if they break the trio.
    """
    cheapest = _cheapest()
    gains = np.zeros((TWO + 1, 2 << TWO), np.int8)
    for length in range(1, TWO + 1):
        twos, worth = np.arange(1 << length), 3 ** np.arange(length)
        cards = 1 + (twos[:, None] >> np.arange(length) & 1)
        best = cheapest[cards @ worth]
        gains[NO_TRIO, twos + len(twos)] = length * GROUP - best + 2 * (best % GROUP)
        for trio in range(length):
            some = twos[twos >> trio & 1 == 0]
            cards = 1 + (some[:, None] >> np.arange(length) & 1)
            cards[:, trio] = 3
            number = cards @ worth
            best = cheapest[number - 3 * worth[trio]]
            for first, last in itertools.product(range(trio + 1), range(trio + 1, length + 1)):
                chain = worth[first:last].sum()
                if last - first >= SHORTEST_SOLOS:
                    np.minimum(best, cheapest[number - chain] + GROUP, out=best)
                if last - first >= SHORTEST_PAIRS:
                    pairs = (cards[:, first:last] >= 2).all(axis=1)
                    best[pairs] = np.minimum(best[pairs], cheapest[number[pairs] - 2 * chain] + GROUP)
            gains[trio, some + len(twos)] = (length - 1) * GROUP - best + 2 * (best % GROUP)
    return gains


RUNS = _gains()


@compiled
def fewest_moves(hand):
    """The fewest moves that empty a hand of up to 20 cards (packed), led one after the other."""
    found = by_runs(hand)
    if found != UNKNOWN:
        return found
    least, most = bounds(hand)
    while least < most and not _can_empty(hand, least):
        least += 1
    return least


@compiled
def by_runs(hand):
    """The same from the table of runs, or UNKNOWN."""
    has_rocket = hand & JOKERS == JOKERS
    cards = hand & ~JOKERS if has_rocket else hand
    ones, twos, trios = at_least(cards, 1), at_least(cards, 2), at_least(cards, 3)
    if at_least(cards, 4) | run_starts(trios, 2):
        return UNKNOWN
    num_trios = popcount(trios)
    groups = popcount(ones) - num_trios
    spare = groups - num_trios  # kickers that no trio takes
    chains = run_starts(ones, SHORTEST_SOLOS) | run_starts(twos, SHORTEST_PAIRS)
    if chains:
        ones &= CHAIN_RANKS
        filled = 15 * ones
        runs = run_starts(ones, SHORTEST_PAIRS) & ~(ones << 4)
        while runs:
            first = runs & -runs
            runs -= first
            run = filled & ~(filled + first) & -first
            if chains & run:
                trio = trios & run
                if trio & (trio - 1):
                    return UNKNOWN
                low = lowest(first)
                length = popcount(run) >> 2
                pairs = _dense((twos & run & ~trio) >> low)
                place = (lowest(trio) - low) >> 2 if trio else NO_TRIO
                gain = np.int64(RUNS[place, np.int64(1) << length | pairs])
                groups -= gain >> 3
                spare -= (gain >> 3) + (gain & 7)
    # The groups are the moves if all trios have kickers, else one more. Other chains have as many groups with
    # fewer kickers, or more groups. Where two trios lack kickers, breaking a third one could be better.
    return groups + has_rocket + (spare < 0) if spare >= -1 else UNKNOWN


@compiled
def _dense(mask):
    """A mask of ranks with bit `rank` instead of 4 x rank."""
    mask = (mask | mask >> 3) & 0x0303030303030303
    mask = (mask | mask >> 6) & 0x000F000F000F000F
    mask = (mask | mask >> 12) & 0x000000FF000000FF
    return (mask | mask >> 24) & 0xFFFF


@compiled
def bounds(hand):
    """Between which two numbers the fewest moves lie; nearly always they are equal."""
    has_rocket = hand & JOKERS == JOKERS
    cards = hand & ~JOKERS if has_rocket else hand
    least, most = _without_chains(cards, has_rocket, 0, 0)
    if not _has_chain(cards):
        return least, most
    # Not recursive: Numba cannot keep such code between runs. Chains are taken in the order of kind, first
    # rank and length; a node is what is left, the trio chains taken, their ranks, how many chains were taken
    # in all, and the last of them.
    # The small numbers share a word: who asks for little memory gets it much sooner.
    nodes = np.empty((MAX_NODES, 3), np.int64)
    nodes[0, 0], nodes[0, 1], nodes[0, 2] = cards, 0, 0
    count = 1
    while count > 0:
        count -= 1
        cards, mains, numbers = nodes[count, 0], nodes[count, 1], nodes[count, 2]
        trio_chains, moves, kind = numbers & 15, numbers >> 4 & 15, numbers >> 8 & 15
        last_rank, last_length = numbers >> 12 & 15, numbers >> 16
        if moves + 1 >= most:
            continue
        for chain in range(kind, len(CHAIN_COPIES)):
            copies = CHAIN_COPIES[chain]
            mask = at_least(cards, copies) & CHAIN_RANKS
            starts = run_starts(mask, SHORTEST[chain])
            if chain == kind:
                starts &= np.int64(-1) << (4 * last_rank)
            while starts:
                rank = lowest(starts) >> 2
                starts &= starts - 1
                length = SHORTEST[chain]
                if chain == kind and rank == last_rank:
                    length = max(length, last_length)
                ranks = (ONE_EACH & ((np.int64(1) << (4 * length)) - 1)) << (4 * rank)
                while ranks & mask == ranks:
                    rest = cards - copies * ranks
                    now, now_mains = trio_chains, mains
                    if copies == 3:
                        now, now_mains = ONE_MORE[trio_chains, length], mains | ranks
                    low, high = _without_chains(rest, has_rocket, now, now_mains)
                    least, most = min(least, moves + 1 + low), min(most, moves + 1 + high)
                    if moves + 2 < most and _has_chain(rest):
                        assert count < MAX_NODES
                        numbers = now | (moves + 1) << 4 | chain << 8 | rank << 12 | length << 16
                        nodes[count, 0], nodes[count, 1], nodes[count, 2] = rest, now_mains, numbers
                        count += 1
                    ranks |= np.int64(1) << (4 * (rank + length))
                    length += 1
    return least, most


@compiled
def _has_chain(cards):
    """Whether a set of cards has a chain of any kind."""
    chain_ranks = cards & (15 * CHAIN_RANKS)
    return (
        run_starts(at_least(chain_ranks, 1), 5)
        | run_starts(at_least(chain_ranks, 2), 3)
        | run_starts(at_least(chain_ranks, 3), 2)
    ) != 0


@compiled
def _without_chains(cards, has_rocket, trio_chains, mains):
    """The bounds for what is left beside trio chains with the ranks `mains`, if no more chains are taken."""
    ones, twos, threes, fours = at_least(cards, 1), at_least(cards, 2), at_least(cards, 3), at_least(cards, 4)
    quads = popcount(fours)
    trios = popcount(threes) - quads
    pairs = popcount(twos) - trios - quads
    solos = popcount(ones) - pairs - trios - quads
    own = popcount(ones & mains)  # no kickers of the trio chain that they were taken from (RULES 3.3)
    free = solos - own
    if has_rocket:
        # Both jokers are no kickers of one move (RULES 3.4).
        low = min(
            1 + np.int64(RELAXED[solos, pairs, trios, quads, trio_chains]),
            np.int64(RELAXED[solos + 2, pairs, trios, quads, trio_chains]),
        )
        high = 1 + min(
            np.int64(STRICT[free, pairs, trios, quads, trio_chains]),
            np.int64(STRICT[free + 1, pairs, trios, quads, trio_chains]),
        )
    else:
        low = np.int64(RELAXED[solos, pairs, trios, quads, trio_chains])
        high = np.int64(STRICT[free, pairs, trios, quads, trio_chains])
    return low, own + high


@compiled
def _can_empty(hand, moves):
    """Whether so many moves, at least one, can empty a hand. Some move has its lowest card."""
    leads = np.empty(MAX_LEGAL, np.int64)
    hands = np.empty((MAX_HANDS, 2), np.int64)  # and how many moves may empty it
    hands[0, 0], hands[0, 1] = hand, moves
    count = 1
    while count > 0:
        count -= 1
        hand, moves = hands[count, 0], hands[count, 1]
        lowest_rank = np.int64(15) << (lowest(hand) & ~3)
        for lead in leads[: legal_leads(hand, leads)]:
            if MOVE_CARDS[lead] & lowest_rank:
                rest = hand - MOVE_CARDS[lead]
                if rest == 0:
                    return True
                least, most = bounds(rest)
                if most < moves:
                    return True
                if least < moves:
                    assert count < MAX_HANDS
                    hands[count, 0], hands[count, 1] = rest, moves - 1
                    count += 1
    return False


@compiled
def fewest_all(hands, out, first, last):
    """The fewest moves of hands first..last-1."""
    for k in range(first, last):
        out[k] = fewest_moves(hands[k])
