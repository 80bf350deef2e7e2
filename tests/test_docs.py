"""What the documents say can be typed: every command line is valid, and what can run here runs, shortened.

Small recipes train for a moment, a person leaves the table at once. Commands that serve, or need a GPU or
other machines, are only parsed.
"""

import importlib
import io
import re
import shlex
import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
import typer.main

import fuda
from fuda.agents.model import model_folders
from fuda.arena import speed
from fuda.cli import app, main
from fuda.games.doudizhu import recipes
from fuda.training import registry
from tests.documents import BLOCK, ROOT, blocks, typed_lines

torch.set_num_threads(1)  # test processes share the cores

COMMAND = re.compile(r"(?:\$ )?(?:torchrun .*? -m )?fuda (.*)")

SHORT = {"--games": "2", "--deals": "1", "--sprt": None, "--minutes": "0.005"}
FAST = {
    "doudizhu/best": "doudizhu/best-raw",
    "gongzhu/uct": "gongzhu/uct,trees=1,iterations=20",
    "koikoi/uct": "koikoi/uct,trees=1,iterations=20",
}
RUN = {
    "agents", "bench", "bot", "duel", "explain", "models", "play", "ratings", "record", "review",
    "tournament", "train",
}  # fmt: skip
NOT_HERE = ("--ray", "./my-bot", "games/*.json", "--suits")  # the last takes long, also for few games
QUICK_TRAINING = ("--device", "cpu", "--no-evaluate")


class Typed(NamedTuple):
    """A command line of a document."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"[:90]


def command_lines() -> list[Typed]:
    found = []
    for page, line in typed_lines():
        typed = COMMAND.fullmatch(line)
        if typed and not re.search(r"[A-Z]{4,}|\[", typed[1].partition("#")[0].replace("--", "")):
            words = shlex.split(typed[1], comments=True)
            into = words.index(">") if ">" in words else len(words)
            found.append(Typed(page.name, tuple(words[:into])))
    return found


def shortened(words: tuple[str, ...]) -> list[str]:
    """The same command with few games, by fast agents."""
    found, at = [], 0
    while at < len(words):
        word = words[at]
        if word in SHORT:
            kept = SHORT[word]
            found += [] if kept is None else [word, kept]
            at += 3 if kept is None else 2
        else:
            found.append(FAST.get(word, word))
            at += 1
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as a reader has it: a trained agent, some records, the results of a tournament."""
    place = tmp_path_factory.mktemp("reader")
    models = {game: model_folders(game) for game in ("koikoi", "doudizhu")}
    shutil.copytree(models["koikoi"]["rl-wp"], place / "my-agent" / "model")
    shutil.copytree(models["doudizhu"]["best-point"], place / "runs" / "cql" / "model")
    records = (ROOT / "docs/doudizhu-records.md").read_text()
    (place / "games.txt").write_text(next(text for _, text in BLOCK.findall(records) if "landlord" in text))
    for name in ("docs", "examples"):
        (place / name).symlink_to(ROOT / name)
    return place


def record_of(game: str, path: Path) -> None:
    options = {"rounds": 1} if game == "koikoi" else {}
    match, agent = fuda.game(game, **options).start(4), fuda.agent(f"{game}/random", seed=4)
    while not match.over:
        match.play(agent.choose(match))
    fuda.records.save(match, path)


def test_there_are_commands():
    assert len(command_lines()) > 50


@pytest.mark.parametrize("typed", sorted(set(command_lines())), ids=str)
def test_each_command_is_valid(typed):
    command, words = typer.main.get_command(app), list(typed.words)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    command.make_context("fuda", words)


def can_run(typed: Typed) -> bool:
    line, command = " ".join(typed.words), typed.words[0]
    needs_gpu = command == "train" and not typed.words[1].endswith("-small")
    return command in RUN and not needs_gpu and not any(part in line for part in NOT_HERE)


@pytest.fixture
def quick(monkeypatch):
    """Speed is measured for an instant, and a teacher plays few games."""
    monkeypatch.setattr(speed, "REPEATS", 1)
    monkeypatch.setattr(
        importlib.import_module("fuda.cli.bench"), "measure", partial(speed.measure, seconds=0.001)
    )
    monkeypatch.setitem(recipes.RECIPES["doudizhu-deeprocket-small"], "group_size", 16)


@pytest.mark.parametrize("page", sorted({typed.page for typed in command_lines() if can_run(typed)}))
def test_what_can_run_here_runs(page, folder, quick, tmp_path, monkeypatch, capsys):
    """In the order of the page, in one folder: later commands take what earlier ones left."""
    place = tmp_path / "reader"
    shutil.copytree(folder, place, symlinks=True)
    monkeypatch.chdir(place)
    for typed in (typed for typed in command_lines() if typed.page == page and can_run(typed)):
        words = shortened(typed.words)
        if words[0] == "train":
            shutil.rmtree(words[words.index("--out") + 1], ignore_errors=True)
            words += (
                QUICK_TRAINING if "--minutes" in words else (*QUICK_TRAINING, "--minutes", SHORT["--minutes"])
            )
        if words[0] == "play":
            monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        if words == ["bench"]:
            words += ["koikoi"]
        if words[0] == "bot":
            words += ["--matches", "2"]
        if words[0] == "explain" and "--record" in words:
            words += [] if "--agent" in words else ["--agent", "koikoi/rl-wp"]
            record_of(words[1], place / "match.jsonl")
        if words[0] == "review" and not (place / "match.jsonl").exists():
            record_of("gongzhu", place / "match.jsonl")
        if page == "rating.md" and words[0] == "duel" and words[1] == "gongzhu":
            words[words.index("my-agent/model")] = "gongzhu/best-raw"  # that page's agent plays Koi-Koi
        words = [
            str(file) for word in words for file in (sorted(place.glob(word)) if "*" in word else [word])
        ]
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code in (0, None), (typed, capsys.readouterr())


@pytest.mark.parametrize("page", sorted({page for page, _ in blocks("python")}), ids=lambda page: page.name)
def test_python_of_the_documents(page, folder, tmp_path, monkeypatch):
    """The blocks of a page one after the other: later ones use what earlier ones made."""
    monkeypatch.chdir(tmp_path)
    record_of("koikoi", tmp_path / "match.jsonl")
    names = {"fuda": fuda, "__name__": "documents"}
    for code in (code for of, code in blocks("python") if of == page):
        shorter = re.sub(r"(games|deals|num_envs)=\d+", r"\1=2", code)
        shorter = shorter.replace(
            '"gongzhu/uct", trees=20, iterations=500', '"gongzhu/uct", trees=1, iterations=20'
        )
        compiled = compile(shorter, str(page), "exec")
        if "RayWorkers" not in code and "sys.stdin" not in code:  # a cluster; a bot, which tests/bots runs
            exec(compiled, names)
    for recipe in names.get("RECIPES", {}).values():
        assert registry._read("planted", recipe)
