"""CARD.md of a run's models: what is known is there, and nothing else."""

import json
from dataclasses import replace

import pytest
import torch

from fuda.nets.folder import ModelCard
from fuda.training import conduct, trees, values
from fuda.training.card import TEXT, card_text
from tests.training import test_koikoi, test_trees, test_views

CPU = torch.device("cpu")
MADE = {
    "recipe": {"seed": 4, "guests": {"classical": 0.1, "past": 0.1}},
    "games": 12_345, "minutes": 1.25, "commit": None, "sources": "abc", "device": "cpu", "start": {},
}  # fmt: skip
CARD = ModelCard("koikoi", 1, "encoding", 2, "run", "A small network.", "points", 1.0, made=MADE)
TOLD = {
    "name": "koikoi-small", "parameters": 1234, "versions": {"torch": "2.0"},
    "machine": {"processor": "A CPU", "cores": 2, "gpu": "A GPU"},
}  # fmt: skip
EARLY = {"games": 5, "minutes": 0.1, "random_win_rate": 0.5, "random_points": 0.0}
LATE = {
    "games": 12_000, "minutes": 1.2, "evaluation_games": 64, "points_random_win_rate": 0.9375,
    "points_random_win_rate_stderr": 0.02, "points_random_points": 7.5, "points_random_stderr": 1.5,
    "points_classical_win_rate": 0.25, "points_classical_points": -3.0,
    "points_classical_stderr": float("nan"),
    "probability_random_win_rate": 0.75, "probability_random_points": 1.0,
}  # fmt: skip


def told_of(card: ModelCard = CARD, told=TOLD, lines=(EARLY, LATE, {"games": 12_345}), done=1.0) -> str:
    return card_text("my run/model", card, told, lines, "its network", 77, done)


def test_a_card_says_what_is_known():
    text = told_of()
    assert text.startswith(
        "# my run/model\n\nPlays Koi-Koi (`koikoi`, rules version 1), for points. A small network. "
    )
    assert "`encoding` tells them (version 2)" in text
    assert "`fuda train koikoi-small`, seed 4: 12,345 games in 1.2 minutes of training" in text
    assert "(device cpu: A CPU, 2 cores). 1,234 numbers were learned. Commit `unknown`" in text
    assert "of its network, after 12,000 games (1.2 minutes)" in text
    assert "the seed 77" in text
    assert "It met `classical` in training, too." in text
    assert [line for line in text.splitlines() if line.startswith("| `")] == [
        "| `koikoi/random` | 64 | 93.8% ± 2.0% | +7.50 ± 1.50 |",
        "| `koikoi/classical` | 64 | 25.0% | -3.00 |",
    ]
    assert "fuda duel koikoi 'my run/model' koikoi/random --games 2000 --seed 1\n" in text
    assert "**Licence.**" in text
    assert "not at its end" not in text


def test_what_is_not_known_is_not_made_up():
    text = told_of(told={}, lines=(), done=0.4)
    assert "It was not evaluated yet." in text
    assert "A run of fuda, seed 4" in text
    assert "40% of it were done" in text
    assert "learned" not in text
    old = told_of(lines=[EARLY])  # of a log without the number of games and errors
    assert "| `koikoi/random` | ? | 50.0% | +0.00 |" in old


def test_a_card_names_the_gpu_and_where_the_run_went_on_from():
    made = MADE | {"device": "cuda", "commit": "c0ffee", "start": {"name": "before", "games": 6_000}}
    text = told_of(replace(CARD, made=made, unit="probability"))
    assert "(device cuda: A GPU). It went on from `before`, which had 6,000 games." in text
    assert "Commit `c0ffee`" in text
    assert ", to win the match. " in text
    assert "| `koikoi/random` | 64 | 75.0% | +1.00 |" in text


@pytest.mark.parametrize(
    ("algorithm", "recipe", "folders"),
    [
        (
            values, replace(test_koikoi.TINY, games=1),
            {"model-points", "model-points-search", "model-probability", "model-probability-search"},
        ),
        (values, replace(test_views.TINY, games=8), {"model"}),
        (trees, replace(test_trees.TINY, games=8), {"model"}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)  # fmt: skip
def test_a_run_writes_a_card_beside_each_model(tmp_path, monkeypatch, algorithm, recipe, folders):
    monkeypatch.setattr(conduct, "LAST_GAMES", 4)
    monkeypatch.setattr(conduct, "EVALUATE_GAMES_ON_CPU", 4)
    run = algorithm.Run(recipe, tmp_path / "run", CPU, None)
    conduct.conduct(run, name="planted")
    texts = {path.parent.name: path.read_text() for path in run.out.rglob(TEXT)}
    assert set(texts) == folders
    last = json.loads((run.out / "log.jsonl").read_text().splitlines()[-1])
    for folder, text in texts.items():
        assert f"# run/{folder}\n" in text
        assert f"`fuda train planted`, seed 1: {run.num_games:,} games" in text
        assert f"of {run.evaluated}, after {last['games']:,} games" in text
        assert f"the seed {conduct.CHOOSING_SEED}," in text
        figure = f"{folder.split('-')[1]}_random" if "-" in folder else "random"
        won = f"{last[f'{figure}_win_rate']:.1%} ± {last[f'{figure}_win_rate_stderr']:.1%}"
        points = f"{last[f'{figure}_points']:+.2f} ± {last[f'{figure}_stderr']:.2f}"
        assert f"| `{recipe.game}/random` | 4 | {won} | {points} |" in text
        assert not list(run.out.rglob("*.part"))
