"""One browser and one server for all tests of the page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.serve.harness import Server
from tests.web.browser import Visit, browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Its cards come from a seed: by chance a round may be over before the person's first move."""
    running = Server(tmp_path_factory.mktemp("page"), seeded=True, agent_workers=2)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def reviewing_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another one, which reviews finished games: modules that are about reviews take it for `server`."""
    running = Server(tmp_path_factory.mktemp("reviews"), seeded=True, reviews=True)
    yield running
    running.stop()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Callable[..., Visit]]:
    """Opens windows; when the test ends, nothing may have gone wrong in any of them."""
    opened: list[Visit] = []

    def open_window(at: Server = server, **how: Any) -> Visit:
        opened.append(Visit(chromium, at, **how))
        return opened[-1]

    yield open_window
    wrong = [text for window in opened for text in window.faults()]
    for window in opened:
        window.close()
    assert not wrong, wrong


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that may be killed; a test may give it settings by a parameter."""
    running = Server(tmp_path, **({"seeded": True} | getattr(request, "param", {})))
    yield running
    running.stop()
