"""Duels that were stored, and the agents as they are now."""

from collections.abc import Mapping
from typing import Any

from fuda.agents import agent_weights, list_agents
from fuda.games import list_games, spec


def is_current(duel: Mapping[str, Any]) -> bool:
    """Whether the rules, and the weights of learned agents, are those of the duel."""
    if duel["game"] not in list_games() or duel["rules_version"] != spec(duel["game"]).rules_version:
        return False
    listed = list_agents(duel["game"])
    weights = duel.get("weights", {})
    return all(name in listed and agent_weights(name) == weights.get(name) for name in duel["agents"])
