"""Close decisions played out: against play-outs one by one, and exact endings."""

import random

import numpy as np
import pytest

import fuda
from fuda.agents.draw import draw_scenarios
from fuda.agents.rollouts import RolloutAgent, rollout_setting
from fuda.core.generator import AGENT, streams
from fuda.core.state import PLAYING
from fuda.core.threads import limited_to
from fuda.games.gongzhu import view_encoding
from fuda.search.exact import solve

SPEC = fuda.game("gongzhu").spec
RULES = SPEC.rules
MATRIX = np.random.default_rng(4).normal(size=(view_encoding.NUM_COLUMNS, 53)).astype(np.float32) / 100


def network(words):
    """Made-up numbers: a matrix of the input."""
    obs = np.zeros((len(words), view_encoding.NUM_COLUMNS), np.float32)
    view_encoding.spread_all(words, False, obs, 0, len(words))
    # One row after the other: a product of matrices rounds differently by its size.
    found = np.stack([row @ MATRIX for row in obs])
    return found[:, 52], found[:, :52]


def agent(**parameters) -> RolloutAgent:
    given = {"scenarios": 5, "close": 30.0, "trust": 1.0} | parameters
    return RolloutAgent("gongzhu/test", SPEC, view_encoding, network, rollout_setting(SPEC), 100.0, 0, given)


def positions(seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = fuda.game("gongzhu", leader=seed % 4).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def legal_of(state) -> list[int]:
    moves = np.zeros(13, np.int64)
    return moves[: RULES.legal(state, moves)].tolist()


def advantages_of(state) -> np.ndarray:
    """What the network says of the mover's own view."""
    view = np.array([state]).view(np.recarray)
    seat = int(state.seat)
    RULES.hide(view[0], seat)
    words = np.zeros((1, view_encoding.NUM_WORDS), np.int64)
    view_encoding.encode_all(view, np.array([seat]), words, 0, 1)
    return network(words)[1][0]


def slow_gain(scenario, action: int, exact: int) -> float:
    """Play one scenario out: what the first mover's side gains."""
    state = np.array([scenario]).view(np.recarray)
    sign = 1 if scenario.seat % 2 == 0 else -1
    before = RULES.outcome(state[0])
    RULES.step(state[0], action)
    while state[0].status == PLAYING:
        legal = legal_of(state[0])
        if len(legal) > 1:
            if 13 - state[0].num_plays // 4 <= exact:
                best = solve(SPEC, state).max()
                return sign * ((best if state[0].seat % 2 == 0 else -best) - before)
            numbers = advantages_of(state[0])
            RULES.step(state[0], max(legal, key=lambda card: numbers[card]))
        else:
            RULES.step(state[0], legal[0])
    return sign * (RULES.outcome(state[0]) - before)


@pytest.mark.parametrize("exact", [0, 3])
@pytest.mark.parametrize("weighting", ["none", "bayes"])
def test_values_are_those_of_play_outs_one_by_one(exact, weighting):
    player = agent(exact=exact, weighting=weighting)
    alone = agent(scenarios=0)
    looked = 0
    for match in positions(3)[1::5]:
        if len(match.legal()) == 1:
            continue
        view, seats = match.view_record(match.seat), np.array([match.seat])
        base = alone.evaluate(view, seats, streams(6, AGENT, 0, 1))[0]
        found = player.evaluate(view, seats, streams(6, AGENT, 0, 1))[0]
        states, weights = draw_scenarios(
            SPEC, player.setting, view, seats, streams(6, AGENT, 0, 1), player._policy
        )
        ranked = sorted(base, key=lambda card: -base[card])[:3]
        close = [card for card in ranked if base[card] >= base[ranked[0]] - 30]
        if len(close) == 1:
            assert found == base
            continue
        for card in close:
            gains = [slow_gain(state, card, exact) for state in states]
            assert found[card] == pytest.approx((weights[0] * gains).sum(), abs=1e-3)
            looked += 1
        best = max(found[card] for card in close)
        assert all(found[card] < best for card in found if card not in close)
    assert looked > 8


def test_trust_blends_the_network_and_the_play_outs():
    match = positions(4)[8]
    blended, played_out, base = (
        agent(trust=trust, weighting="none").values(match) for trust in (0.25, 1.0, 0.0)
    )
    assert any(played_out[move] != base[move] for move in base)
    top = sorted(base, key=lambda move: -base[move])[:2]
    for move in top:
        assert blended[move] == pytest.approx(0.75 * base[move] + 0.25 * played_out[move], abs=1e-2)


def test_decisions_do_not_depend_on_the_batch_or_the_cores():
    matches = [match for seed in range(2) for match in positions(seed)]
    views = np.concatenate([match.view_record(match.seat) for match in matches]).view(np.recarray)
    seats = np.array([match.seat for match in matches])
    player = agent(exact=2)
    whole = player.act(views, seats, streams(9, AGENT, 0, len(views)))
    with limited_to(1):
        assert (player.act(views, seats, streams(9, AGENT, 0, len(views))) == whole).all()
    for k in range(0, len(views), 9):
        luck = streams(9, AGENT, k, 1)
        assert player.act(views[k : k + 1].view(np.recarray), seats[k : k + 1], luck)[0] == whole[k]


@pytest.mark.parametrize(("parameter", "value"), [("trust", 2), ("candidates", 0), ("method", "search")])
def test_bad_parameters_are_value_errors(parameter, value):
    with pytest.raises(ValueError, match=parameter):
        agent(**{parameter: value})
