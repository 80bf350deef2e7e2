"""One server for all tests that do no harm to it."""

from collections.abc import Iterator

import pytest

from tests.serve.harness import Owner, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("serve"), request_rate=1e6, request_burst=10**6)
    yield running
    running.stop()


@pytest.fixture
def owner(server: Server) -> Owner:
    return Owner(server)
