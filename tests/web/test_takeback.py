"""A move is taken back: from the menu or by the key that undoes, after one question, in all tabs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.browser import (
    DESKTOP,
    PHONE,
    QUICK,
    Visit,
    play_move,
    play_out,
    position,
    start_game,
    wait_for_turn,
)
from tests.web.test_access import check_screen


def take_back_by_menu(page: Page) -> None:
    page.click("header.bar button:last-child")
    page.click("dialog .menu [aria-keyshortcuts]")


def stands_at(page: Page, seq: str) -> None:
    page.wait_for_selector(f".table-page[data-seq='{seq}']:not([data-busy])")


def two_moves(page: Page, game: str) -> list[str]:
    """Where the person's first two turns were."""
    turns = []
    for _ in range(2):
        wait_for_turn(page, game)
        turns.append(position(page))
        assert play_move(page, game)
    wait_for_turn(page, game)
    return turns


@pytest.mark.parametrize(
    ("size", "language", "game"),
    [(DESKTOP, "en", "koikoi"), (PHONE, "ja", "gongzhu"), (PHONE, "zh", "doudizhu")],
)
def test_moves_are_taken_back_one_by_one(
    visit: Callable[..., Visit], size: tuple[int, int], language: str, game: str
) -> None:
    window = visit(size=size, language=language, touch=size == PHONE, speed=QUICK, hints=False)
    page = window.page
    start_game(page, game)
    first, second = two_moves(page, game)
    tab = window.new_tab()
    tab.goto(page.url)
    wait_for_turn(tab, game)
    if size == DESKTOP:
        page.keyboard.press("Control+z")
    else:
        take_back_by_menu(page)
    page.wait_for_selector("dialog .actions .primary")
    check_screen(page, "question")
    page.click("dialog .actions .primary")
    for each in (page, tab):
        stands_at(each, second)
        wait_for_turn(each, game)
    if size == DESKTOP:
        page.keyboard.press("Control+z")  # now it does not count any more: no question
    else:
        take_back_by_menu(page)
    stands_at(page, first)
    page.keyboard.press("Control+z")  # there is nothing before
    page.reload()
    stands_at(page, first)
    tab.close()
    assert play_move(page, game)


def test_a_game_with_a_takeback_is_listed_as_one(visit: Callable[..., Visit]) -> None:
    page = visit(size=DESKTOP, speed=QUICK).page
    start_game(page, "gongzhu")
    assert play_move(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    page.keyboard.press("Control+z")
    page.click("dialog .actions .primary")
    stands_at(page, "0")
    play_out(page, "gongzhu")
    page.click("dialog .actions button:last-of-type")
    page.wait_for_selector(".past .list li")
    assert "takeback" in page.locator(".past .list li .chip").first.inner_text()
    assert "takebacks" in page.locator(".results tbody th").first.inner_text()
