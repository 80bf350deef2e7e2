"""One server for all tests that do no harm to it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.harness import Owner, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # A whole game of Koi-Koi has more moves than a socket may send at once; a fast machine sends them so.
    limits = {"request_rate": 1e6, "request_burst": 10**6, "message_rate": 1e6, "message_burst": 10**6}
    running = Server(tmp_path_factory.mktemp("serve"), agent_workers=2, **limits)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def reviewing_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another one, which reviews finished games: modules that are about reviews take it for `server`."""
    limits = {"message_rate": 1e6, "message_burst": 10**6}
    running = Server(tmp_path_factory.mktemp("reviews"), seeded=True, reviews=True, **limits)
    yield running
    running.stop()


@pytest.fixture
def owner(server: Server) -> Owner:
    return Owner(server)


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Servers that may be harmed; stopped at the end of the test, however that comes."""
    started: list[Server] = []

    def start(**settings: Any) -> Server:
        data = settings.pop("data", tmp_path / str(len(started)))
        started.append(Server(data, **settings))
        return started[-1]

    yield start
    for running in started:
        running.stop()
