"""What is installed: the wheel has all that fuda needs, its extras are those that hints name, and it runs."""

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

import fuda
from fuda.core.errors import DISTRIBUTION, how_to_get

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "fuda"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAX_WHEEL_BYTES = 75_000_000
WHEEL = f"{DISTRIBUTION.replace('-', '_')}-{fuda.__version__}-py3-none-any.whl"


def test_the_wheel_has_every_file_of_the_package_and_the_stored_results():
    packed = {
        file.distribution_path: Path(file.path) for file in WheelBuilder(str(ROOT)).recurse_included_files()
    }
    sources = {file for file in SOURCES.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    expected = {str("fuda" / file.relative_to(SOURCES)): file for file in sources}
    results = ROOT / "bench" / "results"
    expected |= {
        f"fuda/results/{file.relative_to(results)}": file for file in results.rglob("*") if file.is_file()
    }
    assert packed == expected
    for name in (
        "py.typed",
        "serve/static/index.html",
        "games/koikoi/RULES.md",
        "models/koikoi/best/CARD.md",
    ):
        assert f"fuda/{name}" in packed
    # Before compression, which makes it no larger.
    assert sum(file.stat().st_size for file in packed.values()) < MAX_WHEEL_BYTES


def test_hints_name_extras_that_there_are():
    calls = [
        node
        for file in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "how_to_get"
    ]
    named = {call.args[0].value for call in calls}
    assert {"train", "web", "pettingzoo", "openspiel", "cluster", "explain"} <= named
    assert named <= set(PROJECT["optional-dependencies"])
    assert PROJECT["name"] == DISTRIBUTION


def test_the_documents_install_the_wheel_that_is_built():
    """Until the distribution is on an index: by its name pip would get nothing, or somebody else's."""
    assert f"`{DISTRIBUTION}`" in (ROOT / "README.md").read_text()
    told = {
        page.name: re.findall(r"^.*pip install.*?([^\s'\"]+)\[([\w,]+)\]", page.read_text(), re.MULTILINE)
        for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    }
    assert {"README.md", "rating.md", "network.md"} <= {page for page, found in told.items() if found}
    for wheel, extras in (each for found in told.values() for each in found):
        assert wheel.rpartition("/")[2] == WHEEL
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    rule = re.search(r"^wheel:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert rule
    assert "pip wheel" in rule[1]
    assert "--wheel-dir dist" in rule[1]


def test_a_hint_finds_the_fuda_that_runs_and_asks_no_index(tmp_path):
    """What is installed is enough for pip: by the same name an index may have another one."""
    hint = shlex.split(how_to_get("web").partition(", ")[2])
    assert hint[0] == sys.executable
    bare = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PATH": os.environ["PATH"]}
    done = subprocess.run([*hint, "--dry-run"], cwd=tmp_path, env=bare, capture_output=True, text=True)
    assert f"already satisfied: {DISTRIBUTION}[web]" in done.stdout, done.stderr


def interpreters() -> list[str]:
    """Pythons of this machine, one of each version that the package declares."""
    declared = [re.fullmatch(r".*:: (3\.\d+)", line) for line in PROJECT["classifiers"]]
    folders = [*os.environ["PATH"].split(os.pathsep), *map(str, Path.home().glob(".pyenv/versions/*/bin"))]
    found = []
    for version in (each[1] for each in declared if each):
        for folder in folders:
            program = Path(folder) / f"python{version}"
            asked = [str(program), "-c", "import venv, ensurepip"]
            if program.is_file() and not subprocess.run(asked, capture_output=True).returncode:
                found.append(str(program))
                break
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "python" in metafunc.fixturenames:
        metafunc.parametrize(
            "python", interpreters() if metafunc.config.getoption("--soak") else [sys.executable]
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, soak_only) -> Path:
    """Built as for a release: the sdist in isolation, and the wheel from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    assert sdist.name == f"{DISTRIBUTION.replace('-', '_')}-{fuda.__version__}.tar.gz"
    assert wheel.name == WHEEL
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    return wheel


def test_the_wheel_plays_duels_trains_and_serves_from_an_empty_folder(wheel, python, tmp_path, soak_only):
    folder, venv = tmp_path / "empty", tmp_path / "venv"
    folder.mkdir()
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    env = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, done.stderr
        return done.stdout

    program = str(venv / "bin" / "fuda")

    def duel(game_id: str, agent: str, games: int) -> dict[str, Any]:
        command = (program, "duel", game_id, agent, f"{game_id}/random", "--games", str(games), "--seed", "1")
        return json.loads(run(*command, "--json"))

    run(python, "-m", "venv", str(venv))
    pip = (str(venv / "bin" / "pip"), "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"))
    run(*pip, f"{wheel}[train,web]")
    assert run(str(venv / "bin" / "python"), "-c", "import fuda; print(fuda.__file__)").startswith(str(venv))
    assert run(program, "--version") == f"fuda {fuda.__version__}\n"
    for game_id in ("koikoi", "doudizhu", "gongzhu"):
        assert duel(game_id, f"{game_id}/best", 12)["games"] == 12
    run(program, "record", "new", "koikoi", "--agent", "koikoi/best", "--out", "match.jsonl")
    assert "good" in run(program, "record", "replay", "match.jsonl")
    run(program, "train", "gongzhu-views-small", "--out", "run", "--minutes", "1", "--device", "cpu")
    won = duel("gongzhu", "run/model", 400)
    assert won["mean_diff"] > 6 * won["stderr"]
    check_server([program, "serve", "--no-browser", "--port", "0", "--data", "data"], folder, env)


def check_server(command: list[str], folder: Path, env: dict[str, str]) -> None:
    """It brings the page with its parts, the games with their agents, and how strong these are."""
    server = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    try:
        address = next(
            found[1] for line in server.stdout if (found := re.search(r"is at (http://\S+)/ ", line))
        )

        def get(path: str) -> str:
            with urllib.request.urlopen(address + path, timeout=60) as answer:
                return answer.read().decode()

        page = get("/")
        for part in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page):
            assert get(part)
        assert "/assets/" in page
        lobby = json.loads(get("/api/v1/lobby"))
        assert [game["id"] for game in lobby["games"]] == ["doudizhu", "gongzhu", "koikoi"]
        (best,) = (agent for agent in lobby["agents"] if agent["name"] == "koikoi/best")
        assert best["duels"]  # the stored results
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)
