"""The script that plays the ladders, with few deals: what is stored is not played again after commits."""

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import fuda

RANDOM, RHCP, PARTNER = "doudizhu/random", "doudizhu/rhcp", "doudizhu/rhcp-partner"


class Script:
    """The script on three players of Dou Dizhu, of which one is taken for slow, and what it plays."""

    def __init__(self, ladder: ModuleType, folder: Path):
        self.ladder, self.out, self.runs = ladder, folder / "results", folder / "runs"
        self.out.mkdir()
        self.played: list[tuple[list[str], int, int]] = []  # agents, deals, seed
        self.written = 0  # how often the documents were

    def __call__(self, *arguments: str) -> list[tuple[list[str], int, int]]:
        """What a call plays."""
        self.played.clear()
        self.patch.setattr("sys.argv", ["ladder.py", "doudizhu", "--out", str(self.out), *arguments])
        self.ladder.main()
        return list(self.played)

    patch: pytest.MonkeyPatch

    def tournament(self, play: Callable[..., object], *given: object, **more: object) -> object:
        """`fuda.tournament` in this process, noted."""
        _, agents, deals, seed = given
        self.played.append((agents, deals, seed))  # type: ignore[arg-type]
        return play(*given, **more, workers=1)

    def commit(self, name: str) -> None:
        """From now on it is of this commit."""
        for module in ("fuda.arena.duel", "gauntlets"):
            self.patch.setattr(sys.modules[module], "commit", lambda: name)

    def stored(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.out / "ladder-doudizhu.json").read_text())
        return found

    def write(self) -> None:
        self.written += 1


ALL = ("--deals", "6", "--slow-deals", "4", "--scout-deals", "2")
FAST = ([RHCP, RANDOM], 6, 1)
SCOUTING = ([PARTNER, RANDOM, RHCP], 2, 2)


@pytest.fixture
def script(bench_script, monkeypatch, tmp_path) -> Script:
    ladder = bench_script("ladder")
    found = Script(ladder, tmp_path)
    found.patch = monkeypatch
    monkeypatch.setattr(ladder, "RUNS", found.runs)
    monkeypatch.setattr(ladder, "slow_agents", lambda game_id, kept: [PARTNER])
    monkeypatch.setattr(ladder.tables, "write", found.write)
    monkeypatch.setattr(fuda, "list_agents", lambda game_id: [RANDOM, RHCP, PARTNER])
    monkeypatch.setattr(fuda, "tournament", functools.partial(found.tournament, fuda.tournament))
    return found


def test_a_ladder_goes_on_after_commits(script):
    played = script(*ALL)
    assert played[:2] == [FAST, SCOUTING]
    (slow, deals, seed) = played[2]
    assert (slow[0], set(slow), deals, seed) == (PARTNER, {PARTNER, RANDOM, RHCP}, 4, 1)
    rows = {row["agent"]: row["games"] for row in script.stored()["rows"]}
    assert rows == {RHCP: 12 + 8, RANDOM: 12 + 8, PARTNER: 16}
    script.commit("another")
    assert script(*ALL) == []
    assert "another" not in script.stored()["commits"]


def test_longer_pairs_are_played_anew_and_others_stay(script):
    script(*ALL)
    longer = script("--deals", "6", "--slow-deals", "4", "--scout-deals", "3")
    assert longer == [([PARTNER, RANDOM, RHCP], 3, 2)], "found by so many deals as were asked for"
    longer = script("--deals", "7", "--slow-deals", "4", "--scout-deals", "3")
    assert longer == [([RHCP, RANDOM], 7, 1)]
    files = sorted(file.name for file in script.out.rglob("duel-*.json"))
    assert len(files) == len(set(files)) == 3


def test_the_table_is_there_before_the_slow_ones_have_played(script):
    def interrupted(*given: object, **more: object) -> object:
        if script.played and script.played[-1] == SCOUTING:
            raise KeyboardInterrupt
        return usual(*given, **more)

    usual = fuda.tournament
    script.patch.setattr(fuda, "tournament", interrupted)
    with pytest.raises(KeyboardInterrupt):
        script(*ALL)
    assert {row["agent"] for row in script.stored()["rows"]} == {RHCP, RANDOM}


def test_other_weights_are_played_alone(script):
    script(*ALL)
    file = next(script.out.rglob("duel-doudizhu-rhcp-random.json"))
    stored = json.loads(file.read_text())
    file.write_text(json.dumps(stored | {"weights": {RHCP: "of yesterday"}}))
    assert script(*ALL) == [FAST]
    assert json.loads(file.read_text())["margins"] == stored["margins"]


@pytest.mark.parametrize("commit", ["the same", "another"])
def test_an_interrupted_gauntlet_keeps_its_finished_pairs(script, commit):
    """It goes on where it was, or under another program with the pairs that are left."""
    script.patch.setattr(script.ladder, "slow_agents", lambda game_id, kept: [])
    whole = script(*ALL)
    assert whole == [FAST, ([PARTNER, RANDOM, RHCP], 6, 1)]
    folder = script.out / "ladder-doudizhu" / "rhcp-partner"
    kept = folder / "duel-doudizhu-rhcp-partner-random.json"
    lost = folder / "duel-doudizhu-rhcp-partner-rhcp.json"
    finished = {file: file.read_bytes() for file in (kept, lost)}
    lost.unlink()
    description = json.loads((folder / "tournament.json").read_text())
    del description["result"], description["versions"]
    (folder / "tournament.json").unlink()
    margins = json.loads(finished[kept])["margins"]
    journal = f"{json.dumps(description)}\n{json.dumps([0, 1, 0, margins])}\n"
    (folder / "tournament.json.part").write_text(journal)
    if commit == "another":
        script.commit("another")
    again = script(*ALL)
    assert again == [whole[1] if commit == "the same" else ([PARTNER, RHCP], 6, 1)]
    assert kept.read_bytes() == finished[kept]
    assert json.loads(lost.read_text())["margins"] == json.loads(finished[lost])["margins"]
    assert not list(folder.glob("*.part"))


def test_only_those_that_are_asked_for(script):
    assert script(*ALL, "--agents", "rhcp") == [FAST]
    (scouting, slow) = script(*ALL, "--agents", PARTNER)
    assert scouting == SCOUTING
    assert slow[0][0] == PARTNER
    with pytest.raises(SystemExit):
        script("--agents", "nobody")


def test_documents_are_written_where_results_are_stored(script):
    script(*ALL, "--agents", "rhcp")
    assert script.written == 0
    script.patch.setattr(script.ladder, "RESULTS", script.out)
    script(*ALL, "--agents", "rhcp")
    assert script.written == 1


def test_slow_is_who_searches_for_long(bench_script, monkeypatch, tmp_path):
    ladder = bench_script("ladder")
    asked = []

    def seconds(agent: object, where: object) -> float:
        asked.append(agent)
        return {"doudizhu/mcts": 0.021}.get(agent, 0.02)  # type: ignore[call-overload]

    monkeypatch.setattr(ladder, "processor_seconds", seconds)
    monkeypatch.setattr(ladder.fuda, "agent", lambda name: name)
    monkeypatch.setattr(ladder, "positions", lambda *given: [])
    kept = tmp_path / "runs" / "seconds.json"
    assert ladder.slow_agents("doudizhu", kept) == ["doudizhu/mcts"]
    assert set(asked) == {"doudizhu/best", "doudizhu/mcts"}
    asked.clear()
    assert ladder.slow_agents("doudizhu", kept) == ["doudizhu/mcts"]
    assert not asked, "it is measured once"
    monkeypatch.setattr(ladder, "agent_weights", lambda name: "new" if name == "doudizhu/best" else None)
    ladder.slow_agents("doudizhu", kept)
    assert asked == ["doudizhu/best"]
