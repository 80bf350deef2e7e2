"""Ladders: planted strengths found again, honest errors, and nothing mixed that must not be."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import fuda
from fuda.arena.bradley_terry import Model, Series, connected, role_signs
from fuda.arena.ratings import ELO, Played, rate

GAME = fuda.game("doudizhu")
SCRIPT = Path(__file__).parents[2] / "bench" / "simulated_ladders.py"


@pytest.fixture
def bench(bench_script):
    return bench_script("simulated_ladders")


def test_intervals_hold_as_often_as_they_say(bench):
    """30 tournaments of 500 that are stored; 150 intervals of ratings, and 30 of roles."""
    found = bench.coverage(30, seed=5, samples=400)
    assert abs(found["ratings covered"] - 0.95) < 0.02 + 3 * found["stderr"]
    assert found["roles covered"] >= 26 / 30


def test_the_stored_coverage_is_as_promised():
    stored = json.loads((SCRIPT.parent / "results" / "simulated-ladders.json").read_text())
    assert stored["tournaments"] == 500
    assert 0.93 <= stored["ratings covered"] <= 0.97
    assert 0.93 <= stored["roles covered"] <= 0.97
    assert stored["seconds, 1,000 samples, 12 players, 1,024 deals"] < 5


def test_deals_in_common_are_not_taken_for_independent(bench):
    """Fifty ladders of which all pairs play the same deals: their role terms differ as their errors say."""
    luck = np.random.default_rng(7)
    terms, errors = [], []
    for _ in range(50):
        [term] = rate(GAME, bench.simulated(GAME, [0, 1, 2, 3, 4], 0.3, 100, luck), samples=100).roles
        terms.append(term.rating)
        errors.append(term.stderr)
    assert np.std(terms) == pytest.approx(np.mean(errors), rel=0.35)
    deals = [duel.margins for duel in bench.simulated(GAME, [0, 1, 2, 3, 4], 0.3, 100, luck)]
    apart = [
        Played(bench.name(GAME, one), bench.name(GAME, other), seed, margins)
        for seed, ((one, other), margins) in enumerate(
            zip(itertools.combinations(range(5), 2), deals, strict=True)
        )
    ]
    [blind] = rate(GAME, apart, samples=100).roles  # told that no deals are shared
    assert blind.stderr < 0.6 * np.mean(errors)


def plain_fit(series, num_players, signs, virtual) -> np.ndarray:
    """The likeliest unknowns by climbing uphill, one game's probability at a time."""
    unknowns = np.zeros(num_players - 1 + signs.shape[1])

    def slope() -> np.ndarray:
        found = np.zeros(len(unknowns))
        strengths, roles = np.concatenate([[0.0], unknowns[: num_players - 1]]), unknowns[num_players - 1 :]
        for one, weight in zip(series, virtual, strict=True):
            for seating in range(len(signs)):
                odds = strengths[one.first] - strengths[one.second] + float(signs[seating] @ roles)
                chance = 1 / (1 + math.exp(-odds))
                won, games = one.points[:, seating].sum() + weight / 2, len(one.points) + weight
                error = won - games * chance
                for player, sign in ((one.first, 1), (one.second, -1)):
                    if player:
                        found[player - 1] += sign * error
                found[num_players - 1 :] += signs[seating] * error
        return found

    total = sum(one.points.size for one in series)
    for _ in range(20_000):
        step = slope()
        unknowns += 2 * step / total
        if np.abs(step).max() < 1e-6:
            return unknowns
    raise AssertionError("the plain fit did not settle")


def test_the_fit_is_that_of_a_plain_computation():
    luck = np.random.default_rng(4)
    pairs, signs = [(0, 1), (2, 1), (1, 3), (3, 0)], role_signs(GAME.seatings)
    series = [
        Series(*pair, np.arange(20 + 10 * number), luck.choice([0, 0.5, 1], (20 + 10 * number, 2)))
        for number, pair in enumerate(pairs)
    ]
    games = [
        sum(one.points.size for one in series if player in (one.first, one.second)) for player in range(4)
    ]
    virtual = [one.points.size * (1 / games[one.first] + 1 / games[one.second]) / 2 for one in series]
    assert Model(4, series, signs).fit() == pytest.approx(plain_fit(series, 4, signs, virtual), abs=1e-4)


def test_roles_of_seatings():
    assert role_signs(((0, 1, 1), (1, 0, 0))).tolist() == [[1], [-1]]
    assert role_signs(((0, 1), (0, 0), (1, 0), (1, 1))).tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1]]


def test_groups_that_games_connect():
    assert connected([(0, 1), (3, 2), (1, 4)], 6) == [[0, 1, 4], [2, 3], [5]]


def duel(first: str, second: str, share: float, deals: int = 200, seed: int = 1) -> Played:
    """So many deals of which the first wins a share, every deal in one piece."""
    margins = np.where(np.arange(deals) < round(share * deals), 1.0, -1.0)
    return Played(f"doudizhu/{first}", f"doudizhu/{second}", seed, np.repeat(margins[:, None], 2, axis=1))


def test_a_ladder_best_first():
    table = rate(GAME, [duel("a", "random", 0.9), duel("b", "a", 0.6), duel("b", "random", 0.93)])
    assert [row.agent for row in table] == ["doudizhu/b", "doudizhu/a", "doudizhu/random"]
    assert table.anchor == "doudizhu/random"
    best, middle, last = table
    assert (last.rating, last.stderr, last.above_next) == (0, 0, None)
    assert middle.rating == pytest.approx(ELO * math.log(9), rel=0.05)
    assert best.interval[0] < best.rating < best.interval[1]
    assert 0.95 < best.above_next <= 1
    assert table.above[0][1] == best.above_next == 1 - table.above[1][0]
    assert (best.games, best.win_rate, best.points) == (800, 0.765, pytest.approx(0.53))
    assert best.by_role["landlord"].games == 400
    assert not table.surprises
    assert json.loads(json.dumps(table.as_dict(), allow_nan=False))["rows"][0]["agent"] == "doudizhu/b"


def test_the_role_of_the_second_player_is_the_other_one():
    margins = np.tile([[1.0, -1.0]], (50, 1))  # the landlord always wins
    [best, _] = rate(GAME, [Played("doudizhu/a", "doudizhu/random", 1, margins)])
    assert best.by_role["landlord"].win_rate == 1
    assert best.by_role["peasants"].win_rate == 0
    _, second = rate(GAME, [Played("doudizhu/z", "doudizhu/a", 1, margins)], anchor="doudizhu/a")
    assert second.by_role["landlord"].win_rate == 1


def test_who_never_lost_has_an_end_and_a_wide_error():
    table = rate(GAME, [duel("a", "random", 1.0), duel("b", "random", 0.9)])
    undefeated, other, _ = table
    assert undefeated.agent == "doudizhu/a"
    assert 700 < undefeated.rating < 1500
    assert undefeated.stderr > 100 > 2 * other.stderr
    assert undefeated.interval[0] > other.rating


def test_a_ring_is_reported():
    ring = [duel("a", "b", 0.6, 2000), duel("b", "random", 0.6, 2000), duel("random", "a", 0.6, 2000)]
    table = rate(GAME, ring)
    assert len(table.surprises) == 3
    assert table.surprises[0].residual == pytest.approx(0.1, abs=0.005)
    few = [duel("a", "b", 0.6, 20), duel("b", "random", 0.6, 20), duel("random", "a", 0.6, 20)]
    assert not rate(GAME, few).surprises  # that may be chance


def test_who_is_not_connected_stands_apart():
    table = rate(GAME, [duel("a", "random", 0.7), duel("x", "y", 0.7)])
    assert [row.agent for row in table] == ["doudizhu/a", "doudizhu/random"]
    assert table.apart == [["doudizhu/x", "doudizhu/y"]]
    other = rate(GAME, [duel("a", "random", 0.7), duel("x", "y", 0.7)], anchor="doudizhu/y")
    assert [row.agent for row in other] == ["doudizhu/x", "doudizhu/y"]


def test_without_random_the_weakest_is_the_anchor():
    table = rate(GAME, [duel("a", "b", 0.7), duel("c", "b", 0.4)])
    assert [row.agent for row in table] == ["doudizhu/a", "doudizhu/b", "doudizhu/c"]
    assert table.anchor == "doudizhu/c"
    assert table[-1].rating == 0
    with pytest.raises(ValueError, match="the anchor 'nobody' has played nothing"):
        rate(GAME, [duel("a", "b", 0.7)], anchor="nobody")


def test_nothing_to_rate():
    table = rate(GAME, [])
    assert list(table) == []
    assert table.anchor is None


@pytest.fixture
def stored(tmp_path):
    """A stored duel, and a function that stores it with changes."""
    out = tmp_path / "duels" / "duel.json"
    out.parent.mkdir()
    fuda.duel("doudizhu", "doudizhu/rhcp", "doudizhu/random", games=40, seed=1, out=out)
    content = json.loads(out.read_text())

    def store(name: str, **changes: object) -> None:
        changed = {key: value for key, value in (content | changes).items() if value is not None}
        (out.parent / name).write_text(json.dumps(changed))

    return content, store, out.parent


RHCP, RANDOM, PARTNER = (f"doudizhu/{name}" for name in ("rhcp", "random", "rhcp-partner"))


def test_what_must_not_mix_is_listed_and_not_rated(stored):
    content, store, folder = stored
    store("other.json", agents=[PARTNER, RANDOM])
    before = fuda.ratings("doudizhu", folder)
    assert [row.agent for row in before] == sorted(
        [RHCP, PARTNER, RANDOM], key=[r.agent for r in before].index
    )
    stopped = content["result"] | {"sprt": {"stopped_early": True}}
    store("totals.json", agents=[PARTNER, RHCP], margins=None)
    store("stopped.json", agents=[PARTNER, RHCP], result=stopped)
    store("options.json", agents=[PARTNER, RHCP], options={"bidding": "off", "score": "adp"})
    store("rules.json", agents=[PARTNER, RHCP], rules_version=99)
    store("damaged.json", agents=[PARTNER, RHCP], margins={"deals": 20})
    store("again.json")
    store("turned-round.json", agents=[RANDOM, RHCP])
    store("another-game.json", game="koikoi")
    store("itself.json", agents=[RHCP, RHCP])
    (folder / "notes.json").write_text("[")
    for key in ("agents", "options", "seed", "rules_version", "result"):
        store(f"no-{key}.json", **{key: None})
        store(f"bad-{key}.json", **{key: "x"})
    store("one-agent.json", agents=[RHCP])
    store("list.json", result=[])
    (folder / "deeper").mkdir()
    after = fuda.ratings("doudizhu", str(folder))
    assert after.rows == before.rows
    assert [one.why.partition(":")[0] for one in after.left_out] == [
        "other options", "rules of version 99", "stopped early", "the margins cannot be read",
        *["the same deals as in another file"] * 2, "totals only",
    ]  # fmt: skip
    other = fuda.ratings("doudizhu", folder, score="adp")
    assert [row.agent for row in other] in ([PARTNER, RHCP], [RHCP, PARTNER])
    assert len(fuda.ratings("doudizhu", folder / "duel.json")) == 2


def test_an_agent_with_other_weights_is_another_agent(stored):
    _, store, folder = stored
    store("new.json", weights={RHCP: "0123456789abcdef"})
    found = {row.agent for row in fuda.ratings("doudizhu", folder)}
    assert found == {RANDOM, f"{RHCP} (weights None)", f"{RHCP} (weights 01234567)"}


def test_an_agent_with_another_model_for_its_bids_is_another_agent(tmp_path):
    out = tmp_path / "duel.json"
    fuda.duel("doudizhu", RHCP, RANDOM, games=24, seed=1, out=out, bidding="on")
    content = json.loads(out.read_text()) | {"weights": {RHCP: "0123456789abcdef"}}
    for bids in ("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"):
        (tmp_path / f"{bids}.json").write_text(json.dumps(content | {"bid_weights": {RHCP: bids}}))
    out.unlink()
    found = {row.agent for row in fuda.ratings("doudizhu", tmp_path, bidding="on")}
    assert found == {RANDOM, f"{RHCP} (bids by aaaaaaaa)", f"{RHCP} (bids by bbbbbbbb)"}


def test_places_without_duels(tmp_path):
    with pytest.raises(ValueError, match="there is no"):
        fuda.ratings("doudizhu", tmp_path / "nothing")
    with pytest.raises(ValueError, match="need a folder"):
        fuda.ratings("doudizhu")
    assert len(fuda.ratings("doudizhu", tmp_path)) == 0
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(ValueError, match="is not the result of a duel"):
        fuda.ratings("doudizhu", tmp_path / "x.json")
