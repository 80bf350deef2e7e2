"""Self-play in lock-step: in each tick all games of a group make one choice. The CPU's half.

Moves that are forced are played at once, so every tick finds every game at a choice. The legal moves of all
games lie in one flat list. Decisions of one game follow each other tick by tick, so decision (tick, game) is
a slot in a ring of ticks; when a deal ends its slots get their targets, and can be learned from.

B games, T ticks of the ring, M legal moves, W words of a position, V of a move, N slots, O numbers of a
target.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, below, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.state import OVER, PLAYING
from fuda.core.threads import split
from fuda.nets.readers import Reader

# Stand-ins, replaced when the loops are bound.
step = legal = side = settle = judge = encode = encode_move = unbound
NUM_SEATS = MAX_LEGAL = 0
TWO_SIDED = True

WORD = float(2**32)
MIN_SHARE = 64  # games: a choice with its moves takes some microseconds
POOL = 16  # legal moves of a game that there is room for in the first pass, on average over a share
NOT_KEPT = -1
BY_VALUE = -1  # `given`: nobody says which move is played, so it is the one of the highest value

Room = Callable[[tuple[int, ...], Any], np.ndarray]  # an array of zeros, in memory that a GPU may copy from


class Games(NamedTuple):
    """The games of a group and the slots of their last T ticks."""

    states: np.ndarray  # [B]
    chance: np.ndarray  # [B] the generators of the cards
    rng: np.ndarray  # [B] those of exploration
    counts: np.ndarray  # [B] legal moves of the choice that is due
    kept_at: np.ndarray  # [B] where `pool` has them, or NOT_KEPT
    pool: np.ndarray  # [B x POOL]
    given: np.ndarray  # [B] the place of the move that is played whatever its value, or BY_VALUE
    movers: np.ndarray  # [B, T]
    values: np.ndarray  # [B, T, O] what the mover expected
    targets: np.ndarray  # [B, T, O]
    deal_began: np.ndarray  # [B] the tick of the deal's first choice
    ripe_from: np.ndarray  # [B] the first tick that can be learned from since the last move; none: the next
    num_over: np.ndarray  # [B] matches that have ended


def advance(games, actions, values, options, tick, epsilon, lambda_return, first, last):
    """Play actions[b] in games first..last-1 and go on to the next choice, over the end of deals.

    A deal that ends gives its slots their targets: how it ended for the mover, drawn towards what was
    expected at later choices of its side, and of the other one where one gains what the other loses
    (lambda returns). With chance epsilon a random move is given for the next choice.
    """
    num_ticks, width = games.targets.shape[1], games.targets.shape[2]
    moves = np.empty(MAX_LEGAL, np.int64)
    worth = np.empty((NUM_SEATS, width), np.float32)
    free = first * POOL
    for b in range(first, last):
        state = games.states[b]
        chance, rng = games.chance[b : b + 1], games.rng[b : b + 1]
        games.ripe_from[b] = tick + 1
        if tick >= 0:
            games.values[b, tick % num_ticks] = values[b]
            step(state, actions[b])
        count = 0
        while True:
            if state.status != PLAYING:
                for s in range(NUM_SEATS):
                    judge(state, s, worth[s])
                games.num_over[b] += state.status == OVER
                if games.deal_began[b] <= tick:
                    games.ripe_from[b] = games.deal_began[b]
                for t in range(tick, games.deal_began[b] - 1, -1):
                    at = t % num_ticks
                    mover = games.movers[b, at]
                    for o in range(width):
                        games.targets[b, at, o] = worth[mover, o]
                        if lambda_return == 1:
                            continue
                        expected = games.values[b, at, o]
                        for s in range(NUM_SEATS):
                            if side(state, s) == side(state, mover):
                                worth[s, o] += (1 - lambda_return) * (expected - worth[s, o])
                            elif TWO_SIDED:
                                worth[s, o] += (1 - lambda_return) * (-expected - worth[s, o])
                games.deal_began[b] = tick + 1
                settle(state, options, chance)
            count = legal(state, moves)
            if count > 1:
                break
            step(state, moves[0])
        games.counts[b] = count
        games.movers[b, (tick + 1) % num_ticks] = state.seat
        games.kept_at[b] = NOT_KEPT
        if free + count <= last * POOL:
            games.kept_at[b] = free
            for m in range(count):
                games.pool[free + m] = moves[m]
            free += count
        games.given[b] = BY_VALUE
        if bits(rng) < epsilon * WORD:
            games.given[b] = below(rng, count)


def observe(games, starts, actions, positions, words, move_words, first, last):
    """Write the positions and the legal moves of games first..last-1, those of game b from starts[b] on."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        state = games.states[b]
        count = games.counts[b]
        if games.kept_at[b] == NOT_KEPT:
            legal(state, moves)
        else:
            for m in range(count):
                moves[m] = games.pool[games.kept_at[b] + m]
        encode(state, state.seat, words[b])
        for m in range(count):
            row = starts[b] + m
            actions[row] = moves[m]
            positions[row] = b
            encode_move(state, moves[m], move_words[row])


def collect(games, tick, places, slots, targets, first, last):
    """Write what can be learned from since the last move: game b's slots and targets from places[b] on."""
    size, num_ticks = games.movers.shape
    for b in range(first, last):
        for t in range(games.ripe_from[b], tick + 1):
            row = places[b] + t - games.ripe_from[b]
            slots[row] = t % num_ticks * size + b
            targets[row] = games.targets[b, t % num_ticks]


class Choices(NamedTuple):
    """What is to be decided in all games: the moves of game b are rows starts[b] to starts[b + 1] - 1."""

    words: np.ndarray  # [B, W] int64, the positions as their movers see them
    starts: np.ndarray  # [B + 1]
    actions: np.ndarray  # [M] in the smallest type that holds them
    positions: np.ndarray  # [M] int32, whose they are
    move_words: np.ndarray  # [M, V] int64


class Deals:
    """A group of games that never stop; games `first`.. of the seed's group `number`."""

    def __init__(
        self,
        game: Game,
        reader: Reader,
        judge_kernel: Any,
        width: int,
        size: int,
        seed: int,
        number: int = 0,
        first: int = 0,
        room: Room = np.zeros,
    ):
        spec = game.spec
        self.game, self.size, self.tick = game, size, -1
        self.num_ticks = ticks = spec.max_deal_decisions
        self.action_dtype = spec.kernels.item_type
        self.games = Games(
            states=spec.new_states(size),
            chance=training_streams(seed, TRAINING_CHANCE, number, first, size),
            rng=training_streams(seed, TRAINING_SAMPLE, number, first, size),
            counts=np.zeros(size, np.int64),
            kept_at=np.zeros(size, np.int64),
            pool=np.zeros(size * POOL, self.action_dtype),
            given=np.zeros(size, np.int64),
            movers=np.zeros((size, ticks), np.int8),
            values=np.zeros((size, ticks, width), np.float32),
            targets=np.zeros((size, ticks, width), np.float32),
            deal_began=np.zeros(size, np.int64),
            ripe_from=np.zeros(size, np.int64),
            num_over=np.zeros(size, np.int64),
        )
        self._room, self._num_move_words = room, reader.num_move_words
        self._words = room((size, reader.num_words), np.int64)
        self._starts = room((size + 1,), np.int64)
        self._make_room(size * POOL)
        bind = spec.kernels.bind
        names = {
            "settle": spec.kernels.settle, "judge": judge_kernel,
            "encode": reader.encode, "encode_move": reader.encode_move,
        }  # fmt: skip
        self._advance, self._observe, self._collect = (
            bind(loop, judge_kernel.__name__, **names) for loop in (advance, observe, collect)
        )
        split(spec.kernels.start_all, self.games.states, game.option_codes, self.games.chance, count=size)
        self._go_on(np.zeros(size, self.action_dtype), np.zeros((size, width), np.float32), 0.0, 1.0)

    @property
    def num_games(self) -> int:
        """Matches that have ended."""
        return int(self.games.num_over.sum())

    def play(
        self, rows: np.ndarray, values: np.ndarray, epsilon: float, lambda_return: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play a row of `choices` in each game [B], where its mover expected `values` [B, O].

        Returns what can be learned from now: slots [N], which are tick % T x B + game, and targets [N, O].
        """
        return self._go_on(self.choices.actions[rows], values, epsilon, lambda_return)

    def _go_on(
        self, actions: np.ndarray, values: np.ndarray, epsilon: float, lambda_return: float
    ) -> tuple[np.ndarray, np.ndarray]:
        games = self.games
        split(
            self._advance, games, actions, values, self.game.option_codes, self.tick, epsilon, lambda_return,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        ripe = self.tick + 1 - games.ripe_from
        places = np.cumsum(ripe) - ripe
        slots = np.empty(int(ripe.sum()), np.int64)
        targets = np.empty((len(slots), games.targets.shape[2]), np.float32)
        split(self._collect, games, self.tick, places, slots, targets, count=self.size, min_share=MIN_SHARE)
        self.tick += 1
        self.observe()
        return slots, targets

    def observe(self) -> None:
        """Write down what is to be decided."""
        np.cumsum(self.games.counts, out=self._starts[1:])
        count = int(self._starts[-1])
        if count > len(self._rows[0]):
            self._make_room(2 * count)
        rows = tuple(array[:count] for array in self._rows)
        split(
            self._observe, self.games, self._starts, *rows[:2], self._words, rows[2],
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.choices = Choices(self._words, self._starts, *rows)

    def _make_room(self, count: int) -> None:
        shapes = (
            ((count,), self.action_dtype),
            ((count,), np.int32),
            ((count, self._num_move_words), np.int64),
        )
        self._rows = tuple(self._room(*shape) for shape in shapes)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        return self.games._asdict() | {"tick": np.array([self.tick])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on where `arrays` was taken."""
        self.tick = int(arrays["tick"][0])
        for name, mine in self.games._asdict().items():
            mine[...] = arrays[name]
        self.observe()
