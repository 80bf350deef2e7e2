"""A duel with `out`: killed at any time it goes on, and the figures are those of a quiet run."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

import fuda

GAMES, SEED = 100_000, 6
ASKED = [
    "koikoi",
    "koikoi/random",
    "koikoi/random",
    "--games",
    str(GAMES),
    "--seed",
    str(SEED),
    "-o",
    "rounds=2",
]
PATIENCE = 300.0  # seconds until a run that shows nothing has failed; it may have to compile first


@cache
def undisturbed() -> dict:
    return fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=GAMES, seed=SEED, rounds=2).as_dict()


def begin(out: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "fuda", "duel", *ASKED, "--json", "--out", str(out)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell that runs the tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def begun(out: Path, chunks: int = 3) -> subprocess.Popen:
    """A run that stands still in its first half: a signal that is handled late still finds it playing."""
    part = out.with_name(out.name + ".part")
    kept = part.read_bytes() if part.exists() else b""
    for _ in range(5):  # on a busy machine a run may be over before it is stopped
        process = begin(out)
        deadline = time.monotonic() + PATIENCE
        while num_lines(part) < chunks + 1 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        process.send_signal(signal.SIGSTOP)
        if process.poll() is None:
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if not out.exists() and num_games(part) < GAMES / 2:
            assert process.poll() is None, process.stderr.read()
            return process
        end(process, signal.SIGKILL)
        out.unlink(missing_ok=True)
        part.write_bytes(kept)
    raise AssertionError("no run could be stopped in its first half")


def num_lines(part: Path) -> int:
    try:
        return part.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def num_games(part: Path) -> int:
    """The games of the finished chunks: lists of deals, each a list with a margin for each seating."""
    lines = part.read_text().splitlines(keepends=True)[1:]
    return sum(len(deal) for line in lines if line.endswith("\n") for deal in json.loads(line))


def end(process: subprocess.Popen, how: signal.Signals) -> tuple[int, str, str]:
    process.send_signal(how)
    process.send_signal(signal.SIGCONT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return process.returncode, stdout, stderr


def finish(out: Path) -> dict:
    """Run the same command to its end; the figures that it prints and stores."""
    process = begin(out)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stderr) == (0, "")
    stored = json.loads(out.read_text())
    assert stored["result"] == json.loads(stdout)
    assert {file.name for file in out.parent.iterdir()} == {out.name}
    return stored


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_run_that_was_stopped_goes_on(how, tmp_path):
    out = tmp_path / "duel.json"
    code, stdout, stderr = end(begun(out), how)
    assert stdout == ""
    assert not out.exists()
    part = out.with_name("duel.json.part").read_text()
    assert part.count("\n") >= 4
    if how is signal.SIGKILL:
        assert code == -signal.SIGKILL
    else:
        assert code == 130
        assert f"stopped; the same command with --out {out} goes on from here" in stderr
        assert "Traceback" not in stderr
        assert part.endswith("\n")
    assert finish(out)["result"] == undisturbed()


def test_stopped_twice_and_cut_in_its_last_line(tmp_path):
    out = tmp_path / "duel.json"
    part = tmp_path / "duel.json.part"
    end(begun(out), signal.SIGKILL)
    kept = part.read_bytes()
    lines = kept.splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    end(begun(out, chunks=len(lines) + 1), signal.SIGTERM)
    assert part.read_bytes().startswith(b"".join(lines[:-1]))
    assert finish(out)["result"] == undisturbed()


def test_two_runs_at_once(tmp_path):
    out = tmp_path / "duel.json"
    first = begun(out)
    try:
        before = (tmp_path / "duel.json.part").read_bytes()
        with pytest.raises(ValueError, match=r"another run is writing .*wait for it or choose another"):
            duel(out, games=GAMES, seed=SEED, rounds=2)
        assert (tmp_path / "duel.json.part").read_bytes() == before
    finally:
        first.send_signal(signal.SIGCONT)
    stdout, _ = first.communicate(timeout=PATIENCE)
    assert json.loads(stdout) == undisturbed()


# The rest in this process, on a short duel.


def duel(out: Path, **changes) -> dict:
    asked = {"games": 40, "seed": 1, "rounds": 2} | changes
    return fuda.duel("koikoi", "koikoi/random", "koikoi/random", **asked, out=out).as_dict()


def started(out: Path, rounds: int = 2) -> Path:
    """The part of a duel that was stopped after its first chunk."""

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fuda.duel(
            "koikoi", "koikoi/random", "koikoi/random", 40, 1, out=out, progress=stop, rounds=rounds
        )  # fmt: skip
    part = out.with_name(out.name + ".part")
    assert part.read_text().count("\n") == 2
    return part


def test_a_finished_duel_is_read_not_played(tmp_path):
    out = tmp_path / "duel.json"
    figures = duel(out)
    stored = json.loads(out.read_text())
    assert figures == stored["result"]
    stored["result"]["wins"] = 12345
    out.write_text(json.dumps(stored))
    assert duel(out)["wins"] == 12345
    assert [file.name for file in tmp_path.iterdir()] == ["duel.json"]


def test_a_result_tells_where_it_comes_from(tmp_path):
    duel(tmp_path / "duel.json")
    stored = json.loads((tmp_path / "duel.json").read_text())
    assert stored["kind"] == "duel"
    assert stored["agents"] == ["koikoi/random", "koikoi/random"]
    assert stored["options"] == {"rounds": 2, "points": 30}
    assert (stored["seed"], stored["deals"], stored["seatings"], stored["rules_version"]) == (1, 20, 2, 1)
    assert {"python", "numpy", "numba", "fuda"} <= set(stored["versions"])
    assert "commit" in stored


def test_one_deal_is_stored_without_nan(tmp_path):
    out = tmp_path / "duel.json"
    figures = fuda.duel("koikoi", "koikoi/random", "koikoi/random", 1, out=out)
    assert figures.as_dict()["stderr"] is None
    assert "NaN" not in out.read_text()
    again = fuda.duel("koikoi", "koikoi/random", "koikoi/random", 1, out=out)
    assert again.as_dict() == figures.as_dict()


def test_finished_chunks_are_not_played_again(tmp_path):
    out = tmp_path / "duel.json"
    part = started(out)
    description, chunk = part.read_text().splitlines()
    assert 1 <= len(json.loads(chunk)) <= 16
    part.write_text(f"{description}\n{json.dumps([[1000.0, 1000.0]] * 16)}\n")
    assert duel(out)["mean_diff"] > 700


OTHERS = [{"seed": 2}, {"games": 42}, {"rounds": 3}, {"points": 31}]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_the_part_of_another_duel_is_refused_and_unchanged(other, tmp_path):
    part = started(tmp_path / "duel.json")
    before = part.read_bytes()
    with pytest.raises(ValueError, match="belongs to another duel"):
        duel(tmp_path / "duel.json", **other)
    assert part.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["duel.json.part"]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_the_result_of_another_duel_is_refused_and_unchanged(other, tmp_path):
    duel(tmp_path / "duel.json")
    before = (tmp_path / "duel.json").read_bytes()
    with pytest.raises(ValueError, match="exists and is not the result of this duel"):
        duel(tmp_path / "duel.json", **other)
    assert (tmp_path / "duel.json").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["duel.json"]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"mine", b"\xff\xfe", b"null", b"[" * 100_000, b"\x89PNG"]
)
def test_something_else_at_out_is_refused_and_unchanged(content, tmp_path):
    out = tmp_path / "duel.json"
    out.write_bytes(content)
    with pytest.raises(ValueError, match="exists and is not the result of this duel"):
        duel(out)
    assert out.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["duel.json"]


@pytest.mark.parametrize("result", [None, 7, {}, [], {"wins": 1}, "x"])
def test_a_damaged_result_is_refused_and_unchanged(result, tmp_path):
    out = tmp_path / "duel.json"
    duel(out)
    stored = json.loads(out.read_text()) | {"result": result}
    for content in (stored, {key: value for key, value in stored.items() if key != "result"}):
        out.write_text(json.dumps(content))
        before = out.read_bytes()
        with pytest.raises(ValueError, match=r"duel\.json (is damaged|exists)"):
            duel(out)
        assert out.read_bytes() == before


DAMAGE = [
    b"mine\n",
    b"\xff\n",
    b"[" * 100_000 + b"\n",
    b"7\n",
    b"null\n",
    b'"x"\n',
    b"{}\n",
    b"[[1, 2, 3]]\n",
]
DAMAGE += [
    b"[1, 2]\n",
    b"[[NaN, 1]]\n",
    b'[["x", 1]]\n',
    b"[[[1], 1]]\n",
    b"[" + b"[1, 1], " * 20 + b"[1, 1]]\n",
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: repr(damage)[:20])
def test_a_damaged_part_is_refused_and_unchanged(damage, tmp_path):
    part = started(tmp_path / "duel.json")
    part.write_bytes(part.read_bytes() + damage)
    before = part.read_bytes()
    with pytest.raises(ValueError, match=r"duel\.json\.part is damaged; remove it"):
        duel(tmp_path / "duel.json")
    assert part.read_bytes() == before
    assert not (tmp_path / "duel.json").exists()


def test_a_part_cut_at_any_byte_goes_on(tmp_path):
    part = started(tmp_path / "duel.json")
    content = part.read_bytes()
    figures = duel(tmp_path / "quiet.json")
    for length in [0, 1, 50, *range(len(content) - 3, len(content))]:
        part.write_bytes(content[:length])
        assert duel(tmp_path / "duel.json") == figures
        (tmp_path / "duel.json").unlink()


def test_stopped_before_anything_was_played_leaves_no_trace(tmp_path):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fuda.duel("koikoi", "koikoi/random", "koikoi/random", 4, out=tmp_path / "x", progress=stop)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["missing/duel.json", "file/duel.json", "folder", "n" * 300, "."])
def test_where_nothing_can_be_written(name, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    out = Path() if name == "." else tmp_path / name
    with pytest.raises(ValueError, match=r"cannot write|exists and is not|empty name"):
        duel(out)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]
    assert not os.listdir(tmp_path / "folder")  # noqa: PTH208
