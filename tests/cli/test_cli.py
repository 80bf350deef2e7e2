"""The command line: every good path, and bad input as one sentence with exit code 2."""

import dataclasses
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import MODELS
from fuda.arena import speed
from fuda.arena.journal import Journal
from fuda.games import gongzhu
from fuda.nets.folder import read_card
from fuda.records import load, save
from fuda.training.torch_agent import model_on
from tests.cli.conftest import tree

DUEL = ["duel", "koikoi", "koikoi/random", "koikoi/random"]
PLAY = ["play", "koikoi", "--against", "koikoi/random"]
NEW = ["record", "new", "koikoi"]


def finished(seed: int = 1, **start) -> fuda.Match:
    match = fuda.game("koikoi", rounds=1).start(seed, **start)
    luck = random.Random(seed)
    while not match.over:
        match.play(luck.choice(match.legal()))
    return match


# Good paths


def test_agents(run):
    code, out, err = run("agents")
    assert (code, err) == (0, "")
    for name in fuda.list_agents():
        assert name in out
    assert run("agents", "koikoi")[0] == 0


def test_help_of_every_command(run):
    for command in (
        [],
        ["play"],
        ["duel"],
        ["agents"],
        ["bench"],
        ["explain"],
        ["record"],
        ["record", "import"],
    ):
        code, out, err = run(*command, "--help")
        assert (code, err) == (0, "")
        assert "Usage: fuda" in out


def test_duel_in_words(run):
    code, out, err = run(*DUEL, "--games", 20, "--seed", 3)
    result = fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=20, seed=3)
    assert (code, err) == (0, "")
    assert f"{result.wins} won, {result.draws} drawn, {result.losses} lost; 20 games, seed 3" in out
    assert f"{result.win_rate:.1%}" in out
    assert f"{result.mean_diff:+.2f}" in out


def test_duel_says_that_it_plays_whole_deals(run):
    code, out, err = run(*DUEL, "--games", 3)
    assert (code, err) == (0, "")
    assert "4 games (3 rounded up to whole deals), seed 0" in out


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_stop_that_numba_loses_ends_a_duel(run, monkeypatch, how):
    """It asks records for an attribute and takes any exception for a no."""
    asked, plain = [], np.recarray.__getattribute__

    def interrupted(array, name):
        if name == "__numba_array_subtype_dispatch__" and not asked:
            asked.append(name)
            signal.raise_signal(how)
        return plain(array, name)

    monkeypatch.setattr(np.recarray, "__getattribute__", interrupted)
    code, out, err = run(*DUEL, "--games", 2000)
    assert (code, out) == (130, "")
    assert asked
    assert err == "stopped; its games are lost: with --out FILE they are kept\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_stopped_duel_goes_on(run, monkeypatch, tmp_path, how):
    out, command = tmp_path / "duel.json", [*DUEL, "--games", 100, "--json"]
    append = Journal.append

    def interrupted(journal, chunk):
        append(journal, chunk)
        signal.raise_signal(how)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", interrupted)
        code, told, err = run(*command, "--out", out)
    assert (code, told) == (130, "")
    assert err == f"stopped; the same command with --out {out} goes on from here\n"
    part = (tmp_path / "duel.json.part").read_text()
    assert part.count("\n") == 2
    assert part.endswith("\n")
    assert run(*command, "--out", out) == run(*command)


def test_duel_as_json(run):
    code, out, err = run(
        *DUEL, "--games", 20, "--seed", 3, "-o", "rounds=2", "--option", "points=9", "--json"
    )
    result = fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=20, seed=3, rounds=2, points=9)
    assert (code, err) == (0, "")
    assert json.loads(out) == result.as_dict()


def test_duel_of_one_deal_is_json_without_nan(run):
    code, out, _ = run(*DUEL, "--games", 1, "--json")
    assert code == 0
    assert json.loads(out)["stderr"] is None
    told = run(*DUEL, "--games", 1)[1]  # without the error, which is not known
    assert "nan" not in told
    assert "±" not in told


LEARNED = ["duel", "koikoi", "koikoi/rl-wp", "koikoi/classical", "--games", 4, "-o", "rounds=1"]


def test_who_did_not_learn_the_rules_of_a_table_says_so(run):
    for preset, said in (("paper", False), ("app", True)):
        code, out, told = run(*LEARNED, "--games", 2, "-o", f"preset={preset}", "--json")
        assert (code, json.loads(out)["games"]) == (0, 2)
        assert ("koikoi/rl-wp did not learn viewing=5" in told) == said
        assert "koikoi/classical" not in told


def test_without_a_gpu_a_duel_is_that_of_onnxruntime(run, tmp_path, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = fuda.duel("koikoi", "koikoi/rl-wp", "koikoi/classical", games=4, rounds=1)
    for number, how in enumerate(([], ["--device", "auto"], ["--device", "cpu"])):
        code, out, _ = run(*LEARNED, *how, "--json", "--out", tmp_path / str(number))
        assert (code, json.loads(out)) == (0, result.as_dict())
        assert json.loads((tmp_path / str(number)).read_text())["device"] == "cpu"


def test_a_duel_needs_no_torch_unless_a_gpu_is_asked_for(run, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "fuda.training.device", None)  # as where an import fails
    assert run(*LEARNED)[0] == 0
    assert "pip install 'fuda-cards[train]'" in refused(*LEARNED, "--device", "cuda")


@pytest.mark.parametrize("agents", [LEARNED, [*DUEL, "--games", 2]], ids=["learned", "not learned"])
def test_a_gpu_that_is_not_there_is_one_sentence(refused, monkeypatch, agents):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "this machine has no GPU" in refused(*agents, "--device", "cuda")
    for wrong in ("gpu", "cuda:0", "meta", "", "CPU"):
        assert "--device is auto, cpu or cuda, not" in refused(*agents, "--device", wrong)


@pytest.mark.parametrize(
    ("device", "command", "folder", "suffix"),
    [
        ("auto", ["gongzhu", "gongzhu/best-raw", "gongzhu/greed"], MODELS / "gongzhu" / "best", "-raw"),
        ("cuda", ["koikoi", MODELS / "koikoi" / "rl-wp", "koikoi/random"], MODELS / "koikoi" / "rl-wp", ""),
    ],
    ids=["name", "path"],
)
def test_where_there_is_a_gpu_networks_are_on_it(run, tmp_path, monkeypatch, device, command, folder, suffix):
    """With a stand-in for the GPU, which is the CPU."""
    asked = []

    def stand_in(where, folder, name, suffix):
        asked.append((where.type, folder, name, suffix))
        agent = model_on("cpu", folder, name, suffix)
        agent.device = where.type
        return agent

    monkeypatch.setattr("fuda.training.device.choose_device", lambda name: torch.device("cuda"))
    monkeypatch.setattr("fuda.training.torch_agent.model_on", stand_in)
    out = tmp_path / "duel"
    code, told, err = run("duel", *command, "--games", 2, "--device", device, "--out", out)
    assert code == 0, err
    assert asked == [("cuda", folder, str(command[1]), suffix)]
    assert "2 games, seed 0, on a GPU" in told
    assert json.loads(out.read_text())["device"] == "cuda"


def test_duel_into_a_file(run, tmp_path):
    out = tmp_path / "duel.json"
    first = run(*DUEL, "--games", 20, "--json", "--out", out)
    assert first[0] == 0
    assert json.loads(out.read_text())["result"] == json.loads(first[1])
    before = tree(tmp_path)
    assert run(*DUEL, "--games", 20, "--json", "--out", out) == first
    assert tree(tmp_path) == before


def test_record_new_show_and_replay(run, tmp_path):
    path = tmp_path / "match.jsonl"
    code, out, err = run(*NEW, "--out", path, "--seed", 5, "-o", "rounds=2")
    match = load(path)
    assert (code, err) == (0, "")
    assert f"{len(match.moves)} moves, scores {match.scores}" in out
    assert match.players == ["koikoi/random"] * 2
    assert (match.seed, match.game.options["rounds"]) == (5, 2)
    code, out, err = run("record", "replay", path, path)
    assert (code, err) == (0, "")
    assert out == f"{path}: koikoi, {len(match.moves)} moves, scores {match.scores}: good\n" * 2
    code, out, err = run("record", "show", path)
    assert (code, err) == (0, "")
    for _, move in match.moves:
        assert move in out or move in ("koikoi", "stop")
    assert [line[:8] for line in out.splitlines() if line.startswith("Round")] == ["Round 1:", "Round 2:"]
    assert f"koikoi/random (0) {match.scores[0]}, koikoi/random (1) {match.scores[1]}" in " ".join(
        out.split()
    )


def test_record_new_is_the_same_each_time_with_a_seed_and_new_without(run, tmp_path):
    run(*NEW, "--out", tmp_path / "a", "--seed", 0, "--agent", "koikoi/random")
    run(*NEW, "--out", tmp_path / "b", "--seed", 0, "--agent", "koikoi/random", "--agent", "koikoi/random")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    for name in ("c", "d"):
        run(*NEW, "--out", tmp_path / name)
    one, other = load(tmp_path / "c"), load(tmp_path / "d")
    assert (one.seed, other.seed) == (None, None)
    assert one.deals != other.deals


@pytest.mark.parametrize("name", ["[bold]", "[/]", "[/nope]", "\\", "[link=x]y"])
def test_record_show_with_any_names(name, run, tmp_path):
    save(finished(players=[name, "Bo"]), tmp_path / "m")
    code, out, err = run("record", "show", tmp_path / "m")
    assert (code, err) == (0, "")
    assert f"{name} (0)" in " ".join(out.split())


def test_record_of_an_unfinished_match(run, tmp_path):
    save(fuda.game("koikoi").start(1), tmp_path / "m")
    assert "not finished" in run("record", "show", tmp_path / "m")[1]
    assert "0 moves, not finished: good" in run("record", "replay", tmp_path / "m")[1]


def foreign(match: fuda.Match) -> dict:
    """A match of one round in the format of the human games; its turns from the final view."""

    def pairs(cards: list[str]) -> list[list[int]]:
        return [[int(part) for part in card.split("-")] for card in cards]

    view, (deal,) = match.view(0), match.deals
    turns = {}
    for number, turn in enumerate(view["turns"], 1):
        took = [
            pairs([turn[card], *turn[f"{card}_took"]]) if turn[f"{card}_took"] else []
            for card in ("discard", "draw")
        ]
        turns[f"turn{number}"] = {
            "playerInTurn": turn["seat"] + 1,
            "discardCard": pairs([turn["discard"]])[0],
            "collectCard": took[0],
            "drawCard": pairs([turn["draw"]])[0],
            "collectCard2": took[1],
            "isKoiKoi": turn["koikoi"],
        }
    basic = {"Dealer": deal["dealer"] + 1, "player1RoundPts": view["round_points"][0]}
    basic |= {"initHand1": pairs(deal["hands"][0]), "initHand2": pairs(deal["hands"][1])}
    basic |= {"initBoard": pairs(deal["field"]), "initPile": pairs(deal["stock"][::-1])}
    return {
        "info": {"player1Name": "A", "player2Name": "B", "player1InitPts": 30, "player2InitPts": 30}
        | {"numRound": 1},
        "record": {"round1": {"basic": basic} | turns},
        "result": {"player1EndPts": match.scores[0], "player2EndPts": match.scores[1]},
    }


def test_record_import(run, tmp_path):
    files = []
    for seed in (1, 2, 3):
        files.append(tmp_path / f"{seed}.json")
        files[-1].write_text(json.dumps(foreign(finished(seed))))
    moves = sum(len(finished(seed).moves) for seed in (1, 2, 3))
    told = f"3 matches, 3 deals, {moves} moves: all replayed\n"
    before = tree(tmp_path)
    assert run("record", "import", "koikoi", *files) == (0, told, "")
    assert tree(tmp_path) == before
    assert run("record", "import", "koikoi", *files, "--out", tmp_path / "records") == (0, told, "")
    for seed in (1, 2, 3):
        assert load(tmp_path / "records" / f"{seed}.jsonl").moves == finished(seed).moves


def test_bench(run, tmp_path, monkeypatch):
    """With a measuring time of next to nothing; the figures are not looked at."""
    monkeypatch.setattr("fuda.cli.bench.measure", lambda game: speed.measure(game, seconds=0.001))
    monkeypatch.setattr(speed, "REPEATS", 1)
    code, out, err = run("bench", "koikoi", "--out", tmp_path / "[figures]")
    assert (code, err) == (0, "")
    assert "Koi-Koi: decisions per second" in out
    figures = json.loads((tmp_path / "[figures]" / "engine-koikoi.json").read_text())
    assert figures["one core: legal + choice + step"] > 0
    assert f"written to {tmp_path / '[figures]' / 'engine-koikoi.json'}" in out


def test_as_a_process_of_its_own(tmp_path):
    command = [sys.executable, "-m", "fuda", "record", "new", "koikoi", "--out", str(tmp_path / "m")]
    good = subprocess.run(command, capture_output=True, text=True)
    assert (good.returncode, good.stderr) == (0, "")
    assert load(tmp_path / "m").over
    bad = subprocess.run([*command, "--seed", "x"], capture_output=True, text=True)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("fuda: ")
    assert bad.stderr.count("\n") == 1


# Bad input

BAD_OPTIONS = [
    "rounds",
    "rounds=",
    "rounds=0",
    "rounds=13",
    "rounds=-1",
    "rounds=x",
    "rounds=1.5",
    "rounds= 4",
]
BAD_OPTIONS += ["rounds=٤", "rounds=" + "9" * 5000, "nonsense=1", "=", "", "=4", "rounds==4", "points=0"]
BAD_LINES = [
    ["nonsense"],
    ["--nonsense"],
    ["duel"],
    ["duel", "koikoi"],
    ["duel", "koikoi", "koikoi/random"],
    [*DUEL, "koikoi/random"],
    [*DUEL, "--nonsense"],
    ["duel", "chess", "koikoi/random", "koikoi/random"],
    ["duel", "", "koikoi/random", "koikoi/random"],
    ["duel", "koikoi", "koikoi/nobody", "koikoi/random"],
    ["duel", "koikoi", "koikoi/random", "random"],
    ["duel", "koikoi", "koikoi/random", "x" * 5000],
    ["duel", "koikoi", "two\nlines", "koikoi/random"],
    *([*DUEL, "--games", games] for games in ("0", "-3", "x", "", "1.5", "1e3", "1000000000", "9" * 5000)),
    *([*DUEL, "--seed", seed] for seed in ("-1", "x", "", "1.5", str(2**128))),
    *(
        [*command, "-o", option]
        for command in (DUEL, PLAY, [*NEW, "--out", "unwritten"])
        for option in BAD_OPTIONS
    ),
    ["agents", "chess"],
    ["agents", "koikoi", "koikoi"],
    ["bench", "chess"],
    ["bench", "koikoi", "chess"],
    ["play"],
    ["play", "koikoi"],
    ["play", "chess", "--against", "koikoi/random"],
    ["play", "koikoi", "--against", "koikoi/nobody"],
    ["play", "koikoi", "--against"],
    [*PLAY, "--against", "koikoi/random"],
    [*PLAY, "--against", "koikoi/random", "--against", "koikoi/random"],
    *([*PLAY, "--seat", seat] for seat in ("7", "2", "-1", "x", "1.5")),
    *([*PLAY, "--seed", seed] for seed in ("-1", "x", str(2**128))),
    ["record", "nonsense"],
    ["record", "new"],
    ["record", "new", "koikoi"],
    ["record", "new", "chess", "--out", "unwritten"],
    [*NEW, "--out", "unwritten", "--seed", "-1"],
    [*NEW, "--out", "unwritten", "--agent", "koikoi/nobody"],
    [*NEW, "--out", "unwritten", *["--agent", "koikoi/random"] * 3],
    ["record", "show"],
    ["record", "replay"],
    ["record", "import"],
    ["record", "import", "koikoi"],
    ["record", "show", "missing"],
    ["record", "replay", "missing"],
    ["record", "import", "koikoi", "missing"],
    ["record", "import", "chess", "missing"],
]


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: " ".join(line)[-40:])
def test_bad_input_is_one_sentence(line, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused(*line)


@pytest.mark.parametrize("line", [[], ["record"]])
def test_no_command_gets_the_help_and_one_sentence(line, run):
    code, out, err = run(*line)
    assert code == 2
    assert "Usage: fuda" in out
    assert err == f"fuda: a command is missing. Try: {' '.join(['fuda', *line])} --help\n"


@pytest.mark.parametrize("line", [[], ["duel"], ["record"], ["record", "show"]])
def test_help_has_a_short_name(line, run):
    code, out, err = run(*line, "-h")
    assert (code, err) == (0, "")
    assert out == run(*line, "--help")[1]
    assert f"Usage: {' '.join(['fuda', *line])}" in out


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (["--nonsense"], "fuda"),
        (["--nonsense", "duel"], "fuda"),
        (["nonsense"], "fuda"),
        (["duel"], "fuda duel"),
        ([*DUEL, "--games"], "fuda duel"),
        ([*DUEL, "--nonsense"], "fuda duel"),
        ([*DUEL, "--games", "x"], "fuda duel"),
        (["explain", "koikoi", "--disagree", "koikoi/rl-wp"], "fuda explain"),
        (["record", "nonsense"], "fuda record"),
        ([*NEW, "--out"], "fuda record new"),
        (["record", "show"], "fuda record show"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_the_sentence_names_the_command_whose_help_to_read(line, command, refused):
    assert refused(*line).endswith(f". Try: {command} --help\n")


def test_the_sentence_says_what_to_do(refused):
    assert "koikoi" in refused("duel", "chess", "a", "b")
    assert "koikoi/random" in refused("duel", "koikoi", "koikoi/nobody", "koikoi/random")
    assert "from 1 to 12" in refused(*DUEL, "-o", "rounds=0")
    assert "rounds, points" in refused(*DUEL, "-o", "speed=1")
    assert "name=value" in refused(*DUEL, "-o", "rounds")
    assert "from 1 to" in refused(*DUEL, "--games", "0")
    assert "from 0" in refused(*DUEL, "--seed", "-1")
    assert "0 to 1, not 7" in refused(*PLAY, "--seat", "7")
    assert "--help" in refused("nonsense")
    assert "--help" in refused(*DUEL, "--games", "x")


NOBODY = [
    ["duel", "koikoi", "NOBODY", "koikoi/random"],
    ["play", "koikoi", "--against", "NOBODY"],
    [*NEW, "--out", "unwritten", "--agent", "NOBODY"],
    ["explain", "koikoi", "--disagree", "koikoi/rl-wp", "NOBODY"],
]


@pytest.mark.parametrize("line", NOBODY, ids=lambda line: line[0])
def test_names_and_folders_that_are_not_there(line, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").write_text("mine")
    for name in ("", "random", "gongzhu/nobody"):
        sentence = refused(*(name if word == "NOBODY" else word for word in line))
        assert sentence.endswith(f"; there are {', '.join(fuda.list_agents('koikoi'))}\n")
    for name, why in (
        ("./none", "there is no folder './none' of a model"),
        ("notes", "give the folder of a"),
    ):
        assert why in refused(*(name if word == "NOBODY" else word for word in line))


@pytest.fixture
def places(tmp_path) -> dict[str, Path]:
    """Paths where no file can be written, beside a file that must stay as it is."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("mine")
    names = ["file/below", "folder", "n" * 300]
    return {name: tmp_path / name for name in names} | {"proc": Path("/proc/nowhere/file")}


@pytest.mark.parametrize("name", ["file/below", "folder", "n" * 300, "proc"], ids=lambda name: name[:10])
def test_files_that_cannot_be_written(name, places, refused):
    path = places[name]
    refused(*DUEL, "--games", 2, "--out", path)
    refused(*NEW, "--out", path)
    refused(*PLAY, "--record", path)
    if name != "folder":
        refused("bench", "koikoi", "--out", path)


def test_a_file_in_a_folder_that_is_not_there(tmp_path, refused):
    """The folder is not made: its name may be a typing error."""
    path = tmp_path / "missing" / "file"
    assert f"cannot write {path}" in refused(*DUEL, "--games", 2, "--out", path)
    assert refused(*NEW, "--out", path) == f"fuda: cannot write {path}: there is no folder {path.parent}\n"
    assert f"no folder {path.parent}" in refused(*PLAY, "--record", path)
    model = ["koikoi/rl-wp", "koikoi/random"]
    assert f"no folder {path.parent}" in refused("explain", "koikoi", "--disagree", *model, "--out", path)


def test_import_into_what_is_no_folder(tmp_path, refused):
    (tmp_path / "1.json").write_text(json.dumps(foreign(finished())))
    (tmp_path / "file").write_text("mine")
    why = f"fuda: {tmp_path / 'file'} is a file; choose a folder\n"
    assert refused("record", "import", "koikoi", tmp_path / "1.json", "--out", tmp_path / "file") == why


def test_bench_into_what_is_no_folder(tmp_path, refused):
    (tmp_path / "file").write_text("mine")
    why = f"fuda: {tmp_path / 'file'} is a file; choose a folder\n"
    assert refused("bench", "koikoi", "--out", tmp_path / "file") == why


def test_import_of_two_files_of_one_name(tmp_path, refused):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.json").write_text(json.dumps(foreign(finished())))
    files = [tmp_path / folder / "1.json" for folder in ("a", "b")]
    assert "1" in refused("record", "import", "koikoi", *files, "--out", tmp_path / "out")


def test_import_writes_nothing_if_one_file_is_bad(tmp_path, refused):
    (tmp_path / "1.json").write_text(json.dumps(foreign(finished())))
    (tmp_path / "2.json").write_text("{}")
    sentence = refused(
        "record", "import", "koikoi", tmp_path / "1.json", tmp_path / "2.json", "--out", tmp_path / "out"
    )
    assert "2.json" in sentence


def test_files_that_are_no_records(tmp_path, refused):
    save(finished(), tmp_path / "good")
    text = (tmp_path / "good").read_text()
    contents = [
        b"",
        b"mine\n",
        b"\x89PNG\r\n",
        b"[]\n",
        b"{}\n",
        text[:-9].encode(),
        b"[" * 100_000,
        b"\xff\n",
    ]
    for content in contents:
        (tmp_path / "bad").write_bytes(content)
        for command in (["show"], ["replay"], ["import", "koikoi"]):
            assert "bad" in refused("record", *command, tmp_path / "bad")
            assert "cannot read" in refused("record", *command, tmp_path)


def test_out_that_holds_something_else(tmp_path, refused, run):
    (tmp_path / "mine").write_text("mine")
    assert "choose another" in refused(*DUEL, "--games", 2, "--out", tmp_path / "mine")
    run(*DUEL, "--games", 2, "--out", tmp_path / "duel")
    assert "choose another" in refused(*DUEL, "--games", 4, "--out", tmp_path / "duel")
    assert "choose another" in refused(*DUEL, "--games", 2, "--seed", 1, "--out", tmp_path / "duel")
    os.link(tmp_path / "duel", tmp_path / "other.part")
    assert "remove it" in refused(*DUEL, "--games", 4, "--out", tmp_path / "other")


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        fuda.cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"fuda {fuda.__version__}\n"


def test_a_file_that_exists_is_never_overwritten(tmp_path, capsys):
    precious = tmp_path / "notes.txt"
    precious.write_text("mine")
    for arguments in (
        ["record", "new", "koikoi", "--out", str(precious)],
        ["play", "koikoi", "--against", "koikoi/random", "--record", str(precious)],
    ):
        with pytest.raises(SystemExit) as end:
            fuda.cli.main(arguments)
        assert end.value.code == 2
        assert "exists; choose another file" in capsys.readouterr().err
    assert precious.read_text() == "mine"


def test_a_game_that_nobody_has_drawn(refused, run, tmp_path, monkeypatch):
    """Commands that need a terminal's picture say so; the others do not need it."""
    path = tmp_path / "m"
    assert run("record", "new", "gongzhu", "--out", path)[0] == 0
    monkeypatch.setattr(gongzhu, "SPEC", dataclasses.replace(gongzhu.SPEC, terminal=None))
    for command in (
        ["record", "show", path],
        ["play", "gongzhu", "--against", "gongzhu/random", "--record", tmp_path / "played"],
        ["explain", "gongzhu", "--record", path, "--move", 1, "--agent", "gongzhu/random"],
    ):
        assert refused(*command) == "fuda: gongzhu cannot be shown in a terminal: it has no terminal.py\n"
    assert run("record", "replay", path)[0] == 0


def test_models_that_ship_are_listed_with_sizes_and_hashes(run):
    code, out, _ = run("models", "--json")
    listed = json.loads(out)
    assert code == 0
    assert {model["model"].partition("/")[0] for model in listed} == {"doudizhu", "gongzhu", "koikoi"}
    for model in listed:
        assert model["weights"] == hash_of_files(model)
        assert (Path(model["folder"]) / "CARD.md").exists()
    shared = {model["model"]: model["files_of"] for model in listed if model["files_of"]}
    assert shared == {"koikoi/search": "rl-wp", "koikoi/rl-point": "rl-wp", "koikoi/best-point": "best"}
    _, out, _ = run("models", "koikoi")
    assert "koikoi/rl-wp" in out
    assert "gongzhu/best" not in out


def hash_of_files(model: dict) -> str:
    """What names a model's weights, from its files themselves."""
    folder = Path(model["folder"])
    card = read_card(folder)
    found = [hashlib.sha256(card.network(folder, number)) for number in range(len(model["networks"]))]
    return hashlib.sha256("".join(each.hexdigest() for each in found).encode()).hexdigest()[:16]


def test_models_of_an_unknown_game_are_refused(refused):
    assert "there is no game" in refused("models", "chess")
