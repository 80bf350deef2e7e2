"""The built page: it matches its source, and is small enough."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.web.browser import Visit, start_game

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/fuda/serve/static"
LOBBY_BYTES, GAME_BYTES = 130_000, 320_000


def test_the_build_matches_its_source() -> None:
    subprocess.run([sys.executable, str(ROOT / "web/stamp.py"), "--check"], check=True)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("web/App.tsx", "not built from web/"),
        ("web/games/new.ts", "not built from web/"),
        ("src/fuda/serve/static/index.html", "not as it was built"),
        ("src/fuda/serve/static/assets/new.js", "not as it was built"),
    ],
)
def test_a_change_by_hand_is_found(tmp_path: Path, path: str, told: str) -> None:
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules", "shots"))
    shutil.copytree(STATIC, tmp_path / STATIC.relative_to(ROOT))
    check = [sys.executable, str(tmp_path / "web/stamp.py"), "--check"]
    subprocess.run(check, check=True)
    with (tmp_path / path).open("a") as file:
        file.write("\n")
    found = subprocess.run(check, capture_output=True, text=True)
    assert found.returncode == 1
    assert told in found.stderr


def test_the_lock_file_is_whole() -> None:
    """`npm ci` takes it as it is, on any system, and does not write it."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    for path, package in packages.items():
        for kind in ("dependencies", "devDependencies", "optionalDependencies"):
            for name in package.get(kind, {}):
                assert {f"{path}/node_modules/{name}", f"node_modules/{name}"} & set(packages), (path, name)


@pytest.mark.parametrize("path", ["web/net/protocol.ts", "src/fuda/serve/schema.json"])
def test_the_types_of_messages_are_those_of_the_schema(tmp_path: Path, path: str) -> None:
    for file in ("web/protocol.py", "web/net/protocol.ts", "src/fuda/serve/schema.json"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    check = [sys.executable, str(tmp_path / "web/protocol.py"), "--check"]
    subprocess.run(check, check=True)
    changed = (tmp_path / path).read_text().replace("stand_in", "deputy")
    (tmp_path / path).write_text(changed)
    found = subprocess.run(check, capture_output=True, text=True)
    assert found.returncode == 1
    assert "run make page" in found.stderr


def test_the_page_can_be_installed() -> None:
    """The manifest that it names has icons of the sizes that it says, one to be cut to any shape."""
    assert '<link rel="manifest" href="/manifest.webmanifest"' in (STATIC / "index.html").read_text()
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        file = STATIC / icon["src"].lstrip("/")
        if icon["type"] == "image/png":
            with Image.open(file) as picture:
                assert f"{picture.width}x{picture.height}" == icon["sizes"]
                corner = picture.convert("RGBA").getpixel((0, 0))
            assert (corner[3] == 255) == (icon.get("purpose") == "maskable")
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}


def test_nothing_is_inline_or_from_elsewhere() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|style=|<script(?![^>]* src=)|https?://|data:", page)
    for script in STATIC.rglob("*.js"):
        found = set(re.findall(r"https?://[\w./-]+", script.read_text()))
        assert found <= {
            "http://www.w3.org/1998/Math/MathML",
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xhtml",
        }


def fetched(window: Visit) -> int:
    """The bytes of all files that the page has fetched, compressed as the server sends them."""
    paths = window.page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)"
    )
    files = {path for path in [*paths, "/index.html"] if not path.startswith("/api/")}
    return sum(len(gzip.compress((STATIC / path.lstrip("/")).read_bytes())) for path in files)


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize("game", ["koikoi", "gongzhu", "doudizhu"])
def test_first_use_is_small(visit: Callable[..., Visit], game: str, language: str) -> None:
    window = visit(language=language)
    window.page.wait_for_selector(".past")
    lobby = fetched(window)
    start_game(window.page, game)
    window.page.wait_for_load_state("networkidle")
    assert lobby < LOBBY_BYTES
    assert fetched(window) < GAME_BYTES
