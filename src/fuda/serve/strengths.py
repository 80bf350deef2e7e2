"""How strong the agents are when a person first meets them, by the results that fuda comes with.

A stored ladder says it. Who is not on it is rated by the stored duels and levels that connect it with the
random player, whose rating is 0. Ratings are on the Elo scale, as in the lobby.
"""

import functools
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from fuda.agents import agent_weights
from fuda.arena.bradley_terry import Model, Series, connected
from fuda.arena.ratings import ELO
from fuda.arena.stored import is_current, is_usual, results_folder
from fuda.core.game import RANDOM
from fuda.games import spec
from fuda.serve.catalog import stored_duels, stored_ladder

Pair = tuple[str, str, float, int]  # two agents, the share that the first one won, and of how many games


@functools.cache
def strengths(game_id: str) -> dict[str, float]:
    """The ratings of the agents of which something is stored."""
    rated = {name: float(row["rating"]) for name, row in stored_ladder(game_id).items()}
    return _fitted(game_id) | rated


def newcomer(game_id: str) -> float:
    """Where a person starts: at the game's hand-written player, or at random play if nothing is known."""
    return strengths(game_id).get(f"{game_id}/{spec(game_id).fallback}", 0.0)


def _fitted(game_id: str) -> dict[str, float]:
    pairs = [*_duels(game_id), *_levels(game_id)]
    anchor = f"{game_id}/{RANDOM}"
    names = sorted({name for pair in pairs for name in pair[:2]})
    number = {name: place for place, name in enumerate(names)}
    groups = connected([(number[one], number[other]) for one, other, _, _ in pairs], len(names))
    group = next((found for found in groups if number.get(anchor) in found), [])
    players = [anchor, *(names[place] for place in group if names[place] != anchor)]
    series = [
        Series(players.index(one), players.index(other), np.arange(games), np.full((games, 1), share))
        for one, other, share, games in pairs
        if one in players
    ]
    if not series:
        return {}
    unknowns = Model(len(players), series, np.zeros((1, 0))).fit()  # of all but the anchor
    return dict(zip(players, [0.0, *(float(strength) * ELO for strength in unknowns)], strict=True))


def _duels(game_id: str) -> Iterator[Pair]:
    for duel in stored_duels():
        first, second = duel["agents"]
        if duel["game"] == game_id and first != second and is_usual(duel) and is_current(duel):
            yield first, second, duel["result"]["win_rate"], duel["result"]["games"]


def _levels(game_id: str) -> Iterator[Pair]:
    """Each level over the one below; the lowest was measured over a player that is not on offer."""
    file = results_folder() / f"levels-{game_id}.json"
    rows: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else {}
    names = [f"{game_id}/{level}" for level in rows]
    for below, name in pairwise(names):
        row = rows[name.partition("/")[2]]
        if row["weights"] == [agent_weights(name), agent_weights(below)]:
            yield name, below, row["win_rate"], row["games"]
