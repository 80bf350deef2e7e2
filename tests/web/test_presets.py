"""Rules by the names that players use: in the lobby, at the table, and beside hints."""

from collections.abc import Callable

import pytest

from fuda.games import spec
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


def test_hints_of_who_learned_other_rules_say_so(visit: Callable[..., Visit]) -> None:
    page = visit().page
    start_game(page, "koikoi", "koikoi/classical", seven="on", rounds=1)
    if page.locator('button[aria-label="Turn hints on"]').count():
        page.click('button[aria-label="Turn hints on"]')
    note = page.locator(".side .hints .unlearned")
    note.wait_for()
    assert "(Seven points or more)" in note.inner_text()
