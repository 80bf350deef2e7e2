"""The script that keeps the figures of a training run."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from fuda.agents.model import model_folders


@pytest.fixture
def script(monkeypatch, bench_script, tmp_path):
    """The script as a module, which writes to a folder of the test's own."""
    module = bench_script("training")
    monkeypatch.setattr("results_folder.OWN", tmp_path)
    return module


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def write(run: Path, *lines: dict, **recipe) -> None:
    (run / "run.json").write_text(json.dumps({"recipe": {"game": "koikoi"} | recipe}))
    (run / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_rate_and_curve(script, run, tmp_path, monkeypatch):
    evaluation = {"games": 9, "minutes": 1, "random_win_rate": 0.75}
    write(run, *({"games_per_second": rate} for rate in (10.0, 30.0, 900.0)), evaluation)
    monkeypatch.setattr(sys, "argv", ["training.py", str(run), "mine"])
    script.main()
    stored = json.loads((tmp_path / "train-mine.json").read_text())
    assert (stored["name"], stored["games per second"], stored["curve"]) == ("mine", 30, [evaluation])
    assert stored["recipe"] == {"game": "koikoi"}


@pytest.mark.parametrize("aims", [["points"], ["points", "probability"]])
def test_the_curve_of_models_is_by_their_games(script, run, tmp_path, monkeypatch, aims):
    write(run, {"games_per_second": 10.0}, aims=aims, opponents=["random"])
    for folder, games, minutes in (("", 300, 3.0), ("at-90-57", 90, 0.95), ("at-300-180", 300, 3.0)):
        for name in ("model-points", "model-probability") if len(aims) > 1 else ("model",):
            model = shutil.copytree(model_folders("koikoi")["rl-wp"], run / folder / name)
            card = json.loads((model / "model.json").read_text())
            card["made"] |= {"games": games, "minutes": minutes}
            (model / "model.json").write_text(json.dumps(card))
    monkeypatch.setattr(sys, "argv", ["training.py", str(run), "mine", "--games", "2"])
    script.main()
    curve = json.loads((tmp_path / "train-mine.json").read_text())["curve"]
    assert [(point["games"], point["minutes"]) for point in curve] == [(90, 0.95), (300, 3.0)]
    assert all(0 <= point[f"{aim}_random_win_rate"] <= 1 for point in curve for aim in aims)
    assert all(curve[0][f"{aim}_last_win_rate"] == 0.5 for aim in aims)  # the same weights
    assert not any("last" in name for name in curve[1])


def test_a_recipe_without_aims_is_played_by_its_rules(script, run, tmp_path, monkeypatch):
    write(run, {"games_per_second": 10.0}, game="doudizhu", opponents=["rhcp"], options={"score": "adp"})
    shutil.copytree(model_folders("doudizhu")["best-point"], run / "model")
    monkeypatch.setattr(sys, "argv", ["training.py", str(run), "mine", "--games", "40"])
    script.main()
    (point,) = json.loads((tmp_path / "train-mine.json").read_text())["curve"]
    assert point["rhcp_win_rate"] > 0.5
    assert point["rhcp_points"] > 1  # a point for a game at most without doubling


@pytest.mark.parametrize("is_damaged", [True, False])
def test_models_that_are_not_there_are_one_sentence(script, run, tmp_path, monkeypatch, capsys, is_damaged):
    write(run, {"games_per_second": 10.0}, aims=["points"], opponents=["random"])
    if is_damaged:
        (run / "model").mkdir()
    monkeypatch.setattr(sys, "argv", ["training.py", str(run), "mine", "--games", "2"])
    with pytest.raises(SystemExit) as ended:
        script.main()
    told = capsys.readouterr().err.splitlines()[-1]
    assert (ended.value.code, str(run) in told) == (2, True)
    assert not list(tmp_path.glob("train-*.json"))


@pytest.mark.parametrize("is_empty", [True, False])
def test_what_is_no_run_or_too_short_is_one_sentence(script, run, tmp_path, monkeypatch, capsys, is_empty):
    if not is_empty:
        write(run, {"games": 5})
    monkeypatch.setattr(sys, "argv", ["training.py", str(run), "mine"])
    with pytest.raises(SystemExit) as ended:
        script.main()
    missing = f"no folder of fuda train: {run / 'log.jsonl'}: No such file or directory"
    short = "too short a run: its log does not tell games per second"
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {run} is {missing if is_empty else short}\n")
    assert not list(tmp_path.glob("train-*.json"))
