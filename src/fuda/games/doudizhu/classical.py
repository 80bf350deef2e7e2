"""Players without learning: RHCP, the rule player of the CQL paper, and one that minds its partner.

RHCP values a hand by playing it out: it leads one group after the other, and counts the groups'
values and the rounds that they take. All values are doubled here, so that halves stay whole.
"""

import numpy as np

from fuda.core.bits import lowest
from fuda.core.compile import compiled
from fuda.core.game import Policy
from fuda.core.state import NOBODY
from fuda.games.doudizhu.moves import (
    BOMB,
    CHAIN_RANKS,
    FIRST_BOMB,
    FIRST_MOVE,
    GROUP_AT,
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    JOKERS,
    KICKER_SIZE,
    MAX_LEGAL,
    MOVE_CARDS,
    MOVE_GROUP,
    NO_CARDS,
    PAIR,
    PAIR_CHAIN,
    PASS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET,
    ROCKET_MOVE,
    SOLO,
    SOLO_CHAIN,
    TRIO_CHAIN,
    TRIO_CHAIN_PAIRS,
    TRIO_CHAIN_SOLOS,
    TRIO_SOLO,
    at_least,
    beats,
    find,
    legal_follows,
    run_starts,
    write_with_kickers,
)
from fuda.games.doudizhu.rules import (
    BID,
    CALL,
    NO_CALL,
    NO_ROB,
    NO_SHOW,
    ROB,
    ROBBING,
    SHOW,
    is_peasants_partner,
    may_show,
)

ROUND = 2 * 7  # what one more round costs
NUM_SLOTS = 4093  # hands that a decision remembers; a prime spreads them well
CHEAP_RANKS = 11  # 3 to K: a partner's move that does not yet hold the lead
NEARLY_OUT = 2  # cards of a partner that is left alone
BID_SUMS = (2 * 10, 2 * 15, 2 * 20)  # a hand's value from which RHCP bids 1, 2, 3
SHOW_ROUNDS = 4  # a hand that takes no more is shown


def _group_value(kind: int, highest: int) -> int:
    """Twice the value of a group whose highest main rank is `highest`: 3..14, 2 is 15, jokers 16, 17."""
    if kind in (SOLO_CHAIN, PAIR_CHAIN):
        return 2 * (highest - 9)
    if kind in (TRIO_CHAIN, TRIO_CHAIN_SOLOS, TRIO_CHAIN_PAIRS):
        return highest - 2
    if kind in (QUAD_SOLOS, QUAD_PAIRS):
        return highest - 3
    if kind == BOMB:
        return 2 * (highest + 4)
    return {NO_CARDS: 0, ROCKET: 2 * 20}.get(kind, 2 * (highest - 10))


GROUP_VALUE = np.array(
    [
        _group_value(int(kind), int(rank + length - 1) + 3)
        for kind, length, rank in zip(GROUP_KIND, GROUP_LENGTH, GROUP_RANK, strict=True)
    ],
    np.int64,
)


@compiled
def evaluate(hand, known):
    """Play a hand out with RHCP's leads: the groups' values in all, the rounds, and the first lead.

    `known` is scratch space from `new_known`, for one decision: the same remainders come up again
    and again, and some hands with many trios take a hundred times as long without it.
    """
    if hand == 0:
        return 0, 0, PASS
    slot = hand % NUM_SLOTS
    if known[slot, 0] == hand:
        return known[slot, 1], known[slot, 2], known[slot, 3]
    whole = find(hand)
    if whole >= 0:
        kind = GROUP_KIND[MOVE_GROUP[whole]]
        if kind != QUAD_SOLOS and kind != QUAD_PAIRS:
            return GROUP_VALUE[MOVE_GROUP[whole]], 1, whole
    leads = np.empty(MAX_LEGAL, np.int64)
    best, best_sum, best_rounds = -1, 0, 0
    for lead in leads[: write_leads(hand, leads)]:
        total, rounds, _ = evaluate(hand - MOVE_CARDS[lead], known)
        if best < 0 or total - ROUND * rounds > best_sum - ROUND * best_rounds:
            best, best_sum, best_rounds = lead, total, rounds
    best_sum += GROUP_VALUE[MOVE_GROUP[best]]
    best_rounds += 1
    known[slot, 0] = hand
    known[slot, 1] = best_sum
    known[slot, 2] = best_rounds
    known[slot, 3] = best
    return best_sum, best_rounds, best


@compiled
def new_known():
    """Scratch space for `evaluate`: hand, value, rounds and lead in each slot."""
    return np.zeros((NUM_SLOTS, 4), np.int64)


@compiled
def write_leads(hand, out):
    """Write the leads that RHCP compares, for a hand that is more than one group; at least one."""
    if hand & JOKERS == JOKERS and find(hand - JOKERS) >= 0:
        out[0] = ROCKET_MOVE
        return 1
    fours = at_least(hand, 4)
    trios = at_least(hand, 3) & ~fours
    if trios:
        return _write_trio_leads(hand, trios, out)
    few = at_least(hand, 1) & ~fours & ~JOKERS
    if few:
        return _write_low_leads(hand, lowest(few) >> 2, out)
    if hand & JOKERS and hand & JOKERS != JOKERS:
        out[0] = find(hand & JOKERS)
    else:
        out[0] = FIRST_BOMB + (lowest(fours) >> 2)
    return 1


@compiled
def _write_trio_leads(hand, trios, out):
    count = 0
    for kind in range(TRIO_SOLO, TRIO_CHAIN_PAIRS + 1):
        longest = 4 if KICKER_SIZE[kind] == 1 else 3
        for length in range(1, longest + 1):
            starts = run_starts(trios, length) if GROUP_AT[kind, length] >= 0 else 0
            count = write_with_kickers(starts, kind, length, hand, out, count)
    return count


@compiled
def _write_low_leads(hand, rank, out):
    """Solo, pair and the chains from the lowest rank; a trio would have led with a kicker."""
    out[0] = FIRST_MOVE[GROUP_AT[SOLO, 1] + rank]
    count = 1
    for kind, shortest, copies in ((SOLO_CHAIN, 5, 1), (PAIR_CHAIN, 3, 2)):
        held = at_least(hand, copies) >> (4 * rank)
        if copies == 2 and held & 1:
            out[count] = FIRST_MOVE[GROUP_AT[PAIR, 1] + rank]
            count += 1
        held &= CHAIN_RANKS >> (4 * rank)
        length = 0
        while held >> (4 * length) & 1:
            length += 1
            if length >= shortest:
                out[count] = FIRST_MOVE[GROUP_AT[kind, length] + rank]
                count += 1
    return count


@compiled
def follow(hand, beat, known):
    """RHCP's move when there is one to beat."""
    if hand & JOKERS == JOKERS and find(hand - JOKERS) >= 0:
        return ROCKET_MOVE
    whole = find(hand)
    if whole >= 0 and beats(whole, beat):
        return whole
    moves = np.empty(MAX_LEGAL, np.int64)
    count = legal_follows(hand, beat, moves)
    if count == 1:
        return PASS
    total, rounds, _ = evaluate(hand, known)
    passing = total - ROUND * (rounds + 1)  # who passes needs a round more
    kind = GROUP_KIND[MOVE_GROUP[beat]]
    best = best_remainder(hand, moves[1:count], kind, passing, False, known)
    if best == PASS:
        best = best_remainder(hand, moves[1:count], BOMB, passing, True, known)
    if best == PASS and hand & JOKERS == JOKERS and total > 2 * 20:
        best = ROCKET_MOVE
    return best


@compiled
def best_remainder(hand, moves, kind, least, or_positive, known):
    """The move of a kind that leaves the best hand, or PASS if none leaves one that is good enough.

    Good enough is a score of `least`, or with `or_positive` any hand of positive value.
    """
    best, best_score = PASS, 0
    for move in moves:
        if GROUP_KIND[MOVE_GROUP[move]] == kind:
            total, rounds, _ = evaluate(hand - MOVE_CARDS[move], known)
            score = total - ROUND * rounds
            good = score >= least or (or_positive and total > 0)
            if good and (best == PASS or score > best_score):
                best, best_score = move, score
    return best


@compiled
def bid(view, seat):
    """Bid by the hand's value (BID_SUMS), or 0 where that is not higher than the last bid.

    Who would bid 1 calls, who would bid 3 robs (RULES 9.5).
    """
    total = evaluate(view.hand[seat], new_known())[0]
    if view.bidding == ROBBING:
        if view.stake == 0:
            return CALL if total >= BID_SUMS[0] else NO_CALL
        return ROB if total >= BID_SUMS[2] else NO_ROB
    wanted = 0
    for least in BID_SUMS:
        if total >= least:
            wanted += 1
    return BID + (wanted if wanted > view.stake else 0)


@compiled
def choose_rhcp(view, seat, _rng):
    """A policy: RHCP."""
    if view.landlord == NOBODY:
        return bid(view, seat)
    if may_show(view):
        return SHOW if evaluate(view.hand[seat], new_known())[1] <= SHOW_ROUNDS else NO_SHOW
    if view.beat == PASS:
        return evaluate(view.hand[seat], new_known())[2]
    return follow(view.hand[seat], np.int64(view.beat), new_known())


@compiled
def choose_rhcp_partner(view, seat, rng):
    """A policy: RHCP that passes on its partner's moves, but for the reasons of `has_reason`."""
    move = choose_rhcp(view, seat, rng)
    if view.landlord == NOBODY or move == PASS or view.beat == PASS:
        return move
    if is_peasants_partner(view, seat, view.beat_seat) and not has_reason(view, seat, move):
        return PASS
    return move


@compiled
def has_reason(view, seat, move):
    """Whether a peasant should beat its partner's move.

    Yes, if no more than one group is left then; or if the partner's move is low enough that the
    landlord may well beat it, the partner is not nearly out, and no bomb is spent on it.
    (Always leaving the partner alone loses more than it wins.)
    """
    if find(view.hand[seat] - MOVE_CARDS[move]) >= 0:
        return True
    cheap = GROUP_RANK[MOVE_GROUP[view.beat]] < CHEAP_RANKS and move < FIRST_BOMB
    return cheap and view.sizes[view.beat_seat] > NEARLY_OUT


POLICIES = (
    Policy(
        "rhcp",
        "RHCP",
        "Plays the group that leaves the best hand by fixed values; minds neither partner nor opponents.",
        choose_rhcp,
        bids=True,
    ),
    Policy(
        "rhcp-partner",
        "RHCP with a partner",
        "As RHCP, but a peasant does not overtake its partner without reason.",
        choose_rhcp_partner,
        bids=True,
    ),
)
