"""Screens for everybody: axe finds nothing serious, nothing is clipped, nothing lies outside the screen."""

import functools
import itertools
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import fuda
from fuda.core.generator import AGENT, streams
from tests.web.browser import (
    CHOICES,
    COUNTING,
    DESKTOP,
    PHONE,
    PHONE_ASIDE,
    QUICK,
    SUMMARY,
    TABLET,
    Visit,
    find_clipped,
    play_move,
    play_out,
    position,
    start_game,
    wait_for_news,
    wait_for_turn,
)

RIVAL = "koikoi/classical"
AXE = files("axe_core_python").joinpath("axe.min.js").read_text()
LANGUAGES = ("en", "ja", "zh")
QUESTION = CHOICES["koikoi"][0]
SIZES = [PHONE, PHONE_ASIDE, DESKTOP]
IN_TURN = list(zip(SIZES, LANGUAGES, strict=True))
ASKED = [*IN_TURN, (TABLET, "en")]


def check_screen(page: Page, name: str) -> None:
    """Nothing serious by axe, nothing clipped."""
    page.wait_for_timeout(150)
    clipped = find_clipped(page)
    assert not clipped, (name, clipped)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    serious = [
        (violation["id"], [node["html"][:160] for node in violation["nodes"]][:3])
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert not serious, (name, serious)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_lobby(visit: Callable[..., Visit], size: tuple[int, int], dark: bool) -> None:
    page = visit(size=size, dark=dark).page
    page.wait_for_selector(".past")
    check_screen(page, "lobby")
    page.click(".tile[href$=doudizhu]")
    page.wait_for_selector("form")
    page.click("summary")
    check_screen(page, "new game")
    page.click(".hero button")
    page.wait_for_selector("dialog .rules")
    check_screen(page, "how to play")
    page.keyboard.press("Escape")
    page.click(".head button")
    page.wait_for_selector("dialog .settings")
    check_screen(page, "settings")


FAN_WITHIN = """() => {
  const frame = document.querySelector(".hero").getBoundingClientRect();
  const hand = document.querySelector(".hero .hand").getBoundingClientRect();
  return [...document.querySelectorAll(".hero .hand img")].map((card) => card.getBoundingClientRect())
    .filter((card) => card.top < frame.top || card.bottom > Math.min(hand.bottom, frame.bottom)
      || card.left < frame.left || card.right > frame.right).length;
}"""


@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP])
def test_the_fan_of_a_new_game_is_whole(visit: Callable[..., Visit], size: tuple[int, int]) -> None:
    page = visit(size=size).page
    for game in ("koikoi", "gongzhu", "doudizhu"):
        page.goto(f"{page.url.split('#')[0]}#/new/{game}")
        page.wait_for_selector(f".hero .hand.{'hanafuda' if game == 'koikoi' else 'french'}")
        assert page.evaluate(FAN_WITHIN) == 0, game


def test_the_curve_of_hints_is_in_sight(visit: Callable[..., Visit]) -> None:
    page = visit(size=DESKTOP, hints=True).page
    start_game(page, "koikoi", rounds=1)
    wait_for_turn(page, "koikoi")
    box = page.locator(".side .curve").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < DESKTOP[1]


# Every game on every size, and every language on every size; tests.web.shots goes through all languages
# and colours on every size, and looks for what is clipped on each of its pictures.
@pytest.mark.parametrize(
    ("game", "size", "language"),
    [
        (game, size, LANGUAGES[(number + place) % 3])
        for number, game in enumerate(("koikoi", "gongzhu", "doudizhu"))
        for place, size in enumerate(SIZES)
    ],
)
def test_tables(visit: Callable[..., Visit], game: str, size: tuple[int, int], language: str) -> None:
    page = visit(
        size=size, dark=language == "ja", language=language, hints=True, labels=True, speed=QUICK
    ).page
    start_game(page, game, **({"rounds": 1} if game == "koikoi" else {}))
    wait_for_turn(page, game)
    check_screen(page, f"{game}, first move")
    if size == DESKTOP:
        page.click("header.bar button:nth-last-child(2)")
        page.wait_for_selector("dialog .rules")
        check_screen(page, f"{game}, rules")
        page.keyboard.press("Escape")
    for _ in range(3):
        play_move(page, game)
    wait_for_turn(page, game)
    check_screen(page, f"{game}, in play")
    play_out(page, game)
    check_screen(page, f"{game}, summary")
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".steps")
    page.wait_for_selector(".felt .card")
    check_screen(page, f"{game}, replay")


def moves_to_the_question(seed: int) -> list[str] | None:
    """The person's moves, always the first legal one, until the koi-koi question; None: not in this round."""
    rival, match = fuda.agent(RIVAL), fuda.game("koikoi").start(seed)
    moves: list[str] = []
    while match.view(0)["round"] == 1 and not match.over:
        if match.seat == 0:
            if "koikoi" in match.legal():
                return moves
            moves.append(match.legal()[0])
            match.play(moves[-1])
        else:
            numbers = streams(seed, AGENT, len(match.moves), 1)
            action = rival.act(match.view_record(match.seat), np.array([match.seat]), numbers)[0]
            match.play(match.game.spec.text.move_text(int(action)))
    return None


@functools.cache
def game_with_a_question() -> tuple[int, list[str]]:
    """The first seed with which the person is asked in the first round, and the moves before that."""
    games = ((seed, moves_to_the_question(seed)) for seed in itertools.count())
    return next((seed, moves) for seed, moves in games if moves is not None)


def play_moves(page: Page, moves: list[str]) -> None:
    """Press these cards, each in its turn."""
    for move in moves:
        wait_for_turn(page, "koikoi")
        seq = position(page)
        page.click(f'.felt button[data-id="{move}"]')
        wait_for_news(page, seq)


@pytest.mark.parametrize(("size", "language"), ASKED)
def test_the_question_and_the_summary_of_a_round(
    visit: Callable[..., Visit], size: tuple[int, int], language: str
) -> None:
    seed, moves = game_with_a_question()
    page = visit(name=str(seed), size=size, language=language, hints=True).page
    start_game(page, "koikoi", RIVAL)
    play_moves(page, moves)
    assert wait_for_turn(page, "koikoi") == QUESTION
    page.wait_for_selector(".answers .best")
    check_screen(page, "question")
    covered = page.evaluate(
        """() => {
          const box = document.querySelector(".question").getBoundingClientRect();
          const under = (card) => {
            const { left, right, top, bottom } = card.getBoundingClientRect();
            const beside = left > box.right - 1 || right < box.left + 1;
            return !beside && top < box.bottom - 1 && bottom > box.top + 1;
          };
          return [...document.querySelectorAll(".card")].filter(under).map((card) => card.dataset.card);
        }"""
    )
    assert not covered  # field, hand and piles are what one decides by
    page.locator(QUESTION).first.click()  # stop
    page.wait_for_selector(SUMMARY)
    assert page.get_attribute(".table-page", "data-state") == "between"
    check_screen(page, "summary of a round")


@pytest.mark.parametrize(("size", "language"), IN_TURN)
def test_bidding_menu_and_giving_up(
    visit: Callable[..., Visit], size: tuple[int, int], language: str
) -> None:
    page = visit(size=size, language=language, switches=COUNTING).page
    start_game(page, "doudizhu", bidding="on")  # the first seat bids first
    wait_for_turn(page, "doudizhu")
    assert page.locator('.controls [data-does="bid"]').count() > 0
    check_screen(page, "bidding")
    page.click("header.bar button:last-child")
    page.wait_for_selector("dialog .menu")
    check_screen(page, "menu")
    page.locator("dialog .menu button").nth(1).click()
    page.wait_for_selector("dialog .actions")
    check_screen(page, "giving up")


@pytest.mark.parametrize(("size", "language"), IN_TURN)
@pytest.mark.parametrize("game", ["koikoi", "gongzhu", "doudizhu"])
def test_watching(visit: Callable[..., Visit], game: str, size: tuple[int, int], language: str) -> None:
    page = visit(size=size, language=language, delay=1800).page
    start_game(page, game, seat=-1)
    if size != DESKTOP:
        check_screen(page, f"{game}, watched")
        page.click("header.bar .narrow-only")
    page.locator(".watch:visible").wait_for()
    check_screen(page, f"{game}, watched, with its controls")
