"""What the page says is what the server tells, as of games without a folder here: barred cards, many sides.

The server's messages about a Gongzhu table are changed on their way, as those of another game would be.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute

from tests.serve.harness import Server
from tests.web.browser import Visit, start_game
from tests.web.test_lobby import add_record

Message = dict[str, Any]


def change_messages(page: Page, change: Callable[[Message], None]) -> None:
    """Change each message that has a view before the page gets it."""

    def connect(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if "view" in message:
                change(message)
            socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/api/v1/socket", connect)


def bar_one_card(message: Message) -> None:
    del message["view"]["legal"][0]


def follow_without_the_suit(message: Message) -> None:
    """The left one has led a suit that the hand does not have, and a card may not be thrown away."""
    view = message["view"]
    led = view["hand"][0][0]
    view["hand"] = [card for card in view["hand"] if card[0] != led]
    view["legal"] = view["hand"][1:]
    view["table"] = [[3, f"{led}2"]]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda message: None, "Your lead: any card"),
        (bar_one_card, "Your lead: a raised card"),
        (follow_without_the_suit, ": any raised card"),
    ],
)
def test_a_card_that_is_barred(
    visit: Callable[..., Visit], change: Callable[[Message], None], told: str
) -> None:
    page = visit().page
    change_messages(page, change)
    start_game(page, "gongzhu")
    page.locator(".prompt", has_text=told).wait_for()
    assert page.locator(".felt .card.dim").count() == ("raised" in told)


@pytest.mark.parametrize(
    ("language", "margins", "told"),
    [
        ("en", [1.0, 5.0, -3.0, -3.0], "You finish 2nd"),
        ("ja", [-1.0, 5.0, 1.0, -5.0], "あなたは3位"),
        ("zh", [-9.0, 3.0, 5.0, 1.0], "你是第4名"),
    ],
)
def test_the_place_among_four_who_play_for_themselves(
    visit: Callable[..., Visit], language: str, margins: list[float], told: str
) -> None:
    page = visit(language=language).page

    def end(message: Message) -> None:
        views = [message["view"] | {"seat": seat} for seat in range(4)]
        played = {"reason": "played", "resigned": None, "scores": [0] * 4, "record": "none"}
        message |= {"state": "over", "result": played | {"margins": margins, "views": views}}

    change_messages(page, end)
    page.click(".tile[href$=gongzhu]")
    page.click("button[type=submit]")
    page.locator("dialog h2", has_text=told).wait_for()


def test_the_places_of_past_games(visit: Callable[..., Visit], server: Server) -> None:
    page = visit().page
    add_record(page, server, "gongzhu")
    ends = {
        "Won": [3.0, -1.0, -1.0, -1.0],
        "2nd place": [1.0, 5.0, -3.0, -3.0],
        "4th place": [-9.0, 3.0, 5.0, 1.0],
        "Lost": [-1.0, 3.0, -1.0, -1.0],
        "Drawn": [0.0, 0.0, 0.0, 0.0],
    }

    def answer(route: Route) -> None:
        (record,) = route.fetch().json()["records"]
        played = record | {"source": "table", "persons": [0]}
        route.fulfill(json={"records": [played | {"record": end, "margins": ends[end]} for end in ends]})

    page.route("**/api/v1/records", answer)
    page.reload()
    told = page.locator(".past li small")
    told.nth(len(ends) - 1).wait_for()
    assert [text.split(" · ")[0] for text in told.all_inner_texts()] == list(ends)
