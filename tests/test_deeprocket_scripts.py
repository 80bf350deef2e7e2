"""The scripts that measure DeepRocket, with few games."""

import importlib
import json
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import model_folders
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC, rules
from fuda.games.doudizhu.kickers import KICKERS, NO_KICKER
from fuda.games.doudizhu.moves import MOVE_GROUP, count_of
from fuda.games.doudizhu.text import read_move
from fuda.training import imitation
from fuda.training.played import Teacher
from tests.agents.test_factored import folder as model_folder  # noqa: F401 - a fixture
from tests.test_doudizhu_scripts import BENCH, called
from tests.training.test_imitation import TINY

torch.set_num_threads(1)  # test processes share the cores


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("doudizhu_deeprocket")


def of_teacher(teacher: str, games: int) -> SimpleNamespace:
    return SimpleNamespace(teacher=teacher, games=games, model=model_folders("doudizhu")["deeprocket"])


def test_a_teacher_agrees_with_itself_alone(script):
    found = script.agreement(of_teacher("rhcp-partner", 6))
    mine, other = (found["players"][name] for name in ("rhcp-partner", "rhcp"))
    assert {row["same"] for row in mine.values()} == {1.0}
    assert set(found["players"]) == {"the model", "cql", "rhcp-partner", "rhcp"}
    assert 0.5 < other["all"]["same"] < 1
    assert (
        mine["all"]["choices"]
        == found["choices"]
        == mine["leading"]["choices"] + mine["following"]["choices"]
    )
    assert sum(mine[role]["choices"] for role in script.ROLES) == found["choices"]


def test_kickers_are_told_one_by_one(script):
    """Counted again by the chances of legal moves: a kicker's is that of all moves that go on with it."""
    games = Teacher(script.GAME, fuda.agent("doudizhu/rhcp-partner"), 1, imitation.HELD_OUT).games(0, 6)
    model, asked, hit = fuda.agent("doudizhu/deeprocket"), 0, 0
    for number, deck in enumerate(games.decks):
        state = SPEC.new_states(1)
        rules.start(state[0], script.GAME.option_codes, np.ones(1, np.uint64))
        rules.deal(state[0], deck)
        match = fuda.game("doudizhu").start(deal=SPEC.text.write_deal(state[0]))
        for action in games.actions[games.starts[number] : games.starts[number + 1]].tolist():
            legal = match.legal_actions()
            alike = {each for each in legal.values() if MOVE_GROUP[each] == MOVE_GROUP[action]}
            kickers = [kicker for kicker in KICKERS[action].tolist() if kicker != NO_KICKER]
            if kickers and len(alike) > 1:
                values = {legal[move]: chance for move, chance in model.values(match).items()}
                for place, kicker in enumerate(kickers):
                    chances = Counter()
                    for each in alike:
                        chances[int(KICKERS[each, place])] += values[each]
                    asked += len(chances) > 1
                    hit += len(chances) > 1 and max(chances, key=chances.get) == kicker
                    alike = {each for each in alike if KICKERS[each, place] == kicker}
            match.play(next(move for move, each in legal.items() if each == action))
        assert match.over
    told = script.agreement(of_teacher("rhcp-partner", 6))["players"]["the model"]["kicker network"]
    assert asked > 5
    assert told == {"choices": asked, "same": round(hit / asked, 4)}


def test_each_way_to_bid_is_kept_and_not_played_again(tmp_path, monkeypatch, model_folder):  # noqa: F811
    arguments = ("bids", "--model", model_folder, "--games", 2)
    script = called(monkeypatch, tmp_path, "doudizhu_deeprocket", *arguments)
    path = tmp_path / "doudizhu-deeprocket-bids.json"
    stored = json.loads(path.read_text())
    assert set(stored["over"]) == {*script.WAYS, "control"}
    _, rows, _ = importlib.import_module("deeprocket_tables").bids(stored)
    assert [row[0] for row in rows] == list(stored["over"])
    del stored["over"]["random"]
    stored["over"]["rule"]["win_rate"] = 2.0  # what was played stays, whatever it says
    path.write_text(json.dumps(stored))
    again = called(monkeypatch, tmp_path, "doudizhu_deeprocket", *arguments)
    over = json.loads(path.read_text())["over"]
    assert set(over) == {*again.WAYS, "control"}
    assert over["rule"]["win_rate"] == 2.0
    called(monkeypatch, tmp_path, "doudizhu_deeprocket", *arguments[:-1], 1)
    assert {one["games"] for one in json.loads(path.read_text())["over"].values()} == {6}


def test_kinds_of_moves_with_kickers_are_counted(script):
    found = script.chains(of_teacher("rhcp-partner", 6))
    assert found["moves"]
    for name, row in found["moves"].items():
        assert 0 <= row["chosen"] <= row["legal in"], name
    assert sum(row["chosen"] for row in found["moves"].values()) > 3


def test_positions_in_which_a_partner_is_left_alone(script):
    """Counted again from the views, move by move."""
    agent, games, asked, passed = fuda.agent("doudizhu/rhcp-partner"), [], 0, 0
    for seed in range(40):
        match = fuda.game("doudizhu").start(seed)
        while not match.over:
            view = match.view(match.seat)
            partner = match.seat in (1, 2) and view["beat_seat"] == 3 - match.seat
            is_asked = partner and view["hand_sizes"][3 - match.seat] <= 2 and len(match.legal()) > 1
            move = agent.choose(match)
            asked, passed = asked + is_asked, passed + (is_asked and move == "pass")
            match.play(move)
        games.append(np.frombuffer(match.state_bytes(), SPEC.rules.STATE))
    assert 0 < passed < asked
    found = script._left_alone(np.concatenate(games).view(np.recarray), np.ones(len(games), bool))
    assert found["positions"] == asked
    assert found["passed"] == round(passed / asked, 4)


def test_marginals_are_those_of_redeals(script):
    """Exact chances against 4,000 redeals of a position, in each role."""
    match, luck = fuda.game("doudizhu").start(11), streams(3, SAMPLE, 0, 1)
    for move in ("lead", "pass", "pass", "lead", "pass"):
        match.play(match.legal()[0] if move == "lead" else move)
    looks = [match]
    for _ in range(2):
        later = looks[-1].copy()
        later.play(later.legal()[-1])
        looks.append(later)
    assert sorted(look.seat for look in looks) == [0, 1, 2]
    for look in looks:
        view, seat = look.view_record(look.seat), look.seat
        exact = np.zeros((1, 15, 5))
        script.write_marginals(view, np.array([seat]), exact, 0, 1)
        assert exact.sum(axis=2) == pytest.approx(1)
        counts = np.zeros((15, 5))
        for _ in range(4000):
            state = view.copy()
            rules.redeal(state[0], seat, luck)
            held = state[0].hand[rules.next_seat(seat)]
            for rank in range(15):
                counts[rank, count_of(held, rank)] += 1
        assert np.abs(counts / 4000 - exact[0]).max() < 0.04


def test_scripts_write_what_the_tables_show(tmp_path, monkeypatch, model_folder):  # noqa: F811
    """Of a network that has learned nothing, and of few games."""
    script = called(
        monkeypatch, tmp_path, "doudizhu_deeprocket", "probe", "--model", model_folder, "--games", 12,
        "--teacher", "rhcp-partner",
    )  # fmt: skip
    stored = json.loads((tmp_path / "doudizhu-deeprocket-probe.json").read_text())
    losses = stored["log loss"]
    assert 0.2 < losses["exact counting"] < 1.5
    assert all(loss < 3 for loss in losses.values())
    head, rows, note = importlib.import_module("deeprocket_tables").probe(stored)
    assert len(head) == 2
    assert [row[0] for row in rows] == list(losses)
    assert stored["model"] in note
    assert script.GAME.id == "doudizhu"


def test_a_teacher_s_games_in_a_file_teach_what_the_teacher_does(tmp_path, monkeypatch):
    """The same weights, from the games as they are made and from the file; games have one deal."""
    script = called(
        monkeypatch, tmp_path, "teacher_games", "doudizhu", "rhcp-partner", "--games", 32,
        "--seed", TINY.seed, "--out", tmp_path / "games.npz", "--device", "cpu",
    )  # fmt: skip
    weights = []
    for records in ("", str(tmp_path / "games.npz")):
        run = imitation.Run(replace(TINY, records=records), tmp_path / "run", torch.device("cpu"), None)
        run.advance()
        run.advance()
        weights.append([each for learner in run.learners for each in learner.net.state_dict().values()])
    assert all(map(torch.equal, *weights))
    monkeypatch.setattr("sys.argv", ["teacher_games", "koikoi", "classical", "--games", "2", "--out", "none"])
    with pytest.raises(SystemExit):
        script.main()


@pytest.mark.usefixtures("soak_only")
def test_networks_are_compared_on_the_same_games(tmp_path, monkeypatch):
    """Every variant of a tiny recipe, and its table; a run that is whole is not trained again."""
    monkeypatch.syspath_prepend(str(BENCH))
    sweep = importlib.import_module("doudizhu_deeprocket_sweep")
    monkeypatch.setattr(sweep, "find_recipe", lambda name: SimpleNamespace(recipe=TINY))
    monkeypatch.setattr(sweep, "PATH", tmp_path / "sweep.json")
    monkeypatch.setattr(sweep, "TEACHER", TINY.teacher)
    monkeypatch.setattr(imitation, "HELD_OUT_GAMES_ON_CPU", 4)
    called(
        monkeypatch, tmp_path, "doudizhu_deeprocket_sweep", "--out", tmp_path / "runs", "--games", 16,
        "--held-out", 4, "--device", "cpu",
    )  # fmt: skip
    stored = json.loads((tmp_path / "sweep.json").read_text())
    assert list(stored["variants"]) == list(sweep.variants(TINY))
    for title, one in stored["variants"].items():
        assert one["games"] == 16, title
        assert 0 < one["same moves"] < 1, title
    assert stored["variants"]["connected"]["convolved"] is False
    _, rows, _ = importlib.import_module("deeprocket_tables").sweep(stored)
    assert len(rows) == len(stored["variants"])


def test_a_game_is_cut_into_the_down_peasant_s_pairs(script):
    match = fuda.game("doudizhu").start(4)
    agent = fuda.agent("doudizhu/rhcp-partner")
    while not match.over:
        match.play(agent.choose(match))
    _, rows, _ = importlib.import_module("deeprocket_tables").pairs(match)
    mine = [move for seat, move in match.moves if seat == 1]
    assert len(rows) == len(mine)
    for row, move in zip(rows, mine, strict=True):
        if row[4].startswith("forced"):
            assert row[3] == "1"
        elif move == "pass":
            assert row[4] == "pass"
        else:
            cards = row[4].split()[-1] + row[5].replace(", ", "")
            assert read_move(cards) == read_move(move)
