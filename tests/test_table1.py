"""Table I's figures from planted hits: rates, errors over games, and which folds count where."""

import sys

import numpy as np
import pytest

from fuda.training.cross_validation import CrossValidation
from fuda.training.registry import find_classifier

SCRATCH = find_classifier("koikoi", "scratch")


@pytest.fixture
def table1(bench_script):
    return bench_script("koikoi_table1")


def test_the_error_of_games_of_equal_length_is_that_of_their_mean(table1):
    hits = np.array([3, 5, 4, 8, 5])
    found = table1.rate(hits, np.full(5, 10))
    assert found["accuracy"] == 0.5
    assert found["stderr"] == pytest.approx((hits / 10).std(ddof=1) / 5**0.5)


def test_a_game_decided_as_a_whole_is_one_observation(table1):
    """Twenty games that are hit or missed whole: repeating their decisions tells nothing new."""
    hit = np.arange(20) % 2
    short, long = (table1.rate(hit * count, np.full(20, count)) for count in (1, 100))
    assert short == pytest.approx(long)


def test_columns_are_what_they_say(table1):
    """Five games of ten decisions, a fold each; the first epoch is good on fold 1, the second elsewhere."""
    folds = np.arange(5)
    curves = np.zeros((2, 5, 1, 2), np.int64)
    curves[0, 1], curves[1, folds != 1] = [6, 8], [4, 5]
    found = {
        name: CrossValidation((kind,), folds, np.full((5, 1), 10), np.full(5, 2), curves)
        for kind, name in enumerate(SCRATCH.networks)
    }
    rows = table1.rows(SCRATCH, found)
    assert list(rows) == ["discard", "pick", "koikoi", "overall"]
    for name, row in rows.items():
        assert row["samples"] == (150 if name == "overall" else 50)
        assert row[table1.OURS]["accuracy"] == pytest.approx(20 / 50)
        assert row[table1.OTHERS]["accuracy"] == pytest.approx(20 / 40)
        assert row[table1.VERY]["accuracy"] == pytest.approx(16 / 50)
        assert row[table1.AUTHORS]["accuracy"] == pytest.approx(28 / 50)


def test_the_first_network_is_told_apart(table1):
    assert table1.first_sha256(SCRATCH) is None
    assert len(table1.first_sha256(find_classifier("koikoi", "self-play"))) == 64


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--data", "{folder}"], "there are no games (*.json) in {folder}"),
        (["--data", "{folder}/none"], "there are no games (*.json) in {folder}/none"),
        (
            ["--data", "{folder}", "--ways", "scratch,guess"],
            "there is no way 'guess'; there are self-play, scratch, self-play-shared, shared",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(table1, tmp_path, monkeypatch, capsys, arguments, said):
    given = [each.format(folder=tmp_path) for each in arguments]
    monkeypatch.setattr(sys, "argv", ["koikoi_table1.py", *given])
    with pytest.raises(SystemExit) as ended:
        table1.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {said.format(folder=tmp_path)}\n")
