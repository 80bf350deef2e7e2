"""What the lobby offers: the games with their options, the agents with their strength."""

import functools
import json
from collections import Counter
from typing import Any

from fuda import __version__
from fuda.agents import agent_info, agent_weights
from fuda.arena.stored import is_current, is_usual, results_folder
from fuda.core.game import GameSpec
from fuda.games import list_games, spec
from fuda.serve.config import Config
from fuda.serve.protocol import MAX_CHUNK, MAX_PERSON, VERSION
from fuda.serve.roster import Roster

CLEAR = 0.977  # the chance to be stronger that is taken for sure: two errors


def lobby(config: Config) -> dict[str, Any]:
    """All that the lobby shows."""
    roster = Roster(config.bots)
    return {
        "v": VERSION,
        "version": __version__,
        "games": [_game(spec(game_id)) for game_id in list_games()],
        "agents": [_agent(name, roster) for name in roster.names()],
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
        "presets": [
            {
                "id": preset.id,
                "title": preset.title,
                "line": preset.line,
                "options": game.default_options | dict(preset.options),
            }
            for preset in game.presets
        ],
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
        "neutral": option.neutral,
    }


def _agent(name: str, roster: Roster) -> dict[str, Any]:
    info = roster.info(name)
    game_id = name.partition("/")[0]
    rating = stored_ladder(game_id).get(name)
    return {
        "name": name,
        "game": game_id,
        "title": info.title,
        "line": info.line,
        "unit": info.unit,
        "bids": info.bids,
        "learned_options": None if info.learned_options is None else dict(info.learned_options),
        "rating": None if rating is None else rating["rating"],
        "rating_stderr": None if rating is None else rating["stderr"],
        "duels": _duels_of(name),
    }


def offered(game_id: str) -> str:
    """The agent that the lobby offers first: the strongest of those that play at once.

    A network goes before a classical player where the ladder cannot tell which of them is stronger. Without a
    ladder it is who lost to none of the others that play at once, by the duels that are stored.
    """
    ladder = stored_ladder(game_id)
    rated = [name for name in ladder if not agent_info(name).searches]
    if not rated:
        return _unbeaten(game_id)
    if ladder[rated[0]]["rating"] <= 0:  # no better than random: nothing is known of the others
        return f"{game_id}/{spec(game_id).fallback}"
    above = ladder[rated[0]]["above"]
    networks = [name for name in rated if agent_weights(name) is not None and above[name] < CLEAR]
    return networks[0] if networks else rated[0]


def _unbeaten(game_id: str) -> str:
    """Who met the most of those that play at once and lost to none; the fallback where nobody is that."""
    met: Counter[str] = Counter()
    beaten = set()
    for duel in stored_duels():
        first, second = duel["agents"]
        if duel["game"] != game_id or not is_usual(duel) or not is_current(duel):
            continue
        if first == second or agent_info(first).searches or agent_info(second).searches:
            continue
        met.update((first, second))
        beaten.add(second if duel["result"]["win_rate"] >= 0.5 else first)
    left = [name for name in sorted(met) if name not in beaten]
    return max(left, key=met.__getitem__) if left else f"{game_id}/{spec(game_id).fallback}"


@functools.cache
def stored_ladder(game_id: str) -> dict[str, dict[str, Any]]:
    """The rated agents of a game, strongest first, as they are now, with the chances to be above others."""
    file = results_folder() / f"ladder-{game_id}.json"
    if not file.exists():
        return {}
    ladder = json.loads(file.read_text(encoding="utf-8"))
    if not is_usual(ladder):
        return {}
    names = [row["agent"] for row in ladder["rows"]]
    found = {
        name: row | {"above": dict(zip(names, above, strict=True))}
        for name, row, above in zip(names, ladder["rows"], ladder["above"], strict=True)
    }
    return {name: row for name, row in found.items() if is_current(ladder | {"agents": [name]})}


@functools.cache
def stored_duels() -> list[dict[str, Any]]:
    """All duels that fuda comes with."""
    files = sorted(results_folder().glob("duel-*.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def _duels_of(name: str) -> list[dict[str, Any]]:
    """The stored duels of an agent that say something about it as it is now."""
    found = []
    for duel in stored_duels():
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
