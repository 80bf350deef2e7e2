"""What the plays of the others tell about their hands: the positions to ask a policy about.

As in section 8.12 of the ScrofaZero paper, only cards from the eight on count, and for who follows suit
only those of that suit. V views, K scenarios.
"""

import numpy as np

from fuda.core.compile import compiled
from fuda.games.gongzhu.rules import hide, step
from fuda.games.tricks.french import NUM_RANKS, RANK_TEXTS, suit_of
from fuda.games.tricks.play import clear_table, lead_suit, seat_of_play

LOWEST_TOLD = RANK_TEXTS.index("8")


@compiled
def tells(view, seat, index):
    """Whether play number `index` says something about the hidden hands, for the seat's decision."""
    card = view.plays[index]
    if seat_of_play(view, index) == seat or card % NUM_RANKS < LOWEST_TOLD:
        return False
    return view.num_plays & 3 == 0 or suit_of(card) == lead_suit(view)


@compiled
def count_told_all(views, seats, counts, first, last):
    """How many plays of each view tell something, counts [V]."""
    for v in range(first, last):
        counts[v] = 0
        for index in range(views[v].num_plays):
            if tells(views[v], seats[v], index):
                counts[v] += 1


@compiled
def tell_all(states, seats, starts, scratch, views, movers, actions, first, last):
    """What each player saw before each play that tells something, if the hands are those of a scenario.

    Scenario k = first..last-1 is states[k], of the seat seats[k] to move; its plays go to rows from
    starts[k] on: the player's view, who it is, and the card it played.
    `scratch` [number of scenarios] is room to replay.
    """
    for k in range(first, last):
        state = states[k]
        replay = scratch[k : k + 1]
        rewind(replay, states, k)
        row = starts[k]
        for index in range(state.num_plays):
            card = np.int64(state.plays[index])
            if tells(state, seats[k], index):
                mover = replay[0].seat
                views[row] = replay[0]
                hide(views[row], mover)
                movers[row] = mover
                actions[row] = card
                row += 1
            step(replay[0], card)


@compiled
def compare_all(views, actions, legal, starts, compared, first, last):
    """Which of the legal cards [M] of a play are compared with the card that was played: those of its suit.

    `legal` has those of play r = first..last-1 from starts[r] to starts[r + 1].
    """
    for row in range(first, last):
        for m in range(starts[row], starts[row + 1]):
            compared[m] = suit_of(legal[m]) == suit_of(actions[row])


@compiled
def rewind(replay, states, k):
    """Write the beginning of the deal of states[k] to replay[0]: all hands full, nothing played."""
    replay[0] = states[k]
    state = replay[0]
    for index in range(state.num_plays):
        state.hand[seat_of_play(states[k], index)] |= np.int64(1) << state.plays[index]
    clear_table(state)
    state.seat = state.leaders[0]
