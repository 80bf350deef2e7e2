"""Tournaments: every pair as in a duel, the same bytes whoever plays and whatever is killed."""

import dataclasses
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fuda
from fuda.arena import workers as workers_module
from fuda.arena.tournament import NAME, Tournament
from fuda.arena.units import Work
from fuda.arena.workers import LocalWorkers

AGENTS = ["doudizhu/rhcp", "doudizhu/random", "doudizhu/rhcp-partner"]
ROOT = Path(__file__).parents[2]


def play(out: Path, **changes: object) -> dict:
    asked = {"game": "doudizhu", "agents": AGENTS, "deals": 40, "seed": 3, "workers": 1} | changes
    return fuda.tournament(**asked, out=out)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def quiet(tmp_path_factory) -> dict[str, bytes]:
    """The files of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("quiet")
    play(folder)
    return contents(folder)


def test_each_pair_is_a_duel_on_the_same_deals(tmp_path):
    found = play(tmp_path / "all")
    assert list(found) == [tuple(AGENTS[:2]), (AGENTS[0], AGENTS[2]), tuple(AGENTS[1:])]
    for number, (one, other) in enumerate(found):
        out = tmp_path / f"{number}.json"
        assert fuda.duel("doudizhu", one, other, games=80, seed=3, out=out) == found[one, other]
        file = "duel-doudizhu-" + "-".join(name.partition("/")[2] for name in (one, other)) + ".json"
        assert (tmp_path / "all" / file).read_bytes() == out.read_bytes()


def test_local_workers_give_the_same_bytes_also_when_one_is_killed(tmp_path, quiet, monkeypatch):
    started = []
    popen = subprocess.Popen

    def start(*given, **more):
        started.append(popen(*given, **more))
        return started[-1]

    monkeypatch.setattr(workers_module.subprocess, "Popen", start)
    told = []

    def kill_one(now: Tournament) -> None:
        told.append(now.deals_played)
        if len(told) == 3:
            started[0].kill()

    play(tmp_path, workers=2, progress=kill_one)
    assert contents(tmp_path) == quiet
    assert told[0] == 0
    assert told == sorted(told)
    assert told[-1] == 120
    assert all(process.poll() is not None for process in started)


KILLED = """
import os, pathlib, signal, sys
from pathlib import Path
from fuda.core.threads import limited_to
from tests.arena import test_tournament

def killing(moment):
    passed = [0]

    def watched(function):
        def call(*given, **more):
            passed[0] += 1
            if passed[0] == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*given, **more)
        return call

    os.fsync = watched(os.fsync)
    Path.replace, Path.unlink = watched(Path.replace), watched(Path.unlink)

def child(folder, moment):
    process = os.fork()
    if process == 0:
        if moment:
            killing(moment)
        test_tournament.play(folder, agents=test_tournament.AGENTS[:2])
        os._exit(0)
    return os.waitpid(process, 0)[1]

def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}

with limited_to(1):  # no threads, which a fork would lose
    test_tournament.play(Path(sys.argv[1]) / "quiet", agents=test_tournament.AGENTS[:2])
    expected = contents(Path(sys.argv[1]) / "quiet")
    for moment in range(1, 1000):
        folder = Path(sys.argv[1]) / str(moment)
        ended = child(folder, moment)
        assert child(folder, 0) == 0
        assert contents(folder) == expected, (moment, sorted(contents(folder)))
        if ended == 0:
            break
        assert ended == signal.SIGKILL
print(moment)
"""


def test_killed_between_any_two_writes_it_ends_with_the_same_bytes(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 8


def test_killed_with_its_workers_at_work(tmp_path, soak):
    """At random moments, by the command: nothing is left running, and the files are those of a quiet run."""
    luck = random.Random(1)
    out, deals = tmp_path / "killed", 4000 if soak else 300
    asked = [
        "tournament",
        "doudizhu",
        *AGENTS,
        "--deals",
        str(deals),
        "--seed",
        "3",
        "--workers",
        "2",
        "--out",
    ]
    part = out / f"{NAME}.part"
    for kills in range(20 if soak else 1):
        process = subprocess.Popen([sys.executable, "-m", "fuda", *asked, out], stderr=subprocess.PIPE)
        while not part.exists() or part.read_bytes().count(b"\n") < 2 + kills:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(luck.random() / (2 if soak else 20))
        children = worker_processes(process.pid)
        process.kill()
        process.communicate()
        assert len(children) == 2 or kills  # a later one may be killed before it has any
        wait_for(lambda children=children: not any(map(is_alive, children)))
    play(out, deals=deals)
    play(tmp_path / "quiet", deals=deals)
    assert contents(out) == contents(tmp_path / "quiet")


def worker_processes(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(number) for task in listed for number in task.read_text().split()]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]


def wait_for(condition, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_stopped_it_goes_on(tmp_path, quiet):
    def stop(now: Tournament) -> None:
        if now.deals_played > 64:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, progress=stop)
    assert (tmp_path / f"{NAME}.part").exists()
    told = []
    play(tmp_path, progress=lambda now: told.append(now.deals_played))
    assert told[0] > 64
    assert contents(tmp_path) == quiet
    before = contents(tmp_path)
    assert play(tmp_path) == play(tmp_path, workers=2)  # read
    assert contents(tmp_path) == before


def test_a_gauntlet_is_the_pairs_with_one_agent(tmp_path, quiet):
    found = play(tmp_path, gauntlet="doudizhu/random")
    assert list(found) == [tuple(AGENTS[:2]), tuple(AGENTS[1:])]
    for name, content in contents(tmp_path).items():
        assert name == NAME or content == quiet[name]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"agents": AGENTS[:1]}, "two or more agents"),
        ({"agents": [AGENTS[0]] * 2}, "each of them once"),
        ({"agents": ["doudizhu/rhcp", "koikoi/random"]}, "does not play doudizhu"),
        ({"gauntlet": "doudizhu/best"}, "none of the agents"),
        ({"deals": 0}, "deals is a whole number"),
        ({"deals": True}, "deals is a whole number"),
        ({"seed": -1}, "a seed is"),
        ({"score": 9}, "option score"),
    ],
)
def test_bad_tournaments_are_refused(changes, why, tmp_path):
    with pytest.raises(ValueError, match=why):
        play(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []


def test_another_tournament_in_the_folder_is_refused_and_unchanged(tmp_path, quiet):
    for name, content in quiet.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match="not the result of this tournament"):
        play(tmp_path, seed=4)
    (tmp_path / NAME).unlink()
    with pytest.raises(ValueError, match="exists and is not of this tournament"):
        play(tmp_path, seed=4)
    assert {NAME: quiet[NAME]} | contents(tmp_path) == quiet


@pytest.mark.parametrize("line", ["7", "[0, 1, 0, {}]", "[0, 1, 5, null]", "[0, 9, 0, null]"])
def test_a_damaged_part_is_refused(line, tmp_path):
    def stop(now: Tournament) -> None:
        if now.deals_played:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, progress=stop)
    part = tmp_path / f"{NAME}.part"
    part.write_text(part.read_text() + line + "\n")
    with pytest.raises(ValueError, match="is damaged; remove it"):
        play(tmp_path)


def test_files_of_agents_with_names_that_no_file_can_have(tmp_path):
    game = fuda.game("doudizhu")
    named = [fuda.agent("doudizhu/random") for _ in range(4)]
    for agent, name in zip(named, ["a b", "a/b", "../x", "doudizhu/rhcp"], strict=True):
        agent.name = name
    played = Tournament(game, named, 1, 0)
    files = {played.path(tmp_path, pair) for pair in played.pairs}
    assert len(files) == 6
    assert all(
        file.parent == tmp_path and re.fullmatch(r"duel-doudizhu-[\w.-]+\.json", file.name) for file in files
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sources": "0"}, "other sources"),
        ({"rules_version": 0}, "other rules"),
        ({"weights": ("0", None, None)}, "other weights of doudizhu/rhcp"),
        ({"bid_weights": ("0", None, None)}, "other weights for the bids of doudizhu/rhcp"),
    ],
)
def test_work_of_others_is_refused(change, why):
    game = fuda.game("doudizhu")
    entrants = [fuda.agent(name) for name in AGENTS]
    work = Work.of(game, entrants, 3)
    unit = Tournament(game, entrants, 4, 3).units()[0]
    with pytest.raises(ValueError, match=why):
        dataclasses.replace(work, **change).play(unit)


def test_what_is_wrong_in_a_worker_is_told(tmp_path):
    game = fuda.game("doudizhu")
    entrants = [fuda.agent(name) for name in AGENTS[:2]]
    unit = Tournament(game, entrants, 4, 3).units()[0]
    work = dataclasses.replace(Work.of(game, entrants, 3), sources="0")
    with pytest.raises(ValueError, match="other sources"):
        list(LocalWorkers(1).play(work, [unit]))


def test_an_agent_that_is_an_object_plays_here(tmp_path):
    first, second = fuda.agent("doudizhu/rhcp"), fuda.agent("doudizhu/random")
    found = fuda.tournament("doudizhu", [first, second], 5, out=tmp_path)
    assert found["doudizhu/rhcp", "doudizhu/random"] == fuda.duel("doudizhu", first, second, games=10)
    assert json.loads((tmp_path / NAME).read_text())["deals"] == 5
