"""The search on toys with known values, and on the real games."""

import numpy as np
import pytest

import fuda
from fuda.agents.settings import SearchSetting
from fuda.agents.tree_search import TreeSearchAgent
from fuda.core.generator import AGENT, streams
from tests.search import toys

SEARCHES = {game_id: list(fuda.game(game_id).spec.players.get("search", {})) for game_id in fuda.list_games()}
GAMES = [game_id for game_id, found in SEARCHES.items() if found]
SEARCHERS = [f"{game_id}/{name}" for game_id, found in SEARCHES.items() for name in found]


def setting(**parameters) -> SearchSetting:
    return SearchSetting("uct", "Search", "A test.", **({"exploration": 1.4} | parameters))


def views_of(spec, deck) -> np.recarray:
    state = spec.new_states(1)
    spec.rules.start(state[0], np.zeros(0, np.int64), streams(1, 0, 0, 1))
    spec.rules.deal(state[0], np.array(deck, np.int8))
    return state


@pytest.mark.parametrize("information_set", [False, True])
@pytest.mark.parametrize("stones", [n for n in range(2, 16) if n % 4])
def test_nim_is_won_by_leaving_a_multiple_of_four(stones, information_set):
    """Only a search in which the opponent plays to win finds it."""
    spec = toys.nim()
    agent = TreeSearchAgent(spec, setting(trees=2, iterations=4000, information_set=information_set))
    action = agent.act(views_of(spec, [stones]), np.array([0]), streams(2, AGENT, 0, 1))[0]
    assert action + 1 == stones % 4


def test_nim_values_are_of_the_movers_side():
    spec = toys.nim()
    agent = TreeSearchAgent(spec, setting(trees=1, iterations=5000))
    view = views_of(spec, [3])
    values = agent.evaluate(view, np.array([0]), streams(2, AGENT, 0, 1))[0]
    assert values[2] == 1
    assert values[0] < -0.5
    spec.rules.step(view[0], 0)  # two stones, the other side's turn: it wins by taking both
    values = agent.evaluate(view, np.array([1]), streams(2, AGENT, 0, 1))[0]
    assert values[1] == 1


def test_one_tree_for_the_information_set_does_not_guess_what_is_hidden():
    """Each determinized tree knows the card and guesses; the shared tree takes the sure five."""
    spec = toys.guess()
    view = views_of(spec, [1])
    seats, rng = np.array([0]), streams(4, AGENT, 0, 1)
    shared = TreeSearchAgent(spec, setting(trees=10, iterations=400, exploration=8.0, information_set=True))
    assert shared.act(view, seats, rng)[0] == 3
    values = shared.evaluate(view, seats, rng)[0]
    assert values[3] == 5
    assert all(abs(values[guess] - 10 / 3) < 1.5 for guess in range(3))
    trees = TreeSearchAgent(spec, setting(trees=9, iterations=400, exploration=8.0))
    assert trees.act(view, seats, rng)[0] != 3


def test_hidden_cards_are_dealt_anew():
    """The search cannot read the card: with any truth under the view it finds the same."""
    spec = toys.guess()
    agent = TreeSearchAgent(spec, setting(trees=3, iterations=100, exploration=8.0, information_set=True))
    found = [
        agent.evaluate(views_of(spec, [truth]), np.array([0]), streams(4, AGENT, 0, 1)) for truth in range(3)
    ]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", SEARCHERS)
def test_same_seed_same_decision_and_values(name):
    match = fuda.game(name.partition("/")[0]).start(seed=1)
    first, second = (fuda.agent(name, seed=3, trees=2, iterations=50) for _ in range(2))
    assert first.values(match) == second.values(match)
    assert first.choose(match) == second.choose(match)
    assert set(first.values(match)) <= set(match.legal())
    everything = fuda.agent(name, seed=3, trees=2, iterations=1000).values(match)
    assert sorted(everything) == match.legal()


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("information_set", [False, True])
def test_a_time_budget_ends_an_endless_search(name, information_set):
    """The largest search allowed would take weeks, and memory without end."""
    match = fuda.game(name.partition("/")[0]).start(seed=1)
    most = {"trees": 100_000, "iterations": 10_000_000, "information_set": information_set}
    assert fuda.agent(name, seconds=0.05, **most).choose(match) in match.legal()


def test_a_bid_is_made_by_the_fallback_and_has_no_value():
    match = fuda.game("doudizhu", bidding="on").start(seed=1)
    agent = fuda.agent("doudizhu/mcts")
    assert agent.choose(match) == fuda.agent("doudizhu/rhcp-partner").choose(match)
    assert agent.values(match) is None


@pytest.mark.parametrize("name", SEARCHERS)
def test_rollouts_by_a_policy(name, soak):
    """By one that the game has; soak compiles them all."""
    game = fuda.game(name.partition("/")[0])
    match = game.start(seed=1)
    for policy in game.spec.policies[: None if soak else 1]:
        agent = fuda.agent(name, iterations=20, trees=2, rollout=policy.name)
        assert agent.choose(match) in match.legal()


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("trees", 0),
        ("trees", 1.5),
        ("trees", True),
        ("iterations", -1),
        ("iterations", "9"),
        ("exploration", -1.0),
        ("exploration", float("nan")),
        ("rollout", "nobody"),
        ("information_set", 1),
        ("seconds", 0),
        ("seconds", "1"),
        ("depth", 3),
    ],
)
def test_bad_parameters_are_value_errors(name, parameter, value):
    with pytest.raises(ValueError, match=parameter):
        fuda.agent(name, **{parameter: value})
