"""Agents by name."""

from fuda.agents.agent import Agent
from fuda.agents.policy import PolicyAgent, random_policy
from fuda.core.errors import echo
from fuda.core.game import Policy
from fuda.games import list_games, spec


def list_agents(game: str | None = None) -> list[str]:
    """The names that `agent` takes, of one game or of all."""
    games = list_games() if game is None else [spec(game).id]
    return [f"{game_id}/{name}" for game_id in games for name in sorted(_policies(game_id))]


def agent(name: str, seed: int = 0, **parameters: object) -> Agent:
    """An agent by its name; `seed` sets its own random numbers, `parameters` how it plays."""
    game_id, _, short = name.partition("/") if isinstance(name, str) else ("", "", "")
    policies = _policies(game_id) if game_id in list_games() else {}
    if short not in policies:
        of = game_id if game_id in list_games() else None
        raise ValueError(f"there is no agent {echo(name)}; there are {', '.join(list_agents(of))}")
    if parameters:
        raise ValueError(f"{name} has no parameter {echo(next(iter(parameters)))}")
    return PolicyAgent(spec(game_id), policies[short], seed)


def _policies(game_id: str) -> dict[str, Policy]:
    found = spec(game_id)
    return {policy.name: policy for policy in (random_policy(found), *found.policies)}
