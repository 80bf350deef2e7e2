"""The one door: every request and every socket passes here before anything else looks at it.

A page of another site can make a browser send requests here. It cannot choose `Host` and
`Origin`, so both are compared with the names that this server has: that keeps out other sites'
sockets and forms, and names that were made to point here (DNS rebinding).
"""

import json
import time
from collections import OrderedDict
from typing import Any

from fuda.serve.config import Config
from fuda.serve.faults import STATUS, FaultError

SAFE = ("GET", "HEAD")
COUNTED = "/api/"  # the page's own files are many, and cost nothing
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "")
HTTP_PORT = 80
MAX_ADDRESSES = 1024


class Bucket:
    """Lets `burst` through at once, and then `rate` a second."""

    def __init__(self, rate: float, burst: int):
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._time = time.monotonic()

    def take(self) -> bool:
        """Whether one more may pass now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._time) * self._rate)
        self._time = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def host_names(config: Config) -> frozenset[str]:
    """What `Host` may be."""
    names = [*LOOPBACK, *config.names]
    if config.host not in EVERYWHERE:
        names.append(f"[{config.host}]" if ":" in config.host else config.host)
    found = {f"{name.lower()}:{config.port}" for name in names}
    if config.port == HTTP_PORT:
        found |= {name.lower() for name in names}
    return frozenset(found)


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: Any, config: Config):
        self._app = app
        self._config = config
        self._hosts = host_names(config)
        # A source in a policy cannot be an IPv6 address; there 'self' has to do.
        sockets = " ".join(f"ws://{host}" for host in sorted(self._hosts) if "[" not in host)
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
            f"connect-src 'self' {sockets}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Let a request through, or answer why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except FaultError as fault:
            await _refuse(scope, receive, self._with_headers(send), fault)
            return
        await self._app(scope, receive, self._with_headers(send) if scope["type"] == "http" else send)

    def _check(self, scope: dict[str, Any]) -> None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise FaultError("bad_host")
        origins = _values(scope, b"origin")
        needed = scope["type"] == "websocket" or scope["method"] not in SAFE
        if (needed and not origins) or any(origin != f"http://{hosts[0].lower()}" for origin in origins):
            raise FaultError("bad_origin")
        if scope["path"].startswith(COUNTED) and not self._bucket(scope).take():
            raise FaultError("too_often")

    def _bucket(self, scope: dict[str, Any]) -> Bucket:
        address = str((scope.get("client") or ("",))[0])
        if address not in self._buckets:
            self._buckets[address] = Bucket(self._config.request_rate, self._config.request_burst)
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return self._buckets[address]

    def _with_headers(self, send: Any) -> Any:
        async def sending(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = message | {"headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        return sending


def _values(scope: dict[str, Any], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


async def _refuse(scope: dict[str, Any], receive: Any, send: Any, fault: FaultError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})  # before it was accepted: status 403
        return
    body = json.dumps({"error": fault.told()}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": STATUS[fault.code], "headers": headers})
    await send({"type": "http.response.body", "body": body})
