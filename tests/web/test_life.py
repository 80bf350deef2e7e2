"""What happens to a game: reloads, two tabs, a killed server, another language, hints, replays."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.serve.harness import Server, changing
from tests.web.browser import (
    DESKTOP,
    ELSEWHERE,
    PHONE,
    QUICK,
    SUMMARY,
    Visit,
    play_move,
    play_out,
    position,
    start_game,
    wait_for_news,
    wait_for_turn,
)

GOLDEN = Path(__file__).parent.parent / "golden"
CORNER = 0.315  # the share of a card's height that rank and suit take in its corner


def test_a_reload_changes_nothing(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi")
    play_move(page, "koikoi")
    wait_for_turn(page, "koikoi")
    seq, cards = position(page), page.locator("[data-zone=hand] button").count()
    page.reload()
    wait_for_turn(page, "koikoi")
    assert position(page) == seq
    assert page.locator("[data-zone=hand] button").count() == cards


def test_a_killed_server_comes_back(own_server: Server, visit: Callable[..., Visit]) -> None:
    window = visit(at=own_server, speed=QUICK)
    page = window.page
    start_game(page, "gongzhu")
    play_move(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    seq = position(page)
    own_server.kill()
    page.wait_for_selector(".toast:not(:empty)")
    own_server.start()
    page.wait_for_selector(".toast:empty", state="attached")
    assert position(page) == seq
    play_out(page, "gongzhu")
    window.forgive("ERR_CONNECTION_REFUSED")
    window.forgive("WebSocket connection")


def test_a_server_that_says_nothing_is_told_and_the_move_kept(
    own_server: Server, visit: Callable[..., Visit]
) -> None:
    """Its process stands still, so that the connection does; when it goes on, the move arrives."""
    page = visit(at=own_server).page
    start_game(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    seq = position(page)
    assert own_server.process.pid is not None
    os.kill(own_server.process.pid, signal.SIGSTOP)
    try:
        page.locator("[data-zone=hand-me] button").first.click()
        toast = page.locator(".toast", has_text="The server is away")
        toast.wait_for()
        lowest = toast.evaluate("toast => toast.getBoundingClientRect().bottom")
        highest = page.eval_on_selector_all(
            ".card", "cards => Math.max(...cards.map((card) => card.getBoundingClientRect().top))"
        )
        assert lowest < highest  # the hand stays in sight
    finally:
        os.kill(own_server.process.pid, signal.SIGCONT)
    wait_for_news(page, seq)
    page.wait_for_selector(".toast:empty", state="attached")


CHANGES = {
    "en": ("has learned since", "plays for it", "moved instead"),
    "ja": ("学習", "代わりに続けます", "代わりに出しました"),
    "zh": ("学习", "代打", "代出"),
}


def test_an_agent_that_has_changed_is_told_in_a_line(own_server: Server, visit: Callable[..., Visit]) -> None:
    window = visit(at=own_server)
    page = window.page
    toast = page.locator(".toast")

    def come_back(language: str) -> None:
        page.evaluate(
            """language => {
              const chosen = JSON.parse(localStorage["fuda.settings"]);
              localStorage["fuda.settings"] = JSON.stringify({ ...chosen, language });
            }""",
            language,
        )
        page.reload()
        wait_for_turn(page, "koikoi")

    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    assert toast.inner_text() == ""
    for number, (place, news) in enumerate((("weights", "of another day"), ("name", "koikoi/gone"))):
        own_server.stop()
        with changing(own_server.data) as database:
            database.execute("UPDATE tables SET seats = json_set(seats, ?, ?)", (f"$[1].{place}", news))
        own_server.start()
        for language, told in CHANGES.items():
            come_back(language)
            assert told[number] in toast.inner_text()
    for language, told in CHANGES.items():
        come_back(language)
        while told[2] not in toast.inner_text():  # a turn may have several moves
            if not play_move(page, "koikoi"):
                page.click(SUMMARY)
            wait_for_turn(page, "koikoi")
    window.forgive("ERR_CONNECTION_REFUSED")
    window.forgive("WebSocket connection")


def test_two_tabs_show_the_same(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    start_game(page, "koikoi")
    other = window.new_tab()
    other.goto(page.url)
    for mover, follower in ((page, other), (other, page)):
        play_move(mover, "koikoi")
        wait_for_turn(mover, "koikoi")
        follower.wait_for_selector(f'.table-page[data-seq="{position(mover)}"]')
        assert wait_for_turn(follower, "koikoi") == wait_for_turn(mover, "koikoi")


def test_the_language_changes_in_the_middle_of_a_game(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    seq = position(page)
    assert not window.faults()
    for code, tag, name in (
        ("ja", "ja", "あなたの手札"),
        ("zh", "zh-Hans", "你的手牌"),
        ("en", "en", "Your hand"),
    ):
        page.click("header.bar button:last-child")
        page.locator("dialog .menu button").first.click()
        page.locator("dialog select").first.select_option(code)
        page.wait_for_selector(f'[data-zone=hand][aria-label="{name}"]', state="attached")
        assert page.evaluate("document.documentElement.lang") == tag
        page.keyboard.press("Escape")
    assert position(page) == seq
    # Other words have other widths: what they move is no fault, however long the browser takes for it.
    window.forgive_shifts()


def test_hints_mark_the_best_move(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    page.click("header.bar button[aria-pressed]")
    page.wait_for_selector(".card.best .badge")
    values = page.locator(".side .values")
    assert values.locator(".best").count() == 1
    row = "parseFloat(getComputedStyle(list.firstElementChild).minHeight)"
    assert values.evaluate(f"list => list.clientHeight >= 8 * {row}")  # all eight, if no name takes two lines
    play_move(page, "koikoi")
    wait_for_turn(page, "koikoi")
    page.wait_for_selector(".card.best .badge, .answers .best")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_values_leave_ranks_and_suits_in_sight(visit: Callable[..., Visit], size: tuple[int, int]) -> None:
    page = visit(size=size, hints=True).page
    start_game(page, "gongzhu")
    page.wait_for_selector(".card.best .badge")
    tops = page.eval_on_selector_all(
        ".card:has(.badge)",
        """cards => cards.map((card) => {
          const { top, height } = card.getBoundingClientRect();
          return (card.querySelector(".badge").getBoundingClientRect().top - top) / height;
        })""",
    )
    assert len(tops) > 1
    assert min(tops) > CORNER


def test_a_finished_game_is_looked_at_again(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi", rounds=1)
    play_out(page, "koikoi")
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(".steps")
    page.wait_for_selector(".felt .card")
    page.wait_for_function("() => document.querySelector('.steps input').max !== '0'")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.steps input').value === '1'")
    # By the keyboard: what a person's input moves is no shift, what a script's does is one.
    page.locator(".replay-options select").nth(1).focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".values .best")
    assert page.locator(".replay-side h2", has_text="possible moves").count() == 1
    with page.expect_download() as saved:
        page.click("header.bar button:not(.round)")
    assert saved.value.suggested_filename.endswith(".jsonl")
    page.click("header.bar button")
    page.wait_for_selector(".past .list li")
    assert page.locator(".results tbody tr").count() == 1


@pytest.mark.parametrize(
    ("game", "options"),
    [("koikoi", {"rounds": 1}), ("doudizhu", {"bidding": "on"}), ("gongzhu", {})],
)
def test_the_moves_of_a_replay_are_listed_as_at_the_table(
    visit: Callable[..., Visit], game: str, options: dict[str, int | str]
) -> None:
    page = visit(speed=QUICK).page
    start_game(page, game, **options)
    play_out(page, game)
    lines = ".side .log li"
    at_the_table, moves = page.locator(lines).count(), position(page)
    assert at_the_table > 2
    page.locator("dialog .actions button").nth(2).click()
    page.wait_for_selector(f'.steps input[max="{moves}"]')
    page.keyboard.press("End")
    page.wait_for_function("last => document.querySelector('.steps input').value === last", arg=moves)
    assert page.locator(lines).count() == at_the_table
    if game == "doudizhu":
        assert at_the_table == int(moves)
        # What the others did before the last move lies on the table, too.
        assert page.locator("[data-zone^=play-]").count() + page.locator(".said").count() >= 2
    page.keyboard.press("Home")
    page.wait_for_selector(lines, state="detached")


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("koikoi", {"rounds": 3}, {"Rounds": "3", "Points at the start": "30"}),
        ("doudizhu", {"bidding": "on"}, {"Bidding": "On: bid for landlord", "Points": "Win or lose only"}),
        ("gongzhu", {"leader": 2}, {"First leader": "North"}),
    ],
)
def test_the_rules_at_a_table_are_those_that_were_chosen(
    visit: Callable[..., Visit], game: str, options: dict[str, int | str], told: dict[str, str]
) -> None:
    page = visit().page
    start_game(page, game, **options)
    page.click('header.bar button[aria-label="Rules at this table"]')
    page.wait_for_selector("dialog .chosen-rules")
    names, values = (page.locator(f"dialog .chosen-rules {part}").all_inner_texts() for part in ("dt", "dd"))
    assert dict(zip(names, values, strict=True)) == told
    assert page.locator("dialog .rules section").count() > 2


def test_all_past_games_can_be_seen(visit: Callable[..., Visit], server: Server) -> None:
    page = visit().page
    page.wait_for_selector(".past")
    secret = page.evaluate("localStorage['fuda.owner']")
    file = (GOLDEN / "gongzhu-random.jsonl").read_text()
    for _ in range(14):
        server.ask("POST", "/records", {"file": file}, secret)
    page.reload()
    page.wait_for_selector(".past .list li")
    assert page.locator(".past .list li").count() == 12
    page.get_by_text("Show all 14").click()
    assert page.locator(".past .list li").count() == 14


def test_the_same_deal_again(visit: Callable[..., Visit]) -> None:
    page = visit(speed=QUICK).page
    start_game(page, "gongzhu")
    hand = "[data-zone=hand-me] [data-id]"
    first = page.eval_on_selector_all(hand, "cards => cards.map((card) => card.dataset.id)")
    play_out(page, "gongzhu")
    page.locator("dialog .actions button").nth(1).click()
    page.wait_for_selector(hand)
    assert page.eval_on_selector_all(hand, "cards => cards.map((card) => card.dataset.id)") == first


def test_giving_up(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi")
    page.click("header.bar button:last-child")
    page.locator("dialog .menu button").nth(1).click()
    page.click("dialog .primary")
    page.wait_for_selector("dialog .actions button:nth-child(4)")


@pytest.mark.parametrize("own_server", [{"names": [ELSEWHERE]}], indirect=True)
def test_a_card_is_played_from_another_machine(own_server: Server, visit: Callable[..., Visit]) -> None:
    """Under a name that is not localhost, without TLS: much of what browsers have is missing there."""
    window = visit(at=own_server, host=ELSEWHERE)
    page = window.page
    assert not page.evaluate("isSecureContext")
    start_game(page, "koikoi")
    assert play_move(page, "koikoi")
    wait_for_turn(page, "koikoi")
    # Chromium ignores one of the server's headers there, and says so.
    window.forgive("The Cross-Origin-Opener-Policy header has been ignored")


def test_what_the_server_cannot_use_is_told(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    seq = position(page)
    page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            if (text.includes('"move"')) WebSocket.prototype.send = send;
            send.call(this, text.replace('"move"', '"mvoe"'));
          };
        }"""
    )
    page.locator("[data-zone=hand] button").first.click()
    page.wait_for_function("() => document.querySelector('.toast').textContent.includes('bad_message')")
    assert position(page) == seq
    assert play_move(page, "koikoi")  # the same card again
    assert page.locator(".toast").inner_text() == ""


# A server that takes one message from each connection: the greeting, and no move after it.
@pytest.mark.parametrize("own_server", [{"message_burst": 1, "message_rate": 0.001}], indirect=True)
def test_who_is_too_fast_is_told(own_server: Server, visit: Callable[..., Visit]) -> None:
    page = visit(at=own_server).page
    start_game(page, "koikoi")
    wait_for_turn(page, "koikoi")
    seq = position(page)
    for _ in range(2):
        wait_for_turn(page, "koikoi")
        page.locator("[data-zone=hand] button").first.click()
        page.wait_for_function("() => document.querySelector('.toast').textContent.endsWith('try again.')")
        assert position(page) == seq


def test_values_that_do_not_come_are_told(own_server: Server, visit: Callable[..., Visit]) -> None:
    window = visit(at=own_server)
    page = window.page
    page.wait_for_selector(".past")
    file = (GOLDEN / "koikoi-random.jsonl").read_text()
    record = own_server.ask("POST", "/records", {"file": file}, page.evaluate("localStorage['fuda.owner']"))
    page.goto(f"{own_server.origin}/#/replay/{record['record']}")
    page.wait_for_selector(f'.steps input[max="{record["moves"]}"]')
    own_server.kill()
    page.locator(".replay-options select").nth(1).focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".costs .fault")
    assert "does not answer" in page.locator(".costs").inner_text()
    assert "Looking through" not in page.locator(".costs").inner_text()
    window.forgive("ERR_CONNECTION_REFUSED")


# Where the numbers of a line begin on the screen, in the order in which they are read.
PLACES = """(line) => {
  const text = line.lastChild;
  return [...text.data.matchAll(/\\p{Nd}+/gu)].map(({ 0: found, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + found.length);
    return range.getBoundingClientRect().left;
  });
}"""


def test_a_name_from_right_to_left_stays_by_itself(visit: Callable[..., Visit]) -> None:
    page = visit(name="\N{ARABIC-INDIC DIGIT SEVEN}").page  # the seed, too
    start_game(page, "gongzhu")
    wait_for_turn(page, "gongzhu")
    page.locator('[data-zone=hand-me] button[data-id="C3"]').click()
    line = page.locator(".side .log li").first
    line.wait_for()
    own_name, own_card = line.evaluate(PLACES)[:2]
    assert own_name < own_card
