"""Tables on Dou Dizhu's pages: what is stored is shown, what is not stored is said to be absent."""

import json

import pytest

import fuda


@pytest.fixture
def empty(tmp_path, monkeypatch, bench_script):
    """A folder of results without any."""
    monkeypatch.setattr(bench_script("markdown_text"), "RESULTS", tmp_path)
    return tmp_path


def test_what_is_not_measured_is_said(empty, bench_script):
    shown = bench_script("doudizhu_tables").TABLES
    names = [name for name in shown if name.startswith("doudizhu ")]
    assert len(names) > 8
    for name in names:
        assert shown[name]() == "Not measured yet.", name
    duels = {name: make for name, make in bench_script("duel_tables").TABLES.items() if "doudizhu" in name}
    assert {make() for make in duels.values()} == {"Not played yet."}


def test_decisions_are_told_by_both_clocks(empty, bench_script):
    def by(factor: int) -> dict[str, float]:
        return {
            "mean": factor,
            "99 of 100": 2 * factor,
            "slowest": 3 * factor,
            "crowded": 4 * factor,
            "rate": 9,
        }

    found = {
        "kind": "doudizhu decision", "player": "somebody", "decisions": 1234, "most moves": 519,
        "worked": by(1), "waited": by(10), "others at work (load)": 2.5, "machine": {"processor": "fast"},
        "commit": "abc",
    }  # fmt: skip
    (empty / "doudizhu-decision-somebody.json").write_text(json.dumps(found))
    lines = bench_script("doudizhu_tables").doudizhu_decisions().splitlines()
    cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
    assert cells == ["somebody", "1,234", "1 (10)", "2 (20)", "3 (30)", "4 (40)", "9 (9)", "2.5", "`abc`"]
    assert lines[0].count("|") == lines[2].count("|")
    assert "519 moves" in lines[0]


def test_duels_of_a_player_are_told_by_role(empty, bench_script):
    fuda.duel("doudizhu", "doudizhu/rhcp", "doudizhu/random", 8, 1, out=empty / "duel-a.json")
    fuda.duel("doudizhu", "doudizhu/random", "doudizhu/rhcp", 8, 1, out=empty / "duel-b.json")
    fuda.duel("doudizhu", "doudizhu/rhcp", "doudizhu/random", 8, 1, out=empty / "duel-c.json", score="adp")
    lines = bench_script("duel_tables").duels_of("doudizhu", "rhcp").splitlines()
    assert lines[0].startswith("| over | games won | as landlord | as peasants | games |")
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["random"]
    assert lines[2].split("|")[5].strip() == "8"
