"""What the site has beside docs/: rules, contributing and changes, which live elsewhere in the repository."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
RULES = ROOT / "src" / "fuda" / "games"
PAGES = {
    **{f"rules/{path.parent.name}.md": path for path in sorted(RULES.glob("*/RULES.md"))},
    "contributing.md": ROOT / "CONTRIBUTING.md",
    "changes.md": ROOT / "CHANGELOG.md",
}
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(?=[)#])")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in docs/."""
    for name, path in PAGES.items():
        files.append(File.generated(config, name, content=path.read_text()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links lead to where their targets are on the site."""
    places = {path: name for name, path in PAGES.items()}
    name = page.file.src_uri
    source = PAGES.get(name, ROOT / "docs" / name)
    depth = name.count("/")

    def moved(link: re.Match[str]) -> str:
        target = (source.parent / link[1]).resolve()
        if target in places:
            return "../" * depth + places[target]
        if target.is_relative_to(ROOT / "docs"):
            return "../" * depth + str(target.relative_to(ROOT / "docs"))
        return link[1]

    return LINK.sub(moved, markdown)
