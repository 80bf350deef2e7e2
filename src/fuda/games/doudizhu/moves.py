"""The 27,472 moves of RULES.md, section 3: their table, and the moves that a hand allows.

A set of cards is packed into one int64, four bits for the number of cards of each rank, so that
playing a move is a subtraction. A set of ranks (a mask) has bit 4 x rank.

Moves are numbered by kind, then length, lowest main rank, and kickers in the order of sorted
text. A group is what is left when kickers are ignored; the 309 groups have the same order, so
the moves of a group are a range of ids. G groups, M moves.
"""

import numpy as np

from fuda.core.bits import lowest, popcount
from fuda.core.compile import compiled

RANKS = "3456789TJQKA2BR"
NUM_RANKS = len(RANKS)
TWO, BLACK, RED = 12, 13, 14  # ranks that are never part of a chain (RULES 3.2)
MAX_HAND = 20
MAX_LEGAL = 1024  # the most that a search over 20-card hands found is 519

(
    NO_CARDS, SOLO, PAIR, TRIO, SOLO_CHAIN, PAIR_CHAIN, TRIO_CHAIN, TRIO_SOLO, TRIO_PAIR,
    TRIO_CHAIN_SOLOS, TRIO_CHAIN_PAIRS, QUAD_SOLOS, QUAD_PAIRS, BOMB, ROCKET,
) = range(15)  # fmt: skip
KIND_NAMES = (
    "pass", "solo", "pair", "trio", "solo chain", "pair chain", "trio chain", "trio and solo",
    "trio and pair", "trio chain and solos", "trio chain and pairs", "quad and two solos",
    "quad and two pairs", "bomb", "rocket",
)  # fmt: skip
NUM_KINDS = len(KIND_NAMES)

# For each kind: cards of each main rank, kickers for each main rank, cards of a kicker, lengths.
SHAPES = (
    (0, 0, 0, (1,)),
    (1, 0, 0, (1,)), (2, 0, 0, (1,)), (3, 0, 0, (1,)),
    (1, 0, 0, range(5, 13)), (2, 0, 0, range(3, 11)), (3, 0, 0, range(2, 7)),
    (3, 1, 1, (1,)), (3, 1, 2, (1,)),
    (3, 1, 1, range(2, 6)), (3, 1, 2, range(2, 5)),
    (4, 2, 1, (1,)), (4, 2, 2, (1,)),
    (4, 0, 0, (1,)), (1, 0, 0, (2,)),
)  # fmt: skip
MAIN_COPIES = np.array([shape[0] for shape in SHAPES], np.int64)
KICKERS_PER_MAIN = np.array([shape[1] for shape in SHAPES], np.int64)
KICKER_SIZE = np.array([shape[2] for shape in SHAPES], np.int64)
MAX_LENGTH = 12
MAX_KICKERS = 5

ONE_EACH = sum(1 << (4 * rank) for rank in range(NUM_RANKS))
CHAIN_RANKS = sum(1 << (4 * rank) for rank in range(TWO))
JOKERS = 1 << (4 * BLACK) | 1 << (4 * RED)
FULL_DECK = 4 * (ONE_EACH - JOKERS) + JOKERS


def _lowest_main_ranks(kind: int, length: int) -> range:
    if kind == NO_CARDS:
        return range(1)
    if kind == ROCKET:
        return range(BLACK, BLACK + 1)
    if length > 1:
        return range(TWO - length + 1)
    return range(NUM_RANKS if kind == SOLO else BLACK)


def _kicker_limits(kind: int, length: int, rank: int) -> list[int]:
    """How many kickers of each rank a group may have (RULES 3.4), but for the two jokers together."""
    size = KICKER_SIZE[kind]
    limits = [3 if size == 1 else 1] * BLACK + [1 if size == 1 else 0] * 2
    # Three of a rank beside the chain would make it a longer chain; a 2 cannot.
    for beside in (rank - 1, rank + length):
        if kind == TRIO_CHAIN_SOLOS and 0 <= beside < TWO:
            limits[beside] = 2
    limits[rank : rank + length] = [0] * length
    return limits


def _kicker_sets(limits: list[int], size: int) -> list[list[list[int]]]:
    """sets[rank][n]: all sets of n kickers from this rank upwards, in the order of sorted text."""
    nothing = [[0], *([[]] * MAX_KICKERS)]
    black, red = size << (4 * BLACK), size << (4 * RED)
    one_joker = [[0], [black, red] if limits[RED] else [], *([[]] * (MAX_KICKERS - 1))]
    only_red = [[0], [red] if limits[RED] else [], *([[]] * (MAX_KICKERS - 1))]
    sets = [nothing, only_red, one_joker]  # from the highest rank down
    for rank in range(TWO, -1, -1):
        above = sets[-1]
        row = []
        for n in range(MAX_KICKERS + 1):
            counts = range(min(limits[rank], n), -1, -1)
            row.append([kickers + (c * size << (4 * rank)) for c in counts for kickers in above[n - c]])
        sets.append(row)
    return sets[::-1]


def _build():
    """All groups and moves, in order. Takes a few hundredths of a second."""
    groups, firsts, cards, limits, ways = [], [0], [], [], []
    for kind, (copies, per_main, size, lengths) in enumerate(SHAPES):
        for length in lengths:
            for rank in _lowest_main_ranks(kind, length):
                groups.append((kind, length, rank))
                mains = sum(copies << (4 * main) for main in range(rank, rank + length))
                if per_main:
                    allowed = _kicker_limits(kind, length, rank)
                    sets = _kicker_sets(allowed, size)
                    limits.append(sum(limit << (4 * r) for r, limit in enumerate(allowed)))
                    ways.append([[len(found) for found in row] for row in sets])
                    cards += [mains + kickers for kickers in sets[0][per_main * length]]
                else:
                    limits.append(0)
                    ways.append([[0] * (MAX_KICKERS + 1)] * (NUM_RANKS + 1))
                    cards.append(mains)
                firsts.append(len(cards))
    return groups, firsts, cards, limits, ways


_groups, _firsts, _cards, _limits, _ways = _build()

NUM_GROUPS, NUM_MOVES = len(_groups), len(_cards)
MOVE_CARDS = np.array(_cards, np.int64)  # [M] packed
MOVE_SIZE = (MOVE_CARDS[:, None] >> (4 * np.arange(NUM_RANKS)) & 15).sum(axis=1).astype(np.int8)  # [M]
MOVE_GROUP = np.repeat(np.arange(NUM_GROUPS, dtype=np.int16), np.diff(_firsts))  # [M]
GROUP_KIND, GROUP_LENGTH, GROUP_RANK = (np.array(column, np.int64) for column in zip(*_groups, strict=True))
FIRST_MOVE = np.array(_firsts[:-1], np.int64)  # [G]
# [G] most kickers of each rank, packed; [G, rank, n] how many sets of n kickers from this rank upwards.
KICKER_LIMITS = np.array(_limits, np.int64)
KICKER_WAYS = np.array(_ways, np.int16)
# [kind, length] the group with the lowest main rank; the next ranks follow. -1 where there is none.
GROUP_AT = np.full((NUM_KINDS, MAX_LENGTH + 1), -1, np.int64)
for _number, (_kind, _length, _rank) in reversed(list(enumerate(_groups))):
    GROUP_AT[_kind, _length] = _number
KIND_SIZES = {
    KIND_NAMES[kind]: int((GROUP_KIND[MOVE_GROUP.astype(np.int64)] == kind).sum())
    for kind in range(NUM_KINDS)
}
del _groups, _firsts, _cards, _limits, _ways, _number, _kind, _length, _rank

PASS = 0
FIRST_BOMB = int(FIRST_MOVE[GROUP_AT[BOMB, 1]])  # bombs and the rocket are the last moves
ROCKET_MOVE = NUM_MOVES - 1


@compiled
def at_least(cards, copies):
    """The ranks of which a packed set has at least so many cards, as a mask."""
    return ((cards + (8 - copies) * ONE_EACH) >> 3) & ONE_EACH


@compiled
def count_of(cards, rank):
    """How many cards of a rank a packed set has."""
    return (cards >> (4 * rank)) & 15


@compiled
def num_cards(cards):
    """How many cards a packed set has."""
    return (
        popcount(cards & ONE_EACH)
        + 2 * popcount(cards & (ONE_EACH << 1))
        + 4 * popcount(cards & (ONE_EACH << 2))
    )


@compiled
def run_starts(mask, length):
    """The ranks at which a chain of this length can start."""
    if length == 1:
        return mask
    mask &= CHAIN_RANKS
    starts = mask
    for i in range(1, length):
        starts &= mask >> (4 * i)
    return starts


@compiled
def legal_leads(hand, out):
    """Write all moves of a hand that leads, in rising order; returns how many."""
    ones, twos = at_least(hand, 1), at_least(hand, 2)
    threes, fours = at_least(hand, 3), at_least(hand, 4)
    count = _write_plain(ones, SOLO, 1, out, 0)
    count = _write_plain(twos, PAIR, 1, out, count)
    count = _write_plain(threes, TRIO, 1, out, count)
    count = _write_chains(ones, SOLO_CHAIN, 5, out, count)
    count = _write_chains(twos, PAIR_CHAIN, 3, out, count)
    if threes:
        count = _write_chains(threes, TRIO_CHAIN, 2, out, count)
        for kind in range(TRIO_SOLO, QUAD_PAIRS + 1):
            mains = fours if MAIN_COPIES[kind] == 4 else threes
            for length in range(1, MAX_KICKERS + 1):
                starts = run_starts(mains, length) if GROUP_AT[kind, length] >= 0 else 0
                count = write_with_kickers(starts, kind, length, hand, out, count)
    count = _write_bombs(fours, hand, out, count)
    assert count <= MAX_LEGAL
    return count


@compiled
def legal_follows(hand, beat, out):
    """Write pass and all moves of a hand that beat the move `beat`, in rising order (RULES 4)."""
    out[0] = PASS
    group = MOVE_GROUP[beat]
    kind, length = GROUP_KIND[group], GROUP_LENGTH[group]
    if kind == ROCKET:
        return 1
    higher = np.int64(-1) << (4 * (GROUP_RANK[group] + 1))
    if kind == BOMB:
        return _write_bombs(at_least(hand, 4) & higher, hand, out, 1)
    starts = run_starts(at_least(hand, MAIN_COPIES[kind]), length) & higher
    count = 1
    if starts:
        if KICKERS_PER_MAIN[kind]:
            count = write_with_kickers(starts, kind, length, hand, out, count)
        else:
            count = _write_plain(starts, kind, length, out, count)
    return _write_bombs(at_least(hand, 4), hand, out, count)


@compiled
def beats(move, beat):
    """Whether a move with cards beats another (RULES 4)."""
    group, other = MOVE_GROUP[move], MOVE_GROUP[beat]
    kind, other_kind = GROUP_KIND[group], GROUP_KIND[other]
    if kind == other_kind and GROUP_LENGTH[group] == GROUP_LENGTH[other]:
        return GROUP_RANK[group] > GROUP_RANK[other]
    return kind > other_kind and kind >= BOMB


@compiled
def _write_plain(starts, kind, length, out, count):
    first = FIRST_MOVE[GROUP_AT[kind, length]]
    while starts:
        out[count] = first + (lowest(starts) >> 2)
        starts &= starts - 1
        count += 1
    return count


@compiled
def _write_chains(mask, kind, shortest, out, count):
    mask &= CHAIN_RANKS
    length = shortest
    starts = run_starts(mask, length)
    while starts:
        # A hand has at most 20 cards, so no chain is longer than its kind allows.
        count = _write_plain(starts, kind, length, out, count)
        starts &= mask >> (4 * length)
        length += 1
    return count


@compiled
def _write_bombs(fours, hand, out, count):
    count = _write_plain(fours, BOMB, 1, out, count)
    if hand & JOKERS == JOKERS:
        out[count] = ROCKET_MOVE
        count += 1
    return count


@compiled
def write_with_kickers(starts, kind, length, hand, out, count):
    """Append the moves with main ranks from each of `starts` on, with all kickers from the hand."""
    units = hand if KICKER_SIZE[kind] == 1 else at_least(hand, 2)
    kickers = KICKERS_PER_MAIN[kind] * length
    lowest_group = GROUP_AT[kind, length]
    while starts:
        rank = lowest(starts) >> 2
        starts &= starts - 1
        mains = ((np.int64(1) << (4 * length)) - 1) << (4 * rank)
        free = units & ~mains
        group = lowest_group + rank
        if kickers == 1:
            count = _write_one_kicker(free, group, out, count)
        elif kickers == 2:
            count = _write_two_kickers(free, group, out, count)
        else:
            count = _write_many_kickers(free, group, kickers, out, count)
    return count


@compiled
def _write_one_kicker(free, group, out, count):
    ways = KICKER_WAYS[group]
    end = FIRST_MOVE[group] + ways[0, 1]
    ranks = at_least(free, 1)
    while ranks:
        out[count] = end - ways[lowest(ranks) >> 2, 1]
        ranks &= ranks - 1
        count += 1
    return count


@compiled
def _write_two_kickers(free, group, out, count):
    ways = KICKER_WAYS[group]
    end = FIRST_MOVE[group] + ways[0, 2]
    ranks = at_least(free, 1)
    while ranks:
        first = lowest(ranks) >> 2
        ranks &= ranks - 1
        if first >= BLACK:
            break  # both jokers are no kickers
        if count_of(free, first) >= 2:
            out[count] = end - ways[first, 2]
            count += 1
        seconds = ranks
        while seconds:
            second = lowest(seconds) >> 2
            seconds &= seconds - 1
            out[count] = end - ways[first + 1, 2] - ways[second, 1]
            count += 1
    return count


@compiled
def _write_many_kickers(free, group, kickers, out, count):
    """Three kickers and more: grow all sets at once, rank by rank."""
    ways = KICKER_WAYS[group]
    left = np.zeros(NUM_RANKS + 1, np.int64)  # how many kickers the ranks from here on can give
    left[BLACK] = 1 if free & JOKERS else 0
    left[RED] = count_of(free, RED)
    for rank in range(TWO, -1, -1):
        left[rank] = left[rank + 1] + min(count_of(free, rank), count_of(KICKER_LIMITS[group], rank))
    if left[0] < kickers:
        return count
    partial = np.empty((2, MAX_LEGAL), np.int64)  # ids, first of all completions
    missing = np.empty((2, MAX_LEGAL), np.int64)
    partial[0, 0] = FIRST_MOVE[group]
    missing[0, 0] = kickers
    number, now = 1, 0
    for rank in range(NUM_RANKS):
        limit = count_of(KICKER_LIMITS[group], rank)
        held = min(count_of(free, rank), limit)
        grown = 0
        for i in range(number):
            n = missing[now, i]
            move = partial[now, i]
            for copies in range(min(limit, n), -1, -1):
                if copies <= held and n - copies <= left[rank + 1]:
                    partial[1 - now, grown] = move
                    missing[1 - now, grown] = n - copies
                    grown += 1
                move += ways[rank + 1, n - copies]
        number, now = grown, 1 - now
    for i in range(number):
        out[count] = partial[now, i]
        count += 1
    return count


@compiled
def find(cards):
    """The move that a packed set of cards is, or -1. No set has two readings (RULES 3.4)."""
    if cards == 0:
        return PASS
    ones, twos = at_least(cards, 1), at_least(cards, 2)
    threes, fours = at_least(cards, 3), at_least(cards, 4)
    total = num_cards(cards)
    if total > MAX_HAND:
        return -1
    if fours:
        return _find_quad(cards, fours, total)
    if threes:
        return _find_trios(cards, threes, total)
    if twos:
        length = total // 2
        if ones != twos or not (length == 1 or (length >= 3 and _is_run(twos))):
            return -1
        return FIRST_MOVE[GROUP_AT[PAIR if length == 1 else PAIR_CHAIN, length]] + (lowest(twos) >> 2)
    if total == 1:
        return FIRST_MOVE[GROUP_AT[SOLO, 1]] + (lowest(ones) >> 2)
    if cards == JOKERS:
        return ROCKET_MOVE
    if total < 5 or not _is_run(ones):
        return -1
    return FIRST_MOVE[GROUP_AT[SOLO_CHAIN, total]] + (lowest(ones) >> 2)


@compiled
def _is_run(mask):
    """Whether the ranks follow each other and may stand in a chain."""
    filled = 15 * mask
    return mask & ~CHAIN_RANKS == 0 and filled & (filled + (mask & -mask)) == 0


@compiled
def _find_quad(cards, fours, total):
    rank = lowest(fours) >> 2
    kickers = cards & ~(15 * (np.int64(1) << (4 * rank)))
    if total == 4:
        return FIRST_MOVE[GROUP_AT[BOMB, 1]] + rank
    if total == 6:
        return _find_with_kickers(kickers, GROUP_AT[QUAD_SOLOS, 1] + rank, 2)
    pairs = at_least(kickers, 2)
    if total == 8 and kickers == 2 * pairs:
        return _find_with_kickers(pairs, GROUP_AT[QUAD_PAIRS, 1] + rank, 2)
    return -1


@compiled
def _find_trios(cards, threes, total):
    """A trio or trio chain: one of the longest runs of threes, for RULES 3.4 forbids a shorter one."""
    if total >= 6:
        threes &= CHAIN_RANKS
    starts = threes & ~(threes << 4)
    while starts:
        rank = lowest(starts) >> 2
        starts &= starts - 1
        length = 1
        while threes >> (4 * (rank + length)) & 1:
            length += 1
        kickers = cards & ~(((np.int64(1) << (4 * length)) - 1) << (4 * rank))
        if total == 3 * length:
            return FIRST_MOVE[GROUP_AT[TRIO if length == 1 else TRIO_CHAIN, length] + rank]
        if total == 4 * length:
            kind = TRIO_SOLO if length == 1 else TRIO_CHAIN_SOLOS
            return _find_with_kickers(kickers, GROUP_AT[kind, length] + rank, length)
        pairs = at_least(kickers, 2)
        if total == 5 * length and kickers == 2 * pairs:
            kind = TRIO_PAIR if length == 1 else TRIO_CHAIN_PAIRS
            return _find_with_kickers(pairs, GROUP_AT[kind, length] + rank, length)
    return -1


@compiled
def _find_with_kickers(units, group, n):
    """The move of a group with these kickers (packed numbers of them), or -1."""
    if units & JOKERS == JOKERS:
        return -1
    ways = KICKER_WAYS[group]
    move = FIRST_MOVE[group]
    for rank in range(NUM_RANKS):
        copies, limit = count_of(units, rank), count_of(KICKER_LIMITS[group], rank)
        if copies > limit:
            return -1
        for more in range(copies + 1, min(limit, n) + 1):
            move += ways[rank + 1, n - more]
        n -= copies
    return move
