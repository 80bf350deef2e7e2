"""Writes the tables of README.md and docs/ from bench/results/ and the sources, between marker comments.

python bench/tables.py            rewrite the tables
python bench/tables.py --check    exit code 1 if a table is not what the results say
"""

import sys
from collections.abc import Callable
from pathlib import Path

import deeprocket_tables
import doudizhu_paper_tables
import doudizhu_tables
import duel_tables
import encoding_tables
import explain_tables
import figure_tables
import gongzhu_page_tables
import koikoi_tables
import paper_tables
import recipe_tables
import speed_tables
import training_tables
from markdown_text import ROOT

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

TABLES: dict[str, Callable[[], str]] = {
    **deeprocket_tables.TABLES,
    **doudizhu_paper_tables.TABLES,
    **doudizhu_tables.TABLES,
    **duel_tables.TABLES,
    **encoding_tables.TABLES,
    **explain_tables.TABLES,
    **figure_tables.TABLES,
    **gongzhu_page_tables.TABLES,
    **koikoi_tables.TABLES,
    **paper_tables.TABLES,
    **recipe_tables.TABLES,
    **speed_tables.TABLES,
    **training_tables.TABLES,
}


def filled(text: str) -> str:
    """The page with each table between `<!-- table: NAME -->` and `<!-- end -->` written anew."""
    for name, make in TABLES.items():
        opening, closing = f"<!-- table: {name} -->\n", "<!-- end -->"
        before, found, rest = text.partition(opening)
        if not found:
            continue
        _, ended, after = rest.partition(closing)
        if not ended:
            raise ValueError(f"the table {name} has no {closing}")
        text = before + opening + make() + "\n" + closing + after
    return text


def stale() -> list[Path]:
    """The pages whose tables differ from what is stored."""
    return [page for page in PAGES if filled(page.read_text()) != page.read_text()]


def write() -> None:
    """Write the tables of all pages that differ."""
    for page in stale():
        page.write_text(filled(page.read_text()))
        print(f"{page.relative_to(ROOT)}: written")


def main() -> None:
    if "--check" not in sys.argv:
        write()
        return
    pages = stale()
    for page in pages:
        print(f"{page.relative_to(ROOT)}: its tables differ from bench/results; run python bench/tables.py")
    sys.exit(bool(pages))


if __name__ == "__main__":
    main()
