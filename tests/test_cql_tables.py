"""Tables of Combinatorial Q-Learning's comparisons: the figures that are stored are those that are shown."""

import pytest


@pytest.fixture
def tables(bench_script):
    return bench_script("cql_tables")


def point(games: int, won: float) -> dict[str, object]:
    return {
        "games": games, "minutes": games / 100, "won": won, "stderr": 0.01, "of games": 500, "seed": 1,
        "commit": "abc",
    }  # fmt: skip


def test_landlords_are_told_at_the_end_and_at_their_best(tables):
    run = {
        "algorithm": "a2c", "learning rate": 1e-4, "training seed": 2,
        "curve": [point(100, 0.2), point(200, 0.3), point(400, 0.25)],
    }  # fmt: skip
    found = {"runs": {"random": {"won": 0.02, "stderr": 0.001, "commit": "abc"}, "a2c-0.0001-2": run}}
    head, rows, note = tables.landlords(found)
    assert rows == [["A2C", "0.0001", "2", "4.0", "400", "25.0% ± 1.0%", "30.0% ± 1.0%", "`abc`"]]
    assert len(head) == len(rows[0])
    assert note.startswith("500 games")
    assert note.endswith("2.0% ± 0.1%.")


def test_situations_have_their_parts_and_an_example(tables):
    played = {"plays 2": 0.75, "passes": 0.2, "keeps 22 together": 0.1}
    example = {"hand": "4422", "decomposition": ["pass", "2", "2", "44"], "move": "2"}
    players = {
        "cql": {"deals": 40, "situations": {"two 2s": {"played": played | {"for example": example}}}},
        "rhcp": {"deals": 40, "situations": {"two 2s": {"played": {"plays 2": 1.0, "passes": 0.0}}}},
    }
    head, rows, note = tables.situations({"players": players})
    assert rows == [["two 2s", "cql", "75%", "20%", "10%"], ["two 2s", "rhcp", "100%", "0%", "-"]]
    assert len(head) == 5
    assert "`4422` as `2  2  44`, playing `2` (cql, two 2s)" in note


def test_adversaries_by_games_of_training(tables):
    seats = ("landlord", "down", "up", "landlord over its own peasants")
    cells = {name: {"won": 0.1 * place, "stderr": 0.01} for place, name in enumerate(seats)}
    head, rows, _ = tables.adversaries({"curve": [point(1200, 0.0) | cells]})
    assert rows == [["1,200", "12.0", "0.0% ± 1.0%", "10.0% ± 1.0%", "20.0% ± 1.0%", "30.0% ± 1.0%"]]
    assert head[2:] == list(seats)


def test_seats_with_their_deviations(tables):
    seats = {name: {"won": 0.5, "deviation": 0.05} for name in ("landlord", "down", "up")}
    cell = {"agent": "cql", "environment": "rhcp", "games": 1000, "blocks": 10, "seed": 1, "commit": "abc"}
    head, rows, note = tables.seats({"cells": {"cql among rhcp": cell | {"seats": seats}}})
    assert rows == [["cql", "rhcp", "1,000", *3 * ["50.0% ± 5.0%"], "`abc`"]]
    assert len(head) == len(rows[0])
    assert "10 blocks" in note
