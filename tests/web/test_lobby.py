"""What the lobby does when something goes wrong, and before it deletes something."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.serve.harness import Server
from tests.web.browser import DESKTOP, LATE_MS, PHONE, PHONE_ASIDE, SHIFTS, Visit, answer_late
from tests.web.test_folders import GAMES

GOLDEN = Path(__file__).parent.parent / "golden"
PLANTED = Path(__file__).parent.parent / "planted/planted"


def add_record(page: Page, server: Server, game: str) -> None:
    """A past game, from a file."""
    page.wait_for_selector(".past")
    file = (GOLDEN / f"{game}-random.jsonl").read_text()
    server.ask("POST", "/records", {"file": file}, page.evaluate("localStorage['fuda.owner']"))


def test_the_lobby_comes_back_with_the_server(own_server: Server, visit: Callable[..., Visit]) -> None:
    window = visit(at=own_server)
    page = window.page
    add_record(page, own_server, "gongzhu")
    page.reload()
    page.wait_for_selector(".past .list li")
    own_server.stop()
    page.click(".tile[href$=koikoi]")
    page.click(".back")
    page.wait_for_selector(".offline")
    assert "does not answer" in page.locator(".offline p").inner_text()
    assert page.locator(".past .list li").count() == 1  # as it was known
    page.click(".offline button")
    own_server.start()
    page.wait_for_selector(".offline", state="detached")
    assert page.locator(".past .list li").count() == 1
    window.forgive("ERR_CONNECTION_REFUSED")


def test_a_page_without_a_server_waits_for_it(own_server: Server, visit: Callable[..., Visit]) -> None:
    window = visit(at=own_server)
    page = window.page
    page.wait_for_selector(".past")
    page.route("**/api/v1/lobby", lambda route: route.abort())
    page.reload()
    page.wait_for_selector(".gone button")
    page.unroute("**/api/v1/lobby")
    page.wait_for_selector(".past")
    window.forgive("ERR_FAILED")


@pytest.mark.parametrize(
    ("language", "warning"), [("en", "Your results"), ("ja", "戦績"), ("zh", "你的战绩")]
)
def test_a_past_game_is_deleted_after_a_question(
    own_server: Server, visit: Callable[..., Visit], language: str, warning: str
) -> None:
    page = visit(at=own_server, language=language).page
    add_record(page, own_server, "gongzhu")
    page.reload()
    remove = page.locator(".past .list li button").last
    remove.click()
    assert warning in page.locator("dialog[open] p").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.locator(".past .list li").count() == 1
    remove.click()
    page.click("dialog .primary")
    page.wait_for_selector(".past .list li", state="detached")


@pytest.mark.parametrize(
    ("size", "language", "told", "line"),
    [
        (DESKTOP, "en", "not a game", "line 4"),
        (PHONE, "ja", "記録ではありません", "4行目"),
        (PHONE, "zh", "不是可以回放的对局", "第4行"),
    ],
)
def test_a_file_that_is_no_record_is_told_where_it_is_seen(
    visit: Callable[..., Visit], size: tuple[int, int], language: str, told: str, line: str
) -> None:
    window = visit(size=size, touch=size == PHONE, language=language)
    page = window.page
    answer_late(page, "records")
    lines = (GOLDEN / "gongzhu-random.jsonl").read_text().splitlines()
    broken = "\n".join([*lines[:3], "nonsense", *lines[4:]]) + "\n"
    page.wait_for_selector(".past")
    with page.expect_file_chooser() as chosen:  # pressed where the results are seen below it
        page.locator(".past > button").last.click()
    chosen.value.set_files({"name": "a.jsonl", "mimeType": "text/plain", "buffer": broken.encode()})
    fault = page.locator("[role=alert]")
    fault.wait_for()
    assert told in fault.inner_text()
    assert line in fault.inner_text()
    box = fault.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= size[1] - box["height"]
    page.click(".trouble button")
    fault.wait_for(state="detached")
    window.forgive("status of 400")


@pytest.mark.parametrize("size", [PHONE, PHONE_ASIDE, DESKTOP])
def test_the_button_that_deals_is_in_sight_and_nothing_shows_beside_it(
    visit: Callable[..., Visit], size: tuple[int, int]
) -> None:
    page = visit(size=size).page
    page.click(".tile[href$=koikoi]")
    button = page.locator("button[type=submit]").bounding_box()
    assert button is not None
    assert button["y"] + button["height"] <= size[1]
    shown = page.locator(".submit").evaluate(
        """bar => {
          const { left, right, top, bottom } = bar.getBoundingClientRect();
          const covers = (x) => bar.contains(document.elementFromPoint(x, (top + bottom) / 2));
          return [getComputedStyle(bar).backgroundColor, covers(left + 1), covers(right - 1)];
        }"""
    )
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shown == [paper, True, True]


@pytest.mark.parametrize(
    ("size", "language"), list(zip([PHONE, PHONE_ASIDE, DESKTOP], ("en", "ja", "zh"), strict=True))
)
def test_choosing_a_seat_moves_nothing(
    visit: Callable[..., Visit], size: tuple[int, int], language: str
) -> None:
    """All choices are long after a press, so that whatever they move counts; the visit finds it."""
    page = visit(size=size, language=language).page
    for game in GAMES:
        page.click(f".tile[href$={game}]")
        page.click("summary")
        seat = page.locator('[data-option="seat"]')
        seat.scroll_into_view_if_needed()
        values = seat.evaluate("field => [...field.options].map((option) => option.value)")
        assert values[-1] == "-1"
        page.wait_for_timeout(LATE_MS)
        for value in [*values, *reversed(values)]:
            seat.select_option(value)  # by a script: no press
            page.evaluate(SHIFTS)
            assert page.locator(".choices input[type=text]").count() == (value != "-1")
        page.click(".back")


def test_of_two_players_the_other_one_is_the_opponent(visit: Callable[..., Visit]) -> None:
    page = visit().page
    page.click(".tile[href$=koikoi]")
    page.click("summary")
    page.click(".more-agents")
    page.check('input[value="koikoi/classical"]')
    seats = page.locator(".choices select:not([data-option])")
    assert seats.count() == 1
    assert seats.input_value() == "koikoi/classical"
    seats.select_option("koikoi/random")
    assert page.is_checked('input[value="koikoi/random"]')


def test_a_number_can_be_cleared_and_typed_anew(visit: Callable[..., Visit]) -> None:
    page = visit().page
    page.click(".tile[href$=koikoi]")
    page.click("summary")
    rounds = page.locator('[data-option="rounds"]')
    rounds.fill("")
    page.locator(".choices input[type=text]").fill("Hanako")  # draws the form anew
    assert rounds.input_value() == ""
    page.click("summary")
    page.click("button[type=submit]")
    page.wait_for_selector("details[open]")
    rounds.fill("2")
    page.click("button[type=submit]")
    page.click('header.bar button[aria-label="Rules at this table"]')
    assert page.locator("dialog .chosen-rules dd").first.inner_text() == "2"


def test_a_result_is_that_of_the_teams(own_server: Server, visit: Callable[..., Visit]) -> None:
    page = visit(at=own_server).page
    add_record(page, own_server, "gongzhu")
    page.reload()
    line = page.locator(".past .list li small").inner_text()
    (record,) = own_server.ask("GET", "/records", owner=page.evaluate("localStorage['fuda.owner']"))[
        "records"
    ]
    south, east, north, west = record["scores"]
    assert f" {signed(south + north)} : {signed(east + west)} " in line


def signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}") if points else "0"


def test_a_game_without_a_page_is_left_to_the_terminal(
    own_server: Server, visit: Callable[..., Visit]
) -> None:
    """The planted game of another package: the server has it, the page has no folder for it."""
    page = visit(at=own_server).page
    page.wait_for_selector(".past")
    assert "planted" in [game["id"] for game in own_server.ask("GET", "/lobby")["games"]]
    owner = page.evaluate("localStorage['fuda.owner']")
    file = (PLANTED / "golden/planted-one.jsonl").read_text()
    record = own_server.ask("POST", "/records", {"file": file}, owner)["record"]
    wanted = {"game": "planted", "seats": [{"agent": "planted/random"}] * 4}
    table = own_server.ask("POST", "/tables", wanted, owner)["table"]
    page.reload()
    for place in (".past", ".running"):
        entry = page.locator(f"{place} .list li")
        entry.wait_for()
        assert entry.locator("b").inner_text() == "Planted"
        assert entry.locator("a").count() == 0
    assert page.locator(".tile").count() == len(GAMES)
    for address in (f"replay/{record}", f"table/{table}"):
        page.goto(f"{own_server.origin}/#/{address}")
        page.locator(".gone p", has_text="fuda play planted").wait_for()
        page.click(".gone a")
    page.goto(f"{own_server.origin}/#/new/planted")
    page.wait_for_selector(".tile")
