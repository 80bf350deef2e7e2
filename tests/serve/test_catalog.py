"""Whom the lobby offers first, by the duels that are stored."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fuda.agents import agent_weights, list_agents
from fuda.games import list_games, spec
from fuda.serve import catalog

WEIGHTS = {name: agent_weights(name) for name in list_agents("koikoi")}
NETWORK, OTHER_NETWORK, CLASSICAL, SEARCH, RANDOM = (
    f"koikoi/{name}" for name in ("rl-wp", "rl-point", "classical", "uct", "random")
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Stores duels of 1,000 games in a folder of its own, from which the lobby then reads."""
    monkeypatch.setattr(catalog, "RESULTS", (tmp_path,))

    def forget() -> None:
        catalog._duels.cache_clear()
        catalog._levels.cache_clear()

    def store_duel(first: str, second: str, win_rate: float, **more: object) -> None:
        duel = {
            "game": "koikoi",
            "rules_version": spec("koikoi").rules_version,
            "options": {"rounds": 8, "points": 30},
            "agents": [first, second],
            "seed": 1,
            "weights": {name: WEIGHTS[name] for name in (first, second) if WEIGHTS[name] is not None},
            "result": {"win_rate": win_rate, "win_rate_stderr": 0.01, "games": 1000},
        }
        (tmp_path / f"duel-{len(list(tmp_path.iterdir()))}.json").write_text(json.dumps(duel | more))
        forget()

    forget()
    yield store_duel
    forget()


def test_without_any_duel_the_fallback_is_offered(store: Callable[..., None]):
    assert [catalog.offered(game) for game in list_games()] == [
        f"{game}/{spec(game).fallback}" for game in list_games()
    ]


def test_the_strongest_that_plays_at_once_is_offered(store: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.7)
    store(SEARCH, RANDOM, 0.95)  # takes its time
    assert catalog.offered("koikoi") == CLASSICAL
    store(NETWORK, CLASSICAL, 0.4)  # clearly weaker
    assert catalog.offered("koikoi") == CLASSICAL
    store(OTHER_NETWORK, CLASSICAL, 0.6)
    assert catalog.offered("koikoi") == OTHER_NETWORK


def test_where_duels_cannot_tell_a_network_is_offered(store: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.7)
    store(NETWORK, CLASSICAL, 0.49)
    assert catalog.offered("koikoi") == NETWORK


def test_duels_of_other_weights_or_other_options_do_not_count(store: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.7)
    store(NETWORK, CLASSICAL, 0.9, weights={NETWORK: "of another day"})
    store(OTHER_NETWORK, CLASSICAL, 0.9, options={"rounds": 1, "points": 30})
    assert catalog.offered("koikoi") == CLASSICAL


def test_with_the_duels_that_ship(server):
    lobby = server.ask("GET", "/lobby")
    cards = {agent["name"]: agent for agent in lobby["agents"]}
    for game in lobby["games"]:
        offered = cards[game["offered"]]
        rated = [agent for agent in lobby["agents"] if agent["game"] == game["id"] and agent["ratings"]]
        assert offered["level"] > 0 if rated else offered["name"] == game["fallback"]
    # What is not rated is offered as well.
    assert set(cards) == set(list_agents())
