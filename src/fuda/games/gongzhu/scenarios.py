"""Scenarios: full deals that agree with a view, drawn evenly or by where the key cards lie.

*Uniform*: every deal that agrees with the view is as likely as any other.
*Stratified* (section 5.3 of the ScrofaZero paper): the first two unseen key cards are put into the other
hands in every way that is possible, and a deal is drawn for each. All strata weigh the same, as in the
paper, or as much as they have deals (`counted`), which gives the mean over all deals again.

The other seats are 0, 1, 2 here as in `deals.py`. V views, S scenarios of each.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.games.gongzhu.cards import PIG, SHEEP, TRANSFORMER
from fuda.games.gongzhu.rules import NUM_TRICKS
from fuda.games.gongzhu.showing import sort_hidden
from fuda.games.tricks.deals import NUM_OTHERS, NUM_POOLS, count_deals, draw_deal, fix_holder
from fuda.games.tricks.french import card_ids
from fuda.games.tricks.play import NUM_SEATS, lead_suit

NUM_KEYS = 2
MAX_STRATA = NUM_OTHERS**NUM_KEYS
MOST_TO_SOLVE = 6  # tricks: more take for ever

# Key cards when a suit was led [suit], most important first.
KEYS = np.stack(
    [card_ids(keys) for keys in ("SQ SA SK SJ S10", "HA HK HQ HJ H10", "DJ DA DK DQ D10", "C10 CA CK CQ CJ")]
)
# When leading: the cards around the pig, the sheep and the transformer while those are unseen.
LEADING = card_ids("SQ SA SK DJ DA DK DQ HA HK HQ C10 CA CK CQ CJ")
LEADING_WAITS_FOR = np.array([PIG] * 3 + [SHEEP] * 4 + [0] * 3 + [TRANSFORMER] * 5, np.int64)


@compiled
def find_keys(view, unseen, keys):
    """Write the first unseen key cards to `keys` [NUM_KEYS]; how many there are."""
    count = 0
    if view.num_plays & 3:
        for card in KEYS[lead_suit(view)]:
            if count < NUM_KEYS and unseen >> card & 1:
                keys[count] = card
                count += 1
        return count
    for number in range(len(LEADING)):
        waits_for = LEADING_WAITS_FOR[number]
        if count < NUM_KEYS and unseen >> LEADING[number] & 1 and (waits_for == 0 or unseen & waits_for):
            keys[count] = LEADING[number]
            count += 1
    return count


@compiled
def place_keys(pools, keys, num_keys, stratum):
    """Give the keys in the pools to the holders that stratum number `stratum` says.

    False if one of the holders cannot have its card; the strata are numbered by the holders' digits.
    """
    for number in range(num_keys):
        holder = stratum % NUM_OTHERS
        stratum //= NUM_OTHERS
        card = np.int64(1) << keys[number]
        found = False
        for pool in range(NUM_POOLS):
            if pools[pool] & card and pool >> holder & 1:
                found = True
        if not found:
            return False
        fix_holder(pools, card, holder)
    return True


@compiled
def fill_strata(view, seat, keys, strata, counts):
    """Write the possible strata and how many deals each has; how many strata, with how many keys."""
    pools, fixed = np.empty(NUM_POOLS, np.int64), np.empty(NUM_POOLS, np.int64)
    sizes = np.empty(NUM_OTHERS, np.int64)
    sort_hidden(view, seat, pools, sizes)
    unseen = np.int64(0)
    for pool in range(NUM_POOLS):
        unseen |= pools[pool]
    num_keys = find_keys(view, unseen, keys)
    num_strata = 0
    for stratum in range(NUM_OTHERS**num_keys):
        fixed[:] = pools
        if not place_keys(fixed, keys, num_keys, stratum):
            continue
        count = count_deals(fixed, sizes)
        if count > 0:
            strata[num_strata], counts[num_strata] = stratum, count
            num_strata += 1
    return num_strata, num_keys


@compiled
def deal_stratum(view, seat, keys, num_keys, stratum, rng):
    """Make a copy of a view into a state, uniform over the deals of one stratum."""
    pools, sizes = np.empty(NUM_POOLS, np.int64), np.empty(NUM_OTHERS, np.int64)
    hands = np.empty(NUM_OTHERS, np.int64)
    sort_hidden(view, seat, pools, sizes)
    place_keys(pools, keys, num_keys, stratum)
    draw_deal(pools, sizes, rng, hands)
    for other in range(NUM_OTHERS):
        view.hand[(seat + 1 + other) & 3] = hands[other]


@compiled
def draw_all(views, seats, stratified, counted, rngs, states, weights, first, last):
    """Draw scenarios of views first..last-1: states [V, S], and what each counts, weights [V, S].

    With more scenarios than strata the first strata get one more; with fewer, the most numerous are drawn.
    The weights of a view sum to one.
    """
    keys = np.empty(NUM_KEYS, np.int64)
    strata, counts = np.zeros(MAX_STRATA, np.int64), np.zeros(MAX_STRATA, np.int64)
    num_scenarios = weights.shape[1]
    for v in range(first, last):
        seat = seats[v]
        num_strata, num_keys = 1, 0
        strata[0], counts[0] = 0, 1
        if stratified:
            num_strata, num_keys = fill_strata(views[v], seat, keys, strata, counts)
            if num_strata > num_scenarios:
                _keep_numerous(strata, counts, num_strata, num_scenarios)
                num_strata = num_scenarios
        total = counts[:num_strata].sum()
        for s in range(num_scenarios):
            place = s % num_strata
            states[v, s] = views[v]
            deal_stratum(states[v, s], seat, keys, num_keys, strata[place], rngs[v : v + 1])
            repeats = (num_scenarios - place + num_strata - 1) // num_strata
            share = counts[place] / total if counted else 1.0 / num_strata
            weights[v, s] = share / repeats


@compiled
def _keep_numerous(strata, counts, num_strata, num_kept):
    """Bring the strata with the most deals to the front."""
    for place in range(num_kept):
        best = place
        for other in range(place + 1, num_strata):
            if counts[other] > counts[best]:
                best = other
        strata[place], strata[best] = strata[best], strata[place]
        counts[place], counts[best] = counts[best], counts[place]


def left_to_solve(states: np.recarray) -> np.ndarray:
    """How many tricks are not yet complete [K]: what is left to solve."""
    return np.asarray(NUM_TRICKS - states["num_plays"] // NUM_SEATS)
