"""Screens for everybody: axe finds nothing serious, nothing is clipped, nothing lies outside the screen."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.browser import (
    DESKTOP,
    PHONE,
    PHONE_ASIDE,
    Visit,
    play_move,
    play_out,
    start_game,
    wait_for_turn,
)

AXE = files("axe_core_python").joinpath("axe.min.js").read_text()
LANGUAGES = ("en", "ja", "zh")
SIZES = [PHONE, PHONE_ASIDE, DESKTOP]

FIND_CLIPPED = (Path(__file__).parent / "find_clipped.js").read_text().partition("\n")[2]


def check_screen(page: Page, name: str) -> None:
    """Nothing serious by axe, nothing clipped."""
    page.wait_for_timeout(150)
    clipped = page.evaluate(FIND_CLIPPED)
    assert not clipped, (name, clipped)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    serious = [
        (violation["id"], [node["html"][:160] for node in violation["nodes"]][:3])
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert not serious, (name, serious)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_lobby(visit: Callable[..., Visit], size: tuple[int, int], dark: bool) -> None:
    page = visit(size=size, dark=dark).page
    page.wait_for_selector(".past")
    check_screen(page, "lobby")
    page.click(".tile.doudizhu")
    page.wait_for_selector("form")
    page.click("summary")
    check_screen(page, "new game")
    page.click(".hero button")
    page.wait_for_selector("dialog .rules")
    check_screen(page, "how to play")
    page.keyboard.press("Escape")
    page.click(".head button")
    page.wait_for_selector("dialog .settings")
    check_screen(page, "settings")


# Every game on every size, and every language on every size; tests.web.shots goes through all of them.
@pytest.mark.parametrize(
    ("game", "size", "language"),
    [
        (game, size, LANGUAGES[(number + place) % 3])
        for number, game in enumerate(("koikoi", "gongzhu", "doudizhu"))
        for place, size in enumerate(SIZES)
    ],
)
def test_tables(visit: Callable[..., Visit], game: str, size: tuple[int, int], language: str) -> None:
    page = visit(size=size, dark=language == "ja", language=language, hints=True, labels=True).page
    start_game(page, game, **({"rounds": 1} if game == "koikoi" else {}))
    wait_for_turn(page, game)
    check_screen(page, f"{game}, first move")
    if size == DESKTOP:
        page.click("header.bar button:nth-last-child(2)")
        page.wait_for_selector("dialog .rules")
        check_screen(page, f"{game}, rules")
        page.keyboard.press("Escape")
    for _ in range(3):
        play_move(page, game)
    wait_for_turn(page, game)
    check_screen(page, f"{game}, in play")
    play_out(page, game)
    check_screen(page, f"{game}, summary")
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".steps")
    page.wait_for_selector(".felt .card")
    check_screen(page, f"{game}, replay")
