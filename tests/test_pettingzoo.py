"""PettingZoo's own tests, on every game."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import fuda
import fuda.pettingzoo
from tests.contract.test_contract import TABLES

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


@TABLES
@pytest.mark.parametrize("seed", range(6))
def test_rewards_are_margins_and_those_of_two_sides_cancel_out(game, seed):
    env = fuda.pettingzoo.env(game.id, **game.options)
    env.reset(seed=seed)
    luck = np.random.default_rng(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        totals[name] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over else int(luck.choice(legal)))
    match, side = env.unwrapped._match, game.spec.rules.side
    view = match.view_record(0)[0]
    mine = [seat for seat in range(game.spec.seats) if side(view, seat) == side(view, 0)]
    for seat in range(game.spec.seats):
        assert totals[f"seat_{seat}"] == match.margin(seat)
        if seat in mine:
            assert totals[f"seat_{seat}"] == totals["seat_0"]
        elif game.spec.two_sided:
            assert totals[f"seat_{seat}"] == -totals["seat_0"]
    best = max(range(game.spec.seats), key=match.scores.__getitem__)
    assert totals[f"seat_{best}"] == max(totals.values())


def test_cards_without_a_seed_are_not_of_one():
    env = fuda.pettingzoo.env("koikoi").unwrapped
    deals = []
    for seed in (None, None, 5, None, 5, None):
        env.reset(seed=seed)
        deals.append((env._match.seed is None, env._match.deals))
    assert [unseeded for unseeded, _ in deals] == [True, True, False, False, False, False]
    assert deals[0] != deals[1]
    assert deals[2:4] == deals[4:6]


def test_options_reach_the_game_and_bad_ones_are_refused():
    assert fuda.pettingzoo.env("koikoi", rounds=3).unwrapped.game.options["rounds"] == 3
    with pytest.raises(ValueError, match="option rounds"):
        fuda.pettingzoo.env("koikoi", rounds=0)


def test_an_observation_is_the_view_and_nothing_else():
    env = fuda.pettingzoo.env("koikoi").unwrapped
    env.reset(seed=1)
    for seat, name in enumerate(env.possible_agents):
        assert env.observe(name)["observation"].tobytes() == env._match.view_record(seat).tobytes()
