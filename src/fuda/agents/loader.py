"""Agents by name: a game's policies and searches, and the random player that every game has."""

from collections.abc import Callable
from functools import partial

from fuda.agents.agent import Agent
from fuda.agents.policy import PolicyAgent, random_policy
from fuda.agents.tree_search import TreeSearchAgent
from fuda.core.errors import echo
from fuda.games import list_games, spec


def list_agents(game: str | None = None) -> list[str]:
    """The names that `agent` takes, of one game or of all."""
    games = list_games() if game is None else [spec(game).id]
    return [f"{game_id}/{name}" for game_id in games for name in sorted(_makers(game_id))]


def agent(name: str, seed: int = 0, **parameters: object) -> Agent:
    """An agent by its name; `seed` sets its own random numbers, `parameters` how it plays."""
    game_id, _, short = name.partition("/") if isinstance(name, str) else ("", "", "")
    known = game_id in list_games()
    makers = _makers(game_id) if known else {}
    if short not in makers:
        there = ", ".join(list_agents(game_id if known else None))
        raise ValueError(f"there is no agent {echo(name)}; there are {there}")
    return makers[short](seed=seed, parameters=parameters)


def _makers(game_id: str) -> dict[str, Callable[..., Agent]]:
    game = spec(game_id)
    policies = (random_policy(game), *game.policies)
    found: dict[str, Callable[..., Agent]] = {}
    found |= {policy.name: partial(PolicyAgent, game, policy) for policy in policies}
    found |= {setting.name: partial(TreeSearchAgent, game, setting) for setting in game.searches}
    return found
