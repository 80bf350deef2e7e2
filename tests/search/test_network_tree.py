"""Trees with a network at their leaves: toys with known values, a slow reference, exact endings."""

import math
import random

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, below, streams
from fuda.core.ragged import segment_argmax, segment_max
from fuda.core.state import PLAYING
from fuda.core.threads import limited_to
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS
from fuda.search import network_tree
from fuda.search.exact import solve, solved_payoffs
from fuda.search.network_tree import NetworkTrees, TreeSetting
from tests.games.gongzhu.reference import Table, points
from tests.payoffs import payoff_of
from tests.search import toys
from tests.search.test_exact import PLANTED, near_the_end

GONGZHU = fuda.game("gongzhu").spec


def nothing(leaves, seats):
    """An evaluator that expects no gain and prefers nothing."""
    return np.zeros(len(leaves)), np.zeros((len(leaves), 64), np.float32)


def grow(spec, states, iterations, setting, evaluate=nothing, seed=1):
    trees = NetworkTrees(spec, len(states), int(np.max(iterations)), setting)
    trees.roots[:] = states
    return trees.search(
        np.broadcast_to(iterations, len(states)).astype(np.int64),
        streams(seed, SAMPLE, 0, len(states)),
        evaluate,
    )


def dealt(spec, decks):
    states = spec.new_states(len(decks))
    for state, deck in zip(states, decks, strict=True):
        spec.rules.start(state, np.zeros(0, np.int64), streams(1, 0, 0, 1))
        spec.rules.deal(state, np.array(deck, np.int8))
    return states


def endings(num_tricks: int, count: int) -> np.recarray:
    """Positions of random matches with so many tricks to come, at any place in the first of them."""
    luck = random.Random(num_tricks)
    states = GONGZHU.new_states(count)
    for k in range(count):
        match = fuda.game("gongzhu").start(1000 + k)
        for _ in range(52 - 4 * num_tricks + k % 4):
            match.play(luck.choice(match.legal()))
        states[k] = np.frombuffer(match.state_bytes(), GONGZHU.rules.STATE)[0]
    return states


PUCT = TreeSetting(exploration=3.0, use_prior=True)
UCT = TreeSetting(exploration=3.0)


@pytest.mark.parametrize("setting", [UCT, PUCT], ids=["uct", "puct"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_best_arm_is_pulled_most(setting, seat):
    spec = toys.bandit()
    visits, values = grow(spec, dealt(spec, [[seat]]), 400, setting)
    sign = 1 if seat == 0 else -1
    assert values.items.tolist() == [sign * pay for pay in toys.PAYS]
    assert visits.items.argmax() == values.items.argmax()
    assert visits.items.sum() == 400
    assert visits.items.max() > 300


@pytest.mark.parametrize("setting", [UCT, PUCT], ids=["uct", "puct"])
def test_nim_is_won_by_leaving_a_multiple_of_four(setting):
    stones = [n for n in range(2, 16) if n % 4]
    setting = TreeSetting(exploration=1.4, use_prior=setting.use_prior)
    visits, _ = grow(toys.nim(), dealt(toys.nim(), [[n] for n in stones]), 4000, setting)
    assert (segment_argmax(*visits) - visits.starts[:-1] + 1).tolist() == [n % 4 for n in stones]


def test_what_the_network_says_is_the_movers_gain():
    """One ply deep: each action is worth what the next mover expects, with its sign, and what is won."""
    states = endings(5, 12)
    moves = np.zeros(13, np.int64)

    def evaluate(leaves, seats):
        assert (seats == leaves["seat"]).all()
        return leaves["hand"][np.arange(len(leaves)), seats] % 97 / 3, None

    counts = np.array([GONGZHU.rules.legal(state, moves) for state in states])
    visits, values = grow(GONGZHU, states, counts, UCT, evaluate)
    for k, state in enumerate(states):
        assert GONGZHU.rules.legal(state, moves) == (visits.row(k) == 1).sum() == counts[k]
        mine = int(state.seat) % 2
        for m, action in enumerate(moves[: counts[k]].tolist()):
            after = states[k : k + 1].copy()
            GONGZHU.rules.step(after[0], action)
            seat = int(after[0].seat)
            lead = payoff_of(GONGZHU, after[0], mine)
            gain = int(after[0].hand[seat]) % 97 / 3
            assert values.row(k)[m] == pytest.approx(lead + (gain if seat % 2 == mine else -gain))


class SlowTree:
    """The same search on objects, one leaf at a time."""

    def __init__(self, state, setting, rng, evaluate):
        self.setting, self.rng, self.evaluate = setting, rng, evaluate
        self.root = self.node(state)
        if setting.use_prior:
            self.value(self.root, [self.root])

    def node(self, state):
        moves = np.zeros(13, np.int64)
        actions = moves[: GONGZHU.rules.legal(state[0], moves)].tolist()
        return {"state": state, "actions": actions, "children": {}, "visits": 0, "total": 0.0}

    def value(self, node, path):
        state = node["state"]
        worth = payoff_of(GONGZHU, state[0], 0)
        if state[0].status == PLAYING:
            gain, logits = self.evaluate(state, np.array([state[0].seat]))
            worth += float(gain[0]) * (1 if state[0].seat % 2 == 0 else -1)
            weights = [math.exp(logits[0][action]) for action in node["actions"]]
            node["prior"] = [weight / sum(weights) for weight in weights]
        for each in path:
            each["visits"] += 1
            each["total"] += worth

    def iterate(self):
        node, path = self.root, [self.root]
        while node["actions"]:
            place = self.choose(node)
            is_new = place not in node["children"]
            if is_new:
                state = node["state"].copy()
                GONGZHU.rules.step(state[0], node["actions"][place])
                moves = np.zeros(13, np.int64)
                while self.setting.skip_forced and GONGZHU.rules.legal(state[0], moves) == 1:
                    GONGZHU.rules.step(state[0], moves[0])
                node["children"][place] = self.node(state)
            node = node["children"][place]
            path.append(node)
            if is_new:
                break
        self.value(node, path)

    def choose(self, node):
        sign = 1 if node["state"][0].seat % 2 == 0 else -1
        children, c = node["children"], self.setting.exploration
        untried = [place for place in range(len(node["actions"])) if place not in children]
        if not self.setting.use_prior and untried:
            return untried[below(self.rng, len(untried))]

        def bound(place):
            child = children.get(place, {"visits": 0})
            n = child["visits"]
            mean = child["total"] / n if n else node["total"] / node["visits"]
            if self.setting.use_prior:
                return sign * mean + c * node["prior"][place] * math.sqrt(node["visits"]) / (1 + n)
            return sign * mean + c * math.sqrt(2 * math.log(node["visits"]) / n)

        return max(range(len(node["actions"])), key=bound)


def made_up(leaves, seats):
    """Numbers that look random but are a function of the position."""
    keys = (leaves["hand"] * np.array([3, 5, 7, 11])).sum(axis=1) ^ leaves["pile"][:, 0]
    return keys % 1009 / 10 - 50, np.stack([(keys >> card) % 17 / 8 for card in range(52)], axis=1)


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("use_prior", [False, True])
def test_against_a_slow_reference(use_prior, skip_forced):
    setting = TreeSetting(exploration=30.0, use_prior=use_prior, skip_forced=skip_forced)
    states = np.concatenate([endings(3, 6), endings(8, 6)]).view(np.recarray)
    iterations = np.arange(12) * 9 + 5
    visits, values = grow(GONGZHU, states, iterations, setting, made_up, seed=4)
    rngs = streams(4, SAMPLE, 0, 12)
    for k in range(12):
        slow = SlowTree(states[k : k + 1].copy(), setting, rngs[k : k + 1], made_up)
        for _ in range(iterations[k]):
            slow.iterate()
        sign = 1 if states[k].seat % 2 == 0 else -1
        assert slow.root["visits"] == iterations[k] + use_prior
        for place in range(len(slow.root["actions"])):
            child = slow.root["children"].get(place)
            assert visits.row(k)[place] == (child["visits"] if child else 0)
            if child:
                assert values.row(k)[place] == pytest.approx(sign * child["total"] / child["visits"])


def test_a_tree_does_not_depend_on_the_others_or_the_cores():
    states = np.concatenate([endings(10, 150), endings(4, 150)]).view(np.recarray)
    iterations = np.arange(300) % 23 + 1
    whole = grow(GONGZHU, states, iterations, UCT, made_up)
    with limited_to(1):
        alone = grow(GONGZHU, states, iterations, UCT, made_up)
    for every, same in zip(whole, alone, strict=True):
        assert np.array_equal(every.items, same.items)
        assert np.array_equal(every.starts, same.starts)
    trees = NetworkTrees(GONGZHU, 1, 30, UCT)
    trees.roots[:] = states[200:201]
    visits, values = trees.search(iterations[200:201], streams(1, SAMPLE, 200, 1), made_up)
    assert np.array_equal(visits.items, whole[0].row(200))
    assert np.array_equal(values.items, whole[1].row(200))


@pytest.mark.parametrize("setting", [UCT, PUCT], ids=["uct", "puct"])
def test_edges_that_run_out_get_more_room(setting, monkeypatch):
    states = endings(9, 20)
    enough = grow(GONGZHU, states, 90, setting, made_up)
    monkeypatch.setattr(network_tree, "FIRST_EDGES", 0)
    trees = NetworkTrees(GONGZHU, len(states), 90, setting)
    before = trees.edges.child.shape[1]
    trees.roots[:] = states
    grown = trees.search(np.full(20, 90), streams(1, SAMPLE, 0, 20), made_up)
    assert trees.edges.child.shape[1] > 2 * before
    for wide, narrow in zip(enough, grown, strict=True):
        assert np.array_equal(wide.items, narrow.items)


@pytest.mark.parametrize("name", fuda.list_games())
def test_a_node_takes_the_memory_of_the_moves_that_it_has(name):
    spec = fuda.game(name).spec
    assert network_tree.node_dtype(spec).itemsize <= 48
    wide = NetworkTrees(spec, 1, 10_000, PUCT)
    assert wide.nodes.nbytes + sum(array.nbytes for array in wide.edges) < 10_000 * 256


def test_too_many_iterations_are_refused():
    with pytest.raises(ValueError, match="room for 5"):
        NetworkTrees(GONGZHU, 1, 5, UCT).search(np.array([6]), streams(1, SAMPLE, 0, 1), nothing)


def slow_value(table, team):
    """What the team wins at best from here, on lists of texts."""
    if not any(table.hands):
        lead = [points(pile) for pile in table.piles]
        return (lead[0] + lead[2] - lead[1] - lead[3]) * (1 if team == 0 else -1)
    found = []
    for card in table.legal():
        after = Table(table.hands, table.leader)
        after.piles = [list(pile) for pile in table.piles]
        after.trick, after.seat = list(table.trick), table.seat
        after.play(card)
        found.append(slow_value(after, team))
    return max(found) if table.seat % 2 == team else min(found)


def test_exact_values_against_a_slow_reference():
    checked = 0
    for state in endings(3, 24):
        values = solve(GONGZHU, np.array([state]).view(np.recarray))
        table = table_of(state)
        mover = table.seat % 2
        for place, card in enumerate(sorted(table.legal(), key=CARD_IDS.get)):
            after = table_of(state)
            after.play(card)
            assert values.items[place] == slow_value(after, mover)
            checked += 1
        assert len(values.items) == len(table.legal())
    assert checked > 30


def table_of(state):
    trick = state.num_plays // 4
    table = Table([card_texts(hand) for hand in state.hand], int(state.leaders[trick]))
    table.piles = [card_texts(pile) for pile in state.pile]
    table.trick = [CARD_TEXTS[card] for card in state.plays[4 * trick : state.num_plays]]
    table.seat = int(state.seat)
    return table


@pytest.mark.parametrize("setting", [TreeSetting(60.0), TreeSetting(60.0, True, True)], ids=["uct", "puct"])
def test_endings_are_played_exactly(setting):
    """With iterations enough the tree needs no network: it finds a best card of the last three tricks."""
    states = endings(3, 40)
    exact = solve(GONGZHU, states)
    visits, _ = grow(GONGZHU, states, 3000, setting)
    assert (exact.items[segment_argmax(*visits)] == segment_max(*exact)).all()


def test_where_everybody_plays_alone_a_leaf_is_valued_for_every_seat():
    """One ply with a network that knows everything: each seat's own payoff is what the exact solver finds."""
    found = [state for seed in range(20) if (state := near_the_end(seed, 2)) is not None]
    states = np.concatenate(found).view(np.recarray)

    def know(leaves, seats):
        so_far = [payoff_of(PLANTED, leaf, seat) for leaf, seat in zip(leaves, seats, strict=True)]
        return solved_payoffs(PLANTED, leaves)[np.arange(len(seats)), seats] - so_far, None

    visits, values = grow(PLANTED, states, 2, UCT, know)
    assert visits.items.tolist() == [1, 1] * len(states)
    assert values.items.tolist() == solve(PLANTED, states).items.tolist()
    assert len({int(state[0].seat) for state in found}) > 1
