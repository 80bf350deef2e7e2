"""The notebook runs as it is, cut short; in `make soak` from the wheel, where nothing else is installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "fuda.ipynb"
SHORTENED = {"MINUTES = 5  #": "MINUTES = 0.05  #", "GAMES = 400  #": "GAMES = 2  #"}


def shortened() -> nbformat.NotebookNode:
    """The notebook with its settings for a test, all else as it stands."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    (settings,) = (cell for cell in notebook.cells if cell.id == "settings")
    for long, short in SHORTENED.items():
        assert long in settings.source
        settings.source = settings.source.replace(long, short)
    return notebook


def printed(notebook: nbformat.NotebookNode, name: str) -> str:
    """What a cell wrote."""
    (cell,) = (cell for cell in notebook.cells if cell.id == name)
    return "".join(output.get("text", "") for output in cell.outputs if output.output_type == "stream")


def check(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """It has played, trained, dueled and drawn."""
    assert "points: [" in printed(notebook, "play")
    assert "%" in printed(notebook, "values")
    (run,) = folder.glob("run-*")
    assert json.loads((run / "model" / "model.json").read_text())
    assert printed(notebook, "duel").count("2 games won") == 2
    (plot,) = (cell for cell in notebook.cells if cell.id == "plot")
    assert any("image/png" in output.get("data", {}) for output in plot.outputs)
    assert list(run.glob("at-*"))


def test_it_runs_from_the_first_cell_to_the_last(tmp_path):
    notebook = shortened()
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    check(notebook, tmp_path)


def test_it_is_stored_without_what_it_printed():
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_it_asks_for_the_wheel_where_there_is_none(tmp_path, monkeypatch):
    (install,) = (cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.id == "install")
    program = "\n".join(line for line in install.source.splitlines() if not line.strip().startswith("%"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="make wheel"):
        exec(program, {})


def test_it_installs_the_wheel_beside_it_in_a_bare_environment(tmp_path, soak_only):
    """As on a cloud machine: a Python with Jupyter's kernel, the notebook and the wheel."""
    folder, python = tmp_path / "cloud", tmp_path / "venv" / "bin" / "python"
    folder.mkdir()
    env = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    constrained = ("--quiet", "--constraint", str(ROOT / "constraints.txt"))

    def run(*command: object) -> None:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True, timeout=1800
        )
        assert done.returncode == 0, done.stderr

    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(python, "-m", "pip", "install", *constrained, "ipykernel", "nbconvert")
    env["PIP_CONSTRAINT"] = str(ROOT / "constraints.txt")
    nbformat.write(shortened(), folder / "short.ipynb")
    run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", "short.ipynb")
    check(nbformat.read(folder / "done.ipynb", as_version=4), folder)
    shutil.rmtree(tmp_path / "venv")
