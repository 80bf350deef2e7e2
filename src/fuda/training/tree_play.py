"""Self-play by tree search with open hands, many games at once: the CPU's half of that training.

Each game has a tree. A step takes the values of all leaves and goes on to the next ones; where a tree has
made its iterations its move is played and the next decision's tree begins, so every leaf of every step
is one to value, whatever the number of legal moves. The value of a leaf is the mover's: two sides play.

B games, D the most decisions of a deal, A the most legal actions, W words of an encoded position.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from fuda.core.game import Game, GameSpec
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.ragged import item_type
from fuda.core.state import PLAYING
from fuda.core.threads import split
from fuda.search.network_tree import ACTION, CHILD, MIN_SHARE, ROOT, Edges, NetworkTrees, TreeSetting, loops

# Stand-ins, replaced when the loops are bound.
step = legal = payoff = settle = redeal = hide = encode = begin = descend = accept = unbound
open_search = draw_by_value = unbound
MAX_LEGAL = NUM_SEATS = 0

WORD = float(2**32)
NO_LOGITS = np.zeros(1, np.float32)


class Games(NamedTuple):
    """Games that are played by search, and the decisions of their deals."""

    states: np.ndarray  # [B]
    chance: np.ndarray  # [B] the generators of the cards
    rng: np.ndarray  # [B] those of search and exploration
    idle: np.ndarray  # [B] 1 where the deal is over and no other begins
    ended: np.ndarray  # [B] 1 where a deal has just ended
    finals: np.ndarray  # [B] its last state
    lengths: np.ndarray  # [B] and the number of its decisions
    num_decisions: np.ndarray  # [B] of the deal under way
    words: np.ndarray  # [B, D, W] the position of each decision
    actions: np.ndarray  # [B, D, A] its legal actions, in the smallest type that holds them
    counts: np.ndarray  # [B, D] how many they are
    gains: np.ndarray  # [B, D, A] what each gains for the mover from then on


class How(NamedTuple):
    """How games are played."""

    exploration: float  # of the trees, in points
    per_legal: int  # iterations of a tree for each legal action
    skip_forced: bool  # forced moves are neither searched nor learned from
    hidden: bool  # search a redeal of what the mover cannot see, instead of the truth
    explore: float  # the chance of an action drawn by its gain instead of the best
    sharpness: float  # of that draw: what a point counts
    refill: bool  # where a deal ends the next begins; else the game is idle


def open_search_in(tree, nodes, edges, path, root, leaf, states, rng, how, b, moves):
    """Begin the tree of the decision that is due in game b; False if the deal is over."""
    state = states[b]
    if how.skip_forced:
        while legal(state, moves) == 1:
            step(state, moves[0])
    if state.status != PLAYING:
        return False
    root[b] = states[b]
    if how.hidden:
        hide(root[b], state.seat)
        redeal(root[b], state.seat, rng[b : b + 1])
    begin(tree, nodes, edges, path, root, leaf, b, how.per_legal * legal(state, moves), False, moves)
    return True


def draw_by_value_of(gains, count, sharpness, rng):
    """A place among gains [count] with chances softmax(sharpness x gain)."""
    top = gains[:count].max()
    total = 0.0
    for m in range(count):
        total += np.exp(sharpness * (gains[m] - top))
    left = bits(rng) / WORD * total
    for m in range(count):
        left -= np.exp(sharpness * (gains[m] - top))
        if left < 0:
            return m
    return count - 1


def open_all(tree, nodes, edges, path, root, leaf, games, how, options, first, last):
    """Deal in the games that are over, and begin the search of each game's first decision."""
    moves, states = np.empty(MAX_LEGAL, np.int64), games.states
    for b in range(first, last):
        settle(states[b], options, games.chance[b : b + 1])
        games.idle[b] = 0
        games.num_decisions[b] = 0
        open_search(tree, nodes, edges, path, root, leaf, states, games.rng, how, b, moves)


def play_on(
    tree, nodes, edges, path, root, leaf, games, how, options, values, asked, first, last
):  # fmt: skip
    """Give each leaf its value [B], and go on until each game waits for the next, or is over.

    The leaf that waits is written to `asked` [B, W]. A finished search is written down as a decision: the
    position's words, its legal actions, and what each gains.
    """
    moves, payoffs = np.empty(MAX_LEGAL, np.int64), np.empty(NUM_SEATS, np.float64)
    states, num_decisions = games.states, games.num_decisions
    words, actions, counts, gains = games.words, games.actions, games.counts, games.gains
    for b in range(first, last):
        games.ended[b] = 0
        if games.idle[b]:
            continue
        rng = games.rng[b : b + 1]
        if tree[b].waiting:
            accept(tree, nodes, edges, path, leaf, b, values[b:], NO_LOGITS, False, payoffs)
        while not descend(
            tree, nodes, edges, path, root, leaf, b, how.exploration, False, how.skip_forced, rng, moves,
            payoffs,
        ):  # fmt: skip
            row = num_decisions[b]
            num_decisions[b] += 1
            node = nodes[b, ROOT]
            mover = root[b].seat
            payoff(root[b], payoffs)
            lead = payoffs[mover]
            encode(root[b], mover, words[b, row])
            num_legal = np.int64(node.num_legal)
            counts[b, row] = num_legal
            best = 0
            for m in range(num_legal):
                child = nodes[b, edges[CHILD][b, node.first + m]]
                actions[b, row, m] = edges[ACTION][b, node.first + m]
                gains[b, row, m] = child.total[mover] / child.visits - lead
                if gains[b, row, m] > gains[b, row, best]:
                    best = m
            if how.explore > 0 and bits(rng) < how.explore * WORD:
                best = draw_by_value(gains[b, row], num_legal, how.sharpness, rng)
            step(states[b], np.int64(edges[ACTION][b, node.first + best]))
            if open_search(tree, nodes, edges, path, root, leaf, states, games.rng, how, b, moves):
                continue
            games.ended[b] = 1
            games.finals[b] = states[b]
            games.lengths[b] = num_decisions[b]
            num_decisions[b] = 0
            if not how.refill:
                games.idle[b] = 1
                break
            settle(states[b], options, games.chance[b : b + 1])
            open_search(tree, nodes, edges, path, root, leaf, states, games.rng, how, b, moves)
        if tree[b].waiting:
            encode(leaf[b], leaf[b].seat, asked[b])


def gather_all(games, ended, starts, kept, first, last):
    """Copy the decisions of the games `ended` [G] to `kept`, each game's from its place `starts` [G] on."""
    words, actions, counts, gains = kept
    for k in range(first, last):
        b = ended[k]
        for row in range(games.lengths[b]):
            to = starts[k] + row
            words[to] = games.words[b, row]
            actions[to] = games.actions[b, row]
            counts[to] = games.counts[b, row]
            gains[to] = games.gains[b, row]


class Decisions(NamedTuple):
    """Decisions of some games, one game after the other."""

    lengths: np.ndarray  # [G] of each game
    words: np.ndarray  # [N, W]
    actions: np.ndarray  # [N, A]
    counts: np.ndarray  # [N]
    gains: np.ndarray  # [N, A]

    @classmethod
    def joined(cls, parts: Sequence["Decisions"]) -> "Decisions":
        """Those of several."""
        return cls(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def cut(self, games: int) -> tuple["Decisions", "Decisions"]:
        """Those of the first games, and the rest."""
        rows = int(self.lengths[:games].sum())
        return (
            Decisions(self.lengths[:games], *(each[:rows] for each in self[1:])),
            Decisions(self.lengths[games:], *(each[rows:] for each in self[1:])),
        )


def room_of(spec: GameSpec, encoding: ModuleType, shape: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Room for decisions: words, actions, counts and gains, each [*shape, ..]."""
    return (
        np.zeros((*shape, encoding.NUM_WORDS), np.int64),
        np.zeros((*shape, spec.max_legal), spec.kernels.item_type),
        np.ones(shape, item_type(spec.max_legal + 1)),
        np.zeros((*shape, spec.max_legal), np.float32),
    )


class TreePlay:
    """A group of games that are played by search, and the decisions made in them."""

    def __init__(
        self,
        game: Game,
        encoding: ModuleType,
        size: int,
        seed: int,
        setting: TreeSetting,
        *,
        sharpness: float,
        per_legal: int = 2,
        refill: bool = True,
        hidden: bool = False,
        explore: float = 0.0,
        asked: np.ndarray | None = None,
        group: int = 0,
    ):
        """The leaves that wait for their values are written to `asked` [B, W] int64, if it is given.

        Deals are those of a seed and a group's number in training.
        """
        spec = game.spec
        self.game = game
        self.size = size
        self._how = How(
            setting.exploration, per_legal, setting.skip_forced, hidden, explore, sharpness, refill
        )
        self.trees = NetworkTrees(spec, size, per_legal * spec.max_legal, setting)
        self.games = Games(
            spec.new_states(size),
            training_streams(seed, TRAINING_CHANCE, group, 0, size),
            training_streams(seed, TRAINING_SAMPLE, group, 0, size),
            np.ones(size, np.int8),
            np.zeros(size, np.int8),
            spec.new_states(size),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            *room_of(spec, encoding, (size, spec.max_deal_decisions)),
        )
        self.asked = np.zeros((size, encoding.NUM_WORDS), np.int64) if asked is None else asked
        self.num_games = 0
        names = vars(loops(spec)) | {
            "settle": spec.kernels.settle, "redeal": spec.rules.redeal, "encode": encoding.encode,
        }  # fmt: skip
        bind = spec.kernels.bind
        owner = encoding.__name__.rpartition(".")[2]
        names["open_search"] = bind(open_search_in, owner, **names)
        names["draw_by_value"] = bind(draw_by_value_of, owner)
        self._open_all, self._play_on, self._gather = (
            bind(loop, owner, **names) for loop in (open_all, play_on, gather_all)
        )
        spec.kernels.start_all(self.games.states, game.option_codes, self.games.chance, 0, size)
        self.open()

    @property
    def is_idle(self) -> bool:
        """Whether all games are over."""
        return bool(self.games.idle.all())

    def open(self) -> None:
        """Begin a game in every place; those that are under way are begun again where they stand."""
        split(
            self._open_all, *self.trees.arrays, self.games, self._how, self.game.option_codes,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.advance(np.zeros(self.size, np.float32))

    def advance(self, values: np.ndarray) -> None:
        """Take the values [B] of the leaves, in points for their movers, and go to the next leaves."""
        self.trees.make_room()
        split(
            self._play_on, *self.trees.arrays, self.games, self._how, self.game.option_codes, values,
            self.asked, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.num_games += int(self.games.ended.sum())

    def harvest(self) -> Decisions:
        """The decisions of the games that have just ended."""
        ended = np.flatnonzero(self.games.ended)
        lengths = self.games.lengths[ended]
        count = int(lengths.sum())
        rooms = self.games[-4:]
        kept = tuple(np.empty((count, *room.shape[2:]), room.dtype) for room in rooms)
        split(self._gather, self.games, ended, np.cumsum(lengths) - lengths, kept, count=len(ended))
        return Decisions(lengths, *kept)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        trees = {name: getattr(self.trees, name) for name in ("trees", "nodes", "paths", "roots", "leaves")}
        trees |= self.trees.edges._asdict()
        return self.games._asdict() | trees | {"asked": self.asked, "num_games": np.array([self.num_games])}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on where `arrays` was taken."""
        self.num_games = int(arrays["num_games"][0])
        self.trees.edges = Edges(*(np.zeros_like(arrays[name]) for name in Edges._fields))  # as wide as then
        for name, mine in self.arrays().items():
            if name != "num_games":
                mine[...] = arrays[name]
