"""Learning to play as a teacher does, small: its games, their choices, runs and what they leave."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import fuda
from fuda.arena import duel
from fuda.cli import app
from fuda.core.errors import RecordError
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu import deeprocket_encoding as encoding
from fuda.games.doudizhu.kickers import GROUP_KICKERS, KICKERS
from fuda.games.doudizhu.moves import MOVE_GROUP
from fuda.games.doudizhu.text import cards_text
from fuda.nets.folder import read_card
from fuda.nets.strided import StridedShape
from fuda.training import conduct, imitation
from fuda.training.imitation import ImitationRecipe
from fuda.training.played import PlayedGames, Replayer, Teacher, read_games, write_games
from fuda.training.registry import find_recipe

CPU = torch.device("cpu")
SHAPE = StridedShape(filters=8, layers=3, strided=3)
TINY = ImitationRecipe(
    "doudizhu", "A line.", teacher="rhcp-partner", encoding="deeprocket_encoding", shape=SHAPE,
    further_shape=SHAPE, shared=True, group_size=16, times=2.0, batch=32, further_batch=8, games=96,
    warmup_steps=5, average=0.9,
)  # fmt: skip
GAME = fuda.game("doudizhu")


@pytest.fixture(autouse=True)
def few_held_out(monkeypatch):
    monkeypatch.setattr(imitation, "HELD_OUT_GAMES_ON_CPU", 40)


@pytest.fixture(scope="module")
def teacher():
    return Teacher(GAME, fuda.agent("doudizhu/rhcp-partner"), seed=3)


@pytest.fixture(scope="module")
def games(teacher):
    return teacher.games(0, 24)


def again(games: PlayedGames, number: int) -> list[tuple[fuda.Match, str]]:
    """The positions of a game, each with the move that followed, by the public interface."""
    deck = games.decks[number].tolist()
    state = SPEC.new_states(1)
    SPEC.rules.start(state[0], GAME.option_codes, np.ones(1, np.uint64))
    SPEC.rules.deal(state[0], games.decks[number])
    deal = {"hands": [cards_text(hand) for hand in state[0].hand], "bottom": cards_text(state[0].bottom)}
    match, found = GAME.start(0, deal), []
    for action in games.actions[games.starts[number] : games.starts[number + 1]]:
        move = SPEC.text.move_text(int(action))
        found.append((match.copy(), move))
        match.play(move)
    assert match.over
    assert sorted(deck) == sorted(SPEC.deck)
    return found


def test_games_follow_from_their_numbers(teacher, games):
    later = teacher.games(8, 4)
    assert np.array_equal(later.decks, games.decks[8:12])
    assert np.array_equal(later.actions, games.actions[games.starts[8] : games.starts[12]])
    other = Teacher(GAME, fuda.agent("doudizhu/rhcp-partner"), seed=3, group=1).games(8, 4)
    assert not np.array_equal(other.decks, later.decks)


def test_the_teacher_plays_its_own_moves(games):
    player = fuda.agent("doudizhu/rhcp-partner")
    for match, move in again(games, 5):
        assert player.choose(match) == move


def test_choices_are_what_the_movers_saw_and_forced_ones_are_left_out(games):
    choices, seen = Replayer(GAME, encoding).choices(games), Counter()
    row = further = 0
    for number in range(len(games.decks)):
        for match, move in again(games, number):
            legal = match.legal_actions()
            if len(legal) == 1:
                seen["forced"] += 1
                continue
            words = np.zeros((1, encoding.NUM_WORDS), np.int64)
            encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
            action = legal[move]
            assert np.array_equal(choices.words[row], words[0])
            assert (choices.actions[row], choices.games[row]) == (action, number)
            for done in range(int(GROUP_KICKERS[MOVE_GROUP[action]])):
                like = {
                    int(KICKERS[other, done])
                    for other in legal.values()
                    if MOVE_GROUP[other] == MOVE_GROUP[action]
                    and (KICKERS[other, :done] == KICKERS[action, :done]).all()
                }
                if len(like) == 1:
                    seen["forced kicker"] += 1
                    continue
                assert choices.further_parts[further] == KICKERS[action, done]
                assert choices.further_of[further] == row
                mine = encoding.FURTHER_LAYOUT.legal(choices.further_words[further : further + 1])[0]
                assert set(np.flatnonzero(mine)) == like
                further += 1
            row += 1
    assert row == len(choices.actions) > 300
    assert further == len(choices.further_parts) > 20
    assert seen["forced"] > 50
    assert seen["forced kicker"] > 0


def test_games_are_kept_in_a_file(games, tmp_path):
    write_games(tmp_path / "games.npz", GAME, games, {"teacher": "rhcp-partner"})
    table, stored = read_games(tmp_path / "games.npz")
    assert table == GAME
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(games, stored, strict=True))
    assert (tmp_path / "games.npz").stat().st_size < 200 * len(games.decks)


def damaged(games: PlayedGames, name: str) -> PlayedGames:
    if name == "decks":
        decks = games.decks.copy()
        decks[3, 0] = (decks[3, 0] + 1) % 13
        return games._replace(decks=decks)
    return games._replace(actions=games.actions.astype(np.int32))


@pytest.mark.parametrize("name", ["decks", "actions"])
def test_a_damaged_file_is_refused_in_a_sentence(games, tmp_path, name):
    write_games(tmp_path / "games.npz", GAME, damaged(games, name), {})
    with pytest.raises(RecordError, match="is damaged: its games do not fit together"):
        read_games(tmp_path / "games.npz")


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"no games", "is no file of games"), (None, "cannot read"), ("cut", "is no file of games")],
)
def test_a_foreign_file_is_refused_in_a_sentence(games, tmp_path, content, why):
    path = tmp_path / "games.npz"
    if content == "cut":
        write_games(path, GAME, games, {})
        content = path.read_bytes()[:-200]
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError, match=why) as caught:
        read_games(path)
    assert "\n" not in str(caught.value)


def test_games_by_other_rules_are_refused(games, tmp_path):
    path = tmp_path / "games.npz"
    write_games(path, GAME, games, {})
    with np.load(path) as stored:
        parts = dict(stored)
    header = json.loads(str(parts["header"])) | {"rules_version": 99}
    np.savez(path, **parts | {"header": np.array(json.dumps(header))})
    with pytest.raises(RecordError, match="rules version 99"):
        read_games(path)


def test_games_that_cannot_be_are_named(games):
    actions = games.actions.copy()
    actions[games.starts[7] + 1] = actions[games.starts[7]]  # what was just played beats nothing
    with pytest.raises(ValueError, match="game 8 cannot have been played"):
        Replayer(GAME, encoding).choices(games._replace(actions=actions))


def weights(run: imitation.Run) -> list[torch.Tensor]:
    return [each for learner in run.learners for each in learner.net.state_dict().values()]


class Killed(BaseException):
    """Nothing comes after it, as after SIGKILL."""


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    """Killed between two checkpoints, after the second of six rounds was kept."""
    monkeypatch.setattr(conduct, "CHECKPOINT_SECONDS", 0.0)
    whole = imitation.Run(TINY, tmp_path / "whole", CPU, None)
    conduct.conduct(whole, evaluate=False)
    killed = imitation.Run(TINY, tmp_path / "killed", CPU, None)
    advance = killed.advance

    def interrupted() -> None:
        if killed.num_rounds == 3:
            raise Killed
        advance()
        monkeypatch.setattr(conduct, "CHECKPOINT_SECONDS", 0.0 if killed.num_rounds < 2 else 1e9)

    killed.advance = interrupted
    with pytest.raises(Killed):
        conduct.conduct(killed, evaluate=False)
    resumed = imitation.Run(TINY, tmp_path / "killed", CPU, None)
    conduct.conduct(resumed, resume=True, evaluate=False)
    assert resumed.num_rounds == whole.num_rounds == 6
    assert resumed.num_choices == whole.num_choices
    assert all(map(torch.equal, weights(resumed), weights(whole)))
    files = sorted(path.name for path in (tmp_path / "whole" / "model").glob("*.onnx"))
    assert files == ["kicker.onnx", "landlord-down-up.onnx"]
    for file in files:
        mine, theirs = ((tmp_path / name / "model" / file).read_bytes() for name in ("killed", "whole"))
        assert mine == theirs


def test_a_run_learns_what_its_teacher_does_and_ends_with_a_player(tmp_path):
    """Against guessing among the legal outputs, on games that it did not see; one network for each role."""
    recipe = replace(TINY, shared=False, games=160)
    run = imitation.Run(recipe, tmp_path, CPU, None)
    before = run.agreement()
    while run.done < 1:
        run.advance()
    after = run.agreement()
    assert list(after) == ["landlord", "down", "up", "kicker"]
    assert all(after[name] > before[name] + 0.05 for name in after)
    run.export()
    card = read_card(tmp_path / "model")
    assert card.unit == "policy"
    assert card.made["recipe"]["teacher"] == "rhcp-partner"
    result = duel("doudizhu", fuda.agent(tmp_path / "model"), "doudizhu/random", 40, 1)
    assert result.win_rate > 0.5
    other = imitation.Run(recipe, tmp_path / "other", CPU, None)
    other.start_from(tmp_path / "model")
    assert other.start["games"] == 160
    halves = [mine.half() == theirs.half() for mine, theirs in zip(weights(run), weights(other), strict=True)]
    assert all(map(torch.all, halves))


@pytest.mark.usefixtures("soak_only")
def test_a_flat_policy_learns_moves_whole(tmp_path):
    recipe = replace(
        TINY, encoding="flat_encoding", shape=replace(SHAPE, narrow=8), games=64, learning_rate=3e-3
    )
    run = imitation.Run(recipe, tmp_path, CPU, None)
    before = run.agreement()
    while run.done < 1:
        run.advance()
    after = run.agreement()
    assert list(after) == ["landlord-down-up"]
    assert after["landlord-down-up"] > before["landlord-down-up"] + 0.05
    run.export()
    player = fuda.agent(tmp_path / "model")
    match = GAME.start(3)
    values = player.values(match)
    assert sum(values.values()) == pytest.approx(1)
    assert values[player.choose(match)] == max(values.values())


def test_games_of_a_file_stand_in_the_teacher_s_place(games, tmp_path):
    write_games(tmp_path / "games.npz", GAME, games, {})
    recipe = replace(TINY, records=str(tmp_path / "games.npz"), teacher="random")
    ours = imitation.Run(recipe, tmp_path / "ours", CPU, None)
    ours.advance()
    expected = Replayer(GAME, encoding).choices(games.take(np.arange(16)))
    assert ours.num_choices == len(expected.actions)
    ours.advance()  # the file has 24 games, so the first eight come again
    both = Replayer(GAME, encoding).choices(games.take(np.arange(32) % 24))
    assert ours.num_choices == len(both.actions)


def test_records_are_refused_before_a_run_begins(tmp_path):
    """A file that is none; a recipe that learns from its own games."""
    (tmp_path / "poem.npz").write_text("no games")
    out = tmp_path / "run"
    for recipe, records, why in (
        ("doudizhu-deeprocket-small", tmp_path / "poem.npz", "is no file of games"),
        ("doudizhu-deeprocket-small", tmp_path / "nothing.npz", "cannot read"),
        ("doudizhu-small", tmp_path / "poem.npz", "doudizhu-small learns from its own games"),
    ):
        arguments = ["train", recipe, "--out", str(out), "--records", str(records), "--device", "cpu"]
        found = CliRunner().invoke(app, arguments)
        assert isinstance(found.exception, ValueError)
        assert why in str(found.exception)
        assert not out.exists()


def test_the_recipes_are_those_of_the_page():
    """One network for all roles, or one for each; no file has more than seven million weights."""
    networks = {"doudizhu-deeprocket": 2, "doudizhu-deeprocket-roles": 4, "doudizhu-deeprocket-small": 2}
    for name, num_networks in networks.items():
        algorithm, recipe = find_recipe(name)
        run = algorithm.Run(replace(recipe, group_size=1), None, CPU, None)
        sizes = [sum(each.numel() for each in learner.net.parameters()) for learner in run.learners]
        assert len(sizes) == num_networks
        assert max(sizes) <= 7_000_000
