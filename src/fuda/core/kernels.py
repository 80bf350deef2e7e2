"""Loops over many matches, written once and compiled for each game.

The functions below are plain Python that names the game's functions (`start`, `deal`, `legal`, `step`,
`scores`, `side`, `payoff`, `hide`, `redeal`) and sizes as globals. `Kernels` re-binds them to one game and
compiles them, so that the machine code is kept on disk like the rules' own.

B matches, K of them chosen by `index`, A the most legal actions, S seats.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuda.core.compile import bind
from fuda.core.generator import below, shuffle
from fuda.core.one_match import OneMatch
from fuda.core.ragged import Lists, item_type
from fuda.core.state import AWAITING_DEAL, OVER
from fuda.core.threads import split

if TYPE_CHECKING:
    from fuda.core.game import GameSpec

ALL_LEGAL = -1
ROOM = 8  # items for each list, at first: where the lists are longer they get more


def unbound(*_: object) -> Any:
    """What a kernel calls before it is bound to a game."""
    raise NotImplementedError("a kernel is used through the Kernels of a game")


# Stand-ins for the game's functions and sizes, replaced when a kernel is bound.
start = deal = legal = step = scores = hide = policy = is_bidding = unbound
DECK = np.empty(0, np.int8)
MAX_LEGAL = NUM_ACTIONS = 0
ITEM = np.int64


def deal_from(state, rng):
    """Shuffle and deal, again where the rules say so."""
    deck = DECK.copy()
    shuffle(rng, deck, len(deck))
    while not deal(state, deck):
        shuffle(rng, deck, len(deck))


def start_all(states, options, rngs, first, last):
    """Start and deal matches first..last-1."""
    for i in range(first, last):
        start(states[i], options, rngs[i : i + 1])
        deal_from(states[i], rngs[i : i + 1])


def view_movers(states, index, views, seats, first, last):
    """Write the mover's view of match index[k] to views[k], and the seat to seats[k]."""
    for k in range(first, last):
        i = index[k]
        seats[k] = states[i].seat
        views[k] = states[i]
        hide(views[k], seats[k])


def play_all(states, index, actions, rngs, first, last):
    """Play actions[k] in match index[k] and deal where a round ended.

    Returns the first k whose action is not legal, before it is played, or ALL_LEGAL. Where more actions are
    legal than the game declares, minus their number.
    """
    moves = np.empty(NUM_ACTIONS, np.int64)  # room for all, whatever the game declares
    for k in range(first, last):
        i = index[k]
        count = legal(states[i], moves)
        if count > MAX_LEGAL:
            return -count
        found = False
        for m in range(count):
            if moves[m] == actions[k]:
                found = True
        if not found:
            return k
        step(states[i], actions[k])
        if states[i].status == AWAITING_DEAL:
            deal_from(states[i], rngs[i : i + 1])
    return ALL_LEGAL


def most_legal(states, first, last):
    """The most actions that are legal in one of the states first..last-1."""
    moves = np.empty(NUM_ACTIONS, np.int64)
    most = 0
    for i in range(first, last):
        most = max(most, legal(states[i], moves))
    return most


def score_all(states, out):
    """Scores of all matches, [B, S]."""
    for i in range(len(states)):
        scores(states[i], out[i])


def legal_all(views, actions, counts, first, last):
    """The legal actions of each view, the rest of a row filled up with the first of them."""
    for k in range(first, last):
        counts[k] = legal(views[k], actions[k])
        for m in range(counts[k], actions.shape[1]):
            actions[k, m] = actions[k, 0]


def list_legal(views, starts, room, first, last):
    """The legal actions of views first..last-1, one list after the other; starts[k + 1] is how many k has.

    `room` is for so many of each view, at first.
    """
    moves = np.empty(MAX_LEGAL, np.int64)
    items = np.empty(room * (last - first), ITEM)
    used = 0
    for k in range(first, last):
        count = legal(views[k], moves)
        if used + count > len(items):
            wider = np.empty(max(2 * len(items), used + count), ITEM)
            wider[:used] = items[:used]
            items = wider
        for m in range(count):
            items[used + m] = moves[m]
        used += count
        starts[k + 1] = count
    return items[:used]


def find_bids(views, found, first, last):
    """Write where a bid is due."""
    for k in range(first, last):
        found[k] = is_bidding(views[k])


def choose_all(views, seats, rngs, actions, first, last):
    """Ask a policy for its action in each view."""
    for k in range(first, last):
        actions[k] = policy(views[k], seats[k], rngs[k : k + 1])


def choose_random(view, seat, rng):
    """A policy: uniform over the legal actions."""
    moves = np.empty(MAX_LEGAL, np.int64)
    return moves[below(rng, legal(view, moves))]


def settle(state, options, rng):
    """After a step: deal the next round, or begin the next match, where one has ended."""
    if state.status == OVER:
        start(state, options, rng)
    if state.status == AWAITING_DEAL:
        deal_from(state, rng)


def run_random(states, options, rngs, decisions, moves):
    """Uniform random play of all matches in turn, each begun again when over; for the benchmark."""
    i = 0
    for _ in range(decisions):
        rng = rngs[i : i + 1]
        step(states[i], moves[below(rng, legal(states[i], moves))])
        settle(states[i], options, rng)
        i = (i + 1) % len(states)


def run_random_on_views(states, options, rngs, decisions, moves, views):
    """The same, with the mover's view built for every decision and the move chosen from it."""
    i = 0
    for _ in range(decisions):
        rng = rngs[i : i + 1]
        views[i] = states[i]
        hide(views[i], states[i].seat)
        step(states[i], moves[below(rng, legal(views[i], moves))])
        settle(states[i], options, rng)
        i = (i + 1) % len(states)


class Kernels:
    """The loops above, bound to one game and compiled on first use."""

    def __init__(self, spec: "GameSpec"):
        self._id = spec.id
        rules = spec.rules
        functions = ("start", "deal", "legal", "step", "scores", "side", "payoff", "hide", "redeal")
        self._names: dict[str, Any] = {name: getattr(rules, name) for name in functions}
        self._names["NUM_SEATS"] = spec.seats
        self._names["TWO_SIDED"] = spec.two_sided
        self._names["DECK"] = np.array(spec.deck, np.int8)
        self._names["MAX_LEGAL"] = spec.max_legal
        self._names["NUM_ACTIONS"] = spec.num_actions
        self.item_type = self._names["ITEM"] = item_type(spec.num_actions)
        self._choosers: dict[Callable[..., Any], Any] = {}
        self.deal_from = self.bind(deal_from)
        self._names["deal_from"] = self.deal_from
        self.settle = self.bind(settle)
        self._names["settle"] = self.settle
        self.start_all = self.bind(start_all)
        self.view_movers = self.bind(view_movers)
        self.play_all = self.bind(play_all)
        self.most_legal = self.bind(most_legal)
        self.score_all = self.bind(score_all)
        self.legal_all = self.bind(legal_all)
        self.list_legal = self.bind(list_legal)
        self._find_bids = self.bind(find_bids, is_bidding=spec.is_bidding) if spec.is_bidding else None
        self.choose_random = self.bind(choose_random)
        self.run_random = self.bind(run_random)
        self.run_random_on_views = self.bind(run_random_on_views)
        self.one = OneMatch(self.bind, rules.STATE, spec.max_legal)

    def bind(self, function: Callable[..., Any], owner: str = "", **names: Any) -> Any:
        """Compile any loop that names this game's functions, or those given, as globals.

        `owner` tells apart the copies of a loop for the same game, in the cache too.
        """
        owner = f"{self._id}.{owner}" if owner else self._id
        return bind(function, owner, {**self._names, **names})

    def legal_lists(self, views: np.recarray) -> Lists:
        """The legal actions of views [K] (of a position that is over: none), by all cores."""
        starts = np.zeros(len(views) + 1, np.int64)
        shares = split(self.list_legal, views, starts, ROOM, count=len(views))
        np.cumsum(starts, out=starts)
        return Lists(np.concatenate(shares), starts)

    def bids(self, views: np.recarray) -> np.ndarray:
        """Where a bid is due [K], by all cores."""
        found = np.zeros(len(views), np.bool_)
        if self._find_bids is not None:
            split(self._find_bids, views, found, count=len(views))
        return found

    def chooser(self, name: str, choose: Callable[..., Any]) -> Any:
        """`choose_all` for one policy; made once, however many agents play it."""
        if choose not in self._choosers:
            self._choosers[choose] = self.bind(choose_all, name, policy=choose)
        return self._choosers[choose]
