"""Self-play from views in games whose deals all have the same number of decisions: the CPU's half.

All games of a group begin together, make one decision in each tick, and end together: a round. So no game
waits for another, and a decision's place is its tick and its game.

B games, T ticks of a round, W words of an encoded view, O words of an encoded state.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import CHANCE, SAMPLE, below, bits, streams
from fuda.core.kernels import unbound
from fuda.core.threads import split

# Stand-ins, replaced when the loops are bound.
step = legal = side = outcome = settle = encode = encode_open = unbound
MAX_LEGAL = 0

WORD = float(2**32)
MIN_SHARE = 512


def play_all(states, chosen, epsilon, luck, tick, actions, counts, signs, leads, first, last):
    """Play a decision in each game: the one that was chosen, or with chance epsilon any legal one."""
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


def observe_all(states, words, open_words, first, last):
    """Write what the movers see, and where there is room for it what they would see with open hands."""
    for b in range(first, last):
        encode(states[b], states[b].seat, words[b])
        if open_words.shape[1] > 0:
            encode_open(states[b], states[b].seat, open_words[b])


def label_all(states, signs, leads, values, keep, scale, targets, returns, first, last):
    """Give every decision of a round its target: what the mover's side gained from then on.

    `returns` tell the outcome itself; in `targets` it is drawn towards the `values` of the decisions after
    (lambda returns, `keep` is lambda), which are less noisy. All are in parts of `scale` points.
    """
    for b in range(first, last):
        final = outcome(states[b])
        worth = final
        for t in range(len(signs) - 1, -1, -1):
            sign = signs[t, b]
            returns[t, b] = (sign * final - leads[t, b]) / scale
            targets[t, b] = (sign * worth - leads[t, b]) / scale
            worth = keep * worth + (1 - keep) * sign * (leads[t, b] + scale * values[t, b])


def settle_all(states, options, chance, first, last):
    """Deal the next round."""
    for b in range(first, last):
        settle(states[b], options, chance[b : b + 1])


class ViewPlay:
    """A group of games that are played from views, and the last round's decisions."""

    def __init__(
        self, game: Game, encoding: ModuleType, open_encoding: ModuleType | None, size: int, seed: int
    ):
        spec = game.spec
        self.game = game
        self.size = size
        self.num_ticks = ticks = spec.max_deal_decisions
        self.tick = 0
        self.num_games = 0
        self.states = spec.new_states(size)
        self.chance, self.luck = streams(seed, CHANCE, 0, size), streams(seed, SAMPLE, 0, size)
        self.actions, self.counts = np.zeros((ticks, size), np.int64), np.zeros((ticks, size), np.int8)
        self.signs, self.leads = np.zeros((ticks, size), np.float32), np.zeros((ticks, size), np.float32)
        self.values = np.zeros((ticks, size), np.float32)  # what each mover's side is expected to gain
        self.targets, self.returns = np.zeros((ticks, size), np.float32), np.zeros((ticks, size), np.float32)
        rules, bind = spec.rules, spec.kernels.bind
        names = {
            "side": rules.side, "outcome": rules.outcome, "settle": spec.kernels.settle,
            "encode": encoding.encode, "encode_open": (open_encoding or encoding).encode,
        }  # fmt: skip
        owner = "views" if open_encoding is None else "views-and-states"
        self._play, self._observe, self._label, self._settle = (
            bind(loop, owner, **names) for loop in (play_all, observe_all, label_all, settle_all)
        )
        split(spec.kernels.start_all, self.states, game.option_codes, self.chance, count=size)

    def observe(self, words: np.ndarray, open_words: np.ndarray) -> None:
        """Write the movers' views to words [B, W] and the states to open_words [B, O], or [B, 0] for none."""
        split(self._observe, self.states, words, open_words, count=self.size, min_share=MIN_SHARE)

    def play(self, chosen: np.ndarray, values: np.ndarray, epsilon: float) -> None:
        """Make a decision in each game: `chosen` [B], from where the mover's side expects `values` [B]."""
        self.values[self.tick] = values
        split(
            self._play, self.states, chosen, epsilon, self.luck, self.tick, self.actions, self.counts,
            self.signs, self.leads, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick += 1

    def end_round(self, keep: float, scale: float) -> None:
        """Label the round's decisions and deal the next."""
        if not (self.states["seat"] < 0).all():
            raise RuntimeError("the deals of a round did not end together")
        split(
            self._label, self.states, self.signs, self.leads, self.values, keep, scale, self.targets,
            self.returns, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        split(
            self._settle, self.states, self.game.option_codes, self.chance,
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
