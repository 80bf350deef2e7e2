"""The scripts that measure Gongzhu's players, with an untrained network and a few deals."""

import importlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fuda.agents.settings import RolloutSetting, settings
from fuda.games.gongzhu import SPEC, encoding, recipes, view_encoding
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.policy_value import CardMlp, MlpShape
from fuda.training import conduct
from fuda.training.registry import find_recipe

torch.set_num_threads(1)  # test processes share the cores

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture
def scripts(monkeypatch, tmp_path):
    """The scripts as modules, which write to a folder of the test's own."""
    monkeypatch.syspath_prepend(str(BENCH))
    names = (
        "gongzhu_players", "gongzhu_tables", "gongzhu_cards", "gongzhu_training", "gongzhu_ceiling",
        "gongzhu_curves", "training_rate", "gongzhu_best", "strength", "markdown_text",
    )  # fmt: skip
    modules = {name: importlib.import_module(name) for name in names}
    monkeypatch.setattr(modules["gongzhu_players"], "RESULTS", tmp_path)
    monkeypatch.setattr(modules["gongzhu_cards"], "DOCS", tmp_path)
    monkeypatch.setattr(modules["gongzhu_training"], "DOCS", tmp_path)
    monkeypatch.setattr(modules["gongzhu_training"], "KEPT", tmp_path / "kept.json")
    for name, folder in (("gongzhu_curves", "RESULTS"), ("gongzhu_curves", "DOCS"), ("strength", "RESULTS")):
        monkeypatch.setattr(modules[name], folder, tmp_path)
    return modules


@pytest.fixture
def model(tmp_path):
    torch.manual_seed(1)
    net = CardMlp(encoding.NUM_COLUMNS, 52, MlpShape(first=24, second=24, width=16, blocks=1))
    card = ModelCard("gongzhu", 1, "encoding", 1, "Untrained", "Plays by chance.", "points", 1.0)
    write_model(tmp_path / "untrained", card, [(net, ["card"])])
    return tmp_path / "untrained"


@pytest.mark.parametrize("table", ["table2", "table3", "table5", "table8"])
def test_tables(scripts, model, tmp_path, monkeypatch, table):
    monkeypatch.setattr(sys, "argv", ["gongzhu_tables.py", table, str(model), "--deals", "3"])
    scripts["gongzhu_tables"].main()
    stored = json.loads((tmp_path / f"gongzhu-{table}.json").read_text())
    assert stored["kind"] == f"gongzhu {table}"
    assert stored["deals"] == 3
    for row in stored["rows"].values():
        assert np.isfinite(row["points"])
        assert 0 <= row["win_rate"] + row["draw_rate"] <= 1
    if table == "table2":
        assert 0 <= stored["intransitivity"]["value"] <= 1
        assert len(stored["rows"]) == 6


def test_the_ceiling(scripts, model, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gongzhu_ceiling.py", str(model), "--deals", "3"])
    scripts["gongzhu_ceiling"].main()
    stored = json.loads((tmp_path / "gongzhu-ceiling.json").read_text())
    assert set(stored["rows"]) == {"hidden hands", "open hands"}


@pytest.fixture
def views(tmp_path):
    """A model that sees what a player sees."""
    net = CardMlp(view_encoding.NUM_COLUMNS, 52, MlpShape(first=24, second=0, width=16, diffuse=0, owners=3))
    card = ModelCard("gongzhu", 1, "view_encoding", 1, "Views", "Plays by chance.", "points", 100.0)
    write_model(tmp_path / "views", card, [(net, ["card"])])
    return tmp_path / "views"


@pytest.mark.parametrize(
    ("script", "arguments"),
    [("ceiling", []), ("cards", []), *(("tables", [table]) for table in ("table2", "table3", "table8"))],
)
def test_what_needs_open_hands_says_so(scripts, views, monkeypatch, capsys, script, arguments):
    monkeypatch.setattr(sys, "argv", [f"gongzhu_{script}.py", *arguments, str(views)])
    with pytest.raises(SystemExit) as ended:
        scripts[f"gongzhu_{script}"].main()
    assert ended.value.code == 2
    said = f"error: this needs a Gongzhu model of open hands, and {views} is none\n"
    assert capsys.readouterr().err.endswith(said)


def test_settings_of_the_player_from_views(scripts, views, tmp_path, monkeypatch):
    names = ["60 points", "15 points, weighed by plays"]
    for name in names:
        arguments = [str(views), "--deals", "2", "--only", name]
        monkeypatch.setattr(sys, "argv", ["gongzhu_best.py", *arguments])
        scripts["gongzhu_best"].main()
    stored = json.loads((tmp_path / "gongzhu-best.json").read_text())
    assert list(stored["rows"]) == names
    assert stored["seed"] == conduct.CHOOSING_SEED


def test_the_best_player_has_the_settings_that_were_found_to_be_best(scripts):
    rows = json.loads((BENCH / "results" / "gongzhu-best.json").read_text())["rows"]
    found = scripts["gongzhu_best"].SETTINGS[max(rows, key=lambda name: rows[name]["points"])]
    shipped = next(player for player in settings(SPEC, RolloutSetting).values() if player.searches)
    assert {name: getattr(shipped, name) for name in found} == found


def test_paired_gains_are_differences_on_the_same_deals(scripts):
    first, second = np.random.default_rng(1).normal(size=(2, 40, 2)) * 100
    row = scripts["gongzhu_players"].row(first, second)
    assert row["gain"] == pytest.approx(first.mean() - second.mean())
    per_deal = (first - second).mean(axis=1)
    assert row["gain_stderr"] == pytest.approx(per_deal.std(ddof=1) / 40**0.5)


def test_cards(scripts, model, tmp_path, monkeypatch):
    monkeypatch.setattr(scripts["gongzhu_cards"], "NUM_HANDS", 10)
    monkeypatch.setattr(sys, "argv", ["gongzhu_cards.py", str(model), "--games", "6"])
    scripts["gongzhu_cards"].main()
    stored = json.loads((tmp_path / "gongzhu-cards.json").read_text())
    assert len(stored["cards"]) == 52
    assert all(0 < card["mean factor"] <= 1 for card in stored["cards"].values())
    assert set(stored["table 4"]) == {"SA", "SK", "CA", "CK", "CQ", "CJ", "DA", "DK", "DQ"}
    for row in stored["table 6"] + stored["table 7"]:
        assert max(row["without"].values()) <= 1
        assert len(row["with"]) == len(row["without"]) + 1
    assert (tmp_path / "gongzhu-cards.svg").read_text().startswith("<?xml")


def test_correction_factors_by_hand(scripts):
    logits, legal = np.zeros((1, 52)), np.zeros((1, 52), bool)
    logits[0, [3, 5, 20]] = 1.0, 3.0, 9.0  # two spades and a heart
    legal[0, [3, 5, 20]] = True
    found = scripts["gongzhu_cards"].factors(logits, legal)[0]
    assert found[5] == found[20] == 1
    assert found[3] == pytest.approx(np.exp(-0.015 * 2.0 / 0.2))
    assert np.isnan(found[4])


def test_curves_of_runs(scripts, tmp_path, monkeypatch):
    run = tmp_path / "a-run"
    run.mkdir()
    points = {"random_points": 9.0, "if_points": 1.0, "greed_points": -3.0, "greed_stderr": 2.0}
    lines = [
        {"games": 10, "minutes": 1.0, "games_per_second": 5.0},
        {"games": 20, "minutes": 2.0} | points,
    ]
    (run / "log.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    (run / "run.json").write_text(json.dumps({"parameters": 7, "commit": "abc"}))
    monkeypatch.setattr(sys, "argv", ["gongzhu_training.py", str(run)])
    scripts["gongzhu_training"].main()
    kept = json.loads((tmp_path / "kept.json").read_text())["runs"]["a-run"]
    assert kept["games per second"] == 5
    assert kept["curve"] == [{"games": 20, "minutes": 2.0} | points]
    assert (tmp_path / "gongzhu-training.svg").exists()


TINY = replace(
    find_recipe("gongzhu-small").recipe,
    shape=MlpShape(first=16, second=16, width=8, blocks=1, norm=1),
    group_size=4,
    epoch_games=4,
    batch=32,
)
TINY_VIEWS = replace(find_recipe("gongzhu-views-small").recipe, group_size=8, batch=32)


@pytest.mark.parametrize(
    ("base", "tiny", "names"),
    [
        ("ours", TINY, ("ours", "1 x legal")),
        ("views-small", TINY_VIEWS, ("critic, seed 2", "lambda 0.8, seed 1")),
    ],
)
def test_curves_with_one_thing_changed(scripts, tmp_path, monkeypatch, base, tiny, names):
    curves = scripts["gongzhu_curves"]
    for games in ("EVALUATE_GAMES_ON_CPU", "EVALUATE_GAMES", "LAST_GAMES"):
        monkeypatch.setattr(conduct, games, 2)
    monkeypatch.setattr(curves, "ALL_HEARTS_GAMES", 2)
    monkeypatch.setattr(curves, "END_GAMES", 2)
    monkeypatch.setitem(curves.BASES, base, tiny)
    arguments = ["--base", base, "--out", str(tmp_path / "runs"), "--games", "8", "--device", "cpu"]
    for name in names:
        monkeypatch.setattr(sys, "argv", ["gongzhu_curves.py", *arguments, "--only", name])
        curves.main()
        shutil.rmtree(tmp_path / "runs")  # stored figures stay when their runs are gone
    stored = json.loads((tmp_path / f"gongzhu-curves-{base}-8.json").read_text())
    assert set(stored["runs"]) == set(names)
    assert all(run["curve"][-1]["games"] >= 8 for run in stored["runs"].values())
    assert (tmp_path / f"gongzhu-curves-{base}-8.svg").exists()
    assert curves.name_of(base, curves.GAMES) == f"gongzhu-curves-{base}"  # which the tables are written from


def test_rates_of_both_trainings(scripts, tmp_path, monkeypatch):
    for recipe, tiny in (("gongzhu-views-small", TINY_VIEWS), ("gongzhu-small", TINY)):
        algorithm = recipes.RECIPES[recipe]["algorithm"]
        monkeypatch.setitem(recipes.RECIPES, recipe, {"algorithm": algorithm, **vars(tiny)})
        arguments = [recipe, "--seconds", "0.3", "--device", "cpu", "--out", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", ["training_rate.py", *arguments])
        scripts["training_rate"].main()
        stored = json.loads((tmp_path / f"train-rate-{recipe}.json").read_text())
        assert stored["decisions per second"] > 0
        assert stored["a step of learning, ms"] > 0


def test_duels_of_models_that_are_not_there_are_left_out(scripts, tmp_path, monkeypatch, capsys):
    strength = scripts["strength"]
    rows = (
        ("gongzhu", "no-such-model", "greed", 2), ("gongzhu", "if", "random", 2),
        ("gongzhu", "if", "random", 2, {"preset": "match", "target": 100}),
    )  # fmt: skip
    monkeypatch.setattr(strength, "DUELS", rows)
    monkeypatch.setattr(sys, "argv", ["strength.py", "gongzhu"])
    strength.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "gongzhu/no-such-model over greed: left out, there is no no-such-model"
    assert lines[1].startswith("gongzhu/if over random:")
    assert lines[2].startswith("gongzhu/if over random, match, 100:")
    names = ["duel-gongzhu-if-random-match-100.json", "duel-gongzhu-if-random.json"]
    assert sorted(path.name for path in tmp_path.glob("duel-*.json")) == names
    played = json.loads((tmp_path / names[0]).read_text())
    assert played["options"] == {"leader": 0, "showing": "on", "target": 100}
    assert scripts["markdown_text"].rules_of(played) == "gongzhu, showing=on, target=100"
    played["options"]["target"] = 1000
    assert scripts["markdown_text"].rules_of(played) == "gongzhu, match"


def test_strength_says_when_there_is_nothing_to_play(scripts, monkeypatch, capsys):
    strength = scripts["strength"]
    monkeypatch.setattr(strength, "DUELS", (("gongzhu", "if", "random", 2),))
    monkeypatch.setattr(sys, "argv", ["strength.py"])
    strength.main()
    capsys.readouterr()
    strength.main()
    said = "nothing to play: every duel asked for is stored, with the weights that ship now\n"
    assert capsys.readouterr().out == said
    monkeypatch.setattr(strength, "DUELS", (("gongzhu", "if", "random", 4),))  # more games are asked for now
    strength.main()
    assert " 4 games in" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["strength.py", "--of", "nobody"])
    with pytest.raises(SystemExit) as ended:
        strength.main()
    assert ended.value.code == 2


def test_networks_are_called_as_their_runs(scripts, model, tmp_path, monkeypatch):
    """Table 5 is of runs, whose agents are all in folders called "model"."""
    runs = [tmp_path / name / "model" for name in ("FC-16", "another")]
    for run in runs:
        shutil.copytree(model, run)
    monkeypatch.setattr(sys, "argv", ["gongzhu_tables.py", "table5", *map(str, runs), "--deals", "2"])
    scripts["gongzhu_tables"].main()
    stored = json.loads((tmp_path / "gongzhu-table5.json").read_text())
    assert set(stored["rows"]) == set(stored["models"]) == {"FC-16", "another"}
    assert stored["rows"]["FC-16"]["paper"] == [0, 8]
    assert "paper" not in stored["rows"]["another"]


def test_a_table_goes_on_after_what_it_had_played(scripts, model, monkeypatch):
    players = scripts["gongzhu_players"]
    greed, alone = players.fuda.agent("gongzhu/greed"), players.player(model, "cpu", "-raw")
    first = players.Played("table5", [model], 2, "cpu")
    found = first.margins("alone", alone, greed)
    assert first.seconds > 0

    def again(*_):
        raise AssertionError("played again")

    monkeypatch.setattr(players, "margins", again)
    later = players.Played("table5", [model], 2, "cpu")
    assert (later.margins("alone", alone, greed) == found).all()
    assert later.seconds == first.seconds
    for others in ((3, "cpu"), (2, "cuda")):
        with pytest.raises(AssertionError):
            players.Played("table5", [model], *others).margins("alone", alone, greed)
    later.forget()
    with pytest.raises(AssertionError):
        players.Played("table5", [model], 2, "cpu").margins("alone", alone, greed)


def test_figures_tell_what_they_were_played_on(scripts):
    players = scripts["gongzhu_players"]
    assert "torch" not in players.origin("cpu")["versions"]
    on_gpu = players.origin("cuda")
    assert on_gpu["device"] == "cuda"
    assert on_gpu["versions"]["torch"] == torch.__version__
    assert ("gpu" in on_gpu["machine"]) == torch.cuda.is_available()
