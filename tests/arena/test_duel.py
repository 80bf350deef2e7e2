"""Duels: shared deals, all seatings, and figures that depend on nothing but what was asked."""

import math
from importlib import import_module
from itertools import product

import numpy as np
import pytest

import fuda
from fuda.agents import Agent, AgentInfo
from fuda.arena.duel import play_deals
from fuda.core.generator import CHANCE, streams
from fuda.core.runner import LockStep
from fuda.core.threads import limited_to
from fuda.games import spec
from fuda.games.koikoi.rules import CLAIM, KOIKOI, STOP

GAME = fuda.game("koikoi", rounds=2)
SPEC = spec("koikoi")
DUEL = import_module("fuda.arena.duel")  # the package's `duel` is the function


class Scripted(Agent):
    """An agent from a plain function of one view and its legal actions."""

    def __init__(self, choose, name: str = "koikoi/scripted"):
        super().__init__(name, SPEC, AgentInfo("Scripted", "Plays as the test says."))
        self.choose_one = choose
        self.asked = 0

    def act(self, views, seats, rngs):
        self.asked += len(views)
        out = np.empty(SPEC.max_legal, np.int64)
        actions = []
        for view in views:
            legal = out[: SPEC.rules.legal(view, out)].tolist()
            actions.append(self.choose_one(view, legal))
        return np.array(actions, np.int64)


def lowest(view, legal):
    """The first legal action, and always koi-koi."""
    return legal[0]


def highest(view, legal):
    """The last legal action, and always stop."""
    return legal[-1]


def waster(view, legal):
    """Never takes a card that it need not, and goes on for more until it is too late."""
    if view.phase == CLAIM:
        return KOIKOI
    return max(legal, key=lambda card: (not int(view.field) >> (card & ~3) & 15, card))


def taker(view, legal):
    """Takes whatever matches, and stops with the first yaku."""
    if view.phase == CLAIM:
        return STOP
    return max(legal, key=lambda card: (bool(int(view.field) >> (card & ~3) & 15), -card))


def margins(first, second, deals: int, seed: int = 3) -> np.ndarray:
    return play_deals(GAME, [first, second], seed, 0, deals)


@pytest.mark.parametrize("choose", [lowest, highest, waster, taker])
def test_an_agent_against_itself_is_even_on_every_deal(choose):
    found = margins(Scripted(choose), Scripted(choose), 40)
    assert (found.sum(axis=1) == 0).all()
    assert found.any()
    result = fuda.duel(GAME, Scripted(choose), Scripted(choose), games=80, seed=3)
    assert (result.mean_diff, result.stderr) == (0.0, 0.0)
    assert result.win_rate == 0.5
    assert result.wins == result.losses


def test_random_against_itself_is_even_within_its_error():
    result = fuda.duel(GAME, "koikoi/random", "koikoi/random", games=4000, seed=5)
    assert abs(result.mean_diff) < 4 * result.stderr
    assert abs(result.win_rate - 0.5) < 4 * result.win_rate_stderr
    assert 0 < result.stderr < 1


def test_planted_strengths_are_recovered():
    random, weak, strong = "koikoi/random", Scripted(waster), Scripted(taker)
    over_weak = fuda.duel(GAME, strong, weak, games=200, seed=1)
    over_random = fuda.duel(GAME, strong, random, games=200, seed=1)
    assert over_weak.mean_diff > 5 * over_weak.stderr > 0
    assert over_random.mean_diff > 5 * over_random.stderr > 0
    assert over_weak.mean_diff > over_random.mean_diff
    assert over_weak.win_rate > 0.7


def test_the_other_way_round_is_the_same_duel():
    """With agents that have no luck of their own, every margin changes its sign and its seating."""
    one = margins(Scripted(taker), Scripted(lowest), 30)
    other = margins(Scripted(lowest), Scripted(taker), 30)
    assert (one == -other[:, ::-1]).all()


def test_margins_are_those_of_matches_played_one_by_one():
    """The lock-step runner against `Match`, deal by deal, in both seatings."""
    found = margins(Scripted(taker), Scripted(highest), 12, seed=8)
    chance = streams(8, CHANCE, 0, 12)
    for deal in range(12):
        for number, seating in enumerate(GAME.seatings):
            match = match_with(chance[deal : deal + 1])
            while not match.over:
                agent = (Scripted(taker), Scripted(highest))[seating[match.seat]]
                match.play(agent.choose(match))
            mine = match.scores[seating.index(0)]
            assert found[deal, number] == mine - GAME.options["points"]


def match_with(chance: np.ndarray) -> fuda.Match:
    """A match that takes its chance from a duel's stream."""
    rng = chance.copy()
    match = GAME.start(0)
    state = SPEC.new_states(1)
    SPEC.rules.start(state[0], GAME.option_codes, rng)
    SPEC.kernels.deal_from(state[0], rng)
    match._chance._rng = rng
    match._stand(state, state, state, dealt=False)
    return match


def figures(**changes) -> dict:
    asked = {"games": 700, "seed": 9} | changes
    return fuda.duel(GAME, "koikoi/random", "koikoi/random", **asked).as_dict()


def test_same_seed_same_figures_and_another_seed_others():
    assert figures() == figures()
    assert figures(seed=10) != figures()


def test_an_agent_that_wants_many_deals_together_gets_them(monkeypatch):
    """However slow a chunk is; the figures stay the same."""
    expected = fuda.duel(GAME, Scripted(lowest), Scripted(highest), games=40, seed=3)
    monkeypatch.setattr(DUEL, "CHUNK_SECONDS", 1e-9)  # every chunk takes too long
    sizes = []
    play = DUEL.play_deals
    monkeypatch.setattr(DUEL, "play_deals", lambda *given: sizes.append(given[4] - given[3]) or play(*given))
    wants_many = Scripted(lowest)
    wants_many.deals_together = 8
    assert fuda.duel(GAME, wants_many, Scripted(highest), games=40, seed=3) == expected
    assert sizes == [8, 8, 4]


@pytest.mark.parametrize(("first", "largest"), [(1, 1), (1, 3), (7, 7), (350, 350), (5000, 5000)])
def test_figures_do_not_depend_on_chunks(first, largest, monkeypatch):
    whole = figures(games=60)
    monkeypatch.setattr(DUEL, "FIRST_CHUNK", first)
    monkeypatch.setattr(DUEL, "MAX_CHUNK", largest)
    assert figures(games=60) == whole


@pytest.mark.parametrize("pace", [1e-9, 1e9])
def test_figures_do_not_depend_on_the_machines_pace(pace, monkeypatch):
    whole = figures(games=200)
    monkeypatch.setattr(DUEL, "CHUNK_SECONDS", pace)
    assert figures(games=200) == whole


def test_figures_do_not_depend_on_the_number_of_cores(monkeypatch):
    monkeypatch.setattr(DUEL, "FIRST_CHUNK", 1024)  # large enough to be split
    with limited_to(1):
        alone = figures(games=2048)
    monkeypatch.setattr("fuda.core.threads.num_cores", lambda: 3)
    assert figures(games=2048) == alone


def test_a_longer_duel_begins_with_the_shorter_one():
    agents = [fuda.agent("koikoi/random"), fuda.agent("koikoi/random")]
    assert (play_deals(GAME, agents, 4, 0, 30)[10:20] == play_deals(GAME, agents, 4, 10, 20)).all()


@pytest.mark.parametrize(("asked", "played"), [(1, 2), (2, 2), (3, 4), (9, 10), (10, 10)])
def test_games_are_rounded_up_to_whole_deals(asked, played):
    result = fuda.duel(GAME, "koikoi/random", "koikoi/random", games=asked)
    assert result.games == played == result.wins + result.draws + result.losses
    assert math.isnan(result.stderr) == (played == 2)
    assert math.isnan(result.win_rate_stderr) == (played == 2)


def test_numpy_numbers_are_numbers():
    same = fuda.duel(
        "koikoi", "koikoi/random", "koikoi/random", games=np.int64(4), seed=np.int64(2), rounds=1
    )
    assert same == fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=4, seed=2, rounds=1)


def test_options_and_their_two_ways():
    by_name = fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=20, seed=2, rounds=2)
    assert by_name == fuda.duel(GAME, "koikoi/random", "koikoi/random", games=20, seed=2)
    with pytest.raises(ValueError, match="not to both"):
        fuda.duel(GAME, "koikoi/random", "koikoi/random", rounds=2)


@pytest.mark.parametrize("games", [0, -1, 1.5, 2.0, None, "10", True, 10**9, []])
def test_bad_numbers_of_games(games):
    with pytest.raises(ValueError, match="games is a whole number from 1 to"):
        fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=games)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("chess", "koikoi/random", "koikoi/random"), "there is no game"),
        (("koikoi", "koikoi/nobody", "koikoi/random"), "there is no agent"),
        (("koikoi", "koikoi/random", None), "there is no agent"),
        ((None, "koikoi/random", "koikoi/random"), "there is no game"),
    ],
)
def test_unknown_names(asked, why):
    with pytest.raises(ValueError, match=why):
        fuda.duel(*asked)


def test_bad_seeds_and_options():
    with pytest.raises(ValueError, match="a seed is"):
        fuda.duel("koikoi", "koikoi/random", "koikoi/random", seed=-1)
    with pytest.raises(ValueError, match="option rounds"):
        fuda.duel("koikoi", "koikoi/random", "koikoi/random", rounds=0)
    with pytest.raises(ValueError, match="has no option"):
        fuda.duel("koikoi", "koikoi/random", "koikoi/random", nonsense=0)


@pytest.mark.parametrize("action", [-1, 50, 10**9, STOP, KOIKOI])
def test_an_illegal_action_ends_the_duel(action):
    with pytest.raises(fuda.AgentError, match=f"action {action}, which is not legal"):
        fuda.duel(GAME, "koikoi/random", Scripted(lambda view, legal: action), games=4)


class Answers(Scripted):
    """Answers a batch with something that is no batch of actions."""

    def __init__(self, answer):
        super().__init__(lowest)
        self.answer = answer

    def act(self, views, seats, rngs):
        return self.answer(len(views))


@pytest.mark.parametrize(
    "answer",
    [
        lambda count: np.zeros(count),
        lambda count: np.zeros(count + 1, np.int64),
        lambda count: np.zeros((count, 1), np.int64),
        lambda count: 0,
        lambda count: None,
        lambda count: ["3-2"] * count,
        lambda count: np.zeros(count, bool),
        lambda count: [],
    ],
)
def test_an_answer_of_another_shape_or_kind_ends_the_duel(answer):
    with pytest.raises(fuda.AgentError, match="answered"):
        fuda.duel(GAME, Answers(answer), "koikoi/random", games=4)


def test_agents_only_get_views():
    """The other hand is blank and so is the stock that nobody has drawn yet."""

    def look(view, legal):
        assert int(view.hand[1 - view.seat]) == 0
        assert (np.asarray(view.stock)[int(view.drawn) :] == -1).all()
        return legal[0]

    agent = Scripted(look)
    fuda.duel(GAME, agent, "koikoi/random", games=6)
    assert agent.asked > 50


def test_changing_a_view_changes_no_match():
    def vandal(view, legal):
        choice = legal[0]
        view.hand[0] = view.hand[1] = view.field = 0
        view.points[0] = 1000
        return choice

    found = fuda.duel(GAME, Scripted(vandal), Scripted(highest), games=20)
    assert found == fuda.duel(GAME, Scripted(lowest), Scripted(highest), games=20)


def test_progress_is_told():
    told = []
    fuda.duel(GAME, "koikoi/random", "koikoi/random", games=99, progress=lambda *pair: told.append(pair))
    assert told[0] == (0, 100)
    assert told[-1] == (100, 100)
    assert told == sorted(told)


def test_luck_is_a_matchs_own():
    """What one entrant draws changes nothing for the other: the random agent plays on as before."""
    seen: dict[str, list] = {"quiet": [], "greedy": []}

    class Greedy(Scripted):
        def act(self, views, seats, rngs):
            actions = super().act(views, seats, rngs)
            rngs += np.uint64(12345)
            return actions

    for name, other in (("quiet", Scripted(lowest)), ("greedy", Greedy(lowest))):
        seen[name] = margins(fuda.agent("koikoi/random"), other, 20).tolist()
    assert seen["quiet"] == seen["greedy"]


def test_with_bids_a_deal_is_played_in_six_seatings():
    """Each entrant alone against two in every seat; the margins are those of matches played one by one."""
    table = fuda.game("doudizhu", bidding="on", score="adp")
    entrants = [fuda.agent("doudizhu/best-raw", bids="highest"), fuda.agent("doudizhu/rhcp-partner")]
    assert sorted(table.seatings) == sorted(set(product((0, 1), repeat=3)) - {(0, 0, 0), (1, 1, 1)})
    found = play_deals(table, entrants, 7, 0, 3)
    dealt = LockStep(table, 7, np.arange(3), np.zeros((3, 3), np.int64)).states
    for deal, number in np.ndindex(found.shape):
        match = table.start(deal=table.spec.text.write_deal(dealt[deal]))
        while not match.over:
            match.play(entrants[table.seatings[number][match.seat]].choose(match))
        stake = match.scores[match.view(0)["landlord"]]
        mine = [score for seat, score in enumerate(match.scores) if table.seatings[number][seat] == 0]
        assert sum(match.scores) == 0
        assert abs(stake) >= 6
        assert found[deal, number] == sum(mine)
    result = fuda.duel(table, *entrants, games=13, seed=7)
    assert result.games == 18
    assert list(result.roles) == [
        "seat 0",
        "seats 1 and 2",
        "seat 1",
        "seats 0 and 2",
        "seat 2",
        "seats 0 and 1",
    ]
    assert result.mean_diff == pytest.approx(found.mean())
    assert result.stderr == pytest.approx(found.mean(axis=1).std(ddof=1) / math.sqrt(3))
