"""PettingZoo's own tests, on every game."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import fuda
import fuda.pettingzoo

GAMES = fuda.list_games()


@pytest.mark.parametrize("game_id", GAMES)
# PettingZoo advises plain arrays as observations, and advises a dictionary for action masks.
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api(game_id, capsys):
    api_test(fuda.pettingzoo.env(game_id), num_cycles=1000)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game_id", GAMES)
def test_pettingzoo_seeds(game_id):
    seed_test(lambda: fuda.pettingzoo.env(game_id), num_cycles=500)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_gives_rewards_that_cancel_out(game_id):
    env = fuda.pettingzoo.env(game_id)
    env.reset(seed=3)
    luck = np.random.default_rng(3)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        totals[name] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over else int(luck.choice(legal)))
    spec = fuda.game(game_id).spec
    sides = [
        [totals[f"seat_{seat}"] for seat in range(spec.seats) if spec.seatings[0][seat] == side]
        for side in (0, 1)
    ]
    assert {abs(value) for side in sides for value in side} == {abs(sides[0][0])}
    assert sides[0][0] == -sides[1][0]


def test_options_reach_the_game_and_bad_ones_are_refused():
    assert fuda.pettingzoo.env("koikoi", rounds=3).unwrapped.game.options["rounds"] == 3
    with pytest.raises(ValueError, match="option rounds"):
        fuda.pettingzoo.env("koikoi", rounds=0)


def test_an_observation_is_the_view_and_nothing_else():
    env = fuda.pettingzoo.env("koikoi").unwrapped
    env.reset(seed=1)
    for seat, name in enumerate(env.possible_agents):
        assert env.observe(name)["observation"].tobytes() == env._match.view_record(seat).tobytes()
