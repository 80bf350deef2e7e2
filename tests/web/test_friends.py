"""Several browsers at one table: invitations by link, whole games against each other, looking on, sharing."""

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, Route

import fuda
from fuda.records import loads
from tests.serve.harness import Server
from tests.serve.known_cards import unknown_cards
from tests.serve.test_leak import check_messages
from tests.web.browser import (
    CHOICES,
    PHONE,
    QUICK,
    SUMMARY,
    Visit,
    play_move,
    position,
    start_game,
    wait_for_news,
    wait_for_turn,
)
from tests.web.test_access import IN_TURN, check_screen

READY = ".table-page:not([data-busy])"
HOST, GUEST = 0, 1
GAMES = {"koikoi": {"rounds": 1}, "gongzhu": {"clock": 300}, "doudizhu": {"bidding": "off"}}
RELOAD, LOSE_NETWORK, KILL = 2, 3, 5  # after so many decisions
AWAY_MS, AWAY_SOAK_MS = 500, 60_000  # how long the network is lost


def invite(page: Page, game: str, **options: int | str) -> str:
    """A new table with a friend's seat: the link of the invitation, which is shown at once."""
    page.click(f".tile[href$={game}]")
    page.click("summary")
    assert page.locator('[data-option="clock"]').count() == 0
    page.locator("select:has(option[value=friend])").first.select_option("friend")
    for name, value in options.items():
        field = page.locator(f'[data-option="{name}"]')
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.route("**/invitations", as_in_a_network)
    page.click("button[type=submit]")
    page.wait_for_selector("dialog .qr path:not([d=''])")
    link = page.locator("dialog input.link").input_value()
    assert page.locator("dialog .qr").count() == 1
    check_screen(page, "invitation")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.click(".friends li button:visible:has-text('Invite')")  # again: a new one would end the one before
    page.wait_for_selector("dialog input.link")
    assert page.locator("dialog input.link").input_value() == link
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    return link


def as_in_a_network(route: Route) -> None:
    """The server says that others reach it."""
    told = route.fetch()
    route.fulfill(response=told, json=told.json() | {"only_here": False})


def sit_down(page: Page, link: str) -> None:
    """By an invitation, without giving a name."""
    page.goto(link)
    page.wait_for_selector("form input[type=text]")
    check_screen(page, "joining")
    page.click("form button[type=submit]")
    page.wait_for_selector(".felt .card")


def has_turn(page: Page, game: str) -> bool:
    wanted = (SUMMARY, *CHOICES[game])
    return page.query_selector(", ".join(f"{READY} {selector}" for selector in wanted)) is not None


def is_over(page: Page) -> bool:
    return (
        page.get_attribute(".table-page", "data-state") == "over" and page.query_selector(SUMMARY) is not None
    )


def listen(page: Page) -> list[dict[str, Any]]:
    """All that the page is told of its table from now on."""
    told: list[dict[str, Any]] = []

    def keep(frame: str | bytes) -> None:
        message = json.loads(frame)
        if "seq" in message or "table" in message:
            told.append(message)

    page.on("websocket", lambda socket: socket.on("framereceived", keep))
    return told


def shown_cards(page: Page) -> tuple[int, dict[str, list[str]]]:
    """The position that a page shows, and all hanafuda that its table names or has a picture of."""
    seq = int(page.get_attribute(".table-page", "data-seq") or "")
    return seq, {"shown": re.findall(r"\b\d{1,2}-[1-4]\b", page.inner_html(".felt"))}


def agree_to_hints(host: Page, guest: Page) -> None:
    """Without which nobody may ask what to play."""
    host.locator(".side .friends input[type=checkbox]").check()
    guest.click("header.bar .narrow-only")
    guest.locator("dialog .friends input[type=checkbox]").check()
    guest.locator("dialog .hints-note", has_text="hints are on").wait_for()
    check_screen(guest, "who is at the table")
    guest.keyboard.press("Escape")
    guest.wait_for_selector("dialog", state="detached")


def lose_network(window: Visit, away_ms: int) -> None:
    """For a while; a game goes on where it was."""
    window.context.set_offline(True)
    window.page.locator(".toast", has_text="The server is away").wait_for()
    window.page.wait_for_timeout(away_ms)
    window.context.set_offline(False)
    window.page.wait_for_selector(".toast:empty", state="attached")


def check_clocks(pages: list[Page]) -> None:
    """The time of whose turn it is runs down on everybody's table."""
    for page in pages:
        running = page.locator(".plate.moving .time-left:not(.absent)")
        running.wait_for()
        assert page.locator(".plate .time-left:not(.absent)").count() == 1
        assert re.fullmatch(r"5:00|[0-4]:[0-5]\d", running.inner_text())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("own_server", [{"slot_seconds": 0.02, "reviews": True}], indirect=True)
def test_two_browsers_play_a_whole_game_and_are_told_nothing_of_each_others_cards(
    own_server: Server, visit: Callable[..., Visit], game: str, soak: bool
) -> None:
    """One is a phone, which loads the page again and loses its network; the server is killed in between."""
    windows = [visit(at=own_server, speed=QUICK), visit(at=own_server, size=PHONE, touch=True, speed=QUICK)]
    host, guest = pages = [window.page for window in windows]
    told = [listen(page) for page in pages]
    link = invite(host, game, **GAMES[game])
    sit_down(guest, link)
    host.wait_for_selector(".friends li:has-text('Friend')")
    if game == "doudizhu":
        agree_to_hints(host, guest)
    seen: list[list[tuple[int, dict[str, list[str]]]]] = [[], []]
    decisions, disturbances = 0, [RELOAD, LOSE_NETWORK, KILL]
    while not all(map(is_over, pages)):
        for page, cards in zip(pages, seen, strict=True):
            if has_turn(page, game) and not is_over(page):
                if game == "koikoi":
                    cards.append(shown_cards(page))
                if "clock" in GAMES[game] and decisions == 1:
                    check_clocks(pages)
                decisions += play_move(page, game)
        if disturbances and decisions >= disturbances[0]:
            what = disturbances.pop(0)
            if what == RELOAD:
                guest.reload()
                guest.wait_for_selector(".felt .card")
            elif what == LOSE_NETWORK:
                lose_network(windows[GUEST], AWAY_SOAK_MS if soak else AWAY_MS)
            else:
                own_server.kill()
                own_server.start()
        host.wait_for_timeout(20)
    assert not disturbances
    record = next(message["result"]["record"] for message in told[HOST] if "result" in message)
    file = own_server.ask("GET", f"/records/{record}/file", None, host.evaluate("localStorage['fuda.owner']"))
    match = loads(file.decode(), "download")
    positions = [match.game.start(match.seed, match.deals, match.players)]
    for _, move in match.moves:
        positions.append(positions[-1].copy())
        positions[-1].play(move)
    for seat in (HOST, GUEST):
        assert any(message["type"] == "moved" for message in told[seat])
        check_messages(SimpleNamespace(seen=told[seat], seat=seat), match)
        for seq, shown in seen[seat]:
            assert unknown_cards(shown, positions[seq], seat, False) == set()
            assert unknown_cards(shown, positions[seq], 1 - seat, False) == own_hand(positions[seq], seat)
    for page in pages:  # each sees the replay from the own seat, whose review is there
        page.locator("dialog .actions button", has_text="Replay").click()
        page.wait_for_selector(".review-place .review")
        assert page.locator(".replay-options select").first.input_value() == str(pages.index(page))
        check_screen(page, f"{game}, replay with its review")
        page.click("header.bar button")
        page.wait_for_selector(".past .list li")
        assert page.locator(".past .list li").count() == 1
    for window in windows:
        for caused in ("WebSocket connection", "ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED"):
            window.forgive(caused)
    guest.goto(link)  # it was for one, once
    guest.wait_for_selector(".gone")
    assert "used" in guest.inner_text(".gone")
    windows[GUEST].forgive("404")


def own_hand(position: fuda.Match, seat: int) -> set[str]:
    """The cards that only this seat sees."""
    return set(position.view(seat)["hand"])


def made_link(page: Page) -> str:
    """The link in an open dialog, once it is there."""
    page.wait_for_function("() => document.querySelector('dialog input.link')?.value")
    return page.locator("dialog input.link").input_value()


@pytest.mark.parametrize(("game", "look"), list(zip(GAMES, IN_TURN, strict=True)))
def test_others_look_on_and_read_the_game_by_links(
    visit: Callable[..., Visit], game: str, look: tuple[tuple[int, int], str]
) -> None:
    size, language = look
    player, stranger = visit(speed=QUICK), visit(size=size, language=language, speed=QUICK)
    page, other = player.page, stranger.page
    start_game(page, game, **{name: value for name, value in GAMES[game].items() if name != "clock"})
    play_move(page, game)
    wait_for_turn(page, game)
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button", has_text="Let others look on").click()
    link = made_link(page)
    page.keyboard.press("Escape")
    other.evaluate("localStorage.removeItem('fuda.owner')")  # of the lobby, where it has been
    other.goto(link)
    other.wait_for_selector(".felt .card")
    assert "/#/watch/" in other.url
    assert position(other) == position(page)
    hand = other.locator(".pictures img[src*=back]")
    assert hand.count() > 10  # a stranger sees nobody's cards, but how many there are
    assert other.locator(".felt button:not(.absent)").count() == 0
    check_screen(other, f"{game}, looked at")
    seq = position(other)
    play_move(page, game)
    wait_for_news(other, seq)
    wait_for_turn(page, game)
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button", has_text="Resign").click()
    page.click("dialog .actions .primary")
    other.wait_for_selector("dialog .actions button")
    assert other.locator("dialog .actions button").count() == 1  # to the lobby
    page.locator("dialog .actions button", has_text="Share").click()
    link = made_link(page)
    other.goto(f"{link}/1")
    other.wait_for_selector(".replay .felt .card")
    assert other.url.endswith("/1")
    other.keyboard.press("ArrowRight")
    other.wait_for_function("() => location.hash.endsWith('/2')")
    check_screen(other, f"{game}, shared")
    seats = other.locator(".replay-options select").first
    if language == "en":
        assert seats.inner_text().split("\n") == ["Friend", "Beginner"]
    assert other.evaluate("localStorage['fuda.owner']") is None  # who only looks is nobody here
