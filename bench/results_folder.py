"""Where scripts put their figures: into a folder of your own, unless those of the documents are to change."""

import argparse
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PUBLISHED = ROOT / "bench" / "results"  # what the documents' tables are made of
OWN = ROOT / "runs" / "results"  # git ignores it


def add_results(parser: argparse.ArgumentParser, option: str = "--results") -> None:
    """The option for the folder; only who names bench/results writes over what is published."""
    told = "a folder for the figures, else runs/results; the documents show those in bench/results"
    parser.add_argument(option, type=Path, default=OWN, metavar="DIR", help=told)


def write(path: Path, figures: Any) -> None:
    """Write figures as JSON; the folder is made if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1) + "\n")


def pictures(results: Path) -> Path:
    """The folder for what is drawn of the figures in a folder."""
    if results.resolve() == PUBLISHED:
        return DOCS
    results.mkdir(parents=True, exist_ok=True)
    return results
