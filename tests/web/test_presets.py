"""Rules by the names that players use: in the lobby, at the table, and beside hints."""

from collections.abc import Callable

import pytest

from fuda.games import spec
from tests.serve.harness import Server
from tests.web.browser import Visit, start_game

TITLES = {  # by language: of Koi-Koi's preset, of its viewings there, and of the panel with the rules
    "en": ("Japanese app", "5 points", "Rules at this table"),
    "ja": ("アプリのルール", "5点", "このテーブルのルール"),
    "zh": ("日本应用规则", "5分", "本桌规则"),
}


@pytest.mark.parametrize("language", TITLES)
def test_a_preset_is_chosen_and_told_at_the_table(visit: Callable[..., Visit], language: str) -> None:
    preset, viewing, rules = TITLES[language]
    page = visit(language=language).page
    page.click(".tile[href$=koikoi]")
    page.click(".more-agents")
    chosen = page.locator(".presets .chosen b")
    assert page.locator(".presets .agent").count() == len(spec("koikoi").presets)
    assert page.locator(".agents .unlearned").count() == 0
    page.check('input[value="app"]')
    assert chosen.inner_text() == preset
    # Who reads the rules plays by them; who has learned others says so.
    said = page.locator('.agents .agent:has(input[value="koikoi/best"]) .unlearned').inner_text()
    assert said.count(",") + said.count("、") >= 5
    assert page.locator('.agents .agent:has(input[value="koikoi/classical"]) .unlearned').count() == 0
    page.click("summary")
    rounds = page.locator('[data-option="rounds"]')
    assert rounds.input_value() == "12"
    rounds.fill("3")
    assert chosen.count() == 0
    page.check('input[value="app"]')
    assert rounds.input_value() == "12"
    page.check('input[value="koikoi/classical"]')
    page.click("button[type=submit]")
    page.wait_for_selector(".felt .card")
    page.click(f'header.bar button[aria-label="{rules}"]')
    assert page.locator("dialog .chosen-rules b").inner_text() == preset
    assert viewing in page.locator("dialog .chosen-rules dd").all_inner_texts()
    combos = page.locator("dialog .combos .worth").all_inner_texts()
    assert "1 → 3" not in combos


STRENGTHS = {  # by language: a rating, two rates of wins, and what tells that they are by the papers' rules
    "en": ("rating 500 ± 10", "40%", "70%", "papers"),
    "ja": ("レーティング 500 ± 10", "40%", "70%", "論文"),
    "zh": ("等级分 500 ± 10", "40%", "70%", "论文"),
}


@pytest.mark.parametrize("language", STRENGTHS)
def test_strengths_are_of_the_rules_that_are_chosen(
    visit: Callable[..., Visit], server: Server, language: str
) -> None:
    """A figure of other rules is not shown, or it says which."""
    rating, by_these, usual, papers = STRENGTHS[language]
    lobby = server.ask("GET", "/lobby")
    cards = {card["name"]: card for card in lobby["agents"]}
    (app,) = [preset for preset in spec("koikoi").presets if preset.id == "app"]
    duel = {"games": 100, "win_rate_stderr": 0.01, "mean_diff": 0.0, "stderr": 1.0, "seed": 1, "commit": None}
    cards["koikoi/rl-wp"] |= {"rating": 500.0, "rating_stderr": 10.0, "duels": []}
    cards["koikoi/rl-point"] |= {
        "rating": None,
        "duels": [
            duel | {"opponent": "koikoi/best", "options": dict(app.options), "win_rate": 0.4},
            duel | {"opponent": "koikoi/classical", "options": {"rounds": 8, "points": 30}, "win_rate": 0.7},
        ],
    }
    window = visit(language=language)
    page = window.page
    page.route("**/api/v1/lobby", lambda route: route.fulfill(json=lobby))
    page.reload()
    page.click(".tile[href$=koikoi]")
    page.click(".more-agents")

    def told(name: str) -> str:
        return page.locator(f'.agent:has(input[value="koikoi/{name}"]) small:not(.unlearned)').inner_text()

    assert told("rl-wp") == rating
    assert usual in told("rl-point")
    assert papers not in told("rl-point")
    page.check('input[value="app"]')
    assert rating in told("rl-wp")
    assert papers in told("rl-wp")
    assert by_these in told("rl-point")
    assert papers not in told("rl-point")
    page.click("summary")
    page.locator('[data-option="rounds"]').fill("3")
    assert papers in told("rl-wp")
    assert usual in told("rl-point")
    assert papers in told("rl-point")


def test_hints_of_who_learned_other_rules_say_so(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi", "koikoi/classical", seven="on", rounds=1)
    if page.locator('button[aria-label="Turn hints on"]').count():
        page.click('button[aria-label="Turn hints on"]')
    note = page.locator(".side .hints .unlearned")
    note.wait_for()
    assert "(Seven points or more)" in note.inner_text()
