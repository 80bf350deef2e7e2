"""Values side by side: what is told is what the agents say."""

import pytest

import fuda
from fuda.agents import agent_info
from fuda.explain import explain_move, valued_models
from fuda.explain.values import position_before
from tests.explain.planted import Highest


def played(seed: int = 2, rounds: int = 2) -> fuda.Match:
    match, agent = fuda.game("koikoi", rounds=rounds).start(seed), fuda.agent("koikoi/classical")
    while not match.over:
        match.play(agent.choose(match))
    return match


def test_values_and_best_are_the_agents_own():
    told = played()
    agents = [fuda.agent(name) for name in valued_models("koikoi")]
    assert agents
    for number in range(1, len(told.moves) + 1, 7):
        explanation = explain_move(told, number, agents)
        assert explanation.played == told.moves[number - 1][1]
        for agent, judgement in zip(agents, explanation.judgements, strict=True):
            assert judgement.values == agent.values(explanation.match)
            assert judgement.best == agent.choose(explanation.match)


def test_the_position_is_the_one_before_the_move():
    told = played()
    match = told.game.start(told.seed)
    for number, (_, move) in enumerate(told.moves, 1):
        assert position_before(told, number).state_bytes() == match.state_bytes()
        match.play(move)


def test_moves_come_best_first_and_agents_without_values_tell_their_choice():
    told = played()
    classical = fuda.agent("koikoi/classical")
    explanation = explain_move(told, 1, [classical, Highest()])
    numbers = [explanation.match.legal_actions()[move] for move in explanation.moves()]
    assert numbers == sorted(numbers, reverse=True)
    chosen = explanation.judgements[0]
    assert (chosen.values, chosen.best) == ({}, told.moves[0][1])
    assert chosen.value_text(chosen.best) == ""
    assert explanation.judgements[1].best == explanation.moves()[0]


def test_a_match_that_goes_on_has_a_position_after_its_last_move():
    match = fuda.game("koikoi").start(1)
    match.play(match.legal()[0])
    explanation = explain_move(match, 2, [Highest()])
    assert explanation.played is None
    assert explanation.match.state_bytes() == match.state_bytes()


@pytest.mark.parametrize("number", [-1, 0, 10_000])
def test_moves_that_are_not_there(number):
    with pytest.raises(ValueError, match="moves 1 to"):
        explain_move(played(), number, [Highest()])


def test_after_the_end_there_is_nothing_to_explain():
    told = played()
    with pytest.raises(ValueError, match=f"moves 1 to {len(told.moves)}"):
        explain_move(told, len(told.moves) + 1, [Highest()])


def test_valued_models_are_listed_and_have_a_unit():
    for game in fuda.list_games():
        for name in valued_models(game):
            assert name in fuda.list_agents(game)
            assert agent_info(name).unit is not None
            assert not agent_info(name).searches


def test_valued_models_are_all_players_of_a_model_that_value_at_once():
    """gongzhu/best takes its time; its network alone has a name of its own."""
    valued = valued_models("gongzhu")
    assert "gongzhu/best-raw" in valued
    assert "gongzhu/best" not in valued
    assert "gongzhu/scrofazero-policy" not in valued  # it has no values
