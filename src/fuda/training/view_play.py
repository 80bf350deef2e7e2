"""Self-play from views in games whose deals all have the same number of decisions: the CPU's half.

All games of a group begin together, make one decision in each tick, and end together: a round. So no game
waits for another, and a decision's place is its tick and its game.

B games, T ticks of a round, W words of an encoded view, O of an encoded state, H of what is hidden.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, below, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING
from fuda.core.threads import split

# Stand-ins, replaced when the loops are bound.
step = legal = side = payoff = settle = encode = encode_open = encode_hidden = observe = unbound
MAX_LEGAL = NUM_SEATS = 0
TWO_SIDED = True

WORD = float(2**32)
MIN_SHARE = 512


class Told(NamedTuple):
    """What is written of positions in which a decision is due; in rows of no words what is not wanted."""

    views: np.ndarray  # [B, W] int64, what the movers see
    states: np.ndarray  # [B, O], what they would see with open hands
    hidden: np.ndarray  # [B, H], what they do not see


def observe_one(state, words, open_words, hidden):
    """Tell of one game what is wanted."""
    encode(state, state.seat, words)
    if len(open_words) > 0:
        encode_open(state, state.seat, open_words)
    if len(hidden) > 0:
        encode_hidden(state, state.seat, hidden)


def observe_all(states, words, open_words, hidden, first, last):
    """The same of many."""
    for b in range(first, last):
        observe(states[b], words[b], open_words[b], hidden[b])


def play_all(
    states, chosen, epsilon, luck, tick, actions, counts, seats, leads, words, open_words, hidden, first, last
):
    """Play what was chosen in each game, or with chance epsilon any legal card; tell the next position."""
    moves, payoffs = np.empty(MAX_LEGAL, np.int64), np.empty(NUM_SEATS, np.float64)
    for b in range(first, last):
        state = states[b]
        rng = luck[b : b + 1]
        count = legal(state, moves)
        action = chosen[b]
        if count == 1:
            action = moves[0]
        elif bits(rng) < epsilon * WORD:
            action = moves[below(rng, count)]
        payoff(state, payoffs)
        actions[tick, b] = action
        counts[tick, b] = count
        seats[tick, b] = state.seat
        leads[tick, b] = payoffs[state.seat]
        step(state, action)
        if state.status == PLAYING:
            observe(state, words[b], open_words[b], hidden[b])


def end_all(
    states, counts, seats, leads, values, keep, scale, targets, returns, options, chance, words, open_words,
    hidden, first, last,
):  # fmt: skip
    """Give every decision of a round its target, what its mover gained from then on, and deal the next.

    `returns` tell the outcome itself; in `targets` it is drawn towards the `values` of the decisions after
    (lambda returns, `keep` is lambda), which are less noisy: those of the seat's own side, and of the other
    one where one loses what the other gains. Forced ones have no say: nothing is learned of what they are
    worth. All are in parts of `scale` points.
    """
    final, worth = np.empty(NUM_SEATS, np.float64), np.empty(NUM_SEATS, np.float64)
    for b in range(first, last):
        state = states[b]
        payoff(state, final)
        worth[:] = final
        for t in range(len(seats) - 1, -1, -1):
            mover = seats[t, b]
            returns[t, b] = (final[mover] - leads[t, b]) / scale
            targets[t, b] = (worth[mover] - leads[t, b]) / scale
            if counts[t, b] > 1:
                value = leads[t, b] + scale * values[t, b]
                for s in range(NUM_SEATS):
                    if side(state, s) == side(state, mover):
                        worth[s] = keep * worth[s] + (1 - keep) * value
                    elif TWO_SIDED:
                        worth[s] = keep * worth[s] - (1 - keep) * value
        settle(states[b], options, chance[b : b + 1])
        observe(states[b], words[b], open_words[b], hidden[b])


# room(shape, dtype) -> an array of zeros: in memory that a GPU can copy from, where there is one
Room = Callable[[tuple[int, ...], Any], np.ndarray]


class ViewPlay:
    """A group of games that are played from views, and the last round's decisions.

    Deals are those of a seed and a group's number in training.
    """

    def __init__(
        self,
        game: Game,
        encoding: ModuleType,
        open_encoding: ModuleType | None,
        size: int,
        seed: int,
        told: Told,
        room: Room = np.zeros,
        group: int = 0,
    ):
        spec = game.spec
        self.game = game
        self.size = size
        self.told = told
        self.num_ticks = ticks = spec.max_deal_decisions
        self.tick = 0
        self.num_games = 0
        self.states = spec.new_states(size)
        self.chance = training_streams(seed, TRAINING_CHANCE, group, 0, size)
        self.luck = training_streams(seed, TRAINING_SAMPLE, group, 0, size)
        shape = (ticks, size)
        self.actions, self.counts = room(shape, np.int8), room(shape, np.int8)
        self.seats, self.leads = np.zeros(shape, np.int8), np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)  # what each mover is expected to gain
        self.targets, self.returns = room(shape, np.float32), room(shape, np.float32)
        bind = spec.kernels.bind
        owner = "views" if open_encoding is None else "views-and-states"
        names = {
            "settle": spec.kernels.settle,
            "encode": encoding.encode, "encode_open": (open_encoding or encoding).encode,
            "encode_hidden": encoding.encode_hidden,
        }  # fmt: skip
        names["observe"] = bind(observe_one, owner, **names)
        self._observe, self._play, self._end = (
            bind(loop, owner, **names) for loop in (observe_all, play_all, end_all)
        )
        split(spec.kernels.start_all, self.states, game.option_codes, self.chance, count=size)
        self.observe()

    def observe(self) -> None:
        """Tell of the positions in which decisions are due; playing on does the same."""
        split(self._observe, self.states, *self.told, count=self.size, min_share=MIN_SHARE)

    def play(self, chosen: np.ndarray, values: np.ndarray, epsilon: float) -> None:
        """Make a decision in each game: `chosen` [B], from where the mover expects `values` [B]."""
        self.values[self.tick] = values
        split(
            self._play, self.states, chosen, epsilon, self.luck, self.tick, self.actions, self.counts,
            self.seats, self.leads, *self.told, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick += 1

    def end_round(self, keep: float, scale: float) -> None:
        """Label the round's decisions and deal the next."""
        if not (self.states["seat"] < 0).all():
            raise RuntimeError("the deals of a round did not end together")
        split(
            self._end, self.states, self.counts, self.seats, self.leads, self.values, keep, scale,
            self.targets, self.returns, self.game.option_codes, self.chance, *self.told,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick = 0
        self.num_games += self.size

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        names = ("states", "chance", "luck", "actions", "counts", "seats", "leads", "values")
        found = {name: getattr(self, name) for name in names}
        return found | {"place": np.array([self.tick, self.num_games])}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on where `arrays` was taken."""
        self.tick, self.num_games = (int(each) for each in arrays["place"])
        for name, mine in self.arrays().items():
            if name != "place":
                mine[...] = arrays[name]
