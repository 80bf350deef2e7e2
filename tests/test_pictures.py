"""The pictures of the documents are what their scripts draw."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from fuda.agents.model import model_folders

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@pytest.fixture
def script(monkeypatch):
    """A script of docs/ as a module."""
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module


@pytest.mark.parametrize("module", ["diagrams", "deeprocket_diagrams"])
def test_diagrams_are_drawn_from_the_code_as_it_is(script, module):
    for name, draw in script(module).DRAWINGS.items():
        stored = (DOCS / f"{name}.svg").read_text()
        assert stored == draw(), f"docs/{name}.svg is old; run python docs/pictures.py {name}"


def test_training_curves_from_a_run_and_from_results(script, tmp_path):
    run, kept = tmp_path / "my-run", tmp_path / "train-kept.json"
    run.mkdir()
    evaluations = [
        {"games": 10 * k, "minutes": k, "rival_win_rate": 0.1 * k, "rival_points": float(k)} for k in (1, 2)
    ]
    lines = [{"games": 5, "loss": 0.1}, *evaluations]
    (run / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    kept.write_text(json.dumps({"name": "kept", "curve": evaluations}))
    for by in ("games", "minutes"):
        svg = script("charts").training([run, kept], by)
        for words in (
            "my-run",
            "kept",
            "games won over rival",
            "points a game over rival",
            f"{by} of training",
        ):
            assert f">{words}<" in svg


@pytest.mark.parametrize("picture", ["training-curves", "training-minutes"])
def test_the_stored_curves_show_all_stored_runs(picture):
    svg = (DOCS / f"{picture}.svg").read_text()
    for file in (ROOT / "bench" / "results").glob("train-koikoi*.json"):
        name = json.loads(file.read_text())["name"]
        assert f">{name}" in svg, f"docs/{picture}.svg is old; run python docs/pictures.py {picture}"


def test_the_stored_chances_to_win_are_of_the_shipped_table(script):
    drawn = script("charts").shipped_winning()
    assert ">round 8<" in drawn
    (source,) = re.findall(r"table [0-9a-f]{64}", drawn)
    stored = (DOCS / "winning-chance.svg").read_text()
    assert source in stored, "docs/winning-chance.svg is old; run python docs/pictures.py winning-chance"


def test_chances_to_win_need_a_table(script, tmp_path):
    charts = script("charts")
    with pytest.raises(ValueError, match=r"there is no model\.json"):
        charts.winning(tmp_path)


@pytest.mark.parametrize(
    ("chart", "source", "said"),
    [
        ("training", "short", "{source} has no evaluations to draw"),
        ("training", "short/log.jsonl", "{source} does not have the curve of a training run"),
        ("training", "none", "{source}: No such file or directory"),
        ("training", "empty", "{source}/log.jsonl: No such file or directory"),
        ("winning", "none", "there is no model.json in {source}; give the folder of a model"),
        ("winning", model_folders("gongzhu")["best"], "{source} has no table of chances to win"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(script, tmp_path, monkeypatch, capsys, chart, source, said):
    (tmp_path / "empty").mkdir()
    (tmp_path / "short").mkdir()
    (tmp_path / "short" / "log.jsonl").write_text(2 * '{"games": 5, "loss": 0.1}\n')
    path, out = tmp_path / source, tmp_path / "chart.svg"
    monkeypatch.setattr(sys, "argv", ["charts.py", chart, str(path), "--out", str(out)])
    with pytest.raises(SystemExit) as ended:
        script("charts").main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {said.format(source=path)}\n")
    assert not out.exists()
