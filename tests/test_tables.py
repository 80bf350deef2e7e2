"""The scripts that write result tables into pages lose no other text."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "bench" / "tables.py"


@pytest.fixture
def tables(monkeypatch):
    spec = importlib.util.spec_from_file_location("tables", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "TABLES", {"one": lambda: "| 1 |", "two": lambda: "| 2 |"})
    return module


PAGE = """before
<!-- table: one -->
<!-- end -->
between
<!-- table: two -->
old
<!-- end -->
after
"""


def test_only_the_tables_change(tables):
    filled = tables.filled(PAGE)
    assert [line for line in filled.splitlines() if not line.startswith(("|", "<"))] == [
        "before",
        "between",
        "after",
    ]
    assert "| 1 |" in filled
    assert "| 2 |" in filled
    assert "old" not in filled
    assert tables.filled(filled) == filled


def test_a_table_without_its_end_is_refused(tables):
    with pytest.raises(ValueError, match="has no <!-- end -->"):
        tables.filled("<!-- table: one -->\n")
