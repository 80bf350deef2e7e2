"""Draws the icons of the installed page from its drawing: `python -m web.icons`, in the root folder.

One that a system may cut to a shape of its own (`maskable`) fills its square, its drawing the inner 80%.
"""

import re
from pathlib import Path

from tests.web.browser import browser

PUBLIC = Path(__file__).parent / "public"
SIZES = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable.png": (512, True)}
INNER = 0.8


def drawing(svg: str, maskable: bool) -> str:
    """The icon as it is, or over the whole square and smaller."""
    if not maskable:
        return svg
    ground = re.search(r'<rect width="64" height="64" rx="14" fill="(#\w+)"/>', svg)
    assert ground is not None
    inside = svg[ground.end() : svg.rindex("</svg>")]
    shift = 32 * (1 - INNER)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        f'<rect width="64" height="64" fill="{ground[1]}"/>'
        f'<g transform="translate({shift} {shift}) scale({INNER})">{inside}</g></svg>'
    )


def main() -> None:
    """Write all of them."""
    svg = (PUBLIC / "icon.svg").read_text()
    with browser() as chromium:
        for name, (size, maskable) in SIZES.items():
            page = chromium.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>"
                + drawing(svg, maskable)
            )
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()


if __name__ == "__main__":
    main()
