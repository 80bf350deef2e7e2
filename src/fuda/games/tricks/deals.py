"""The deals that agree with what one seat knows: how many there are, and deal number k of them.

Each unseen card can be with one, two or all three of the other seats, by the voids that they have
shown, or with one alone if it was seen to go there. Cards with the same possible holders form a pool, so
there are at most seven pools, and only three of them, those of two holders, leave open how many of their
cards go where. All deals with the same three numbers are products of "k cards out of n", which can be
counted and numbered exactly.
So one uniform number makes one uniform deal, however few of the shuffles would pass.

The other seats are 0, 1, 2 here: the next one, the one opposite, the one before. A pool's index is the
set of its holders as bits.
"""

import numpy as np

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.core.generator import below_wide
from fuda.games.tricks.french import NUM_SUITS, of_suit

NUM_OTHERS = 3
NUM_POOLS = 1 << NUM_OTHERS
MAX_UNSEEN = 39

CHOOSE = np.zeros((MAX_UNSEEN + 1, MAX_UNSEEN + 1), np.int64)  # [n, k]; 39 choose 19 is 7e10
CHOOSE[:, 0] = 1
for _n in range(1, MAX_UNSEEN + 1):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


@compiled
def fill_pools(unseen, voids, pools):
    """Sort the unseen cards into `pools` [NUM_POOLS] by the others' voids [3], bits of suits."""
    pools[:] = 0
    for suit in range(NUM_SUITS):
        holders = 0
        for other in range(NUM_OTHERS):
            if not voids[other] >> suit & 1:
                holders |= 1 << other
        pools[holders] |= of_suit(unseen, suit)


@compiled
def fix_holder(pools, cards, other):
    """Some of the cards in the pools are known to be with one of the others."""
    for pool in range(NUM_POOLS):
        pools[pool] &= ~cards
    pools[1 << other] |= cards


@compiled
def draw_deal(pools, sizes, rng, hands):
    """Write a deal to `hands` [3], uniform over all that the pools allow."""
    nth_deal(pools, sizes, below_wide(rng, count_deals(pools, sizes)), hands)


@compiled
def count_deals(pools, sizes):
    """How many deals of the pools give the others hands of `sizes` [3]; at most 39!/13!^3, 8e16."""
    total, _, _, _ = _find(pools, sizes, np.int64(-1))
    return total


@compiled
def nth_deal(pools, sizes, number, hands):
    """Write deal `number`, from 0 to count_deals - 1, to `hands` [3]; different numbers, different deals."""
    number, to_first, to_first_too, to_second = _find(pools, sizes, number)
    hands[0], hands[1], hands[2] = pools[1], pools[2], pools[4]
    number = _share(pools[3], to_first, number, hands, 0, 1)
    number = _share(pools[5], to_first_too, number, hands, 0, 2)
    number = _share(pools[6], to_second, number, hands, 1, 2)
    # The cards that anyone can hold fill up the hands.
    missing = sizes[0] - popcount(hands[0])
    ways = CHOOSE[popcount(pools[7]), missing]
    taken = _combination(pools[7], missing, number % ways)
    hands[0] |= taken
    _share(pools[7] & ~taken, sizes[1] - popcount(hands[1]), number // ways, hands, 1, 2)


@compiled
def _find(pools, sizes, number):
    """How the pools of two holders are split in deal `number`, and the deal's number among those.

    With number -1: how many deals there are in all.
    """
    a, b, c, free = popcount(pools[3]), popcount(pools[5]), popcount(pools[6]), popcount(pools[7])
    room_0 = sizes[0] - popcount(pools[1])
    room_1 = sizes[1] - popcount(pools[2]) - a
    room_2 = sizes[2] - popcount(pools[4]) - b - c
    total = np.int64(0)
    for x in range(max(0, -room_1), min(a, room_0) + 1):  # of the pool of 0 and 1, to 0
        for y in range(max(0, -room_2 - c), min(b, room_0 - x) + 1):  # of the pool of 0 and 2, to 0
            to_0 = room_0 - x - y
            if to_0 > free:
                continue
            ways = CHOOSE[a, x] * CHOOSE[b, y] * CHOOSE[free, to_0]
            for z in range(max(0, -room_2 - y), min(c, room_1 + x) + 1):  # of 1 and 2, to 1
                weight = ways * CHOOSE[c, z] * CHOOSE[free - to_0, room_1 + x - z]
                if 0 <= number - total < weight:
                    return number - total, x, y, z
                total += weight
    return total, 0, 0, 0


@compiled
def _share(pool, count, number, hands, one, other):
    """Give `count` cards of a pool to one, the rest to the other; what is left of the number."""
    ways = CHOOSE[popcount(pool), count]
    chosen = _combination(pool, count, number % ways)
    hands[one] |= chosen
    hands[other] |= pool & ~chosen
    return number // ways


@compiled
def _combination(pool, count, number):
    """Subset `number` of those with `count` cards of the pool."""
    chosen = np.int64(0)
    num_left = popcount(pool)
    while count:
        num_left -= 1
        card = pool & -pool
        pool ^= card
        with_card = CHOOSE[num_left, count - 1]
        if number < with_card:
            chosen |= card
            count -= 1
        else:
            number -= with_card
    return chosen
