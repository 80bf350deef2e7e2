"""Players by values of moves that play out: against play-outs one by one, by a made-up evaluator."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import fuda
from fuda.agents.draw import draw_scenarios
from fuda.agents.evaluator import Evaluator
from fuda.agents.rollouts import RolloutAgent, rollout_setting
from fuda.core.generator import AGENT, streams
from fuda.core.state import PLAYING
from fuda.core.threads import limited_to
from fuda.games.doudizhu import encoding as doudizhu_encoding
from fuda.games.doudizhu.encoding import NUM_MOVE_WORDS, NUM_WORDS, encode, encode_move
from fuda.games.doudizhu.moves import PASS
from fuda.search.belief import log_factors
from fuda.search.exact import solved_payoffs
from tests.games.doudizhu.test_endings import endings_of
from tests.games.doudizhu.test_redeal import ending
from tests.payoffs import payoff_of

SPEC = fuda.game("doudizhu").spec
RULES = SPEC.rules
PLAY_OUTS_ALONE = 100.0  # so much doubt that the evaluator's values do not count
COARSE = 997  # chances that are told apart


def chance(words: np.ndarray, move: np.ndarray) -> float:
    """A made-up number that hangs on all that is told."""
    return float((int(words.sum()) * 31 + int(move.sum()) * 17) % COARSE) / COARSE


class MadeUp(Evaluator):
    """One position and one move after the other; a state is told of as a view."""

    unit = "probability"
    encoding = doudizhu_encoding

    def values(self, positions, seats, legal):
        found = np.zeros(len(legal.items))
        for k in range(len(positions)):
            for place in range(legal.starts[k], legal.starts[k + 1]):
                found[place] = told(positions[k], int(seats[k]), int(legal.items[place]))
        return found


class Points(MadeUp):
    """The same in points."""

    unit = "points"


def told(position, seat: int, action: int) -> float:
    words, move = np.zeros(NUM_WORDS, np.int64), np.zeros(NUM_MOVE_WORDS, np.int64)
    encode(position, seat, words)
    encode_move(position, action, move)
    return chance(words, move)


def agent(evaluator: Evaluator | None = None, **parameters) -> RolloutAgent:
    given = {
        "scenarios": 4, "close": 1.0, "doubt": PLAY_OUTS_ALONE, "weighting": "none", "plies": 0, "exact": 0,
        "pool": 1,
    }  # fmt: skip
    return RolloutAgent(
        "doudizhu/test", SPEC, evaluator or MadeUp(), rollout_setting(SPEC), 0, given | parameters
    )


def legal_of(state) -> list[int]:
    moves = np.zeros(SPEC.max_legal, np.int64)
    return moves[: RULES.legal(state, moves)].tolist()


def slow_gain(scenario, action: int, unit: str, plies: int, exact: int) -> float:
    """Play one scenario out: what the first mover gets."""
    state = np.array([scenario]).view(np.recarray)
    row, mover, choices = state[0], int(scenario.seat), 0
    RULES.step(row, action)
    while row.status == PLAYING:
        legal = legal_of(row)
        if len(legal) > 1:
            if row.sizes.sum() <= exact:
                payoff = float(solved_payoffs(SPEC, state)[0, mover])
                return payoff if unit == "points" else float(payoff > 0)
            view = state.copy()
            RULES.hide(view[0], int(row.seat))
            values = [told(view[0], int(row.seat), move) for move in legal]
            if plies and choices == plies:
                best = max(values)
                is_mine = (row.seat == row.landlord) == (mover == row.landlord)
                return best if is_mine else 1 - best if unit == "probability" else -best
            RULES.step(row, legal[int(np.argmax(values))])
            choices += 1
        else:
            RULES.step(row, legal[0])
    payoff = payoff_of(SPEC, row, mover)
    return payoff if unit == "points" else float(payoff > 0)


@pytest.mark.parametrize(
    ("evaluator", "plies", "exact"),
    [(MadeUp(), 0, 0), (MadeUp(), 3, 0), (MadeUp(), 2, 9), (MadeUp(), 0, 12), (Points(), 3, 10)],
)
def test_gains_are_those_of_play_outs_one_by_one(evaluator, plies, exact):
    player, checked = agent(evaluator, plies=plies, exact=exact), 0
    for state in endings_of(4, 22, score="adp").reshape(4, 1):
        state = state.view(np.recarray)
        seats = state["seat"].astype(np.int64)
        view = state.copy()
        RULES.hide(view[0], int(seats[0]))
        states, weights = player._draw(view, seats, streams(6, AGENT, 0, 1))
        played = np.array(legal_of(view[0])[:3])
        found = player._play_out(states.reshape(weights.shape), np.zeros(len(played), int), seats, played)
        for number, action in enumerate(played):
            expected = [slow_gain(each, int(action), evaluator.unit, plies, exact) for each in states]
            assert found[number] == pytest.approx(expected)
            checked += 1
    assert checked > 6


class Low(Evaluator):
    """Thinks a little more of low cards, and nothing of passing."""

    unit = "probability"
    encoding = doudizhu_encoding

    def values(self, positions, seats, legal):
        return np.where(legal.items == PASS, 0.0, 0.5 - legal.items / 1e6)


@pytest.mark.parametrize("parameters", [{"exact": 0}, {"exact": 16}], ids=str)
def test_a_planted_best_move_is_found(parameters):
    """With 3 and K against 7 and 8, who leads the K wins; the network likes the 3 more."""
    hands = ["33445566TTJJQQKKAA22"]
    left = Counter("".join(4 * rank for rank in "3456789TJQKA2") + "BR")
    left.subtract(hands[0])
    rest = sorted(left.elements())
    hands += ["".join(rest[::2]), "".join(rest[1::2])]
    state = ending({"hands": hands}, ["3K", "7", "8"])
    view, seats = state.copy(), np.zeros(1, np.int64)
    RULES.hide(view[0], 0)
    moves = SPEC.kernels.legal_lists(view)
    alone = agent(Low(), scenarios=0).act(view, seats, streams(1, AGENT, 0, 1))
    found = agent(Low(), **parameters).act(view, seats, streams(1, AGENT, 0, 1))
    assert (int(alone[0]), int(found[0])) == tuple(moves.items.tolist())


def test_weights_follow_the_chances_of_what_was_played():
    """Bayes weights by a slow account: the product of softmax chances, with a part for random plays."""
    beta, floor = 3.0, 0.1
    setting = replace(rollout_setting(SPEC), scenarios=5, pool=1, weighting="bayes", beta=beta, floor=floor)
    match, player = fuda.game("doudizhu").start(3), fuda.agent("doudizhu/rhcp")
    for _ in range(14):
        match.play(player.choose(match))
    view, seats = match.view_record(match.seat), np.array([match.seat])
    searching = agent(weighting="bayes", beta=beta, floor=floor, scenarios=5)
    states, weights = draw_scenarios(SPEC, setting, view, seats, streams(2, AGENT, 0, 1), searching._policy)
    expected = []
    for state in states:
        hands = state.hand + state.played
        again = np.array([state]).view(np.recarray)
        SPEC.tells.rewind(again, np.array([state]).view(np.recarray), 0)
        assert (again[0].hand == hands).all()
        score = 1.0
        for number in range(int(state.num_plays)):
            mover, legal = int(again[0].seat), legal_of(again[0])
            if mover != match.seat and number >= state.num_plays - SPEC.tells.NUM_TOLD:
                powers = {move: np.exp(beta * told(again[0], mover, move)) for move in legal}
                share = powers[int(state.plays[number])] / sum(powers.values())
                score *= (1 - floor) * share + floor / len(legal)
            RULES.step(again[0], state.plays[number])
        expected.append(score)
    assert weights[0] == pytest.approx(np.array(expected) / sum(expected))
    assert weights.max() > 1.1 / 5


def test_of_a_pool_the_likely_deals_are_kept():
    match, player = fuda.game("doudizhu").start(3), fuda.agent("doudizhu/rhcp")
    for _ in range(14):
        match.play(player.choose(match))
    view, seats = match.view_record(match.seat), np.array([match.seat])

    def num_different(**parameters) -> int:
        searching = agent(weighting="bayes", beta=60.0, scenarios=40, **parameters)
        states, weights = searching._draw(view, seats, streams(2, AGENT, 0, 1))
        assert weights.shape == (1, 40)
        assert weights.sum() == pytest.approx(1)
        return len({state.tobytes() for state in states})

    assert num_different(pool=1) > num_different(pool=8)  # some are drawn more than once


def test_log_factors_with_a_floor():
    logits, starts = np.array([0.0, 1.0, 2.0, 5.0, 5.0]), np.array([0, 3, 5])
    played, compared = np.array([1, 3]), np.ones(5, bool)
    found = log_factors("bayes", logits, starts, played, compared, 2.0, 2.0, 0.3)
    first = np.exp(1.0) / (1 + np.exp(1.0) + np.exp(2.0))
    assert found == pytest.approx(np.log([0.7 * first + 0.1, 0.5]))


def test_decisions_do_not_depend_on_the_batch_or_the_cores():
    states = endings_of(6, 24)
    seats = states["seat"].astype(np.int64)
    for k, seat in enumerate(seats):
        RULES.hide(states[k], seat)
    player = agent(exact=12, plies=2, weighting="bayes", pool=2)
    whole = player.act(states, seats, streams(9, AGENT, 0, len(states)))
    with limited_to(1):
        assert (player.act(states, seats, streams(9, AGENT, 0, len(states))) == whole).all()
    for k in range(0, len(states), 2):
        one = states[k : k + 1].copy()
        assert player.act(one, seats[k : k + 1], streams(9, AGENT, k, 1))[0] == whole[k]


def test_what_it_cannot_do_is_said():
    with pytest.raises(ValueError, match="no strata"):
        agent(sampling="stratified")
    with pytest.raises(ValueError, match="exact of doudizhu/test is a whole number from 0 to 20, not 21"):
        agent(exact=21)
    with pytest.raises(ValueError, match="no belief"):
        agent(weighting="belief")
