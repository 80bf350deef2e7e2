"""The tree of a turn, against a slow account of the same, and the player that searches it."""

import numpy as np
import pytest

import fuda
from fuda.agents import turn_search
from fuda.agents.agent import AgentInfo
from fuda.agents.turn_search import TurnSearchAgent
from fuda.core.ragged import Lists, starts_of
from fuda.core.state import PLAYING
from fuda.games import spec as find_spec
from fuda.games.koikoi import encoding, outcomes, rules, turn, winning
from fuda.games.koikoi.cards import NUM_CARDS

SPEC = find_spec("koikoi")
ALL_MOVES = np.ones(rules.MAX_LEGAL, np.bool_)
TABLE = winning.induce(winning.first_gains(), 60)


def positions(count: int):
    """Views of movers, of all kinds, from random matches."""
    luck = fuda.agent("koikoi/random", seed=5)
    match = fuda.game("koikoi").start(5)
    for number in range(count):
        yield match.view_record(match.seat), match.seat
        match.play(luck.choose(match))
        if match.over:
            match = fuda.game("koikoi").start(number)


def leaf_value(state, seat: int) -> float:
    """Some number that depends on all that the end of a turn can differ in."""
    if state.status != PLAYING:
        won = int(state.round_points[state.round_index])
        return float(won if seat == 0 else -won)
    bits = int(state.field) * 3 + int(state.pile[seat]) * 7 + int(state.claims[seat]) * 11
    return bits % 1009 / 100 - 5


def slow_value(state: np.recarray, seat: int) -> float:
    """The value of a position in the middle of the seat's turn, by recursion over Match's own steps."""
    if state[0].status != PLAYING or state[0].seat != seat:
        return leaf_value(state[0], seat)
    return max(slow_action(state, seat, action) for action in legal(state))


def slow_action(state: np.recarray, seat: int, action: int) -> float:
    seen = int(state[0].hand[seat] | state[0].field | state[0].pile[0] | state[0].pile[1])
    if state[0].shown >= 0:
        seen |= 1 << int(state[0].shown)
    values = []
    for card in range(48):
        if seen >> card & 1:
            continue
        after = state.copy().view(np.recarray)
        after[0].stock[after[0].drawn] = card
        drawn = int(after[0].drawn)
        rules.step(after[0], action)
        values.append(slow_value(after, seat))
        if after[0].drawn == drawn and state[0].drawn == drawn:
            break  # nothing is drawn yet: the card does not matter
    return float(np.mean(values))


def legal(state: np.recarray) -> list[int]:
    moves = np.zeros(rules.MAX_LEGAL, np.int64)
    return moves[: rules.legal(state[0], moves)].tolist()


def test_values_of_a_turn_are_those_of_a_slow_account():
    compared = 0
    for view, seat in list(positions(400))[::9]:
        states = SPEC.new_states(turn.MAX_NODES)
        kinds, parents, gains = (np.zeros(turn.MAX_NODES, np.int64) for _ in range(3))
        count = turn.grow(view[0], seat, ALL_MOVES, states, kinds, parents, gains)
        values = np.zeros(count)
        for node in np.flatnonzero(kinds[:count] >= turn.WAITING):
            values[node] = leaf_value(states[node], seat)
            if kinds[node] == turn.ENDED:
                assert gains[node] == values[node]
        turn.back_up(kinds, parents, values, count)
        found = values[np.flatnonzero(parents[:count] == 0)]
        expected = [slow_action(view, seat, action) for action in legal(view)]
        assert found.tolist() == pytest.approx(expected)
        compared += len(expected)
    assert compared > 80


def test_no_turn_needs_more_nodes_than_there_is_room_for():
    states = SPEC.new_states(turn.MAX_NODES)
    kinds, parents, gains = (np.zeros(turn.MAX_NODES, np.int64) for _ in range(3))
    most = max(
        turn.grow(view[0], seat, ALL_MOVES, states, kinds, parents, gains) for view, seat in positions(1500)
    )
    assert 300 < most < turn.MAX_NODES / 2


def likes_cards(places: np.ndarray, progress: np.ndarray, read: Lists) -> np.ndarray:
    """A network that likes cards in the own pile, and before a discard the cards of late months."""
    logits = np.full((len(read.items), outcomes.NUM_CLASSES), -9.0, np.float32)
    liked = np.array([int(pile).bit_count() for pile in places[:, encoding.NOW + 2]])[read.rows]
    if not is_waiting(read):
        liked = read.items.astype(np.int64) * outcomes.NUM_CLASSES // NUM_CARDS
    logits[np.arange(len(liked)), liked] = 9.0
    return logits


def is_waiting(read: Lists) -> bool:
    return bool((read.items == turn.WAIT_ACTION).all())


def discards(count: int) -> list[tuple[np.recarray, int]]:
    return [(view, seat) for view, seat in list(positions(count))[::5] if view[0].phase == rules.DISCARD]


def test_the_player_searches_by_ends_of_its_turn_alone():
    """It takes what it can; it never sees other hands."""
    asked = []

    def outputs(places: np.ndarray, progress: np.ndarray, read: Lists) -> np.ndarray:
        if is_waiting(read):
            assert (progress[:, encoding.DECISION : encoding.DECISION + 4] == 0).all()
            asked.append(len(read.items))
        return likes_cards(places, progress, read)

    info = AgentInfo("Greedy", "Likes cards.", "points")
    agent = TurnSearchAgent("koikoi/greedy", SPEC, encoding, outputs, info, TABLE)
    agent.candidates = rules.MAX_LEGAL
    taken = total = 0
    for view, seat in discards(300):
        values = agent.evaluate(view, np.array([seat]), np.zeros(1, np.uint64))[0]
        assert list(values) == legal(view)
        match_card = max(values, key=lambda action: values[action])
        could = [action for action in legal(view) if rules.matches(view[0], action)]
        if could and len(could) < len(legal(view)):
            taken += match_card in could
            total += 1
    assert total > 15
    assert taken == total
    assert max(asked) > 100


def test_only_what_the_network_itself_likes_best_is_searched(monkeypatch):
    info = AgentInfo("Greedy", "Likes cards.", "points")
    agent = TurnSearchAgent("koikoi/greedy", SPEC, encoding, likes_cards, info, TABLE)
    for view, seat in discards(200):
        here = view, np.array([seat]), np.zeros(1, np.uint64)
        values = agent.evaluate(*here)[0]
        with monkeypatch.context() as all_of_them:
            all_of_them.setattr(agent, "candidates", rules.MAX_LEGAL)
            searched = agent.evaluate(*here)[0]
        best = sorted(values)[-agent.candidates :]  # late months: what it likes
        assert {card: values[card] for card in best} == {card: searched[card] for card in best}
        worst = min(values[card] for card in best)
        assert all(values[card] < worst for card in values if card not in best)


def test_a_move_that_was_not_searched_is_never_played():
    """Not even where all ends of the turn are worth the same."""

    def outputs(places: np.ndarray, progress: np.ndarray, read: Lists) -> np.ndarray:
        found = likes_cards(places, progress, read)
        return np.zeros_like(found) if is_waiting(read) else found

    info = AgentInfo("Indifferent", "Likes cards now, and nothing later.", "points")
    agent = TurnSearchAgent("koikoi/indifferent", SPEC, encoding, outputs, info, TABLE)
    many = [(view, seat) for view, seat in discards(300) if len(legal(view)) > agent.candidates]
    assert len(many) > 10
    for view, seat in many:
        (played,) = agent.act(view, np.array([seat]), np.zeros(1, np.uint64))
        assert played in sorted(legal(view))[-agent.candidates :]


def test_equal_cards_count_as_one_move():
    """Else the search would compare a card with its twin, and nothing else."""
    lists = [[3.0, 1.0, 3.0, 2.0], [1.0, 1.0, 1.0, 1.0, 0.0], [4.0, 3.0, 2.0, 1.0, 0.0], [2.0]]
    starts = starts_of(np.array([len(values) for values in lists]))
    found = Lists(turn_search.among_best(np.concatenate(lists), starts, 2), starts)
    chosen = [np.flatnonzero(found.row(k)).tolist() for k in range(4)]
    assert chosen == [[0, 2, 3], [0, 1, 2, 3, 4], [0, 1], [0]]


def test_many_views_at_once_are_valued_as_each_alone():
    """More than are searched together, and the last of a round, where nothing is left to wait for."""

    def outputs(places: np.ndarray, progress: np.ndarray, read: Lists) -> np.ndarray:
        seen = (places.sum(axis=1)[read.rows] + read.items)[:, None]
        return (seen % 1009 * np.arange(1, outcomes.NUM_CLASSES + 1) % 7).astype(np.float32)

    info = AgentInfo("Mixed", "Likes anything.", "probability")
    agent = TurnSearchAgent("koikoi/mixed", SPEC, encoding, outputs, info, TABLE)
    found = list(positions(300))
    views = np.concatenate([view for view, _ in found]).view(np.recarray)
    seats = np.array([seat for _, seat in found])
    rngs = np.zeros(len(found), np.uint64)
    together = agent.evaluate(views, seats, rngs)
    assert len(found) > 2 * turn_search.TOGETHER
    for k in range(0, len(found), 3):
        (alone,) = agent.evaluate(views[k : k + 1], seats[k : k + 1], rngs[:1])
        assert together[k] == pytest.approx(alone, abs=1e-12)
