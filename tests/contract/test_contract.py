"""What every game promises to users, through the public surface. Found games are tested, no list."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.core import chance
from fuda.core.generator import AGENT, streams
from fuda.core.match import Match
from fuda.core.runner import LockStep
from fuda.core.state import PLAYING
from fuda.records import load
from tests.contract.disguise import disguised

TESTS = Path(__file__).parent.parent
GAMES = fuda.list_games()


def tables() -> list[fuda.Game]:
    """Every game as it is by default, with each other word of its options, and under its presets.

    Implied options are many: the walk has all of them together.
    """
    found = []
    for game_id in GAMES:
        found.append(fuda.game(game_id))
        for option in found[-1].spec.options:
            if option.implied:
                continue
            others = [word for word in option.words if word != option.default]
            found += [fuda.game(game_id, **{option.name: word}) for word in others]
        presets = [fuda.game(game_id, preset=preset.id) for preset in fuda.game(game_id).spec.presets]
        found += [table for table in presets if table not in found]
    return found


TABLES = pytest.mark.parametrize("game", tables(), ids=repr)
AGENTS = fuda.list_agents()

seeds = st.integers(0, 2**32)


def play_on(match: Match, data: st.DataObject, most: int | None = None) -> None:
    """Play random legal moves chosen by hypothesis, to the end or `most` moves."""
    luck = data.draw(st.randoms(use_true_random=False))
    while not match.over and most != 0:
        match.play(luck.choice(match.legal()))
        most = None if most is None else most - 1


@TABLES
@settings(max_examples=12, deadline=None)
@given(seed=seeds, data=st.data())
def test_a_match_from_start_to_end(game, seed, data):
    match = game.start(seed=seed)
    twin = game.start(seed=seed)
    luck = data.draw(st.randoms(use_true_random=False))
    moves = 0
    while not match.over:
        assert match.scores is None
        legal = match.legal()
        assert legal
        assert legal == sorted(set(legal))
        move = luck.choice(legal)
        match.play(move)
        twin.play(move)
        moves += 1
        assert moves <= game.spec.max_decisions
    assert match.seat is None
    assert match.legal() == []
    assert match.state_bytes() == twin.state_bytes()
    assert match == twin
    if game.score_sum is not None:
        assert sum(match.scores) == game.score_sum
    margins = [float(game.spec.margin(np.array(match.scores), side)) for side in sides(game)]
    assert margins[0] == -margins[1]


def sides(game):
    seating = game.seatings[0]
    return [[entrant == side for entrant in seating] for side in (0, 1)]


@TABLES
@settings(max_examples=20, deadline=None)
@given(seed=seeds, moves=st.integers(0, 60), data=st.data())
def test_records_replay_and_views_hide(game, seed, moves, data):
    match = game.start(seed=seed)
    play_on(match, data, moves)
    record = json.loads(json.dumps(match.record()))
    again = fuda.replay(record)
    assert again == match
    assert again.record() == match.record()

    before = match.state_bytes()
    for nonsense in ("", "no such move", None, 3, " " + (match.legal() or ["x"])[0]):
        with pytest.raises(fuda.IllegalMove):
            match.play(nonsense)
    assert match.state_bytes() == before
    assert match.record() == again.record()

    for seat in range(game.spec.seats):
        view = match.view(seat)
        assert json.loads(json.dumps(view)) == view
        assert view["game"] == game.id
        assert view["seat"] == seat
        assert view["to_move"] == match.seat
        assert ("legal" in view) == (match.seat == seat)
        assert view["options"] == game.options
        check_history(match, view["history"], seat)
        assert "seed" not in view


def check_history(match: Match, history: list[list], seat: int) -> None:
    """It tells of all moves, of the seat's own whole, and hides none where no move is secret."""
    assert [mover for mover, _ in history] == [mover for mover, _ in match.moves]
    for (mover, move), (_, known) in zip(match.moves, history, strict=True):
        secret = match.game.spec.has_secret_moves and mover != seat
        assert known == move or (secret and known is None)


def check_known_moves(game: fuda.Game) -> None:
    """Who cannot tell a move from another one by its view must not find it in the history."""
    spec, luck = game.spec, random.Random(5)
    match, other = game.start(seed=5), game.spec.new_states(1)
    while not match.over:
        before, actions = match._state, match.legal_actions()
        mover, instead = match.seat, luck.choice(list(actions.values()))
        match.play(luck.choice(list(actions)))
        other[0] = before[0]
        spec.rules.step(other[0], instead)
        if other.tobytes() == match._stepped.tobytes():
            continue
        for seat in set(range(spec.seats)) - {mover}:
            looks_same = (
                match._view_of(other, seat).tobytes() == match._view_of(match._stepped, seat).tobytes()
            )
            if looks_same and match.last_move(seat)[1] is not None:
                raise AssertionError(f"seat {seat} is told of a move that its view does not show")


@TABLES
def test_no_seat_is_told_of_a_move_that_its_view_does_not_show(game):
    check_known_moves(game)


@pytest.mark.parametrize(
    "game_id", [game_id for game_id in GAMES if fuda.game(game_id).spec.has_secret_moves]
)
def test_a_game_that_keeps_silent_about_its_secret_moves_is_found(game_id, monkeypatch):
    """Its views hide them, but without `sees_move` the history would not."""
    game = fuda.game(game_id)
    monkeypatch.setitem(vars(game.spec), "sees_move", None)
    with pytest.raises(AssertionError, match="is told of a move that its view does not show"):
        check_known_moves(game)


@TABLES
@settings(max_examples=12, deadline=None)
@given(seed=seeds, data=st.data())
def test_what_a_deal_is_worth_to_each_seat(game, seed, data):
    """Seats of one side share it; where there are two sides, one gains what the other loses."""
    spec, match, payoffs = game.spec, game.start(seed=seed), np.zeros(game.spec.seats)
    while not match.over:
        play_on(match, data, 1)
        state = match._stepped[0]
        if state.status == PLAYING:
            continue
        spec.rules.payoff(state, payoffs)
        sides = [int(spec.rules.side(state, seat)) for seat in range(spec.seats)]
        assert set(sides) <= set(range(spec.num_sides))
        for payoff, side in zip(payoffs, sides, strict=True):
            if side == sides[0]:
                assert payoff == payoffs[0]
            elif spec.two_sided:
                assert payoff == -payoffs[0]


@TABLES
@settings(max_examples=10, deadline=None)
@given(seed=seeds, moves=st.integers(0, 200))
def test_records_without_a_seed_replay(game, seed, moves):
    """All chance of a match stands in its deals, also what was drawn before the first of them."""
    luck = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance, "SYSTEM", luck)  # so that a failure can be repeated
        match = game.start()
        while not match.over and len(match.moves) < moves:
            match.play(luck.choice(match.legal()))
        record = json.loads(json.dumps(match.record()))
        again = fuda.replay(record)
    assert (match.seed, record["seed"]) == (None, None)
    assert [event["deal"] for event in record["events"] if "deal" in event] == match.deals
    assert again == match
    assert again.record() == match.record()
    assert again.state_bytes() == match.state_bytes()


@TABLES
@settings(max_examples=20, deadline=None)
@given(seed=seeds, moves=st.integers(0, 60), data=st.data())
def test_unseen_cards_change_nothing_that_a_seat_sees(game, seed, moves, data):
    match = game.start(seed=seed)
    play_on(match, data, moves)
    for seat in range(match.game.spec.seats):
        other = disguised(match, seat, seed)
        assert other.view(seat) == match.view(seat)
        assert other.view_record(seat).tobytes() == match.view_record(seat).tobytes()


@pytest.mark.parametrize("name", AGENTS)
@settings(max_examples=8, deadline=None)
@given(seed=seeds, moves=st.integers(0, 60), data=st.data())
def test_unseen_cards_do_not_change_an_agents_choice(name, seed, moves, data):
    for game in tables():
        if game.id != name.partition("/")[0]:
            continue
        match = game.start(seed=seed)
        play_on(match, data, moves)
        if match.over:
            continue
        other = disguised(match, match.seat, seed)
        choice = fuda.agent(name, seed=5).choose(match)
        assert choice in match.legal()
        assert fuda.agent(name, seed=5).choose(other) == choice


@pytest.mark.parametrize("name", AGENTS)
def test_agents_say_who_they_are(name):
    info = fuda.agent(name).info
    assert info.title
    assert info.line.endswith(".")
    assert info.unit in (None, "points", "probability", "policy")
    assert isinstance(info.bids, bool)


@TABLES
def test_lock_step_plays_the_same_matches_as_one_by_one(game):
    """The runner and `Match` are two ways to the same cards and moves."""
    agent = fuda.agent(f"{game.id}/random")
    deals = np.arange(5)
    seatings = np.zeros((5, game.spec.seats), np.int64)
    runner = LockStep(game, 7, deals, seatings)
    luck = runner.luck.copy()
    scores = runner.play([agent.act])
    match = game.start(seed=7)  # deal number 0 of the seed
    while match.seat is not None:
        rng = luck[0, match.seat : match.seat + 1]
        action = agent.act(match.view_record(match.seat), np.array([match.seat]), rng)[0]
        match.play(game.spec.text.move_text(int(action)))
    assert match.scores == scores[0].tolist()
    assert match.state_bytes() == runner.states[:1].tobytes()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_duel_counts_every_seating_and_can_be_repeated(game_id):
    game = fuda.game(game_id)
    asked = (game_id, f"{game_id}/{game.spec.fallback}", f"{game_id}/random")
    result = fuda.duel(*asked, games=10, seed=2)
    assert result.games >= 10
    assert result.games % len(game.seatings) == 0
    assert result.wins + result.draws + result.losses == result.games
    assert fuda.duel(*asked, games=10, seed=2) == result


@TABLES
def test_the_first_deal_is_told_as_later_ones_are(game):
    """As text and JSON to every seat, with the same keys as the later deals of a match have."""
    luck, match = random.Random(4), game.start(seed=4)
    first = [match.first_deal_events(seat) for seat in range(game.spec.seats)]
    assert json.loads(json.dumps(first)) == first
    several = game.spec.max_deals(game.all_options) != 1
    assert all(bool(events) == several for events in first)
    while not match.over:
        match.play(luck.choice(match.legal()))
        if match.dealt:
            later = [match.deal_events(seat) for seat in range(game.spec.seats)]
            for told_first, told_later in zip(first, later, strict=True):
                assert told_later[0]["type"] == told_first[0]["type"]
                keys = {event["type"]: set(event) for event in told_first}
                # What the cards bring about differs from deal to deal, but not how it is told.
                assert all(set(event) == keys.get(event["type"], set(event)) for event in told_later)
    assert [match.first_deal_events(seat) for seat in range(game.spec.seats)] == first


@TABLES
def test_seatings_favour_neither_entrant(game):
    """Two of one player, who play a deal alike in all seatings, come out even on it. All sides are there."""
    luck, sides = random.Random(3), set()
    for seed in range(5):
        match = game.start(seed=seed)
        while not match.over:
            match.play(luck.choice(match.legal()))
        check_even(game.spec, game.seatings, np.array(match.scores))
        sides |= {int(game.spec.rules.side(match._state[0], seat)) for seat in range(game.spec.seats)}
    assert sides == set(range(game.spec.num_sides))


def check_even(spec, seatings, scores):
    assert len(set(seatings)) == len(seatings)
    margins = [spec.margin(scores, [entrant == 0 for entrant in seating]) for seating in seatings]
    assert abs(sum(margins)) < 1e-9 * (1 + sum(map(abs, margins)))


def test_seatings_that_favour_an_entrant_are_found():
    spec, scores = fuda.game("gongzhu").spec, np.array([30, -100, 0, 50])
    check_even(spec, ((0, 1, 0, 1), (1, 0, 1, 0)), scores)
    with pytest.raises(AssertionError):
        check_even(spec, ((0, 1, 0, 1), (0, 1, 1, 0)), scores)


@pytest.mark.parametrize("game_id", GAMES)
def test_golden_records_exist_and_replay(game_id):
    """A game without a kept match fails; each is replayed line by line with every figure checked."""
    files = sorted(TESTS.rglob(f"golden/{game_id}-*.jsonl"))
    command = f"fuda record new {game_id} --seed 1 --out tests/golden/{game_id}-1.jsonl"
    assert len(files) >= 3, f"{command}, three at least"
    for file in files:
        assert load(file).over


@pytest.mark.parametrize("game_id", GAMES)
def test_16384_matches_are_small(game_id):
    game = fuda.game(game_id)
    runner = LockStep(game, 1, np.arange(16_384), np.zeros((16_384, game.spec.seats), np.int64))
    arrays = (runner.states, runner.states, runner.chance, runner.luck, runner.seatings)  # states and views
    assert sum(array.nbytes for array in arrays) < 64 * 2**20


def test_agent_streams_are_apart():
    assert len(set(streams(1, AGENT, 0, 1000).tolist())) == 1000
