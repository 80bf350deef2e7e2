"""What the lobby offers: the games with their options, the agents with their strength."""

import functools
import json
from pathlib import Path
from typing import Any

from fuda import __version__
from fuda.agents import agent_info, agent_weights, list_agents
from fuda.arena.levels import Levels, Measured
from fuda.arena.stored import is_current
from fuda.core.game import GameSpec
from fuda.games import list_games, spec
from fuda.serve.config import Config
from fuda.serve.protocol import MAX_CHUNK, MAX_PERSON, VERSION

PACKAGE = Path(__file__).parent.parent
# The stored duels: in the installed package, or in the repository that this is a part of.
RESULTS = (PACKAGE / "results", PACKAGE.parent.parent / "bench" / "results")

CLEAR = 2.0  # errors by which levels must differ


def lobby(config: Config) -> dict[str, Any]:
    """All that the lobby shows."""
    return {
        "v": VERSION,
        "version": __version__,
        "games": [_game(spec(game_id)) for game_id in list_games()],
        "agents": [_agent(name) for name in list_agents()],
        "limits": {
            "tables": config.tables,
            "upload_bytes": config.upload_bytes,
            "message_bytes": config.message_bytes,
            "name_length": MAX_PERSON,
            "chunk": MAX_CHUNK,
        },
    }


def _game(game: GameSpec) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "seats": game.seats,
        "rules_version": game.rules_version,
        "fallback": f"{game.id}/{game.fallback}",
        "offered": offered(game.id),
        "options": [_option(option) for option in game.options],
    }


def _option(option: Any) -> dict[str, Any]:
    words = bool(option.words)
    return {
        "name": option.name,
        "line": option.line,
        "default": option.default,
        "words": list(option.words) if words else None,
        "low": None if words else option.low,
        "high": None if words else option.high,
    }


def _agent(name: str) -> dict[str, Any]:
    info = agent_info(name)
    game_id = name.partition("/")[0]
    levels = _levels(game_id)
    return {
        "name": name,
        "game": game_id,
        "title": info.title,
        "line": info.line,
        "unit": info.unit,
        "bids": info.bids,
        "level": round(levels[name], 3) if name in levels else None,
        "ratings": _ratings(name),
    }


def offered(game_id: str) -> str:
    """The agent that the lobby offers first: the strongest of those that play at once.

    A network goes before a classical player where the duels cannot tell which of them is stronger.
    """
    levels = _levels(game_id)
    rated = [name for name in list_agents(game_id) if name in levels and not agent_info(name).searches]
    best = max(rated, key=levels.__getitem__)
    if levels[best] <= 0:  # no better than random, which has the level 0: nothing is known of the others
        return f"{game_id}/{spec(game_id).fallback}"
    networks = [
        name
        for name in rated
        if agent_weights(name) is not None and levels[best] - levels[name] < CLEAR * levels.stderr(best, name)
    ]
    return max(networks or [best], key=levels.__getitem__)


@functools.cache
def _levels(game_id: str) -> Levels:
    """How strong the agents of a game are, by all duels under its usual rules."""
    usual = {option.name: option.default for option in spec(game_id).options}
    duels = [
        duel for duel in _duels() if duel["game"] == game_id and duel["options"] == usual and is_current(duel)
    ]
    return Levels(map(_measured, duels), f"{game_id}/random")


def _measured(duel: dict[str, Any]) -> Measured:
    first, second = duel["agents"]
    result = duel["result"]
    return Measured(first, second, result["win_rate"], result["win_rate_stderr"], result["games"])


@functools.cache
def _duels() -> list[dict[str, Any]]:
    folder = next((folder for folder in RESULTS if folder.is_dir()), None)
    files = sorted(folder.glob("duel-*.json")) if folder else []
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def _ratings(name: str) -> list[dict[str, Any]]:
    """The stored duels of an agent that say something about it as it is now."""
    found = []
    for duel in _duels():
        agents = duel["agents"]
        if name not in agents or agents[0] == agents[1] or not is_current(duel):
            continue
        first = agents[0] == name
        result = duel["result"]
        found.append(
            {
                "opponent": agents[1] if first else agents[0],
                "options": duel["options"],
                "games": result["games"],
                "win_rate": result["win_rate"] if first else 1 - result["win_rate"],
                "win_rate_stderr": result["win_rate_stderr"],
                "mean_diff": result["mean_diff"] if first else -result["mean_diff"],
                "stderr": result["stderr"],
                "seed": duel["seed"],
                "commit": duel.get("commit"),
            }
        )
    return found
