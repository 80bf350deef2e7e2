"""A game's folder that lacks something is told so in one sentence when its descriptor is built."""

import dataclasses
import types

import numpy as np
import pytest

import fuda
from fuda import games
from fuda.core.generator import AGENT, streams
from fuda.core.parts import check_part
from fuda.core.runner import LockStep
from fuda.games import doudizhu, gongzhu, koikoi

SPEC = gongzhu.SPEC


def changed(module: types.ModuleType, **members: object) -> types.ModuleType:
    """A copy of a module with other members; None takes one away."""
    copy = types.ModuleType(module.__name__)
    copy.__dict__.update(module.__dict__ | members)
    for name, member in members.items():
        if member is None:
            delattr(copy, name)
    return copy


@pytest.mark.parametrize(
    ("part", "name", "sentence"),
    [
        ("rules", "redeal", "gongzhu: rules.py lacks redeal(view, seat, rng)"),
        ("rules", "STATE", "gongzhu: rules.py lacks STATE"),
        ("text", "write_deal", "gongzhu: text.py lacks write_deal(state)"),
        ("events", "events", "gongzhu: events.py lacks events(view_before, move, view_after, seat)"),
        ("scenarios", "left_to_solve", "gongzhu: scenarios.py lacks left_to_solve(states)"),
        (
            "tells",
            "count_told_all",
            "gongzhu: tells.py lacks count_told_all(views, seats, counts, first, last)",
        ),
    ],
)
def test_what_is_missing(part, name, sentence):
    lacking = changed(getattr(SPEC, part), **{name: None})
    with pytest.raises(ValueError) as found:  # noqa: PT011
        dataclasses.replace(SPEC, **{part: lacking})
    assert str(found.value) == sentence


@pytest.mark.parametrize("spec", [SPEC, koikoi.SPEC], ids=lambda spec: spec.id)
def test_encodings_are_checked_by_who_plays_them(spec):
    for encoding in spec.encodings:
        for name in ("encode_all", "NUM_PROGRESS" if encoding.PLAYED_BY == "tokens" else "NUM_WORDS"):
            with pytest.raises(
                ValueError, match=rf"^{spec.id}: {encoding.__name__.rpartition('.')[2]}\.py lacks {name}"
            ):
                dataclasses.replace(spec, encodings=(changed(encoding, **{name: None}),))
        with pytest.raises(ValueError, match="PLAYED_BY, which is one of tokens, scenarios, views"):
            dataclasses.replace(spec, encodings=(changed(encoding, PLAYED_BY="chance"),))


def test_a_wrong_number_of_parameters():
    """Of a plain function, of a compiled one, and of one that need not be there."""
    with pytest.raises(ValueError, match=r"has move_text\(\) where move_text\(action\) is needed"):
        dataclasses.replace(SPEC, text=changed(SPEC.text, move_text=lambda: "SQ"))
    with pytest.raises(
        ValueError, match=r"has step\(view, seat, rng\) where step\(state, action\) is needed"
    ):
        dataclasses.replace(SPEC, rules=changed(SPEC.rules, step=SPEC.rules.redeal))
    with pytest.raises(ValueError, match=r"typed of terminal.py is no function typed\(text\)"):
        check_part("gongzhu", "terminal", changed(SPEC.screen, typed="SQ"))
    check_part("gongzhu", "terminal", changed(SPEC.screen, typed=lambda text, more=None: text))


def test_other_faults_of_a_descriptor():
    with pytest.raises(ValueError, match="the fallback chance is none of its policies"):
        dataclasses.replace(SPEC, fallback="chance")
    with pytest.raises(ValueError, match=r"there is no module fuda\.games\.gongzhu\.screen"):
        dataclasses.replace(SPEC, terminal="fuda.games.gongzhu.screen")
    with pytest.raises(ValueError, match=r"gongzhu cannot be shown in a terminal: it has no terminal\.py"):
        _ = dataclasses.replace(SPEC, terminal=None).screen


def test_what_the_scores_add_up_to():
    """A number, or what a function of the options gives, which may be None."""

    def score_sum(declared, leader):
        return fuda.Game(dataclasses.replace(SPEC, score_sum=declared), {"leader": leader}).score_sum

    assert score_sum(None, 1) is None
    assert score_sum(26, 1) == 26
    assert score_sum(lambda options: 26 if options["leader"] else None, 1) == 26
    assert score_sum(lambda options: 26 if options["leader"] else None, 0) is None


def test_more_legal_actions_than_declared():
    """Said before compiled loops write past the room that they have for `max_legal` actions."""
    match = fuda.Game(dataclasses.replace(SPEC, max_legal=3), {}).start(1)
    with pytest.raises(ValueError, match="gongzhu: 13 actions are legal, and its max_legal is 3"):
        match.legal()


def test_more_legal_actions_than_declared_in_a_duel():
    """Said of the first positions before an agent is asked, of later ones when a move is played."""
    with pytest.raises(ValueError, match="gongzhu: 13 actions are legal, and its max_legal is 3"):
        LockStep(
            fuda.Game(dataclasses.replace(SPEC, max_legal=3), {}), 1, np.arange(4), np.zeros((4, 4), np.int64)
        )
    few = fuda.Game(dataclasses.replace(doudizhu.SPEC, max_legal=4), {"bidding": "on"})
    runner = LockStep(few, 1, np.arange(4), np.zeros((4, 3), np.int64))
    asked = []

    def act(views, seats, rngs):
        asked.append(len(views))
        actions = np.empty(few.spec.num_actions, np.int64)
        return np.array([actions[few.spec.rules.legal(view, actions) - 1] for view in views])

    with pytest.raises(ValueError, match=r"doudizhu: \d+ actions are legal, and its max_legal is 4"):
        runner.play([act])
    assert 1 < len(asked) < 5  # no more than the bids, and the play that had too many


def test_a_copied_folder_that_kept_its_id(monkeypatch):
    monkeypatch.setattr(games, "_packages", lambda: {"hearts": "fuda.games.gongzhu"})
    with pytest.raises(ValueError, match="calls itself gongzhu: its SPEC needs id='hearts'"):
        games.spec("hearts")


@pytest.mark.parametrize("game", fuda.list_games())
def test_what_draws_in_a_terminal_is_whole(game):
    spec = fuda.game(game).spec
    if spec.terminal is not None:
        assert spec.screen.order([]) == []


def test_a_game_without_a_fallback_has_the_random_one():
    fields = {field.name: getattr(SPEC, field.name) for field in dataclasses.fields(SPEC)}
    del fields["policies"], fields["fallback"], fields["players"]
    bare = type(SPEC)(**fields)
    match = fuda.Game(bare, {}).start(1)
    chosen = bare.policy(bare.fallback).choose(match.view_record(0)[0], 0, streams(1, AGENT, 0, 1))
    assert chosen in match.legal_actions().values()
