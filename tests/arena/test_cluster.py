"""Tournaments on Ray: the same bytes as here, whatever happens to a worker. `make soak` has Ray itself."""

import contextlib
import re
import secrets
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import fuda
from fuda.arena import cluster
from fuda.arena.tournament import Tournament
from fuda.arena.units import Work

ROOT = Path(__file__).parents[2]
AGENTS = ["doudizhu/rhcp", "doudizhu/random", "doudizhu/rhcp-partner"]

# In a process of its own: Ray leaves threads and warnings behind.
ON_RAY = """
import os, signal, sys
from pathlib import Path
import fuda
from fuda.arena.cluster import RayWorkers
from tests.arena.test_cluster import AGENTS, workers_of

told = []

def kill_one(now):
    told.append(now.deals_played)
    if len(told) == 5:
        found = workers_of(os.getpid())
        assert found
        os.kill(found[0], signal.SIGKILL)

asked = ("doudizhu", AGENTS, 1000, 3)
fuda.tournament(*asked, out=Path(sys.argv[1]), workers=RayWorkers(num_cpus=2), progress=kill_one)
assert told[-1] == 3000 and told == sorted(told)
"""


def workers_of(driver: int) -> list[int]:
    """The processes that play units, of the cluster that this process has started."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            plays = process.joinpath("cmdline").read_bytes().startswith(b"ray::play_unit")
            if plays and parent_of(parent_of(int(process.name))) == driver:
                found.append(int(process.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_ray_gives_the_same_bytes_also_when_a_worker_is_killed(tmp_path, for_ray, soak_only):
    run = subprocess.run(
        [sys.executable, "-c", ON_RAY, str(tmp_path / "ray")], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    fuda.tournament("doudizhu", AGENTS, 1000, 3, out=tmp_path / "here", workers=1)
    here, ray = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("here", "ray")
    )
    assert here == ray


RAY = Path(sysconfig.get_path("scripts")) / "ray"
START_SECONDS = 300  # that a node of a cluster may take to say that it runs


@pytest.fixture
def for_ray(monkeypatch) -> None:
    """A cluster that only this test may use; the home folder is left as it is."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", str(START_SECONDS))


@contextlib.contextmanager
def node(log: Path, *given: str) -> Iterator[None]:
    """A node of a cluster on this machine, by `ray start`; the log has what it says."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [RAY, "start", "--block", "--disable-usage-stats", *given],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + START_SECONDS
        while "To terminate the Ray runtime" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        yield
    finally:
        process.terminate()  # its processes end with it
        process.wait(START_SECONDS)


def test_a_cluster_of_two_nodes_by_its_address_gives_the_same_bytes(tmp_path, for_ray, soak_only):
    with contextlib.ExitStack() as nodes:
        folder = nodes.enter_context(tempfile.TemporaryDirectory(prefix="ray"))  # sockets need short names
        head = "--head", "--port=0", "--num-cpus=0", "--include-dashboard=false", f"--temp-dir={folder}"
        nodes.enter_context(node(tmp_path / "head", *head))
        [address] = re.findall(r"ray start --address='([\d.:]+)'", (tmp_path / "head").read_text())
        for name in ("one", "other"):
            nodes.enter_context(node(tmp_path / name, f"--address={address}", "--num-cpus=1"))
        asked = [
            "doudizhu",
            *AGENTS,
            "--deals",
            "100",
            "--seed",
            "3",
            "--out",
            tmp_path / "ray",
            "--ray",
            address,
        ]
        run = subprocess.run(
            [sys.executable, "-m", "fuda", "tournament", *asked], cwd=ROOT, capture_output=True, text=True
        )
    assert run.returncode == 0, run.stderr
    fuda.tournament("doudizhu", AGENTS, 100, 3, out=tmp_path / "here", workers=1)
    here, ray = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("here", "ray")
    )
    assert here == ray


class Cluster:
    """Ray as far as a tournament uses it: tasks are played when waited for, the last given out first."""

    class exceptions:  # noqa: N801
        RayError = type("RayError", (Exception,), {})
        WorkerCrashedError = type("WorkerCrashedError", (RayError,), {})
        RayTaskError = type("RayTaskError", (RayError,), {"cause": ValueError("of the worker")})

    def __init__(self, fails: Exception | type[Exception] | None = None):
        self.tasks: list[tuple] = []
        self.cancelled: list[int] = []
        self.fails = fails

    def remote(self, **settings):
        def made(function):
            self.function = function
            return self

        self.remote = self.submit
        return made

    def submit(self, *given) -> int:
        self.tasks.append(given)
        return len(self.tasks) - 1

    def put(self, given):
        return given

    def cluster_resources(self):
        return {"CPU": 3.0}

    def wait(self, given, num_returns):
        return [given[-1]], given[:-1]

    def get(self, reference):
        if self.fails:
            raise self.fails
        return self.function(*self.tasks[reference])

    def cancel(self, reference, force):
        self.cancelled.append(reference)


def played_by(ray: Cluster) -> list:
    game = fuda.game("doudizhu")
    entrants = [fuda.agent(name) for name in AGENTS]
    units = Tournament(game, entrants, 100, 3).units()
    tasks = cluster._Tasks(ray, Work.of(game, entrants, 3), units)
    return [(unit, found.margins.tolist()) for unit, found in tasks.results()]


def test_the_last_units_are_given_out_twice_and_count_once():
    ray = Cluster()
    found = played_by(ray)
    units = [unit for unit, _ in found]
    assert len(units) == len(set(units)) == 12
    given = [unit for _, unit in ray.tasks]
    assert {given.count(unit) for unit in units} == {1, 2}
    assert given[:12] == sorted(units, key=given.index)
    assert len(ray.cancelled) == len(given) - 12  # nothing that was played twice goes on


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (Cluster.exceptions.RayTaskError, "of the worker"),
        (Cluster.exceptions.WorkerCrashedError, "were lost"),
        (Cluster.exceptions.RayError("the node died\nand 30 lines"), r"failed \(RayError\): the node died$"),
    ],
)
def test_what_goes_wrong_on_the_cluster_is_told(fails, why):
    with pytest.raises((ValueError, fuda.AgentError), match=why):
        played_by(Cluster(fails))


@pytest.mark.parametrize("address", ["127.0.0.1:9", "[::1]:9", "127.0.0.1:99999"])
def test_an_address_where_nobody_listens_is_told_at_once(address):
    with pytest.raises(ValueError, match=f"there is no Ray cluster at {re.escape(address)}: "):
        cluster.RayWorkers(address)._connect(Cluster())


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'fuda-cards\[cluster\]'"):
        cluster._ray()
