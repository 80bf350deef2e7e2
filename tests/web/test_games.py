"""A whole game of each kind, from the lobby to the summary: by mouse, by keyboard alone, by touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from fuda.agents import list_agents
from tests.web.browser import (
    COUNTING,
    DESKTOP,
    PHONE,
    PHONE_ASIDE,
    QUICK,
    SUMMARY,
    Visit,
    play_move,
    play_out,
    position,
    start_game,
    tell_hints_late,
    wait_for_news,
    wait_for_turn,
)
from tests.web.test_access import check_screen
from tests.web.test_folders import GAMES

# What the hints say once they are there, or that there are none for this move.
HINTED = '.side .values li:not(:has-text("Thinking"))'
LEVELS = ("beginner", "casual", "skilled", "best")
FOR_MEASURING = {"koikoi/sl-heldout"}  # no player's list has it
SLOW_MS = 700  # shifts within 500 ms after a press do not count as such


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_levels_are_offered_from_the_lowest_up_and_all_others_on_request(
    visit: Callable[..., Visit], size: tuple[int, int]
) -> None:
    page = visit(size=size).page
    for game in GAMES:
        page.click(f".tile[href$={game}]")
        offers = page.locator("input[name=rival]")
        offers.first.wait_for()
        names = [offer.get_attribute("value") for offer in offers.all()]
        assert names == [f"{game}/{level}" for level in LEVELS]
        assert offers.first.is_checked()  # who comes for the first time starts low
        stars = page.locator(".agent .stars").all_inner_texts()
        assert [text.count("\N{BLACK STAR}") for text in stars] == [1, 2, 3, 4]
        page.click(".more-agents")
        offers.nth(len(LEVELS)).wait_for()
        names = [offer.get_attribute("value") for offer in offers.all()]
        assert len(names) == len(set(names))
        assert set(names) == set(list_agents(game)) - FOR_MEASURING
        check_screen(page, f"{game}, all opponents")
        page.goto(page.url.partition("#")[0])
    start_game(page, "gongzhu", "gongzhu/greed")
    page.click("header.bar button")
    page.click(".tile[href$=gongzhu]")
    page.wait_for_selector('input[value="gongzhu/greed"]:checked')  # whom one played last


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_newcomer_is_guided_through_the_first_round(
    visit: Callable[..., Visit], size: tuple[int, int]
) -> None:
    page = visit(size=size, touch=size == PHONE, guided={}).page
    start_game(page, "koikoi", rounds=1)
    wait_for_turn(page, "koikoi")
    word = page.locator(".guide .word p")
    told = []
    for zone in ("hand", "field"):
        word.wait_for()
        told.append(word.inner_text())
        frame = page.locator(".guide i").bounding_box()
        assert frame is not None
        for card in page.locator(f"[data-zone={zone}] .target").all():
            box = card.bounding_box()
            assert box is not None
            assert frame["x"] <= box["x"]
            assert frame["y"] <= box["y"]
            assert frame["x"] + frame["width"] >= box["x"] + box["width"]
            assert frame["y"] + frame["height"] >= box["y"] + box["height"]
        check_screen(page, f"guide to the {zone}")
        page.click(".guide .primary")
    assert len(set(told)) == 2
    play_move(page, "koikoi")  # it is in nobody's way
    wait_for_turn(page, "koikoi")
    page.reload()
    wait_for_turn(page, "koikoi")
    word.wait_for()
    assert word.inner_text() not in told  # it goes on where it was
    page.click(".guide .quiet")
    page.wait_for_selector(".guide", state="detached")
    page.get_by_label("Chart of cards and points").click()
    page.locator("dialog .months li").nth(11).wait_for()
    assert page.locator("dialog .months img").count() == 48
    check_screen(page, "chart")


@pytest.mark.parametrize("motion", [False, True])
def test_koikoi_by_mouse(visit: Callable[..., Visit], motion: bool) -> None:
    page = visit(size=DESKTOP, motion=motion, speed=QUICK / 2, hints=True).page
    start_game(page, "koikoi", rounds=1 if motion else 2)
    play_out(page, "koikoi")
    assert page.locator("dialog .tally").is_visible()


def test_gongzhu_on_a_touch_phone(visit: Callable[..., Visit]) -> None:
    page = visit(size=PHONE, touch=True, speed=QUICK).page
    page.tap(".tile[href$=gongzhu]")
    page.tap("button[type=submit]")
    page.locator(".plate .role", has_text="partner").wait_for()
    while (selector := wait_for_turn(page, "gongzhu")) != SUMMARY:
        seq = position(page)
        page.locator(selector).first.tap()
        wait_for_news(page, seq)
    page.wait_for_selector("dialog .summary")


@pytest.mark.parametrize("bidding", ["off", "on"])
def test_doudizhu_with_suggestions(visit: Callable[..., Visit], bidding: str) -> None:
    switches = COUNTING["doudizhu"] | {"autoPass": bidding == "on"}
    page = visit(size=PHONE_ASIDE, switches={"doudizhu": switches}, speed=QUICK).page
    start_game(page, "doudizhu", bidding=bidding)
    play_out(page, "doudizhu")
    assert page.locator("dialog .summary tbody tr").count() == 3


def test_koikoi_by_keyboard_alone(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    page.wait_for_selector(".tile")
    press_until(page, "a.tile[href$=koikoi]")
    page.keyboard.press("Enter")
    page.wait_for_selector("form")
    press_until(page, "summary")
    page.keyboard.press("Enter")
    press_until(page, '[data-option="rounds"]')
    page.keyboard.type("1")
    press_until(page, "button[type=submit]")
    page.keyboard.press("Enter")
    while (selector := wait_for_turn(page, "koikoi")) != SUMMARY:
        press_until(page, selector)
        page.keyboard.press("ArrowRight")
        seq = position(page)
        page.keyboard.press("Enter")
        wait_for_news(page, seq)
    press_until(page, "dialog .actions button:last-child")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tile")


def press_until(page: Page, selector: str) -> None:
    """Press Tab until something that the selector finds has the focus."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def test_cards_are_named(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi")
    page.wait_for_selector("[data-zone=hand] button")
    name = page.locator("[data-zone=hand] button").first.get_attribute("aria-label")
    assert name is not None
    month, *_, match = name.split(", ")
    assert month in "January February March April May June July August September October November December"
    assert match.startswith("matches")


def test_a_card_is_pressed_twice_where_asked(visit: Callable[..., Visit]) -> None:
    page = visit(confirm=True).page
    start_game(page, "gongzhu")
    card = page.locator("[data-zone=hand-me] button").first
    card.click()
    assert card.get_attribute("aria-pressed") == "true"
    assert position(page) == "0"
    card.click()
    wait_for_news(page, "0")


def test_cards_are_selected_by_a_sweep_or_by_keys_and_always_form_a_move(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "doudizhu", bidding="off")  # the landlord leads: anything may be played
    wait_for_turn(page, "doudizhu")
    cards = page.locator("[data-zone=hand-me] button")
    raised = page.locator("[data-zone=hand-me] button[aria-pressed=true]")
    play = page.locator(".controls .primary:enabled")
    edge = 6  # the cards overlap: only the edge of each is free
    boxes = [card.bounding_box() for card in cards.all()]
    start = boxes[0]
    assert start is not None
    page.mouse.move(start["x"] + edge, start["y"] + edge)
    page.mouse.down()
    for box in boxes[1:]:
        assert box is not None
        page.mouse.move(box["x"] + edge, box["y"] + edge)
    page.mouse.up()
    play.wait_for()
    swept = raised.count()
    assert swept > 0
    for _ in range(swept):  # put back, by keys
        raised.first.focus()
        page.keyboard.press("Enter")
    play.wait_for(state="detached")
    cards.last.focus()
    page.keyboard.press("Space")
    play.wait_for()
    assert raised.count() >= 1


def test_a_move_is_told_beside_the_cards_when_it_has_been_seen(visit: Callable[..., Visit]) -> None:
    page = visit(motion=True).page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    lines = ".side .log li"
    before, seq = page.locator(lines).count(), position(page)
    page.locator("[data-zone=hand] button").first.click()
    during = page.wait_for_function(
        """([seq, lines]) => {
          const table = document.querySelector(".table-page");
          if (table.dataset.seq === seq || !("busy" in table.dataset)) return null;
          return { told: document.querySelectorAll(lines).length };
        }""",
        arg=[seq, lines],
    )
    assert during.json_value() == {"told": before}
    wait_for_turn(page, "koikoi")
    assert page.locator(lines).count() > before


def test_hints_on_a_phone_are_seen_and_can_be_taken(visit: Callable[..., Visit]) -> None:
    page = visit(size=PHONE, touch=True, hints=True).page
    start_game(page, "doudizhu")
    wait_for_turn(page, "doudizhu")
    ideas = page.locator(".ideas button")
    ideas.nth(1).wait_for()
    ideas.nth(1).tap()
    assert ideas.nth(1).get_attribute("aria-pressed") == "true"
    page.locator(".controls .primary:enabled").wait_for()
    page.tap("header.bar .narrow-only")
    rows = page.locator("dialog .values button")
    rows.nth(2).wait_for()
    for text in page.locator("dialog .values button span:nth-child(2)").all_inner_texts():
        counts = [text.split().count(rank) for rank in text.split()]
        assert counts == sorted(counts, reverse=True), text  # as people lay it down: 3 3 3 A, not A 3 3 3
    wanted = rows.nth(2).locator("span").nth(1).inner_text().split()
    rows.nth(2).tap()
    raised = page.locator("[data-zone=hand-me] button[aria-pressed=true]")
    raised.nth(len(wanted) - 1).wait_for()
    assert raised.count() == len(wanted)
    play = page.locator(".controls .primary:enabled")
    middle = play.locator(".label").evaluate(
        """(label) => {
          const [text, button] = [label, label.parentElement].map((node) => node.getBoundingClientRect());
          return (text.left + text.right - button.left - button.right) / 2;
        }"""
    )
    assert abs(middle) < 1


def test_icons_tell_their_names_to_a_mouse(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    icons = page.locator("button.round").all()
    assert len(icons) > 3
    for icon in icons:
        assert icon.get_attribute("title") == icon.get_attribute("aria-label")
    sounds = page.get_by_label("Turn sounds off")
    sounds.click()
    page.get_by_label("Turn sounds on").wait_for()
    assert page.evaluate("JSON.parse(localStorage['fuda.settings']).sound") is False


def test_agents_alone_are_watched(visit: Callable[..., Visit]) -> None:
    page = visit(speed=QUICK).page
    page.click(".tile[href$=gongzhu]")
    page.click("summary")
    page.select_option('[data-option="seat"]', "-1")
    page.locator("legend", has_text="Players").wait_for()
    assert page.locator(".choices input[type=text]").count() == 0  # no name is needed
    page.click("button[type=submit]")
    wait = page.locator(".watch select").first
    assert wait.input_value() == "800"
    assert "North" in page.locator(".status").inner_text()  # not "we" and "they"
    page.click(".watch button")
    page.locator(".turn", has_text="Paused").wait_for()
    page.click(".watch button")
    page.locator(".watch button", has_text="Pause").wait_for()
    wait.select_option("0")
    page.wait_for_selector("dialog .summary")
    assert page.locator("dialog .summary th.total").all_inner_texts() == [
        "South\N{EN DASH}North",
        "East\N{EN DASH}West",
    ]


def test_buttons_do_not_lie_on_raised_cards(visit: Callable[..., Visit]) -> None:
    page = visit(size=(360, 640), touch=True).page
    start_game(page, "doudizhu", bidding="on")
    play_move(page, "doudizhu")  # the first seat bids first: 3, and is the landlord
    wait_for_turn(page, "doudizhu")
    page.click('.controls [data-does="suggest"]')
    page.wait_for_selector('[data-zone=hand-me] [aria-pressed="true"]')
    lowest = page.locator(".controls .primary").evaluate("node => node.getBoundingClientRect().bottom")
    highest = page.eval_on_selector_all(
        "[data-zone=hand-me] .target",
        "cards => Math.min(...cards.map((card) => card.getBoundingClientRect().top))",
    )
    assert lowest <= highest


@pytest.mark.parametrize(
    ("game", "size", "moves", "options"),
    [
        ("koikoi", PHONE, 4, {"rounds": 1}),
        ("koikoi", DESKTOP, 40, {"rounds": 1}),  # to the summary
        ("gongzhu", PHONE, 2, {}),
        ("gongzhu", DESKTOP, 2, {}),
        ("doudizhu", PHONE, 3, {"bidding": "on"}),
        ("doudizhu", DESKTOP, 3, {"bidding": "on"}),
    ],
)
def test_nothing_shifts_when_agents_take_their_time(
    visit: Callable[..., Visit], game: str, size: tuple[int, int], moves: int, options: dict[str, int | str]
) -> None:
    """Their moves come so late that no browser takes a shift for what a press has caused."""
    page = visit(size=size, delay=SLOW_MS, hints=True, switches=COUNTING, labels=True).page
    start_game(page, game, **options)
    for _ in range(moves):
        if wait_for_turn(page, game) == SUMMARY:
            break
        page.wait_for_selector(HINTED, state="attached")
        play_move(page, game)
    wait_for_turn(page, game)
    page.wait_for_timeout(SLOW_MS)


@pytest.mark.parametrize(
    ("game", "options"),
    [("koikoi", {"rounds": 1}), ("gongzhu", {}), ("doudizhu", {"bidding": "on"})],
)
def test_nothing_shifts_when_hints_come_late(
    visit: Callable[..., Visit], game: str, options: dict[str, int | str]
) -> None:
    """Of bids first, in another unit than of plays."""
    page = visit(size=DESKTOP, hints=True, switches=COUNTING, labels=True).page
    tell_hints_late(page)
    start_game(page, game, **options)
    for _ in range(2):
        page.wait_for_selector(HINTED, state="attached")
        play_move(page, game)
        wait_for_turn(page, game)
    page.wait_for_selector(HINTED, state="attached")
