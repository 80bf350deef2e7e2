"""Pictures of all screens, to be looked at one by one: five sizes, light and dark, three languages.

python -m tests.web.shots [FOLDER] [--only PART]    default folder: web/shots/screens, which git ignores
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.serve.harness import Server
from tests.web.browser import (
    CHOICES,
    DESKTOP,
    PHONE,
    PHONE_ASIDE,
    PHONE_TALL,
    SUMMARY,
    TABLET,
    Visit,
    browser,
    find_clipped,
    play_move,
    play_out,
    start_game,
    wait_for_turn,
)

SIZES = (PHONE, PHONE_TALL, PHONE_ASIDE, TABLET, DESKTOP)
LANGUAGES = ("en", "ja", "zh")
MOVES_BEFORE = {"koikoi": 5, "gongzhu": 4, "doudizhu": 3}
SETTLE_MS = 400
MENU, RULES, CHART = (f"header.bar button:nth-last-child({place})" for place in (1, 2, 3))


class Camera:
    """Takes pictures of one window, and looks for what is clipped.

    The name says size, colours, language and screen.
    """

    def __init__(self, folder: Path, page: Page, name: str):
        self.folder, self.page, self.name = folder, page, name
        self.wrong: list[str] = []

    def shoot(self, screen: str) -> None:
        self.page.wait_for_timeout(SETTLE_MS)
        self.page.screenshot(path=self.folder / f"{self.name}-{screen}.png")
        self.wrong += [f"{self.name}-{screen}: {fault}" for fault in find_clipped(self.page)]


def shoot_lobby(camera: Camera) -> None:
    page = camera.page
    page.wait_for_selector(".past")
    camera.shoot("1-lobby")
    page.click(".tile[href$=koikoi]")
    page.wait_for_selector("form")
    camera.shoot("2-new-game")
    page.click(".more-agents")
    page.click("summary")
    camera.shoot("2-all-opponents")
    page.click(".hero button")
    page.wait_for_selector("dialog .rules")
    camera.shoot("3-how-to-play")
    page.keyboard.press("Escape")
    page.click("a.back")


def shoot_presets(camera: Camera, game: str) -> None:
    """A game's last preset, as it is chosen and as it is told at a table."""
    page = camera.page
    page.click(f".tile[href$={game}]")
    page.wait_for_selector("form")
    presets = page.locator(".presets input")
    if presets.count():
        presets.last.check()
        camera.shoot(f"{game}-preset")
        page.click("button[type=submit]")
        page.wait_for_selector(".felt .card")
        if page.is_visible(RULES):
            page.click(RULES)
        else:  # the menu has it
            page.click(MENU)
            page.click("dialog .menu button >> nth=-2")
        page.wait_for_selector("dialog .chosen-rules")
        camera.shoot(f"{game}-rules")
        page.keyboard.press("Escape")
        page.click("header.bar button")
    else:
        page.click("a.back")
    page.wait_for_selector(".tile")


def shoot_game(camera: Camera, game: str) -> None:
    """The table in play with hints, and what opens from it; Koi-Koi's question, the others' ends."""
    page = camera.page
    start_game(page, game)
    for _ in range(MOVES_BEFORE[game]):
        go_on(page, game)
        play_move(page, game)
    go_on(page, game)
    page.wait_for_selector(".card.best, .answers .best, .values .best", state="attached")
    camera.shoot(f"{game}-play")
    page.locator('.advice button, [data-does="suggest"]').first.click()
    page.wait_for_selector(".felt .raised, .felt .advised", state="attached")
    camera.shoot(f"{game}-suggested")
    shoot_opened(camera, game)
    if game == "koikoi":  # its end comes with the replay
        shoot_question(camera)
        page.evaluate("location.hash = '#/'")  # whatever is open or moves
    else:
        play_out(page, game)
        page.wait_for_selector("dialog .review")
        camera.shoot(f"{game}-over")
        page.click("dialog .actions button >> nth=-1")
    page.wait_for_selector(".tile")


def shoot_opened(camera: Camera, game: str) -> None:
    """The chart, the sheet where there is no panel beside the table, once the menu and the settings."""
    page = camera.page
    wanted = {"chart": CHART}
    if page.is_visible("header.bar .narrow-only"):
        wanted["sheet"] = "header.bar .narrow-only"
    if game == "koikoi":
        wanted["menu"] = MENU
    for screen, button in wanted.items():
        page.click(button)
        page.wait_for_selector("dialog[open]")
        camera.shoot(f"{game}-{screen}")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    if game == "koikoi":
        page.click(MENU)
        page.click("dialog .menu button >> nth=0")
        page.wait_for_selector("dialog .settings")
        camera.shoot("settings")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


def go_on(page: Page, game: str) -> None:
    """Past summaries (the next round, or a new game) to the own turn."""
    while wait_for_turn(page, game) == SUMMARY:
        page.click(SUMMARY)
        page.wait_for_selector(SUMMARY, state="detached")


def shoot_question(camera: Camera) -> None:
    """Play on until the question has been asked and a round has ended."""
    page, missing = camera.page, {"question", "summary"}
    while missing:
        selector = wait_for_turn(page, "koikoi")
        found = "summary" if selector == SUMMARY else "question" if selector.startswith(".answers") else None
        if found in missing:
            camera.shoot(f"koikoi-{found}")
            missing.discard(found)
        go_on(page, "koikoi")
        play_move(page, "koikoi")


def shoot_replay(camera: Camera) -> None:
    """A short game to its end, its replay with values, and what it is in one's progress."""
    page = camera.page
    start_game(page, "koikoi", rounds=1)
    while play_move(page, "koikoi"):
        pass
    page.wait_for_selector("dialog .review")
    camera.shoot("koikoi-over")
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".felt .card")
    page.locator(".replay-options select").nth(1).select_option(index=1)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(".costs button, .replay-side .values", state="attached")
    camera.shoot("replay")
    page.click("header.bar button:nth-last-child(2)")
    page.wait_for_function("() => document.querySelector('dialog input.link')?.value")
    camera.shoot("share")
    page.keyboard.press("Escape")


def shoot_puzzle(camera: Camera) -> None:
    """A mistake of the game that is replayed, before and after a move; or that there was none."""
    page = camera.page
    page.wait_for_selector(".review-place .review", state="attached")
    page.goto(f"{page.url.split('#')[0]}#/puzzles")
    page.wait_for_selector(".puzzles .felt .card, .none-due")
    camera.shoot("puzzle")
    if page.query_selector(".none-due") is None:
        page.locator(", ".join(CHOICES["koikoi"])).first.click()
        page.wait_for_selector(".puzzle-side.judged")
        camera.shoot("puzzle-judged")
    page.click("header.bar button")
    page.wait_for_selector(".tile")


def shoot_progress(camera: Camera) -> None:
    """What the games so far have brought."""
    page = camera.page
    page.click(".to-progress")
    page.wait_for_selector(".account")
    camera.shoot("progress")
    page.click("header.bar button")
    page.wait_for_selector(".tile")


def shoot_guide(camera: Camera) -> None:
    """What a newcomer is told first."""
    page = camera.page
    guided = "chosen => localStorage['fuda.settings'] = JSON.stringify({ ...JSON.parse(chosen), guided: {} })"
    page.evaluate(f"({guided})(localStorage['fuda.settings'])")
    page.reload()
    page.wait_for_selector(".past")
    start_game(page, "koikoi")
    page.wait_for_selector(".guide .word")
    camera.shoot("guide")
    page.click(".guide .quiet")
    page.click("header.bar button")
    page.wait_for_selector(".tile")


def shoot_friends(camera: Camera, other: Camera) -> None:
    """An invitation, who follows it, both at the table with a clock; and a table that the other looks at."""
    page, friend = camera.page, other.page
    page.click(".tile[href$=gongzhu]")
    page.click("summary")
    page.locator("select:has(option[value=friend])").first.select_option("friend")
    page.locator('[data-option="clock"]').select_option("300")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    camera.shoot("friend-new-game")
    page.click("button[type=submit]")
    page.wait_for_selector("dialog .qr path:not([d=''])")
    camera.shoot("friend-invitation")
    friend.goto(page.locator("dialog input.link").input_value())
    friend.wait_for_selector("form input[type=text]")
    other.shoot("friend-join")
    page.keyboard.press("Escape")
    friend.click("form button[type=submit]")
    friend.wait_for_selector(".felt .card")
    page.wait_for_selector(".plate .time-left:not(.absent)")
    camera.shoot("friend-table")
    if friend.is_visible("header.bar .narrow-only"):
        friend.click("header.bar .narrow-only")
        friend.wait_for_selector("dialog .friends")
    other.shoot("friend-panel")
    page.click(MENU)
    page.click("dialog .menu button >> nth=2")
    page.wait_for_function("() => document.querySelector('dialog input.link')?.value")
    camera.shoot("watch-link")
    friend.goto(page.locator("dialog input.link").input_value())
    friend.wait_for_selector(".felt .card")
    other.shoot("watch")
    page.keyboard.press("Escape")
    page.click("header.bar button")
    page.wait_for_selector(".tile")


def shoot_all(chromium: Browser, server: Server, folder: Path, only: str) -> list[str]:
    """Every screen in every way; what is clipped anywhere."""
    wrong: list[str] = []
    for size in SIZES:
        for dark in (False, True):
            for language in LANGUAGES:
                name = f"{size[0]}x{size[1]}-{'dark' if dark else 'light'}-{language}"
                if only not in name:
                    continue
                window = Visit(chromium, server, size=size, dark=dark, language=language, hints=True)
                friend = Visit(chromium, server, size=size, dark=dark, language=language)
                camera, other = (Camera(folder, visit.page, name) for visit in (window, friend))
                shoot_lobby(camera)
                for game in MOVES_BEFORE:
                    shoot_presets(camera, game)
                    shoot_game(camera, game)
                shoot_replay(camera)
                shoot_puzzle(camera)
                shoot_progress(camera)
                shoot_friends(camera, other)
                shoot_guide(camera)
                wrong += camera.wrong + other.wrong
                window.close()
                friend.close()
                print(name, flush=True)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures of all screens.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("web/shots/screens"))
    parser.add_argument("--only", default="", help="only names with this part, such as 320x568-dark")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, browser() as chromium:
        server = Server(Path(data), reviews=True, agent_workers=2)
        try:
            wrong = shoot_all(chromium, server, given.folder, given.only)
        finally:
            server.stop()
    if wrong:
        sys.exit("\n".join(["clipped, outside or on each other:", *wrong]))


if __name__ == "__main__":
    main()
