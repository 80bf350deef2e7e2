"""Reviews: the account is exact, blunders are found, noise is no mistake, luck shows where it was."""

import json
from dataclasses import replace

import numpy as np
import pytest

import fuda
from fuda.agents import Agent, AgentInfo
from fuda.explain.review import reviewer_of
from fuda.explain.review_words import standing_line
from fuda.explain.second_look import SecondLook
from fuda.explain.walk import views_of

GAMES = {"koikoi": {"rounds": 2}, "gongzhu": {}, "doudizhu": {}}
QUICK = {game: reviewer_of(game) for game in GAMES}


def test_the_agents_by_which_games_are_reviewed():
    """Those that docs/reviews.md names."""
    assert QUICK == {
        "koikoi": "koikoi/rl-wp", "gongzhu": "gongzhu/best-raw", "doudizhu": "doudizhu/best-raw"
    }  # fmt: skip


def play(match, agent, until=lambda match: False):
    while not match.over and not until(match):
        match.play(agent.choose(match))
    return match


@pytest.fixture(scope="module")
def agents():
    """The reviewers, each with its network read once."""
    return {game: fuda.agent(name) for game, name in QUICK.items()}


@pytest.fixture(scope="module")
def random_reviews(agents):
    """By game: a match of random players, and its reviews by seat."""
    found = {}
    for game, options in GAMES.items():
        match = play(fuda.game(game, **options).start(3), fuda.agent(f"{game}/random", seed=3))
        seats = range(match.game.spec.seats)
        found[game] = match, [fuda.review(match, seat, agents[game], scenarios=8) for seat in seats]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_who_plays_without_chance_costs_nothing_by_its_own_values(game, agents):
    match = play(fuda.game(game, **GAMES[game]).start(5), agents[game])
    for seat in range(match.game.spec.seats):
        found = fuda.review(match.record(), seat, QUICK[game])
        assert len(found.decisions) > 4
        assert (found.cost, found.others_cost, found.mistakes) == (0, 0, [])
        assert found.result == found.luck
        assert all(one.move == one.best for one in found.decisions)


@pytest.mark.parametrize("game", GAMES)
def test_the_account_is_exact(game, random_reviews):
    match, reviews = random_reviews[game]
    for seat, found in enumerate(reviews):
        for swing in (found, found.opening, *found.decisions):
            assert swing.result == swing.luck - swing.cost + swing.others_cost
        for name in ("result", "luck", "cost", "others_cost"):
            swings = [found.opening, *found.decisions]
            assert getattr(found, name) == sum(getattr(swing, name) for swing in swings)
        end = np.sign(match.margin(seat))
        assert np.sign(found.result) == end
        if found.unit == "probability":
            assert found.result == end / 2
        assert found.cost > 0
        assert found.others_cost != 0
    assert reviews[0].game == game


@pytest.mark.parametrize("game", GAMES)
def test_decisions_are_the_choices_as_the_agent_valued_them(game, random_reviews, agents):
    match, reviews = random_reviews[game]
    again = match.game.start(match.seed)
    decisions = {one.index: one for one in reviews[0].decisions}
    for index, (seat, move) in enumerate(match.moves):
        assert (index in decisions) == (seat == 0 and len(again.legal()) > 1)
        if index in decisions:
            values, one = agents[game].values(again), decisions[index]
            assert one.move == move
            assert one.cost == pytest.approx(max(values.values()) - values[move], abs=1e-5)
            assert one.best == agents[game].choose(again) or one.cost == 0
        again.play(move)


def test_what_the_others_gave_is_what_they_lost(random_reviews):
    _, (first, second) = random_reviews["koikoi"]
    assert (first.others_cost, second.others_cost) == pytest.approx((second.cost, first.cost), abs=0.2)
    gongzhu = random_reviews["gongzhu"][1]
    total = sum(one.cost for one in gongzhu[1::2]) - gongzhu[2].cost
    assert gongzhu[0].others_cost == pytest.approx(total, abs=120)


def test_mistakes_exceed_twice_the_error_and_come_worst_first(random_reviews):
    for _, reviews in random_reviews.values():
        for found in reviews:
            costs = [one.cost for one in found.mistakes]
            assert costs == sorted(costs, reverse=True)
            by_index = {one.index: one for one in found.decisions}
            for one in found.mistakes:
                assert one.cost > 2 * one.stderr
                assert one.second_cost > 2 * one.stderr
                decision = by_index[one.index]
                assert (one.move, one.best, one.cost) == (decision.move, decision.best, decision.cost)
    assert sum(len(found.mistakes) for _, reviews in random_reviews.values() for found in reviews) > 9


def test_a_planted_blunder_is_the_worst_mistake(agents):
    """The pig is thrown away, once, by who else plays as the reviewer does."""
    judge = agents["gongzhu"]

    def can_blunder(match):
        values = judge.values(match) if match.seat == 0 and len(match.legal()) > 1 else {}
        return "SQ" in values and max(values.values()) - values["SQ"] > 60

    match = play(fuda.game("gongzhu").start(1), judge, can_blunder)
    assert not match.over
    index, best = len(match.moves), judge.choose(match)
    match.play("SQ")
    found = fuda.review(play(match, judge), 0, judge)
    assert [(one.index, one.move, one.best) for one in found.mistakes] == [(index, "SQ", best)]
    assert found.cost == found.mistakes[0].cost > 60
    assert found.costs_by_kind[found.decisions[0].kind] >= 0


class Whim(Agent):
    """Thinks that cards of odd numbers are 50 points better than others, and plays the lowest."""

    def __init__(self):
        spec = fuda.game("gongzhu").spec
        super().__init__("gongzhu/whim", spec, AgentInfo("Whim", "Odd cards.", "points"))

    def act(self, views, seats, rngs):
        legal = self.spec.kernels.legal_lists(views)
        return legal.items[legal.starts[:-1]].astype(np.int64)

    def evaluate(self, views, seats, rngs):
        legal = self.spec.kernels.legal_lists(views)
        return [{int(card): 50.0 * (card & 1) for card in legal.row(k)} for k in range(len(views))]


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ALL_CLUBS = {"hands": [[f"{suit}{rank}" for rank in RANKS] for suit in "CDHS"], "leader": 0}


def test_a_planted_tie_is_no_mistake():
    """Who holds all clubs takes every trick in any order: what the judge thinks of them is a whim."""
    match = play(fuda.game("gongzhu").start(0, deal=ALL_CLUBS), Whim())
    found = fuda.review(match, 0, Whim())
    assert found.cost >= 50 * 5
    assert found.mistakes == []


def test_a_second_look_at_one_move_twice_sees_no_difference(agents):
    match = fuda.game("doudizhu").start(2)
    views, seats = views_of([match])
    look = SecondLook(agents["doudizhu"], "probability", match.game.options, agents["doudizhu"])
    action = np.array([next(iter(match.legal_actions().values()))])
    ahead, errors = look.compare(views, seats, action, action, 8)
    assert (ahead.tolist(), errors.tolist()) == ([0], [0])


LUCKY = {
    "dealer": 0,
    "hands": [
        ["8-1", "1-3", "1-4", "2-3", "4-3", "5-3", "6-3", "7-3"],
        ["2-4", "4-4", "5-4", "6-4", "7-4", "10-3", "11-4", "12-3"],
    ],
    "field": ["8-2", "9-2", "12-1", "10-4", "3-3", "11-2", "2-1", "7-1"],
}


def stock(first):
    dealt = {first, *LUCKY["field"], *LUCKY["hands"][0], *LUCKY["hands"][1]}
    cards = [f"{month}-{place}" for month in range(12, 0, -1) for place in (4, 3, 2, 1)]
    return [first, *(card for card in cards if card not in dealt)]


@pytest.mark.parametrize("unit", ["koikoi/rl-wp", "koikoi/rl-point"])
def test_a_planted_lucky_draw_shows_at_its_own_move(unit):
    """The moon is taken; then the sake cup comes from the stock, and with it a yaku, or it does not."""
    lucks = {}
    for first in ("9-1", "12-4"):
        match = fuda.game("koikoi", rounds=1).start(0, deal=LUCKY | {"stock": stock(first)})
        match.play("8-1")
        judge = fuda.agent(unit)
        found = fuda.review(play(match, judge), 0, judge)
        assert found.decisions[0].index == 0
        lucks[first] = found.decisions[0].luck
    least = 0.1 if unit == "koikoi/rl-wp" else 2
    assert lucks["9-1"] > lucks["12-4"] + least
    assert lucks["9-1"] > least


def test_points_of_several_rounds_add_up():
    judge = fuda.agent("koikoi/rl-point")
    match = play(fuda.game("koikoi", rounds=3).start(8), fuda.agent("koikoi/classical"))
    found = fuda.review(match, 1, judge, scenarios=4)
    assert found.unit == "points"
    assert found.result == match.scores[1] - 30 == match.margin(1)
    assert {one.deal for one in found.decisions} == {0, 1, 2}


def test_a_match_that_was_not_finished_has_no_luck_after_its_last_choice(agents):
    match = play(fuda.game("gongzhu").start(4), agents["gongzhu"], lambda match: len(match.moves) == 21)
    found = fuda.review(match, 2, agents["gongzhu"])
    assert not found.over
    assert found.decisions[-1].luck == 0
    assert found.start + found.result == found.decisions[-1].after


def test_hidden_cards_change_nothing_before_they_are_seen(agents):
    """The review of a first move is the same whoever holds what its player could not see."""
    match = fuda.game("gongzhu").start(6)
    (deal,) = match.deals
    first, *others = deal["hands"]
    other = match.game.start(6, deal=deal | {"hands": [first, *reversed(others)]})
    for each in (match, other):
        each.play(each.legal()[0])
    one, two = (fuda.review(each, 0, agents["gongzhu"]).decisions[0] for each in (match, other))
    assert (one.cost, one.best, one.before) == (two.cost, two.best, two.before)


def test_bids_in_the_unit_of_the_other_moves_are_reviewed():
    judge = fuda.agent("doudizhu/best-point")
    assert judge.info.bid_unit == judge.info.unit
    match = play(fuda.game("doudizhu", bidding="on").start(9), fuda.agent("doudizhu/random", seed=9))
    found = fuda.review(match, 0, judge, scenarios=4)
    assert any(one.kind == "bid" for one in found.decisions)
    assert found.result == found.luck - found.cost + found.others_cost


def test_a_game_of_single_players_is_reviewed_by_a_search():
    match = play(fuda.game("planted").start(1), fuda.agent("planted/random", seed=1))
    found = fuda.review(match, 2, "planted/uct", scenarios=4)
    assert found.result == found.luck - found.cost + found.others_cost
    assert found.looker == f"planted/{match.game.spec.fallback}"
    with pytest.raises(ValueError, match="name an agent that tells values"):
        fuda.review(match, 2)


def test_it_is_json_and_says_who_judged(random_reviews):
    for _, (found, *_) in random_reviews.values():
        told = json.loads(json.dumps(found.as_dict()))
        assert told["agent"] == QUICK[found.game]
        assert told["weights"] == fuda.agent(told["agent"]).weights
        assert sum(told["costs_by_kind"].values()) == told["cost"]
        assert len(told["decisions"]) == len(found.decisions)


@pytest.mark.parametrize(
    ("seat", "agent", "why"),
    [
        (2, None, "a seat is 0 to 1"),
        (True, None, "a seat is 0 to 1"),
        (0, "koikoi/classical", "does not tell what moves are worth"),
        (0, "gongzhu/best-raw", "does not play koikoi"),
    ],
)
def test_bad_questions_are_refused(seat, agent, why):
    match = fuda.game("koikoi").start(0)
    match.play(match.legal()[0])
    with pytest.raises(ValueError, match=why):
        fuda.review(match, seat, agent)


def test_without_second_looks_there_are_no_mistakes(random_reviews, agents):
    match, (found, *_) = random_reviews["gongzhu"]
    quick = fuda.review(match, 0, agents["gongzhu"], scenarios=0)
    assert quick.mistakes == []
    assert quick.decisions == found.decisions
    with pytest.raises(ValueError, match="2 scenarios or more"):
        fuda.review(match, 0, agents["gongzhu"], scenarios=1)


def test_it_stands_among_the_shipped_agents(random_reviews):
    (judge, middle, worst) = ("gongzhu/best-raw", "gongzhu/greed", "gongzhu/random")
    found = random_reviews["gongzhu"][1][0]
    assert [row.agent for row in found.standing] == [worst, middle, judge]
    costs = [row.cost for row in found.standing]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == 0  # who is judged by its own values
    assert all(row.games >= 100 for row in found.standing)
    means = (
        f"On average a game costs {worst} {costs[0]:.1f} points, {middle} {costs[1]:.1f} points, {judge} 0.0"
    )
    for cost, place in (
        (costs[0] + 1, f"this one more than {worst}."),
        (costs[0] - 1, f"this one is between {worst} and {middle}."),
        (costs[1] - 1, f"this one is between {middle} and {judge}."),
        (0.0, f"this one as much as {judge}."),
    ):
        line = standing_line(replace(found, cost=cost))
        assert line == f"{means} points: {place}"
    assert found.as_dict()["standing"][0] == {
        "agent": worst, "cost": costs[0], "stderr": found.standing[0].stderr,
        "games": found.standing[0].games,
    }  # fmt: skip


def test_it_stands_nowhere_where_nothing_compares(random_reviews, agents):
    """Other rules, another judge, and half a match have other costs."""
    short = random_reviews["koikoi"][1][0]  # of two rounds
    assert short.standing == []
    assert standing_line(short) == ""
    match = random_reviews["gongzhu"][0]
    assert fuda.review(match, 0, "gongzhu/scrofazero-raw", scenarios=0).standing == []
    half = match.game.start(match.seed, match.deals)
    for _, move in match.moves[: len(match.moves) // 2]:
        half.play(move)
    assert fuda.review(half, 0, agents["gongzhu"], scenarios=0).standing == []


def test_nothing_played_is_nothing_to_review():
    with pytest.raises(ValueError, match="nothing was played"):
        fuda.review(fuda.game("koikoi").start(0).record())
