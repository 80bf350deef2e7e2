"""Options of the whole suite, and the planted game for it and the programs that it starts."""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HUMAN_GAMES_TEST = "test_human_games.py"

# A package with a game of its own, as if it were installed: its entry point is found where the path leads.
PLANTED = str(Path(__file__).parent / "planted")
sys.path.insert(0, PLANTED)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PLANTED, os.environ.get("PYTHONPATH")]))

BENCH = Path(__file__).parent.parent / "bench"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--human-games", type=Path, help="folder of the 200 human Koi-Koi games")
    parser.addoption("--soak", action="store_true", help="run the long tests alone, in their full sizes")


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--human-games")
    if folder is not None and not any(folder.glob("*.json")):
        raise pytest.UsageError(f"--human-games: there are no games in {folder}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    absent = config.getoption("--human-games") is None
    return True if collection_path.name == HUMAN_GAMES_TEST and absent else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The soak runs every long test and no other; those that are only long (`soak_only`) are for it alone."""

    def asks(item: pytest.Item, *fixtures: str) -> bool:
        return any(fixture in getattr(item, "fixturenames", ()) for fixture in fixtures)

    if config.getoption("--soak"):
        items[:] = [item for item in items if asks(item, "soak", "soak_only")]
    else:
        items[:] = [item for item in items if not asks(item, "soak_only")]


def pytest_report_header(config: pytest.Config) -> str:
    folder = config.getoption("--human-games")
    if folder is None:
        return "human games: not collected; make test HUMAN_GAMES=DIR replays a part, make soak all"
    return f"human games: {folder}"


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether the long tests run in their full sizes (make soak), not in their small ones."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def soak_only() -> None:
    """For a long test that has no small size."""


@pytest.fixture
def bench_script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Scripts of bench/ as modules, which find each other as they do when they are started."""
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module
