"""Self-play by tree search with open hands, many games at once: the CPU's half of that training.

Each game has a tree. A step takes the values of all leaves and goes on to the next ones; where a tree has
made its iterations its card is played and the next decision's tree begins, so every leaf of every step
is one to value, whatever the number of legal cards. Where more than two sides play, a leaf has a value for
each seat.

B games, D the most decisions of a deal, A the most legal actions, W words of an encoded position, S seats,
V values of a leaf: 1, or S.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from fuda.core.game import Game
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, bits, training_streams
from fuda.core.kernels import unbound
from fuda.core.state import PLAYING
from fuda.core.threads import split
from fuda.search.network_tree import ACTION, CHILD, MIN_SHARE, ROOT, Edges, NetworkTrees, TreeSetting, loops

# Stand-ins, replaced when the loops are bound.
step = legal = payoff = settle = redeal = hide = encode = begin = descend = accept = unbound
open_search = draw_by_value = unbound
MAX_LEGAL = NUM_SEATS = NUM_VALUES = 0

WORD = float(2**32)
NO_LOGITS = np.zeros(1, np.float32)


def open_search_in(
    tree, nodes, edges, path, root, leaf, games, b, per_legal, skip_forced, hidden, rng, moves
):
    """Begin the tree of the decision that is due in game b; False if the deal is over."""
    if skip_forced:
        while legal(games[b], moves) == 1:
            step(games[b], moves[0])
    if games[b].status != PLAYING:
        return False
    root[b] = games[b]
    if hidden:
        hide(root[b], games[b].seat)
        redeal(root[b], games[b].seat, rng)
    begin(tree, nodes, edges, path, root, leaf, b, per_legal * legal(games[b], moves), False, moves)
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


def open_all(
    tree, nodes, edges, path, root, leaf, games, options, chance, luck, per_legal, skip_forced, hidden, idle,
    num_decisions, first, last,
):  # fmt: skip
    """Deal in the games that are over, and begin the search of each game's first decision."""
    moves = np.empty(MAX_LEGAL, np.int64)
    for b in range(first, last):
        settle(games[b], options, chance[b : b + 1])
        idle[b] = 0
        num_decisions[b] = 0
        rng = luck[b : b + 1]
        open_search(
            tree, nodes, edges, path, root, leaf, games, b, per_legal, skip_forced, hidden, rng, moves
        )


def play_on(
    tree, nodes, edges, path, root, leaf, games, options, chance, luck, found, exploration, per_legal,
    skip_forced, hidden, explore, sharpness, refill, idle, ended, finals, num_decisions, lengths, words,
    actions, counts, gains, asked, first, last,
):  # fmt: skip
    """Give each leaf its values `found` [B x V], and go on until each game waits for the next, or is over.

    The leaf that waits is written to `asked` [B x V, W]. A finished search is written down as a decision: the
    position's words, its legal actions, and what each gains for the mover from now on. Where a deal
    ends `ended` is 1, `finals` its last state and `lengths` the number of its decisions; with `refill` the
    next deal begins, else the game is idle.
    """
    moves, payoffs = np.empty(MAX_LEGAL, np.int64), np.empty(NUM_SEATS, np.float64)
    for b in range(first, last):
        ended[b] = 0
        if idle[b]:
            continue
        rng = luck[b : b + 1]
        if tree[b].waiting:
            accept(tree, nodes, edges, path, leaf, b, found[b * NUM_VALUES :], NO_LOGITS, False, payoffs)
        while not descend(
            tree, nodes, edges, path, root, leaf, b, exploration, False, skip_forced, rng, moves, payoffs
        ):
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
            if explore > 0 and bits(rng) < explore * WORD:
                best = draw_by_value(gains[b, row], num_legal, sharpness, rng)
            step(games[b], np.int64(edges[ACTION][b, node.first + best]))
            if open_search(
                tree, nodes, edges, path, root, leaf, games, b, per_legal, skip_forced, hidden, rng, moves
            ):
                continue
            ended[b] = 1
            finals[b] = games[b]
            lengths[b] = num_decisions[b]
            num_decisions[b] = 0
            if not refill:
                idle[b] = 1
                break
            settle(games[b], options, chance[b : b + 1])
            open_search(
                tree, nodes, edges, path, root, leaf, games, b, per_legal, skip_forced, hidden, rng, moves
            )
        if tree[b].waiting:
            if NUM_VALUES == 1:
                encode(leaf[b], leaf[b].seat, asked[b])
            else:
                for seat in range(NUM_SEATS):
                    encode(leaf[b], seat, asked[b * NUM_VALUES + seat])


def gather_all(games, starts, lengths, words, actions, counts, gains, kept, first, last):
    """Copy the decisions of `games` [G] to `kept`, each game's from its place `starts` [G] on."""
    to_words, to_actions, to_counts, to_gains = kept
    for k in range(first, last):
        b = games[k]
        for row in range(lengths[b]):
            to = starts[k] + row
            to_words[to] = words[b, row]
            to_actions[to] = actions[b, row]
            to_counts[to] = counts[b, row]
            to_gains[to] = gains[b, row]


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
        """The leaves that wait for their values are written to `asked` [B x V, W] int64, if it is given.

        Deals are those of a seed and a group's number in training.
        """
        spec = game.spec
        self.game = game
        self.size = size
        self._how = (setting.exploration, per_legal, setting.skip_forced, hidden, explore, sharpness, refill)
        self._open_how = (per_legal, setting.skip_forced, hidden)
        self.trees = NetworkTrees(spec, size, per_legal * spec.max_legal, setting)
        self.games, self.finals = spec.new_states(size), spec.new_states(size)
        self.chance = training_streams(seed, TRAINING_CHANCE, group, 0, size)
        self.luck = training_streams(seed, TRAINING_SAMPLE, group, 0, size)
        self.idle, self.ended = np.ones(size, np.int8), np.zeros(size, np.int8)
        self.num_decisions, self.lengths = np.zeros(size, np.int64), np.zeros(size, np.int64)
        most = spec.max_deal_decisions
        self.words = np.zeros((size, most, encoding.NUM_WORDS), np.int64)
        self.actions = np.zeros((size, most, spec.max_legal), np.int8)
        self.counts = np.zeros((size, most), np.int8)
        self.gains = np.zeros((size, most, spec.max_legal), np.float32)
        num_values = 1 if spec.two_sided else spec.seats
        self.asked = np.zeros((size * num_values, encoding.NUM_WORDS), np.int64) if asked is None else asked
        self.num_games = 0
        rules = spec.rules
        names = vars(loops(spec)) | {
            "settle": spec.kernels.settle, "redeal": rules.redeal, "encode": encoding.encode,
            "NUM_VALUES": num_values,
        }  # fmt: skip
        bind = spec.kernels.bind
        owner = encoding.__name__.rpartition(".")[2]
        names["open_search"] = bind(open_search_in, owner, **names)
        names["draw_by_value"] = bind(draw_by_value_of, owner)
        self._open_all, self._play_on, self._gather = (
            bind(loop, owner, **names) for loop in (open_all, play_on, gather_all)
        )
        spec.kernels.start_all(self.games, game.option_codes, self.chance, 0, size)
        self.open()

    def open(self) -> None:
        """Begin a game in every place; those that are under way are begun again where they stand."""
        trees = self.trees
        split(
            self._open_all, *trees.arrays, self.games,
            self.game.option_codes, self.chance, self.luck, *self._open_how, self.idle, self.num_decisions,
            count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.advance(np.zeros(len(self.asked), np.float32))

    def advance(self, found: np.ndarray) -> None:
        """Take the values [B x V] of the leaves, in points for the seats asked, and go to the next leaves."""
        trees = self.trees
        trees.make_room()
        split(
            self._play_on, *trees.arrays, self.games,
            self.game.option_codes, self.chance, self.luck, found, *self._how, self.idle, self.ended,
            self.finals, self.num_decisions, self.lengths, self.words, self.actions, self.counts, self.gains,
            self.asked, count=self.size, min_share=MIN_SHARE,
        )  # fmt: skip
        self.num_games += int(self.ended.sum())

    def harvest(self) -> Decisions:
        """The decisions of the games that have just ended."""
        games = np.flatnonzero(self.ended)
        lengths = self.lengths[games]
        count = int(lengths.sum())
        rooms = (self.words, self.actions, self.counts, self.gains)
        kept = tuple(np.empty((count, *room.shape[2:]), room.dtype) for room in rooms)
        starts = np.cumsum(lengths) - lengths
        split(self._gather, games, starts, self.lengths, *rooms, kept, count=len(games))
        return Decisions(lengths, *kept)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resumed run needs to go on as if nothing had happened."""
        trees = self.trees
        names = (
            "games", "chance", "luck", "idle", "num_decisions", "words", "actions", "counts", "gains",
        )  # fmt: skip
        found = {name: getattr(self, name) for name in names}
        found |= {name: getattr(trees, name) for name in ("trees", "nodes", "paths", "roots", "leaves")}
        found |= trees.edges._asdict()
        return found | {"num_games": np.array([self.num_games])}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on where `arrays` was taken."""
        self.num_games = int(arrays["num_games"][0])
        self.trees.edges = Edges(*(np.zeros_like(arrays[name]) for name in Edges._fields))  # as wide as then
        for name, mine in self.arrays().items():
            if name != "num_games":
                mine[...] = arrays[name]
