"""An address that was typed wrong: a page in the person's language that leads to the lobby."""

import pytest
from playwright.sync_api import Browser

from tests.serve.harness import Server
from tests.web.browser import DESKTOP, PATIENCE_MS, PHONE, PHONE_ASIDE, WATCH_SHIFTS
from tests.web.test_access import check_screen


@pytest.mark.parametrize(
    ("preferred", "tag", "told", "size", "path"),
    [
        ("en-GB", "en", "There is no page", PHONE, "nothing"),
        ("ja-JP", "ja", "ページはありません", PHONE_ASIDE, "nothing/deeper"),
        ("zh-CN", "zh-Hans", "没有页面", DESKTOP, "assets/nothing.js"),
        ("fr-FR", "en", "There is no page", DESKTOP, "index.html/"),
    ],
)
def test_it_leads_to_the_lobby(
    chromium: Browser,
    server: Server,
    preferred: str,
    tag: str,
    told: str,
    size: tuple[int, int],
    path: str,
) -> None:
    with chromium.new_context(
        locale=preferred, viewport={"width": size[0], "height": size[1]}, color_scheme="dark"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(WATCH_SHIFTS)
        page = context.new_page()
        answer = page.goto(f"{server.origin}/{path}")
        assert answer is not None
        assert answer.status == 404
        page.wait_for_selector(".gone")
        assert page.evaluate("document.documentElement.lang") == tag
        assert told in page.locator(".gone p").inner_text()
        check_screen(page, "nowhere")
        page.click(".gone a")
        page.wait_for_selector(".past")
        assert page.url == f"{server.origin}/"
        assert page.evaluate("shifts()") == []
