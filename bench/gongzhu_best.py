"""Which way of looking further pays: settings of a model of views against its network alone.

    python bench/gongzhu_best.py MODEL [--deals 512] [--device cuda] [--only NAME ...]

Played on deals that are for choosing, never for reporting; the defaults in games/gongzhu/__init__.py are to
follow what is found here. Writes gongzhu-best.json, where other rows of the
same network stay.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from gongzhu_players import keep, margins, player, row, stored_rows
from results_folder import add_results

from fuda.core.provenance import commit
from fuda.training.conduct import CHOOSING_SEED

SETTINGS: dict[str, dict[str, Any]] = {
    "15 points": {"close": 15.0},
    "15 points, deals drawn evenly": {"close": 15.0, "weighting": "none"},
    "15 points, weighed by plays": {"close": 15.0, "weighting": "bayes"},
    "15 points, doubt 4": {"close": 15.0, "doubt": 4.0},
    "15 points, doubt 16": {"close": 15.0, "doubt": 16.0},
    "15 points, 96 deals": {"close": 15.0, "scenarios": 96},
    "15 points, no exact endings": {"close": 15.0, "exact": 0},
    "30 points": {"close": 30.0},
    "30 points, doubt 5": {"close": 30.0, "doubt": 5.0},
    "30 points, five cards": {"close": 30.0, "candidates": 5},
    "30 points, no exact endings": {"close": 30.0, "exact": 0},
    "60 points": {"close": 60.0},
    "60 points, five cards, no exact endings": {"close": 60.0, "candidates": 5, "exact": 0},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Settings of a model of views against its network alone.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--deals", type=int, default=512)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--only", nargs="+", choices=sorted(SETTINGS), default=list(SETTINGS))
    add_results(parser)
    arguments = parser.parse_args()
    began = time.perf_counter()
    alone = player(arguments.model, arguments.device, "-raw")
    rows = stored_rows(arguments.results, "best", arguments.model)
    for name in arguments.only:
        further = player(arguments.model, arguments.device, **SETTINGS[name])
        found = row(margins(further, alone, arguments.deals, CHOOSING_SEED))
        rows[name] = found | {"deals": arguments.deals, "commit": commit()}
        keep(
            arguments.results, "best", "gongzhu best", {"rows": rows}, [arguments.model], arguments.deals,
            time.perf_counter() - began, arguments.device, CHOOSING_SEED,
        )  # fmt: skip


if __name__ == "__main__":
    main()
