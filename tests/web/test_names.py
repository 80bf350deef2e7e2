"""What players are called on the page."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.web.browser import PHONE, Visit, start_game, wait_for_turn


def own_plate(page: Page) -> str:
    return page.locator(".plate .name").last.inner_text()


def test_equal_names_keep_their_numbers_where_there_is_no_room(visit: Callable[..., Visit]) -> None:
    page = visit(size=PHONE, touch=True, delay=1800).page
    start_game(page, "koikoi", seat=-1)
    for plate in page.locator(".plate").all():
        number = plate.locator(".number")
        outer, inner = plate.bounding_box(), number.bounding_box()
        assert outer is not None
        assert inner is not None
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        assert number.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert sorted(page.locator(".plate .number").all_inner_texts()) == ["1", "2"]
    page.click('header.bar button[aria-label="Scores and moves"]')
    seats = page.locator("dialog .watch select").nth(1).locator("option").all_inner_texts()
    assert [seat[:4] for seat in seats] == ["1 · ", "2 · "]


def test_who_has_no_name_is_called_in_the_language_of_the_page(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    assert own_plate(page) == "You"
    assert not window.faults()
    for code, name in (("ja", "あなた"), ("zh", "你")):
        page.click("header.bar button:last-child")
        page.locator("dialog .menu button").first.click()
        page.locator("dialog select").first.select_option(code)
        page.locator(".plate .name", has_text=name).wait_for()
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    window.forgive_shifts()  # other words have other widths


def test_a_name_that_was_given_stays(visit: Callable[..., Visit]) -> None:
    page = visit(name="Hanako", language="ja").page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    assert own_plate(page) == "\u2068Hanako\u2069"
