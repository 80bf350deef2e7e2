"""Truth from outside: the paper's 200 human games. Collected only where they are given."""

from collections import Counter
from pathlib import Path

import pytest

from fuda.core.match import Match
from fuda.records import load_foreign, replay


@pytest.fixture(scope="module")
def files(pytestconfig: pytest.Config) -> list[Path]:
    return sorted(pytestconfig.getoption("--human-games").glob("*.json"))


def decisions(match: Match) -> Counter:
    """The decisions of each kind, by replaying the record."""
    kinds: Counter = Counter(rounds=len(match.deals))
    again = match.game.start(0, match.deals)
    for _, move in match.moves:
        kinds[again.view(0)["phase"]] += 1
        kinds["claimed"] += move == "koikoi"
        again.play(move)
    assert again.scores == match.scores
    return kinds


STRIDE = {False: 5, True: 1}  # small, soak
COUNTS = {
    False: {
        "games": 40, "early": 3, "rounds": 312,
        "discard": 3484, "pick": 364, "koikoi": 344, "claimed": 94,
    },
    True: {
        "games": 200, "early": 9, "rounds": 1579,
        "discard": 17821, "pick": 1846, "koikoi": 1768, "claimed": 505,
    },
}  # fmt: skip


def test_human_games_replay_decision_by_decision(files, soak):
    """Every fifth, in soak all. The importer refuses decisions or scores that differ from the rules'."""
    assert len(files) == COUNTS[True]["games"]
    total: Counter = Counter()
    for file in files[:: STRIDE[soak]]:
        match = load_foreign("koikoi", file)
        assert replay(match.record()) == match
        total += decisions(match) + Counter(games=1, early=match.view(0)["round"] < 8)
    assert total == COUNTS[soak]
