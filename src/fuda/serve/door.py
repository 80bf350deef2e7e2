"""The key of a server that others can reach: a link has it, a browser changes it into a cookie once.

The key is made once for a data folder and stays, so that a restart shuts nobody out. The cookie follows from
it and cannot be turned back into it. Whoever has neither gets no answer to anything. A link to look on, or to
look at a finished game, gives another cookie: with it the page is answered, and what such links lead to.
"""

import base64
import hmac
import os
import secrets
from collections.abc import Callable
from enum import IntEnum
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

FILE = "link.key"
PARAMETER = "token"
KEY_BYTES = 16
YEAR = 365 * 86_400  # seconds
API = "/api/v1"
HEALTH = "/health"
INVITATION = "/i/"  # and the code of an invitation to a game, perhaps with the number of a move
# What the page asks for who only looks; what is behind the last two is for who has the code.
LOOKED_AT = (f"{API}/lobby", f"{API}/watched/", f"{API}/shared/")
SAFE = ("GET", "HEAD")

Headers = list[tuple[bytes, bytes]]


class Right(IntEnum):
    """What somebody may do here; each includes those before it."""

    NONE = 0
    LOOK = 1  # at what is behind the code of a link
    ALL = 2


def may_look_at(scope: dict[str, Any]) -> bool:
    """Whether a request is one of those that somebody makes who only looks."""
    if scope["type"] == "websocket":
        return True  # what the first message must be is checked there
    path = scope["path"]
    is_of_page = not path.startswith("/api/") and path != HEALTH
    return scope["method"] in SAFE and (is_of_page or path.startswith(LOOKED_AT))


def read_key(folder: Path) -> str:
    """The key of a data folder, which is made if there is none."""
    path = folder / FILE
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        if path.exists():
            path.chmod(0o600)
            key = path.read_text(encoding="ascii").strip()
            if key:
                return key
        key = secrets.token_urlsafe(KEY_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(key + "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the key of the link cannot be kept in {path}: {error}; remove that file") from None
    return key


class Door:
    """Lets in who has a cookie, the key, or an invitation."""

    def __init__(self, key: str, port: int, right_by: Callable[[str], Right]):
        self._key = key.encode()
        self._right_by = right_by  # the code of an invitation
        # Cookies are of a host, whatever the port: two servers of one machine have one each.
        self._name = f"fuda-{port}"
        self._cookies = {Right.ALL: self._cookie(b"cookie"), Right.LOOK: self._cookie(b"look")}

    def _cookie(self, purpose: bytes) -> str:
        mac = hmac.digest(self._key, purpose, "sha256")
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")

    def right_of(self, scope: dict[str, Any]) -> Right:
        """What the cookies of a request or a socket allow."""
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
        values = [value.encode() for value in self._values(given)]
        found = [
            right
            for right, cookie in self._cookies.items()
            if any(hmac.compare_digest(cookie.encode(), value) for value in values)
        ]
        return max(found, default=Right.NONE)

    def exchange(self, scope: dict[str, Any], secure: bool) -> Headers | None:
        """The headers of an answer that gives the cookie for a key or an invitation; None: it has neither."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return None
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = [(name, value) for name, value in given if name != PARAMETER]
        keys = [value.encode("utf-8", "replace") for name, value in given if name == PARAMETER]
        path = scope["path"]
        right = Right.NONE
        if len(keys) == 1 and hmac.compare_digest(keys[0], self._key):
            right = Right.ALL
        elif not keys and path.startswith(INVITATION):
            right = self._right_by(path.removeprefix(INVITATION).partition("/")[0])
            if right <= self.right_of(scope):
                return None
        if right is Right.NONE:
            return None
        address = "/" + quote(path.lstrip("/\\")) + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{self._name}={self._cookies[right]}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
        return [
            (b"location", address.encode("ascii")),
            (b"set-cookie", (cookie + ("; Secure" if secure else "")).encode("ascii")),
            (b"cache-control", b"no-store"),
            (b"content-length", b"0"),
        ]

    def _values(self, headers: list[str]) -> list[str]:
        found = []
        for header in headers:
            try:
                cookies = SimpleCookie(header)
            except CookieError:
                continue
            if self._name in cookies:
                found.append(cookies[self._name].value)
        return found
