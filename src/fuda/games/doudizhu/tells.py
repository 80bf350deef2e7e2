"""What the last plays of the others tell about their hands: the positions to ask a policy about.

A pass tells as much as cards do: who could have beaten a move did not want to. V views, K scenarios.
"""

from fuda.core.compile import compiled
from fuda.core.state import NOBODY, PLAYING
from fuda.games.doudizhu.moves import PASS, num_cards
from fuda.games.doudizhu.rules import NUM_SEATS, hide, step

NUM_TOLD = 6  # the last so many plays count, the own among them


@compiled
def seat_of_play(view, index):
    """Who made play number `index`: the landlord the first, then the seats in turn."""
    return (view.landlord + index) % NUM_SEATS


@compiled
def tells(view, seat, index):
    """Whether play number `index` says something about the hidden hands, for the seat's decision."""
    return view.num_plays - index <= NUM_TOLD and seat_of_play(view, index) != seat


@compiled
def count_told_all(views, seats, counts, first, last):
    """How many plays of each view tell something, counts [V]."""
    for v in range(first, last):
        counts[v] = 0
        for index in range(max(0, views[v].num_plays - NUM_TOLD), views[v].num_plays):
            if tells(views[v], seats[v], index):
                counts[v] += 1


@compiled
def tell_all(states, seats, starts, scratch, views, movers, actions, first, last):
    """What each player saw before each of those plays, if the hands are those of a scenario.

    Scenario k = first..last-1 is states[k], of the seat seats[k] to move; its plays go to rows from
    starts[k] on: the player's view, who it is, and what it played.
    `scratch` [number of scenarios] is room to replay.
    """
    for k in range(first, last):
        state = states[k]
        replay = scratch[k : k + 1]
        rewind(replay, states, k)
        row = starts[k]
        for index in range(state.num_plays):
            if tells(state, seats[k], index):
                mover = replay[0].seat
                views[row] = replay[0]
                hide(views[row], mover)
                movers[row] = mover
                actions[row] = state.plays[index]
                row += 1
            step(replay[0], state.plays[index])


@compiled
def compare_all(views, actions, legal, starts, compared, first, last):
    """With which legal moves [M] a play is compared: with all of them."""
    compared[starts[first] : starts[last]] = True


@compiled
def rewind(replay, states, k):
    """Write the beginning of the play of states[k] to replay[0]: all hands full, nothing played."""
    replay[0] = states[k]
    state = replay[0]
    for seat in range(NUM_SEATS):
        state.hand[seat] += state.played[seat]
        state.sizes[seat] = num_cards(state.hand[seat])
        state.played[seat] = 0
    for index in range(state.num_plays):
        state.plays[index] = PASS
    state.num_plays = 0
    state.beat = PASS
    state.beat_seat = NOBODY
    state.passes = 0
    state.bombs = 0
    state.seat = state.landlord
    state.status = PLAYING
