"""Several ranks on a CPU, as processes of torchrun: the same steps on all, and what comes if one is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from fuda.cli import main
from fuda.training.ranks import Ranks
from fuda.training.run_folder import CHECKPOINT, num_ranks_of, read_checkpoint
from tests.training import two_ranks

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0  # seconds: for a machine that is busy and has everything to compile
TRAIN = ("-m", "fuda", "train", "planted-small", "--device", "cpu", "--no-evaluate")


@contextmanager
def started(count: int, *what: str) -> Iterator[subprocess.Popen[str]]:
    """Torchrun with so many ranks of a module; it is ended if it is still there afterwards."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--local-addr=127.0.0.1"]
    process = subprocess.Popen(
        [*command, f"--nproc-per-node={count}", *what], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def is_equal(one: list[torch.Tensor], two: list[torch.Tensor]) -> bool:
    return all(torch.equal(mine, other) for mine, other in zip(one, two, strict=True))


def test_two_ranks_train_as_one(tmp_path):
    """`two_ranks.py`, whose half a minute is spent once."""
    with started(2, "-m", "tests.training.two_ranks", str(tmp_path)) as process:
        told, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, told
    found = {
        what: [torch.load(tmp_path / f"{what}-{rank}.pt", weights_only=True) for rank in range(2)]
        for what in ("update", "koikoi", "undisturbed", "disturbed")
    }
    check_that_weights_are_the_same_bit_for_bit(found)
    check_the_first_update(found["update"], tmp_path / "alone", two_ranks.RECIPE)
    check_the_first_update(found["koikoi"], tmp_path / "alone-koikoi", two_ranks.KOIKOI)
    check_that_killed_and_stopped_and_resumed_equals_undisturbed(found)
    check_that_one_rank_goes_on(tmp_path / "undisturbed", found["undisturbed"][0])


def check_that_weights_are_the_same_bit_for_bit(found):
    for what in ("update", "koikoi", "undisturbed", "disturbed"):
        assert is_equal(found[what][0]["weights"], found[what][1]["weights"])
    first, second = found["undisturbed"]
    assert first["counts"] == second["counts"]
    assert first["deals"] != second["deals"]
    assert not is_equal(first["weights"], found["update"][0]["weights"])
    first, second = found["koikoi"]
    assert is_equal(first["end"], second["end"])
    assert torch.equal(first["table"], second["table"])
    assert not is_equal(first["weights"], first["end"])


def check_the_first_update(updates, folder, recipe):
    """The same decisions as of one rank, a half on each, and the same step."""
    alone = two_ranks.first_update(two_ranks.new_run(folder, recipe=recipe))
    halves = [decisions(update) for update in updates]
    assert [len(half) for half in halves] == [recipe.batch // 2] * 2
    # Half as many rows at a time are rounded otherwise.
    together, expected = sorted(halves[0] + halves[1]), sorted(decisions(alone))
    assert [numbers for numbers, _ in together] == [numbers for numbers, _ in expected]
    np.testing.assert_allclose([found for _, found in together], [found for _, found in expected], atol=1e-6)
    first = updates[0]
    assert torch.allclose(first["gradient"], alone["gradient"], atol=1e-5)
    before = two_ranks.weights(two_ranks.new_run(folder, recipe=recipe))
    moved, off = (
        max(float((one - other).abs().max()) for one, other in zip(alone["weights"], others, strict=True))
        for others in (before, first["weights"])
    )
    print(off, moved)
    assert off < moved / 50  # one is rounded otherwise, and Muon has half precision


def decisions(update: dict[str, list[torch.Tensor]]) -> list[tuple[list[Any], list[float]]]:
    """What was seen and played of each, and what was learned from it."""
    (found,) = (column.tolist() for column in update["decisions"] if column.is_floating_point())
    seen = (column.tolist() for column in update["decisions"] if not column.is_floating_point())
    return list(zip(map(list, zip(*seen, strict=True)), found, strict=True))


def check_that_killed_and_stopped_and_resumed_equals_undisturbed(found):
    """One rank is told to stop, and both do so after the same tick. The first rank evaluates, alone."""
    for undisturbed, disturbed in zip(found["undisturbed"], found["disturbed"], strict=True):
        assert is_equal(undisturbed["weights"], disturbed["weights"])
        assert undisturbed["deals"] == disturbed["deals"]
        assert undisturbed["counts"][:3] == disturbed["counts"][:3]
        assert undisturbed["counts"][0] >= two_ranks.RECIPE.games
    assert [len(rank["evaluations"]) for rank in found["undisturbed"]] == [1, 0]


def check_that_one_rank_goes_on(folder, end):
    """With the weights of two, and new games."""
    run = two_ranks.new_run(folder)
    run.restore()
    assert is_equal(two_ranks.weights(run), end["weights"])
    assert (run.num_games, run.num_ticks, run.trainers[0].num_steps) == end["counts"][:3]
    run.advance()
    assert run.num_games >= end["counts"][0]
    assert run.num_ticks == end["counts"][1] + 1


def test_a_rank_that_is_killed_ends_all_with_a_sentence(tmp_path, capsys):
    out = tmp_path / "run"
    with started(2, *TRAIN, "--out", str(out)) as process:
        wait_for(process, out / CHECKPOINT)
        os.kill(rank_of(process, 1), signal.SIGKILL)
        told, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    command = f"torchrun --nproc-per-node 2 -m fuda train planted-small --resume {out}"
    sentence = f"fuda: rank 1 does not answer any more, so all 2 ranks stop: {command} goes on from"
    assert told.count(sentence) == told.count("fuda: ") == 1, told
    assert num_ranks_of(read_checkpoint(out)) == 2
    with pytest.raises(SystemExit) as ended:  # fewer ranks go on, too
        main([*TRAIN[2:], "--resume", str(out), "--minutes", "0.0001"])
    assert ended.value.code == 0
    assert (
        "ranks: 1 instead of 2, so the run goes on with its weights and new games" in capsys.readouterr().err
    )
    assert num_ranks_of(read_checkpoint(out)) == 1


def wait_for(process: subprocess.Popen[str], path: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not path.exists():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < until
        time.sleep(0.1)


def rank_of(process: subprocess.Popen[str], number: int) -> int:
    """The process id of a rank."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        if f"RANK={number}" in Path(f"/proc/{child}/environ").read_text().split("\0"):
            return int(child)
    raise AssertionError(f"there is no rank {number} among {children}")


def test_what_ranks_cannot_share_is_said_once(tmp_path):
    with started(3, *TRAIN, "--out", str(tmp_path / "run")) as process:
        told, _ = process.communicate(timeout=PATIENCE)
    assert told.count("fuda: 3 ranks cannot share 8 lanes evenly: start as many as divide 8\n") == 1, told
    assert told.count("fuda: ") == 1
    assert "exitcode  : 2" in told  # of the rank that failed first, in torchrun's report
    assert not (tmp_path / "run").exists()


def test_each_rank_has_its_part():
    assert Ranks(1, 4).part_of(16, "lanes") == 4
    with pytest.raises(ValueError, match="4 ranks cannot share 6 lanes evenly"):
        Ranks(1, 4).part_of(6, "lanes")


def test_trees_train_in_one_process(tmp_path, monkeypatch, capsys):
    for name, value in {"TORCHELASTIC_RUN_ID": "1", "WORLD_SIZE": "2", "RANK": "0"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main(["train", "gongzhu-small", "--out", str(tmp_path / "run")])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "fuda: gongzhu-small trains in one process: start it as fuda train, without torchrun\n"
    )
