"""Mistakes come back as puzzles: one is missed and one solved, on a desktop and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.serve.harness import Server
from tests.serve.test_puzzles import Reviewed
from tests.web.browser import DESKTOP, PHONE, Visit
from tests.web.test_access import check_screen


@pytest.fixture(scope="session")
def server(reviewing_server: Server) -> Server:
    return reviewing_server


def with_one_puzzle(server: Server, game: str) -> tuple[Reviewed, dict]:
    """Somebody who has played badly, with the one mistake left in which a card was to be chosen."""
    played = Reviewed(server, game)
    left = None
    for _ in played.mistakes:
        puzzle = played.first()
        mistake = played.mistake(puzzle)
        if left is None and {mistake["move"], mistake["best"]}.isdisjoint(("koikoi", "stop")):
            left = mistake
            played.solve(puzzle, mistake["move"])  # it comes last from now on
        else:
            played.owner.ask("DELETE", f"/puzzles/{puzzle['puzzle']}")
    assert left is not None
    assert played.counted()["due"] == 1
    return played, left


def go_to_the_lobby_as(page: Page, played: Reviewed) -> None:
    page.wait_for_selector(".past")
    assert page.locator(".puzzles-tile").count() == 0  # of who has none
    page.evaluate("secret => localStorage.setItem('fuda.owner', secret)", played.owner.secret)
    page.reload()
    page.wait_for_selector(".puzzles-tile")


def answer(page: Page, move: str, verdict: str) -> None:
    page.click(f'.felt button[data-id="{move}"]')
    page.wait_for_selector(f".verdict-place .{verdict}")
    check_screen(page, verdict)


@pytest.mark.parametrize(("game", "size", "language"), [("gongzhu", DESKTOP, "en"), ("koikoi", PHONE, "zh")])
def test_a_puzzle_is_missed_and_then_solved(
    visit: Callable[..., Visit], server: Server, game: str, size: tuple[int, int], language: str
) -> None:
    played, mistake = with_one_puzzle(server, game)
    page = visit(size=size, language=language, dark=size == PHONE, touch=size == PHONE).page
    go_to_the_lobby_as(page, played)
    assert page.locator(".puzzles-tile .count").inner_text() == "1"
    check_screen(page, "lobby")
    page.click(".puzzles-tile")
    page.wait_for_selector(".puzzles .felt .card")
    check_screen(page, "puzzle")
    assert page.locator(".felt .badge").count() == 0  # no values before a move is made
    answer(page, mistake["move"], "wrong")
    best = page.locator(".puzzle-side .values .best .figure")
    assert best.inner_text() in page.locator(".verdict-place").inner_text()
    assert page.locator(".felt .card.best").get_attribute("data-card") == mistake["best"]
    page.click(".puzzle-actions .primary")  # it comes back at once
    page.wait_for_selector(".puzzles[data-turn='1'] .felt button[data-id]")
    answer(page, mistake["best"], "right")
    assert played.counted()["later"] == 1
    page.click(".puzzle-actions .primary")
    page.wait_for_selector(".none-due")
    check_screen(page, "none due")
    page.click(".none-due a")
    page.wait_for_selector(".puzzles-tile .none")


def test_a_puzzle_can_be_left_out_and_its_game_be_seen(visit: Callable[..., Visit], server: Server) -> None:
    played, mistake = with_one_puzzle(server, "gongzhu")
    page = visit(size=DESKTOP, language="ja").page
    go_to_the_lobby_as(page, played)
    page.click(".puzzles-tile")
    answer(page, mistake["move"], "wrong")
    page.click(".puzzle-actions button:last-child")
    page.wait_for_selector(".replay .review a[href='#/puzzles']")
    page.click(".replay .review a[href='#/puzzles']")
    page.wait_for_selector(".puzzles .felt .card")
    page.click(".forget")
    page.wait_for_selector(".none-due")
    assert played.counted() == {"due": 0, "first": None, "later": 0, "next": None, "solved": 0}


def test_what_is_not_due_any_more_is_said(visit: Callable[..., Visit], server: Server) -> None:
    """It was solved in another tab meanwhile."""
    played, mistake = with_one_puzzle(server, "gongzhu")
    window = visit(size=DESKTOP)
    page = window.page
    go_to_the_lobby_as(page, played)
    page.click(".puzzles-tile")
    page.wait_for_selector(".puzzles .felt .card")
    played.solve(played.first(), mistake["best"])
    page.click(f'.felt button[data-id="{mistake["move"]}"]')
    page.wait_for_selector(".trouble")
    assert "not due any more" in page.locator(".trouble").inner_text()
    page.click(".trouble button")
    page.wait_for_selector(".none-due")
    window.forgive("404")
