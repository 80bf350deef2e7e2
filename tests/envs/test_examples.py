"""The example of docs/environments.md runs, and in `make soak` learns; how fast environments are."""

import json

import torch

import fuda

OPPONENT = "koikoi/random"


def test_ppo_updates_every_weight_and_plays_legal_moves(bench_script, soak):
    """Two small updates; in `make soak` the example's own sizes, and twenty updates that win points."""
    example = bench_script("example_curve").load()
    num_envs, width, updates, rounds = (256, 256, 20, 2000) if soak else (8, 32, 2, 20)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        env = fuda.vector("koikoi", num_envs, seed=1, opponents={1: OPPONENT}, rounds=1)
        player = example.Player(env, width)
        optimizer = torch.optim.Adam(player.parameters(), lr=5e-4)
        before = example.points(player, OPPONENT, rounds).mean()
        weights = [each.clone() for each in player.parameters()]
        for _ in range(updates):
            example.learn(env, player, optimizer)
        after = example.points(player, OPPONENT, rounds).mean()
    for old, new in zip(weights, player.parameters(), strict=True):
        assert new.isfinite().all()
        assert (old != new).any()
    _, legal, choice, _ = player.look(env)
    chances = choice.probs
    assert not chances[~legal].any()
    assert (chances[legal] > 0).all()
    if soak:
        assert after > before + 0.3


def test_its_curve_is_stored(bench_script, monkeypatch, tmp_path, capsys):
    script, out = bench_script("example_curve"), tmp_path / "curve.json"
    monkeypatch.setattr("sys.argv", ["example_curve.py", "--minutes", "0", "--out", str(out)])
    with torch.random.fork_rng():
        script.main()
    stored = json.loads(out.read_text())
    assert stored["rounds"] == 2000
    assert [row["updates"] for row in stored["rows"]] == [0]
    assert stored["rows"][0]["stderr"] > 0


def test_rates_of_all_kinds_of_environments_are_stored(bench_script, monkeypatch, tmp_path, capsys):
    script, out = bench_script("environments"), tmp_path / "rates.json"
    monkeypatch.setattr(script, "BESIDE", {"gongzhu": "hearts"})
    monkeypatch.setattr("sys.argv", ["environments.py", "--seconds", "0.001", "--out", str(out)])
    script.main()
    stored = json.loads(out.read_text())
    [row] = stored["rows"]
    kinds = bench_script("speed_tables").KINDS
    assert {name for name, rate in row["fuda"].items() if name in kinds and rate > 0} == set(kinds)
    assert row["open_spiel"]["observations"] > 0
    assert stored["open_spiel"]
    assert "pgx" not in stored
