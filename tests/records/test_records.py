"""A match goes to a file and back, at any point, and plays on as if nothing had happened."""

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.records import dumps, load, loads, save

NAMES = st.text(max_size=80).filter(str.isprintable)


def play_on(match: fuda.Match, seed: int, moves: int | None = None) -> fuda.Match:
    """Random moves, to the end or so many of them."""
    luck = random.Random(seed)
    while not match.over and moves != 0:
        match.play(luck.choice(match.legal()))
        moves = None if moves is None else moves - 1
    return match


@cache
def finished(rounds: int = 3, seed: int = 11) -> fuda.Match:
    return play_on(fuda.game("koikoi", rounds=rounds).start(seed), seed)


def saved_and_loaded(match: fuda.Match, folder: Path) -> fuda.Match:
    save(match, folder / "match.jsonl")
    return load(folder / "match.jsonl")


def assert_same(one: fuda.Match, other: fuda.Match) -> None:
    assert one == other
    assert one.record() == other.record()
    assert one.state_bytes() == other.state_bytes()
    assert one.moves == other.moves
    assert one.deals == other.deals
    assert [one.view(seat) for seat in (0, 1)] == [other.view(seat) for seat in (0, 1)]
    assert (one.seat, one.scores, one.legal()) == (other.seat, other.scores, other.legal())


def assert_plays_on_equally(one: fuda.Match, other: fuda.Match, seed: int) -> None:
    assert_same(play_on(one.copy(), seed), play_on(other.copy(), seed))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**64), moves=st.integers(0, 120), rounds=st.integers(1, 4))
def test_any_point_of_a_match_replays(seed, moves, rounds):
    match = play_on(fuda.game("koikoi", rounds=rounds).start(seed), seed, moves)
    again = fuda.replay(match.record())
    assert_same(match, again)
    assert_plays_on_equally(match, again, seed + 1)


def test_every_position_of_a_match_survives_a_file(tmp_path):
    match = fuda.game("koikoi", rounds=2).start(5)
    luck = random.Random(5)
    while True:
        assert_same(match, saved_and_loaded(match, tmp_path))
        if match.over:
            break
        match.play(luck.choice(match.legal()))


def test_record_is_json_and_survives_it():
    match = finished()
    record = match.record()
    again = json.loads(json.dumps(record))
    assert again == record
    assert_same(match, fuda.replay(again))


@settings(deadline=None)
@given(players=st.tuples(NAMES, NAMES), rounds=st.integers(1, 12), points=st.integers(1, 1000))
def test_players_and_options_are_kept(players, rounds, points):
    match = fuda.game("koikoi", rounds=rounds, points=points).start(3, players=players)
    again = fuda.replay(json.loads(json.dumps(match.record())))
    assert again.players == list(players)
    assert again.game.options == {"rounds": rounds, "points": points}
    assert_same(match, again)


def test_names_in_any_script_survive_a_file(tmp_path):
    match = fuda.game("koikoi").start(3, players=["花札 🎴", 'quote " \\ [bold] \u00e9'])
    assert saved_and_loaded(match, tmp_path).players == match.players


@pytest.mark.parametrize("given_deals", [1, 2, 3])
@pytest.mark.parametrize("moves", [0, 1, 7, 40, None])
def test_explicit_deals_replay_and_play_on_equally(given_deals, moves, tmp_path):
    # The deals of another match; the winner of each round must agree, so replay its moves too.
    source = finished()
    assert len(source.deals) == 3
    match = fuda.game("koikoi", rounds=3).start(99, deal=source.deals[:given_deals])
    for _, move in source.moves[:moves]:
        if len(match.deals) > given_deals:
            break
        match.play(move)
    for again in (fuda.replay(match.record()), saved_and_loaded(match, tmp_path)):
        assert_same(match, again)
        if len(match.deals) > given_deals:
            assert_plays_on_equally(match, again, 4)
        else:
            assert_plays_source(match, again, source)


def assert_plays_source(one: fuda.Match, other: fuda.Match, source: fuda.Match) -> None:
    """Go on with the source's moves while its cards last: the later decks are the same."""
    one, other = one.copy(), other.copy()
    for _, move in source.moves[len(one.moves) :]:
        if move not in one.legal():
            break
        one.play(move)
        other.play(move)
        assert one.deals == other.deals
    assert_plays_on_equally(one, other, 5)


def test_later_decks_do_not_depend_on_given_earlier_ones():
    plain = finished()
    replayed = fuda.game("koikoi", rounds=3).start(plain.seed, deal=plain.deals[0])
    for _, move in plain.moves:
        replayed.play(move)
    assert replayed.deals == plain.deals


def test_record_is_a_copy():
    match = fuda.game("koikoi").start(1)
    before = match.record()
    record = match.record()
    record["events"][0]["deal"]["hands"][0].clear()
    record["options"]["rounds"] = 1
    record["players"][0] = "x"
    assert match.record() == before


def test_saving_replaces_a_file_whole(tmp_path):
    path = tmp_path / "deep" / "er" / "match.jsonl"
    save(fuda.game("koikoi").start(1), path)
    save(finished(), path)
    assert load(path) == finished()
    assert [file.name for file in path.parent.iterdir()] == ["match.jsonl"]


def test_a_file_is_one_json_object_a_line(tmp_path):
    save(finished(), tmp_path / "m")
    lines = (tmp_path / "m").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["fuda_record"] == 1
    kinds = [next(iter(json.loads(line))) for line in lines[1:]]
    assert set(kinds) == {"deal", "move", "scores"}
    assert kinds[0] == "deal"
    assert kinds[-1] == "scores"


@pytest.mark.parametrize("name", ["is-a-file/match.jsonl", "folder", "n" * 300, "."])
def test_what_cannot_be_written_is_said(tmp_path, name):
    (tmp_path / "is-a-file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("mine")
    with pytest.raises(ValueError, match=r"cannot write|empty name") as error:
        save(finished(), tmp_path / name if name != "." else Path())
    assert "\n" not in str(error.value)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder", "is-a-file"]
    assert (tmp_path / "is-a-file").read_text() == "mine"
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["kept"]


def test_the_text_of_a_record_is_its_file(tmp_path):
    save(finished(), tmp_path / "match.jsonl")
    assert dumps(finished()) == (tmp_path / "match.jsonl").read_text()
    assert loads(dumps(finished()), "somewhere") == finished()
    with pytest.raises(fuda.RecordError, match=r"somewhere:\d+: the last line is cut off"):
        loads(dumps(finished())[:-1], "somewhere")
