"""Two browsers at one table: an invitation by link, a whole game against each other, one of them a phone."""

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
from tests.web.browser import CHOICES, PHONE, SUMMARY, Visit, find_clipped, play_move

READY = ".table-page:not([data-busy])"
HOST, GUEST = 0, 1
RELOAD, KILL = 3, 6  # after so many decisions
TO_LOBBY = "dialog .actions button >> nth=-1"


def invite(page: Page, game: str, **options: int) -> str:
    """A new table with a friend's seat: the link of the invitation, which is shown at once."""
    page.click(f".tile[href$={game}]")
    page.click("summary")
    page.locator("select:has(option[value=friend])").first.select_option("friend")
    for name, value in options.items():
        page.locator(f'[data-option="{name}"]').fill(str(value))
    page.route("**/invitations", as_in_a_network)
    page.click("button[type=submit]")
    page.wait_for_selector("dialog .qr path:not([d=''])")
    link = page.locator("dialog input.link").input_value()
    assert page.locator("dialog .qr").count() == 1
    assert find_clipped(page) == []
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
    """The position that a page shows, and all cards that its table names or has a picture of."""
    seq = int(page.get_attribute(".table-page", "data-seq") or "")
    return seq, {"shown": re.findall(r"\b\d{1,2}-[1-4]\b", page.inner_html(".felt"))}


@pytest.mark.parametrize("own_server", [{"slot_seconds": 0.02}], indirect=True)
def test_two_browsers_play_a_whole_game_and_see_nothing_of_each_others_cards(
    own_server: Server, visit: Callable[..., Visit]
) -> None:
    """One of them loads the page again, and the server is killed in between."""
    windows = visit(at=own_server), visit(at=own_server, size=PHONE, touch=True)
    host, guest = pages = [window.page for window in windows]
    told = [listen(page) for page in pages]
    link = invite(host, "koikoi", rounds=1)
    guest.goto(link)
    guest.wait_for_selector("form input[type=text]")
    assert find_clipped(guest) == []
    guest.click("form button[type=submit]")  # without a name
    guest.wait_for_selector(".felt .card")
    host.wait_for_selector(".friends li:has-text('Friend')")
    seen: list[list[tuple[int, dict[str, list[str]]]]] = [[], []]
    decisions, disturbances = 0, [RELOAD, KILL]
    while not all(map(is_over, pages)):
        for page, cards in zip(pages, seen, strict=True):
            if has_turn(page, "koikoi") and not is_over(page):
                cards.append(shown_cards(page))
                decisions += play_move(page, "koikoi")
        if disturbances and decisions >= disturbances[0]:
            if disturbances.pop(0) == RELOAD:
                guest.reload()
                guest.wait_for_selector(".felt .card")
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
    for window in windows:
        window.page.click(TO_LOBBY)
        window.page.wait_for_selector(".past .list li")
        assert window.page.locator(".past .list li").count() == 1
        window.forgive("WebSocket connection")
        window.forgive("ERR_CONNECTION_REFUSED")
    guest.goto(link)  # it was for one, once
    guest.wait_for_selector(".gone")
    assert "used" in guest.inner_text(".gone")
    windows[GUEST].forgive("404")


def own_hand(position: fuda.Match, seat: int) -> set[str]:
    """The cards that only this seat sees."""
    return set(position.view(seat)["hand"])
