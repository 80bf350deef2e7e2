"""Moves that a seat does not know. No shipped game has any: the server's answers are changed on their way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.serve.harness import Server
from tests.web.browser import Visit
from tests.web.test_lobby import GOLDEN

AT = "seq => document.querySelector('.position').innerText.match(/\\d+/)[0] === seq"
ALL_LOADED = "moves => document.querySelector('.steps input').max === moves"
HIDDEN = 1  # the number of a move, from 0, that the first seat shall not know


def hide(route: Route) -> None:
    """Tell the first seat nothing of that move."""
    answer = route.fetch()
    replay = answer.json()
    for step in replay["steps"]:
        if step["seq"] > HIDDEN:
            step["hidden"][0].append(HIDDEN)
    route.fulfill(response=answer, json=replay)


@pytest.mark.parametrize(
    ("language", "hidden"), [("en", "a hidden move"), ("ja", "非公開の手"), ("zh", "暗出")]
)
def test_a_replay_from_a_seat_tells_only_what_it_knew(
    visit: Callable[..., Visit], server: Server, language: str, hidden: str
) -> None:
    page = visit(language=language).page
    page.wait_for_selector(".past")
    file = (GOLDEN / "gongzhu-random.jsonl").read_text()
    owner = page.evaluate("localStorage['fuda.owner']")
    info = server.ask("POST", "/records", {"file": file}, owner)
    page.route("**/replay?*", hide)
    page.goto(f"{server.origin}/#/replay/{info['record']}")
    page.wait_for_selector(".felt .card")

    def line(seq: int) -> str:
        """What is said of a position."""
        page.click(".position")  # a choice that has the focus takes no keys
        page.keyboard.press("Home")
        for _ in range(seq):
            page.keyboard.press("ArrowRight")
        page.wait_for_function(AT, arg=str(seq))
        return page.locator(".position").inner_text()

    positions = range(1, HIDDEN + 3)
    page.wait_for_function(ALL_LOADED, arg=str(info["moves"]))
    everything = {seq: line(seq) for seq in positions}  # all cards are open
    assert not any(hidden in text for text in everything.values())
    page.locator(".replay-options input").uncheck()
    assert hidden in line(HIDDEN + 1)
    assert all(line(seq) == everything[seq] for seq in positions if seq != HIDDEN + 1)
    assert not page.evaluate("window.shifts()")
    page.locator(".replay-options select").first.select_option("1")
    assert {seq: line(seq) for seq in positions} == everything
    # Another seat's side of the table is another picture: that it differs, however late, is no fault.
    page.evaluate("window.shifts(); sessionStorage.setItem('shifts', '[]')")
