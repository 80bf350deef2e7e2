"""What the shipped agents give away in a game, so that a review can say where it stands among them.

The figures are those of `bench/reviews.py`: means over many games that an agent played against itself. They
are told only where they can be compared: judged by the same agent with the same weights, under the game's
default rules, since a match of other rounds or points has other costs.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuda.arena.stored import is_usual, results_folder


@dataclass(frozen=True)
class AgentCost:
    """What a game costs an agent on average."""

    agent: str
    cost: float
    stderr: float
    games: int


def agent_costs(
    game_id: str, judge: str, weights: str | None, options: Mapping[str, Any]
) -> tuple[AgentCost, ...]:
    """The agents whose costs the judge has measured under these rules, the dearest first; or none."""
    if not is_usual({"game": game_id, "options": options}):
        return ()
    return _measured(results_folder() / f"reviews-{game_id}.json", judge, weights)


@functools.cache
def _measured(file: Path, judge: str, weights: str | None) -> tuple[AgentCost, ...]:
    if not file.exists():
        return ()
    stored = json.loads(file.read_text(encoding="utf-8"))
    if (stored["judge"], stored["weights"]) != (judge, weights):
        return ()
    rows = [AgentCost(row["player"], row["cost"], row["cost_stderr"], row["games"]) for row in stored["rows"]]
    return tuple(sorted(rows, key=lambda row: -row.cost))
