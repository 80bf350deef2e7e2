"""The stored explanations are what the shipped models say."""

import json
from pathlib import Path

import pytest

import fuda
from fuda.explain import explain_move
from fuda.records import load

ROOT = Path(__file__).parent.parent
OLD = "the stored explanations are of other weights; run python bench/explain.py"


def stored(kind: str) -> list[dict]:
    return [json.loads(file.read_text()) for file in (ROOT / "bench" / "results").glob(f"{kind}-*.json")]


@pytest.mark.parametrize("kind", ["explain", "attention"])
def test_the_weights_are_those_that_ship(kind):
    assert stored(kind)
    for found in stored(kind):
        for name, weights in found["weights"].items():
            assert name in fuda.list_agents(), OLD
            assert fuda.agent(name).weights == weights, OLD


def test_the_values_are_the_agents_own():
    for found in stored("explain"):
        assert found["positions"]
        for position, told in found["positions"].items():
            match = load(ROOT / "docs" / "positions" / f"{position}.jsonl")
            agents = [fuda.agent(one["agent"]) for one in told["agents"]]
            now = explain_move(match, told["move"], agents).as_dict()
            for one, other in zip(told.pop("agents"), now.pop("agents"), strict=True):
                assert other.pop("values") == pytest.approx(one.pop("values"), abs=1e-3)
                assert other == one
            assert now == told


def test_the_kept_positions_are_of_the_papers_kinds():
    first, seventh = (
        load(ROOT / "docs" / "positions" / f"koikoi-{number}-round.jsonl") for number in ("first", "seventh")
    )
    view = explain_move(first, len(first.moves), []).match.view(first.moves[-1][0])
    assert (view["round"], view["phase"], view["dealer"]) == (1, "discard", view["seat"])
    assert len({"1-1", "3-1", "8-1", "11-1", "12-1"} & set(view["hand"])) >= 2
    assert "9-1" in view["piles"][view["seat"]]
    view = explain_move(seventh, len(seventh.moves), []).match.view(seventh.moves[-1][0])
    assert (view["round"], view["phase"], view["dealer"]) == (7, "discard", 1 - view["seat"])
    assert 0 < view["points"][view["seat"]] - view["points"][1 - view["seat"]] <= 6
