"""Agents by name, and what their moves may depend on."""

import random

import numpy as np
import pytest

import fuda
from fuda.agents import agent_of

GAME = fuda.game("koikoi", rounds=2)


@pytest.fixture(params=fuda.list_agents("koikoi"))
def name(request) -> str:
    return request.param


def random_match(seed: int, moves: int) -> fuda.Match:
    match = GAME.start(seed)
    luck = random.Random(seed)
    for _ in range(moves):
        if not match.over:
            match.play(luck.choice(match.legal()))
    return match


def finished() -> fuda.Match:
    return random_match(1, 1000)


def test_names_are_game_slash_name():
    assert "koikoi/random" in fuda.list_agents("koikoi")
    assert set(fuda.list_agents("koikoi")) <= set(fuda.list_agents())
    for game in fuda.list_games():
        names = fuda.list_agents(game)
        assert names == sorted(names)
        assert all(found.startswith(f"{game}/") for found in names)
    assert fuda.list_agents() == [found for game in fuda.list_games() for found in fuda.list_agents(game)]


def test_every_listed_agent_loads_and_tells_of_itself(name):
    agent = fuda.agent(name)
    assert agent.name == name
    assert agent.info.title
    assert agent.info.line
    assert "\n" not in agent.info.line
    assert agent.info.unit in ("points", "probability", None)
    assert isinstance(agent.info.bids, bool)
    assert name in repr(agent)


BAD_NAMES = [
    "", "koikoi", "koikoi/", "random", "koikoi/nobody", "koikoi/random/", "koikoi/Random", "koikoi/random\n",
    None, 7, [], b"koikoi/random", "x" * 1000, "koikoi//random",
]  # fmt: skip
BAD_PATHS = ["/random", "./random", "../random", "runs/mine/model", "chess/random", " koikoi/random"]


@pytest.mark.parametrize("bad", BAD_NAMES, ids=lambda bad: repr(bad)[:16])
def test_unknown_names(bad):
    with pytest.raises(ValueError, match=r"there is no agent .*; there are .*koikoi/random") as error:
        fuda.agent(bad)
    assert str(error.value).isprintable()
    assert "x" * 41 not in str(error.value)


@pytest.mark.parametrize("bad", [*BAD_PATHS, "/" + "x" * 1000], ids=lambda bad: repr(bad)[:16])
def test_what_looks_like_a_path_and_leads_nowhere(bad, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match=r"there is no folder .* of a model, nor an agent of that name"
    ) as error:
        fuda.agent(bad)
    assert "koikoi/classical" not in str(error.value)
    assert "x" * 41 not in str(error.value)


def test_a_file_is_no_folder_of_a_model(tmp_path):
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(ValueError, match=r"no model.json in .*notes; give the folder of a model"):
        fuda.agent(tmp_path / "notes")


@pytest.mark.parametrize("bad", ["", "nobody", "gongzhu/nobody", "koikoi/nobody"])
def test_for_a_game_only_its_own_agents_are_listed(bad):
    with pytest.raises(ValueError, match=r"there is no agent .*; there are koikoi/") as error:
        agent_of("koikoi", bad)
    assert str(error.value).endswith(", ".join(fuda.list_agents("koikoi")))


def test_an_agent_of_another_game():
    assert agent_of("koikoi", "koikoi/random").name == "koikoi/random"
    with pytest.raises(ValueError, match="gongzhu/random does not play koikoi"):
        agent_of("koikoi", "gongzhu/random")


@pytest.mark.parametrize("game", ["chess", "", "koikoi/random", 7])
def test_no_agents_of_an_unknown_game(game):
    with pytest.raises(ValueError, match="there is no game"):
        fuda.list_agents(game)


def test_unknown_parameters():
    with pytest.raises(ValueError, match="koikoi/random has no parameter 'strength'"):
        fuda.agent("koikoi/random", strength=9)


@pytest.mark.parametrize("seed", [-1, 1.5, None, "1", True, 2**128])
def test_bad_seeds(name, seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        fuda.agent(name, seed=seed)


def test_chooses_a_legal_move_until_the_end(name):
    agent = fuda.agent(name)
    match = GAME.start(4)
    while not match.over:
        before = match.record(), match.state_bytes()
        move = agent.choose(match)
        assert type(move) is str
        assert move in match.legal()
        assert (match.record(), match.state_bytes()) == before
        match.play(move)


def test_nothing_to_choose_when_the_match_is_over(name):
    for ask in (fuda.agent(name).choose, fuda.agent(name).values):
        with pytest.raises(ValueError, match="the match is over"):
            ask(finished())


@pytest.mark.parametrize("thing", [None, "koikoi", 7, {}, GAME])
def test_only_matches_are_played(name, thing):
    for ask in (fuda.agent(name).choose, fuda.agent(name).values):
        with pytest.raises(ValueError, match="plays koikoi matches, not"):
            ask(thing)


def test_only_matches_of_its_own_game_are_played():
    for game in fuda.list_games():
        for other in fuda.list_agents():
            if not other.startswith(f"{game}/"):
                with pytest.raises(ValueError, match=f"matches, not .*{game} match"):
                    fuda.agent(other).choose(fuda.game(game).start(1))


def test_same_seed_same_moves(name):
    match = random_match(5, 3)
    twice = [[agent.choose(match) for _ in range(6)] for agent in (fuda.agent(name, 3), fuda.agent(name, 3))]
    assert twice[0] == twice[1]


def test_random_differs_by_seed_and_from_move_to_move():
    match = GAME.start(5)
    choices = {
        seed: [fuda.agent("koikoi/random", seed).choose(match) for _ in range(2)] for seed in range(40)
    }
    assert all(first == second for first, second in choices.values())
    assert {first for first, _ in choices.values()} == set(match.legal())
    one = fuda.agent("koikoi/random")
    assert {one.choose(match) for _ in range(200)} == set(match.legal())


def test_agents_do_not_touch_global_randomness(name):
    state, python = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    fuda.agent(name).choose(GAME.start(5))
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002
    assert random.getstate() == python


@pytest.mark.parametrize("seed", range(2))
def test_a_move_depends_on_the_view_alone(name, seed):
    """Other hidden cards, another seed of the match, other names: the same view, the same move."""
    match = random_match(seed, 0)
    mover = match.seat
    deal = match.deals[0]
    hidden = deal["hands"][1 - mover] + deal["stock"]
    one = fuda.agent(name, 9)
    moves, values = [one.choose(match) for _ in range(3)], one.values(match)
    for attempt in range(2):
        random.Random(attempt).shuffle(hidden)
        if any(sum(card.startswith(f"{month}-") for card in hidden[:8]) == 4 for month in range(1, 13)):
            continue
        hands = [deal["hands"][mover], hidden[:8]][:: -1 if mover else 1]
        other = GAME.start(
            seed + 1, deal=deal | {"hands": hands, "stock": hidden[8:]}, players=["some", "body"]
        )
        assert other.view(mover) == match.view(mover)
        two = fuda.agent(name, 9)
        assert [two.choose(other) for _ in moves] == moves
        assert two.values(other) == values


def test_values_are_of_the_legal_moves_or_none(name):
    match = random_match(6, 5)
    agent = fuda.agent(name)
    values = agent.values(match)
    if agent.info.unit is None:
        assert values is None
    else:
        assert sorted(values) == match.legal()
