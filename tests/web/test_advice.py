"""Advice: "Suggest" asks an agent with hints off, hints say why, Koi-Koi's tell what moves give away."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.serve.harness import Server
from tests.web.browser import (
    DESKTOP,
    PHONE,
    QUICK,
    TABLET,
    Visit,
    find_clipped,
    position,
    start_game,
    wait_for_news,
    wait_for_turn,
)

ANSWERED = "[data-does=suggest]:not([aria-busy=true]):not(.absent)"
RAISED = {
    "koikoi": "[data-zone=hand] [aria-pressed=true]",
    "gongzhu": "[data-zone=hand-me] [aria-pressed=true]",
    "doudizhu": "[data-zone=hand-me] [aria-pressed=true]",
}
IDS = "cards => cards.map((card) => card.dataset.id).join()"
ALL = "[...document.querySelectorAll(selector)]"


def note_hints(page: Page) -> list[dict]:
    """The hints that the server sends from now on."""
    found: list[dict] = []

    def connect(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hint":
                found.append(message)
            socket.send(text)

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/api/v1/socket", connect)
    return found


@pytest.mark.parametrize(
    ("game", "size", "options"),
    [
        ("koikoi", PHONE, {}),
        ("gongzhu", TABLET, {}),
        ("doudizhu", DESKTOP, {"bidding": "off"}),  # the landlord leads: there is much to choose from
    ],
)
def test_suggest_asks_an_agent_with_hints_off(
    visit: Callable[..., Visit], server: Server, game: str, size: tuple[int, int], options: dict[str, str]
) -> None:
    page = visit(size=size, name="3").page
    hints = note_hints(page)
    start_game(page, game, **options)
    wait_for_turn(page, game)
    assert not hints
    page.click(ANSWERED)
    page.wait_for_selector(f"{ANSWERED}")
    page.wait_for_selector(RAISED[game])
    (hint,) = hints
    if game != "doudizhu":
        assert page.locator(RAISED[game]).get_attribute("data-id") == hint["best"]
    else:
        assert page.locator(RAISED[game]).count() == len(hint["best"])
    assert page.locator(".badge, .worth:not(.none), .ideas button, .values").count() == 0  # no figures
    assert find_clipped(page) == []
    first = page.locator(RAISED[game]).evaluate_all(IDS)
    page.click(ANSWERED)  # the next best, of the same answer
    page.wait_for_function(f"([selector, first]) => ({IDS})({ALL}) !== first", arg=[RAISED[game], first])
    assert len(hints) == 1
    table = page.url.rpartition("/")[2]
    info = server.ask("GET", f"/tables/{table}", None, page.evaluate("localStorage['fuda.owner']"))
    assert info["hints"]  # it counts as one


def test_hints_say_why_and_tell_what_moves_give_away(visit: Callable[..., Visit]) -> None:
    page = visit(size=DESKTOP, hints=True, name="3", speed=QUICK).page
    hints = note_hints(page)
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    page.wait_for_selector(".values .best")
    hint = hints[-1]
    figures = page.locator(".values .figure").all_inner_texts()
    assert figures[0] == f"{hint['values'][hint['best']] * 100:.1f}%"
    for text in figures[1:]:
        assert text.startswith("\N{MINUS SIGN}") or text == "0.0%"
    assert page.locator(".card .badge").count() == len(hint["values"])
    rows, why = page.locator(".values button"), page.locator(".why-so")
    explained = [move for move in hint["values"] if move in hint["reasons"]]
    assert explained
    told = set()
    for row in rows.all():
        row.hover()
        told.add(why.inner_text())
    assert len(told - {""}) >= len({json.dumps(hint["reasons"][move]) for move in explained})


def test_a_suggestion_that_cannot_be_made_says_why(visit: Callable[..., Visit]) -> None:
    page = visit(size=PHONE).page

    def connect(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hint":
                error = {"code": "busy", "params": {}}
                message = {key: message[key] for key in ("seq", "agent")} | {
                    "type": "no_hint",
                    "error": error,
                }
            socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/api/v1/socket", connect)
    start_game(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    page.click(ANSWERED)
    page.locator(".toast", has_text="The server is busy").wait_for()
    seq = position(page)
    page.locator("[data-zone=hand-me] button").first.click()
    wait_for_news(page, seq)
