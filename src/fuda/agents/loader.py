"""Agents by name: a game's policies and searches, its shipped models, and any model by its folder."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.model import model_agent, model_info, model_players
from fuda.agents.policy import PolicyAgent
from fuda.agents.settings import SearchSetting, settings
from fuda.agents.tree_search import TreeSearchAgent
from fuda.core.errors import echo
from fuda.core.game import RANDOM
from fuda.games import list_games, spec
from fuda.nets.folder import CARD, read_card


def list_agents(game: str | None = None) -> list[str]:
    """The names that `agent` takes, of one game or of all."""
    games = list_games() if game is None else [spec(game).id]
    return [f"{game_id}/{name}" for game_id in games for name in sorted(_makers(game_id))]


def agent(name: str | os.PathLike[str], seed: int = 0, **parameters: object) -> Agent:
    """An agent by its name, or by the path of a model folder.

    `seed` sets its own random numbers, `parameters` how it plays.
    """
    return _load(name, None, seed, parameters)


def agent_of(game_id: str, name: str | os.PathLike[str], seed: int = 0) -> Agent:
    """The same for a seat of this game: whoever does not play it is refused."""
    found = _load(name, game_id, seed, {})
    if found.spec.id != game_id:
        raise ValueError(f"{found.name} does not play {game_id}")
    return found


def _load(name: object, wanted: str | None, seed: int, parameters: dict[str, object]) -> Agent:
    """The agent of a name, or a `ValueError` that lists those of the wanted game, if there is one."""
    text = os.fspath(name) if isinstance(name, os.PathLike) else name
    game_id, _, short = text.partition("/") if isinstance(text, str) else ("", "", "")
    known = game_id in list_games()
    makers = _makers(game_id) if known else {}
    if short in makers:
        return makers[short](seed=seed, parameters=parameters)
    if isinstance(text, str) and text and _is_there(text):
        return model_agent(_model_in(Path(text)), text, seed, parameters)
    if short and game_id.lower() not in list_games():  # a path, rather than a name
        raise ValueError(f"there is no folder {echo(text)} of a model, nor an agent of that name")
    there = ", ".join(list_agents(wanted or (game_id if known else None)))
    raise ValueError(f"there is no agent {echo(name)}; there are {there}")


def agent_info(name: str) -> AgentInfo:
    """What people are told about a listed agent; unlike `agent`, it loads no network."""
    player = model_of(name)
    return agent(name).info if player is None else model_info(*player)


def agent_weights(name: str) -> str | None:
    """A hash of what a listed agent has learned, None if it does not learn; loads no network."""
    player = model_of(name)
    return None if player is None else read_card(player[0]).weights


def model_of(name: str) -> tuple[Path, str] | None:
    """The folder of a shipped model and which of its players it is, None if the name is none of these."""
    game_id, _, short = name.partition("/")
    return model_players(game_id).get(short) if game_id in list_games() else None


def _makers(game_id: str) -> dict[str, Callable[..., Agent]]:
    game = spec(game_id)
    policies = (game.policy(RANDOM), *game.policies)
    found: dict[str, Callable[..., Agent]] = {}
    found |= {
        name: partial(model_agent, folder, f"{game_id}/{name}", suffix=suffix)
        for name, (folder, suffix) in model_players(game_id).items()
    }
    found |= {policy.name: partial(PolicyAgent, game, policy) for policy in policies}
    found |= {
        setting.name: partial(TreeSearchAgent, game, setting)
        for setting in settings(game, SearchSetting).values()
    }
    return found


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a path, or not one at all
        return False


def _model_in(folder: Path) -> Path:
    """The folder itself, or a hint where it is that of a whole run."""
    inside = sorted(folder.glob(f"model*/{CARD}"))
    if not (folder / CARD).exists() and inside:
        raise ValueError(f"there is no {CARD} in {folder}; its model is in {inside[0].parent}")
    return folder
