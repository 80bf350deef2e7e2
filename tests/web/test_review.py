"""A review opens by itself after a game, and its worst moves can be looked at and tried again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from tests.serve.harness import Server
from tests.web.browser import (
    DESKTOP,
    PHONE,
    QUICK,
    Visit,
    find_clipped,
    play_move,
    play_out,
    position,
    start_game,
    wait_for_turn,
)


@pytest.fixture(scope="session")
def server(reviewing_server: Server) -> Server:
    return reviewing_server


def play_badly(page: Page, game: str) -> None:
    """A game in which always the first card is played that can be, and its review."""
    start_game(page, game)
    play_out(page, game)
    page.wait_for_selector("dialog .review")


def try_again(page: Page, button: Locator) -> None:
    """From the worst mistake a game goes on."""
    before = page.url
    button.click()
    page.wait_for_function("address => location.href !== address", arg=before)
    wait_for_turn(page, "gongzhu")
    begun = int(position(page))
    assert play_move(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    assert int(position(page)) > begun


def test_a_review_opens_and_a_mistake_is_tried_again(visit: Callable[..., Visit]) -> None:
    page = visit(size=DESKTOP, speed=QUICK).page
    play_badly(page, "gongzhu")
    assert find_clipped(page) == []
    mistakes = page.locator("dialog .mistakes li")
    assert 1 <= mistakes.count() <= 3
    assert "better:" in mistakes.first.inner_text()
    assert page.locator("dialog .review-curve .line").get_attribute("d").startswith("M")
    assert page.locator("dialog .review-curve .dot").count() >= mistakes.count()
    page.reload()  # it is stored
    page.wait_for_selector("dialog .review")
    try_again(page, mistakes.first.locator("button"))


def test_a_replay_on_a_phone_has_the_review_of_each_seat(visit: Callable[..., Visit]) -> None:
    page = visit(size=PHONE, language="zh", speed=QUICK).page
    play_badly(page, "gongzhu")
    assert find_clipped(page) == []
    worst = page.locator("dialog .mistakes small").first.inner_text()
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".replay .review")
    place, seat = page.locator(".review-place"), page.locator(".replay-options select").first
    height, whole = (page.locator(part).bounding_box()["height"] for part in (".replay-side", "body"))
    assert height > 0.35 * whole
    place.locator(".mistake-actions button").first.click()
    number = int("".join(filter(str.isdigit, worst)))
    assert f"{number - 1} /" in page.locator(".position").inner_text()
    assert "事后" in place.inner_text()  # open cards are hindsight
    seat.press("ArrowDown")  # a press, after which plates may change
    place.locator("button").click()  # the others' seats are reviewed when they are asked for
    page.wait_for_selector(".review-place .review")
    mistakes, buttons = (place.locator(f".mistakes {part}").count() for part in ("li", "button"))
    assert buttons == mistakes  # nobody else's moves are tried again
    assert find_clipped(page) == []
    seat.press("ArrowUp")
    page.wait_for_selector(".review-place .mistake-actions button:nth-child(2)")
    try_again(page, place.locator(".mistake-actions").first.locator("button").last)
