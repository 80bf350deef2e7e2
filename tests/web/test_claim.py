"""Claiming the rest in Gongzhu: offered once the server calls the points settled, then played to the end."""

import functools
import itertools
import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page

import fuda
from fuda.core.generator import AGENT, streams
from tests.web.browser import PHONE, QUICK, SUMMARY, Visit, position, start_game, wait_for_news, wait_for_turn
from tests.web.test_access import check_screen

RIVAL = "gongzhu/greed"
TURNS = 4  # of the person after the claim, at the least


def played(seed: int) -> tuple[list[str], bool, list[int]]:
    """The person's moves before the claim, whether there is one, the final points.

    The person always plays the first legal card, as the page does after a claim.
    """
    rival, match = fuda.agent(RIVAL), fuda.game("gongzhu").start(seed)
    moves: list[str] = []
    claimed = False
    while not match.over:
        if match.seat == 0:
            view = match.view(0)
            claimed = claimed or (view["settled"] is not None and len(view["hand"]) >= TURNS)
            move = match.legal()[0]
            if not claimed:
                moves.append(move)
        else:
            numbers = streams(seed, AGENT, len(match.moves), 1)
            action = rival.act(match.view_record(match.seat), np.array([match.seat]), numbers)[0]
            move = match.game.spec.text.move_text(int(action))
        match.play(move)
    return moves, claimed, match.scores


@functools.cache
def game_with_a_claim() -> tuple[int, list[str], list[int]]:
    """The first seed with a claim, the person's moves before it, the final points."""
    games = ((seed, *played(seed)) for seed in itertools.count())
    return next((seed, moves, scores) for seed, moves, claimed, scores in games if claimed)


def play_until_the_claim(window: Visit) -> None:
    """A game up to the turn at which the rest may be claimed; before that it is not offered."""
    page = window.page
    start_game(page, "gongzhu", RIVAL, showing="off")
    for card in game_with_a_claim()[1]:
        wait_for_turn(page, "gongzhu")
        assert page.locator(".claim").count() == 0
        seq = position(page)
        page.click(f'[data-zone=hand-me] button[data-id="{card}"]')
        wait_for_news(page, seq)
    wait_for_turn(page, "gongzhu")
    scores = game_with_a_claim()[2]
    told = page.locator(".claim").inner_text().replace("\N{MINUS SIGN}", "-")
    ends = [int(number) for number in re.findall(r"-?\d+", told)]
    assert ends == [scores[0] + scores[2], scores[1] + scores[3]]


def let_agents_wait(page: Page, milliseconds: int) -> None:
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button").first.click()
    page.locator("dialog select", has=page.locator('option[value="400"]')).select_option(str(milliseconds))
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def check_the_end(page: Page) -> None:
    page.wait_for_selector(SUMMARY)
    assert page.get_attribute(".table-page", "data-state") == "over"
    assert position(page) == "52"
    told = page.locator(".summary tbody tr:not(:last-child) td:last-child").all_inner_texts()
    scores = game_with_a_claim()[2]
    assert [int(text.replace("\N{MINUS SIGN}", "-")) for text in told] == [
        scores[seat] for seat in (0, 2, 1, 3)
    ]


def test_a_claim_outlives_a_reload_but_not_its_game(visit: Callable[..., Visit]) -> None:
    window = visit(name=str(game_with_a_claim()[0]), size=PHONE, speed=QUICK)
    page = window.page
    play_until_the_claim(window)
    check_screen(page, "claim")
    let_agents_wait(page, 400)  # so that much is left to play after the reload
    page.click(".claim")
    page.reload()
    check_the_end(page)
    page.click(SUMMARY)  # the same table again
    page.wait_for_selector('.table-page[data-seq="0"]')
    wait_for_turn(page, "gongzhu")
    page.wait_for_timeout(1000)
    assert position(page) == "0"


def test_two_tabs_may_claim_at_once(visit: Callable[..., Visit]) -> None:
    """Both play for the person then: one of two moves is always too late, and refused."""
    window = visit(name=str(game_with_a_claim()[0]), speed=QUICK)
    play_until_the_claim(window)
    window.page.click("header.bar button[aria-pressed]")
    window.page.locator(".values .note", has_text="Nothing can change the result").wait_for()
    assert window.page.locator(".card .badge").count() == 0  # what is settled needs no guess beside it
    other = window.new_tab()
    other.goto(window.page.url)
    other.wait_for_selector(".claim")
    for tab in (window.page, other):
        tab.evaluate("document.querySelector('.claim')?.click()")
    for tab in (window.page, other):
        check_the_end(tab)
