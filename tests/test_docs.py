"""What the documents say can be typed: every command line is valid, and what can run here runs, shortened.

Commands that train, serve, play with a person or need other machines are only parsed.
"""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
import typer.main

import fuda
from fuda.agents.model import model_folders
from fuda.cli import app, main

torch.set_num_threads(1)  # test processes share the cores

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:\$ )?(?:torchrun .*? -m )?fuda (.*)")

SHORT = {"--games": "2", "--deals": "1", "--sprt": None}
FAST = {"gongzhu/uct": "gongzhu/uct,trees=1,iterations=20", "doudizhu/best": "doudizhu/best-raw"}
RUN = {"duel", "tournament", "ratings", "record", "agents", "explain", "review"}
NOT_HERE = ("--ray", "./my-bot", "games/*.json", "--disagree", "--suits")


class Typed(NamedTuple):
    """A command line of a document."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"[:90]


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text()):
            if found[1] == language:
                yield page, found[2]


def command_lines() -> list[Typed]:
    found = []
    for language in ("", "text", "sh"):
        for page, block in blocks(language):
            for line in block.replace("\\\n", " ").splitlines():
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
    for run in ("cql", "cql-small", "deeprocket-small"):
        shutil.copytree(models["doudizhu"]["best-point"], place / "runs" / run / "model")
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
    line = " ".join(typed.words)
    return typed.words[0] in RUN and not any(part in line for part in NOT_HERE)


@pytest.mark.parametrize("page", sorted({typed.page for typed in command_lines() if can_run(typed)}))
def test_what_can_run_here_runs(page, folder, tmp_path, monkeypatch, capsys):
    """In the order of the page, in one folder: later commands take what earlier ones left."""
    place = tmp_path / "reader"
    shutil.copytree(folder, place, symlinks=True)
    monkeypatch.chdir(place)
    for typed in (typed for typed in command_lines() if typed.page == page and can_run(typed)):
        words = shortened(typed.words)
        if words[0] == "explain":
            words += [] if "--agent" in words else ["--agent", "koikoi/rl-wp"]
            record_of(words[1], place / "match.jsonl")
        if words[0] == "review" and not (place / "match.jsonl").exists():
            record_of("gongzhu", place / "match.jsonl")
        if words[0] == "duel" and words[1] == "gongzhu" and "my-agent/model" in words:
            words[words.index("my-agent/model")] = "gongzhu/best-raw"
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
