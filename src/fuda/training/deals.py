"""Self-play in lock-step: in each tick all games of a group make one choice. The CPU's half.

Moves that are forced, decisions before play that the networks do not make, and those of guests with a policy
are played at once, so every tick finds every game at a choice. The legal moves of all games lie in one flat
list. Decisions of one game follow each other tick by tick, so decision (tick, game) is a slot in a ring of
ticks; when a deal ends its slots get their targets, and can be learned from.

B games, T ticks of the ring, M legal moves, W words of a position, V of a move, E of what only training is
told, N slots, C numbers of a target.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from fuda.core.compile import compiled
from fuda.core.game import Game, GameSpec
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, below, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.protocols import BID
from fuda.core.state import OVER, PLAYING
from fuda.core.threads import split
from fuda.nets.readers import Reader
from fuda.training.rewards import Reward

# Stand-ins, replaced when the loops are bound.
step = legal = side = hide = settle = judge = write_worths = encode = encode_move = by_policy = unbound
turn_begins = waiting_seat = encode_waiting = encode_beside = policy = others = payoff = label_deal = unbound
follows_rule = unbound
NUM_SEATS = MAX_LEGAL = NUM_OF_ONE = RULE = 0
TWO_SIDED = FROM_NOW = True

WORD = float(2**32)
MIN_SHARE = 64  # games: a choice with its moves takes some microseconds
POOL = 16  # legal moves of a game that there is room for in the first pass, on average over a share
NOT_KEPT = -1
BY_VALUE = -1  # `given`: nobody says which move is played, so it is the one of the highest value
NOBODY = -1  # no guest, or none with a policy
# What a slot is for, as bits. Those of guests have none.
LEARNED = 1
COUNTED = 2  # what was expected there counts in the targets of earlier slots
WAITING = 4  # it is the view of who waits for the mover's turn that is learned from
NO_TABLE = np.zeros((0, 0))

Room = Callable[[tuple[int, ...], Any], np.ndarray]  # an array of zeros, in memory that a GPU may copy from


class Beside(Protocol):
    """What training is told of a position beside what its mover sees."""

    @property
    def num_words(self) -> int:
        """How many words of bits."""

    @property
    def encode(self) -> Any:
        """Compiled: (state, seat, words)."""


class Play(NamedTuple):
    """How games go on."""

    epsilon: float = 0.0  # the chance of a random move
    lambda_return: float = 1.0
    learn_share: float = 1.0  # so much of the slots is learned from
    waiting_share: float = 0.0  # so many turns tell what the one who waits sees
    min_legal: int = 2  # moves of a choice that is learned from


class Seating(NamedTuple):
    """Which games a group has, and who plays there for what."""

    numbers: np.ndarray  # [B] among those of all ranks
    aims: np.ndarray  # [B] places in those of the reward
    guest_sides: np.ndarray  # [B] or NOBODY
    policies: np.ndarray  # [B] the guest's place among `names`, or NOBODY where a network plays it
    names: Sequence[str] = ()  # of guests that are policies


def alone(size: int, first: int = 0) -> Seating:
    """Games without guests, for one aim."""
    nobody = np.full(size, NOBODY)
    return Seating(np.arange(first, first + size), np.zeros(size, np.int64), nobody, nobody)


class Games(NamedTuple):
    """The games of a group, what is due in them, and the slots of their last T ticks."""

    states: np.ndarray  # [B]
    chance: np.ndarray  # [B] the generators of the cards
    rng: np.ndarray  # [B] those of exploration
    aims: np.ndarray  # [B] as the reward's `write_worths` knows them
    guest_sides: np.ndarray  # [B] or NOBODY
    policies: np.ndarray  # [B] or NOBODY
    # Of the choice that is due.
    words: np.ndarray  # [B, W] the position as its mover sees it
    worths: np.ndarray  # [B, worths] what outcomes are worth to it
    beside: np.ndarray  # [B, E] what only training is told of it
    counts: np.ndarray  # [B] legal moves
    kept_at: np.ndarray  # [B] where `pool` has them, or NOT_KEPT
    pool: np.ndarray  # [B x POOL]
    given: np.ndarray  # [B] the place of the move that is played whatever its value, or BY_VALUE
    marks: np.ndarray  # [B] what its slot is for
    slots: np.ndarray  # [B, T] of `slot_type`
    deal_began: np.ndarray  # [B] the tick of the deal's first choice
    num_learned: np.ndarray  # [B] slots of the deal that are learned from
    num_over: np.ndarray  # [B] matches that have ended
    has_ended: np.ndarray  # [B] whether a deal has ended since the last move
    ended: np.ndarray  # [B] how it ended, or [0] where nobody wants to know


def slot_type(width: int) -> np.dtype:
    """A slot: what was expected there [C], the payoff that the mover had already, who that was, the mark."""
    fields: list[tuple[Any, ...]] = [
        ("expected", np.float32, (width,)), ("lead", np.float32), ("mover", np.int8), ("mark", np.int8),
    ]  # fmt: skip
    return np.dtype(fields, align=True)


def scatter(games, options, num_moves, first, last):
    """Play fewer than so many random moves in games first..last-1, so that deals do not end together.

    Then as much is to be learned in each tick as in any other, from the first end of a deal on.
    """
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        state = games.states[b]
        chance, rng = games.chance[b : b + 1], games.rng[b : b + 1]
        for _ in range(below(rng, num_moves)):
            step(state, moves[below(rng, legal(state, moves))])
            settle(state, options, chance)


def advance(games, places, values, options, table, tick, play, slots, targets, first, last):
    """Play the legal move places[b] in games first..last-1, and go on to the next choice, over ends of deals.

    Of deals that end all slots that are learned from, and their targets, are written from row first x T of
    `slots` and `targets` on; these rows are returned as a range. With chance epsilon a random move is given
    for the next choice.
    """
    num_ticks, width = games.slots.shape[1], values.shape[1]
    moves, chosen = np.empty(MAX_LEGAL, np.int64), np.empty(last - first, np.int64)
    payoffs = np.empty(NUM_SEATS, np.float64)
    begin = row = first * num_ticks
    if tick >= 0:  # before the pool is filled anew
        for b in range(first, last):
            if games.kept_at[b] == NOT_KEPT:
                legal(games.states[b], moves)
                chosen[b - first] = moves[places[b]]
            else:
                chosen[b - first] = games.pool[games.kept_at[b] + places[b]]
    free = first * POOL
    for b in range(first, last):
        state = games.states[b]
        chance, rng = games.chance[b : b + 1], games.rng[b : b + 1]
        games.has_ended[b] = False
        if tick >= 0:
            slot = games.slots[b, tick % num_ticks]
            for o in range(width):
                slot.expected[o] = values[b, o]
            slot.expected[0] += slot.lead
            step(state, chosen[b - first])
        while True:
            if state.status != PLAYING:
                games.has_ended[b] = True
                if len(games.ended):
                    games.ended[b] = state
                games.num_over[b] += state.status == OVER
                label_deal(games, b, table, tick, play, slots, targets, row)
                row += games.num_learned[b]
                games.deal_began[b], games.num_learned[b] = tick + 1, 0
                settle(state, options, chance)
            is_guest = games.guest_sides[b] != NOBODY and side(state, state.seat) == games.guest_sides[b]
            by = RULE if follows_rule(state) else games.policies[b] if is_guest else NOBODY
            if by != NOBODY:
                view = games.states[b : b + 1].copy()
                hide(view[0], state.seat)
                step(state, by_policy(by, view[0], state.seat, rng))
                continue
            count = legal(state, moves)
            mark = 0
            if not is_guest:
                if count >= play.min_legal:
                    mark = COUNTED
                begins = play.waiting_share > 0 and games.guest_sides[b] == NOBODY and turn_begins(state)
                if begins and bits(rng) < play.waiting_share * WORD:
                    mark |= WAITING
                if mark and (play.learn_share == 1 or bits(rng) < play.learn_share * WORD):
                    mark |= LEARNED
            if count > 1 or mark & LEARNED:
                break
            step(state, moves[0])
        games.counts[b], games.marks[b] = count, mark
        games.num_learned[b] += mark & LEARNED
        slot = games.slots[b, (tick + 1) % num_ticks]
        slot.mover, slot.mark = state.seat, mark
        if FROM_NOW:
            payoff(state, payoffs)
            slot.lead = payoffs[state.seat]
        games.kept_at[b] = NOT_KEPT
        if free + count <= last * POOL:
            games.kept_at[b] = free
            for m in range(count):
                games.pool[free + m] = moves[m]
            free += count
        games.given[b] = BY_VALUE
        if not is_guest and bits(rng) < play.epsilon * WORD:
            games.given[b] = below(rng, count)
        encode(state, state.seat, games.words[b])
        write_worths(state, state.seat, games.aims[b], table, games.worths[b])
        if games.beside.shape[1] > 0:
            encode_beside(state, state.seat, games.beside[b])
    return begin, row


def label(games, b, table, tick, play, slots, targets, row):
    """Write the slots of a deal that has ended from `row` on, in their order, and their targets.

    These are how it ended for the mover, drawn towards what was expected at later choices of its side, and
    of the other one where one gains what the other loses (lambda returns); behind them is the outcome itself,
    where there is room.
    """
    size, num_ticks = games.slots.shape
    width = len(games.slots[b, 0].expected)
    state = games.states[b]
    worth = np.empty((NUM_SEATS, width), np.float32)
    for s in range(NUM_SEATS):
        judge(state, s, table, worth[s])
    outcome = worth.copy()
    row += games.num_learned[b]
    for t in range(tick, games.deal_began[b] - 1, -1):
        at = t % num_ticks
        slot = games.slots[b, at]
        if slot.mark & LEARNED:
            row -= 1
            slots[row] = at * size + b
            own = not slot.mark & WAITING
            for first, ended in ((0, worth), (width, outcome)):
                if first < targets.shape[1]:
                    for o in range(width):
                        targets[row, first + o] = seen_by(ended[slot.mover], o, own)
                    targets[row, first] -= slot.lead if own else -slot.lead
        if play.lambda_return == 1 or not slot.mark & COUNTED:
            continue
        for s in range(NUM_SEATS):
            together = side(state, s) == side(state, slot.mover)
            if together or TWO_SIDED:
                for o in range(width):
                    expected = seen_by(slot.expected, o, together)
                    worth[s, o] += (1 - play.lambda_return) * (expected - worth[s, o])


@compiled
def seen_by(target, o, together):
    """Number `o` of a target for the own side, or the other: one number is its opposite, classes mirrored."""
    if together:
        return target[o]
    return -target[0] if len(target) == 1 else target[len(target) - 1 - o]


def list_moves(games, starts, actions, positions, move_words, first, last):
    """Write the legal moves of games first..last-1, those of game b from starts[b] on."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        state = games.states[b]
        if games.kept_at[b] == NOT_KEPT:
            legal(state, moves)
        else:
            for m in range(games.counts[b]):
                moves[m] = games.pool[games.kept_at[b] + m]
        for m in range(games.counts[b]):
            row = starts[b] + m
            actions[row] = moves[m]
            positions[row] = b
            encode_move(state, moves[m], move_words[row])


def observe_waiting(games, index, words, first, last):
    """Write what the seat that waits sees in games index[first..last-1]."""
    for k in range(first, last):
        state = games.states[index[k]]
        encode_waiting(state, waiting_seat(state), words[k])


@compiled
def nothing_beside(state, seat, words):
    """Behind the last of those that are told more."""


def encode_one_of_them(state, seat, words):
    """The words of one, and behind them those of the others."""
    encode(state, seat, words[:NUM_OF_ONE])
    others(state, seat, words[NUM_OF_ONE:])


def encoded_together(spec: GameSpec, beside: Sequence[Beside]) -> Any:
    """The compiled function that writes the words of all of them, one after the other."""
    found = nothing_beside
    for each in reversed(beside):
        names = {"encode": each.encode, "others": found, "NUM_OF_ONE": each.num_words}
        found = spec.kernels.bind(encode_one_of_them, each.encode.__name__, **names)
    return found


@compiled
def never(state):
    """Where no turn is told to who waits, and where networks make all decisions."""
    return False


@compiled
def no_policy(number, view, seat, rng):
    """Behind the last policy."""
    return -1


def one_of_them(number, view, seat, rng):
    """The move of the policy of this number."""
    if number == 0:
        return policy(view, seat, rng)
    return others(number - 1, view, seat, rng)


def chosen_from(spec: GameSpec, names: Sequence[str]) -> Any:
    """The compiled choice of a move by one of some policies: (number, view, seat, rng)."""
    found = no_policy
    for number, name in reversed(list(enumerate(names))):
        owner = ".".join(names[number:])
        found = spec.kernels.bind(one_of_them, owner, policy=spec.policy(name).choose, others=found)
    return found


class Choices(NamedTuple):
    """What is to be decided in all games: the moves of game b are rows starts[b] to starts[b + 1] - 1.

    There are none where actions are columns.
    """

    words: np.ndarray  # [B, W] int64, the positions as their movers see them
    worths: np.ndarray  # [B, worths] float32, what outcomes are worth to them
    starts: np.ndarray  # [B + 1]
    actions: np.ndarray  # [M] in the smallest type that holds them
    positions: np.ndarray  # [M] int32, whose they are
    move_words: np.ndarray  # [M, V] int64


class Deals:
    """A group of games that never stop, of the seed's group `number`.

    Rewards are judged by the `table`, which may change. With `notes` the games tell how deals have ended;
    with `outcomes` targets come with their outcomes. Training is told what is `beside`. The first deals of
    games that are `scattered` have begun, with random moves.
    """

    def __init__(
        self,
        game: Game,
        reader: Reader,
        reward: Reward,
        seating: Seating,
        play: Play,
        seed: int,
        number: int = 0,
        *,
        table: np.ndarray = NO_TABLE,
        notes: bool = False,
        outcomes: bool = False,
        beside: Sequence[Beside] = (),
        scattered: bool = False,
        room: Room = np.zeros,
    ):
        spec = game.spec
        self.game, self.size, self.tick = game, len(seating.numbers), -1
        size = self.size
        self.num_ticks = ticks = game.deal_decisions
        self.action_dtype = spec.kernels.item_type
        self._table, self._waits, self._lists = table, play.waiting_share > 0, not reader.has_columns
        num_streams = int(seating.numbers.max()) + 1
        self.games = Games(
            states=spec.new_states(size),
            chance=training_streams(seed, TRAINING_CHANCE, number, 0, num_streams)[seating.numbers],
            rng=training_streams(seed, TRAINING_SAMPLE, number, 0, num_streams)[seating.numbers],
            aims=np.array(reward.codes)[seating.aims],
            guest_sides=seating.guest_sides.copy(),
            policies=seating.policies,
            words=room((size, reader.num_words), np.int64),
            worths=room((size, reward.num_worths), np.float32),
            beside=room((size, sum(each.num_words for each in beside)), np.int64),
            counts=np.zeros(size, np.int64),
            kept_at=np.zeros(size, np.int64),
            pool=np.zeros(size * POOL, self.action_dtype),
            given=room((size,), np.int64),
            marks=np.zeros(size, np.int8),
            slots=np.zeros((size, ticks), slot_type(reward.width)).view(np.recarray),
            deal_began=np.zeros(size, np.int64),
            num_learned=np.zeros(size, np.int64),
            num_over=np.zeros(size, np.int64),
            has_ended=np.zeros(size, np.bool_),
            ended=spec.new_states(size if notes else 0),
        )
        self.num_targets = (1 + outcomes) * reward.width
        # What can be learned from after a move: all slots, if every deal ends with it.
        self._slots = np.empty(size * ticks, np.int64)
        self._targets = np.empty((size * ticks, self.num_targets), np.float32)
        self._room, self._num_move_words = room, reader.num_move_words
        self._starts = room((size + 1,), np.int64)
        self._waiting = room((size,), np.int64), room((size, reader.num_words), np.int64)
        self._make_room(size * POOL * self._lists)
        # What the networks do not decide before play follows the rule by which players do that (`agents`).
        rule = [spec.fallback] if spec.is_bidding and BID not in reader.encoding.DECISION_KINDS else []
        policies = [*seating.names, *rule]
        names = {
            "settle": spec.kernels.settle, "judge": reward.judge, "write_worths": reward.write_worths,
            "encode": reader.encode, "encode_move": reader.encode_move, "turn_begins": never,
            "by_policy": chosen_from(spec, policies), "encode_beside": encoded_together(spec, beside),
            "follows_rule": spec.is_bidding if rule else never, "RULE": len(seating.names),
            "FROM_NOW": reward.is_from_now_on,
        }  # fmt: skip
        if self._waits:
            turn: Any = spec.turn
            names |= {"turn_begins": turn.turn_begins, "waiting_seat": turn.waiting_seat}
            names["encode_waiting"] = reader.encode_waiting
        owner = ".".join([reward.judge.__name__, *policies, "waiting" * self._waits, "ruled" * len(rule)])
        names["label_deal"] = spec.kernels.bind(label, owner, **names)
        self._advance, self._list_moves, self._observe_waiting = (
            spec.kernels.bind(loop, owner, **names) for loop in (advance, list_moves, observe_waiting)
        )
        split(spec.kernels.start_all, self.games.states, game.option_codes, self.games.chance, count=size)
        if scattered:
            loop = spec.kernels.bind(scatter)
            split(loop, self.games, game.option_codes, ticks, count=size, min_share=MIN_SHARE)
        nothing = np.zeros((size, reward.width), np.float32)
        self.play(np.zeros(size, np.int64), nothing, play._replace(epsilon=0.0))
        self.games.num_over[:] = 0  # nobody made a choice in those

    @property
    def num_games(self) -> int:
        """Matches that have ended."""
        return int(self.games.num_over.sum())

    def play(self, places: np.ndarray, values: np.ndarray, play: Play) -> tuple[np.ndarray, np.ndarray]:
        """Play a legal move in each game, by its place among them [B]; its mover expected `values` [B, C].

        Returns what can be learned from now: slots [N], which are tick % T x B + game, and targets [N, C].
        """
        ranges = split(
            self._advance, self.games, places, values, self.game.option_codes, self._table, self.tick, play,
            self._slots, self._targets, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.tick += 1
        self.list_moves()
        slots, targets = (
            np.concatenate([array[begin:end] for begin, end in ranges])
            for array in (self._slots, self._targets)
        )
        return slots, targets

    def list_moves(self) -> None:
        """Write down all legal moves, if they are read."""
        if not self._lists:
            return
        np.cumsum(self.games.counts, out=self._starts[1:])
        count = int(self._starts[-1])
        if count > len(self._rows[0]):
            self._make_room(2 * count)
        rows = (array[:count] for array in self._rows)
        split(self._list_moves, self.games, self._starts, *rows, count=self.size, min_share=MIN_SHARE)

    @property
    def choices(self) -> Choices:
        """What is to be decided."""
        rows = (array[: self._starts[-1]] for array in self._rows)
        return Choices(self.games.words, self.games.worths, self._starts, *rows)

    def waiting(self) -> tuple[np.ndarray, np.ndarray]:
        """The games [K] whose slots are for who waits, and what that one sees [K, W]."""
        found = np.flatnonzero(self.games.marks & LEARNED & self.games.marks // WAITING)
        index, words = (array[: len(found)] for array in self._waiting)
        index[:] = found
        if len(found):
            split(self._observe_waiting, self.games, index, words, count=len(found), min_share=MIN_SHARE)
        return index, words

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
        self.list_moves()
