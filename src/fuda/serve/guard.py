"""The one door: every request and every socket passes here before anything else looks at it.

A page of another site can make a browser send requests here. It cannot choose `Host` and
`Origin`, so both are compared with the names that this server has: that keeps out other sites'
sockets and forms, and names that were made to point here (DNS rebinding). Simple requests of other
sites have no `Origin`, but browsers say by `Sec-Fetch-Site` whose they are. All that is refused before it is
counted: it must not use up what the page may ask.
"""

import json
import time
from collections import OrderedDict
from typing import Any

from fuda.serve.addresses import asker_of, is_loopback
from fuda.serve.config import Config
from fuda.serve.door import HEALTH, SAFE, Door, Right, may_look_at
from fuda.serve.faults import STATUS, FaultError
from fuda.serve.network import EVERYWHERE, LOOPBACK, host_of
from fuda.serve.strict_http import header_size

ONLY_LOOKS = "fuda.only_looks"  # of a scope: who asks may look on, and do nothing else
COUNTED = "/api/"  # the page's own files are many, and cost nothing
HTTP_PORT = 80
MAX_ADDRESSES = 1024
# What a person reads who opens an address that is refused.
TEXTS = {
    "no_key": b"This table is not open to everybody. Open it by the server's link, or by an invitation.\n",
    "bad_host": b"There is a table here, but not under this address. It opens to other devices when it is "
    b"started with fuda serve --lan, and under a further name with --name.\n",
}
OWN = ("same-origin", "none")  # of the page itself, or of a person who typed the address


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

    def __init__(self, app: Any, config: Config, door: Door | None = None):
        self._app = app
        self._config = config
        self._door = door
        self._hosts = host_names(config)
        self._public_host = host_of(config.public_url)
        # A source in a policy cannot be an IPv6 address; there 'self' has to do.
        sockets = " ".join(f"ws://{host}" for host in sorted(self._hosts) if "[" not in host)
        if self._public_host and "[" not in self._public_host:
            sockets += f" wss://{self._public_host}"
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
            cookie = self._at_the_door(scope)
            if cookie is not None:
                start = {"type": "http.response.start", "status": 303, "headers": cookie}
                await self._with_headers(send)(start)
                await send({"type": "http.response.body"})
                return
            self._count(scope)
        except FaultError as fault:
            await _refuse(scope, receive, self._with_headers(send), fault)
            return
        await self._app(scope, receive, self._with_headers(send) if scope["type"] == "http" else send)

    def _check(self, scope: dict[str, Any]) -> None:
        _check_form(scope, self._config.header_bytes)
        hosts = _values(scope, b"host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        is_public = bool(host) and host == self._public_host
        if not is_public and host not in self._hosts:
            raise FaultError("bad_host")
        origins = _values(scope, b"origin")
        own = self._config.public_url if is_public else f"http://{host}"
        needed = scope["type"] == "websocket" or scope["method"] not in SAFE
        if (needed and not origins) or any(origin != own for origin in origins):
            raise FaultError("bad_origin")
        if not all(site in OWN for site in _values(scope, b"sec-fetch-site")) and not _is_link(scope):
            raise FaultError("bad_origin")

    def _at_the_door(self, scope: dict[str, Any]) -> list[tuple[bytes, bytes]] | None:
        """Headers that give a browser the cookie, once; a fault for who has none and may have none."""
        if self._door is None or self._is_checkup(scope):
            return None
        secure = self._public_host in _values(scope, b"host") and bool(self._public_host)
        cookie = self._door.exchange(scope, secure)
        if cookie is None:
            right = self._door.right_of(scope)
            if right < Right.ALL and not (right is Right.LOOK and may_look_at(scope)):
                raise FaultError("no_key")
            scope[ONLY_LOOKS] = right is Right.LOOK
        return cookie

    def _is_checkup(self, scope: dict[str, Any]) -> bool:
        """Whether this machine itself asks how the server is; a proxy of it asks by the public name."""
        (host,) = _values(scope, b"host")
        is_own = host.rpartition(":")[0] in LOOPBACK and is_loopback(str((scope.get("client") or ("",))[0]))
        return scope["path"] == HEALTH and scope["type"] == "http" and is_own

    def _count(self, scope: dict[str, Any]) -> None:
        if scope["path"].startswith(COUNTED) and not self._bucket(scope).take():
            raise FaultError("too_often")

    def _bucket(self, scope: dict[str, Any]) -> Bucket:
        address = asker_of(scope, self._config)
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


def _check_form(scope: dict[str, Any], header_bytes: int) -> None:
    """Refuse what a server and a proxy may read in two ways, and more headers than any browser sends."""
    if header_size(scope) > header_bytes:
        raise FaultError("too_large", limit=header_bytes)
    if _values(scope, b"content-length") and _values(scope, b"transfer-encoding"):
        raise FaultError("bad_message", where="content-length")


def _is_link(scope: dict[str, Any]) -> bool:
    """Whether a person has followed a link to the page."""
    return (
        scope["type"] == "http"
        and scope["method"] in SAFE
        and not scope["path"].startswith(COUNTED)
        and _values(scope, b"sec-fetch-mode") == ["navigate"]
        and _values(scope, b"sec-fetch-dest") == ["document"]
    )


def _values(scope: dict[str, Any], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


async def _refuse(scope: dict[str, Any], receive: Any, send: Any, fault: FaultError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})  # before it was accepted: status 403
        return
    body, kind = json.dumps({"error": fault.told()}).encode(), b"application/json"
    if fault.code in TEXTS and not scope["path"].startswith(COUNTED):
        body, kind = TEXTS[fault.code], b"text/plain; charset=utf-8"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what follows on it may be the rest of what was refused
    ]
    await send({"type": "http.response.start", "status": STATUS[fault.code], "headers": headers})
    await send({"type": "http.response.body", "body": body})
