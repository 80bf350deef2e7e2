"""The key of a server that others can reach: a link has it, a browser changes it into a cookie once.

The key is made once for a data folder and stays, so that a restart shuts nobody out. The cookie follows from
it and cannot be turned back into it. Whoever has neither gets no answer to anything.
"""

import base64
import hmac
import os
import secrets
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

FILE = "link.key"
PARAMETER = "token"
KEY_BYTES = 16
YEAR = 365 * 86_400  # seconds
INVITATION = "/i/"  # and the code of an invitation to a game

Headers = list[tuple[bytes, bytes]]


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
    """Lets in who has the cookie, the key, or an invitation."""

    def __init__(self, key: str, port: int, is_invited: Callable[[str], bool]):
        self._key = key.encode()
        self._is_invited = is_invited
        # Cookies are of a host, whatever the port: two servers of one machine have one each.
        self._name = f"fuda-{port}"
        mac = hmac.digest(self._key, b"cookie", "sha256")
        self._cookie = base64.urlsafe_b64encode(mac).decode().rstrip("=")

    def is_open_to(self, scope: dict[str, Any]) -> bool:
        """Whether a request or a socket has the cookie."""
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
        return any(
            hmac.compare_digest(self._cookie.encode(), value.encode()) for value in self._values(given)
        )

    def exchange(self, scope: dict[str, Any], secure: bool) -> Headers | None:
        """The headers of an answer that gives the cookie for a key or an invitation; None: it has neither."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return None
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = [(name, value) for name, value in given if name != PARAMETER]
        keys = [value.encode("utf-8", "replace") for name, value in given if name == PARAMETER]
        path = scope["path"]
        has_key = len(keys) == 1 and hmac.compare_digest(keys[0], self._key)
        code = path.removeprefix(INVITATION) if path.startswith(INVITATION) else ""
        invited = not keys and bool(code) and not self.is_open_to(scope) and self._is_invited(code)
        if not has_key and not invited:
            return None
        address = "/" + quote(path.lstrip("/\\")) + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{self._name}={self._cookie}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
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
