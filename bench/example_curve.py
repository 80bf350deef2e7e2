"""What examples/koikoi_ppo.py learns: points a round by minutes, on deals that it does not train on.

python bench/example_curve.py --minutes 5 --out bench/results/example-koikoi-ppo.json
"""

import argparse
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import torch

from fuda.core.provenance import commit, machine, versions

FILE = Path(__file__).parent.parent / "examples" / "koikoi_ppo.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location(FILE.stem, FILE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--opponent", default="koikoi/random")
    parser.add_argument("--out", type=Path, help="where the figures are stored as JSON")
    wanted = parser.parse_args()
    example, rows, won = load(), [], None
    origin = {"commit": commit(), "machine": machine(), "versions": versions() | {"torch": torch.__version__}}
    for minutes, updates, won in example.train(wanted.minutes, wanted.opponent):
        rows.append({
            "minutes": round(minutes, 2), "updates": updates,
            "decisions": updates * example.STEPS * example.ENVS,
            "points": round(float(won.mean()), 3), "stderr": round(float(won.std() / len(won) ** 0.5), 3),
        })  # fmt: skip
        print(json.dumps(rows[-1]), flush=True)
    kept = {"kind": "example curve", "opponent": wanted.opponent, "rounds": len(won), "rows": rows, **origin}
    if wanted.out:
        wanted.out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
