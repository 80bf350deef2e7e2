"""The finder of disagreements on agents whose slips are planted."""

import pytest

import fuda
from fuda.explain import disagreements, explain_move
from fuda.games.koikoi.rules import CLAIM, DISCARD, KOIKOI, STOP
from tests.explain.planted import Highest

GAME = fuda.game("koikoi", rounds=2)


def find(other, most=1000, games=3, seed=5):
    return disagreements(GAME, Highest(), other, games, seed, most)


def test_an_agent_agrees_with_itself():
    assert find(Highest("koikoi/twin")) == []


def test_exactly_the_planted_slips_are_found_worst_first():
    """It slips in the third turn of the second round, and always claims koi-koi."""

    def slips(view):
        return view.phase == CLAIM or (view.phase == DISCARD and view.round_index == 1 and view.turn == 2)

    found = find(Highest("koikoi/slips", slips))
    losses = [one.loss for one in found]
    assert losses == sorted(losses, reverse=True)
    seen = set()
    for one in found:
        before = explain_move(one.match, one.number, [Highest()])
        assert before.played == one.best == before.judgements[0].best
        legal = before.match.legal_actions()
        assert one.loss == legal[one.best] - legal[one.chosen] > 0
        assert legal[one.chosen] == min(legal.values())
        view = before.match.view(one.seat)
        if (one.best, one.chosen) == ("stop", "koikoi"):
            assert one.loss == STOP - KOIKOI
        else:
            assert (view["round"], view["turn"], view["phase"]) == (2, 3, "discard")
            seen.add(one.match.seed)
    assert seen == {5, 6, 7}  # one in each match
    claims = sum(move in ("koikoi", "stop") for match in {id(one.match): one.match for one in found}.values()
                 for _, move in match.moves)  # fmt: skip
    assert len(found) == claims + 3


def test_only_the_worst_are_told():
    other = Highest("koikoi/lowest", lambda view: True)
    every = find(other)
    assert len(every) > 10
    assert [one.loss for one in find(other, most=4)] == [one.loss for one in every[:4]]


def test_the_same_seed_gives_the_same():
    def told(seed):
        found = find(fuda.agent("koikoi/random"), most=20, seed=seed)
        return [(one.match.seed, one.number, one.best, one.chosen, one.loss) for one in found]

    assert told(5) == told(5)
    assert told(5) != told(50)


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="does not tell what moves are worth"):
        disagreements(GAME, fuda.agent("koikoi/random"), Highest(), 1, 0, 1)
    with pytest.raises(ValueError, match="does not play koikoi"):
        disagreements(GAME, Highest(), fuda.agent("gongzhu/random"), 1, 0, 1)
    with pytest.raises(ValueError, match="does not play gongzhu"):
        disagreements(fuda.game("gongzhu"), Highest(), fuda.agent("gongzhu/random"), 1, 0, 1)
    for games in (0, -1, 10**9):
        with pytest.raises(ValueError, match="games are from 1"):
            disagreements(GAME, Highest(), Highest(), games, 0, 1)
    with pytest.raises(ValueError, match="at least 1"):
        disagreements(GAME, Highest(), Highest(), 1, 0, 0)
