"""Whom the lobby offers first, by the ladders that are stored, or by duels where there is none."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import NormalDist

import pytest

from fuda.agents import agent_weights, list_agents
from fuda.arena import stored
from fuda.games import list_games, spec
from fuda.serve import catalog
from fuda.serve.roster import Roster

WEIGHTS = {name: agent_weights(name) for name in list_agents("koikoi")}
NETWORK, OTHER_NETWORK, CLASSICAL, SEARCH, RANDOM = (
    f"koikoi/{name}" for name in ("rl-wp", "rl-point", "classical", "uct", "random")
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, from which the lobby reads."""
    monkeypatch.setattr(stored, "RESULTS", (tmp_path,))
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    catalog.stored_duels.cache_clear()
    catalog.stored_ladder.cache_clear()


USUAL = {"rounds": 8, "points": 30}


def weights_of(names: Iterable[str]) -> dict[str, str]:
    return {name: WEIGHTS[name] for name in names if WEIGHTS[name] is not None}


@pytest.fixture
def store(folder: Path) -> Callable[..., None]:
    """Stores duels of 1,000 games."""

    def store_duel(first: str, second: str, win_rate: float, **more: object) -> None:
        duel = {
            "game": "koikoi",
            "rules_version": spec("koikoi").rules_version,
            "options": USUAL,
            "agents": [first, second],
            "seed": 1,
            "weights": weights_of((first, second)),
            "result": {"win_rate": win_rate, "win_rate_stderr": 0.01, "games": 1000},
        }
        (folder / f"duel-{len(list(folder.iterdir()))}.json").write_text(json.dumps(duel | more))
        forget()

    return store_duel


@pytest.fixture
def rate(folder: Path) -> Callable[..., None]:
    """Stores a ladder of ratings with an error of 10 each."""

    def store_ladder(ratings: dict[str, float], **more: object) -> None:
        ladder = {
            "game": "koikoi",
            "rules_version": spec("koikoi").rules_version,
            "options": USUAL,
            "weights": weights_of(ratings),
            "rows": [
                {"agent": name, "rating": rating, "stderr": 10.0}
                for name, rating in sorted(ratings.items(), key=lambda row: -row[1])
            ],
        }
        rows = [row["rating"] for row in ladder["rows"]]
        ladder["above"] = [[NormalDist(0, 14).cdf(one - other) for other in rows] for one in rows]
        (folder / "ladder-koikoi.json").write_text(json.dumps(ladder | more))
        forget()

    return store_ladder


def fallbacks() -> list[str]:
    return [f"{game}/{spec(game).fallback}" for game in list_games()]


def test_with_nothing_stored_the_fallback_is_offered(folder: Path):
    assert [catalog.offered(game) for game in list_games()] == fallbacks()


def test_the_strongest_that_plays_at_once_is_offered(rate: Callable[..., None]):
    rate({CLASSICAL: 150, SEARCH: 500, RANDOM: 0})  # the search takes its time
    assert catalog.offered("koikoi") == CLASSICAL
    rate({CLASSICAL: 150, NETWORK: 80, RANDOM: 0})  # clearly weaker
    assert catalog.offered("koikoi") == CLASSICAL
    rate({CLASSICAL: 150, NETWORK: 200, OTHER_NETWORK: 210, RANDOM: 0})
    assert catalog.offered("koikoi") == OTHER_NETWORK


def test_where_the_ladder_cannot_tell_a_network_is_offered(rate: Callable[..., None]):
    rate({CLASSICAL: 150, NETWORK: 140, RANDOM: 0})
    assert catalog.offered("koikoi") == NETWORK


def test_nobody_better_than_random_is_known(rate: Callable[..., None]):
    rate({RANDOM: 0})
    assert catalog.offered("koikoi") == f"koikoi/{spec('koikoi').fallback}"


def test_ratings_of_other_weights_options_or_rules_do_not_count(rate: Callable[..., None]):
    ratings = {CLASSICAL: 150.0, NETWORK: 500.0, RANDOM: 0.0}
    rate(ratings, weights={NETWORK: "of another day"})
    assert catalog.offered("koikoi") == CLASSICAL
    assert catalog._agent(NETWORK, Roster([]))["rating"] is None
    assert catalog._agent(CLASSICAL, Roster([]))["rating"] == 150
    for other in ({"options": {"rounds": 1, "points": 30}}, {"rules_version": 99}):
        rate(ratings, **other)
        assert catalog._agent(CLASSICAL, Roster([]))["rating"] is None


def test_without_a_ladder_who_lost_to_none_is_offered(store: Callable[..., None]):
    store(CLASSICAL, RANDOM, 0.7)
    store(SEARCH, CLASSICAL, 0.95)  # takes its time
    assert catalog.offered("koikoi") == CLASSICAL
    store(NETWORK, CLASSICAL, 0.9, weights={NETWORK: "of another day"})
    store(OTHER_NETWORK, CLASSICAL, 0.9, options={"rounds": 1, "points": 30})
    assert catalog.offered("koikoi") == CLASSICAL
    store(CLASSICAL, NETWORK, 0.4)
    assert catalog.offered("koikoi") == NETWORK


def test_with_what_ships(server):
    lobby = server.ask("GET", "/lobby")
    cards = {agent["name"]: agent for agent in lobby["agents"]}
    for game in lobby["games"]:
        offered = cards[game["offered"]]
        agents = [agent for agent in lobby["agents"] if agent["game"] == game["id"]]
        if any(agent["rating"] is not None for agent in agents):
            assert offered["rating"] > 0
        else:
            assert offered["duels"] or offered["name"] == game["fallback"]
    # What is not rated is offered as well.
    assert set(cards) == set(list_agents())
