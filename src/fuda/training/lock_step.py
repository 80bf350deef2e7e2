"""Self-play matches that never stop: the CPU's half of Monte-Carlo training.

All matches of a group make one decision in each tick, so decision (tick, match) is a slot in a ring
of ticks. When a deal ends, its slots get their targets; after `MAX_DEAL` ticks a row is complete.

B matches, S rows of the ring, A the most legal actions.
"""

from functools import partial
from typing import Any

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import CHANCE, SAMPLE, below, bits, streams
from fuda.core.kernels import unbound
from fuda.core.state import OVER, PLAYING
from fuda.core.threads import split

# Stand-ins, replaced when a kernel is bound.
step = settle = side = reward = policy = unbound

WORD = float(2**32)
NO_SIDE = -1

# A decision with its encoding takes about a microsecond: some hundred are worth a thread.
spread = partial(split, min_share=512)


def advance(
    states, views, seats, luck, guests, epsilon, keep, table, tick, legal_actions, num_legal, greedy, best,
    sides, actions, weights, values, targets, deal_began, ended, first, last,
):  # fmt: skip
    """Play one decision of each match: the network's choice, or with chance epsilon any legal one.

    A guest, a policy that plays one side of some matches, is learned against but not from (weight 0).
    Targets are lambda returns: the outcome of the deal, drawn towards the network's own values of the
    later decisions (`keep` is lambda, 1 for the outcome alone), which are far less noisy.
    """
    num_rows = len(actions)
    row = tick % num_rows
    for b in range(first, last):
        state = states[b]
        rng = luck[b : b + 1]
        sides[row, b] = side(state, state.seat)
        values[row, b] = best[b]
        weights[row, b] = 1.0
        if sides[row, b] == guests[b]:
            weights[row, b] = 0.0
            actions[row, b] = policy(views[b], seats[b], rng)
        elif bits(rng) < epsilon * WORD:
            actions[row, b] = legal_actions[b, below(rng, num_legal[b])]
        else:
            actions[row, b] = legal_actions[b, greedy[b]]
        step(state, actions[row, b])
        ended[b] = state.status
        if state.status == PLAYING:
            continue
        worth = reward(state, table)  # to side 0
        for t in range(tick, deal_began[b] - 1, -1):
            at = t % num_rows
            sign = 1.0 if sides[at, b] == 0 else -1.0
            targets[at, b] = sign * worth
            if weights[at, b] > 0:
                worth = keep * worth + (1 - keep) * sign * values[at, b]
        deal_began[b] = tick + 1


def settle_all(states, options, chance, first, last):
    """Deal the next round, or begin the next match, where the last decision ended one."""
    for b in range(first, last):
        settle(states[b], options, chance[b : b + 1])


class SelfPlay:
    """A group of matches with the targets of their last decisions."""

    def __init__(
        self,
        game: Game,
        size: int,
        rows: int,
        seed: int,
        reward_kernel: Any,
        guest: str,
        guest_share: float = 0.0,
    ):
        spec = game.spec
        self.game = game
        self.size = size
        self.rows = rows
        self.tick = 0
        self.num_games = 0
        self.states, self.views = spec.new_states(size), spec.new_states(size)
        self.chance, self.luck = streams(seed, CHANCE, 0, size), streams(seed, SAMPLE, 0, size)
        self._everyone = np.arange(size)
        self.seats = np.zeros(size, np.int64)
        self.legal_actions = np.zeros((size, spec.max_legal), np.int64)
        self.num_legal = np.zeros(size, np.int64)
        self.sides = np.zeros((rows, size), np.int8)
        self.actions = np.zeros((rows, size), np.int64)
        self.weights = np.zeros((rows, size), np.float32)
        self.values = np.zeros((rows, size), np.float32)
        self.targets = np.zeros((rows, size), np.float32)
        # The guest has side 0 and side 1 in turn, in the first matches of the group.
        self.guests = np.where(self._everyone < guest_share * size, self._everyone & 1, NO_SIDE)
        self.deal_began = np.zeros(size, np.int64)
        self.ended = np.zeros(size, np.int8)
        bind = spec.kernels.bind
        self._advance = bind(
            advance,
            f"{reward_kernel.__name__}.{guest}",
            side=spec.rules.side,
            reward=reward_kernel,
            policy=spec.policy(guest).choose,
        )
        self._settle_all = bind(settle_all)
        spread(spec.kernels.start_all, self.states, game.option_codes, self.chance, count=size)
        self.observe()

    def observe(self) -> None:
        """Fill views, seats and legal actions for the decision that is due."""
        kernels, size = self.game.spec.kernels, self.size
        spread(
            kernels.view_movers,
            self.states,
            self._everyone,
            self.views,
            self.seats,
            count=size,
        )
        spread(kernels.legal_all, self.views, self.legal_actions, self.num_legal, count=size)

    def play(
        self, greedy: np.ndarray, best: np.ndarray, epsilon: float, keep: float, table: np.ndarray
    ) -> None:
        """Make a decision in each match: the network's is `greedy`, which it values at `best`.

        Afterwards `ended` says where a deal or match ended; the next deal is not dealt yet.
        """
        spread(
            self._advance, self.states, self.views, self.seats, self.luck, self.guests, epsilon, keep, table,
            self.tick, self.legal_actions, self.num_legal, greedy, best, self.sides, self.actions,
            self.weights, self.values, self.targets, self.deal_began, self.ended, count=self.size,
        )  # fmt: skip
        self.tick += 1
        self.num_games += int((self.ended == OVER).sum())

    def deal(self) -> None:
        """Deal where a deal ended."""
        spread(
            self._settle_all,
            self.states,
            self.game.option_codes,
            self.chance,
            count=self.size,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        names = (
            "states", "chance", "luck", "sides", "actions", "weights", "values", "targets", "deal_began",
        )  # fmt: skip
        counts = np.array([self.tick, self.num_games])
        return {name: getattr(self, name) for name in names} | {"counts": counts}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on where `arrays` was taken."""
        for name, value in arrays.items():
            if name == "counts":
                self.tick, self.num_games = (int(count) for count in value)
            elif name == "states":
                self.states[:] = value.view(np.recarray)
            else:
                getattr(self, name)[:] = value
        self.observe()
