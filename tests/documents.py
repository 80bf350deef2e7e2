"""What the documents say can be typed."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    """Those of a language, in the order of the pages."""
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text()):
            if found[1] == language:
                yield page, found[2]


def typed_lines() -> Iterator[tuple[Path, str]]:
    """The lines of blocks for a terminal, each whole."""
    for language in ("", "text", "sh"):
        for page, block in blocks(language):
            for line in block.replace("\\\n", " ").splitlines():
                yield page, line
