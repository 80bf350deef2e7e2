"""Result tables: of the agents that ship, and written into pages without losing other text."""

import json
from pathlib import Path

import pytest

from fuda.agents import agent_bid_weights, agent_weights
from fuda.arena.stored import is_current
from fuda.training.registry import recipe_names

RESULTS = Path(__file__).parent.parent / "bench" / "results"


@pytest.fixture
def tables(monkeypatch, bench_script):
    module = bench_script("tables")
    monkeypatch.setattr(module, "TABLES", {"one": lambda: "| 1 |", "two": lambda: "| 2 |"})
    return module


PAGE = """before
<!-- table: one -->
<!-- end -->
between
<!-- table: two -->
old
<!-- end -->
after
"""


def test_only_the_tables_change(tables):
    filled = tables.filled(PAGE)
    kept = [line for line in filled.splitlines() if not line.startswith(("|", "<"))]
    assert kept == ["before", "between", "after"]
    assert "| 1 |" in filled
    assert "| 2 |" in filled
    assert "old" not in filled
    assert tables.filled(filled) == filled


def test_a_table_without_its_end_is_refused(tables):
    with pytest.raises(ValueError, match="has no <!-- end -->"):
        tables.filled("<!-- table: one -->\n")


def test_stored_duels_are_of_the_agents_that_ship():
    duels = {file.name: json.loads(file.read_text()) for file in RESULTS.rglob("duel-*.json")}
    assert duels
    assert [name for name, duel in duels.items() if not is_current(duel)] == []


def test_stored_decisions_are_of_the_models_that_ship():
    speeds = [json.loads(file.read_text()) for file in RESULTS.glob("*decision-*.json")]
    measured = {f"{speed['game']}/{speed['player']}": speed.get("weights") for speed in speeds}
    assert measured
    assert measured == {name: agent_weights(name) for name in measured}


def test_stored_bids_are_of_the_models_that_ship():
    for file in RESULTS.glob("*-bidding.json"):
        found = json.loads(file.read_text())
        name = f"{found['game']}/{found['player']}"
        assert found["weights"] == agent_weights(name)
        assert found["bid_weights"] == agent_bid_weights(name)


def test_the_pages_list_all_recipes(bench_script):
    listed = "".join(make() for make in bench_script("recipe_tables").TABLES.values())
    assert [name for name in recipe_names() if f"`{name}`" not in listed] == []


def test_a_figure_of_a_paper_has_a_verdict_by_what_is_stored(bench_script):
    figures = bench_script("figure_tables")
    for make in figures.TABLES.values():
        head, _, *rows = make().splitlines()
        verdict = head.split(" | ").index("verdict")
        assert {row.split(" | ")[verdict] for row in rows} <= {"above", "reached", "below", "differs"}
        assert len(rows) > 4
