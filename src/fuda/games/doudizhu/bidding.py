"""The bid module of the DeepRocket paper: a hand is worth its control cards, less the moves that it needs.

The paper says no more than that bids depend on control cards (A, 2 and the jokers) and on tidiness, that is
few sets. Here tidiness is the fewest moves that empty the hand. Both count alike: in games of `rhcp-partner`
a point of control helped landlords as much as a move more harmed them, and those whose 17 cards were worth 0
won about half of their games.
"""

from fuda.core.bits import popcount
from fuda.core.compile import compiled
from fuda.core.game import Policy
from fuda.games.doudizhu.fewest import fewest_moves
from fuda.games.doudizhu.moves import BLACK, RED, TWO, at_least, count_of
from fuda.games.doudizhu.rules import BID

ACE = TWO - 1
# What a control card of each rank counts, and a bomb: four of any rank cannot be taken either.
ACE_WORTH, TWO_WORTH, BLACK_WORTH, RED_WORTH, BOMB_WORTH = 1, 2, 3, 4, 3
# From which control less fewest moves a hand of 17 cards bids 1, 2, 3; and from which control alone.
WORTHS, CONTROLS = (0, 1, 2), (7, 8, 9)


@compiled
def control(hand):
    """What a hand's control cards count."""
    return (
        ACE_WORTH * count_of(hand, ACE)
        + TWO_WORTH * count_of(hand, TWO)
        + BLACK_WORTH * count_of(hand, BLACK)
        + RED_WORTH * count_of(hand, RED)
        + BOMB_WORTH * popcount(at_least(hand, 4))
    )


@compiled
def bid_of(worth, least, stake):
    """The bid of a worth, by the least for 1, 2 and 3; 0 where it is not higher than what was bid."""
    wanted = 0
    for needed in least:
        if worth >= needed:
            wanted += 1
    return BID + (wanted if wanted > stake else 0)


@compiled
def choose_by_control_and_tidiness(view, seat, _rng):
    """A policy for bids: control less the fewest moves."""
    hand = view.hand[seat]
    return bid_of(control(hand) - fewest_moves(hand), WORTHS, view.stake)


@compiled
def choose_by_control(view, seat, _rng):
    """A policy for bids: control cards alone, to compare with."""
    return bid_of(control(view.hand[seat]), CONTROLS, view.stake)


BIDDERS = (
    Policy(
        "control-tidiness", "Control and tidiness", "Bids by control cards, less the fewest moves.",
        choose_by_control_and_tidiness, bids=True,
    ),
    Policy(
        "control", "Control", "Bids by control cards alone.", choose_by_control, bids=True,
    ),
)  # fmt: skip
