"""A duel with `out`: killed at any time it goes on, and the figures are those of a quiet run."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import fuda

GAMES = 400  # in chunks of at most twice as many deals as the one before, the first of one: eight or more


def duel(out: Path | None, **changes) -> dict:
    asked = {"games": 40, "seed": 1, "rounds": 2} | changes
    return fuda.duel("koikoi", "koikoi/random", "koikoi/random", **asked, out=out).as_dict()


def started(out: Path, chunks: int = 1, **changes) -> Path:
    """The part of a duel that was stopped when it had so many chunks."""
    part = out.with_name(out.name + ".part")

    def stop(done: int, total: int) -> None:
        if num_chunks(part) == chunks:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel(out, progress=stop, **changes)
    assert num_chunks(part) == chunks
    return part


def num_chunks(part: Path) -> int:
    """They follow a line that tells of which duel they are."""
    return part.read_bytes().count(b"\n") - 1


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.arena import test_resume

def kill(done, total):
    if test_resume.num_chunks(out.with_name(out.name + ".part")) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

out = Path(sys.argv[1])
test_resume.duel(out, games=test_resume.GAMES, progress=kill)
"""


def test_a_run_that_was_killed_goes_on(tmp_path):
    out = tmp_path / "duel.json"
    root = Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(out)], cwd=root, capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not out.exists()
    kept = out.with_name("duel.json.part").read_bytes()
    assert kept.count(b"\n") == 4
    assert started(out, chunks=4, games=GAMES).read_bytes().startswith(kept)
    assert duel(out, games=GAMES) == duel(None, games=GAMES)
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


def test_stopped_twice_and_cut_in_its_last_line(tmp_path):
    out = tmp_path / "duel.json"
    part = started(out, chunks=3, games=GAMES)
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    started(out, chunks=5, games=GAMES)
    assert part.read_bytes().startswith(b"".join(lines[:-1]))
    assert duel(out, games=GAMES) == duel(None, games=GAMES)


def test_two_runs_at_once(tmp_path):
    out = tmp_path / "duel.json"
    part = out.with_name("duel.json.part")
    refused = []

    def begin_another(done: int, total: int) -> None:
        before = part.read_bytes()
        with pytest.raises(ValueError, match=r"another run is writing .*wait for it or choose another"):
            duel(out)
        refused.append(part.read_bytes() == before)

    assert duel(out, progress=begin_another) == duel(None)
    assert len(refused) > 3
    assert all(refused)


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
