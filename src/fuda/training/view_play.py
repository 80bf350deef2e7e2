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
from fuda.core.generator import CHANCE, SAMPLE, below, bits, streams
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING
from fuda.core.threads import split

# Stand-ins, replaced when the loops are bound.
step = legal = side = outcome = settle = encode = encode_open = encode_hidden = observe = unbound
MAX_LEGAL = 0

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
    states, chosen, epsilon, luck, tick, actions, counts, signs, leads, words, open_words, hidden, first, last
):
    """Play what was chosen in each game, or with chance epsilon any legal card; tell the next position."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        state = states[b]
        rng = luck[b : b + 1]
        count = legal(state, moves)
        action = chosen[b]
        if count == 1:
            action = moves[0]
        elif bits(rng) < epsilon * WORD:
            action = moves[below(rng, count)]
        sign = 1.0 if side(state, state.seat) == 0 else -1.0
        actions[tick, b] = action
        counts[tick, b] = count
        signs[tick, b] = sign
        leads[tick, b] = sign * outcome(state)
        step(state, action)
        if state.status == PLAYING:
            observe(state, words[b], open_words[b], hidden[b])


def end_all(
    states, counts, signs, leads, values, keep, scale, targets, returns, options, chance, words, open_words,
    hidden, first, last,
):  # fmt: skip
    """Give every decision of a round its target, what its side gained from then on, and deal the next.

    `returns` tell the outcome itself; in `targets` it is drawn towards the `values` of the decisions after
    (lambda returns, `keep` is lambda), which are less noisy. Forced ones have no say: nothing is learned of
    what they are worth. All are in parts of `scale` points.
    """
    for b in range(first, last):
        final = outcome(states[b])
        worth = final
        for t in range(len(signs) - 1, -1, -1):
            sign = signs[t, b]
            returns[t, b] = (sign * final - leads[t, b]) / scale
            targets[t, b] = (sign * worth - leads[t, b]) / scale
            if counts[t, b] > 1:
                worth = keep * worth + (1 - keep) * sign * (leads[t, b] + scale * values[t, b])
        settle(states[b], options, chance[b : b + 1])
        observe(states[b], words[b], open_words[b], hidden[b])


# room(shape, dtype) -> an array of zeros: in memory that a GPU can copy from, where there is one
Room = Callable[[tuple[int, ...], Any], np.ndarray]


class ViewPlay:
    """A group of games that are played from views, and the last round's decisions."""

    def __init__(
        self,
        game: Game,
        encoding: ModuleType,
        open_encoding: ModuleType | None,
        size: int,
        seed: int,
        told: Told,
        room: Room = np.zeros,
    ):
        spec = game.spec
        self.game = game
        self.size = size
        self.told = told
        self.num_ticks = ticks = spec.max_deal_decisions
        self.tick = 0
        self.num_games = 0
        self.states = spec.new_states(size)
        self.chance, self.luck = streams(seed, CHANCE, 0, size), streams(seed, SAMPLE, 0, size)
        shape = (ticks, size)
        self.actions, self.counts = room(shape, np.int8), room(shape, np.int8)
        self.signs, self.leads = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)  # what each mover's side is expected to gain
        self.targets, self.returns = room(shape, np.float32), room(shape, np.float32)
        rules, bind = spec.rules, spec.kernels.bind
        owner = "views" if open_encoding is None else "views-and-states"
        names = {
            "side": rules.side, "outcome": rules.outcome, "settle": spec.kernels.settle,
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
        """Make a decision in each game: `chosen` [B], from where the mover's side expects `values` [B]."""
        self.values[self.tick] = values
        split(
            self._play, self.states, chosen, epsilon, self.luck, self.tick, self.actions, self.counts,
            self.signs, self.leads, *self.told, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick += 1

    def end_round(self, keep: float, scale: float) -> None:
        """Label the round's decisions and deal the next."""
        if not (self.states["seat"] < 0).all():
            raise RuntimeError("the deals of a round did not end together")
        split(
            self._end, self.states, self.counts, self.signs, self.leads, self.values, keep, scale,
            self.targets, self.returns, self.game.option_codes, self.chance, *self.told,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick = 0
        self.num_games += self.size

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        names = ("states", "chance", "luck", "actions", "counts", "signs", "leads", "values")
        found = {name: getattr(self, name) for name in names}
        return found | {"place": np.array([self.tick, self.num_games])}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on where `arrays` was taken."""
        self.tick, self.num_games = (int(each) for each in arrays["place"])
        for name, mine in self.arrays().items():
            if name != "place":
                mine[...] = arrays[name]
