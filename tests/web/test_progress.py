"""Progress: reached from the lobby, as the server tells it; all of it saved as a file, and deleted."""

import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page

from fuda.games import spec
from fuda.serve.store import insert
from tests.serve.harness import Owner, Server, changing
from tests.web.browser import DESKTOP, PHONE, PHONE_ASIDE, TABLET, Visit
from tests.web.test_access import check_screen

UNITS = {"koikoi": "probability", "gongzhu": "points", "doudizhu": "probability"}
GAMES = {"koikoi": 40, "gongzhu": 15, "doudizhu": 1}
BEGAN = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)


def plant(server: Server, owner: int, guest: str = "Bo") -> None:
    """Games of an owner, who gives away less and less; one with hints, one that a friend was at."""
    luck = random.Random(4)
    with changing(server.data) as database:
        for game, count in GAMES.items():
            seats = spec(game).seats
            for number in range(count):
                level = ("beginner", "casual", "skilled")[min(2, number // 12)]
                players = ["?", *[f"{game}/{level}"] * (seats - 1)]
                persons, margin = [0], luck.choice((-1.0, 1.0, 1.0))
                if game == "koikoi" and number == 20:
                    players[1], persons = guest, [0, 1]
                sides = [seat % 2 for seat in range(seats)]
                info = {
                    "game": game, "options": {}, "players": players, "persons": persons,
                    "guests": persons[1:], "source": "table", "moves": 50, "scores": [0] * seats,
                    "margins": [margin if side == 0 else -margin for side in sides], "sides": sides,
                    "resigned": None, "hints": number == 3, "same_deal": False, "takebacks": 0,
                }  # fmt: skip
                cost = luck.gammavariate(4, 0.1 / (1 + number / 10)) * (300 if game == "gongzhu" else 1)
                time = (BEGAN + timedelta(days=2 * number)).isoformat(timespec="milliseconds")
                key = f"{game}{number}"
                row = {"owner": owner, "info": info, "record": key, "seat": 0, "created": time}
                database.execute(*insert("outcomes", id=key, cost=cost, unit=UNITS[game], **row))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A server and the secret of somebody who has played there for a while."""
    server = Server(tmp_path_factory.mktemp("played"))
    owner = Owner(server)
    server.stop()
    plant(server, 1)
    server.start()
    yield server, owner.secret
    server.stop()


def come_back(window: Visit, secret: str) -> Page:
    """The lobby, as an owner of before."""
    page = window.page
    page.wait_for_selector(".past")
    page.evaluate("secret => (localStorage['fuda.owner'] = secret)", secret)
    page.reload()
    page.wait_for_selector(".past")
    return page


@pytest.mark.parametrize(
    ("size", "language", "dark"),
    [
        (DESKTOP, "en", False),
        (PHONE, "zh", False),
        (PHONE_ASIDE, "ja", True),
        (TABLET, "zh", True),
        (PHONE, "en", True),
    ],
)
def test_progress_is_what_the_server_tells(
    visit: Callable[..., Visit],
    played: tuple[Server, str],
    size: tuple[int, int],
    language: str,
    dark: bool,
) -> None:
    server, secret = played
    page = come_back(visit(at=server, size=size, language=language, dark=dark), secret)
    page.click(".to-progress")
    page.wait_for_selector(".account")
    check_screen(page, "progress")
    told = {game["game"]: game for game in Owner(server, secret).ask("GET", "/progress")["games"]}
    accounts = page.locator(".account")
    assert accounts.count() == len(GAMES) == len(told)
    for number, game in enumerate(sorted(GAMES, key=lambda game: spec(game).seats)):
        account, has = accounts.nth(number), told[game]
        assert has["games"] == GAMES[game]
        assert account.locator(".rating b").inner_text() == str(round(has["rating"]))
        assert f"± {round(has['stderr'])}" in account.locator(".rating").inner_text()
        assert account.locator(".dot").count() == GAMES[game]
        assert account.locator(".line").get_attribute("d").startswith("M")
        rows = account.locator("tbody tr")
        assert rows.count() == len(has["others"]) + 1
        shown = [int(text.split(" ")[0]) for text in rows.locator("td:nth-child(2)").all_inner_texts()]
        assert shown == sorted(shown, reverse=True)
        assert rows.locator("td:nth-child(3)").all_inner_texts().count(str(has["rated"])) >= 1
        assert account.locator(".own").count() == 1
    assert "Bo" in accounts.first.inner_text()
    page.click("a.back")
    page.wait_for_selector(".tile")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_profile_is_saved_as_a_file(
    visit: Callable[..., Visit], played: tuple[Server, str], size: tuple[int, int]
) -> None:
    server, secret = played
    page = come_back(visit(at=server, size=size), secret)
    page.click(".to-progress")
    with page.expect_download() as download:
        page.locator(".data button").first.click()
    assert download.value.suggested_filename.startswith("fuda-profile-")
    found = json.loads(Path(download.value.path()).read_text())
    assert {game["game"]: len(game["played"]) for game in found["progress"]} == GAMES


@pytest.mark.parametrize(("size", "language"), [(DESKTOP, "en"), (PHONE, "ja")])
def test_the_profile_is_deleted_once_that_is_sure(
    visit: Callable[..., Visit], own_server: Server, size: tuple[int, int], language: str
) -> None:
    first = Owner(own_server)
    own_server.stop()
    plant(own_server, 1)
    own_server.start()
    window = visit(at=own_server, size=size, language=language, name="Ada")
    page = come_back(window, first.secret)
    page.click(".to-progress")
    page.wait_for_selector(".account")
    page.locator(".data button").last.click()
    page.wait_for_selector("dialog .primary")
    check_screen(page, "sure")
    page.locator("dialog .actions button").last.click()  # not sure
    assert first.ask("GET", "/progress")["games"]
    page.locator(".data button").last.click()
    page.click("dialog .primary")
    page.wait_for_selector(".past .note")
    assert page.locator(".results table").count() == 0
    status, _ = own_server.request("GET", "/api/v1/progress", None, first.secret)
    assert status == 401
    assert page.evaluate("localStorage['fuda.owner']") != first.secret
    assert page.evaluate("JSON.parse(localStorage['fuda.settings']).name") == ""
    page.click(".to-progress")
    page.wait_for_selector(".data")
    assert page.locator(".account").count() == 0
    check_screen(page, "no progress")
