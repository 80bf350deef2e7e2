"""What `fuda explain` prints for kept positions, and where attention goes."""

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

from markdown_text import ROOT, stored, table
from rich.console import Console

from fuda.cli.explain import show
from fuda.explain import Explanation, Judgement
from fuda.explain.values import position_before
from fuda.records import load

POSITIONS = ROOT / "docs" / "positions"


def explained(record: Path) -> str:
    """What `fuda explain` prints for a kept position, with the stored values."""
    stored_values = (
        found["positions"][record.stem] for found in stored("explain") if record.stem in found["positions"]
    )
    found = next(stored_values)
    judgements = [Judgement(one["agent"], one["unit"], one["values"], one["best"]) for one in found["agents"]]
    printed = Console(file=io.StringIO(), width=100, highlight=False)
    show(Explanation(position_before(load(record), found["move"]), found["played"], judgements), printed)
    lines = [
        f"$ fuda explain {found['game']} --record {record.relative_to(ROOT)} --move {found['move']}",
        *(line.rstrip() for line in printed.file.getvalue().splitlines()),
    ]
    return "\n".join(["```text", *lines, "```"])


def attention() -> str:
    """How much attention stays in a suit, by layer and head."""
    head = ["agent", "network", "layer", "head", "other cards of the suit", "if uniform", "ratio", "itself"]
    rows = [
        [
            agent, ", ".join(mass["decisions"]), str(mass["layer"]), str(mass["head"]),
            f"{mass['others']:.1%} ± {mass['stderr']:.1%}", f"{mass['uniform']:.1%}",
            f"{mass['others'] / mass['uniform']:.1f}", f"{mass['itself']:.1%}",
        ]
        for found in stored("attention")
        for agent, masses in found["agents"].items()
        for mass in masses
    ]  # fmt: skip
    notes = [
        f"{found['games']} games of each agent against itself, seed {found['seed']}; "
        f"commit `{found['commit']}`."
        for found in stored("attention")
    ]
    return "\n\n".join([table(head, rows), *notes])


def reviews() -> str:
    """What players give away in a game, by the agent that reviews it."""
    head = ["player, against itself", "reviewed by", "cost of a game", "luck, standard deviation"]
    rows = []
    for found in stored("reviews"):
        scale, unit = (100, "%") if found["unit"] == "probability" else (1, " points")
        for row in found["rows"]:
            rows.append([
                row["player"], found["judge"],
                f"{row['cost'] * scale:.1f} ± {row['cost_stderr'] * scale:.1f}{unit}",
                f"{row['luck_deviation'] * scale:.0f}{unit}", f"{row['games']:,}", f"`{found['commit']}`",
            ])  # fmt: skip
    return table([*head, "games", "commit"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "attention": attention,
    "reviews": reviews,
    **{f"explain {record.stem}": partial(explained, record) for record in sorted(POSITIONS.glob("*.jsonl"))},
}
