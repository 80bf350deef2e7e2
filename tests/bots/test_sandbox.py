"""Bubblewrap is used where it works, and a sentence says where it does not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuda.bots import sandbox
from fuda.bots.limits import Limits
from fuda.bots.process import BotProcess
from tests.bots.programs import PATIENCE

# A stand-in: it notes its arguments and runs the command behind them.
WORKS = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for word in "$@"; do shift; [ "$word" = -- ] && exec "$@"; done
"""
REFUSED = "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"


@pytest.fixture
def install(tmp_path: Path, monkeypatch) -> Iterator[object]:
    """Puts a program in bubblewrap's place, or none."""

    def put(program: str | None) -> Path:
        if program is not None:
            (tmp_path / "bwrap").write_text(program)
            (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
        sandbox.why_not.cache_clear()
        return tmp_path / "calls"

    yield put
    sandbox.why_not.cache_clear()


def answer(limits: Limits) -> bytes:
    bot = BotProcess(["sh", "-c", "read line; echo $TMPDIR; read line"], limits)
    try:
        return bot.ask(b"\n", PATIENCE)
    finally:
        bot.close()


def test_where_it_works_bots_run_in_it(install):
    calls = install(WORKS)
    assert sandbox.why_not() is None
    folder = answer(Limits()).decode()
    trial, call = calls.read_text().splitlines()
    assert trial.endswith("--unshare-all --die-with-parent -- true")
    assert call.startswith("--ro-bind / / --dev /dev --proc /proc --unshare-all --die-with-parent")
    assert f"--bind {folder} {folder} --chdir {Path.cwd()} -- sh -c" in call
    calls.unlink()
    answer(Limits(sandbox="none"))
    assert not calls.exists()


def test_where_it_does_not_a_sentence_says_so_and_bots_run_without(install):
    install(REFUSED)
    assert sandbox.why_not() == (
        "bubblewrap is not allowed here: bwrap: setting up uid map: Permission denied"
    )
    assert answer(Limits())


def test_where_there_is_none(install, monkeypatch):
    install(None)
    monkeypatch.setattr(sandbox, "PROGRAM", "no-such-bwrap")
    assert sandbox.why_not() == "bubblewrap is not installed"
    assert sandbox.sandboxed(["x", "y"], "/tmp/z") == ["x", "y"]
