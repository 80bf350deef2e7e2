"""OpenSpiel's own tests on every game, two of its algorithms, and the same deals as our own matches."""
# ruff: noqa: NPY002 - OpenSpiel draws from NumPy's global generator

import random
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pyspiel
import pytest
import torch
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.pytorch import policy_gradient
from open_spiel.python.tests import games_sim_test

import fuda
import fuda.openspiel
from fuda.core.chance import decks_of
from fuda.core.generator import CHANCE, streams
from tests.contract.test_contract import TABLES
from tests.envs.test_vector import match_of

GAMES = fuda.list_games()
ANY_GAME = pytest.mark.parametrize("game_id", GAMES)
SIMILAR = 300  # nodes of a search tree that may be walked whole
SIMULATIONS = 200  # of their tree search


@pytest.fixture
def global_luck():
    """OpenSpiel draws from global generators: seeded for a test, and as they were after it."""
    python, numpy = random.getstate(), np.random.get_state()
    random.seed(1)
    np.random.seed(1)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        yield
    random.setstate(python)
    np.random.set_state(numpy)


def play_until(
    game: pyspiel.Game, luck: random.Random, stop: Callable[[pyspiel.State], bool] = lambda _: False
) -> pyspiel.State:
    """A match played at random until its state is such, or to its end."""
    state = game.new_initial_state()
    while not state.is_terminal() and not stop(state):
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(actions, chances)[0])
        else:
            state.apply_action(luck.choice(state.legal_actions()))
    return state


@TABLES
@pytest.mark.usefixtures("global_luck")
def test_their_random_simulation(game, capsys):
    """Copies, pickles and their own serialization stay equal."""
    games_sim_test.GamesSimTest().sim_game(fuda.openspiel.load_game(game.id, **game.changed_options))
    assert "terminated with" in capsys.readouterr().out


@ANY_GAME
def test_their_api(game_id):
    """Their tests of states, on those of whole matches: theirs are mostly in the first deal."""
    own = type("Own", (api_test.EnforceAPIOnPartialTreeBase,), {})
    own.game_name, own.game = f"fuda_{game_id}", pyspiel.load_game(f"fuda_{game_id}")
    own.game_type, own.some_states = own.game.get_type(), []
    luck = random.Random(1)
    for _ in range(2):
        play_until(
            own.game, luck, lambda state: luck.random() < 0.1 and own.some_states.append(state.clone())
        )
        own.some_states.append(play_until(own.game, luck))
    tests = [name for name in dir(own) if name.startswith("test_")]
    assert len(tests) >= 5
    for name in tests:
        getattr(own(name), name)()


@TABLES
def test_the_same_cards_and_moves_are_the_same_match(game):
    """Legal actions, what the mover sees, and who wins what, beside `Match` and the vector environment."""
    made = fuda.openspiel.load_game(game.id, **game.changed_options)
    one, luck = fuda.vector(game, 1, seed=3), random.Random(3)
    match = match_of(one, 0)
    while not match.over:
        match.play(luck.choice(match.legal()))
    decks, moves = decks_of(match), iter(match.moves)
    state = made.new_initial_state()
    if len(made.starts) > 1:
        begun = match._undealt.tobytes()
        state.apply_action(next(lot for lot, start in enumerate(made.starts) if start.tobytes() == begun))
    while not state.is_terminal():
        if state.is_chance_node():
            for card in decks.pop(0):
                state.apply_action(card)
            continue
        seat, text = next(moves)
        assert state.current_player() == seat == one.seats[0]
        assert state.legal_actions() == one.legal.ids.tolist()
        if made.get_type().provides_observation_tensor:
            for tensor in (state.observation_tensor(seat), state.information_state_tensor(seat)):
                assert tensor == one.observations[0].tolist()
            assert not any(state.observation_tensor((seat + 1) % made.num_players()))
        action = state.string_to_action(text)
        state.apply_action(action)
        one.step(np.array([action]))
    assert not decks
    assert state.returns() == [match.margin(seat) for seat in range(game.spec.seats)]
    assert state.returns() == one.match_rewards[0].tolist()
    assert made.utility_sum() is None or sum(state.returns()) == made.utility_sum()


@TABLES
def test_lots_are_drawn_with_equal_chances(game):
    """As many starts as `chance_outcomes` lists, each as often as the rules draw it."""
    starts = {
        start.tobytes(): 0 for start in fuda.openspiel.load_game(game.id, **game.changed_options).starts
    }
    rngs = streams(1, CHANCE, 0, 4096)
    for place in range(len(rngs)):
        state = game.spec.new_states(1)
        game.spec.rules.start(state[0], game.option_codes, rngs[place : place + 1])
        starts[state.tobytes()] += 1
    share = len(rngs) / len(starts)
    assert all(abs(count - share) <= 6 * share**0.5 for count in starts.values())


@ANY_GAME
def test_a_resampled_state_looks_the_same_to_its_seat_alone(game_id):
    game, luck = pyspiel.load_game(f"fuda_{game_id}"), random.Random(2)
    state = play_until(game, luck, lambda state: state.move_number() > 1.3 * len(game.spec.deck))
    state = state if not state.is_chance_node() else play_until(game, luck, lambda s: not s.is_chance_node())
    seat = state.current_player()
    found = [state.resample_from_infostate(seat, luck.random) for _ in range(20)]
    for each in found:
        assert each.information_state_string(seat) == state.information_state_string(seat)
        assert each.legal_actions() == state.legal_actions()
    for other in set(range(game.num_players())) - {seat}:
        assert len({each.information_state_string(other) for each in found}) > 1
    assert not any(play_on.is_terminal() for play_on in found)


@ANY_GAME
def test_their_perfect_recall(game_id):
    """Of endings: no two ways of a seat's own choices and views lead to what it takes for one position."""
    game, luck = pyspiel.load_game(f"fuda_{game_id}"), random.Random(4)
    before: list[pyspiel.State] = []
    play_until(game, luck, lambda state: before.append(state.clone()))
    ending = next(state for state in reversed(before) if state.is_player_node() and tree_size(state) > 12)
    known: dict = {}
    for _ in range(6):
        world = ending.resample_from_infostate(ending.current_player(), luck.random)
        if tree_size(world) < SIMILAR:
            api_test._assert_is_perfect_recall_recursive(world, [], known)
    assert len(known) > 12


def tree_size(state: pyspiel.State, most: int = SIMILAR) -> int:
    """How many states can follow, as far as `most`; a deal counts as too many."""
    if state.is_chance_node():
        return most
    size = 1
    for action in state.legal_actions():
        if size >= most:
            break
        size += tree_size(state.child(action), most - size)
    return size


def test_their_search_finds_the_winning_move():
    """Information-set tree search by OpenSpiel, in Dou Dizhu where one of many moves goes out."""
    game, luck = pyspiel.load_game("fuda_doudizhu"), random.Random(5)

    def one_wins(state: pyspiel.State) -> bool:
        legal = state.legal_actions() if state.is_player_node() else []
        return len(legal) > 2 and sum(state.child(action).is_terminal() for action in legal) == 1

    state = next(filter(one_wins, (play_until(game, luck, one_wins) for _ in range(100))))
    rng = np.random.RandomState(5)
    rollouts = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    visits = ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT
    bot = ismcts.ISMCTSBot(
        game, rollouts, uct_c=2.0, max_simulations=SIMULATIONS, random_state=rng, final_policy_type=visits
    )
    policy = dict(bot.get_policy(state))
    assert sorted(policy) == state.legal_actions()
    (winning,) = (action for action in policy if state.child(action).is_terminal())
    # Nothing is worth more than a win, so no move is visited more often, but for the visit that came last.
    assert policy[winning] >= max(policy.values()) - 1.5 / SIMULATIONS
    assert policy[winning] > min(policy.values())


@pytest.mark.usefixtures("global_luck")
def test_their_actor_critic_learns_from_tensors():
    env = rl_environment.Environment(
        "fuda_gongzhu", chance_event_sampler=rl_environment.ChanceEventSampler(1)
    )
    (width,), num_actions = env.observation_spec()["info_state"], env.action_spec()["num_actions"]
    assert width == env.game.layout.width
    agents = [
        policy_gradient.PolicyGradient(
            seat, width, num_actions, hidden_layers_sizes=(16,), batch_size=8, num_critic_before_pi=1
        )
        for seat in range(env.num_players)
    ]
    weights = [weight for agent in agents for weight in agent.policy_logits_network.parameters()]
    before = [weight.clone() for weight in weights]
    time_step = env.reset()
    while not time_step.last():
        mover = agents[time_step.current_player()]
        time_step = env.step([mover.step(time_step).action])
    assert any(time_step.rewards)
    for agent in agents:
        agent.step(time_step)
    for old, new in zip(before, weights, strict=True):
        assert new.isfinite().all()
        assert (old != new).any()


def test_options_are_parameters_and_words_that_are_numbers_stand_in_quotes():
    made = fuda.openspiel.load_game("koikoi", preset="app", rounds=2)
    assert made.game == fuda.game("koikoi", preset="app", rounds=2)
    assert pyspiel.load_game(str(made)).game == made.game
    assert pyspiel.load_game("fuda_koikoi(viewing='5')").game.all_options["viewing"] == "5"
    with pytest.raises(ValueError, match="option rounds is a whole number from"):
        pyspiel.load_game("fuda_koikoi(rounds=0)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'cards'"):
        pyspiel.load_game("fuda_koikoi(cards=3)")


def test_what_cannot_be_is_refused_in_words():
    state = pyspiel.load_game("fuda_gongzhu").new_initial_state()
    state.apply_action(7)
    with pytest.raises(fuda.IllegalMove, match="card 7 is not in the deck any more"):
        state.apply_action(7)
    state = play_until(state.get_game(), random.Random(1), lambda state: state.is_player_node())
    with pytest.raises(fuda.IllegalMove, match="action 99 is not legal"):
        state.apply_action(99)
    with pytest.raises(ValueError, match="have no parameters"):
        state.get_game().make_py_observer(None, {"seat": 1})


def test_a_program_ends_in_peace():
    """OpenSpiel frees what creates its games after Python has ended."""
    code = "import pyspiel, fuda.openspiel; print(pyspiel.load_game('fuda_gongzhu').new_initial_state())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout.strip(), run.stderr) == ("dealt:", "")
