"""Running command lines in this process."""

from pathlib import Path

import pytest

import fuda
from fuda.cli import main


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """What the duels of these tests need is compiled before them: else they would say so."""
    fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=2)


@pytest.fixture
def run(capsys):
    """Runs a command line in this process: exit code, stdout, stderr."""

    def run_command(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return run_command


@pytest.fixture
def refused(run, tmp_path):
    """Runs a bad command line; the one sentence that it gets."""

    def run_bad(*arguments: object) -> str:
        before = tree(tmp_path)
        code, out, err = run(*arguments)
        assert (code, out) == (2, ""), err
        assert err.startswith("fuda: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert len(err) < 500
        assert tree(tmp_path) == before
        return err

    return run_bad


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
