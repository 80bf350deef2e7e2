"""A real browser at the real page: opens it, plays, and keeps account of everything that must not happen.

A visit fails on a console error, an error in the page, a request that leaves the server, or a layout shift.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, sync_playwright

from tests.serve.harness import Server

BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")  # the first does less besides the page
PHONE, PHONE_ASIDE, TABLET, DESKTOP = (320, 568), (844, 390), (820, 1180), (1280, 800)
PHONE_TALL = (390, 844)
ELSEWHERE = "cards.test"  # a name of this machine that browsers do not trust as they trust localhost
LATE_MS = 800  # what moves so long after a press counts as a shift
QUICK = 8  # the speed for who plays whole games: what must be seen is held so many times as short
SWITCHES = {"doudizhu": {"autoPass": False}}
GUIDED = dict.fromkeys(("koikoi", "gongzhu", "doudizhu"), True)  # no newcomer, who would be told things first
# Who gives hints: networks that answer at once, so that whole games do not wait for a search.
ADVISERS = {"koikoi": "koikoi/rl-wp", "gongzhu": "gongzhu/best-raw", "doudizhu": "doudizhu/best-raw"}
COUNTING = {"doudizhu": {"autoPass": False, "counter": True}}
PATIENCE_MS = 120_000  # the first game of a kind may have to be compiled

HERE = Path(__file__).parent
WATCH_SHIFTS = (HERE / "watch_shifts.js").read_text()
# What has just changed shifts when it is painted; a page behind another one is not.
SHIFTS = """async () => {
  const painted = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.race([painted, new Promise((done) => setTimeout(done, 100))]);
  return window.shifts?.() ?? [];
}"""
FIND_CLIPPED = (HERE / "find_clipped.js").read_text()
FIND_CLIPPED = FIND_CLIPPED[FIND_CLIPPED.index("() =>") :]  # its comment is no part of the expression


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Debian's chromium, without a window."""
    found = next(filter(os.path.exists, BROWSERS))
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=found,
            args=["--no-sandbox", f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"],
            timeout=PATIENCE_MS,
        )
        yield running
        running.close()


class Visit:
    """One browser window with its own storage, at one server."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        touch: bool = False,
        host: str = "127.0.0.1",
        **settings: Any,
    ):
        self.host = f"{host}:{server.port}"
        self.wrong: list[str] = []
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        chosen = {
            "language": "en",
            "delay": 0,
            "motion": False,
            "switches": SWITCHES,
            "guided": GUIDED,
            "hintAgent": ADVISERS,
        } | settings
        self.context.add_init_script(
            f"localStorage['fuda.settings'] ??= {json.dumps(json.dumps(chosen))};{WATCH_SHIFTS}"
        )
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        """A page in this window, watched."""
        page = self.context.new_page()
        page.on("console", lambda message: message.type == "error" and self._complain(message.text))
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("request", lambda request: self._check_address(request.url))
        page.goto(f"http://{self.host}")
        return page

    def _complain(self, text: str) -> None:
        self.wrong.append(text)

    def _check_address(self, address: str) -> None:
        if urlparse(address).netloc not in (self.host, "") or address.startswith("data:"):
            self._complain(f"a request to {address[:200]}")

    def forgive(self, part: str) -> None:
        """Forget complaints that the test itself caused."""
        self.wrong = [text for text in self.wrong if part not in text]

    def forgive_shifts(self) -> None:
        """Forget what has moved so far, as the test itself moved it."""
        for page in self.context.pages:
            page.evaluate(SHIFTS)
            page.evaluate("sessionStorage.removeItem('shifts')")

    def faults(self) -> list[str]:
        """What has gone wrong so far, in any tab."""
        shifts = [shift for page in self.context.pages for shift in page.evaluate(SHIFTS)]
        return self.wrong + shifts

    def close(self) -> None:
        self.context.close()


def answer_late(page: Page, path: str, lost: bool = False, times: int | None = None) -> None:
    """Let the answers to requests of the API come late, or not at all; all of them, or the first few."""

    def hold(route: Route) -> None:
        page.wait_for_timeout(LATE_MS)
        if lost:
            route.abort()
        else:
            route.continue_()

    page.route(f"**/api/v1/{path}", hold, times=times)


def tell_hints_late(page: Page) -> None:
    """Hold each hint until what comes of it is no answer to a press any more."""

    def connect(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            if json.loads(text)["type"] == "hint":
                page.wait_for_timeout(LATE_MS)
            socket.send(text)

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/api/v1/socket", connect)


def find_clipped(page: Page) -> list[str]:
    """What lies outside the screen, is cut off, or lies on something else."""
    found: list[str] = page.evaluate(FIND_CLIPPED)
    return found


def start_game(page: Page, game: str, rival: str | None = None, **options: int | str) -> None:
    """From the lobby to a table against the opponents that are offered first, or others."""
    page.click(f".tile[href$={game}]")
    page.wait_for_selector("form")
    if rival is not None:
        if not page.query_selector(f'input[value="{rival}"]'):
            page.click(".more-agents")
        page.check(f'input[value="{rival}"]')
    if options:
        page.click("summary")
        for name, value in options.items():
            field = page.locator(f'[data-option="{name}"]')
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(value))  # by a script: what it moves may count as a shift
            else:
                field.fill(str(value))
    page.click("button[type=submit]")
    page.wait_for_selector(".felt .card")


# What can be pressed now, by game; the first that is there is pressed.
CHOICES = {
    "koikoi": (".answers button", "[data-zone=field] button", "[data-zone=hand] button"),
    "gongzhu": (".shows button:last-child", "[data-zone=hand-me] button"),  # shows no more
    "doudizhu": (".controls .buttons button:not(.absent)",),
}
SUMMARY = "dialog .actions .primary"


def wait_for_turn(page: Page, game: str) -> str:
    """Wait until nothing moves and there is something to press: a selector, or that of the summary."""
    wanted = (SUMMARY, *CHOICES[game])
    while True:
        page.wait_for_selector(", ".join(f".table-page:not([data-busy]) {selector}" for selector in wanted))
        for selector in wanted:  # none is there any more if the page has passed by itself meanwhile
            if page.query_selector(selector):
                return selector


def play_move(page: Page, game: str) -> bool:
    """Make one decision; False when a summary is open instead."""
    selector = wait_for_turn(page, game)
    if selector == SUMMARY:
        return False
    before = position(page)
    if game == "doudizhu":
        _play_cards(page)
    else:
        page.locator(selector).first.click()
    wait_for_news(page, before)
    return True


def _play_cards(page: Page) -> None:
    """The suggestion, or the highest bid; else pass, if the page does not pass by itself."""
    suggest, bids, passing = (
        page.locator(f'.controls [data-does="{what}"]:not(.absent)') for what in ("suggest", "bid", "pass")
    )
    if suggest.count():
        suggest.click()
        page.locator(".controls .primary:enabled, .controls .advised").click()  # it may be to pass
    elif bids.count():
        bids.last.click()
    elif not page.evaluate("JSON.parse(localStorage['fuda.settings']).switches.doudizhu.autoPass"):
        passing.click()


def position(page: Page) -> str:
    """How many moves the page has seen."""
    return str(page.get_attribute(".table-page", "data-seq"))


def wait_for_news(page: Page, seq: str) -> None:
    """Wait until the page has seen another move than that one, or shows a summary: that was the last."""
    page.wait_for_function(
        """([seq, summary]) =>
          document.querySelector('.table-page')?.dataset.seq !== seq || document.querySelector(summary)""",
        arg=[seq, SUMMARY],
    )


def play_out(page: Page, game: str) -> None:
    """Play until the game is over; the summary is open then."""
    while True:
        if not play_move(page, game):
            if page.get_attribute(".table-page", "data-state") == "over":
                return
            page.click(SUMMARY)
            page.wait_for_selector(SUMMARY, state="detached")
