"""The documentation as a site: it builds without a warning, and asks nothing of other places."""

import json
import logging
import re
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).parent.parent
# What a browser fetches by itself, at another place.
FETCHED = re.compile(r"""<(?:script|img|iframe|source)[^>]+src=["']?(https?:[^"' >]+)""")
STYLES = re.compile(r"""<link[^>]+rel=["']?(?:stylesheet|preload|icon)[^>]+href=["']?(https?:[^"' >]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    place = tmp_path_factory.mktemp("site")
    warnings: list[str] = []

    class Warnings(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            warnings.append(record.getMessage())

    handler = Warnings(logging.WARNING)
    logging.getLogger("mkdocs").addHandler(handler)
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(place)))
    logging.getLogger("mkdocs").removeHandler(handler)
    assert warnings == []
    return place


def test_it_builds_without_a_warning_and_fetches_nothing(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text()
        assert FETCHED.findall(text) + STYLES.findall(text) == [], page


def test_rules_and_contributing_are_pages_whose_links_stay_on_the_site(site):
    rules = (site / "rules" / "koikoi" / "index.html").read_text()
    assert "the rules played here" in rules
    contributing = (site / "contributing" / "index.html").read_text()
    assert 'href="../page/#a-new-game-on-the-page"' in contributing
    bots = (site / "bots" / "index.html").read_text()
    assert 'href="../rules/koikoi/"' in bots


def test_the_notebook_is_a_page(site):
    notebook = (site / "notebook" / "index.html").read_text()
    assert "koikoi-small" in notebook
    cells = json.loads((ROOT / "examples" / "fuda.ipynb").read_text())["cells"]
    assert notebook.count('<div class="highlight"') == sum(cell["cell_type"] == "code" for cell in cells)
    assert 'href="notebook/"' in (site / "index.html").read_text()


def test_the_python_reference_has_what_is_promised(site):
    reference = (site / "api" / "index.html").read_text()
    for name in ("fuda.duel", "fuda.ratings", "fuda.Match", "fuda.games.koikoi.points"):
        assert f'id="{name}"' in reference
