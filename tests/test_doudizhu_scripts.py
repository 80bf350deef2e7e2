"""The scripts that measure Dou Dizhu's players, with few games."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

import fuda
from fuda.arena.seats import wins
from fuda.training import conduct
from tests.agents.tiny_decompositions import write_tiny

torch.set_num_threads(1)  # test processes share the cores

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture
def search(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("doudizhu_search")


def test_each_row_is_a_player_of_its_own(search):
    """Of the seed for choosing, with settings that the player has and that differ from what ships."""
    players = {
        name: search.player("doudizhu/best", "cpu", **given) for name, given in search.SETTINGS.items()
    }
    shipped = players.pop("as it ships").setting
    assert all(player.setting != shipped for player in players.values())
    assert len({str(player.setting) for player in players.values()}) == len(players)
    assert search.CHOOSING_SEED == conduct.CHOOSING_SEED


@pytest.fixture(scope="module")
def landlords(tmp_path_factory) -> Path:
    """A folder with a short run of one algorithm, and what the script wrote of it."""
    folder = tmp_path_factory.mktemp("landlords")
    with pytest.MonkeyPatch.context() as patch:
        called(patch, folder, "doudizhu_landlord", *landlord_arguments(folder))
    return folder


def landlord_arguments(folder: Path) -> list[object]:
    return [
        "--out", folder, "--small", "--only", "a2c", "--rates", "1e-3", "--games", 20,
        "--minutes", 0.01, "--report", 6,
    ]  # fmt: skip


def called(patch: pytest.MonkeyPatch, folder: Path, name: str, *arguments: object) -> ModuleType:
    """Run a script of bench/ that writes into a folder instead."""
    patch.syspath_prepend(str(BENCH))
    script = importlib.import_module(name)
    for place in ("RESULTS", "DOCS"):
        if hasattr(script, place):
            patch.setattr(script, place, folder)
    patch.setattr("sys.argv", [name, *map(str, arguments)])
    script.main()
    return script


def test_landlords_are_trained_measured_once_and_drawn(landlords, monkeypatch):
    path = landlords / "doudizhu-landlord-small.json"
    stored = path.read_text()
    runs = json.loads(stored)["runs"]
    assert set(runs) == {"random", "a2c-0.001-1"}
    curve = runs["a2c-0.001-1"]["curve"]
    assert len(curve) >= 2, "models are kept on the way"
    assert [point["games"] for point in curve] == sorted(point["games"] for point in curve)
    last = wins(
        fuda.game("doudizhu"), fuda.agent(landlords / "a2c-0.001-1" / "model"), "doudizhu/rhcp", [0], 6, 1
    )
    assert curve[-1]["won"] == round(float(last.mean()), 4)
    svg = (landlords / "doudizhu-landlord-small.svg").read_text()
    for words in ("A2C, 0.001", "games of training", "minutes of training"):
        assert words in svg
    known = json.loads(stored)  # what was measured stays, whatever it says
    known["runs"]["a2c-0.001-1"]["curve"][0]["won"] = 0.777
    path.write_text(json.dumps(known))
    called(monkeypatch, landlords, "doudizhu_landlord", *landlord_arguments(landlords))
    again = json.loads(path.read_text())["runs"]["a2c-0.001-1"]["curve"]
    assert again == known["runs"]["a2c-0.001-1"]["curve"]


def test_kept_models_seat_by_seat(landlords, monkeypatch):
    run = landlords / "a2c-0.001-1"
    called(monkeypatch, landlords, "doudizhu_adversaries", run, "tiny", "--games", 5, "--device", "cpu")
    curve = json.loads((landlords / "doudizhu-adversaries-tiny.json").read_text())["curve"]
    game, player, rhcp = fuda.game("doudizhu"), fuda.agent(run / "model"), fuda.agent("doudizhu/rhcp")
    for seat, name in enumerate(("landlord", "down", "up")):
        won = wins(game, player, rhcp, [seat], 5, 1).mean()
        assert curve[-1][name]["won"] == round(float(won), 4)
    own = wins(game, player, player, [0], 5, 1).mean()
    assert curve[-1]["landlord over its own peasants"]["won"] == round(float(own), 4)
    svg = (landlords / "doudizhu-adversaries-tiny.svg").read_text()
    assert svg.count(">landlord<") == 2


def test_one_seat_among_others_in_blocks(tmp_path, monkeypatch):
    arguments = ("--only", "rhcp", "random", "--block", 6)
    called(monkeypatch, tmp_path, "doudizhu_seats", *arguments)
    path = tmp_path / "doudizhu-seats.json"
    cells = json.loads(path.read_text())["cells"]
    assert len(cells) == 4
    won = wins(fuda.game("doudizhu"), fuda.agent("doudizhu/rhcp"), "doudizhu/random", [2], 60, 1).reshape(
        10, 6
    )
    told = cells["rhcp among random"]["seats"]["up"]
    assert told["won"] == round(float(won.mean()), 4)
    assert told["deviation"] == round(float(won.mean(axis=1).std(ddof=1)), 4)
    cells["rhcp among random"]["seats"]["up"]["won"] = 2.0
    path.write_text(json.dumps({"cells": cells}))
    called(monkeypatch, tmp_path, "doudizhu_seats", *arguments)
    assert json.loads(path.read_text())["cells"] == cells


def test_the_paper_s_situations(tmp_path, monkeypatch):
    folder = write_tiny(tmp_path / "model")
    players = (f"tiny={folder}", "doudizhu/rhcp")
    script = called(monkeypatch, tmp_path, "doudizhu_situations", *players, "--deals", 12)
    found = json.loads((tmp_path / "doudizhu-situations.json").read_text())["players"]
    for title, (led, held) in script.SITUATIONS.items():
        matches = list(script.positions(led, held, 12))
        rhcp = fuda.agent("doudizhu/rhcp")
        moves = [rhcp.choose(match) for match in matches]
        for match in matches:
            assert match.moves == [(0, led)]
            assert match.view(1)["hand"].count(held[0]) == len(held)
        told = found["doudizhu/rhcp"]["situations"][title]["played"]
        assert told == {
            f"plays {held[0]}": np.mean([move == held[0] for move in moves]),
            "passes": np.mean([move == "pass" for move in moves]),
        }
        tiny = found["tiny"]["situations"][title]["played"]
        example = tiny["for example"]
        cards = "".join(example["decomposition"]).replace("pass", "")
        assert sorted(cards) == sorted(example["hand"])
        assert 0 <= tiny[f"keeps {held} together"] <= 1


def test_decisions_are_timed_by_both_clocks(tmp_path, monkeypatch):
    script = called(monkeypatch, tmp_path, "doudizhu_decision", "rhcp", "--games", 2)
    found = json.loads((tmp_path / "doudizhu-decision-rhcp.json").read_text())
    assert found["decisions"] > 10
    assert found["most moves"] == len(script.with_most_moves().legal()) == 519
    assert list(found["worked"]) == list(found["waited"])
    for times in (found["worked"], found["waited"]):
        assert 0 <= times["mean ms"] <= times["slowest, ms"]
        assert times["decisions per second, games together"] > 0
    assert importlib.import_module("doudizhu_tables").doudizhu_decisions()
