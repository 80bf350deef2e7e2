"""The documents' other commands are valid: scripts, make, torchrun, ray. And their links lead somewhere."""

import argparse
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest
import torch
from torch.distributed.run import get_args_parser

from tests.documents import PAGES, ROOT, typed_lines

torch.set_num_threads(1)  # test processes share the cores

CARDS = sorted((ROOT / "src" / "fuda" / "models").glob("*/*/CARD.md"))
RULES = sorted((ROOT / "src" / "fuda" / "games").glob("*/RULES.md"))
LINKED = (*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")), *CARDS, *RULES)
TEXTS = (*PAGES, *CARDS)
SCRIPT = re.compile(r"python3? ((?:bench|docs|examples)/\w+\.py)(.*)")
MODULE = re.compile(r"python3? -m (\w+(?:\.\w+)*)")
MAKE = re.compile(r"make ([a-z][a-z-]*)")
LINK = re.compile(r"(?<!`)\[[^]\n]*\]\(([^)\s]+)\)")
VALUES = {"SEED": "1", "RECIPE": "koikoi-small"}  # of placeholders that are not any word


class Parsed(Exception):
    """The options were good, and nothing more is to run."""


def in_code() -> list[tuple[Path, str]]:
    """What stands as code within a line."""
    return [(page, code) for page in TEXTS for code in re.findall(r"`([^`\n]+)`", page.read_text())]


def in_blocks() -> list[tuple[Path, str]]:
    """Lines of blocks for a terminal, without their comments."""
    return [(page, line.partition(" #")[0].strip()) for page, line in typed_lines()]


def lines_like(pattern: re.Pattern[str]) -> list[str]:
    return sorted({line for _, line in [*in_blocks(), *in_code()] if pattern.fullmatch(line)})


def has_options(script: Path) -> bool:
    return "ArgumentParser" in script.read_text()


def test_scripts_are_named():
    assert len(lines_like(SCRIPT)) > 40


@pytest.mark.parametrize("line", lines_like(SCRIPT))
def test_a_script_knows_the_options_that_it_is_given(line, monkeypatch, capsys):
    """It runs up to where its options are read. In running text words may be left out, in blocks none."""
    name, rest = SCRIPT.fullmatch(line).groups()
    script = ROOT / name
    words = [VALUES.get(word, word) for word in shlex.split(rest) if word != "..."]
    if not has_options(script):
        assert script.exists()
        assert not words
        return
    parse, is_block = argparse.ArgumentParser.parse_args, line in {typed for _, typed in in_blocks()}

    def parse_alone(parser: argparse.ArgumentParser, *arguments: object) -> None:
        parse(parser, *arguments)
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_alone)
    monkeypatch.setattr(sys, "argv", [name, *words])
    monkeypatch.syspath_prepend(str(script.parent))
    with pytest.raises((Parsed, SystemExit)) as stop:
        runpy.run_path(str(script), run_name="__main__")
    complaint = capsys.readouterr().err
    if stop.type is SystemExit:
        assert not is_block, complaint
        assert "the following arguments are required" in complaint


@pytest.mark.parametrize("line", lines_like(MODULE))
def test_a_module_is_there(line):
    assert (ROOT / (line.split()[2].replace(".", "/") + ".py")).exists()


def test_targets_of_make_are_there():
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = {MAKE.match(line)[1] for line in lines_like(re.compile(MAKE.pattern + r"(?: [A-Z_]+=.*)?"))}
    assert len(told) > 5
    assert told <= targets


def test_torchrun_and_ray_know_their_options():
    from ray.scripts.scripts import start  # slow to import

    torchrun = [line for _, line in in_blocks() if line.startswith("torchrun ")]
    ray = [line for _, line in in_blocks() if line.startswith("ray ")]
    assert torchrun
    assert ray
    for line in torchrun:
        asked = get_args_parser().parse_args(shlex.split(line)[1:])
        assert (asked.module, asked.training_script) == (True, "fuda")
    for line in ray:
        _, command, *words = shlex.split(line)
        assert command == "start"
        start.make_context("ray start", words)


def anchors(page: Path) -> set[str]:
    """What a link to a place in a page may say, as GitHub has it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_are_not_broken(page):
    """Those of docs/ are the site's to check."""
    for link in LINK.findall(page.read_text()):
        if not re.match(r"\w+:", link):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link
