"""What the site has beside docs/: rules, contributing, changes and the notebook, which live elsewhere."""

import json
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
    "notebook.md": ROOT / "examples" / "fuda.ipynb",
}
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(?=[)#])")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in docs/."""
    for name, path in PAGES.items():
        files.append(File.generated(config, name, content=text_of(path)))
    return files


def text_of(path: Path) -> str:
    """A page as Markdown; of a notebook the text and the code."""
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    texts = [("".join(cell["source"]), cell["cell_type"]) for cell in cells]
    return "\n\n".join(f"```python\n{text}\n```" if kind == "code" else text for text, kind in texts)


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
