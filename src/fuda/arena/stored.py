"""Duels that were stored, and the agents as they are now."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fuda.agents import agent_bid_weights, agent_weights, list_agents
from fuda.games import game, list_games, spec

PACKAGE = Path(__file__).parent.parent
# The stored results: in the installed package, or in the repository that this is a part of.
RESULTS = (PACKAGE / "results", PACKAGE.parent.parent / "bench" / "results")


def results_folder() -> Path:
    """Where the results are that fuda comes with."""
    return next((folder for folder in RESULTS if folder.is_dir()), RESULTS[0])


def is_usual(stored: Mapping[str, Any]) -> bool:
    """Whether a result is of its game's default rules; what it does not name is as by default."""
    usual = spec(stored["game"]).default_options
    return usual | stored["options"] == usual


def is_current(duel: Mapping[str, Any]) -> bool:
    """Whether the rules, and the weights of learned agents, are those of the duel."""
    if duel["game"] not in list_games() or duel["rules_version"] != spec(duel["game"]).rules_version:
        return False
    listed = list_agents(duel["game"])
    if not set(duel["agents"]) <= set(listed):
        return False
    weights, bid_weights = duel.get("weights", {}), duel.get("bid_weights", {})
    if any(agent_weights(name) != weights.get(name) for name in duel["agents"]):
        return False
    has_bids = game(duel["game"], **duel["options"]).has_bids
    return not has_bids or all(agent_bid_weights(name) == bid_weights.get(name) for name in duel["agents"])


def read_duels(places: Iterable[Path]) -> dict[Path, dict[str, Any]]:
    """The duels of folders, with all that is in them, and of files; other files in folders do not count."""
    found: dict[Path, dict[str, Any]] = {}
    for place in places:
        if not place.exists():
            raise ValueError(f"there is no {place}; give folders or files of stored duels")
        files = sorted(place.rglob("*.json")) if place.is_dir() else [place]
        for file in files:
            try:
                stored = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError):
                stored = None
            if _is_duel(stored):
                found[file] = stored
            elif not place.is_dir():
                raise ValueError(f"{file} is not the result of a duel")
    return found


def _is_duel(stored: Any) -> bool:
    """Whether a file has what is read of a duel; margins came later than the first files."""
    try:
        first, second = stored["agents"]
        result = stored["result"]
        return (
            stored["kind"] == "duel"
            and isinstance(first, str)
            and isinstance(second, str)
            and isinstance(stored["options"], dict)
            and isinstance(stored["seed"], int)
            and isinstance(stored["rules_version"], int)
            and isinstance(result["win_rate"], float)
            and isinstance(result["games"], int)
        )
    except (TypeError, KeyError, ValueError):
        return False
