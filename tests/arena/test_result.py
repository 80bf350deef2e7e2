"""The statistics of a duel against a slow, plain computation."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda


def plain_mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def plain_stderr(values: list[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = plain_mean(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return math.sqrt(variance / len(values))


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


deals = st.lists(st.lists(st.integers(-60, 60).map(lambda gap: gap / 2), min_size=2, max_size=2), min_size=1)


@settings(deadline=None)
@given(deals)
def test_statistics_are_those_of_a_plain_computation(margins):
    result = fuda.Result.from_margins(np.array(margins))
    games = [margin for deal in margins for margin in deal]
    points = [[1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in deal] for deal in margins]
    assert result.wins == sum(margin > 0 for margin in games)
    assert result.draws == sum(margin == 0 for margin in games)
    assert result.losses == sum(margin < 0 for margin in games)
    assert result.games == len(games)
    assert result.win_rate == near(plain_mean([plain_mean(deal) for deal in points]))
    assert result.win_rate == near((result.wins + result.draws / 2) / result.games)
    assert result.win_rate_stderr == near(plain_stderr([plain_mean(deal) for deal in points]))
    assert result.mean_diff == near(plain_mean(games))
    assert result.stderr == near(plain_stderr([plain_mean(deal) for deal in margins]))


@settings(deadline=None)
@given(deals)
def test_the_other_side_of_a_result(margins):
    one, other = (fuda.Result.from_margins(np.array(margins) * sign) for sign in (1, -1))
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
    assert one.win_rate == near(1 - other.win_rate)
    assert one.mean_diff == near(-other.mean_diff)
    assert one.stderr == near(other.stderr)


@settings(deadline=None)
@given(deals)
def test_a_result_survives_json(margins):
    result = fuda.Result.from_margins(np.array(margins))
    text = json.dumps(result.as_dict(), allow_nan=False)
    again = fuda.Result.from_dict(json.loads(text))
    assert again.as_dict() == result.as_dict()
    assert again == result or len(margins) == 1  # nan is not equal to itself


def test_one_deal_has_no_errors():
    result = fuda.Result.from_margins(np.array([[3.0, -1.0]]))
    assert math.isnan(result.stderr)
    assert math.isnan(result.win_rate_stderr)
    assert result.as_dict()["stderr"] is None
    assert result.as_dict()["win_rate_stderr"] is None
    assert math.isnan(fuda.Result.from_dict(result.as_dict()).stderr)
    assert (result.mean_diff, result.win_rate, result.games) == (1.0, 0.5, 2)


def test_the_unit_of_error_is_the_deal():
    """Cards that decide everything: each seating wins once, and there is no error at all."""
    result = fuda.Result.from_margins(np.array([[20.0, -20.0], [-7.0, 7.0], [3.0, -3.0]]))
    assert (result.wins, result.losses, result.win_rate, result.mean_diff) == (3, 3, 0.5, 0.0)
    assert (result.stderr, result.win_rate_stderr) == (0.0, 0.0)


def plain_wilson(rate: float, count: float) -> list[float]:
    """The rates from which the one that was found is 1.96 standard errors away, by trying many."""
    rates = np.linspace(0, 1, 2_000_001)
    inside = np.abs(rates - rate) <= 1.959964 * np.sqrt(rates * (1 - rates) / count)
    return [rates[inside].min(), rates[inside].max()]


def test_intervals_near_0_and_1_are_honest():
    won, lost = (fuda.Result.from_margins(np.full((10, 2), margin)) for margin in (5.0, -5.0))
    assert won.win_rate_interval == pytest.approx(plain_wilson(1.0, 10), abs=1e-6)
    assert lost.win_rate_interval == pytest.approx(plain_wilson(0.0, 10), abs=1e-6)
    assert won.win_rate_text == "100.0% (95%: 72.2% to 100.0%)"
    one_lost = np.full((50, 2), 1.0)
    one_lost[3, 1] = -1.0
    result = fuda.Result.from_margins(one_lost)
    low, high = result.win_rate_interval
    assert 0.94 < low < 0.99 < high < 1  # where ± would say up to 101%
    assert "95%" in result.win_rate_text


def test_in_the_middle_an_interval_is_that_of_the_error():
    margins = np.random.default_rng(2).choice([-1.0, 1.0], (4000, 2))
    result = fuda.Result.from_margins(margins)
    low, high = result.win_rate_interval
    assert (high - low) / 2 == pytest.approx(1.96 * result.win_rate_stderr, rel=0.01)
    assert result.win_rate_text == f"{result.win_rate:.1%} ± {result.win_rate_stderr:.1%}"


def test_a_result_that_was_stored_without_intervals_is_read():
    """Its interval is that of its deals, in one seating as in all."""
    result = fuda.Result.from_margins(np.full((10, 2), 1.0), ("first", "second"))
    stored = result.as_dict()
    for part in (stored, *stored["roles"].values()):
        del part["win_rate_interval"]
    assert fuda.Result.from_dict(stored, 2) == result
    with pytest.raises(ValueError, match="number of seatings"):
        fuda.Result.from_dict(stored)
