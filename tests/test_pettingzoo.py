"""PettingZoo's own tests, on every game."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

import fuda
import fuda.pettingzoo
from tests.contract.test_contract import TABLES
from tests.envs.test_vector import match_of

GAMES = fuda.list_games()


KINDS = pytest.mark.parametrize(
    "kind", [{}, {"observation": "encoded", "rewards": "deal"}], ids=["bytes", "encoded"]
)


@KINDS
@pytest.mark.parametrize("game_id", GAMES)
# PettingZoo advises plain arrays as observations, and advises a dictionary for action masks.
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api(game_id, kind, capsys):
    api_test(fuda.pettingzoo.env(game_id, **kind), num_cycles=1000)
    assert "Passed API test" in capsys.readouterr().out


@KINDS
@pytest.mark.parametrize("game_id", GAMES)
def test_pettingzoo_seeds(game_id, kind):
    seed_test(lambda: fuda.pettingzoo.env(game_id, **kind), num_cycles=500)


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
    sides = np.array([side(view, seat) for seat in range(game.spec.seats)])
    points = [np.array(match.scores)[sides == sides[seat]].sum() for seat in range(game.spec.seats)]
    assert totals[f"seat_{np.argmax(points)}"] == max(totals.values())


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


def test_encoded_observations_are_those_of_the_vector_environment():
    one = fuda.pettingzoo.env("doudizhu", observation="encoded", bidding="on")
    many = fuda.vector("doudizhu", 1, seed=5, bidding="on")
    one.reset(seed=1)
    one._match = match_of(many, 0)
    one._hand_over()
    luck = np.random.default_rng(1)
    while not one._match.over:
        mover = one.agent_selection
        assert mover == f"seat_{many.seats[0]}"
        found = {name: one.observe(name) for name in one.possible_agents}
        assert (found[mover]["observation"] == many.observations[0]).all()
        assert one.infos == {name: {} for name in one.agents} | {mover: {"legal": many.legal.ids.tolist()}}
        for name in set(found) - {mover}:
            assert not found[name]["observation"].any()
            assert not found[name]["action_mask"].any()
        action = many.legal.draw(luck)
        one.step(int(action[0]))
        many.step(action)


def test_rewards_by_deal_come_when_a_deal_ends():
    env = fuda.pettingzoo.env("koikoi", rewards="deal", rounds=3)
    env.reset(seed=3)
    luck, ended, total = np.random.default_rng(1), 0, np.zeros(2)
    while not env._match.over:
        env.step(int(luck.choice(env.infos[env.agent_selection]["legal"])))
        total += [env.rewards["seat_0"], env.rewards["seat_1"]]
        if env._match.dealt or env._match.over:
            ended += 1
            points = env._match._stepped[0].points
            assert total.tolist() == [points[0] - 30, points[1] - 30]
        else:
            assert set(env.rewards.values()) == {0.0}
    assert ended == 3
    assert total.tolist() == [env._match.margin(seat) for seat in (0, 1)]
    assert total.any()


@pytest.mark.parametrize(
    ("kind", "why"),
    [({"observation": "text"}, "observation is 'bytes' or"), ({"rewards": "all"}, "rewards is 'match' or")],
)
def test_bad_kinds_are_refused_in_words(kind, why):
    with pytest.raises(ValueError, match=why):
        fuda.pettingzoo.env("koikoi", **kind)


def test_steps_that_cannot_be_are_refused_and_nothing_is_played():
    env = fuda.pettingzoo.env("gongzhu")
    for call in (lambda: env.step(0), lambda: env.observe("seat_0")):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before"):
            call()
    env.reset(seed=1)
    out_of_turn = next(card for card in range(52) if card not in env.infos["seat_0"]["legal"])
    before = env._match.record()
    for action in (out_of_turn, 52, -1, None, 1.5, True):
        with pytest.raises(fuda.IllegalMove):
            env.step(action)
    assert env._match.record() == before
    assert env.agent_selection == "seat_0"
