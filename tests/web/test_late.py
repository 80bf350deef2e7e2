"""Answers that come late, as from a slow machine: nothing moves under the person's hand when they come.

The visit itself finds what moves. It leaves out what a press moves within half a second; all is later here.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.serve.harness import Server
from tests.serve.test_tables import random_seats
from tests.web.browser import (
    DESKTOP,
    LATE_MS,
    PHONE,
    PHONE_ASIDE,
    Visit,
    answer_late,
    find_clipped,
    start_game,
    wait_for_turn,
)
from tests.web.test_access import RIVAL, game_with_a_question, play_moves

GOLDEN = Path(__file__).parent.parent / "golden"
LANGUAGES = ("en", "ja", "zh")
IN_TURN = list(zip((PHONE, PHONE_ASIDE, DESKTOP), LANGUAGES, strict=True))
everywhere = pytest.mark.parametrize(("size", "language"), IN_TURN)
on_both = pytest.mark.parametrize(("size", "language"), [(PHONE, "ja"), (DESKTOP, "en")])


def owner_of(page: Page) -> str:
    page.wait_for_selector(".past, .table-page")
    return str(page.evaluate("localStorage['fuda.owner']"))


def add_record(page: Page, server: Server, game: str) -> str:
    """A past game, from a file: its id."""
    file = (GOLDEN / f"{game}-random.jsonl").read_text()
    return str(server.ask("POST", "/records", {"file": file}, owner_of(page))["record"])


def see_trouble(page: Page, size: tuple[int, int]) -> None:
    """Something is told where it is seen, and goes when it is closed."""
    told = page.locator(".trouble")
    told.wait_for()
    box = told.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= size[0] - box["width"]
    assert 0 <= box["y"] <= size[1] - box["height"]
    assert not find_clipped(page)
    told.locator("button").click()
    told.wait_for(state="detached")


@pytest.fixture(scope="module")
def few_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which everybody may have one table, and no more."""
    running = Server(tmp_path_factory.mktemp("few"), tables=1, seeded=True)
    yield running
    running.stop()


def take_a_table(server: Server, page: Page) -> None:
    """Another table of the page's owner."""
    server.ask("POST", "/tables", {"game": "gongzhu", "seats": random_seats("gongzhu")}, owner_of(page))


@everywhere
def test_a_game_that_cannot_be_started(
    few_tables: Server, visit: Callable[..., Visit], size: tuple[int, int], language: str
) -> None:
    window = visit(at=few_tables, size=size, language=language)
    page = window.page
    take_a_table(few_tables, page)
    answer_late(page, "tables")
    page.click(".tile[href$=koikoi]")
    page.click("button[type=submit]")
    see_trouble(page, size)
    window.forgive("status of 429")


@everywhere
def test_a_game_that_cannot_be_played_again_or_saved(
    few_tables: Server, visit: Callable[..., Visit], size: tuple[int, int], language: str
) -> None:
    window = visit(at=few_tables, size=size, language=language)
    page = window.page
    start_game(page, "gongzhu")
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button").nth(1).click()
    page.click("dialog .primary")
    buttons = page.locator("dialog .actions > button")
    buttons.nth(4).wait_for(state="attached")  # narrow screens do not show it
    take_a_table(few_tables, page)
    answer_late(page, "tables/*/rematch")
    answer_late(page, "records/*/file", lost=True)
    for button in (0, 1, 3):
        buttons.nth(button).click()
        see_trouble(page, size)
    window.forgive("status of 429")
    window.forgive("ERR_FAILED")


@on_both
def test_a_replay_that_cannot_be_saved(
    visit: Callable[..., Visit], server: Server, size: tuple[int, int], language: str
) -> None:
    window = visit(size=size, language=language)
    page = window.page
    record = add_record(page, server, "gongzhu")
    page.goto(f"{server.origin}/#/replay/{record}")
    answer_late(page, "records/*/file", lost=True)
    page.click("header.bar button:not(.round)")
    see_trouble(page, size)
    window.forgive("ERR_FAILED")


@on_both
def test_what_is_deleted_goes_at_once(
    visit: Callable[..., Visit], server: Server, size: tuple[int, int], language: str
) -> None:
    window = visit(size=size, language=language)
    page = window.page
    add_record(page, server, "gongzhu")
    take_a_table(server, page)
    page.reload()
    answer_late(page, "**")
    for part in (".running", ".past"):
        page.locator(f"{part} li button").last.click()
        page.click("dialog .primary")
        page.wait_for_selector(f"{part} li", state="detached")
        page.wait_for_timeout(3 * LATE_MS)  # until the deletion and the lists after it are answered


def test_what_cannot_be_deleted_comes_back(visit: Callable[..., Visit], server: Server) -> None:
    window = visit()
    page = window.page
    record = add_record(page, server, "gongzhu")
    page.reload()
    answer_late(page, f"records/{record}", lost=True)
    page.locator(".past li button").last.click()
    page.click("dialog .primary")
    page.wait_for_selector(".past li", state="detached")
    see_trouble(page, DESKTOP)
    assert page.locator(".past li").count() == 1
    # It takes its place again, above the button.
    assert all("Add a game" in shift for shift in page.evaluate("shifts()"))
    window.forgive_shifts()
    window.forgive("ERR_FAILED")


def hold_hints(page: Page) -> None:
    """Hold all hints back. In the page itself: who waits for them here would wait with the whole test."""
    page.evaluate(
        """() => {
          const { get, set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
          let held = [];
          const hold = (listen) => (event) =>
            held && event.data.includes('"hint"') ? held.push(() => listen(event)) : listen(event);
          Object.defineProperty(WebSocket.prototype, "onmessage", {
            get, set(listen) { set.call(this, hold(listen)); },
          });
          window.release = () => {
            for (const give of held) give();
            held = null;
          };
        }"""
    )


def release_hints(page: Page) -> None:
    """Let them come, late."""
    page.wait_for_timeout(LATE_MS)
    page.evaluate("release()")


@pytest.mark.parametrize(
    ("game", "size", "language"),
    [("koikoi", PHONE, "en"), ("gongzhu", DESKTOP, "ja"), ("doudizhu", DESKTOP, "zh")],
)
def test_hints(visit: Callable[..., Visit], game: str, size: tuple[int, int], language: str) -> None:
    page = visit(size=size, language=language, hints=True).page
    hold_hints(page)
    start_game(page, game)
    wait_for_turn(page, game)
    if size == PHONE:
        page.click("header.bar .narrow-only")
    release_hints(page)
    page.locator(".values:visible .best").wait_for()


def test_the_hint_for_a_question(visit: Callable[..., Visit]) -> None:
    """Its line is empty until it comes, and does not move then."""
    seed, moves = game_with_a_question()
    page = visit(name=str(seed), hints=True).page
    hold_hints(page)
    start_game(page, "koikoi", RIVAL)
    play_moves(page, moves)
    page.wait_for_selector(".answers .worth")
    release_hints(page)
    page.wait_for_selector(".answers .best")


def test_the_values_of_a_replay(visit: Callable[..., Visit], server: Server) -> None:
    page = visit().page
    record = add_record(page, server, "doudizhu")
    page.goto(f"{server.origin}/#/replay/{record}")
    answer_late(page, "records/*/values", times=4)
    page.locator(".replay-options select").nth(1).focus()
    page.keyboard.press("ArrowDown")
    for judged in (4, 8, 12):  # piece by piece
        page.get_by_text(f" {judged}/").wait_for()
    page.wait_for_selector(".costs button")


@on_both
def test_all_answers(visit: Callable[..., Visit], size: tuple[int, int], language: str) -> None:
    page = visit(size=size, language=language).page
    answer_late(page, "**")
    page.reload()
    page.wait_for_selector(".past")
    start_game(page, "koikoi")
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button").nth(1).click()
    page.click("dialog .primary")
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".replay .felt .card")
    page.click("header.bar button")
    page.wait_for_selector(".past li")
