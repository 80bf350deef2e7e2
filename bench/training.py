"""Keeps the figures of a training run: its rate and its curve, with their origin.

    python bench/training.py RUN NAME         writes bench/results/train-NAME.json

RUN is a folder of `fuda train`. The rate is the median over the run, evaluation left out.
"""

import argparse
import json
import statistics
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep the figures of a training run.")
    parser.add_argument("run", type=Path)
    parser.add_argument("name")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in (arguments.run / "log.jsonl").read_text().splitlines()]
    rates = [line["games_per_second"] for line in lines if "games_per_second" in line]
    kept = {
        "kind": "training",
        "name": arguments.name,
        "games per second": round(statistics.median(rates)),
        "curve": [line for line in lines if "random_win_rate" in line],
        **json.loads((arguments.run / "run.json").read_text()),
    }
    (RESULTS / f"train-{arguments.name}.json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
