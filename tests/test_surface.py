"""The public surface of DESIGN.md, as its examples use it."""

import fuda
from fuda.games import koikoi


def test_the_example_of_the_design():
    assert "koikoi" in fuda.list_games()
    assert fuda.list_games() == sorted(fuda.list_games())
    game = fuda.game("koikoi", rounds=8)
    match = game.start(seed=7)
    assert match.seat in (0, 1)
    assert not match.over
    assert match.scores is None
    agent = fuda.agent("koikoi/random", seed=0)
    while match.seat is not None:
        assert agent.choose(match) in match.legal()
        match.play(agent.choose(match))
    assert sum(match.scores) == 60
    assert fuda.replay(match.record()) == match
    assert agent.values(game.start(seed=7)) is None
    assert agent.info.title == "Random"
    assert "koikoi/random" in fuda.list_agents("koikoi")
    assert issubclass(fuda.IllegalMove, ValueError)


def test_points_and_yaku_of_the_design():
    assert koikoi.points(["3-1", "9-1"], koikoi=1) == 4
    assert koikoi.yaku(["3-1", "9-1"], koikoi=1) == [("Flower Viewing Sake", 3), ("Koi-Koi", 1)]


def test_duel_of_the_design():
    result = fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=20, seed=1, rounds=2)
    assert result.games == 20
    assert result.wins + result.draws + result.losses == 20
    assert result.win_rate == (result.wins + result.draws / 2) / 20
