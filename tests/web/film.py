"""The pictures of docs/: a film of some turns of Koi-Koi with hints, and stills that `make shots` has made.

python -m tests.web.film
"""

import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.serve.harness import Server
from tests.web.browser import SUMMARY, Visit, browser, start_game, wait_for_turn

DOCS, SHOTS = Path("docs"), Path("web/shots/screens")
SIZE, SHOWN = (1000, 640), (800, 512)
TURNS = 4
LOOK_SECONDS, MOVE_SECONDS = 1.5, 3.5  # at the hints, and at the cards that move
PHONE = ("light-en-1-lobby", "dark-ja-koikoi-play", "light-zh-gongzhu-play", "dark-zh-doudizhu-play")
GAP = 12
DELAY_MS = 700


class Film:
    """Pictures of a page as fast as they come, each shown as long as it took."""

    def __init__(self, page: Page):
        self.page = page
        self.frames: list[Image.Image] = []
        self.lengths: list[int] = []  # milliseconds

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        with tempfile.TemporaryDirectory() as folder:
            while (began := time.monotonic()) < end:
                path = Path(folder) / "frame.png"
                self.page.screenshot(path=path)
                self.frames.append(Image.open(path).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))
                self.lengths.append(round(1000 * (time.monotonic() - began)))

    def save(self, path: Path) -> None:
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=self.lengths, loop=0, quality=60)


def make_film(page: Page) -> Film:
    """Some turns, always with the card that is thought best."""
    start_game(page, "koikoi")
    film = Film(page)
    for _ in range(TURNS):
        if wait_for_turn(page, "koikoi") == SUMMARY:
            break
        best = page.wait_for_selector(".answers .best, .card.best")
        film.run(LOOK_SECONDS)
        best.click(force=True)  # what takes the click lies on the card
        film.run(MOVE_SECONDS)
    return film


def side_by_side(paths: list[Path]) -> Image.Image:
    pictures = [Image.open(path).convert("RGB") for path in paths]
    width, height = pictures[0].size
    sheet = Image.new("RGB", (len(pictures) * (width + GAP) - GAP, height), "white")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number * (width + GAP), 0))
    return sheet


def main() -> None:
    with tempfile.TemporaryDirectory() as data, browser() as chromium:
        server = Server(Path(data))
        try:
            window = Visit(chromium, server, size=SIZE, hints=True, motion=True, delay=DELAY_MS)
            make_film(window.page).save(DOCS / "page-koikoi.webp")
            window.close()
        finally:
            server.stop()
    side_by_side([SHOTS / f"320x568-{name}.png" for name in PHONE]).save(DOCS / "page-phone.webp", quality=85)
    doudizhu = Image.open(SHOTS / "1280x800-dark-en-doudizhu-play.png").convert("RGB")
    doudizhu.save(DOCS / "page-doudizhu.webp", quality=85)


if __name__ == "__main__":
    main()
