"""A verdict on a single move: the values of reviews, and what they call a mistake."""

import pytest

import fuda
from fuda.explain.review import reviewer_of
from fuda.explain.verdict import judge_move
from tests.explain.test_review import ALL_CLUBS, GAMES, Whim, play


@pytest.mark.parametrize("game", GAMES)
def test_a_mistake_of_a_review_is_one_here_and_the_best_move_is_none(game):
    match = play(fuda.game(game, **GAMES[game]).start(3), fuda.agent(f"{game}/random", seed=3))
    worst = fuda.review(match, 0).mistakes[0]
    before = match.game.start(None, match.deals)
    for _, move in match.moves[: worst.index]:
        before.play(move)
    found = judge_move(before, worst.move)
    assert (found.mistake, found.best, found.agent) == (True, worst.best, reviewer_of(game))
    assert found.cost == pytest.approx(worst.cost, abs=1e-4)
    assert set(found.values) == set(before.legal())
    right = judge_move(before, worst.best)
    assert (right.mistake, right.cost) == (False, 0)


def test_a_whim_is_a_mistake_only_without_a_second_look():
    """Who holds all clubs takes every trick in any order."""
    match = fuda.game("gongzhu").start(0, deal=ALL_CLUBS)
    values = judge_move(match, "C2", Whim()).values
    dear = min(values, key=values.get)
    looked, unlooked = (judge_move(match, dear, Whim(), scenarios=many) for many in (128, 0))
    assert looked.cost == unlooked.cost == 50
    assert (looked.mistake, unlooked.mistake) == (False, True)


def test_what_cannot_be_judged_is_said():
    match = fuda.game("gongzhu").start(1)
    with pytest.raises(fuda.IllegalMove):
        judge_move(match, "nonsense")
    bids = fuda.game("doudizhu", bidding="on").start(1)
    with pytest.raises(ValueError, match="what bids are worth"):
        judge_move(bids, bids.legal()[0])
