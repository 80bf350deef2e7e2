"""What the tables of the documents are made of: stored results, and text in Markdown."""

import json
from pathlib import Path
from typing import Any

import fuda

ROOT = Path(__file__).parent.parent

RESULTS = ROOT / "bench" / "results"


def stored(kind: str) -> list[dict[str, Any]]:
    files = sorted(RESULTS.glob("*.json"))
    return [found for file in files if (found := json.loads(file.read_text())).get("kind") == kind]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(result: dict[str, Any], seatings: int | None = None) -> str:
    """Games won, with an error or interval; old results need the number of seatings of a deal for it."""
    known = {name: result[name] for name in fuda.Result.__dataclass_fields__ if name in result}
    return fuda.Result.from_dict(known, seatings).win_rate_text


def num_seatings(game_id: str) -> int:
    return len(fuda.game(game_id).seatings)


def points(result: dict[str, Any]) -> str:
    return f"{result['mean_diff']:+.2f} ± {result['stderr']:.2f}"


def rules_of(duel: dict[str, Any]) -> str:
    """The game of a duel, with what is not as usual in its rules: the name of a preset, or options."""
    played = fuda.game(duel["game"], **duel["options"])
    for preset in played.spec.presets:
        if preset.options and played == fuda.game(played.id, preset=preset.id):
            return f"{played.id}, {preset.id}"
    return ", ".join([played.id, *(f"{name}={value}" for name, value in played.changed_options.items())])


def plus_minus(figures: Any) -> str:
    """A figure of a paper, with its error if it has one."""
    if figures is None:
        return ""
    return " ± ".join(str(each) for each in figures) if isinstance(figures, list) else str(figures)
