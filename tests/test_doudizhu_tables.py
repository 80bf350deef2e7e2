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


def test_papers_are_told_by_what_is_stored(bench_script, monkeypatch):
    """A verdict follows the figures: those that are stored, and others."""
    papers = bench_script("doudizhu_paper_tables")

    def verdicts(text: str) -> dict[str, str]:
        rows = [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]
        return {row[0].strip(): row[3].strip() for row in rows}

    assert verdicts(papers.cql())["Section 5.3, both sides over RHCP"] == "differs"
    probe = {"log loss": {"counting": 0.7, "hidden": 0.6, "planes": 0.65}}
    seats = {
        "cells": {"cql among rhcp": cell(0.5), "rhcp among rhcp": cell(0.51), "cql among mcts": cell(0.1)}
    }
    situations = {"players": {"doudizhu/cql": played(0.9, 0.1), "doudizhu/best-raw": played(1.0, 0.0)}}
    found = {
        "deeprocket probe": [probe], "doudizhu seats": [seats], "doudizhu situations": [situations],
        "training": papers.stored("training"), "duel": papers.stored("duel"),
        "decompositions": papers.stored("decompositions"),
    }  # fmt: skip
    monkeypatch.setattr(papers, "stored", lambda kind: found.get(kind, []))
    mine = verdicts(papers.cql())
    assert mine["Section 4.2, two 2s against a solo A"] == "reached"
    assert mine["Section 4.2, 444 against a solo 3"] == "reached"
    assert mine["Fig. 5, a seat among RHCP"] == "reached"
    assert mine["Fig. 5, a seat among MCTS"] == ""
    theirs = verdicts(papers.deeprocket())
    assert theirs["2, inference of hidden cards"] == "reached"
    assert theirs["2, cooperation"] == ""
    situations["players"]["doudizhu/cql"] = played(0.4, 0.5)
    assert verdicts(papers.cql())["Section 4.2, 444 against a solo 3"] == "differs"


def cell(won: float) -> dict[str, object]:
    return {"seats": {seat: {"won": won, "deviation": 0.02} for seat in ("landlord", "down", "up")}}


def played(twos: float, fours: float) -> dict[str, object]:
    parts = {"two 2s against a solo A": {"plays 2": twos}, "444 against a solo 3": {"plays 4": fours}}
    return {"situations": {title: {"played": part} for title, part in parts.items()}}
