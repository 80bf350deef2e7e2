"""`fuda tournament`, `fuda ratings` and `fuda duel --sprt` as typed."""

import json

import pytest

import fuda
from fuda.arena.tournament import Tournament
from fuda.cli.tournament import so_far, with_addresses

AGENTS = ["doudizhu/rhcp", "doudizhu/random", "doudizhu/rhcp-partner"]


@pytest.fixture
def folder(tmp_path):
    out = tmp_path / "run"
    fuda.tournament("doudizhu", AGENTS, 40, 1, out=out, workers=1)
    return out


def test_a_tournament_ends_with_its_ladder(run, tmp_path):
    code, out, _ = run(
        "tournament",
        "doudizhu",
        *AGENTS,
        "--deals",
        40,
        "--seed",
        1,
        "--workers",
        1,
        "--out",
        tmp_path / "run",
    )
    assert code == 0
    lines = [line for line in out.splitlines() if "rhcp" in line or "random" in line]
    assert [line.split()[1] for line in lines[:3]][-1] == "random"
    assert "rating 0: doudizhu/random" in out
    assert "as landlord:" in out
    assert (tmp_path / "run" / "tournament.json").exists()


def test_a_ladder_as_json_and_in_words(run, folder):
    code, out, _ = run("ratings", "doudizhu", folder, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(fuda.ratings("doudizhu", folder).as_dict()))
    code, out, _ = run("ratings", "doudizhu", folder, "--anchor", "doudizhu/rhcp")
    assert code == 0
    assert "rating 0: doudizhu/rhcp;" in out
    code, out, _ = run("ratings", "doudizhu", folder, "-o", "score=adp")
    assert code == 0
    assert "nothing of doudizhu can be rated" in out
    assert "not rated, other options: score=wp: 3 duels" in out


def test_what_is_refused(refused, tmp_path, folder):
    out = tmp_path / "out"
    assert "two or more agents" in refused("tournament", "doudizhu", AGENTS[0], "--out", out)
    assert "does not play" in refused("tournament", "doudizhu", "koikoi/random", AGENTS[0], "--out", out)
    assert "--out" in refused("tournament", "doudizhu", *AGENTS)
    assert "not 'here'" in refused("tournament", "doudizhu", *AGENTS, "--out", out, "--ray=here")
    assert "on the CPU" in refused(
        "tournament", "doudizhu", *AGENTS, "--out", out, "--ray", "--device", "cuda"
    )
    assert "not the result of this tournament" in refused("tournament", "doudizhu", *AGENTS, "--out", folder)
    assert "there is no" in refused("ratings", "doudizhu", out)
    assert "has played nothing" in refused("ratings", "doudizhu", folder, "--anchor", "nobody")
    assert "rising order" in refused("duel", "doudizhu", *AGENTS[:2], "--sprt", 5, 0)
    assert not out.exists()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["a", "--ray"], ["a", "--ray", "local"]),
        (["--ray", "--deals", "3"], ["--ray", "local", "--deals", "3"]),
        (["--ray", "koikoi/best"], ["--ray", "local", "koikoi/best"]),
        (["--ray", "bot:./mine"], ["--ray", "local", "bot:./mine"]),
        (["--ray", "auto", "a"], ["--ray", "auto", "a"]),
        (["--ray", "host-1.lan:6379"], ["--ray", "host-1.lan:6379"]),
        (["--ray", "[::1]:6379"], ["--ray", "[::1]:6379"]),
        (["--ray=auto"], ["--ray=auto"]),
    ],
)
def test_the_address_of_a_cluster_may_be_left_out(typed, read):
    assert with_addresses(typed) == read


def test_a_gauntlet_adds_its_agent(run, tmp_path):
    out = tmp_path / "run"
    given = ("--deals", 4, "--workers", 1, "--out", out, "--gauntlet", AGENTS[2])
    assert run("tournament", "doudizhu", *AGENTS[:2], *given)[0] == 0
    assert len(list(out.glob("duel-*"))) == 2


def test_a_duel_tells_that_it_was_stopped_early(run):
    code, out, _ = run("duel", "doudizhu", *AGENTS[:2], "--games", 2000, "--sprt", 0, 100)
    assert code == 0
    assert "stopped early at +100 normalized Elo or more" in out


def test_the_ladder_so_far_is_of_whole_deals():
    entrants = [fuda.agent(name) for name in AGENTS]
    now = Tournament(fuda.game("doudizhu"), entrants, 10, 1)
    now.margins[0, 1][:4] = 1.0
    now.margins[0, 1][6:] = 1.0  # came before those between
    now.margins[1, 2][1:] = 1.0
    [found] = so_far(now)
    assert (found.first, found.second, len(found.margins)) == (AGENTS[0], AGENTS[1], 4)
