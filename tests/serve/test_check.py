"""`fuda serve --check`: what the next start would say, while nothing changes."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from fuda.serve import check, pool
from fuda.serve.config import Config
from fuda.serve.store import FILE
from tests.serve.harness import changing
from tests.serve.test_command import fuda
from tests.serve.test_damage import ONE_GAME, ONE_MOVE, change, data, killed, played_on

__all__ = ["data", "played_on"]  # fixtures


def contents(folder: Path) -> dict[str, str]:
    """The files of a folder but the lock, which a check holds for a moment."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if not path.name.startswith("lock.sqlite")
    }


@pytest.fixture
def without_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_: Config) -> list[str]:
        return []

    monkeypatch.setattr(check, "_agents_faults", nothing)


def test_all_is_well_also_while_a_server_runs(new_server, data: Path):
    new_server(agent_workers=1, data=data)
    run = fuda("serve", "--check", "--data", str(data))
    assert run.returncode == 0, run
    games, agents, last = run.stdout.splitlines()
    assert games == "fuda: 3 running games, 2 finished ones and uploads"
    assert agents.endswith(" agents asked")
    assert last == "fuda: all is well"


def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a check tells, whose exit code says whether all is well; it changes nothing."""
    before = contents(folder)
    well = check.check(Config(folder))
    assert contents(folder) == before
    told = capsys.readouterr().out.splitlines()
    assert well == (told[-1] == "fuda: all is well")
    return [line.removeprefix("fuda: ") for line in told]


@pytest.mark.usefixtures("without_agents")
def test_a_game_that_cannot_be_played_on_is_named(played_on, data: Path, capsys):
    (table, *_) = played_on[2]
    with changing(data) as database:
        database.execute(f"UPDATE moves SET move = 'XX' WHERE {ONE_MOVE}", (table["table"],))
    _, fault = said(data, capsys)
    assert fault.startswith(f"the game {table['table']} (gongzhu) cannot be played on: ")


@pytest.mark.usefixtures("without_agents")
def test_what_the_next_start_will_say(played_on, data: Path, capsys):
    change(data, f"UPDATE moves SET move = 'XX' WHERE {ONE_MOVE}", played_on[2][0]["table"])
    assert said(data, capsys)[1:] == [f"the next start will say: {ONE_GAME[0]}"]


@pytest.mark.usefixtures("without_agents")
def test_a_lost_journal_and_no_database(data: Path, tmp_path: Path, capsys):
    (data / killed(data)).unlink()
    lost = f"the journal {FILE}-wal in {data} is gone: moves that were stored last may be lost"
    assert said(data, capsys)[1:] == [f"the next start will say: {lost}"]
    (data / FILE).write_bytes(b"nonsense" * 1000)
    (fault,) = said(data, capsys)
    assert fault == f"{data / FILE} cannot be used: file is not a database; give another --data"
    (tmp_path / "none").mkdir()
    assert said(tmp_path / "none", capsys) == [
        f"there are no games in {tmp_path / 'none'} yet",
        "all is well",
    ]


def test_an_agent_whose_process_ends_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pool, "COMMAND", ("false",))
    faults = asyncio.run(check._agents_faults(Config(tmp_path, agent_workers=1)))
    assert "the agent gongzhu/random does not play: crash" in faults


def test_a_check_that_finds_something_ends_with_1(tmp_path: Path):
    (tmp_path / FILE).write_bytes(b"nonsense" * 1000)
    run = fuda("serve", "--check", "--data", str(tmp_path))
    assert (run.returncode, run.stderr) == (1, "")
    assert "is not a database" in run.stdout
