"""Self-play matches that never stop: the CPU's half of Monte-Carlo training.

All matches of a group make one decision in each tick, so decision (tick, match) is a slot in a ring
of ticks. When a deal ends, its slots get their targets; a deal's first slot waits for that the longest.

B matches, S rows of the ring, A the most legal actions, O numbers of a target: one for a reward, or
the chances of all classes of outcomes.
"""

from functools import partial
from typing import Any

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, below, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.state import OVER, PLAYING
from fuda.core.threads import split

# Stand-ins, replaced when a kernel is bound.
step = settle = side = judge = policy = hide = waiting_seat = unbound
NUM_SEATS = 0
TWO_SIDED = True

WORD = float(2**32)
NO_SIDE = -1

# A decision with its encoding takes about a microsecond: some hundred are worth a thread.
spread = partial(split, min_share=512)


def advance(
    states, views, seats, luck, guest_sides, by_policy, epsilon, keep, least, table, tick, legal_actions,
    num_legal, chosen, found, movers, actions, learned, values, targets, deal_began, ended, first, last,
):  # fmt: skip
    """Play one decision of each match: the network's choice, or with chance epsilon any legal one.

    A guest, who plays one side of some matches, is learned against, not from; nor is a decision learned
    from with fewer than `least` legal actions. Targets are lambda returns: how the deal ended, drawn towards
    what the network `found` [B, O] for its own later decisions, which is far less noisy (`keep` is
    lambda, 1 for the outcome alone); only for those that it learns from, as of others it knows little.
    """
    num_rows, width = len(actions), targets.shape[2]
    row = tick % num_rows
    worth = np.empty((NUM_SEATS, width), np.float32)
    for b in range(first, last):
        state = states[b]
        rng = luck[b : b + 1]
        movers[row, b] = state.seat
        values[row, b] = found[b]
        learned[row, b] = num_legal[b] >= least
        if side(state, state.seat) == guest_sides[b]:
            learned[row, b] = False
            if by_policy[b]:
                actions[row, b] = policy(views[b], seats[b], rng)
            else:
                actions[row, b] = legal_actions[b, chosen[b]]
        elif bits(rng) < epsilon * WORD:
            actions[row, b] = legal_actions[b, below(rng, num_legal[b])]
        else:
            actions[row, b] = legal_actions[b, chosen[b]]
        step(state, actions[row, b])
        ended[b] = state.status
        if state.status == PLAYING:
            continue
        for s in range(NUM_SEATS):
            judge(state, s, table, worth[s])
        for t in range(tick, deal_began[b] - 1, -1):
            at = t % num_rows
            mover = movers[at, b]
            for o in range(width):
                targets[at, b, o] = worth[mover, o]
            if learned[at, b]:
                for s in range(NUM_SEATS):
                    together = side(state, s) == side(state, mover)
                    for o in range(width):
                        if together:
                            worth[s, o] = keep * worth[s, o] + (1 - keep) * values[at, b, o]
                        elif TWO_SIDED:
                            worth[s, o] = keep * worth[s, o] + (1 - keep) * other_side(values[at, b], o)
        deal_began[b] = tick + 1


def other_side(worth, o):
    """What number `o` is for the other side: a reward changes its sign, classes mirror each other."""
    return -worth[0] if len(worth) == 1 else worth[len(worth) - 1 - o]


def ask_guests(states, guest_sides, guest_moves, first, last):
    """Write whether the decision that is due is a guest's."""
    for b in range(first, last):
        guest_moves[b] = side(states[b], states[b].seat) == guest_sides[b]


def view_waiting(states, index, views, seats, first, last):
    """Write the view of the seat that waits in match index[k] to views[k], and the seat to seats[k]."""
    for k in range(first, last):
        i = index[k]
        seats[k] = waiting_seat(states[i])
        views[k] = states[i]
        hide(views[k], seats[k])


def settle_all(states, options, chance, first, last):
    """Deal the next round, or begin the next match, where the last decision ended one."""
    for b in range(first, last):
        settle(states[b], options, chance[b : b + 1])


class SelfPlay:
    """A group of matches with the targets of their last decisions.

    `guest_sides` [B] is the side that a guest plays, or NO_SIDE, `by_policy` [B] whether that guest is
    the policy; the choices of other guests are given to `play`. Where only one action is legal there is
    something to learn only if `forced` says so. Deals are those of a seed and a group's number in training.
    """

    def __init__(
        self,
        game: Game,
        rows: int,
        seed: int,
        judge_kernel: Any,
        width: int,
        guest_sides: np.ndarray,
        by_policy: np.ndarray,
        policy_name: str,
        forced: bool = False,
        group: int = 0,
    ):
        spec = game.spec
        size = len(guest_sides)
        self.game = game
        self.size = size
        self.rows = rows
        self._least_legal = 1 if forced else 2
        self.tick = 0
        self.num_games = 0
        self.states, self.views = spec.new_states(size), spec.new_states(size)
        self.chance = training_streams(seed, TRAINING_CHANCE, group, 0, size)
        self.luck = training_streams(seed, TRAINING_SAMPLE, group, 0, size)
        self._everyone = np.arange(size)
        self.seats = np.zeros(size, np.int64)
        self.legal_actions = np.zeros((size, spec.max_legal), np.int64)
        self.num_legal = np.zeros(size, np.int64)
        self.movers = np.zeros((rows, size), np.int8)
        self.actions = np.zeros((rows, size), np.int64)
        self.learned = np.zeros((rows, size), np.bool_)  # whether there is something to learn
        self.values = np.zeros((rows, size, width), np.float32)
        self.targets = np.zeros((rows, size, width), np.float32)
        self.guest_sides, self.by_policy = guest_sides, by_policy
        self.guest_moves = np.zeros(size, np.bool_)
        self.deal_began = np.zeros(size, np.int64)
        self.ended = np.zeros(size, np.int8)
        bind = spec.kernels.bind
        self._advance = bind(
            advance,
            f"{judge_kernel.__name__}.{policy_name}",
            judge=judge_kernel,
            policy=spec.policy(policy_name).choose,
            other_side=bind(other_side),
        )
        self._settle_all = bind(settle_all)
        self._ask_guests = bind(ask_guests)
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
        spread(self._ask_guests, self.states, self.guest_sides, self.guest_moves, count=size)

    def play(
        self, chosen: np.ndarray, found: np.ndarray, epsilon: float, keep: float, table: np.ndarray
    ) -> None:
        """Make a decision in each match: the place of the action among the legal ones is `chosen` [B].

        `found` [B, O] is what the network holds of it. Afterwards `ended` says where a deal or match
        ended; the next deal is not dealt yet.
        """
        spread(
            self._advance, self.states, self.views, self.seats, self.luck, self.guest_sides, self.by_policy,
            epsilon, keep, self._least_legal, table, self.tick, self.legal_actions, self.num_legal, chosen,
            found, self.movers, self.actions, self.learned, self.values, self.targets, self.deal_began,
            self.ended, count=self.size,
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
            "states", "chance", "luck", "movers", "actions", "learned", "values", "targets", "deal_began",
            "guest_sides",
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
