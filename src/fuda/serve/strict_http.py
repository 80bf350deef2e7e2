"""HTTP as uvicorn reads it, with deadlines: half a request does not keep a connection for ever.

uvicorn ends connections that wait for their next request, but neither those that never finish one nor
those that do not read their answer. An attacker needs few of them to fill a server.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fuda.serve.addresses import is_proxy, network_of
from fuda.serve.config import Config

UNFINISHED = (h11.IDLE, h11.SEND_BODY)  # of the other side: more of the request is to come
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 21\r\n"
    b"connection: close\r\n\r\nToo many connections."
)


class StrictProtocol(H11Protocol):
    """One connection: a request has so many seconds to come whole, and an answer to be read."""

    limits: Config
    open: Counter[str]  # connections by where they come from

    def __init__(self, *given: Any, **named: Any):
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._network: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and begin to wait for a request."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._network = network_of(address)
        self.open[self._network] += 1
        is_full = self.open[self._network] > self.limits.connections_of_address
        if is_full and not is_proxy(address, self.limits):
            transport.write(FULL)
            transport.close()
        self._within(self.limits.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read; a request that is whole has met its deadline."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if (
            self._network is not None
            and self.conn.their_state not in UNFINISHED
            and not self.flow.write_paused
        ):
            self._within(None)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """A socket has deadlines of its own, once it is open."""
        self._leave()
        if header_size(self.scope) > self.limits.header_bytes:  # of which the next protocol would say nothing
            self.send_400_response("Too many headers.")
            return
        super().handle_websocket_upgrade(event)
        self.loop.call_later(self.limits.request_seconds, _end_unopened, self.transport)

    def on_response_complete(self) -> None:
        """Wait for what is left of this request, or for the next; a connection that is closed ends soon."""
        super().on_response_complete()
        waits = self.conn.their_state in UNFINISHED and self._deadline is None
        if waits or self.transport.is_closing():
            self._within(self.limits.request_seconds)

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self._within(self.limits.request_seconds)

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        self._within(None if self.conn.their_state not in UNFINISHED else self.limits.request_seconds)

    def _within(self, seconds: float | None) -> None:
        """End the connection after so long, whatever is still to be sent; None: there is no hurry."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    def _leave(self) -> None:
        self._within(None)
        if self._network is not None:
            self.open[self._network] -= 1
            if not self.open[self._network]:
                del self.open[self._network]
            self._network = None


def _end_unopened(transport: asyncio.Transport) -> None:
    """End a socket whose handshake came to nothing."""
    if not getattr(transport.get_protocol(), "handshake_complete", False):
        transport.abort()


def header_size(scope: Mapping[str, Any]) -> int:
    """The bytes of a request before its body."""
    line = len(scope["raw_path"]) + len(scope["query_string"])
    return line + sum(len(name) + len(value) + len(": \r\n") for name, value in scope["headers"])


def strict_protocol(config: Config) -> type[StrictProtocol]:
    """The protocol with these limits, which count over all its connections."""
    return type("StrictProtocol", (StrictProtocol,), {"limits": config, "open": Counter()})
