"""Close decisions played out: against play-outs one by one, and exact endings."""

import random
from dataclasses import replace

import numpy as np
import pytest

import fuda
from fuda.agents.draw import draw_believed, draw_scenarios
from fuda.agents.evaluator import WordEvaluator
from fuda.agents.rollouts import RolloutAgent, change, rollout_setting
from fuda.core.generator import AGENT, streams
from fuda.core.state import PLAYING
from fuda.core.threads import limited_to
from fuda.games.gongzhu import view_encoding
from fuda.search.exact import solve
from tests.payoffs import payoff_of

SPEC = fuda.game("gongzhu").spec
RULES = SPEC.rules
OWNERS = np.random.default_rng(5).normal(size=(view_encoding.NUM_COLUMNS, 156)).astype(np.float32) / 10
MATRIX = np.random.default_rng(4).normal(size=(view_encoding.NUM_COLUMNS, 53)).astype(np.float32) / 100


class Network:
    """Made-up numbers: a matrix of the input."""

    tells_holders = True

    def __call__(self, words):
        found = self._product(words, MATRIX)
        return found[:, 52], found[:, :52]

    def holders(self, words):
        return self._product(words, OWNERS).reshape(-1, 3, 52)

    def _product(self, words, matrix):
        obs = np.zeros((len(words), view_encoding.NUM_COLUMNS), np.float32)
        view_encoding.spread_all(words, False, obs, 0, len(words))
        # One row after the other: a product of matrices rounds differently by its size.
        return np.stack([row @ matrix for row in obs])


class Indifferent(Network):
    """Nothing is to be gained by any card."""

    def _product(self, words, matrix):
        return np.zeros((len(words), matrix.shape[1]), np.float32)


network = Network()
PLAY_OUTS_ALONE = 10_000.0  # so much doubt that the network's values do not count


def agent(**parameters) -> RolloutAgent:
    given = {"scenarios": 5, "close": 30.0, "doubt": PLAY_OUTS_ALONE} | parameters
    return RolloutAgent("gongzhu/test", SPEC, asked(network), rollout_setting(SPEC), 0, given)


def asked(network: Network) -> WordEvaluator:
    return WordEvaluator(view_encoding, network, 100.0)


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
    """Play one scenario out: what the first mover gains."""
    state = np.array([scenario]).view(np.recarray)
    mover = int(scenario.seat)
    before = payoff_of(SPEC, state[0], mover)
    RULES.step(state[0], action)
    while state[0].status == PLAYING:
        legal = legal_of(state[0])
        if len(legal) > 1:
            if 13 - state[0].num_plays // 4 <= exact:
                best = solve(SPEC, state).items.max()
                return (best if state[0].seat % 2 == mover % 2 else -best) - before
            numbers = advantages_of(state[0])
            RULES.step(state[0], max(legal, key=lambda card: numbers[card]))
        else:
            RULES.step(state[0], legal[0])
    return payoff_of(SPEC, state[0], mover) - before


@pytest.mark.parametrize("exact", [0, 3])
@pytest.mark.parametrize("weighting", ["none", "bayes", "belief"])
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
        states, weights = player._draw(view, seats, streams(6, AGENT, 0, 1))
        ranked = sorted(base, key=lambda card: -base[card])[:3]
        close = [card for card in ranked if base[card] >= base[ranked[0]] - 30]
        if len(close) == 1:
            assert found == base
            continue
        gains = {
            card: (weights[0] * [slow_gain(state, card, exact) for state in states]).sum() for card in close
        }
        level = np.mean([base[card] for card in close]) - np.mean(list(gains.values()))
        for card in close:  # the differences are those of the play-outs, the level is the network's
            assert found[card] == pytest.approx(gains[card] + level, abs=0.1)
            looked += 1
        best = max(found[card] for card in close)
        assert all(found[card] < best for card in found if card not in close)
    assert looked > 8


def test_doubt_blends_the_network_and_the_play_outs():
    match = positions(4)[8]
    blended, played_out, base = (
        agent(doubt=doubt, weighting="none").values(match) for doubt in (8.0, PLAY_OUTS_ALONE, 0.0)
    )
    moved = [move for move in base if abs(played_out[move] - base[move]) > 1]
    assert len(moved) > 1
    for move in moved:
        low, high = sorted([base[move], played_out[move]])
        assert low < blended[move] < high


def test_play_outs_count_as_far_as_their_error_allows():
    """Two views, of two and three candidates, against the formula on lists."""
    luck = np.random.default_rng(3)
    starts, doubt = np.array([0, 2, 5]), 7.0
    values, gains = luck.normal(size=5) * 10, luck.normal(size=(5, 6)) * 50
    weights = luck.random((5, 6))
    weights[:] = weights[[0, 0, 2, 2, 2]]  # those of a view are the same
    weights /= weights.sum(axis=1, keepdims=True)
    found = change(values, gains, weights, starts, doubt, 60.0)
    for mine in ([0, 1], [2, 3, 4]):
        own = values[mine] - values[mine].mean()
        errors, means = [], []
        for place, k in enumerate(mine):
            ahead = [gains[k, s] - gains[mine, s].mean() for s in range(6)]
            means.append(sum(w * a for w, a in zip(weights[k], ahead, strict=True)))
            errors.append(
                sum(
                    w * w * ((a - means[place]) ** 2 + 60**2 / 6)
                    for w, a in zip(weights[k], ahead, strict=True)
                )
            )
        trust = doubt**2 / (doubt**2 + np.mean(errors))
        assert found[mine] == pytest.approx(trust * (np.array(means) - own))
        assert found[mine].sum() == pytest.approx(0)


def test_believed_deals_agree_with_the_view_and_follow_the_guess():
    match = positions(5)[9]
    view, seats = match.view_record(match.seat), np.array([match.seat])
    logits = np.zeros((1, 3, 52), np.float32)
    words, wanted = np.zeros((1, view_encoding.NUM_WORDS), np.int64), {}
    view_encoding.encode_all(view, seats, words, 0, 1)
    unseen = [card for card in range(52) if words[0, view_encoding.UNSEEN] >> card & 1]
    for card in unseen[::4]:  # every fourth is thought to be with the partner
        logits[0, 1, card] = 4.0
    states, weights = draw_believed(SPEC, view_encoding, 200, view, seats, streams(2, AGENT, 0, 1), logits)
    evenly, _ = draw_scenarios(
        SPEC, replace(rollout_setting(SPEC), scenarios=200, weighting="none"), view, seats,
        streams(2, AGENT, 0, 1), None,
    )  # fmt: skip
    assert weights.sum() == pytest.approx(1)
    for name, found in (("believed", states), ("evenly", evenly)):
        partners = [int(state.hand[(match.seat + 2) % 4]) for state in found]
        wanted[name] = np.mean([[hand >> card & 1 for card in unseen[::4]] for hand in partners])
        for state in found[::20]:
            again = np.array([state]).view(np.recarray)
            RULES.hide(again[0], match.seat)
            assert again.tobytes() == view.tobytes()
    assert wanted["believed"] > wanted["evenly"] + 0.15


def test_a_network_without_a_guess_weighs_by_what_was_played():
    silent = Network()
    silent.tells_holders = False
    setting = rollout_setting(SPEC)
    player = RolloutAgent("gongzhu/test", SPEC, asked(silent), setting)
    assert (setting.weighting, player.setting.weighting) == ("belief", "bayes")
    with pytest.raises(ValueError, match="no belief"):
        RolloutAgent("gongzhu/test", SPEC, asked(silent), setting, 0, {"weighting": "belief"})


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


@pytest.mark.parametrize(("parameter", "value"), [("doubt", -1), ("candidates", 0), ("method", "search")])
def test_bad_parameters_are_value_errors(parameter, value):
    with pytest.raises(ValueError, match=parameter):
        agent(**{parameter: value})


def test_values_count_what_was_gained_before():
    """As those of all other players do: what a side will be ahead at the end, not from here on."""
    all_the_same = RolloutAgent("gongzhu/test", SPEC, asked(Indifferent()), rollout_setting(SPEC, "-raw"))
    leads = set()
    for match in positions(2):
        state = match.view_record(match.seat)[0]
        lead = payoff_of(SPEC, state, match.seat)
        assert set(all_the_same.values(match).values()) == {lead}
        leads.add(lead)
    assert len(leads) > 5
