"""`fuda explain`: what it prints is what the agents say; bad input is one sentence."""

import json
import subprocess
import sys

import pytest
import torch

import fuda
from fuda.explain import explain_move, valued_models
from fuda.records import load, save
from tests.agents.tiny_decompositions import write_tiny
from tests.explain.planted import suit_agent

torch.set_num_threads(1)  # test processes share the cores


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """The file of a match of one round, played by chance."""
    path = tmp_path_factory.mktemp("record") / "match.jsonl"
    match, agent = fuda.game("koikoi", rounds=1).start(4), fuda.agent("koikoi/random", seed=4)
    while not match.over:
        match.play(agent.choose(match))
    save(match, path)
    return path


def test_all_models_with_values_side_by_side(run, record):
    code, out, err = run("explain", "koikoi", "--record", record, "--move", 3, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    match = explain_move(load(record), 3, []).match
    assert [one["agent"] for one in told["agents"]] == valued_models("koikoi")
    for one in told["agents"]:
        agent = fuda.agent(one["agent"])
        assert one["values"] == agent.values(match)
        assert one["best"] == agent.choose(match)
        assert one["unit"] == agent.info.unit
    assert told["legal"] == match.legal()
    assert told["played"] == load(record).moves[2][1]
    assert (told["game"], told["move"], told["seat"]) == ("koikoi", 3, match.seat)


def test_in_words(run, record, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    names = [valued_models("koikoi")[0], "koikoi/classical"]
    agents = [word for name in names for word in ("--agent", name)]
    code, out, err = run("explain", "koikoi", "--record", record, "--move", 3, *agents)
    assert (code, err) == (0, "")
    explanation = explain_move(load(record), 3, [fuda.agent(name) for name in names])
    rows = {line.split()[0]: line for line in out.partition("Before move 3")[2].splitlines() if line.strip()}
    model, classical = explanation.judgements
    marks = {move: rows[move].count("*") for move in explanation.match.legal()}
    for move in explanation.match.legal():
        assert model.value_text(move) in rows[move]
        assert marks[move] == (move == model.best) + (move == classical.best)
        assert ("played" in rows[move]) == (move == explanation.played)
    assert model.unit_words in out
    assert "its choice alone" in out


def test_other_games(run, tmp_path):
    for game, agent in (("gongzhu", "gongzhu/uct"), ("doudizhu", "doudizhu/rhcp")):
        run("record", "new", game, "--out", tmp_path / game, "--seed", 1)
        code, out, err = run("explain", game, "--record", tmp_path / game, "--move", 2, "--agent", agent)
        assert (code, err) == (0, "")
        assert agent in out


def test_who_takes_a_hand_apart_tells_how(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    write_tiny(tmp_path / "model")
    path = tmp_path / "match.jsonl"
    run("record", "new", "doudizhu", "--out", path, "--seed", 1)
    asked = ["explain", "doudizhu", "--record", path, "--move", 4, "--agent", tmp_path / "model"]
    asked += ["--agent", "doudizhu/rhcp", "--agent", "doudizhu/best-raw"]
    code, out, err = run(*asked, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    tiny, rule, network = told["agents"]
    hand = explain_move(load(path), 4, []).match.view(told["seat"])["hand"]
    groups = tiny["decomposition"]
    assert sorted("".join(groups).replace("pass", "")) == sorted(hand)
    assert tiny["best"] in groups
    assert sorted(tiny["values"]) == sorted(network["values"]) == sorted(told["legal"])
    assert "decomposition" not in rule | network
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert f"takes the hand apart: {'  '.join(groups)}" in out
    assert out.count("takes the hand apart") == 1


def test_attention_as_a_picture(run, record, tmp_path):
    suit_agent(tmp_path / "model", 0)
    picture = tmp_path / "a.svg"
    asked = ["explain", "koikoi", "--record", record, "--move", 1, "--agent", tmp_path / "model"]
    code, out, err = run(*asked, "--attention", picture)
    assert (code, err) == (0, "")
    assert str(picture) in out.replace("\n", "")
    assert "Layer 1, head 1" in picture.read_text()


def test_suits(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    suit_agent(tmp_path / "model", 0)
    asked = ["explain", "koikoi", "--suits", "--agent", tmp_path / "model", "--games", 1, "-o", "rounds=1"]
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert "75.0%" in out
    code, out, err = run(*asked, "--json")
    assert (code, err) == (0, "")
    (masses,) = json.loads(out).values()
    assert masses[0]["others"] == pytest.approx(0.75, abs=1e-4)
    assert masses[0]["stderr"] is None  # of one game
    assert masses[1]["others"] == pytest.approx(0.06, abs=1e-4)


def test_disagreements_and_their_record(run, tmp_path):
    judge, out_file = valued_models("koikoi")[0], tmp_path / "worst.jsonl"
    asked = [
        "explain",
        "koikoi",
        "--disagree",
        judge,
        "koikoi/random",
        "--games",
        2,
        "--seed",
        3,
        "-o",
        "rounds=1",
    ]
    code, out, err = run(*asked, "--top", 2, "--out", out_file)
    assert (code, err) == (0, "")
    command = out.partition("Explain the first: fuda ")[2].split()
    code, told, err = run(*command, "--json")
    assert (code, err) == (0, "")
    explained = json.loads(told)
    code, found, err = run(*asked, "--top", 2, "--json")
    assert (code, err) == (0, "")
    found = json.loads(found)
    assert (found["judge"], found["other"]) == (judge, "koikoi/random")
    first, second = found["found"]
    assert first["loss"] >= second["loss"] > 0
    assert first["move"] == explained["move"]
    values = explained["agents"][0]["values"]
    assert values[first["best"]] - values[first["chosen"]] == pytest.approx(first["loss"], abs=1e-4)
    assert max(values, key=values.get) == first["best"]


def test_agents_that_agree(run):
    judge = valued_models("koikoi")[0]
    code, out, err = run("explain", "koikoi", "--disagree", judge, judge, "--games", 1, "-o", "rounds=1")
    assert (code, err) == (0, "")
    assert "agrees" in out


def test_bad_input(refused, record, tmp_path):
    at = ["explain", "koikoi", "--record", record, "--move"]
    model = valued_models("koikoi")[0]
    assert "GAME" in refused("explain")
    assert "ask one thing" in refused("explain", "koikoi")
    assert "ask one thing" in refused(*at, 1, "--suits")
    assert "the games are" in refused("explain", "chess", "--record", record, "--move", 1)
    assert "--move" in refused("explain", "koikoi", "--record", record)
    last = len(load(record).moves)
    for number in (0, -1, last + 1):
        assert f"moves 1 to {last}, not {number}" in refused(*at, number)
    assert "--help" in refused(*at, "x")
    assert "cannot read" in refused("explain", "koikoi", "--record", tmp_path / "none", "--move", 1)
    assert "not of gongzhu" in refused("explain", "gongzhu", "--record", record, "--move", 1)
    assert "there is no agent" in refused(*at, 1, "--agent", "koikoi/nobody")
    assert "does not play koikoi" in refused(*at, 1, "--agent", "gongzhu/random")
    assert "no attention" in refused(*at, 1, "--agent", "koikoi/random", "--attention", tmp_path / "a.svg")
    assert ".svg or .png" in refused(*at, 1, "--agent", model, "--attention", tmp_path / "a.pdf")
    assert "cannot write" in refused(*at, 1, "--agent", model, "--attention", tmp_path / "no" / "a.svg")
    for detail in (["--games", 2], ["--seed", 2], ["--top", 2], ["--out", "x"], ["-o", "rounds=2"]):
        assert "does not go with --record" in refused(*at, 1, *detail)
    suits = ["explain", "koikoi", "--suits"]
    assert "does not go with --suits" in refused(*suits, "--move", 1)
    assert "it is no network" in refused(*suits, "--agent", "koikoi/random")
    for name in ("best", "best-raw", "scrofazero"):
        sentence = refused("explain", "gongzhu", "--suits", "--agent", f"gongzhu/{name}")
        assert "its kind of network has none; a Transformer of tokens has it" in sentence
    assert "games are from 1" in refused(*suits, "--games", 0)
    assert "from 0" in refused(*suits, "--seed", -1)
    disagree = ["explain", "koikoi", "--disagree", model, "koikoi/random"]
    assert "does not go with --disagree" in refused(*disagree, "--agent", model)
    assert "--help" in refused("explain", "koikoi", "--disagree", model)
    assert "does not tell what moves are worth" in refused(
        "explain", "koikoi", "--disagree", "koikoi/random", model
    )
    assert "does not play koikoi" in refused("explain", "koikoi", "--disagree", model, "gongzhu/random")
    assert "games are from 1" in refused(*disagree, "--games", 0)
    assert "from 0" in refused(*disagree, "--seed", -1)
    assert "at least 1" in refused(*disagree, "--top", 0)
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "mine.svg").write_text("mine")
    assert "exists" in refused(*at, 1, "--agent", model, "--attention", tmp_path / "mine.svg")
    assert "exists" in refused(*disagree, "--out", tmp_path / "mine")


def test_games_without_models_need_a_name(refused, run, tmp_path, monkeypatch):
    monkeypatch.setattr("fuda.agents.model.MODELS", tmp_path)
    run("record", "new", "gongzhu", "--out", tmp_path / "gongzhu")
    assert "--agent" in refused("explain", "gongzhu", "--record", tmp_path / "gongzhu", "--move", 1)


@pytest.mark.parametrize("package", ["torch", "matplotlib"])
def test_without_the_packages_of_make_dev(package, record, tmp_path):
    asked = ["explain", "koikoi", "--record", record, "--move", 1, "--agent", valued_models("koikoi")[0]]
    line = [str(word) for word in (*asked, "--attention", tmp_path / "a.svg")]
    program = f"import sys; sys.modules[{package!r}] = None; from fuda.cli import main; main({line!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    hint = f"install the extra, {sys.executable} -m pip install 'fuda-cards[explain]'"
    assert done.stderr == f"fuda: a picture of attention needs {package}: {hint}\n"
