"""The built page: read once, sent from memory. A path is looked up, never joined to a folder."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
PACKED = (".png", ".ico", ".woff2")  # already compressed
NEVER = re.compile(r";q=0(\.0*)?(;|$)")  # a kind of content that is not accepted
HASHED = "/assets/"  # the build names these files after their content
NOT_BUILT = "The page is not built: this is a source tree without src/fuda/serve/static.\n"


@dataclass(frozen=True)
class File:
    """A file of the page."""

    content: bytes
    zipped: bytes | None
    type: str
    tag: str


class Page:
    """All files of a folder."""

    def __init__(self, folder: Path):
        self._files: dict[str, File] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in TYPES:
                self._files[f"/{path.relative_to(folder).as_posix()}"] = _read(path)
        if "/index.html" in self._files:
            self._files["/"] = self._files["/index.html"]

    def answer(self, request: Request) -> Response | None:
        """The file that is asked for, None if there is none."""
        path = request.url.path
        file = self._files.get(path)
        if file is None:
            return None if path != "/" else Response(NOT_BUILT, 503, media_type="text/plain")
        headers = {
            "cache-control": "max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache",
            "etag": file.tag,
            "vary": "accept-encoding",
        }
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return _send(file, request, 200, headers)

    def nowhere(self, request: Request) -> Response | None:
        """For an address that leads nowhere: the page, which says so; None if no browser asks to show it."""
        file = self._files.get("/")
        if file is None or not _wants_page(request):
            return None
        return _send(file, request, 404, {"cache-control": "no-store"})


def _send(file: File, request: Request, status: int, headers: dict[str, str]) -> Response:
    content = file.content
    if file.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers = file.zipped, headers | {"content-encoding": "gzip"}
    return Response(content, status, headers, file.type)


def _wants_page(request: Request) -> bool:
    """Whether HTML is asked for by its name, as browsers do: `*/*` is what programs send."""
    kinds = request.headers.get("accept", "").lower().replace(" ", "").split(",")
    return any(re.fullmatch(r"text/html(;.*)?", kind) and not NEVER.search(kind) for kind in kinds)


def _read(path: Path) -> File:
    content = path.read_bytes()
    zipped = None if path.suffix in PACKED else gzip.compress(content, mtime=0)
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return File(content, zipped, TYPES[path.suffix], tag)
