"""What is published stays as it is, unless a script is told to write there."""

import argparse
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"
# What reads the published figures or says where they are; moves.py stores with --write alone.
KNOW_THE_FOLDER = {"markdown_text", "moves", "results_folder", "serve_load"}


def test_only_the_option_leads_to_the_published_figures():
    naming = {
        script.stem
        for script in BENCH.glob("*.py")
        if '/ "results"' in script.read_text().partition("def ")[0]
    }
    assert naming == KNOW_THE_FOLDER


@pytest.mark.parametrize("option", ["--results", "--out"])
def test_figures_and_pictures_are_published_only_where_that_is_asked(bench_script, tmp_path, option):
    script, parser = bench_script("results_folder"), argparse.ArgumentParser()
    script.add_results(parser, option)
    (own,) = vars(parser.parse_args([])).values()
    (published,) = vars(parser.parse_args([option, str(BENCH / "results")])).values()
    assert BENCH not in own.parents
    assert published == script.PUBLISHED
    assert script.pictures(published) == script.DOCS
    new = tmp_path / "new"
    assert script.pictures(new) == new
    script.write(new / "more" / "figures.json", {"kind": "test"})
    assert (new / "more" / "figures.json").read_text() == '{\n "kind": "test"\n}\n'


def test_a_script_writes_into_the_folder_that_it_is_given(bench_script, monkeypatch, tmp_path, capsys):
    nothing = tmp_path / "nothing.json"
    nothing.write_text("[]")
    arguments = [str(nothing), str(nothing), "--results", str(tmp_path / "mine")]
    monkeypatch.setattr("sys.argv", ["card_reader.py", *arguments])
    bench_script("card_reader").main()
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["koikoi-card-reader.json"]


def test_memory_is_measured_of_players_without_weights(bench_script):
    names = bench_script("memory").players()
    assert {"koikoi/classical", "doudizhu/random"} <= {name for name, games in names.items() if games > 1000}
    assert {"doudizhu/mcts", "gongzhu/uct"} <= {name for name, games in names.items() if games < 1000}
    assert not {"koikoi/best", "gongzhu/scrofazero"} & set(names)
